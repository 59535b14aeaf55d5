import type { IConstruct } from 'constructs';
import {
  acceleratorOf,
  amiType,
  amiTypeNames,
  compareVersions,
  instanceType,
  type Accelerator,
  type AmiType,
  type Architecture,
} from '../../lib/knowledge';
import { refuse } from './construction-error';
import type { TokenTools } from './tokens';

/** Operating system of the nodes. Windows comes in editions, each an AMI type of its own. */
export enum AmiFamily {
  /** Amazon Linux 2023, bootstrapped by nodeadm. */
  AL2023 = 'AL2023',
  /** Amazon Linux 2; EKS has no AMIs of it from Kubernetes 1.33 on, and the last ones are of December 2025. */
  AL2 = 'AL2',
  BOTTLEROCKET = 'BOTTLEROCKET',
  WINDOWS_CORE_2019 = 'WINDOWS_CORE_2019',
  WINDOWS_FULL_2019 = 'WINDOWS_FULL_2019',
  WINDOWS_CORE_2022 = 'WINDOWS_CORE_2022',
  WINDOWS_FULL_2022 = 'WINDOWS_FULL_2022',
  WINDOWS_CORE_2025 = 'WINDOWS_CORE_2025',
  WINDOWS_FULL_2025 = 'WINDOWS_FULL_2025',
}

/** The operating systems as far as they differ for a node group. */
export type OperatingSystem = Exclude<AmiType['family'], 'CUSTOM'>;

/** What decides on the AMI. */
export interface AmiChoice {
  readonly amiFamily: AmiFamily | undefined;
  readonly amiType: string | undefined;
  readonly architecture: Architecture | undefined;
  /** Undefined or empty for the default. */
  readonly instanceTypes: readonly string[] | undefined;
  readonly kubernetesVersion: string | undefined;
  readonly hasCustomAmi: boolean;
}

export interface ResolvedAmi {
  readonly os: OperatingSystem;
  /** Undefined with an own AMI: EKS then accepts none. */
  readonly amiType: string | undefined;
  readonly instanceTypes: readonly string[];
}

/** As CDK's clusters take for their default nodes. EKS's own default, t3.medium, can't run pods with security groups of their own. */
const DEFAULT_INSTANCE_TYPES: Readonly<Record<Architecture, string>> = { x86_64: 'm5.large', arm64: 'm6g.large' };

/** Decides on AMI type and instance types, and refuses what doesn't fit together. */
export function resolveAmi(scope: IConstruct, tokens: TokenTools, choice: AmiChoice): ResolvedAmi {
  const given = choice.amiType === undefined ? undefined : knownAmiType(scope, tokens, choice.amiType);
  if (given !== undefined && choice.hasCustomAmi) {
    refuse(
      scope,
      `amiType is "${given.name}" and customAmi is set; EKS refuses an AMI type for a launch template with an AMI: leave amiType out`,
    );
  }
  const family = choice.amiFamily ?? (given === undefined ? AmiFamily.AL2023 : undefined);
  const os = family === undefined ? systemOf(scope, given) : operatingSystem(family);
  if (given !== undefined && choice.amiFamily !== undefined && !matchesFamily(given.name, choice.amiFamily)) {
    refuse(scope, `amiType is "${given.name}" and amiFamily is ${choice.amiFamily}; leave one of them out`);
  }
  const architecture = architectureOf(scope, tokens, choice, given);
  const asked = choice.instanceTypes ?? [];
  const instanceTypes = asked.length === 0 ? [DEFAULT_INSTANCE_TYPES[architecture]] : asked;
  if (os === 'WINDOWS') refuseWithoutWindows(scope, instanceTypes, architecture);
  if (choice.hasCustomAmi) return { os, amiType: undefined, instanceTypes };
  const type = given ?? defaultAmiType(scope, family ?? AmiFamily.AL2023, architecture, instanceTypes);
  refuseOutdated(scope, type, choice.kubernetesVersion);
  return { os, amiType: type.name, instanceTypes };
}

function knownAmiType(scope: IConstruct, tokens: TokenTools, name: string): AmiType {
  if (tokens.isToken(name))
    refuse(scope, 'amiType is a token; it decides on the bootstrap and must be known at synthesis');
  const type = amiType(name);
  if (type === undefined || type.family === 'CUSTOM') {
    const allowed = amiTypeNames()
      .filter((known) => known !== 'CUSTOM')
      .join(', ');
    return refuse(scope, `amiType is "${name}"; EKS has ${allowed} (for an AMI of your own use customAmi)`);
  }
  return type;
}

function systemOf(scope: IConstruct, type: AmiType | undefined): OperatingSystem {
  if (type === undefined || type.family === 'CUSTOM')
    return refuse(scope, 'amiType names no operating system; set amiFamily');
  return type.family;
}

function operatingSystem(family: AmiFamily): OperatingSystem {
  if (family === AmiFamily.AL2) return 'AL2';
  if (family === AmiFamily.AL2023) return 'AL2023';
  return family === AmiFamily.BOTTLEROCKET ? 'BOTTLEROCKET' : 'WINDOWS';
}

function matchesFamily(amiTypeName: string, family: AmiFamily): boolean {
  return amiTypeName.startsWith(`${family}_`);
}

/** The architecture of the group. Instance types of two are refused, because all nodes start from the same AMI. */
function architectureOf(
  scope: IConstruct,
  tokens: TokenTools,
  choice: AmiChoice,
  type: AmiType | undefined,
): Architecture {
  const asked = choice.architecture;
  if (asked !== undefined && type?.architecture !== undefined && asked !== type.architecture) {
    refuse(
      scope,
      `architecture is ${asked} and amiType is "${type.name}", which is ${type.architecture}; leave architecture out`,
    );
  }
  const wanted = asked ?? type?.architecture;
  const byName = (choice.instanceTypes ?? []).map((name) => ({
    name,
    architecture: tokens.isToken(name) ? undefined : instanceType(name)?.architecture,
  }));
  const found = new Map(
    byName.filter((entry) => entry.architecture !== undefined).map((entry) => [entry.architecture, entry.name]),
  );
  if (found.size > 1) {
    const list = byName.map((entry) => `${entry.name} (${entry.architecture ?? 'unknown'})`).join(', ');
    refuse(
      scope,
      `instanceTypes has two CPU architectures: ${list}; a node group has one AMI, so make one node group per architecture`,
    );
  }
  const [first] = found;
  if (wanted === undefined) {
    const unknown = byName.find((entry) => entry.architecture === undefined);
    if (unknown !== undefined && first === undefined) {
      refuse(
        scope,
        `instanceTypes has ${tokens.isToken(unknown.name) ? 'a token' : `"${unknown.name}", which the instance type table doesn't have`}, so the AMI's architecture isn't known; set architecture or amiType`,
      );
    }
    return first?.[0] ?? 'x86_64';
  }
  if (first?.[0] !== undefined && first[0] !== wanted) {
    const by = asked === undefined ? `amiType is "${type?.name ?? ''}"` : 'architecture';
    refuse(
      scope,
      `instanceTypes has ${first[1]}, which is ${first[0]}, but ${by} ${asked === undefined ? 'for' : 'is'} ${wanted}; EKS refuses the mismatch`,
    );
  }
  return wanted;
}

/** The AMI type of a family: with drivers when all instance types have the same accelerator. */
function defaultAmiType(
  scope: IConstruct,
  family: AmiFamily,
  architecture: Architecture,
  instanceTypes: readonly string[],
): AmiType {
  const accelerators = new Set(instanceTypes.map(acceleratorOf));
  if (accelerators.size > 1) {
    refuse(
      scope,
      `instanceTypes mixes accelerators (${instanceTypes.join(', ')}), which need different AMIs; make one node group for each, or set amiType`,
    );
  }
  const [accelerator] = accelerators;
  const name = amiTypeName(family, architecture, accelerator);
  const type = amiType(name);
  return (
    type ??
    refuse(
      scope,
      `amiFamily is ${family}, for which EKS has no ${architecture} AMI${accelerator === undefined ? '' : ` with ${accelerator} drivers`}; choose another family or set amiType`,
    )
  );
}

function amiTypeName(family: AmiFamily, architecture: Architecture, accelerator: Accelerator | undefined): string {
  const cpu = architecture === 'arm64' ? 'ARM_64' : 'x86_64';
  if (family === AmiFamily.AL2) return `AL2_${cpu}${accelerator === undefined ? '' : '_GPU'}`;
  if (family === AmiFamily.AL2023) return `AL2023_${cpu}_${accelerator?.toUpperCase() ?? 'STANDARD'}`;
  // Bottlerocket has no Neuron variant of its own: the driver is part of the ordinary one.
  if (family === AmiFamily.BOTTLEROCKET) return `BOTTLEROCKET_${cpu}${accelerator === 'nvidia' ? '_NVIDIA' : ''}`;
  return `${family}_${cpu}`;
}

function refuseOutdated(scope: IConstruct, type: AmiType, kubernetesVersion: string | undefined): void {
  if (kubernetesVersion === undefined) {
    if (type.family === 'AL2') {
      refuse(
        scope,
        `amiType is "${type.name}", which ends with Kubernetes ${type.maxVersion ?? ''}, and the cluster's version isn't known; set kubernetesVersion, or use AL2023`,
      );
    }
    return;
  }
  if (type.maxVersion !== undefined && compareVersions(kubernetesVersion, type.maxVersion) > 0) {
    refuse(
      scope,
      `amiType is "${type.name}" and the cluster has Kubernetes ${kubernetesVersion}; EKS has that AMI type up to ${type.maxVersion}: use AmiFamily.AL2023`,
    );
  }
  if (type.minVersion !== undefined && compareVersions(kubernetesVersion, type.minVersion) < 0) {
    refuse(
      scope,
      `amiType is "${type.name}" and the cluster has Kubernetes ${kubernetesVersion}; EKS has that AMI type from ${type.minVersion} on`,
    );
  }
}

function refuseWithoutWindows(scope: IConstruct, instanceTypes: readonly string[], architecture: Architecture): void {
  if (architecture === 'arm64')
    refuse(scope, 'amiFamily is Windows and the architecture arm64; EKS has Windows AMIs for x86_64 only');
  const unsupported = instanceTypes.find((name) => /^(?:c3|c4|d2|i2|m4|m6a|r3)\./.test(name) && name !== 'm4.16xlarge');
  if (unsupported !== undefined) {
    refuse(
      scope,
      `instanceTypes has ${unsupported}, which EKS doesn't support for Windows nodes; C3, C4, D2, I2, M4 (but m4.16xlarge), M6a and R3 are out`,
    );
  }
}
