import { compareVersions, instanceType } from '../../knowledge';
import { nowhere, Unknown } from '../../value';
import type { CniNumber, CniSettings, CniSwitch } from './cni-settings';
import { maxPods, type MaxPodsMode } from './max-pods';

/** What the pods of a node get: IPv4 or IPv6 addresses on Linux, or IPv4 addresses on Windows. */
export type PodNetwork = 'ipv4' | 'ipv6' | 'windows';

/** How many pods a node has room for, as far as the settings tell. */
export interface NodeCapacity {
  /** At least so many pods, those with security groups of their own included. */
  readonly least: number;
  /** At most so many. The same as `least` when everything is known; infinite when no list tells the number of branch interfaces. */
  readonly most: number;
  /** Of `most`, pods that use branch interfaces: they need a SecurityGroupPolicy. */
  readonly branchEnis: number;
  /** What isn't known, when `least` and `most` differ. */
  readonly doubt: Unknown | undefined;
}

/** The switches that decide on the capacity of Linux nodes, as paths of {@link CniSettings}. */
export const CAPACITY_SETTINGS = {
  prefixDelegation: 'env.ENABLE_PREFIX_DELEGATION',
  customNetworking: 'env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG',
  podSecurityGroups: 'env.ENABLE_POD_ENI',
  maxEnis: 'env.MAX_ENI',
  windowsPrefixDelegation: 'enableWindowsPrefixDelegation',
} as const;

/** A way in which the settings may be understood; several where something isn't known. */
interface CapacityModes {
  readonly modes: readonly MaxPodsMode[];
  readonly doubt: Unknown | undefined;
}

/**
 * The modes that a CNI may run in. On IPv6 nodes EKS turns prefix delegation on, and the CNI uses the first interface only; on Windows
 * nodes the other settings have no effect.
 * @param assumed settings that aren't read, but taken for granted
 */
function capacityModesOf(
  settings: CniSettings,
  network: PodNetwork,
  assumed: Pick<MaxPodsMode, 'prefixDelegation'> = {},
): CapacityModes {
  const { prefixDelegation } = assumed;
  if (network === 'ipv6') return { modes: [{ prefixDelegation: true }], doubt: undefined };
  const read = (path: string): CniSwitch => settings.switch(path);
  const prefixes = read(
    network === 'windows' ? CAPACITY_SETTINGS.windowsPrefixDelegation : CAPACITY_SETTINGS.prefixDelegation,
  );
  const given =
    prefixDelegation === undefined
      ? prefixes
      : ({ kind: prefixDelegation ? 'on' : 'off', isConfigured: true } as const);
  if (network === 'windows')
    return { modes: either(given).map((one) => ({ windows: true, prefixDelegation: one })), doubt: unknownOf(given) };
  const custom = read(CAPACITY_SETTINGS.customNetworking);
  const trunk = read(CAPACITY_SETTINGS.podSecurityGroups);
  const enis = settings.number(CAPACITY_SETTINGS.maxEnis);
  const modes = either(given).flatMap((prefixed) =>
    either(custom).flatMap((customNetworking) =>
      either(trunk).flatMap((podSecurityGroups) =>
        limitsOf(enis).map(
          (limit): MaxPodsMode => ({ prefixDelegation: prefixed, customNetworking, podSecurityGroups, ...limit }),
        ),
      ),
    ),
  );
  return { modes, doubt: unknownOf(given) ?? unknownOf(custom) ?? unknownOf(trunk) ?? unknownOf(enis) };
}

function either(value: CniSwitch): readonly boolean[] {
  return value.kind === 'unknown' ? [true, false] : [value.kind === 'on'];
}

/** `MAX_ENI` counts from 1 on; one that isn't known leaves any number of interfaces. Source: aws/amazon-vpc-cni-k8s, `pkg/ipamd/ipamd.go`, getMaxENI. */
function limitsOf(value: CniNumber): readonly Pick<MaxPodsMode, 'maxEnis'>[] {
  if (value.kind === 'unknown') return [{}, { maxEnis: 1 }];
  return [value.kind === 'number' && value.value >= 1 ? { maxEnis: value.value } : {}];
}

function unknownOf(value: CniSwitch | CniNumber): Unknown | undefined {
  return value.kind === 'unknown' ? value.unknown : undefined;
}

/**
 * How many pods the VPC CNI has addresses for on a node, with the settings that it has; see {@link maxPods} for the formulas.
 * @param type EC2 instance type, `m5.large`
 * @returns undefined for a type that the table doesn't have, and where the settings leave no interface for pods at all
 */
export function nodeCapacity(
  type: string,
  settings: CniSettings,
  network: PodNetwork,
  assumed: Pick<MaxPodsMode, 'prefixDelegation'> = {},
): NodeCapacity | undefined {
  const found = instanceType(type);
  if (found === undefined) return undefined;
  const { modes, doubt } = capacityModesOf(settings, network, assumed);
  const trunkDoubt =
    modes.some(({ podSecurityGroups }) => podSecurityGroups) && !found.trunkKnown
      ? new Unknown(`no list tells whether ${type} can carry a trunk interface`, nowhere)
      : undefined;
  let capacity: NodeCapacity | undefined;
  for (const mode of modes) {
    const one = capacityIn(type, mode, settings.version);
    if (one === undefined) continue;
    capacity =
      capacity === undefined
        ? one
        : {
            least: Math.min(capacity.least, one.least),
            most: Math.max(capacity.most, one.most),
            branchEnis: Math.max(capacity.branchEnis, one.branchEnis),
            doubt: undefined,
          };
  }
  return capacity === undefined ? undefined : { ...capacity, doubt: doubt ?? trunkDoubt };
}

/** From this version on ordinary pods get no addresses of the trunk interface. Source: aws/amazon-vpc-cni-k8s, pull request 2801. */
const TRUNK_WITHOUT_PODS = 'v1.16.4';

/** Undefined where the mode leaves no interface for pods. */
function capacityIn(type: string, mode: MaxPodsMode, version: string | undefined): NodeCapacity | undefined {
  const { podSecurityGroups = false } = mode;
  try {
    if (podSecurityGroups && version !== undefined && compareVersions(version, TRUNK_WITHOUT_PODS) < 0) {
      const { capacity } = maxPods(type, { ...mode, podSecurityGroups: false });
      const branches = instanceType(type)?.branchEnis ?? 0;
      return { least: capacity + branches, most: capacity + branches, branchEnis: branches, doubt: undefined };
    }
    const { capacity, branchEnis } = maxPods(type, mode);
    if (podSecurityGroups && branchEnis === undefined)
      return { least: capacity, most: Infinity, branchEnis: 0, doubt: undefined };
    const branches = branchEnis ?? 0;
    return { least: capacity + branches, most: capacity + branches, branchEnis: branches, doubt: undefined };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The most pods that AWS recommends for a node: 110 below 30 vCPUs, 250 from there on; undefined if no source tells its vCPUs. */
export function podCeiling(type: string): number | undefined {
  const vcpus = instanceType(type)?.vcpus;
  if (vcpus === undefined) return undefined;
  return vcpus < 30 ? 110 : 250;
}
