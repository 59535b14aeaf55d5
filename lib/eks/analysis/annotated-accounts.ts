import { dataAt, Unknown } from '../../value';
import type { ServiceAccount } from './identity';
import type { ClusterView } from '../model/model';
import type { KubernetesManifest } from '../model/resources';
import { ROLE_ANNOTATION } from './role-uses';

/*
 * A service account has the role that its annotation names, whoever wrote it: an add-on leaves annotations alone that it has not set itself. Sources: aws/amazon-eks-pod-identity-webhook,
 * README; Amazon EKS user guide, "Determine fields you can customize for Amazon EKS add-ons"; hashicorp/terraform-provider-kubernetes, kubernetes_annotations.
 */

const byView = new WeakMap<ClusterView, ReadonlyMap<string, KubernetesManifest>>();

/** The object that gives the service account of a cluster a role by an annotation, or may do so, of those of which the cluster isn't known. */
export function annotatedAccount(
  { namespace, name }: ServiceAccount,
  view: ClusterView,
): KubernetesManifest | undefined {
  for (const one of [view, ...view.strays]) {
    const found = annotatedIn(one).get(`${namespace}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function annotatedIn(view: ClusterView): ReadonlyMap<string, KubernetesManifest> {
  let found = byView.get(view);
  if (found === undefined) byView.set(view, (found = readAnnotated(view)));
  return found;
}

function readAnnotated({ manifests }: ClusterView): ReadonlyMap<string, KubernetesManifest> {
  const found = new Map<string, KubernetesManifest>();
  for (const manifest of manifests) {
    if (dataAt(manifest.object, 'kind') !== 'ServiceAccount') continue;
    const role = dataAt(manifest.object, 'metadata', 'annotations', ROLE_ANNOTATION);
    if (!(role instanceof Unknown) && (typeof role !== 'string' || role === '')) continue;
    const [name, namespace] = ['name', 'namespace'].map((key) => dataAt(manifest.object, 'metadata', key));
    if (typeof name === 'string')
      found.set(`${typeof namespace === 'string' ? namespace : 'default'}/${name}`, manifest);
  }
  return found;
}
