import * as access from './access';
import * as addon from './addon';
import * as cluster from './cluster';
import * as fargateProfile from './fargate-profile';
import * as launchTemplate from './launch-template';
import * as network from './network';
import * as nodeGroup from './node-group';
import * as subnet from './subnet';
import { propertyPath, stepsOf, type Naming, type ResourceTable, type Setting } from './table';

/** All that these files export is tables. */
const SUBJECTS = [cluster, nodeGroup, launchTemplate, addon, access, fargateProfile, network, subnet] as const;

type TableOf<Subject> = Subject extends unknown ? Subject[keyof Subject] : never;

/** All resources that a table describes. */
export const RESOURCE_TABLES: readonly ResourceTable[] = SUBJECTS.flatMap((tables) =>
  Object.values<ResourceTable>({ ...tables }),
);

/** The kinds of resources of which a table says all. */
export type WholeKind = Extract<TableOf<(typeof SUBJECTS)[number]>, { readonly kind: string }>['kind'];

/**
 * Where a setting is that a repair is about, below the properties or the resource; `*` is the item of a list that the finding is about.
 * Undefined if no table has it.
 * @param field as the model calls it: `amiType`, `metadata.hopLimit`
 */
export function repairPath(type: string, field: string, naming: Naming): readonly string[] | undefined {
  const table = RESOURCE_TABLES.find((one) => one[naming]?.includes(type) === true);
  return table === undefined ? undefined : repairPathIn(table, field, naming);
}

/** The same in a table. */
export function repairPathIn(table: ResourceTable, field: string, naming: Naming): readonly string[] | undefined {
  const [name = '', ...inner] = field.split('.');
  const outer = table.settings[name];
  if (outer === undefined || table.isUnchangeable === true) return undefined;
  const path = naming === 'cloudFormation' ? propertyPath(table, outer) : stepsIn(outer, naming);
  const [member] = inner;
  if (path === undefined) return undefined;
  if (member === undefined) return 'repairsBlock' in outer ? path.slice(0, -1) : path;
  const one = 'settings' in outer ? outer.settings[member] : undefined;
  const rest = one === undefined ? undefined : stepsIn(one, naming);
  return rest === undefined ? undefined : [...path, ...(outer.type === 'block' ? [] : ['*']), ...rest];
}

function stepsIn(setting: Setting, naming: Naming): readonly string[] | undefined {
  const place = setting[naming];
  return place === undefined ? undefined : stepsOf(place);
}
