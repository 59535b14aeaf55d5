import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import type { NodeGroupPlan } from '../engine-neutral/managed-node-group';
import {
  clusterGroupOf,
  efaNeedsGroup,
  EFA_GROUP,
  namesGroups,
  refuseTooManyGroups,
  REMOTE_ACCESS_GROUP,
  remoteAccessPort,
} from '../engine-neutral/node-security-groups';
import type { ClusterFacts } from './cluster';
import { refuse } from './construction-error';
import type { NodePartsProps } from './node-group-parts-props';

/** The security groups of nodes. */
export interface NodeSecurityGroups {
  /** For the launch template; empty if it names none, so that EKS attaches the cluster's. */
  readonly attached: readonly ec2.ISecurityGroup[];
  /** Whose rules count for traffic of these nodes alone: their own groups, else the cluster's; undefined if that isn't known. */
  readonly connections: ec2.Connections | undefined;
}

/** Decides on the security groups, and makes those that remote access and EFA need. */
export function nodeSecurityGroups(
  scope: Construct,
  facts: ClusterFacts,
  plan: NodeGroupPlan,
  props: NodePartsProps,
  /** Whether the launch template has to name the groups in any case, because EKS attaches none. */
  isSelfManaged = false,
): NodeSecurityGroups {
  const { securityGroups = [], remoteAccess } = props;
  const made = [
    ...(remoteAccess === undefined ? [] : [remoteAccessGroup(scope, facts, plan, remoteAccess)]),
    ...(efaNeedsGroup(plan, props, isSelfManaged) ? [efaGroup(scope, facts)] : []),
  ];
  const own = [...securityGroups, ...made];
  const counting = securityGroups.length > 0 ? [...securityGroups] : [facts.securityGroup ?? []].flat();
  const connections = counting.length === 0 ? undefined : new ec2.Connections({ securityGroups: counting });
  if (!namesGroups(scope, plan, props, own.length, isSelfManaged)) return { attached: [], connections };
  const clusterGroup = clusterGroupOf(
    scope,
    props,
    facts.securityGroup,
    "the imported cluster doesn't tell it; give its id to fromClusterAttributes",
  );
  const all = [...(clusterGroup === undefined ? [] : [clusterGroup]), ...own];
  const attached = [...new Map(all.map((group) => [group.securityGroupId, group])).values()];
  refuseTooManyGroups(scope, attached.length);
  return { attached, connections };
}

function remoteAccessGroup(
  scope: Construct,
  facts: ClusterFacts,
  plan: NodeGroupPlan,
  { from }: NonNullable<NodePartsProps['remoteAccess']>,
): ec2.SecurityGroup {
  const { port, description } = remoteAccessPort(scope, plan, from.length);
  const group = newGroup(scope, 'RemoteAccess', facts, 'remoteAccess', REMOTE_ACCESS_GROUP);
  for (const peer of from) {
    if (peer.connections.securityGroups.length === 0)
      refuse(scope, 'remoteAccess.from has a peer without security groups; addresses are not let in');
    for (const source of peer.connections.securityGroups) group.addIngressRule(source, ec2.Port.tcp(port), description);
  }
  return group;
}

/** Source: Amazon EC2 user guide, "Get started with EFA": all traffic from and to the group itself. */
function efaGroup(scope: Construct, facts: ClusterFacts): ec2.SecurityGroup {
  const group = newGroup(scope, 'Efa', facts, 'efa', EFA_GROUP);
  group.addIngressRule(group, ec2.Port.allTraffic(), 'EFA from node to node');
  group.addEgressRule(group, ec2.Port.allTraffic(), 'EFA from node to node');
  return group;
}

function newGroup(
  scope: Construct,
  id: string,
  facts: ClusterFacts,
  option: string,
  description: string,
): ec2.SecurityGroup {
  const { vpc } = facts;
  if (vpc === undefined)
    return refuse(
      scope,
      `${option} needs a security group of its own, and the imported cluster has no vpc; give vpc to fromClusterAttributes`,
    );
  return new ec2.SecurityGroup(scope, id, { vpc, allowAllOutbound: false, description });
}
