import { Absent, Known, type When } from '../../../value';
import { unreadModule } from '../../../terraform/module/unread-module';
import { declareControllers } from './blueprints-controllers';
import { entriesOf, Given, type Entry } from './given';
import { type ModuleContext } from './module-context';
import { attach, attachGiven, declareRole, serviceTrust } from './roles';

/**
 * A call of aws-ia/eks-blueprints-addons/aws: its EKS add-ons, the controllers of which rules ask something, and the role of Karpenter's nodes. What
 * else it installs by Helm isn't read. Source: aws-ia/terraform-aws-eks-blueprints-addons, main.tf of the tags v1.0.0 to v1.24.3.
 */
export function expandBlueprintsAddons(context: ModuleContext): void {
  context.later(() => {
    declareAll(context);
  });
}

function declareAll(context: ModuleContext): void {
  const { given, call } = context;
  const { entries, more } = entriesOf(given.item('eks_addons'), context.exists);
  for (const entry of entries) declareAddon(context, entry);
  if (more !== undefined) {
    const names = [
      'addon_name',
      'addon_version',
      'configuration_values',
      'resolve_conflicts_on_create',
      'resolve_conflicts_on_update',
      'service_account_role_arn',
    ];
    context.declare(
      'aws_eks_addon.this["?"]',
      { cluster_name: given.item('cluster_name'), ...Object.fromEntries(names.map((name) => [name, more])) },
      more.source,
    );
  }
  // Charts of the user's own aren't seen.
  if (given.item('helm_releases').kind !== 'absent') context.add({ ...unreadModule(call), exists: context.exists });
  const enabled = context.where(given.flag('enable_argocd', false));
  const argoCd = enabled && context.where(given.flag('create_kubernetes_resources', true), enabled);
  if (argoCd !== undefined) declareArgoCd(context, argoCd);
  const karpenter = context.where(given.flag('enable_karpenter', false));
  if (karpenter !== undefined) declareNodes(context, karpenter);
  declareControllers(context);
}

/** What it installs in its turn isn't seen. */
function declareArgoCd(context: ModuleContext, exists: When): void {
  const { call, given } = context;
  const place = call.argumentPlace('enable_argocd');
  const own = new Given(given.item('argocd'), call.argumentPlace('argocd'));
  context.declare(
    'module.argocd.helm_release.this[0]',
    {
      name: own.or('name', context.standard('argo-cd', place)),
      namespace: own.or('namespace', context.standard('argocd', place)),
      chart: own.or('chart', context.standard('argo-cd', place)),
      version: own.item('chart_version'),
      values: own.item('values'),
      set: own.item('set'),
    },
    place,
    exists,
  );
}

const INPUTS = ['addon_version', 'configuration_values', 'preserve', 'service_account_role_arn'];

function declareAddon(context: ModuleContext, { key, value, when }: Entry): void {
  const { given } = context;
  const { source: place } = value;
  const addon = new Given(value, place);
  const index = JSON.stringify(key);
  const name = addon.or('name', new Known(key, place));
  const newest = {
    addon_name: name,
    kubernetes_version: given.item('cluster_version'),
    most_recent: addon.or('most_recent', context.standard(true, place)),
  };
  const found = context.declare(`data.aws_eks_addon_version.this[${index}]`, newest, place, when);
  const conflicts = addon.or('resolve_conflicts', context.standard('OVERWRITE', place));
  const attributes = {
    cluster_name: given.item('cluster_name'),
    addon_name: name,
    addon_version: addon.or('addon_version', context.reference(found, 'version', place)),
    configuration_values: addon.item('configuration_values'),
    service_account_role_arn: addon.item('service_account_role_arn'),
    preserve: addon.or('preserve', context.standard(true, place)),
    resolve_conflicts_on_create: conflicts,
    resolve_conflicts_on_update: conflicts,
  };
  // The one mode is no place for what only updates take: the provider refuses `PRESERVE` for creation.
  const moduleInputs = new Map([
    ...INPUTS.map((name): [string, string] => [name, name]),
    ['resolve_conflicts_on_create', 'resolve_conflicts'],
  ]);
  context.declare(`aws_eks_addon.this[${index}]`, attributes, place, when, {
    moduleInputs,
    inputsAt: `eks_addons[${index}]`,
  });
}

function declareNodes(context: ModuleContext, exists: When): void {
  const { given, call } = context;
  const { place } = call;
  const nodes = new Given(given.item('karpenter_node'), call.argumentPlace('karpenter_node'));
  const created = context.where(nodes.flag('create_iam_role', true), exists);
  if (created === undefined) return;
  const role = declareRole(context, {
    prefix: '',
    label: 'karpenter',
    document: 'karpenter_assume_role',
    trust: [serviceTrust(context, 'ec2.amazonaws.com', ['sts:AssumeRole'], place)],
    name: new Absent(place),
    place,
    exists: created,
  });
  for (const policy of ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly', 'AmazonEKS_CNI_Policy'])
    attach(context, role, '', 'karpenter', policy, context.awsPolicy(policy, place), place);
  attachGiven(context, role, '', 'additional', () => nodes.item('iam_role_additional_policies'));
}
