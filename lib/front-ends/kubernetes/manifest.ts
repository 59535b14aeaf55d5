import type { Cluster, Environment, KubernetesManifest, Reference } from '../../eks';
import { always, dataAt, type Dialect, type Suppression, type Value } from '../../value';
import type { PlacedObject } from './objects';

/** The cluster that objects are for, where something tells. */
export interface Home {
  readonly cluster: Value<Reference<Cluster>>;
  readonly environment: Environment;
}

/** An object as a resource of the model. */
export function manifestOf(
  { node, object }: PlacedObject,
  { cluster, environment }: Home,
  dialect: Dialect,
  suppressions: readonly Suppression[] = [],
): KubernetesManifest {
  const text = (...path: readonly string[]): string => {
    const data = dataAt(object, ...path);
    return typeof data === 'string' ? data : '';
  };
  const kind = text('kind') || 'object';
  const name = text('metadata', 'name');
  return {
    kind: 'manifest',
    type: kind,
    id: [kind, text('metadata', 'namespace'), name === '' ? String(node.locate().line) : name]
      .filter((part) => part !== '')
      .join('/'),
    path: undefined,
    stack: node.file,
    frontEnd: dialect.name,
    dialect,
    source: node,
    suppressions,
    exists: always,
    environment,
    cluster,
    object,
    placeIn: (...path) => node.at(...path),
    editing: {
      get lines() {
        return node.ownLines;
      },
    },
  };
}
