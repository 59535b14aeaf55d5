import { dataAt, isInManifestFile, objectsOf, type ClusterView, type KubernetesObject } from '../../../eks';

/** Objects that the input has more than once for a cluster: which of them is applied isn't known. */
export class WrittenAgain {
  private memo: ReadonlyMap<string, readonly KubernetesObject[]> | undefined;

  constructor(private readonly view: ClusterView) {}

  /** Why it isn't known whether an object is applied as it is; undefined where nothing else of the input is the same object. */
  doubtOf(object: KubernetesObject): string | undefined {
    const others = (this.objects.get(keyOf(object)) ?? []).filter(
      (other) => other !== object && other.resource.exists.and(object.resource.exists) !== undefined,
    );
    const newer = others.find((other) => versionOf(other) !== versionOf(object));
    if (newer !== undefined)
      return `the input has the same object in \`${versionOf(newer)}\`, too, and which of both is applied isn't known`;
    return others.some((other) => isInFile(other) && isInFile(object))
      ? 'several files have the same object, perhaps for several clusters'
      : undefined;
  }

  private get objects(): ReadonlyMap<string, readonly KubernetesObject[]> {
    return (this.memo ??= byKey(objectsOf(this.view)));
  }
}

function byKey(objects: readonly KubernetesObject[]): ReadonlyMap<string, readonly KubernetesObject[]> {
  const found = new Map<string, KubernetesObject[]>();
  for (const object of objects) {
    const key = keyOf(object);
    const others = found.get(key);
    if (others === undefined) found.set(key, [object]);
    else others.push(object);
  }
  return found;
}

/** Groups don't count: an Ingress has moved from one to another. */
function keyOf({ object, namespace, name }: KubernetesObject): string {
  const kind = dataAt(object, 'kind');
  return JSON.stringify([typeof kind === 'string' ? kind : '', namespace ?? null, name]);
}

function versionOf({ object }: KubernetesObject): string {
  const version = dataAt(object, 'apiVersion');
  return typeof version === 'string' ? version : 'another version';
}

function isInFile({ resource }: KubernetesObject): boolean {
  return resource.kind === 'manifest' && isInManifestFile(resource);
}
