import type { IConstruct } from 'constructs';
import { USER_DATA_LIMIT } from '../../lib/eks/user-data/mime/render';
import type { OperatingSystem } from './ami-family';
import { bottlerocketUserData } from './bottlerocket-user-data';
import { refuse } from './construction-error';
import { al2023UserData, al2UserData } from './linux-user-data';
import { InstanceStore } from './node-instance-options';
import { refuseContradictions, refuseOverridden, refuseRemovedGates } from './node-config-conflicts';
import type { NodeOptions } from './node-options';
import { oneOf } from './number-checks';
import type { UserDataInput } from './user-data-input';
import { windowsUserData } from './windows-user-data';

const RENDERERS: Readonly<Record<OperatingSystem, (scope: IConstruct, input: UserDataInput) => string | undefined>> = {
  AL2: al2UserData,
  AL2023: al2023UserData,
  BOTTLEROCKET: bottlerocketUserData,
  WINDOWS: windowsUserData,
};

/** User data for the nodes of a managed node group; undefined if there is nothing to say that EKS doesn't say itself. */
export function renderUserData(scope: IConstruct, input: UserDataInput): string | undefined {
  refuseForeignParts(scope, input);
  const userData = RENDERERS[input.os](scope, input);
  const size = Buffer.byteLength(userData ?? '');
  if (size > USER_DATA_LIMIT)
    refuse(
      scope,
      `${partsOf(input)} make ${size} bytes of user data; EC2 accepts ${USER_DATA_LIMIT}: load large scripts from elsewhere`,
    );
  return userData;
}

/** The options that only one operating system, or two, can do something with. */
const PARTS: readonly {
  readonly option: keyof NodeOptions;
  readonly systems: readonly OperatingSystem[];
  readonly why: string;
}[] = [
  { option: 'nodeConfig', systems: ['AL2023'], why: 'only AL2023 has nodeadm, which reads it' },
  { option: 'shellScripts', systems: ['AL2023', 'AL2'], why: 'which runs none from MIME user data; use AL2023 or AL2' },
  { option: 'bottlerocketSettings', systems: ['BOTTLEROCKET'], why: 'only Bottlerocket reads them' },
  { option: 'windowsBootstrap', systems: ['WINDOWS'], why: 'only Windows runs PowerShell from user data' },
];

function partsOf({ os }: UserDataInput): string {
  return PARTS.filter((part) => part.systems.includes(os))
    .map((part) => part.option)
    .join(' and ');
}

/** Refuses settings that the operating system doesn't read, or that EKS overrides. */
function refuseForeignParts(scope: IConstruct, input: UserDataInput): void {
  const { options, os } = input;
  for (const { option, systems, why } of PARTS) {
    const value = options[option];
    const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0);
    if (isSet && !systems.includes(os))
      refuse(scope, `${option} is set and the operating system is ${os}${why.startsWith('which') ? ', ' : '; '}${why}`);
  }
  refuseInstanceStore(scope, input);
  refuseMaxPods(scope, input);
  if (options.customAmi !== undefined) {
    if (options.nodeConfig !== undefined) refuseContradictions(scope, input, options.nodeConfig);
    return;
  }
  if (options.serviceCidr !== undefined)
    refuse(
      scope,
      'serviceCidr is set without customAmi; EKS knows the service CIDR itself when it does the bootstrap: leave it out',
    );
  if (options.nodeConfig !== undefined) {
    refuseOverridden(scope, options.nodeConfig);
    refuseRemovedGates(scope, options.nodeConfig, input.kubernetesVersion);
  }
  if ((options.windowsBootstrap?.kubeletExtraArgs ?? []).length > 0) {
    refuse(
      scope,
      'windowsBootstrap has kubeletExtraArgs without customAmi; EKS then calls Start-EKSBootstrap.ps1 with arguments of its own: leave them out, or use customAmi',
    );
  }
}

/** How other systems than AL2023 use an instance store. */
const OTHER_STORES: Readonly<Partial<Record<OperatingSystem, string>>> = {
  AL2: 'on AL2 only an own AMI can, by --local-disks of bootstrap.sh: use AL2023',
  BOTTLEROCKET:
    'on Bottlerocket settings.bootstrap-commands can, with apiclient ephemeral-storage, in bottlerocketSettings',
};

function refuseInstanceStore(scope: IConstruct, { options, os, engine: { tokens } }: UserDataInput): void {
  const { instanceStore, nodeConfig } = options;
  if (instanceStore === undefined) return;
  oneOf(scope, tokens, 'instanceStore', instanceStore, Object.values(InstanceStore));
  if (os !== 'AL2023')
    refuse(
      scope,
      `instanceStore is ${instanceStore} and the operating system is ${os}; only nodeadm of AL2023 sets the disks up${OTHER_STORES[os] === undefined ? '' : ` (${OTHER_STORES[os]})`}: leave it out`,
    );
  if (nodeConfig?.spec.instance?.localStorage !== undefined)
    refuse(scope, 'instanceStore is set, and nodeConfig sets instance.localStorage; leave one of them out');
}

/** Why a number of pods has no effect where EKS does the bootstrap. */
const OVERRIDDEN_MAX_PODS: Readonly<Partial<Record<OperatingSystem, string>>> = {
  AL2023: "on AL2023 EKS computes the number, puts it behind the user's configuration, and its value wins",
  AL2: "on AL2 EKS computes the number and starts kubelet with it, after the user's scripts",
  WINDOWS: 'on Windows EKS starts kubelet with arguments of its own',
};

function refuseMaxPods(scope: IConstruct, { options, os, engine: { tokens } }: UserDataInput): void {
  const { maxPods, bottlerocketSettings } = options;
  if (maxPods === undefined) return;
  const overridden = OVERRIDDEN_MAX_PODS[os];
  if (options.customAmi === undefined && overridden !== undefined) {
    refuse(
      scope,
      `maxPods is ${maxPods} without customAmi; ${overridden}: leave maxPods out, or use customAmi or Bottlerocket`,
    );
  }
  if (!tokens.isToken(maxPods) && (!Number.isInteger(maxPods) || maxPods < 1))
    refuse(scope, `maxPods is ${maxPods}; a whole number from 1 on is needed`);
  if (bottlerocketSettings?.kubernetes('max-pods') !== undefined)
    refuse(scope, 'maxPods is set, and bottlerocketSettings sets settings.kubernetes.max-pods; leave one of them out');
}
