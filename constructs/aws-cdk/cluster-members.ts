import { Stack } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import type { MaxPodsMode } from '../../lib/networking';
import type { OperatingSystem } from './ami-family';
import type { ICluster } from './cluster';

/**
 * Which add-on gives the VPC CNI of a cluster an identity of its own, and which node groups wait for it. Held outside the
 * constructs, because neither side should need to be told about the other.
 */
interface Members {
  cni: CniMember | undefined;
  readonly nodeGroups: NodeGroupMember[];
  readonly podSecurityGroupPolicies: IConstruct[];
  /** What Windows node groups of a cluster share, by a name of its own. */
  readonly shared: Map<string, IConstruct>;
}

/** The vpc-cni add-on of a cluster. */
export interface CniMember {
  readonly construct: IConstruct;
  readonly hasOwnRole: boolean;
  /** How it gives addresses to pods. */
  readonly maxPodsMode: MaxPodsMode;
  /** Whether it gives pods security groups of their own; true as well when that is decided at deployment. */
  readonly podSecurityGroups: boolean;
  /** Whether it manages the addresses of Windows nodes. */
  readonly windowsIpam: boolean;
  /** Whether it gives Windows nodes prefixes. */
  readonly windowsPrefixDelegation: boolean;
}

export interface NodeGroupMember {
  /** The node group's resource. */
  readonly construct: IConstruct;
  readonly os: OperatingSystem;
  readonly role: iam.IRole;
  /** Instance types, or tokens for them. */
  readonly instanceTypes: readonly string[];
  readonly subnets: readonly ec2.ISubnet[];
  readonly labels: Readonly<Record<string, string>>;
}

const members = new WeakMap<ICluster, Members>();

function membersOf(cluster: ICluster): Members {
  let found = members.get(cluster);
  if (found === undefined) {
    found = { cni: undefined, nodeGroups: [], podSecurityGroupPolicies: [], shared: new Map() };
    members.set(cluster, found);
  }
  return found;
}

/** The add-on that was registered for the cluster before; the first one stays. */
export function registerCni(cluster: ICluster, cni: CniMember): CniMember | undefined {
  const known = membersOf(cluster);
  if (known.cni !== undefined) return known.cni;
  known.cni = cni;
  for (const { construct } of known.nodeGroups) orderAfter(construct, cni.construct);
  for (const policy of known.podSecurityGroupPolicies) orderAfter(policy, cni.construct);
  return undefined;
}

/** Pods get groups from the time on that the add-on does its part. */
export function registerPodSecurityGroupPolicy(cluster: ICluster, policy: IConstruct): void {
  const known = membersOf(cluster);
  known.podSecurityGroupPolicies.push(policy);
  if (known.cni !== undefined) orderAfter(policy, known.cni.construct);
}

export function registerNodeGroup(cluster: ICluster, nodeGroup: NodeGroupMember): void {
  const known = membersOf(cluster);
  known.nodeGroups.push(nodeGroup);
  if (known.cni !== undefined) orderAfter(nodeGroup.construct, known.cni.construct);
}

/** The node groups that this library made for the cluster. */
export function nodeGroupsOf(cluster: ICluster): readonly NodeGroupMember[] {
  return members.get(cluster)?.nodeGroups ?? [];
}

/** Something that a cluster has once, and that its node groups wait for: made by the first one that asks for it. */
export function sharedBefore(cluster: ICluster, nodeGroup: IConstruct, name: string, make: () => IConstruct): void {
  const { shared } = membersOf(cluster);
  const found = shared.get(name) ?? make();
  shared.set(name, found);
  orderAfter(nodeGroup, found);
}

/**
 * Whether the CNI has permissions of its own by the time that the nodes of this group start. Only an add-on in the same
 * stack counts: CloudFormation can't be told to deploy another stack first without risking a cycle.
 */
export function cniHasOwnRoleBefore(cluster: ICluster, nodeGroup: IConstruct): boolean {
  const cni = membersOf(cluster).cni;
  return cni !== undefined && cni.hasOwnRole && Stack.of(cni.construct) === Stack.of(nodeGroup);
}

/**
 * Nodes become Ready only when the CNI works, and a node group waits for that. Across stacks a dependency could close a cycle.
 */
function orderAfter(nodeGroup: IConstruct, first: IConstruct): void {
  if (Stack.of(first) === Stack.of(nodeGroup)) nodeGroup.node.addDependency(first);
}

/** The vpc-cni add-on that this library made for the cluster. */
export function cniOf(cluster: ICluster): CniMember | undefined {
  return members.get(cluster)?.cni;
}
