import { resourceName, type Judgement } from '../../../engine';
import {
  alternativesOf,
  nodeRoleOf,
  otherCniAt,
  type Addon,
  type Cluster,
  type ClusterView,
  type EksModel,
  type NodeGroup,
  type Role,
  type When,
} from '../../../eks';
import { cniIdentities, isDedicated, runsWindows } from '../../../eks/analysis/cni';
import { hasCniPermissions } from '../../../eks/analysis/cni-permissions';
import { permissionCases } from '../../../eks/iam';
import { orderOf, ORDER_IN_NEWER } from './addon-order';

/*
 * An add-on that waits for nodes brings aws-node its role too late for them: without permissions on their own role they never become Ready, and a managed
 * group is only there when they are. Source: terraform-aws-modules/terraform-aws-eks, examples/eks_managed_node_group of v19.0.0, which has the policy
 * attached first and taken off afterwards; aws/containers-roadmap issue 1666.
 */

/** Nodes that can't start before the add-on, which waits for them. */
export function* judgeLateRoles(model: EksModel): Generator<Judgement<'late'>> {
  for (const view of model.clusterViews) {
    const { cluster } = view;
    if (cluster === undefined || hasItAlready(cluster) || !hasOwnCni(cluster)) continue;
    for (const identity of cniIdentities(model, view)) {
      const { addon } = identity;
      // Without a role that is known to be one, what aws-node runs as is for the others to say.
      if (addon === undefined || !isDedicated(identity) || identity.holder !== addon) continue;
      for (const nodeGroup of view.nodeGroups)
        if (addon.waitsFor?.(nodeGroup) === true && startsSome(nodeGroup) && !runsWindows(nodeGroup, view))
          yield* judgeGroup({ view, cluster, addon, nodeGroup, when: identity.when });
    }
  }
}

interface Late {
  readonly view: ClusterView;
  readonly cluster: Cluster;
  readonly addon: Addon;
  readonly nodeGroup: NodeGroup;
  readonly when: When;
}

function* judgeGroup(late: Late): Generator<Judgement<'late'>> {
  const { view, nodeGroup } = late;
  const exists = late.when.and(nodeGroup.exists);
  for (const { when: given, value } of alternativesOf(nodeRoleOf(nodeGroup))) {
    const role = value.kind === 'known' ? value.value.target : undefined;
    if (role === undefined) continue;
    for (const { when: held, permissions } of permissionCases(role)) {
      const when = exists?.and(given)?.and(held)?.and(role.exists);
      if (when === undefined || hasCniPermissions(permissions) !== 'denied' || otherCniAt(view, when) !== undefined)
        continue;
      yield failure(late, role, when);
    }
  }
}

function failure(late: Late, role: Role, when: When): Judgement<'late'> {
  const { cluster, addon, nodeGroup } = late;
  const order = orderOf(role, { ...late, users: [nodeGroup] });
  const attach = 'AmazonEKS_CNI_Policy` (IPv4) to the role of the nodes';
  return {
    verdict: 'fail',
    resource: addon,
    message: 'late',
    // Whoever has made the cluster with the policy, and taken it off then, has one that works.
    severity: cluster.planned?.action === 'create' ? 'error' : 'warning',
    data: {
      addon: resourceName(addon),
      nodeGroup: resourceName(nodeGroup),
      role: resourceName(role),
      advice:
        order === undefined
          ? `Attach \`${attach}: the module of the add-on has no setting that creates it before them. ${ORDER_IN_NEWER}`
          : `Create the add-on before the nodes${order}, and not after them. Or attach \`${attach}, too.`,
    },
    about: nodeGroup.id,
    related: [
      { message: `${resourceName(nodeGroup)}, for which the add-on waits`, source: nodeGroup.source },
      { message: `${resourceName(role)}, without permissions of the VPC CNI`, source: role.source },
    ],
    when,
  };
}

function hasItAlready({ planned }: Cluster): boolean {
  return planned?.action === 'update' || planned?.action === 'none';
}

/** Whether EKS puts an aws-node into the cluster, which runs with the role of the nodes; where it doesn't, cluster-network-addons tells of the order. */
function hasOwnCni({ bootstrapSelfManagedAddons }: Cluster): boolean {
  return alternativesOf(bootstrapSelfManagedAddons).every(
    ({ value }) => value.kind === 'absent' || (value.kind === 'known' && value.value),
  );
}

/** A group without nodes is there at once. What says no number starts some. */
function startsSome({ desiredSize, minSize }: NodeGroup): boolean {
  const isSome = (size: NodeGroup['minSize'], whenAbsent: () => boolean): boolean =>
    alternativesOf(size).every(({ value }) =>
      value.kind === 'absent' ? whenAbsent() : value.kind === 'known' && Number(value.value) > 0,
    );
  return isSome(desiredSize, () => isSome(minSize, () => true));
}
