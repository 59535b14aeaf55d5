import {
  isReadByCode,
  placeByTable,
  type Naming,
  type PlainSetting,
  type ReadByCode,
  type ResourceTable,
  type Setting,
} from '../../eks/resources/table';
import type { Source } from '../../value';

/** Reads what stands in a block under a key. */
type Read<B, S> = (block: B, key: string, scope: S) => unknown;

/** What of a block is read by a table. */
type Content<B, S> = (block: B, source: Source, scope: S) => unknown;

/** How a front end reads what tables describe: its blocks, and the scope in which references are looked up. */
export interface TableReading<B, S> {
  readonly naming: Naming;
  readonly plain: Readonly<Record<Exclude<PlainSetting['type'], ReadByCode>, Read<B, S>>>;
  /** A block, or several of them. */
  readonly blocks: Readonly<Record<'block' | 'blocks' | 'each', (content: Content<B, S>) => Read<B, S>>>;
}

/** The readers of the settings of a table, by name; what it leaves to code has none. */
export function readersOf<B extends { block(name: string): B }, S>(
  { settings }: Pick<ResourceTable, 'settings'>,
  reading: TableReading<B, S>,
): readonly { readonly name: string; readonly setting: Setting; readonly read: (block: B, scope: S) => unknown }[] {
  return Object.entries(settings).flatMap(([name, setting]) => {
    const steps = placeByTable(setting, reading.naming);
    if (steps === undefined) return [];
    const read = readerOf(setting, reading);
    const outer = steps.slice(0, -1);
    const key = steps.at(-1) ?? '';
    const at = (block: B): B => outer.reduce((within, step) => within.block(step), block);
    return [{ name, setting, read: (block: B, scope: S) => read(at(block), key, scope) }];
  });
}

function readerOf<B extends { block(name: string): B }, S>(setting: Setting, reading: TableReading<B, S>): Read<B, S> {
  if (!('settings' in setting)) {
    if (isReadByCode(setting.type)) throw new Error(`settings of type ${setting.type} are read by code`);
    return reading.plain[setting.type];
  }
  const inner = readersOf(setting, reading);
  return reading.blocks[setting.type]((block, source, scope) => ({
    ...Object.fromEntries(inner.map(({ name, read }) => [name, read(block, scope)])),
    source,
  }));
}
