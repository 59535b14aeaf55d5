import type { Diagnostic } from '../engine';
import type { ClusterView } from '../eks';
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
  return `the cluster of EKS that the input declares is turned off: with the values of the variables here, count or for_each of ${inWords([...new Set(places)], 5)} makes none. Give those that turn it on, with --var-file`;
}

/** Whether a cluster is declared by a module that nothing calls: it has no name there, because a variable has no value. */
export function isOfIdleModule({ cluster }: ClusterView): boolean {
  return (
    cluster !== undefined &&
    cluster.name.kind === 'unknown' &&
    OF_MODULE.test(cluster.stack) &&
    NO_VALUE.test(cluster.name.reason)
  );
}

const OF_MODULE = /(?:^|[\\/])modules?[\\/]/;
const NO_VALUE = /^variable [\w-]+ has no default/;

/** That a cluster gets no plan. */
export function unplanned({ cluster }: ClusterView): readonly Diagnostic[] {
  if (cluster === undefined || cluster.name.kind !== 'unknown') return [];
  const { file, line, column } = cluster.source.locate();
  return [
    {
      severity: 'warning',
      message: `no plan for the cluster of ${cluster.stack}: nothing of the input calls this module, and ${cluster.name.reason}. Plan for its folder alone, with --var-file, if it is deployed by itself`,
      file,
      line,
      column,
    },
  ];
}
