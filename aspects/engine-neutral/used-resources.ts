import {
  alternativesOf,
  type EksResource,
  type LaunchTemplateUse,
  type Reference,
  type Resource,
  type Value,
} from '../../lib/eks';

/** The resources of the input that a resource uses directly, under any of its conditions. */
export function usedResources(resource: EksResource): Resource[] {
  switch (resource.kind) {
    case 'cluster':
      return [...targets(resource.role), ...subnets(resource.subnets)];
    case 'node-group':
      return [
        ...templates(resource.launchTemplate),
        ...targets(resource.nodeRole),
        ...subnets(resource.subnets),
        ...targets(resource.cluster),
      ];
    case 'self-managed-node-group':
      return [...templates(resource.launchTemplate), ...subnets(resource.subnets), ...targets(resource.cluster)];
    case 'access-entry':
      return [...targets(resource.principal), ...targets(resource.cluster)];
    case 'addon': {
      const podIdentities = known(resource.podIdentityAssociations).flatMap((associations) =>
        associations.flatMap(({ role }) => targets(role)),
      );
      return [...targets(resource.serviceAccountRole), ...podIdentities, ...targets(resource.cluster)];
    }
    case 'pod-identity-association':
      return [...targets(resource.role), ...targets(resource.cluster)];
    case 'fargate-profile':
      return [...subnets(resource.subnets), ...targets(resource.cluster)];
    case 'manifest':
    case 'kubernetes-patch':
    case 'helm-release':
      return targets(resource.cluster);
    case 'configuration-file':
    case 'launch-template':
    case 'oidc-provider':
    case 'role':
    case 'security-group':
    case 'vpc':
    case 'hosted-zone':
      return [];
    case 'subnet':
    case 'network-attachment':
      return targets(resource.vpc);
    case 'route-table':
      return targets(resource.mainOf);
    case 'route':
      return targets(resource.routeTable);
    case 'route-table-association':
      return [...targets(resource.routeTable), ...targets(resource.subnet), ...targets(resource.mainOf)];
    case 'vpc-endpoint':
      return [...targets(resource.vpc), ...subnets(resource.routeTables)];
  }
}

function templates(use: Value<LaunchTemplateUse>): Resource[] {
  return known(use).flatMap(({ template }) => template.target ?? []);
}

function subnets(list: Value<readonly Value<Reference<Resource>>[]>): Resource[] {
  return known(list).flatMap((items) => items.flatMap((item) => targets(item)));
}

function targets(value: Value<Reference<Resource>>): Resource[] {
  return known(value).flatMap(({ target }) => target ?? []);
}

function known<T>(value: Value<T>): T[] {
  return alternativesOf(value).flatMap(({ value: plain }) => (plain.kind === 'known' ? [plain.value] : []));
}
