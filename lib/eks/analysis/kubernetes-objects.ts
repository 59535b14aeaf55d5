import type { ClusterView } from '../model/model';
import { resourceName } from '../model/resource-name';
import type { HelmRelease, KubernetesManifest } from '../model/resources';
import { namespaceOf } from './security-group-policies';
import { alternativesOf, dataAt, Unknown, type Data, type DialectName, type Source } from '../../value';

/** A Kubernetes object that the input shows in full: a manifest, or an object among the values of a Helm release. */
export interface KubernetesObject {
  readonly resource: KubernetesManifest | HelmRelease;
  readonly object: Data;
  /** Its name; of one that has none that is known, that of the resource. */
  readonly name: string;
  /** `default` if nothing is written; of one that isn't known what stands for it wherever it comes up; undefined if nothing does. */
  readonly namespace: string | undefined;
}

/** What stands for a text that isn't known; no name or namespace looks like it. */
export function standInFor({ symbol, text }: Unknown): string | undefined {
  const known = symbol ?? text;
  return known === undefined ? undefined : `?${known}`;
}

export function isStandIn(text: string | undefined): boolean {
  return text?.startsWith('?') === true;
}

/** What kustomize writes behind the names of ConfigMaps that it makes. Source: kubernetes-sigs/kustomize, api/hasher/hasher.go (encode). */
const HASH = /-[2456789bcdfghkmt]{10}$/;

/**
 * Whether an object is the ConfigMap that is mounted under a name: kustomize puts a hash behind it, and changes what mounts it. Of a ConfigMap that is looked up
 * by its name, such as `aws-auth`, one with a hash is another.
 */
export function isMountedConfigMap(object: Data, name: string): boolean {
  const written = dataAt(object, 'metadata', 'name');
  return dataAt(object, 'kind') === 'ConfigMap' && typeof written === 'string' && written.replace(HASH, '') === name;
}

/** Where a part of an object stands; the resource that holds the object, where that is all that is known. */
export function placeIn(resource: KubernetesManifest | HelmRelease, ...path: readonly string[]): Source {
  return (resource.kind === 'manifest' ? resource.placeIn?.(...path) : undefined) ?? resource.source;
}

/** Why an object isn't judged that lacks what its kind demands, at a place where patches are kept. */
export const PERHAPS_PATCH =
  'it lacks what its kind demands, so it is a patch, perhaps, that something else puts to an object';

/** Folders in which overlays of kustomize and their patches lie. */
const OF_PATCHES = /^(?:patch|patches|kustomize|overlay|overlays|components)$/i;

/** Whether an object is in a file of its own, rather than in code that applies it. */
export function isInManifestFile({ dialect }: KubernetesManifest): boolean {
  return dialect.name === ('kubernetes' satisfies DialectName);
}

/** Whether a file has patches, by its name or that of a folder near it: `kubectl patch --patch-file` and kustomize put them to objects. */
export function isAmongPatches(manifest: KubernetesManifest): boolean {
  if (!isInManifestFile(manifest)) return false;
  const { source } = manifest;
  const [name = '', ...folders] = source.locate().file.split(/[/\\]/).reverse();
  return /patch/i.test(name) || folders.slice(0, 3).some((folder) => OF_PATCHES.test(folder));
}

/** The objects of a cluster; worked out once. */
export function objectsOf(view: ClusterView): readonly KubernetesObject[] {
  let objects = known.get(view);
  if (objects === undefined)
    known.set(view, (objects = [...view.manifests.map(ofManifest), ...view.helmReleases.flatMap(ofRelease)]));
  return objects;
}

const known = new WeakMap<ClusterView, readonly KubernetesObject[]>();

function ofManifest(resource: KubernetesManifest): KubernetesObject {
  const { object } = resource;
  return { resource, object, name: nameOf(object, resource), namespace: placeOfObject(object) };
}

/** Where charts take whole objects that they apply as they are: the chart `raw` under the first, many others under the rest. */
const INLINE = ['resources', 'extraObjects', 'extraManifests', 'extraDeploy'];

function ofRelease(resource: HelmRelease): readonly KubernetesObject[] {
  const objects = INLINE.flatMap((key): readonly Data[] => {
    const items = dataAt(resource.values, key);
    return Array.isArray(items) ? (items as readonly Data[]).filter(isObject) : [];
  });
  return objects.map((object) => ({
    resource,
    object,
    name: nameOf(object, resource),
    namespace:
      (dataAt(object, 'metadata', 'namespace') ?? undefined) === undefined ? placeOf(resource) : placeOfObject(object),
  }));
}

function placeOfObject(object: Data): string | undefined {
  const written = dataAt(object, 'metadata', 'namespace');
  return written instanceof Unknown ? standInFor(written) : namespaceOf(object);
}

function isObject(data: Data): boolean {
  return typeof dataAt(data, 'apiVersion') === 'string' && typeof dataAt(data, 'kind') === 'string';
}

/** The namespace of a release. */
function placeOf({ namespace }: HelmRelease): string | undefined {
  const [first, ...others] = alternativesOf(namespace);
  if (first === undefined || others.length > 0 || first.value.kind === 'unknown') return undefined;
  return first.value.kind === 'known' ? first.value.value : 'default';
}

function nameOf(object: Data, resource: KubernetesManifest | HelmRelease): string {
  const name = dataAt(object, 'metadata', 'name');
  return typeof name === 'string' && name !== '' ? name : resourceName(resource);
}
