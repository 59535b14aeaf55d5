import type { Diagnostic } from '../engine';
import { isOfIdleModule, type Cluster, type ClusterView } from '../eks';
import { inWords } from '../text/in-words';
import type { TurnedOff } from '../value';

/* Clusters that are declared, and that nothing makes. */

/** Of declarations that make no cluster; undefined if there are none. */
export function turnedOffText(turnedOff: readonly TurnedOff[]): string | undefined {
  if (turnedOff.length === 0) return undefined;
  const places = turnedOff.map(({ address, source }) => {
    const { file, line, column } = source.locate();
    return `${address} (${file}:${line}:${column})`;
  });
  return `the cluster of EKS that the input declares is turned off: with the values of the variables here, count, for_each or create of ${inWords([...new Set(places)], 5)} makes none. Give those that turn it on, with --var-file`;
}

/** The clusters of modules that nothing calls, where others are. */
export function idleClusters(views: readonly ClusterView[]): readonly Cluster[] {
  const idle = views.flatMap(({ cluster }) => (cluster !== undefined && isOfIdleModule(cluster) ? [cluster] : []));
  return idle.length === views.length ? [] : idle;
}

/** That such clusters get no plan, nor those that are turned off. */
export function unplanned(idle: readonly Cluster[], turnedOff: readonly TurnedOff[]): readonly Diagnostic[] {
  return [
    ...idle.map(({ name, source, stack }) =>
      diagnostic(
        `no plan for the cluster of ${stack}: nothing of the input calls this module${name.kind === 'unknown' ? `, and ${name.reason}` : ''}. Plan for its folder alone, with --var-file, if it is deployed by itself`,
        source,
      ),
    ),
    ...turnedOff.map(({ address, source }) =>
      diagnostic(
        `no plan for the cluster of ${address}: with the values of the variables here, count, for_each or create makes none. Give those that turn it on, with --var-file`,
        source,
      ),
    ),
  ];
}

function diagnostic(message: string, source: TurnedOff['source']): Diagnostic {
  const { file, line, column } = source.locate();
  return { severity: 'warning', message, file, line, column, skipped: { what: 'module', count: 1 } };
}
