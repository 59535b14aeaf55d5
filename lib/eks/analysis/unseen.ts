import type { Deed } from '../model/resources';
import type { ClusterView } from '../model/model';
import { resourceName } from '../model/resource-name';
import type { PodIdentityAssociation } from '../model/resources';
import type { Resource } from '../../value';

/*
 * "Nothing here does it" is said of what the input shows. What gets the cluster and isn't looked into may do it, and so may what does it for a cluster of
 * which nothing tells whether it is this one: the parts of a configuration that lies beside it, and has the name from a variable.
 */

/** Who may do something to a cluster, as the beginning of a reason: `module.addons, which isn't here and is given it,`. */
export function outsiderFor({ cluster }: ClusterView, deed: Deed): string | undefined {
  return cluster?.outsiders?.find((one) => one.may(deed))?.who;
}

/** Why something that a part does may be done to another cluster. */
export function strayDoubt(part: Resource): string {
  return `whether ${resourceName(part)} is of the same cluster isn't known`;
}

/** Associations of clusters of which one may be this one. */
export function strayAssociations({ strays }: ClusterView): readonly PodIdentityAssociation[] {
  return strays.flatMap(({ podIdentityAssociations }) => podIdentityAssociations);
}
