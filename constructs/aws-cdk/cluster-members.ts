import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { MaxPodsMode } from '../../lib/networking';
import type { ICluster } from './cluster';

/**
 * Which add-on gives the VPC CNI of a cluster an identity of its own, and which node groups wait for it. Held outside the
 * constructs, because neither side should need to be told about the other.
 */
interface Members {
  cni: CniMember | undefined;
  readonly nodeGroups: IConstruct[];
}

/** The vpc-cni add-on of a cluster. */
export interface CniMember {
  readonly construct: IConstruct;
  readonly hasOwnRole: boolean;
  /** How it gives addresses to pods. */
  readonly maxPodsMode: MaxPodsMode;
}

const members = new WeakMap<ICluster, Members>();

function membersOf(cluster: ICluster): Members {
  let found = members.get(cluster);
  if (found === undefined) {
    found = { cni: undefined, nodeGroups: [] };
    members.set(cluster, found);
  }
  return found;
}

/** The add-on that was registered for the cluster before; the first one stays. */
export function registerCni(cluster: ICluster, cni: CniMember): CniMember | undefined {
  const known = membersOf(cluster);
  if (known.cni !== undefined) return known.cni;
  known.cni = cni;
  for (const nodeGroup of known.nodeGroups) orderAfter(nodeGroup, cni);
  return undefined;
}

export function registerNodeGroup(cluster: ICluster, nodeGroup: IConstruct): void {
  const known = membersOf(cluster);
  known.nodeGroups.push(nodeGroup);
  if (known.cni !== undefined) orderAfter(nodeGroup, known.cni);
}

/**
 * Whether the CNI has permissions of its own by the time that the nodes of this group start. Only an add-on in the same
 * stack counts: CloudFormation can't be told to deploy another stack first without risking a cycle.
 */
export function cniHasOwnRoleBefore(cluster: ICluster, nodeGroup: IConstruct): boolean {
  const cni = membersOf(cluster).cni;
  return cni !== undefined && cni.hasOwnRole && Stack.of(cni.construct) === Stack.of(nodeGroup);
}

/** Nodes become Ready only when the CNI works, and a node group waits for that. */
function orderAfter(nodeGroup: IConstruct, cni: CniMember): void {
  if (Stack.of(cni.construct) === Stack.of(nodeGroup)) nodeGroup.node.addDependency(cni.construct);
}

/** The vpc-cni add-on that this library made for the cluster. */
export function cniOf(cluster: ICluster): CniMember | undefined {
  return members.get(cluster)?.cni;
}
