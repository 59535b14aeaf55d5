import { ACCESS_ENTRY, POD_IDENTITY_ASSOCIATION } from './access';
import { ADDON } from './addon';
import { CDK_CLUSTER, CLUSTER } from './cluster';
import { CDK_FARGATE_PROFILE, FARGATE_PROFILE } from './fargate-profile';
import { LAUNCH_CONFIGURATION, LAUNCH_TEMPLATE } from './launch-template';
import {
  HOSTED_ZONE,
  NETWORK_ATTACHMENT,
  ROUTE,
  ROUTE_TABLE,
  ROUTE_TABLE_ASSOCIATION,
  VPC,
  VPC_ENDPOINT,
} from './network';
import { NODE_GROUP } from './node-group';
import { SUBNET } from './subnet';
import { propertyPath, stepsOf, type Naming, type ResourceTable, type Setting } from './table';

/** All resources that a table describes. */
export const RESOURCE_TABLES: readonly ResourceTable[] = [
  CLUSTER,
  CDK_CLUSTER,
  NODE_GROUP,
  LAUNCH_TEMPLATE,
  LAUNCH_CONFIGURATION,
  ADDON,
  ACCESS_ENTRY,
  POD_IDENTITY_ASSOCIATION,
  FARGATE_PROFILE,
  CDK_FARGATE_PROFILE,
  VPC,
  SUBNET,
  ROUTE_TABLE,
  ROUTE,
  ROUTE_TABLE_ASSOCIATION,
  NETWORK_ATTACHMENT,
  VPC_ENDPOINT,
  HOSTED_ZONE,
];

/**
 * Where a setting is that a repair is about, below the properties or the resource; `*` is the item of a list that the finding is about.
 * Undefined if no table has it.
 * @param field as the model calls it: `amiType`, `metadata.hopLimit`
 */
export function repairPath(type: string, field: string, naming: Naming): readonly string[] | undefined {
  const table = RESOURCE_TABLES.find((one) => one[naming]?.includes(type) === true);
  const [name = '', ...inner] = field.split('.');
  const outer = table?.settings[name];
  if (table === undefined || outer === undefined || table.isUnchangeable === true) return undefined;
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
