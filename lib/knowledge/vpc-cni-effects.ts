import { lazyTable, type Table, type TableSource } from './table';

/**
 * When a changed setting begins to act: as soon as aws-node restarts (which an update causes by itself), for pods that start
 * afterwards, or for nodes that are launched afterwards.
 */
export type EffectTime = 'restart' | 'new-pod' | 'new-node';

/** When a changed setting of the VPC CNI begins to act, as a source says it. */
export interface VpcCniEffect {
  /** Path of the configuration key, `env.ENABLE_POD_ENI`. */
  readonly path: string;
  /** The change to which this applies, as the new value; undefined for every change. */
  readonly to?: 'true' | 'false';
  readonly when: EffectTime;
  /** Where it acts, if it is more than what the setting is about: "on the whole node". */
  readonly scope?: string;
  /** What then happens, as a sentence without capital and full stop. */
  readonly effect?: string;
  readonly source: TableSource;
}

interface EffectRow extends Omit<VpcCniEffect, 'source'> {
  /** Path or page of a source of the table. */
  readonly source: string;
}

interface EffectTable extends Table {
  readonly effects: readonly EffectRow[];
}

const load = lazyTable('vpc-cni-effects.json', (table: EffectTable) => {
  const sources = new Map(table.sources.map((source) => [source.path ?? source.page ?? '', source]));
  return { effects: table.effects.map((row): VpcCniEffect => ({ ...row, source: sourceOf(row, sources) })) };
});

/**
 * All rows of the table.
 * @internal tests compare the whole table with its sources
 */
export function vpcCniEffects(): readonly VpcCniEffect[] {
  return load().effects;
}

/**
 * When a change of a setting begins to act; undefined if no source says it.
 * @param path path of the configuration key
 * @param to whether the new value switches it on; undefined for what is no switch
 */
export function vpcCniEffect(path: string, to: boolean | undefined): VpcCniEffect | undefined {
  return load().effects.find((effect) => effect.path === path && (effect.to === undefined || effect.to === String(to)));
}

function sourceOf(row: EffectRow, sources: ReadonlyMap<string, TableSource>): TableSource {
  const source = sources.get(row.source);
  if (source === undefined)
    throw new Error(
      `vpc-cni effects table: ${row.path} names the source "${row.source}", which the table doesn't list`,
    );
  return source;
}
