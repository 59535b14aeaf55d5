import type { IConstruct } from 'constructs';
import { instanceType } from '../../lib/knowledge';
import type { NodeGroupMember } from './cluster-members';
import { isTooSmallForPrefixes } from './vpc-cni-pod-subnets';

/** What the vpc-cni add-on of a cluster asks of its nodes. */
export interface CniDemands {
  readonly podSecurityGroups: boolean;
  /** With single addresses of the nodes' own subnets, prefixes have to fit there. */
  readonly prefixesInNodeSubnets: boolean;
  /** The zones that pods have a subnet in, when nodes look for it by their zone. */
  readonly zones: readonly string[] | undefined;
}

/** What an engine tells of the nodes and subnets of a cluster. */
export interface NodeSurroundings<Subnet> {
  /** Whether the app defines the cluster. */
  readonly isDefinedHere: boolean;
  /** Whether EKS Auto Mode brings nodes of its own. */
  readonly hasAutoMode: boolean;
  /** Whether anything in the app but these resources may bring nodes. */
  hasOtherCapacity(nodeGroups: ReadonlySet<IConstruct>): boolean;
  isToken(value: unknown): boolean;
  /** Zone of a subnet; undefined when it isn't known at synthesis. */
  zoneOf(subnet: Subnet): string | undefined;
  /** IPv4 range of a subnet; undefined when it isn't known at synthesis. */
  cidrOf(subnet: Subnet): string | undefined;
}

/** What the add-on of a cluster can't do with the nodes that the app shows; each as a sentence. */
export function nodeProblems<Subnet>(
  demands: CniDemands,
  surroundings: NodeSurroundings<Subnet>,
  nodeGroups: readonly NodeGroupMember<unknown, Subnet>[],
): string[] {
  const linux = nodeGroups.filter((group) => group.os !== 'WINDOWS');
  return [
    ...(demands.podSecurityGroups ? trunkProblems(surroundings, nodeGroups, linux) : []),
    ...(demands.zones === undefined ? [] : zoneProblems(surroundings, linux, demands.zones)),
    ...(demands.prefixesInNodeSubnets ? subnetProblems(surroundings, linux) : []),
  ];
}

const TRUNK =
  'pods with security groups of their own stay Pending on nodes without trunk interface (resource vpc.amazonaws.com/pod-eni)';

/** Told only if no node group has a trunk interface on all its types and nothing else may bring nodes: small system nodes beside others are fine. */
function trunkProblems<Subnet>(
  around: NodeSurroundings<Subnet>,
  all: readonly NodeGroupMember<unknown, Subnet>[],
  linux: readonly NodeGroupMember<unknown, Subnet>[],
): string[] {
  if (!around.isDefinedHere || around.hasAutoMode || linux.length === 0) return [];
  const mayCarryTrunk = (name: string): boolean => {
    // Types that the table doesn't have, or whose trunk support isn't known, count as if they had one: no false alarm.
    const found = around.isToken(name) ? undefined : instanceType(name);
    return found === undefined || found.trunk || !found.trunkKnown;
  };
  if (
    linux.some((group) => group.instanceTypes.every(mayCarryTrunk)) ||
    around.hasOtherCapacity(new Set(all.map((group) => group.construct)))
  )
    return [];
  const types = [...new Set(linux.flatMap((group) => group.instanceTypes.filter((name) => !mayCarryTrunk(name))))].join(
    ', ',
  );
  return [
    `podSecurityGroups is set, but no node group of the cluster has instance types that all carry a trunk interface (${types} ${types.includes(',') ? "don't" : "doesn't"}); ${TRUNK}: take types such as m6i.large in one of them`,
  ];
}

/** Nodes with this label have an ENIConfig of another name. Source: aws/amazon-vpc-cni-k8s, pkg/eniconfig. */
const OWN_CONFIG = 'vpc.amazonaws.com/externalEniConfig';

function zoneProblems<Subnet>(
  around: NodeSurroundings<Subnet>,
  nodeGroups: readonly NodeGroupMember<unknown, Subnet>[],
  zones: readonly string[],
): string[] {
  return nodeGroups
    .filter(({ labels }) => !Object.hasOwn(labels, OWN_CONFIG))
    .flatMap(({ construct, subnets }) => {
      const missing = [...new Set(subnets.map((subnet) => around.zoneOf(subnet)))].filter(
        (zone) => zone !== undefined && !zones.includes(zone),
      );
      return missing.length === 0
        ? []
        : [
            `customNetworking has no subnet in ${missing.join(', ')}, where node group ${construct.node.path} has nodes; aws-node finds no ENIConfig there and the nodes never become Ready: add one`,
          ];
    });
}

function subnetProblems<Subnet>(
  around: NodeSurroundings<Subnet>,
  nodeGroups: readonly NodeGroupMember<unknown, Subnet>[],
): string[] {
  return nodeGroups
    .filter(
      ({ subnets }) =>
        subnets.length > 0 && subnets.every((subnet) => isTooSmallForPrefixes(around.cidrOf(subnet)) === true),
    )
    .map(
      ({ construct }) =>
        `prefixDelegation is set, and no subnet of node group ${construct.node.path} is larger than /27; no /28 prefix is free there besides the addresses that AWS reserves: take subnets of /26 or larger, better fresh ones`,
    );
}
