import { TerraformProvider, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { PodSubnets } from '../engine-neutral/vpc-cni-configuration';
import { podSubnets } from '../engine-neutral/vpc-cni-pod-subnets';
import type { ClusterFacts } from './cluster';
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

/** Region of the cluster's provider configuration, or of the cluster itself; undefined when it isn't known at synthesis. */
function knownRegion(scope: IConstruct, { resource, provider }: ClusterFacts): string | undefined {
  const own: unknown = resource === undefined ? undefined : Reflect.get(resource, 'regionInput');
  const region: unknown = own ?? Reflect.get(provider ?? defaultProvider(scope) ?? {}, 'region');
  return typeof region === 'string' && !jsonTokens.isToken(region) ? region : undefined;
}

function defaultProvider(scope: IConstruct): TerraformProvider | undefined {
  return TerraformStack.of(scope)
    .node.findAll()
    .find(
      (child): child is TerraformProvider =>
        TerraformProvider.isTerraformProvider(child) &&
        child.terraformResourceType === 'aws' &&
        child.alias === undefined,
    );
}
