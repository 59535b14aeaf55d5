import { Absent, always, flatMapValue, Known } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import type { TerraformValue } from '../../../../terraform/terraform-value';
import { entriesOf, Given, itemsOf, listOf, mapOf, type Attributes } from '../given';
import { inputsWithOneConflictMode, type ModuleContext } from '../module-context';
import { attach, declareRole, roleArn, serviceTrust } from '../roles';
import { isAtLeast } from '../../../../terraform/module/version-constraint';

/**
 * A call of cloudposse/eks-cluster/aws. Its name is made of a label, which isn't read. Source: cloudposse/terraform-aws-eks-cluster,
 * main.tf, iam.tf, variables.tf and outputs.tf of the tags 2.0.0, 2.9.0, 3.0.0, 4.0.0, v4.4.0, v4.7.0, v4.9.0 and v4.11.0.
 */
export function expandCloudposseCluster(context: ModuleContext): void {
  const { given, call } = context;
  const { place } = call;
  const autoMode = new Given(
    given.item('auto_mode_compute_config'),
    call.argumentPlace('auto_mode_compute_config'),
  ).flag('enabled', false);
  const creates = given.flag('create_eks_service_role', true);
  const exists = context.where(creates);
  const role = exists === undefined ? undefined : clusterRole(context, exists, autoMode);
  const ipFamily = flatMapValue(given.flag('kubernetes_network_ipv6_enabled', false), (plain): TerraformValue => {
    if (plain.kind === 'unknown') return plain;
    return plain.kind === 'known' && plain.value ? context.fixed('ipv6', plain.source) : new Absent(plain.source);
  });
  const modes = context.byVersion('access_config', (release) => (isAtLeast(release, 4) ? 'API' : undefined), place);
  const access = new Given(given.item('access_config'), call.argumentPlace('access_config'));
  const cluster = context.declare(
    'aws_eks_cluster.default[0]',
    () => ({
      name: context.unknown('the module makes it of its label'),
      version: given.or('kubernetes_version', context.standard('1.21')),
      role_arn: roleArn(context, creates, role, given.item('eks_cluster_service_role_arn'), place),
      bootstrap_self_managed_addons: given.or(
        'bootstrap_self_managed_addons_enabled',
        context.conditional(autoMode, () => context.standard(false), new Absent(place)),
      ),
      vpc_config: listOf(
        [
          mapOf(
            {
              subnet_ids: given.item('subnet_ids'),
              security_group_ids: clusterGroups(context),
              endpoint_private_access: given.or('endpoint_private_access', context.standard(false)),
            },
            place,
          ),
        ],
        place,
      ),
      kubernetes_network_config: listOf(
        [mapOf({ ip_family: ipFamily, service_ipv4_cidr: given.item('service_ipv4_cidr') }, place)],
        place,
      ),
      access_config: listOf([mapOf({ authentication_mode: access.or('authentication_mode', modes) }, place)], place),
      compute_config: context.conditional(
        autoMode,
        () => mapOf({ enabled: context.fixed(true) }, place),
        new Absent(place),
      ),
      upgrade_policy: given.item('upgrade_policy'),
    }),
    place,
    context.exists,
    { moduleInputs: new Map([['version', 'kubernetes_version']]) },
  );
  const provider = oidcProvider(context, cluster);
  context.later(() => {
    declareAddons(context, cluster);
  });
  for (const name of ['eks_cluster_id', 'eks_cluster_name'])
    context.output(name, () => context.reference(cluster, 'name'));
  context.output('eks_cluster_version', () => given.or('kubernetes_version', context.standard('1.21')));
  context.output('eks_cluster_arn', () => context.reference(cluster, 'arn'));
  context.output('eks_cluster_endpoint', () => context.reference(cluster, 'endpoint'));
  context.output('eks_cluster_certificate_authority_data', () =>
    context.reference(cluster, 'certificate_authority[0].data'),
  );
  context.output('eks_cluster_managed_security_group_id', () =>
    context.reference(cluster, 'vpc_config[0].cluster_security_group_id'),
  );
  context.output('eks_cluster_identity_oidc_issuer', () => context.reference(cluster, 'identity[0].oidc[0].issuer'));
  if (provider !== undefined)
    context.output('eks_cluster_identity_oidc_issuer_arn', () => context.reference(provider, 'arn'));
  if (role !== undefined) context.output('eks_cluster_role_arn', () => context.reference(role, 'arn'));
}

/** Up to version 3 the module makes a group of its own unless told otherwise. */
function clusterGroups(context: ModuleContext): TerraformValue {
  const { given, call } = context;
  const own = itemsOf(given.item('associated_security_group_ids'));
  const makesOne = context.versions.agreed((release) => isAtLeast(release, 4))?.value !== true;
  return listOf(
    [...own, ...(makesOne ? [context.unknown('the security group of the module is not read')] : [])],
    call.place,
  );
}

/** What the role is given besides says who may see load balancers and logs, which nothing here asks for. */
function clusterRole(
  context: ModuleContext,
  exists: TerraformInstance['exists'],
  autoMode: ReturnType<Given['flag']>,
): TerraformInstance {
  const { place } = context.call;
  const trust = [serviceTrust(context, 'eks.amazonaws.com', ['sts:AssumeRole'], place)];
  const role = declareRole(context, {
    prefix: '',
    label: 'default',
    document: 'assume_role',
    trust,
    name: new Absent(place),
    place,
    exists,
  });
  attach(context, role, '', 'amazon_eks_cluster_policy', 0, context.awsPolicy('AmazonEKSClusterPolicy', place), place);
  attach(context, role, '', 'amazon_eks_service_policy', 0, context.awsPolicy('AmazonEKSServicePolicy', place), place);
  const automatic = context.where(autoMode, exists);
  if (automatic !== undefined) {
    for (const policy of [
      'AmazonEKSComputePolicy',
      'AmazonEKSBlockStoragePolicy',
      'AmazonEKSLoadBalancingPolicy',
      'AmazonEKSNetworkingPolicy',
    ])
      attach(context, role, '', 'auto_mode', policy, context.awsPolicy(policy, place), place, automatic);
  }
  return role;
}

function oidcProvider(context: ModuleContext, cluster: TerraformInstance): TerraformInstance | undefined {
  const { place } = context.call;
  const exists = context.where(context.given.flag('oidc_provider_enabled', false));
  if (exists === undefined) return undefined;
  const attributes = {
    url: context.reference(cluster, 'identity[0].oidc[0].issuer'),
    client_id_list: listOf([context.fixed('sts.amazonaws.com')], place),
  };
  return context.declare('aws_iam_openid_connect_provider.default[0]', attributes, place, exists);
}

/** The add-ons are a list. */
function declareAddons(context: ModuleContext, cluster: TerraformInstance): void {
  for (const item of itemsOf(context.given.item('addons'))) {
    if (item.kind !== 'known') {
      const attributes = Object.fromEntries(
        [
          'addon_name',
          'addon_version',
          'configuration_values',
          'resolve_conflicts_on_create',
          'resolve_conflicts_on_update',
          'service_account_role_arn',
        ].map((name) => [name, item]),
      );
      context.declare('aws_eks_addon.cluster["?"]', {
        cluster_name: context.reference(cluster, 'name'),
        ...attributes,
      });
      continue;
    }
    const addon = new Given(item, item.source);
    const name = addon.item('addon_name');
    const key = name.kind === 'known' && typeof name.value === 'string' ? name.value : '?';
    const isRead = (option: string, since: readonly [number, number]): TerraformValue => {
      const read = context.versions.agreed((release) => isAtLeast(release, ...since));
      const value = addon.item(option);
      return read?.value === true || value.kind === 'absent'
        ? value
        : read === undefined
          ? context.unknown(context.differs(option), item.source)
          : new Absent(item.source);
    };
    context.declare(
      `aws_eks_addon.cluster[${JSON.stringify(key)}]`,
      {
        cluster_name: context.reference(cluster, 'name', item.source),
        addon_name: name,
        addon_version: addon.item('addon_version'),
        configuration_values: isRead('configuration_values', [2, 9]),
        service_account_role_arn: addon.item('service_account_role_arn'),
        preserve: isRead('preserve', [4, 11]),
        pod_identity_association: associations(isRead('pod_identity_association', [4, 7])),
        ...conflictsOf(context, addon),
      },
      item.source,
      undefined,
      hasOneConflictMode(context) === true
        ? {
            moduleInputs: inputsWithOneConflictMode([
              'addon_version',
              'configuration_values',
              'service_account_role_arn',
            ]),
          }
        : {},
    );
  }
}

/** Service accounts with their roles. */
function associations(map: TerraformValue): TerraformValue {
  return flatMapValue(map, (plain): TerraformValue => {
    if (plain.kind !== 'known') return plain;
    const { entries, more } = entriesOf(plain, always);
    const blocks = entries.map(({ key, value }) =>
      mapOf({ service_account: new Known(key, value.source), role_arn: value }, value.source),
    );
    return more ?? listOf(blocks, plain.source);
  });
}

/** Undefined if the versions that are allowed differ. */
function hasOneConflictMode({ versions }: ModuleContext): boolean | undefined {
  return versions.agreed((release) => !isAtLeast(release, 3))?.value;
}

/** Version 2 has one setting for both occasions, which later ones still accept in part. */
function conflictsOf(context: ModuleContext, addon: Given): Attributes {
  const both = addon.item('resolve_conflicts');
  const hasOne = hasOneConflictMode(context);
  if (hasOne === true) return { resolve_conflicts: both };
  const other =
    hasOne === undefined || both.kind !== 'absent'
      ? context.unknown(
          hasOne === undefined
            ? context.differs('resolve_conflicts')
            : 'what the module makes of `resolve_conflicts` is not read',
          addon.place,
        )
      : new Absent(addon.place);
  return {
    resolve_conflicts_on_create: addon.or('resolve_conflicts_on_create', other),
    resolve_conflicts_on_update: addon.or('resolve_conflicts_on_update', other),
  };
}
