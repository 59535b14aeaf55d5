import { type Data, dataAt, type Source, Unknown, type When } from '../../value';
import { chartsIn, releaseAccounts, type ChartRelease } from './chart-accounts';
import type { ServiceAccount } from './identity';
import type { ClusterView } from '../model/model';
import type { HelmRelease, KubernetesManifest } from '../model/resources';

/*
 * A service account has the role that its annotation names, whoever wrote it: an add-on leaves annotations alone that it has not set itself. Sources: aws/amazon-eks-pod-identity-webhook,
 * README; Amazon EKS user guide, "Determine fields you can customize for Amazon EKS add-ons"; hashicorp/terraform-provider-kubernetes, kubernetes_annotations.
 */

/** With it a service account names the role that its pods assume. */
export const ROLE_ANNOTATION = 'eks.amazonaws.com/role-arn';

const byView = new WeakMap<ClusterView, ReadonlyMap<string, KubernetesManifest>>();

/** The object that gives the service account of a cluster a role by an annotation, or may do so, of those of which the cluster isn't known. */
export function annotatedAccount(
  { namespace, name }: ServiceAccount,
  view: ClusterView,
): KubernetesManifest | undefined {
  for (const one of [view, ...view.strays]) {
    const accounts = accountsIn(one);
    const found = accounts.get(`${namespace}/${name}`) ?? accounts.get(`/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function accountsIn(view: ClusterView): ReadonlyMap<string, KubernetesManifest> {
  let found = byView.get(view);
  if (found === undefined) byView.set(view, (found = readAnnotated(view)));
  return found;
}

/** By namespace and name; without a namespace where that is decided when a manifest is applied. */
function readAnnotated({ manifests }: ClusterView): ReadonlyMap<string, KubernetesManifest> {
  const found = new Map<string, KubernetesManifest>();
  for (const manifest of manifests) {
    if (dataAt(manifest.object, 'kind') !== 'ServiceAccount') continue;
    const role = dataAt(manifest.object, 'metadata', 'annotations', ROLE_ANNOTATION);
    if (!(role instanceof Unknown) && (typeof role !== 'string' || role === '')) continue;
    const [name, namespace] = ['name', 'namespace'].map((key) => dataAt(manifest.object, 'metadata', key));
    const place = namespace ?? (manifest.dialect.name === 'kubernetes' ? undefined : 'default');
    if (typeof name === 'string') found.set(`${typeof place === 'string' ? place : ''}/${name}`, manifest);
  }
  return found;
}

/** The service accounts of manifests and Helm releases with what their annotation for a role says. */
export interface AnnotatedAccount {
  readonly user: KubernetesManifest | HelmRelease;
  readonly annotation: Data;
  readonly name: Data | undefined;
  readonly source: Source;
  readonly when: When;
}

/** Those of a cluster that are surely made. */
export function* annotatedAccounts({ manifests, helmReleases }: ClusterView): Generator<AnnotatedAccount> {
  for (const manifest of manifests) {
    const { object, source, exists } = manifest;
    for (const release of chartsIn(manifest)) yield* annotatedIn(manifest, release);
    const annotation = dataAt(object, 'metadata', 'annotations', ROLE_ANNOTATION);
    if (dataAt(object, 'kind') !== 'ServiceAccount' || annotation === undefined) continue;
    const place = manifest.placeIn?.('metadata', 'annotations', ROLE_ANNOTATION) ?? source;
    yield { user: manifest, annotation, name: dataAt(object, 'metadata', 'name'), source: place, when: exists };
  }
  for (const release of helmReleases) yield* annotatedIn(release, release);
}

function* annotatedIn(user: KubernetesManifest | HelmRelease, release: ChartRelease): Generator<AnnotatedAccount> {
  for (const { settings, name, unsure, when: made } of releaseAccounts(release)) {
    const annotation = dataAt(settings, 'annotations', ROLE_ANNOTATION);
    const when = user.exists.and(made);
    if (annotation === undefined || unsure !== undefined || when === undefined) continue;
    yield { user, annotation, name, source: user.source, when };
  }
}
