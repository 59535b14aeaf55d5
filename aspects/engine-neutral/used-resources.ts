import {
  alternativesOf,
  type EksResource,
  type LaunchTemplateUse,
  type Reference,
  type Resource,
  type Value,
} from '../../lib/eks';
import { RESOURCE_TABLES, type WholeKind } from '../../lib/eks/resources';
import { isWhole as isWholeTable, type PlainSetting, type WholeTable } from '../../lib/eks/resources/table';

/** The resources of the input that a resource uses directly, under any of its conditions. */
export function usedResources(resource: EksResource): Resource[] {
  if (isWhole(resource)) return usedByTable(resource);
  switch (resource.kind) {
    case 'cluster':
      return [...targets(resource.role), ...listed(resource.subnets)];
    case 'node-group':
      return [
        ...templates(resource.launchTemplate),
        ...targets(resource.nodeRole),
        ...listed(resource.subnets),
        ...targets(resource.cluster),
      ];
    case 'self-managed-node-group':
      return [...templates(resource.launchTemplate), ...listed(resource.subnets), ...targets(resource.cluster)];
    case 'addon': {
      const podIdentities = known(resource.podIdentityAssociations).flatMap((associations) =>
        associations.flatMap(({ role }) => targets(role)),
      );
      return [...targets(resource.serviceAccountRole), ...podIdentities, ...targets(resource.cluster)];
    }
    case 'access-entry':
      return [...targets(resource.principal), ...targets(resource.cluster)];
    case 'fargate-profile':
      return [...listed(resource.subnets), ...targets(resource.cluster)];
    case 'manifest':
    case 'kubernetes-patch':
    case 'helm-release':
      return targets(resource.cluster);
    case 'subnet':
      return targets(resource.vpc);
    case 'route-table':
      return targets(resource.mainOf);
    case 'route':
      return targets(resource.routeTable);
    case 'route-table-association':
      return [...targets(resource.routeTable), ...targets(resource.subnet), ...targets(resource.mainOf)];
    case 'vpc-endpoint':
      return [...targets(resource.vpc), ...listed(resource.routeTables)];
    case 'configuration-file':
    case 'launch-template':
    case 'oidc-provider':
    case 'role':
    case 'security-group':
    case 'vpc':
      return [];
  }
}

const WHOLE_TABLES: ReadonlyMap<string, WholeTable> = new Map(
  RESOURCE_TABLES.filter(isWholeTable).map((table) => [table.kind, table]),
);

type Whole = Extract<EksResource, { readonly kind: WholeKind }>;

function isWhole(resource: EksResource): resource is Whole {
  return WHOLE_TABLES.has(resource.kind);
}

/** What the settings of a resource refer to, of which a table says all. */
function usedByTable(resource: Whole): Resource[] {
  const settings = WHOLE_TABLES.get(resource.kind)?.settings ?? {};
  const valueOf = (name: string): unknown => (resource as unknown as Readonly<Record<string, unknown>>)[name];
  return Object.entries<PlainSetting>(settings).flatMap(([name, { type }]) => {
    if (REFERENCES.has(type)) return targets(valueOf(name) as Value<Reference<Resource>>);
    return LISTS.has(type) ? listed(valueOf(name) as Value<readonly Value<Reference<Resource>>[]>) : [];
  });
}

/** Types of settings that refer to a resource, or to several. */
const REFERENCES: ReadonlySet<PlainSetting['type']> = new Set(['cluster', 'role', 'subnet', 'vpc', 'routeTable']);
const LISTS: ReadonlySet<PlainSetting['type']> = new Set(['subnets', 'routeTables']);

function templates(use: Value<LaunchTemplateUse>): Resource[] {
  return known(use).flatMap(({ template }) => template.target ?? []);
}

function listed(list: Value<readonly Value<Reference<Resource>>[]>): Resource[] {
  return known(list).flatMap((items) => items.flatMap((item) => targets(item)));
}

function targets(value: Value<Reference<Resource>>): Resource[] {
  return known(value).flatMap(({ target }) => target ?? []);
}

function known<T>(value: Value<T>): T[] {
  return alternativesOf(value).flatMap(({ value: plain }) => (plain.kind === 'known' ? [plain.value] : []));
}
