import { isDataMap, Unknown, type Data, type DataMap } from '../../../value';
import { entryOf } from './yaml-data';
import { keysOf, type NodeConfigReading } from './read';

/** Where a merged value comes from. */
export interface NodeConfigOrigin {
  readonly reading: NodeConfigReading;
  /** Offset in the reading's body. */
  readonly offset: number;
}

/** What nodeadm makes of all NodeConfigs together. */
export interface MergedNodeConfig {
  readonly readings: readonly NodeConfigReading[];
  readonly data: Data;
  /** Set when the content of one of the NodeConfigs isn't known at all; `data` is what the others say. */
  readonly unknown: Unknown | undefined;
  /** The NodeConfigs of which nothing is in `data`, because they are empty or can't be read. nodeadm then drops the others too. */
  readonly unreadable: readonly NodeConfigReading[];
  /** The place that the value at a path has its say from: the last one that sets it. Undefined if there is no such value. */
  origin(path: string | readonly string[]): NodeConfigOrigin | undefined;
}

/**
 * Merges NodeConfigs in order of appearance, as nodeadm does: later values win, maps are merged, kubelet's flags follow each
 * other, other lists are replaced. Outside of maps of free content, empty values (`""`, `false`, an empty list) never override.
 * containerd's TOML, which nodeadm merges, is here the last one. Source: awslabs/amazon-eks-ami, `nodeadm/internal/api/merge.go`
 * and `dario.cat/mergo`.
 */
export function mergeNodeConfigs(readings: readonly NodeConfigReading[]): MergedNodeConfig {
  const readable = readings.filter(({ data }) => isDataMap(data));
  let data: Data | undefined;
  for (const reading of readable) data = merge(data, reading.data, []);
  return new Merged(
    readings,
    data ?? null,
    readings.find(({ unknown }) => unknown !== undefined)?.unknown,
    readings.filter((reading) => reading.unknown === undefined && !readable.includes(reading)),
    readable,
  );
}

const FLAGS = 'spec.kubelet.flags';
/** Maps whose entries override whatever they are; the values of a struct of nodeadm don't if they are empty. */
const FREE_CONTENT: ReadonlySet<string> = new Set([
  'spec.kubelet.config',
  'spec.containerd.baseRuntimeSpec',
  'spec.instance.environment',
  'spec.featureGates',
  'metadata',
]);

function merge(earlier: Data | undefined, later: Data, keys: readonly string[], free = false): Data {
  const path = keys.length > 3 ? '' : keys.join('.');
  if (path === FLAGS) return mergeFlags(earlier, later);
  if (later instanceof Unknown) return later;
  if (earlier === undefined || earlier === null) return later;
  if (isEmpty(later, free)) return earlier;
  if (!isDataMap(later)) return later;
  if (earlier instanceof Unknown) return earlier;
  return isDataMap(earlier) ? mergeMaps(earlier, later, keys, free || FREE_CONTENT.has(path)) : later;
}

function mergeMaps(earlier: DataMap, later: DataMap, keys: readonly string[], free: boolean): DataMap {
  const merged = new Map(Object.entries(earlier));
  for (const [key, value] of Object.entries(later))
    merged.set(key, merge(merged.get(key), value, [...keys, key], free));
  return Object.fromEntries(merged);
}

function isEmpty(value: Data, free: boolean): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isDataMap(value)) return Object.keys(value).length === 0;
  return !free && (value === null || value === '' || value === false || value === 0);
}

function mergeFlags(earlier: Data | undefined, later: Data): Data {
  const all = [...flagItems(earlier), ...flagItems(later)];
  if (all.length > 0) return all;
  return later;
}

/** The flags that a value adds; a list that isn't known counts as one flag. */
function flagItems(value: Data | undefined): readonly Data[] {
  if (Array.isArray(value)) return value as readonly Data[];
  return value instanceof Unknown ? [value] : [];
}

class Merged implements MergedNodeConfig {
  constructor(
    readonly readings: readonly NodeConfigReading[],
    readonly data: Data,
    readonly unknown: Unknown | undefined,
    readonly unreadable: readonly NodeConfigReading[],
    private readonly readable: readonly NodeConfigReading[],
  ) {}

  origin(path: string | readonly string[]): NodeConfigOrigin | undefined {
    const keys = typeof path === 'string' ? keysOf(this.data, path.split('.')) : path;
    if (keys === undefined) return undefined;
    if (keys.length === 4 && keys.slice(0, 3).join('.') === FLAGS) return this.flagOrigin(Number(keys[3]));
    if (valueAt(this.data, keys) === undefined) return undefined;
    for (const reading of this.readable.toReversed()) {
      const found = lastStep(reading.data, keys);
      if (found === undefined || isEmpty(found.value, isFree(keys))) continue;
      const offset = reading.offsetOf(found.keys);
      if (offset !== undefined) return { reading, offset };
    }
    return this.anyOrigin(keys);
  }

  /** Of a value that is empty wherever it stands. */
  private anyOrigin(keys: readonly string[]): NodeConfigOrigin | undefined {
    for (const reading of this.readable) {
      const offset = reading.offsetOf(keys);
      if (offset !== undefined) return { reading, offset };
    }
    return undefined;
  }

  private flagOrigin(index: number): NodeConfigOrigin | undefined {
    let before = 0;
    for (const reading of this.readable) {
      const keys = FLAGS.split('.');
      const found = lastStep(reading.data, keys);
      const count = flagItems(found?.value).length;
      if (found !== undefined && index < before + count) {
        const offset = reading.offsetOf(Array.isArray(found.value) ? [...keys, String(index - before)] : found.keys);
        return offset === undefined ? undefined : { reading, offset };
      }
      before += count;
    }
    return undefined;
  }
}

function isFree(keys: readonly string[]): boolean {
  return [1, 2, 3].some((length) => keys.length > length && FREE_CONTENT.has(keys.slice(0, length).join('.')));
}

function valueAt(data: Data, keys: readonly string[]): Data | undefined {
  return lastStep(data, keys)?.value;
}

/** The value at the end of a way, or the unknown value that hides it. */
function lastStep(data: Data, keys: readonly string[]): { value: Data; keys: readonly string[] } | undefined {
  let value: Data | undefined = data;
  for (const [index, key] of keys.entries()) {
    if (value instanceof Unknown) return { value, keys: keys.slice(0, index) };
    value = entryOf(value, key);
    if (value === undefined) return undefined;
  }
  return { value, keys };
}
