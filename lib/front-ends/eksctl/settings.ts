import { repairPath } from '../../eks/resources';
import { eksctlFamilyOf } from '../../knowledge/eksctl-families';
import type { SettingPlaces, WrittenValue } from '../../value';

/** Where settings are in a ClusterConfig. */
export const CONFIG_SETTINGS: SettingPlaces = {
  hasSetting: (type, field) => placeOf(type, field) !== undefined,
  holderOf,
  pathTo({ type, id, field, item }, root) {
    const path = placeOf(type, field);
    if (path === undefined) return undefined;
    const holder = holderOf(type, id, root);
    return holder === undefined ? undefined : [...holder, ...path.map((step) => (step === '*' ? String(item) : step))];
  },
  refusal(_setting, path, root) {
    const value = path.reduce<unknown>(memberOf, root);
    return typeof value === 'string' && /\$\{|\{\{/.test(value)
      ? 'something else fills it in before eksctl reads the file'
      : undefined;
  },
  writtenFor({ field }, value) {
    switch (field) {
      case 'amiType':
        return written(typeof value === 'string' ? eksctlFamilyOf(value) : undefined);
      case 'resolveConflictsOnUpdate':
        return { value: typeof value === 'string' ? value.toLowerCase() : value };
      case 'metadata.httpTokens':
        return { value: value === 'required', ...(value === 'required' ? { isDefault: true } : {}) };
      case 'metadata.hopLimit':
        return value === 2 ? { value: false, isDefault: true } : undefined;
      default:
        return { value };
    }
  },
};

function written(value: string | undefined): WrittenValue | undefined {
  return value === undefined ? undefined : { value };
}

/** What of a launch template that eksctl makes is a setting of the group. */
const OF_GROUP: Readonly<Record<string, readonly string[]>> = {
  'metadata.httpTokens': ['disableIMDSv1'],
  'metadata.hopLimit': ['disablePodIMDS'],
};

function placeOf(type: string, field: string): readonly string[] | undefined {
  if (type.endsWith('.launchTemplate')) return OF_GROUP[field];
  return type === 'nodeGroups' && field !== 'remoteAccess'
    ? undefined
    : repairPath(type === 'nodeGroups' ? 'managedNodeGroups' : type, field, 'eksctl');
}

/** The item of a list that a resource is, by its name; the whole file for the cluster. */
function holderOf(type: string, id: string, root: unknown): readonly string[] | undefined {
  if (type === 'ClusterConfig') return [];
  const steps = type.replace(/\.launchTemplate$/, '').split('.');
  const list = steps.reduce<unknown>(memberOf, root);
  if (!Array.isArray(list)) return undefined;
  const index = list.findIndex((one) => memberOf(one, 'name') === id);
  return index < 0 ? undefined : [...steps, String(index)];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
