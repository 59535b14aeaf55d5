import { lazyTable, type Table } from './table';

interface EksctlKeyTable extends Table {
  /** Types of keys by block: `string`, `[]#ManagedNodeGroup`, `{}string`; with `!` where the key is required. */
  readonly blocks: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const load = lazyTable('eksctl-keys.json', ({ blocks }: EksctlKeyTable) => ({
  blocks: new Map(
    Object.entries(blocks).map(([name, keys]) => [
      name,
      new Map(Object.entries(keys).map(([key, type]) => [key, typeOf(type)])),
    ]),
  ),
}));

/** What a key of a ClusterConfig holds. */
export type EksctlType =
  | { readonly kind: 'string' | 'integer' | 'boolean' | 'any' }
  | { readonly kind: 'block'; readonly block: string }
  | { readonly kind: 'list' | 'map'; readonly items: EksctlType };

/** The keys of a block of a ClusterConfig: of the whole file `ClusterConfig`. Undefined of what isn't described. */
export function eksctlKeys(block: string): ReadonlyMap<string, EksctlType> | undefined {
  return load().blocks.get(block);
}

/** Blocks that have a key, by their names. */
export function eksctlBlocksWith(key: string): readonly string[] {
  return [...load().blocks].flatMap(([name, keys]) => (keys.has(key) ? [name] : []));
}

/** The day of the table, `YYYY-MM-DD`. */
export function eksctlKeysAsOf(): string {
  return load().table.asOf;
}

function typeOf(written: string): EksctlType {
  const text = written.replace(/!$/, '');
  if (text.startsWith('[]')) return { kind: 'list', items: typeOf(text.slice(2)) };
  if (text.startsWith('{}')) return { kind: 'map', items: typeOf(text.slice(2)) };
  if (text.startsWith('#')) return { kind: 'block', block: text.slice(1) };
  return { kind: text === 'string' || text === 'integer' || text === 'boolean' ? text : 'any' };
}
