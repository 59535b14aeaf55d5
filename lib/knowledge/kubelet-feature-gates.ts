import { lazyTable, type Table } from './table';

interface FeatureGateTable extends Table {
  /** Last minor version by gate. */
  readonly gates: Readonly<Record<string, string>>;
}

const load = lazyTable('kubelet-feature-gates.json', (table: FeatureGateTable) => ({
  byName: new Map(Object.entries(table.gates)),
}));

/**
 * The last Kubernetes version, such as `1.32`, whose kubelet knows a feature gate; kubelets after it exit on the gate
 * ("unrecognized feature gate"). Undefined for gates that aren't known to be removed, which includes names that never were a
 * gate. Gate names are case-sensitive.
 */
export function lastVersionOfFeatureGate(name: string): string | undefined {
  return load().byName.get(name);
}

/**
 * The removed gates that the table knows.
 * @internal tests compare the whole table with its sources
 */
export function removedFeatureGates(): readonly string[] {
  return [...load().byName.keys()];
}

/**
 * The day of the table of feature gates, `YYYY-MM-DD`.
 * @internal tests compare the whole table with its sources
 */
export function featureGatesAsOf(): string {
  return load().table.asOf;
}
