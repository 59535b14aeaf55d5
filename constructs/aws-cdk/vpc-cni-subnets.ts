import { Stack, Token } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { IConstruct } from 'constructs';
import { freePrefixes, parseIpv4Range } from '../../lib/networking/cidr';
import { parseZone } from '../../lib/networking/zones';
import { refuse } from './construction-error';
import type { PodSubnet } from './vpc-cni-addon-props';

/** Before CDK has looked up the zones of an account it synthesizes with zones of these names, and then once more. */
const PLACEHOLDER_ZONE = /^dummy\d/;

/**
 * The zone's name, under which nodes look for their subnet: a key in JSON, so it must be known now. While CDK still looks the zones up, it
 * is CDK's placeholder.
 */
export function zoneOf(scope: IConstruct, pod: PodSubnet, index: number): string {
  const at = `customNetworking.subnets[${index}]`;
  const { region } = Stack.of(scope);
  const own = attribute(() => pod.subnet.availabilityZone);
  const zone = pod.availabilityZone ?? own;
  if (zone === undefined || Token.isUnresolved(zone)) {
    return refuse(scope, `${at}.availabilityZone isn't known at synthesis; write its name, or give the stack an environment (env)`);
  }
  if (PLACEHOLDER_ZONE.test(zone)) return zone;
  if (own !== undefined && zone !== own && !PLACEHOLDER_ZONE.test(own)) refuse(scope, `${at}.availabilityZone is "${zone}" and the subnet is in "${own}"; nodes could not use it`);
  const parsed = parseZone(zone);
  if (parsed === undefined) return refuse(scope, `${at}.availabilityZone is "${zone}", which is no name of a zone such as eu-west-1a`);
  if (!Token.isUnresolved(region) && parsed.region !== region) refuse(scope, `${at}.availabilityZone is "${zone}" and the stack's region is ${region}; the zone's name begins with the region's`);
  return zone;
}

/** Zone of a subnet; undefined when it isn't known at synthesis, or not yet. */
export function knownZone(subnet: ec2.ISubnet): string | undefined {
  const zone = attribute(() => subnet.availabilityZone);
  return zone === undefined || PLACEHOLDER_ZONE.test(zone) ? undefined : zone;
}

/**
 * Whether no /28 prefix is free in a subnet even when it is empty: AWS keeps the first four addresses and the last one, so that both
 * blocks of a /27 are broken. Undefined when its range isn't known. Source: Amazon VPC user guide, "Subnet CIDR blocks".
 */
export function isTooSmallForPrefixes(subnet: ec2.ISubnet): boolean | undefined {
  const cidr = attribute(() => subnet.ipv4CidrBlock);
  const range = cidr === undefined ? undefined : parseIpv4Range(cidr);
  return range === undefined ? undefined : freePrefixes(range) === 0;
}

export function refuseSmallSubnet(scope: IConstruct, subnet: ec2.ISubnet, at: string): void {
  if (isTooSmallForPrefixes(subnet) === true) {
    refuse(scope, `prefixDelegation is set and ${at}.subnet is ${subnet.ipv4CidrBlock}; no /28 prefix is free in it besides the addresses that AWS reserves, so pods would get none: take a subnet of /26 or larger, better a fresh one`);
  }
}

/** An attribute that imported subnets may not have; CDK throws for it. */
function attribute(read: () => string | undefined): string | undefined {
  try {
    const value = read();
    return Token.isUnresolved(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
