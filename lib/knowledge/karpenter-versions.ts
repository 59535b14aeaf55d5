import { lazyTable, type Table } from './table';

interface KarpenterTable extends Table {
  /** The oldest Karpenter version by Kubernetes version. */
  readonly oldest: Readonly<Record<string, string>>;
}

const load = lazyTable('karpenter-versions.json', (table: KarpenterTable) => ({
  byMinor: new Map(Object.entries(table.oldest)),
}));

/** The oldest Karpenter version that runs on a Kubernetes version (`1.33`), such as `1.5`; undefined where its matrix doesn't say. */
export function oldestKarpenter(minor: string): string | undefined {
  return load().byMinor.get(minor);
}

/**
 * The day of the table of Karpenter versions, `YYYY-MM-DD`.
 * @internal tests compare the whole table with its sources
 */
export function karpenterVersionsAsOf(): string {
  return load().table.asOf;
}
