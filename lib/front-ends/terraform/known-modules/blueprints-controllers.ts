import { alternativesOf, flatMapValue, Known, sourceOf, Unknown, type Plain, type When } from '../../../value';
import { blueprintsAutoscalerImage, blueprintsChart } from '../../../knowledge';
import type { TerraformInstance } from '../../../terraform/instance';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import { Given, itemsOf, listOf, mapOf } from './given';
import type { ModuleContext } from './module-context';
import { modulePolicy } from './module-policy';
import { attach, attachGiven, declareRole } from './roles';
import { trustStatement } from './service-account-role';

/** A controller that the blueprints install: a Helm release, with a role for its service account. */
interface BlueprintsController {
  /** As the variable calls it that has its settings, with `enable_` before it. */
  readonly name: string;
  /** Also the name of its release. */
  readonly chart: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Where the chart has the settings of its service account. */
  readonly accountAt: string;
  /** Values that the module writes where the call has none. */
  readonly values?: string;
  /** The zones without which it gets no role. */
  readonly zones?: string;
  /** What else the module sets in the chart. */
  settings(context: ModuleContext): readonly (readonly [name: string, value: TerraformValue])[];
}

/** Source: aws-ia/terraform-aws-eks-blueprints-addons, main.tf of the tags v1.0.0 to v1.24.3; what changes with them is in the tables. */
const CONTROLLERS: readonly BlueprintsController[] = [
  {
    name: 'aws_load_balancer_controller',
    chart: 'aws-load-balancer-controller',
    namespace: 'kube-system',
    serviceAccount: 'aws-load-balancer-controller-sa',
    accountAt: 'serviceAccount',
    settings: ({ given }) => [['clusterName', given.item('cluster_name')]],
  },
  {
    name: 'external_dns',
    chart: 'external-dns',
    namespace: 'external-dns',
    serviceAccount: 'external-dns-sa',
    accountAt: 'serviceAccount',
    values: 'provider: aws',
    zones: 'external_dns_route53_zone_arns',
    settings: () => [],
  },
  {
    name: 'cluster_autoscaler',
    chart: 'cluster-autoscaler',
    namespace: 'kube-system',
    serviceAccount: 'cluster-autoscaler-sa',
    accountAt: 'rbac.serviceAccount',
    settings: (context) => [
      ['awsRegion', regionOf(context)],
      ['autoDiscovery.clusterName', context.given.item('cluster_name')],
      ['image.tag', autoscalerImage(context)],
    ],
  },
  {
    name: 'karpenter',
    chart: 'karpenter',
    namespace: 'karpenter',
    serviceAccount: 'karpenter',
    accountAt: 'serviceAccount',
    settings: ({ given }) => [['settings.clusterName', given.item('cluster_name')]],
  },
];

/** The controllers that a call of aws-ia/eks-blueprints-addons/aws enables. */
export function declareControllers(context: ModuleContext): void {
  for (const controller of CONTROLLERS) {
    const exists = context.where(context.given.flag(`enable_${controller.name}`, false));
    if (exists !== undefined) declareController(context, controller, exists);
  }
}

function declareController(context: ModuleContext, controller: BlueprintsController, exists: When): void {
  const { given, call } = context;
  const { name, zones } = controller;
  const place = call.argumentPlace(`enable_${name}`);
  const own = new Given(given.item(name), call.argumentPlace(name));
  const account: Account = {
    namespace: textOf(context, own, 'namespace', controller.namespace),
    name: textOf(context, own, 'service_account_name', controller.serviceAccount),
  };
  const wanted = own.flag('create_role', true);
  const hasZones = zones === undefined ? 'yes' : isFilled(given.item(zones));
  const created = hasZones === 'no' ? undefined : context.where(wanted, exists);
  const role = created === undefined ? undefined : declareControllerRole(context, controller, own, account, created);
  if (role !== undefined && hasZones === 'maybe')
    attach(context, role, `module.${name}.`, 'this', '?', context.unknown(`${zones ?? ''} is not known`, place), place);
  const released = context.where(given.flag('create_kubernetes_resources', true), exists);
  if (released === undefined) return;
  const arn =
    hasZones !== 'maybe' && alternativesOf(wanted).every(({ value }) => value.kind === 'known')
      ? role && context.reference(role, 'arn', place)
      : context.unknown('whether it has a role is not known', place);
  const set = (setting: string, value: TerraformValue): TerraformValue =>
    mapOf({ name: context.fixed(setting, place), value }, place);
  context.declare(
    `module.${name}.helm_release.this[0]`,
    () => ({
      name: own.or('name', context.standard(controller.chart, place)),
      namespace: account.namespace,
      chart: own.or('chart', context.standard(controller.chart, place)),
      version: own.or(
        'chart_version',
        context.byVersion(`\`${name}.chart_version\``, (release) => blueprintsChart(name, release.join('.')), place),
      ),
      repository: own.item('repository'),
      values: own.or(
        'values',
        listOf(controller.values === undefined ? [] : [context.standard(controller.values, place)], place),
      ),
      set: settingsOf(
        [
          ...controller.settings(context).map(([setting, value]) => set(setting, value)),
          set(`${controller.accountAt}.name`, account.name),
        ],
        own.item('set'),
        arn === undefined ? [] : [set(`${controller.accountAt}.annotations.eks\\.amazonaws\\.com/role-arn`, arn)],
        context,
      ),
      set_sensitive: own.item('set_sensitive'),
    }),
    place,
    released,
    { moduleInputs: new Map([['version', 'chart_version']]), inputsAt: name },
  );
}

interface Account {
  readonly namespace: Plain<string>;
  readonly name: Plain<string>;
}

function declareControllerRole(
  context: ModuleContext,
  { name }: BlueprintsController,
  own: Given,
  account: Account,
  exists: When,
): TerraformInstance {
  const { given, call } = context;
  const { place } = call;
  const prefix = `module.${name}.`;
  const provider = mapOf(
    {
      provider_arn: given.item('oidc_provider_arn'),
      namespace_service_accounts: listOf([context.text([account.namespace, ':', account.name], place)], place),
    },
    place,
  );
  const more = own.item('trust_policy_statements');
  const role = declareRole(context, {
    prefix,
    label: 'this',
    document: 'assume',
    trust: () => [trustStatement(context, new Given(provider, place), context.fixed('StringEquals')), ...itemsOf(more)],
    name: () =>
      flatMapValue(
        own.flag('role_name_use_prefix', true),
        (plain): TerraformValue =>
          plain.kind === 'known' && !plain.value
            ? own.item('role_name')
            : context.unknown('it has a prefix only', place),
      ),
    place,
    exists,
  });
  const creates = context.where(own.flag('create_policy', true), exists);
  if (creates !== undefined) {
    const policy = modulePolicy(context, 'eks-blueprints-addons', name, {
      address: `${prefix}aws_iam_policy.this[0]`,
      place,
      exists: creates,
      documents: {
        source_policy_documents: own.item('source_policy_documents'),
        override_policy_documents: own.item('override_policy_documents'),
      },
      more: itemsOf(own.item('policy_statements')),
    });
    attach(context, role, prefix, 'this', 0, policy, place, creates);
  }
  attachGiven(context, role, prefix, 'additional', () => own.item('role_policies'));
  return role;
}

/** The module's settings, those of the call behind them, and last the role. */
function settingsOf(
  before: readonly TerraformValue[],
  given: TerraformValue,
  after: readonly TerraformValue[],
  context: ModuleContext,
): TerraformValue {
  const { place } = context.call;
  if (given.kind === 'unknown') return given;
  if (given.kind === 'choice') return context.unknown('its settings depend on conditions', sourceOf(given));
  return listOf([...before, ...itemsOf(given), ...after], place);
}

function textOf(context: ModuleContext, own: Given, key: string, standard: string): Plain<string> {
  const value = asText(own.or(key, context.standard(standard, own.place)));
  return value.kind === 'choice' ? new Unknown('it depends on conditions', sourceOf(value)) : value;
}

function isFilled(list: TerraformValue): 'yes' | 'no' | 'maybe' {
  if (list.kind === 'unknown' || list.kind === 'choice') return 'maybe';
  return list.kind === 'known' && itemsOf(list).length > 0 ? 'yes' : 'no';
}

function regionOf({ call: { region, place } }: ModuleContext): TerraformValue {
  return region === undefined ? new Unknown('the region is not known', place) : new Known(region, place);
}

/** An image for the Kubernetes version, or the first patch of that version where the module knows none. */
function autoscalerImage(context: ModuleContext): TerraformValue {
  const { given, call } = context;
  const own = new Given(given.item('cluster_autoscaler'), call.argumentPlace('cluster_autoscaler'));
  const place = call.argumentPlace('cluster_version');
  return own.or(
    'image_tag_override',
    flatMapValue(asText(given.item('cluster_version')), (plain): TerraformValue => {
      if (plain.kind !== 'known') return context.unknown('the version of the cluster is not known', place);
      return context.byVersion(
        'the image of the Cluster Autoscaler',
        (release) => blueprintsAutoscalerImage(plain.value, release.join('.')) ?? `v${plain.value}.0`,
        place,
      );
    }),
  );
}
