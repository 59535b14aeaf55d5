import { sourceOf, type Cluster, type ClusterView, type Image, type Source, type Value } from '../eks';

/** Whether the version in the name of an AMI is that of the cluster, so that changing the one changes the other. */
export function followsCluster({ versionFrom }: Image, { cluster }: ClusterView): boolean {
  return versionFrom !== undefined && cluster !== undefined && follows(versionFrom, cluster);
}

/** Whether both are one value: decided at one place, or one of them refers to the other. */
export function follows(own: Value<string>, { id, version }: Cluster): boolean {
  const { expression, decided } = sourceOf(own);
  const its = sourceOf(version);
  if (expression === `${id}.version`) return true;
  // Variables of two modules may be called alike.
  const isSameText = expression !== undefined && expression === its.expression;
  return (
    (isSameText && (decided === undefined || its.decided === undefined)) ||
    isSamePlace(decidedPlace(own), decidedPlace(version))
  );
}

export function isSamePlace(one: Source, other: Source): boolean {
  const [a, b] = [one.locate(), other.locate()];
  return a.file !== '' && a.file === b.file && a.line === b.line && a.column === b.column;
}

/** Where a value is to be changed. */
export function decidedPlace(value: Value<string>): Source {
  const source = sourceOf(value);
  return source.decided?.at ?? source;
}
