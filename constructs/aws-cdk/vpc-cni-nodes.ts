import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { instanceType } from '../../lib/knowledge';
import type { ClusterFacts } from './cluster';
import type { NodeGroupMember } from './cluster-members';
import { isToken } from './tokens';
import { isTooSmallForPrefixes, knownZone } from './vpc-cni-subnets';

/** What the vpc-cni add-on of a cluster asks of its nodes. */
export interface CniDemands {
  readonly construct: IConstruct;
  readonly podSecurityGroups: boolean;
  /** With single addresses of the nodes' own subnets, prefixes have to fit there. */
  readonly prefixesInNodeSubnets: boolean;
  /** The zones that pods have a subnet in, when nodes look for it by their zone. */
  readonly zones: readonly string[] | undefined;
}

/** What the add-on of a cluster can't do with the nodes that the app shows; each as a sentence. */
export function nodeProblems(demands: CniDemands, facts: ClusterFacts, nodeGroups: readonly NodeGroupMember[]): string[] {
  const linux = nodeGroups.filter((group) => group.os !== 'WINDOWS');
  return [
    ...(demands.podSecurityGroups ? trunkProblems(demands, facts, nodeGroups, linux) : []),
    ...(demands.zones === undefined ? [] : zoneProblems(linux, demands.zones)),
    ...(demands.prefixesInNodeSubnets ? subnetProblems(linux) : []),
  ];
}

const TRUNK = 'pods with security groups of their own stay Pending on nodes without trunk interface (resource vpc.amazonaws.com/pod-eni)';

/** Only what no other capacity can make good: system nodes of a small type beside others are as they should be. */
function trunkProblems({ construct }: CniDemands, facts: ClusterFacts, all: readonly NodeGroupMember[], linux: readonly NodeGroupMember[]): string[] {
  if (!facts.isDefinedHere || facts.hasAutoMode || linux.length === 0) return [];
  if (linux.some((group) => group.instanceTypes.every(mayCarryTrunk)) || hasOtherCapacity(construct, all)) return [];
  const types = [...new Set(linux.flatMap((group) => group.instanceTypes.filter((name) => !mayCarryTrunk(name))))].join(', ');
  return [`podSecurityGroups is set, but no node group of the cluster has instance types that all carry a trunk interface (${types} ${types.includes(',') ? "don't" : "doesn't"}); ${TRUNK}: take types such as m6i.large in one of them`];
}

/** A type that the table doesn't have, or doesn't know it of, may. */
function mayCarryTrunk(name: string): boolean {
  const found = isToken(name) ? undefined : instanceType(name);
  return found === undefined || found.trunk || !found.trunkKnown;
}

/** What may bring other nodes than those of this library's node groups, to whatever cluster; a chart may be an autoscaler. */
const CAPACITY: ReadonlySet<string> = new Set(['AWS::AutoScaling::AutoScalingGroup', 'AWS::EKS::FargateProfile', 'AWS::EKS::Nodegroup', 'Custom::AWSCDK-EKS-FargateProfile', 'Custom::AWSCDK-EKS-HelmChart']);

function hasOtherCapacity(construct: IConstruct, nodeGroups: readonly NodeGroupMember[]): boolean {
  const own = new Set(nodeGroups.map((group) => group.construct));
  return construct.node.root.node.findAll().some((other) => CfnResource.isCfnResource(other) && CAPACITY.has(other.cfnResourceType) && !own.has(other));
}

/** Nodes with this label have an ENIConfig of another name. Source: aws/amazon-vpc-cni-k8s, pkg/eniconfig. */
const OWN_CONFIG = 'vpc.amazonaws.com/externalEniConfig';

function zoneProblems(nodeGroups: readonly NodeGroupMember[], zones: readonly string[]): string[] {
  return nodeGroups
    .filter(({ labels }) => !Object.hasOwn(labels, OWN_CONFIG))
    .flatMap(({ construct, subnets }) => {
      const missing = [...new Set(subnets.map(knownZone))].filter((zone) => zone !== undefined && !zones.includes(zone));
      return missing.length === 0 ? [] : [`customNetworking has no subnet in ${missing.join(', ')}, where node group ${construct.node.path} has nodes; aws-node finds no ENIConfig there and the nodes never become Ready: add one`];
    });
}

function subnetProblems(nodeGroups: readonly NodeGroupMember[]): string[] {
  return nodeGroups
    .filter(({ subnets }) => subnets.every((subnet) => isTooSmallForPrefixes(subnet) === true))
    .map(({ construct }) => `prefixDelegation is set, and no subnet of node group ${construct.node.path} is larger than /27; no /28 prefix is free there besides the addresses that AWS reserves: take subnets of /26 or larger, better fresh ones`);
}
