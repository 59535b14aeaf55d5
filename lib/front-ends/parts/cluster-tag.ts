import { Known, type Plain, type Unknown } from '../../value';
import { compose, ComposedText } from '../../value/composed-text';

/** Key of the tag that tells whose node an instance is. Source: EKS User Guide, "Create self-managed Amazon Linux nodes". */
const CLUSTER_TAG = 'kubernetes.io/cluster/';

/** Whether the value of a cluster's tag makes an instance a node. */
export function isClusterOwner(value: Plain<string>): boolean {
  return value.kind === 'known' ? value.value === 'owned' || value.value === 'shared' : value.kind === 'unknown';
}

/** The cluster's name in a tag's key; undefined if the key has another prefix, or one that can't be known. */
export function clusterInTag(key: Plain<string>): Known<string> | Unknown | undefined {
  if (key.kind === 'known') {
    return key.value.startsWith(CLUSTER_TAG) && key.value.length > CLUSTER_TAG.length
      ? new Known(key.value.slice(CLUSTER_TAG.length), key.source, key.note)
      : undefined;
  }
  if (!(key instanceof ComposedText)) return undefined;
  const firstUnknown = key.pieces.findIndex((piece) => piece.kind === 'unknown');
  const start = key.pieces
    .slice(0, firstUnknown)
    .map((piece) => (piece.kind === 'known' ? piece.value : ''))
    .join('');
  if (!start.startsWith(CLUSTER_TAG)) return undefined;
  const name = compose(
    [new Known(start.slice(CLUSTER_TAG.length), key.source), ...key.pieces.slice(firstUnknown)],
    key.source,
  );
  return name.kind === 'absent' ? undefined : name;
}
