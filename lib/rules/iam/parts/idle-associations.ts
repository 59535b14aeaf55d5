import { resourceName } from '../../../engine';
import {
  alternativesOf,
  dataAt,
  Unknown,
  type ClusterView,
  type EksModel,
  type HelmRelease,
  type PodIdentityAssociation,
  type Resource,
} from '../../../eks';
import { isText } from '../../../eks/analysis/addon';
import { admissionsOf, type ServiceAccount } from '../../../eks/analysis/identity';
import { chartNameOf } from '../../../eks/analysis/chart-accounts';
import { roleUsesOf, type RoleUse } from '../../../eks/analysis/role-uses';
import { workloadsOf } from '../../../eks/analysis/workloads';
import { serviceAccountSubject } from '../../../eks/iam';

/*
 * Modules make associations by themselves, for a namespace in which nothing runs where the controller is installed elsewhere and
 * gets its role by the annotation of its service account: terraform-aws-modules/eks//modules/karpenter has one for kube-system.
 */

/** The associations that no pod of the input uses, because those that are meant run in another namespace and have a role there; and why. */
export function idleAssociations(view: ClusterView, model: EksModel): ReadonlyMap<Resource, string> {
  const idle = new Map<Resource, string>();
  if (view.podIdentityAssociations.length === 0) return idle;
  const views = [view, ...view.strays];
  const uses = views.flatMap((one) => usesOf(model).get(one) ?? []);
  for (const association of view.podIdentityAssociations) {
    const { namespace, serviceAccount } = association;
    if (namespace.kind !== 'known' || serviceAccount.kind !== 'known') continue;
    const account = { namespace: namespace.value, name: serviceAccount.value };
    if (views.some((one) => mayRunAs(account, one))) continue;
    const instead = uses.find((use) => isInstead(use, association, account));
    const [other] = instead?.accounts ?? [];
    const hidden = views.flatMap(({ helmReleases }) => helmReleases).find((release) => mayBeInstead(release, account));
    if (hidden !== undefined)
      idle.set(
        association,
        `whether pods use ${resourceName(association)} is not known: ${resourceName(hidden)} is in another namespace, and its values, which may give it a service account role, are not known`,
      );
    if (instead !== undefined && other !== undefined)
      idle.set(
        association,
        `whether pods use ${resourceName(association)} is not known: ${resourceName(instead.user)} runs as ${serviceAccountSubject(other.namespace, other.name)}, with a service account role of its own`,
      );
  }
  return idle;
}

/** By models: each cluster asks. */
const byView = new WeakMap<EksModel, ReadonlyMap<ClusterView | undefined, readonly RoleUse[]>>();

function usesOf(model: EksModel): ReadonlyMap<ClusterView | undefined, readonly RoleUse[]> {
  const known = byView.get(model);
  if (known !== undefined) return known;
  const found = new Map<ClusterView | undefined, RoleUse[]>();
  for (const use of roleUsesOf(model)) {
    const view = model.findView(use.user);
    const uses = found.get(view);
    if (uses === undefined) found.set(view, [use]);
    else uses.push(use);
  }
  byView.set(model, found);
  return found;
}

/** Whether something is surely the controller that the association is for, elsewhere and with a role that serves it there. */
function isInstead(
  { user, role, accounts, open, unsure, when }: RoleUse,
  { role: given }: PodIdentityAssociation,
  account: ServiceAccount,
): boolean {
  const [own, other] = accounts;
  if (role === undefined || own === undefined || other !== undefined || open !== undefined || unsure !== undefined)
    return false;
  if (own.name !== account.name || own.namespace === account.namespace) return false;
  const isSameRole = alternativesOf(given).some(({ value }) => value.kind === 'known' && value.value.target === role);
  if (!isSameRole && !(isRelease(user) && isChartOf(user, account.name))) return false;
  return admissionsOf(role, accounts).some(
    (admission) => admission.admitted === 'yes' && when.and(role.exists)?.and(admission.when) !== undefined,
  );
}

function isRelease(resource: Resource): resource is HelmRelease {
  return 'kind' in resource && resource.kind === 'helm-release';
}

/** Whether a release is of the chart whose controller a service account is called after: of these a cluster has one. */
function isChartOf({ chart }: HelmRelease, name: string): boolean {
  return chart.kind === 'known' && chartNameOf(chart.value)?.includes(name) === true;
}

/** Whether the controller is elsewhere, by a release whose values may give it a role. */
function mayBeInstead(release: HelmRelease, { namespace, name }: ServiceAccount): boolean {
  return (
    isChartOf(release, name) &&
    isText(release.namespace, namespace) === 'no' &&
    (release.values instanceof Unknown || dataAt(release.values, 'serviceAccount') instanceof Unknown)
  );
}

/** Whether pods of the input run as a service account, or perhaps do. */
function mayRunAs({ namespace, name }: ServiceAccount, view: ClusterView): boolean {
  return (
    workloadsOf(view).some((workload) => workload.namespace === namespace && workload.serviceAccount === name) ||
    view.helmReleases.some((release) => isText(release.namespace, namespace) !== 'no' && mayBeChartOf(release, name))
  );
}

/** Whether a chart names its service account so, or is called so. */
function mayBeChartOf({ chart, values }: HelmRelease, name: string): boolean {
  return (
    dataAt(values, 'serviceAccount', 'name') === name ||
    alternativesOf(chart).some(
      ({ value }) => value.kind !== 'known' || chartNameOf(value.value)?.includes(name) !== false,
    )
  );
}
