import { resourceName, type RelatedPlace } from '../../../engine';
import {
  alternativesOf,
  dataAt,
  nodeRoleOf,
  type AnyNodeGroup,
  type ClusterView,
  type Role,
  type When,
} from '../../../eks';
import { runsWindows } from '../../../eks/analysis/cni';
import { permissionCases } from '../../../eks/iam';
import { listOf } from '../../../text/in-words';
import { showsPolicies } from './given-roles';

/*
 * Pods without a role of their own may do what the nodes may that they run on.
 */

/** Whether an action is allowed to the nodes of a cluster: `lacking` has the roles of all, by a group of each. */
type NodesMay =
  | { readonly answer: 'allowed' }
  | { readonly answer: 'no-nodes' }
  | { readonly answer: 'unknown'; readonly reason: string }
  | { readonly answer: 'lacking'; readonly roles: ReadonlyMap<Role, AnyNodeGroup> };

/** One group whose role may do it is enough: pods can be told to run there. */
export function nodesMayDo(action: string, view: ClusterView, exists: When): NodesMay {
  const roles = new Map<Role, AnyNodeGroup>();
  for (const nodeGroup of [...view.nodeGroups, ...view.selfManagedNodeGroups]) {
    if (nodeGroup.exists.and(exists) === undefined || runsWindows(nodeGroup, view)) continue;
    for (const { value } of alternativesOf(nodeRoleOf(nodeGroup))) {
      const role = value.kind === 'known' ? value.value.target : undefined;
      if (role === undefined || !showsPolicies(role))
        return { answer: 'unknown', reason: `what the role of ${resourceName(nodeGroup)} may do isn't known` };
      const answers = permissionCases(role).map(({ permissions }) => permissions.allows(action));
      if (answers.includes('allowed')) return { answer: 'allowed' };
      if (answers.includes('unknown'))
        return { answer: 'unknown', reason: `the permissions of node role ${resourceName(role)} are not all known` };
      if (!roles.has(role)) roles.set(role, nodeGroup);
    }
  }
  return roles.size === 0 ? { answer: 'no-nodes' } : { answer: 'lacking', roles };
}

/** The roles in words, for behind the first of them; empty if there is no other. */
export function otherRoles(roles: ReadonlyMap<Role, AnyNodeGroup>): string {
  const [, ...others] = roles.keys();
  return others.length === 0 ? '' : `, nor may ${listOf(others.map(resourceName))}`;
}

export function placesOf(roles: ReadonlyMap<Role, AnyNodeGroup>): readonly RelatedPlace[] {
  return [...roles].map(([one, nodeGroup]) => ({
    message: `the nodes of ${resourceName(nodeGroup)} run with ${resourceName(one)}`,
    source: nodeGroup.source,
  }));
}

/** Why pods of a cluster may run on nodes that none of its groups has. */
export function othersNodes(view: ClusterView): string | undefined {
  const hasAutoMode =
    view.cluster !== undefined &&
    alternativesOf(view.cluster.autoMode).some(
      ({ value }) => value.kind === 'unknown' || (value.kind === 'known' && value.value),
    );
  if (hasAutoMode) return 'its pods may run on nodes of EKS Auto Mode';
  const karpenter = view.manifests.find(({ object }) => isOfKarpenter(dataAt(object, 'apiVersion')));
  return karpenter === undefined ? undefined : `its pods may run on nodes of Karpenter (${resourceName(karpenter)})`;
}

function isOfKarpenter(apiVersion: unknown): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith('karpenter.');
}
