import type { IConstruct } from 'constructs';
import type { PodSubnets } from '../engine-neutral/vpc-cni-configuration';
import { podSubnets } from '../engine-neutral/vpc-cni-pod-subnets';
import type { ClusterFacts } from './cluster';
import { knownRegion } from './region';
import { securityGroupId } from './security-group';
import { knownCidr, knownZone, subnetId } from './subnet';
import { jsonTokens } from './json-text';
import type { CustomNetworkingOptions } from './vpc-cni-addon-props';

/** The pods' subnets by zone, as the configuration values have them. */
export function podSubnetsOf(
  scope: IConstruct,
  { subnets }: CustomNetworkingOptions,
  withPrefixes: boolean,
  facts: ClusterFacts,
): PodSubnets {
  return podSubnets(
    scope,
    subnets.map(({ subnet, availabilityZone, securityGroups = [] }) => {
      const ownZone = knownZone(subnet);
      const zone = availabilityZone ?? ownZone;
      return {
        id: subnetId(subnet),
        securityGroupIds: securityGroups.map(securityGroupId),
        zone: jsonTokens.isToken(zone) ? undefined : zone,
        ownZone,
        cidr: knownCidr(subnet),
      };
    }),
    // Zones are names that are known, and tell the region by themselves.
    {
      known: knownRegion(scope, facts),
      written: undefined,
      name: 'the region of the provider',
      hint: 'write its name',
      isPlaceholder: () => false,
    },
    withPrefixes,
  );
}
