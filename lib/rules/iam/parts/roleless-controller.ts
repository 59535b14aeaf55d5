import { resourceName, type Judgement } from '../../../engine';
import {
  dataAt,
  isDataMap,
  nodesElsewhereOf,
  type ClusterView,
  type Controller,
  type Data,
  type EksModel,
} from '../../../eks';
import { chartNameOf } from '../../../eks/analysis/chart-accounts';
import { nodesMayDo, otherRoles, othersNodes, placesOf } from './node-permissions';
import { roleElsewhere } from './role-elsewhere';

/*
 * A controller whose chart makes its service account without a role calls AWS with that of its nodes. Source: kubernetes-sigs/aws-load-balancer-controller,
 * docs/deploy/installation.md, "Configure IAM".
 */

/** What the controller calls for every load balancer, whatever its version. */
const ACTION = 'elasticloadbalancing:DescribeLoadBalancers';

/** Undefined where something may give it a role, or its nodes may be others. */
export function judgeRoleless(
  controller: Controller,
  view: ClusterView,
  model: EksModel,
): readonly Judgement<'no-role'>[] | undefined {
  const { resource, account, values, name } = controller;
  const { cluster } = view;
  if (account === undefined || cluster === undefined || !makesAccount(values) || hasCredentials(values))
    return undefined;
  const exists = resource.exists.and(cluster.exists);
  if (exists === undefined || mayBeGiven(controller, view, model)) return undefined;
  const nodes = nodesMayDo(ACTION, view, exists);
  if (nodes.answer !== 'lacking') return undefined;
  const [role] = nodes.roles.keys();
  if (role === undefined) return undefined;
  return [
    {
      verdict: 'fail',
      resource,
      message: 'no-role',
      severity: 'warning',
      data: {
        name,
        controller: resourceName(resource),
        account: `${account.namespace}:${account.name}`,
        role: resourceName(role),
        action: ACTION,
        others: otherRoles(nodes.roles),
      },
      related: placesOf(nodes.roles),
      when: exists,
    },
  ];
}

/** Whether a chart makes the service account by its values, or none, so that its pods have that of the namespace. */
function makesAccount(values: Data | undefined): boolean {
  if (!isDataMap(values)) return false;
  const create = dataAt(values, 'serviceAccount', 'create');
  const name = dataAt(values, 'serviceAccount', 'name');
  return create === undefined || create === true || create === 'true' || (isNo(create) && (name ?? '') === '');
}

function isNo(create: Data): boolean {
  return create === false || create === 'false';
}

/** Whether values may hand keys to the pods, or the annotation of software that gives roles to pods. */
function hasCredentials(values: Data | undefined): boolean {
  return ['env', 'envFrom', 'podAnnotations', 'extraVolumes', 'hostNetwork'].some(
    (key) => dataAt(values, key) !== undefined,
  );
}

function mayBeGiven({ account, resource }: Controller, view: ClusterView, model: EksModel): boolean {
  const installers = view.cluster?.otherInstallers ?? [];
  return (
    account === undefined ||
    installers.length > 0 ||
    view.fargateProfiles.length > 0 ||
    view.patches.length > 0 ||
    resource.kind === 'addon' ||
    roleElsewhere({ ...account, addon: '' }, view, model) !== undefined ||
    othersNodes(view) !== undefined ||
    view.helmReleases.some(({ chart }) => chart.kind !== 'known' || chartNameOf(chart.value) === 'karpenter') ||
    nodesElsewhereOf(view, model).length > 0
  );
}
