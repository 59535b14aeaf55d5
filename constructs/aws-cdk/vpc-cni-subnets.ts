import { Stack, Token } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { IConstruct } from 'constructs';
import type { PodSubnets } from '../engine-neutral/vpc-cni-configuration';
import { podSubnets, type PodSubnetFacts } from '../engine-neutral/vpc-cni-pod-subnets';
import type { CustomNetworkingOptions, PodSubnet } from './vpc-cni-addon-props';

/** Before CDK has looked up the zones of an account it synthesizes with zones of these names, and then once more. */
const PLACEHOLDER_ZONE = /^dummy\d/;

/** The pods' subnets by zone, as the configuration values have them. */
export function podSubnetsOf(
  scope: IConstruct,
  { subnets }: CustomNetworkingOptions,
  withPrefixes: boolean,
): PodSubnets {
  const { region } = Stack.of(scope);
  const facts = subnets.map((pod) => factsOf(pod));
  return podSubnets(
    scope,
    facts,
    {
      known: Token.isUnresolved(region) ? undefined : region,
      written: region,
      name: "the stack's region",
      hint: 'write its name, or give the stack an environment (env)',
      isPlaceholder: (zone) => PLACEHOLDER_ZONE.test(zone),
    },
    withPrefixes,
  );
}

function factsOf({ subnet, availabilityZone, securityGroups = [] }: PodSubnet): PodSubnetFacts {
  const ownZone = attribute(() => subnet.availabilityZone);
  const zone = availabilityZone ?? ownZone;
  return {
    id: subnet.subnetId,
    securityGroupIds: securityGroups.map((group) => group.securityGroupId),
    zone: Token.isUnresolved(zone) ? undefined : zone,
    ownZone,
    cidr: knownCidr(subnet),
  };
}

/** Zone of a subnet; undefined when it isn't known at synthesis, or not yet. */
export function knownZone(subnet: ec2.ISubnet): string | undefined {
  const zone = attribute(() => subnet.availabilityZone);
  return zone === undefined || PLACEHOLDER_ZONE.test(zone) ? undefined : zone;
}

/** IPv4 range of a subnet; undefined when it isn't known at synthesis. */
export function knownCidr(subnet: ec2.ISubnet): string | undefined {
  return attribute(() => subnet.ipv4CidrBlock);
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
