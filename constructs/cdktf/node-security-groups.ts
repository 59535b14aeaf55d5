import { SecurityGroup } from '@cdktf/provider-aws/lib/security-group';
import { VpcSecurityGroupEgressRule } from '@cdktf/provider-aws/lib/vpc-security-group-egress-rule';
import { VpcSecurityGroupIngressRule } from '@cdktf/provider-aws/lib/vpc-security-group-ingress-rule';
import type { Construct } from 'constructs';
import { refuse } from '../engine-neutral/construction-error';
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
import type { NodePartsProps } from './node-group-parts-props';
import { resolvedText } from './resolved-text';
import { securityGroupId } from './security-group';

/** What new groups are given. */
interface Place {
  readonly facts: ClusterFacts;
  /** The beginning of generated names. */
  readonly prefix: string;
  readonly tags: Readonly<Record<string, string>> | undefined;
}

/** The ids of the security groups for the launch template of nodes; empty if it names none, so that EKS attaches the cluster's. */
export function nodeSecurityGroups(
  scope: Construct,
  place: Place,
  plan: NodeGroupPlan,
  props: NodePartsProps,
  isSelfManaged = false,
): readonly string[] {
  const { securityGroups = [], remoteAccess } = props;
  const made = [
    ...(remoteAccess === undefined ? [] : [remoteAccessGroup(scope, place, plan, remoteAccess)]),
    ...(efaNeedsGroup(plan, props, isSelfManaged) ? [efaGroup(scope, place)] : []),
  ];
  const own = [...securityGroups.map(securityGroupId), ...made.map(({ id }) => id)];
  const isNamed = namesGroups(scope, plan, props, own.length, isSelfManaged);
  if (!isNamed) return [];
  const clusterGroup = clusterGroupOf(
    scope,
    props,
    place.facts.securityGroupId,
    "the cluster doesn't tell it; give securityGroupId in its attributes",
  );
  const all = [...(clusterGroup === undefined ? [] : [clusterGroup]), ...own];
  const attached = [...new Map(all.map((id) => [resolvedText(scope, id), id])).values()];
  refuseTooManyGroups(scope, attached.length);
  return attached;
}

function remoteAccessGroup(
  scope: Construct,
  place: Place,
  plan: NodeGroupPlan,
  { from }: NonNullable<NodePartsProps['remoteAccess']>,
): SecurityGroup {
  const { port, description } = remoteAccessPort(scope, plan, from.length);
  const group = newGroup(scope, 'RemoteAccess', place, 'remoteAccess', REMOTE_ACCESS_GROUP);
  for (const [index, source] of from.entries()) {
    const rule = new VpcSecurityGroupIngressRule(scope, `RemoteAccessFrom${index}`, {
      ...place.facts.place,
      securityGroupId: group.id,
      referencedSecurityGroupId: securityGroupId(source),
      ipProtocol: 'tcp',
      fromPort: port,
      toPort: port,
      description,
    });
    place.facts.putInRegion(rule);
  }
  return group;
}

/** Source: Amazon EC2 user guide, "Get started with EFA": all traffic from and to the group itself. */
function efaGroup(scope: Construct, place: Place): SecurityGroup {
  const group = newGroup(scope, 'Efa', place, 'efa', EFA_GROUP);
  const everything = {
    ...place.facts.place,
    securityGroupId: group.id,
    referencedSecurityGroupId: group.id,
    ipProtocol: '-1',
    description: 'EFA from node to node',
  };
  place.facts.putInRegion(new VpcSecurityGroupIngressRule(scope, 'EfaIngress', everything));
  place.facts.putInRegion(new VpcSecurityGroupEgressRule(scope, 'EfaEgress', everything));
  return group;
}

function newGroup(
  scope: Construct,
  id: string,
  { facts, prefix, tags }: Place,
  option: string,
  description: string,
): SecurityGroup {
  const { vpcId } = facts;
  if (vpcId === undefined)
    return refuse(
      scope,
      `${option} needs a security group of its own, and the cluster doesn't tell its VPC; give vpcId in its attributes`,
    );
  const group = new SecurityGroup(scope, id, {
    ...facts.place,
    namePrefix: prefix,
    description,
    vpcId,
    lifecycle: { createBeforeDestroy: true },
    ...(tags === undefined ? {} : { tags: { ...tags } }),
  });
  facts.putInRegion(group);
  return group;
}
