import { vpcCni, type AddonDescription } from '../../knowledge';
import { dataAt, entriesOf, isDataMap, type Data, type DataMap } from '../../value';
import { meansTheSame, variableAt, type SettingEffect, type UpdateRequest } from './addon-update';
import { configurationProblems, type ConfigurationProblem } from './addon-schema-check';
import { parseSwitch } from './cni-settings';

/** Blocks of the schema are not nested deeper. */
const MOST_ROUNDS = 6;

/**
 * Configuration values for the new version that leave the cluster's settings as they are, whatever the mode: the given ones
 * without what EKS would refuse, and every live setting that differs from the default. Undefined when the given ones do.
 */
export function pinnedConfiguration(
  { addon = vpcCni, configuration, to }: UpdateRequest,
  effects: readonly SettingEffect[],
): DataMap | undefined {
  const given = isDataMap(configuration) ? configuration : {};
  let result: DataMap = given;
  // What is taken out may have been required by its block, which then has to go as well.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const refused = configurationProblems(result, { kind: 'pinned', version: to }, addon).filter(
      ({ kind }) => kind !== 'doubt',
    );
    if (refused.length === 0) break;
    result = mended(addon, result, refused, to);
  }
  for (const effect of effects) {
    const pin = dataAt(result, ...effect.path.split('.')) === undefined ? pinOf(addon, effect, to) : undefined;
    if (pin !== undefined)
      result =
        pin.kind === 'extra'
          ? withExtra(result, pin.name, pin.value)
          : withValue(result, pin.path.split('.'), pin.value);
  }
  return result === given ? undefined : result;
}

/** The keys to the value that a dotted path means, although keys may hold dots themselves; undefined if there is none. */
export function keysTo(data: Data | undefined, path: string): readonly (string | number)[] | undefined {
  if (Array.isArray(data)) {
    const index = /^\[(\d+)\]/.exec(path);
    return index === null
      ? undefined
      : keysAfter(Number(index[1]), (data as readonly Data[])[Number(index[1])], path.slice(index[0].length));
  }
  if (!isDataMap(data)) return undefined;
  // Most keys hold no dot; only for the others all need be looked at. One that is the whole path is no block of the schema, and so the one in question.
  if (Object.hasOwn(data, path)) return [path];
  const [first = ''] = path.split(/[.[]/, 1);
  const direct = Object.hasOwn(data, first) ? keysAfter(first, data[first], path.slice(first.length)) : undefined;
  if (direct !== undefined) return direct;
  for (const [key, value] of entriesOf(data)) {
    const keys = path.startsWith(key) ? keysAfter(key, value, path.slice(key.length)) : undefined;
    if (keys !== undefined) return keys;
  }
  return undefined;
}

function keysAfter(
  key: string | number,
  value: Data | undefined,
  path: string,
): readonly (string | number)[] | undefined {
  if (path === '') return [key];
  const rest = path.startsWith('.')
    ? keysTo(value, path.slice(1))
    : path.startsWith('[')
      ? keysTo(value, path)
      : undefined;
  return rest === undefined ? undefined : [key, ...rest];
}

/** What is to become of the value at one path, or of some below it. */
class Edit {
  /** Undefined: it is taken out, unless there are edits below. */
  value: Data | undefined;
  isWhole = false;
  readonly below = new Map<string, Edit>();

  at([key, ...rest]: readonly string[]): Edit {
    if (key === undefined) return this;
    const next = this.below.get(key) ?? new Edit();
    this.below.set(key, next);
    return next.at(rest);
  }

  set(value: Data | undefined): void {
    if (this.isWhole) return;
    this.isWhole = true;
    this.value = value;
  }

  /** The map with all edits; maps that are empty then go as well. */
  applyTo(map: DataMap): DataMap {
    return Object.fromEntries(
      entriesOf(map).flatMap(([key, value]): readonly (readonly [string, Data])[] => {
        const edit = this.below.get(key);
        if (edit === undefined) return [[key, value]];
        if (edit.isWhole) return edit.value === undefined ? [] : [[key, edit.value]];
        if (!isDataMap(value)) return [[key, value]];
        const left = edit.applyTo(value);
        return Object.keys(left).length === 0 ? [] : [[key, left]];
      }),
    );
  }
}

/** Takes what EKS refuses out of the configuration values, or puts it right where that is no matter of opinion. */
function mended(addon: AddonDescription, map: DataMap, problems: readonly ConfigurationProblem[], to: string): DataMap {
  const edits = new Edit();
  const moved: { readonly place: readonly string[]; readonly value: Data }[] = [];
  for (const problem of problems) {
    const found = keysTo(map, problem.path);
    if (found === undefined) continue;
    // An item of a list can't go alone without changing what the list means.
    const index = found.findIndex((key) => typeof key === 'number');
    const keys = (index < 0 ? found : found.slice(0, index)).map(String);
    const isCorrect = index < 0 && problem.kind === 'type' && problem.correct !== undefined;
    edits.at(keys).set(isCorrect ? (JSON.parse(problem.correct) as Data) : undefined);
    const value = dataAt(map, ...keys);
    if (problem.kind === 'wrong-place' && typeof value === 'string' && fits(addon, problem.place, value, to))
      moved.push({ place: problem.place.split('.'), value });
  }
  let result = edits.applyTo(map);
  for (const { place, value } of moved)
    if (dataAt(result, ...place) === undefined) result = withValue(result, place, value);
  return result;
}

type Pin =
  | { readonly kind: 'extra'; readonly name: string; readonly value: string }
  | { readonly kind: 'key'; readonly path: string; readonly value: string };

/** How to write a live setting into the configuration values; undefined if there is no need, or no way. */
function pinOf(addon: AddonDescription, { path, live }: SettingEffect, to: string): Pin | undefined {
  const variable = variableAt(addon, path);
  if (live === undefined || variable === undefined || variable.serviceManaged === true) return undefined;
  const key = addon.key(path);
  if (key === undefined)
    return live !== variable.default && isForExtraEnv(addon, path, to)
      ? { kind: 'extra', name: variable.name, value: live }
      : undefined;
  const fallback = addon.defaultOf(key, to);
  if (typeof fallback === 'string' && meansTheSame(addon, path, live, fallback)) return undefined;
  // The schema knows fewer ways to write a switch than the CNI.
  const value = key.enum !== undefined && variable.type === 'boolean' ? String(parseSwitch(live) ?? live) : live;
  return fits(addon, path, value, to) ? { kind: 'key', path, value } : undefined;
}

/** Variables of the container aws-node that have no key of their own. */
function isForExtraEnv(addon: AddonDescription, path: string, to: string): boolean {
  const extra = addon.key('extraEnv');
  return (
    path.startsWith('env.') &&
    addon.neverAccepted(path)?.why === 'extraEnv only' &&
    extra !== undefined &&
    addon.accepts(extra, to)
  );
}

/** Whether EKS accepts a value for a key, on its own. */
function fits(addon: AddonDescription, path: string, value: string, to: string): boolean {
  return (
    configurationProblems(withValue({}, path.split('.'), value), { kind: 'pinned', version: to }, addon).length === 0
  );
}

function withExtra(map: DataMap, name: string, value: string): DataMap {
  const list = dataAt(map, 'extraEnv') ?? [];
  if (!Array.isArray(list)) return map;
  const items = list as readonly Data[];
  return items.some((item) => dataAt(item, 'name') === name)
    ? map
    : withValue(map, ['extraEnv'], [...items, { name, value }]);
}

/** A map with another value at a path. What is in the way and no map gives place: EKS would have refused it. */
function withValue(map: DataMap, [key, ...rest]: readonly string[], value: Data): DataMap {
  if (key === undefined) return map;
  const inner = dataAt(map, key);
  return withEntry(map, key, rest.length === 0 ? value : withValue(isDataMap(inner) ? inner : {}, rest, value));
}

/** `__proto__` is a key like any other in parsed data, so no object literal. */
function withEntry(map: DataMap, key: string, value: Data): DataMap {
  const entries = entriesOf(map);
  if (!Object.hasOwn(map, key)) return Object.fromEntries([...entries, [key, value]]);
  return Object.fromEntries(entries.map(([name, old]) => [name, name === key ? value : old]));
}
