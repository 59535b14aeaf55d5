import { vpcCniConfigurationKey, vpcCniDefault, vpcCniKeyAccepted, vpcCniNeverAccepted } from '../knowledge';
import { dataAt, entriesOf, isDataMap, type Data, type DataMap } from '../value';
import { meansTheSame, variableAt, type SettingEffect, type UpdateRequest } from './addon-update';
import { configurationProblems, type ConfigurationProblem } from './cni-schema-check';
import { parseSwitch } from './cni-settings';

/** Blocks of the schema are not nested deeper. */
const MOST_ROUNDS = 6;

/**
 * Configuration values for the new version that leave the cluster's settings as they are, whatever the mode: the given ones
 * without what EKS would refuse, and every live setting that differs from the default. Undefined when the given ones do.
 */
export function pinnedConfiguration({ configuration, to }: UpdateRequest, effects: readonly SettingEffect[]): DataMap | undefined {
  const given = isDataMap(configuration) ? configuration : {};
  let result: DataMap = given;
  // What is taken out may have been required by its block, which then has to go as well.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const refused = configurationProblems(result, { kind: 'pinned', version: to }).filter(({ kind }) => kind !== 'doubt');
    if (refused.length === 0) break;
    for (const problem of refused) result = mended(result, problem, to);
  }
  for (const effect of effects) {
    const pin = dataAt(result, ...effect.path.split('.')) === undefined ? pinOf(effect, to) : undefined;
    if (pin !== undefined) result = pin.kind === 'extra' ? withExtra(result, pin.name, pin.value) : withValue(result, pin.path.split('.'), pin.value);
  }
  return result === given ? undefined : result;
}

/** The keys to the value that a dotted path means, although keys may hold dots themselves; undefined if there is none. */
export function keysTo(data: Data | undefined, path: string): readonly (string | number)[] | undefined {
  if (Array.isArray(data)) {
    const index = /^\[(\d+)\]/.exec(path);
    return index === null ? undefined : keysAfter(Number(index[1]), (data as readonly Data[])[Number(index[1])], path.slice(index[0].length));
  }
  if (!isDataMap(data)) return undefined;
  for (const [key, value] of entriesOf(data)) {
    const keys = path.startsWith(key) ? keysAfter(key, value, path.slice(key.length)) : undefined;
    if (keys !== undefined) return keys;
  }
  return undefined;
}

function keysAfter(key: string | number, value: Data | undefined, path: string): readonly (string | number)[] | undefined {
  if (path === '') return [key];
  const rest = path.startsWith('.') ? keysTo(value, path.slice(1)) : path.startsWith('[') ? keysTo(value, path) : undefined;
  return rest === undefined ? undefined : [key, ...rest];
}

/** Takes what EKS refuses out of the configuration values, or puts it right where that is no matter of opinion. */
function mended(map: DataMap, problem: ConfigurationProblem, to: string): DataMap {
  const found = keysTo(map, problem.path);
  if (found === undefined) return map;
  // An item of a list can't go alone without changing what the list means.
  const index = found.findIndex((key) => typeof key === 'number');
  const keys = (index < 0 ? found : found.slice(0, index)).map(String);
  if (index < 0 && problem.kind === 'type' && problem.correct !== undefined) return withValue(map, keys, JSON.parse(problem.correct) as Data);
  const rest = without(map, keys);
  const value = dataAt(map, ...keys);
  if (problem.kind !== 'wrong-place' || typeof value !== 'string' || !fits(problem.place, value, to)) return rest;
  const place = problem.place.split('.');
  return dataAt(rest, ...place) === undefined ? withValue(rest, place, value) : rest;
}

type Pin = { readonly kind: 'extra'; readonly name: string; readonly value: string } | { readonly kind: 'key'; readonly path: string; readonly value: string };

/** How to write a live setting into the configuration values; undefined if there is no need, or no way. */
function pinOf({ path, live }: SettingEffect, to: string): Pin | undefined {
  const variable = variableAt(path);
  if (live === undefined || variable === undefined || variable.serviceManaged === true) return undefined;
  const key = vpcCniConfigurationKey(path);
  if (key === undefined) return live !== variable.default && isForExtraEnv(path, to) ? { kind: 'extra', name: variable.name, value: live } : undefined;
  const fallback = vpcCniDefault(key, to);
  if (typeof fallback === 'string' && meansTheSame(path, live, fallback)) return undefined;
  // The schema knows fewer ways to write a switch than the CNI.
  const value = key.enum !== undefined && variable.type === 'boolean' ? String(parseSwitch(live) ?? live) : live;
  return fits(path, value, to) ? { kind: 'key', path, value } : undefined;
}

/** Variables of the container aws-node that have no key of their own. */
function isForExtraEnv(path: string, to: string): boolean {
  const extra = vpcCniConfigurationKey('extraEnv');
  return path.startsWith('env.') && vpcCniNeverAccepted(path)?.why === 'extraEnv only' && extra !== undefined && vpcCniKeyAccepted(extra, to);
}

/** Whether EKS accepts a value for a key, on its own. */
function fits(path: string, value: string, to: string): boolean {
  return configurationProblems(withValue({}, path.split('.'), value), { kind: 'pinned', version: to }).length === 0;
}

function withExtra(map: DataMap, name: string, value: string): DataMap {
  const list = dataAt(map, 'extraEnv') ?? [];
  if (!Array.isArray(list)) return map;
  const items = list as readonly Data[];
  return items.some((item) => dataAt(item, 'name') === name) ? map : withValue(map, ['extraEnv'], [...items, { name, value }]);
}

/** A map with another value at a path. What is in the way and no map gives place: EKS would have refused it. */
function withValue(map: DataMap, [key, ...rest]: readonly string[], value: Data): DataMap {
  if (key === undefined) return map;
  const inner = dataAt(map, key);
  return withEntry(map, key, rest.length === 0 ? value : withValue(isDataMap(inner) ? inner : {}, rest, value));
}

/** A map without the value at a path, and without the maps that are empty then. */
function without(map: DataMap, [key, ...rest]: readonly string[]): DataMap {
  const inner = key === undefined ? undefined : dataAt(map, key);
  if (key === undefined || inner === undefined) return map;
  const left = rest.length > 0 && isDataMap(inner) ? without(inner, rest) : {};
  if (isDataMap(left) && Object.keys(left).length > 0) return withEntry(map, key, left);
  return Object.fromEntries(entriesOf(map).filter(([name]) => name !== key));
}

/** `__proto__` is a key like any other in parsed data, so no object literal. */
function withEntry(map: DataMap, key: string, value: Data): DataMap {
  const entries = entriesOf(map);
  if (!Object.hasOwn(map, key)) return Object.fromEntries([...entries, [key, value]]);
  return Object.fromEntries(entries.map(([name, old]) => [name, name === key ? value : old]));
}
