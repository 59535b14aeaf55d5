import { instanceType, instanceTypesAsOf } from '../../knowledge';

/** How the VPC CNI gives addresses to pods. */
export interface MaxPodsMode {
  /**
   * Prefixes of 16 addresses instead of single addresses (`ENABLE_PREFIX_DELEGATION`).
   *
   * @default false
   */
  readonly prefixDelegation?: boolean;
  /**
   * Pods live in other subnets than the nodes, so that the first interface has no pods (`AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG`).
   *
   * @default false
   */
  readonly customNetworking?: boolean;
  /**
   * Windows node: one interface, and no pods on the host network.
   *
   * @default false
   */
  readonly windows?: boolean;
  /**
   * Security groups for pods: the trunk interface takes the place of one interface (`ENABLE_POD_ENI`).
   *
   * @default false
   */
  readonly podSecurityGroups?: boolean;
  /**
   * The most interfaces that the CNI may use (`MAX_ENI`). Values above what the type has don't count.
   *
   * @default - all interfaces of the type
   */
  readonly maxEnis?: number;
}

export interface MaxPods {
  /** How many pods can get an address, host-network pods of the CNI and kube-proxy included. */
  readonly capacity: number;
  /**
   * What to set as the kubelet's max pods: the capacity, but not above AWS's ceiling of 110 pods below 30 vCPUs and 250 from
   * there on. Undefined when it depends on a vCPU count that no source tells.
   */
  readonly recommended: number | undefined;
  /** Pods with security groups of their own, which use branch interfaces and not `capacity`; undefined if not asked for or not known. */
  readonly branchEnis?: number;
}

const ADDRESSES_PER_PREFIX = 16;
/** aws-node and kube-proxy share the node's address. */
const HOST_NETWORK_PODS = 2;
const SMALL_NODE_CEILING = 110;
const LARGE_NODE_CEILING = 250;
const LARGE_NODE_VCPUS = 30;

/**
 * How many pods a node of an instance type can run, after AWS's formulas (EKS user guide, "Choosing an optimal Amazon EC2
 * node instance type"; VPC CNI, `pkg/ipamd`): E interfaces of I addresses, each interface's first address being its own, give
 * E × (I − 1) + 2 pods, and 16 times as many pod addresses with prefix delegation.
 *
 * Prefix delegation needs Nitro or bare metal; on other types the CNI goes on with single addresses, and so does this
 * function. IPv6 clusters always use prefix delegation.
 *
 * @param type EC2 instance type, `m5.large`
 * @throws RangeError for an instance type that the table doesn't have, and for modes that leave no interface for pods or that Windows doesn't have
 */
export function maxPods(type: string, mode: MaxPodsMode = {}): MaxPods {
  const {
    prefixDelegation = false,
    customNetworking = false,
    windows = false,
    podSecurityGroups = false,
    maxEnis,
  } = mode;
  const found = instanceType(type);
  if (found === undefined) {
    throw new RangeError(
      `instance type "${type}" isn't known (table of ${instanceTypesAsOf()}): give the number of pods yourself`,
    );
  }
  if (maxEnis !== undefined && (!Number.isInteger(maxEnis) || maxEnis < 1))
    throw new RangeError(`maxEnis is ${maxEnis}, but must be a whole number from 1`);
  if (windows && (customNetworking || podSecurityGroups)) {
    throw new RangeError(
      `Windows nodes have no ${customNetworking ? 'custom networking' : 'security groups for pods'}`,
    );
  }
  // Of a type in no list, the CNI assumes that it carries a trunk interface.
  const hasTrunk = podSecurityGroups && (found.trunk || !found.trunkKnown);
  const perEni = (found.ipv4PerEni - 1) * (prefixDelegation && found.nitro ? ADDRESSES_PER_PREFIX : 1);
  const enis = windows
    ? 1
    : Math.min(found.enis, maxEnis ?? found.enis) - (customNetworking ? 1 : 0) - (hasTrunk ? 1 : 0);
  if (enis < 1) {
    const takers = [
      ...(customNetworking ? ['custom networking'] : []),
      ...(hasTrunk ? ['the trunk interface'] : []),
    ].join(' and ');
    throw new RangeError(`${takers} leave no interface of ${type} for pods`);
  }
  const capacity = enis * perEni + (windows ? 0 : HOST_NETWORK_PODS);
  const recommended = recommendedMaxPods(capacity, found.vcpus);
  return podSecurityGroups && found.trunkKnown
    ? { capacity, recommended, branchEnis: found.branchEnis }
    : { capacity, recommended };
}

function recommendedMaxPods(capacity: number, vcpus: number | undefined): number | undefined {
  if (capacity <= SMALL_NODE_CEILING) return capacity;
  if (vcpus === undefined) return undefined;
  return Math.min(capacity, vcpus < LARGE_NODE_VCPUS ? SMALL_NODE_CEILING : LARGE_NODE_CEILING);
}
