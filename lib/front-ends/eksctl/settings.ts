import { repairPath } from '../../eks/resources';
import type { SettingPlaces } from '../../value';

/** Where settings are in a ClusterConfig. */
export const CONFIG_SETTINGS: SettingPlaces = {
  pathTo({ type, id, field, item }, root) {
    const path = repairPath(type, field, 'eksctl');
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
};

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
