import type { IConstruct } from 'constructs';
import { freePrefixes, parseIpv4Range } from '../../lib/eks/networking/cidr';
import { parseZone } from '../../lib/eks/networking/zones';
import { refuse } from './construction-error';
import type { PodSubnets } from './vpc-cni-configuration';

/** What an engine tells of a subnet of pods. */
export interface PodSubnetFacts {
  readonly id: string;
  readonly securityGroupIds: readonly string[];
  /** The zone as the user has written it, else the subnet's own; undefined when it is decided at deployment. */
  readonly zone: string | undefined;
  /** The subnet's own zone, when it is known at synthesis. */
  readonly ownZone: string | undefined;
  /** The subnet's IPv4 range, when it is known at synthesis. */
  readonly cidr: string | undefined;
}

/** The region of the pods' subnets, and how messages speak of it. */
export interface PodSubnetRegion {
  /** Undefined when it isn't known at synthesis. */
  readonly known: string | undefined;
  /** What is written: the known region, or a token; undefined where the zones alone tell it. */
  readonly written: string | undefined;
  /** `the stack's region` */
  readonly name: string;
  /** What to do when no zone is known: `write its name`. */
  readonly hint: string;
  /** Whether a zone isn't looked up yet, so that any name has to do. */
  readonly isPlaceholder: (zone: string) => boolean;
}

/** The highest quota of security groups on a network interface that EC2 grants. Source: Amazon VPC user guide, "Amazon VPC quotas". */
const MOST_GROUPS = 16;

/** The pods' subnets by zone, checked. */
export function podSubnets(
  scope: IConstruct,
  subnets: readonly PodSubnetFacts[],
  region: PodSubnetRegion,
  withPrefixes: boolean,
): PodSubnets {
  if (subnets.length === 0)
    refuse(scope, 'customNetworking.subnets is empty; name one subnet for each zone with nodes');
  const byZone: Record<string, { id: string; securityGroups?: string[] }> = {};
  let first: string | undefined;
  subnets.forEach((pod, index) => {
    const at = `customNetworking.subnets[${index}]`;
    const zone = zoneOf(scope, pod, at, region);
    if (Object.hasOwn(byZone, zone))
      refuse(
        scope,
        `customNetworking.subnets has zone ${zone} twice; a node takes the subnet of its zone, so there is one for each`,
      );
    const own = parseZone(zone)?.region;
    if (region.written === undefined && own !== undefined) {
      first ??= own;
      if (own !== first)
        refuse(
          scope,
          `${at}.availabilityZone is "${zone}", and an earlier subnet is in ${first}; a cluster has nodes in one region`,
        );
    }
    if (withPrefixes && isTooSmallForPrefixes(pod.cidr) === true) {
      refuse(
        scope,
        `prefixDelegation is set and ${at}.subnet is ${pod.cidr ?? ''}; no /28 prefix is free in it besides the addresses that AWS reserves, so pods would get none: take a subnet of /26 or larger, better a fresh one`,
      );
    }
    const groups = pod.securityGroupIds;
    if (groups.length > MOST_GROUPS)
      refuse(scope, `${at}.securityGroups has ${groups.length} groups; a network interface takes ${MOST_GROUPS}`);
    byZone[zone] = { id: pod.id, ...(groups.length === 0 ? {} : { securityGroups: [...groups] }) };
  });
  return { region: region.written ?? first ?? '', subnets: byZone };
}

/**
 * The zone's name, under which nodes look for their subnet: a key in JSON, so it must be known now. While the engine still looks the zones
 * up, it is a placeholder.
 */
function zoneOf(scope: IConstruct, { zone, ownZone }: PodSubnetFacts, at: string, region: PodSubnetRegion): string {
  if (zone === undefined) return refuse(scope, `${at}.availabilityZone isn't known at synthesis; ${region.hint}`);
  if (region.isPlaceholder(zone)) return zone;
  if (ownZone !== undefined && zone !== ownZone && !region.isPlaceholder(ownZone))
    refuse(scope, `${at}.availabilityZone is "${zone}" and the subnet is in "${ownZone}"; nodes could not use it`);
  const parsed = parseZone(zone);
  if (parsed === undefined)
    return refuse(scope, `${at}.availabilityZone is "${zone}", which is no name of a zone such as eu-west-1a`);
  if (region.known !== undefined && parsed.region !== region.known)
    refuse(
      scope,
      `${at}.availabilityZone is "${zone}" and ${region.name} is ${region.known}; the zone's name begins with the region's`,
    );
  return zone;
}

/**
 * Whether no /28 prefix is free in a subnet even when it is empty: AWS keeps the first four addresses and the last one, so that both
 * blocks of a /27 are broken. Undefined when its range isn't known. Source: Amazon VPC user guide, "Subnet CIDR blocks".
 */
export function isTooSmallForPrefixes(cidr: string | undefined): boolean | undefined {
  const range = cidr === undefined ? undefined : parseIpv4Range(cidr);
  return range === undefined ? undefined : freePrefixes(range) === 0;
}
