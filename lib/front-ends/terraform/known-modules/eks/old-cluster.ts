import { Absent, alternativesOf, Known, Unknown } from '../../../../value';
import { urlSuffixOf } from '../../../../knowledge/partition';
import type { TerraformInstance } from '../../../../terraform/instance';
import { unreadModule } from '../../../../terraform/module/unread-module';
import { TerraformMap, type TerraformItem, type TerraformValue } from '../../../../terraform/terraform-value';
import { itemsOf, listOf } from '../given';
import type { ModuleContext } from '../module-context';

/**
 * The cluster of `terraform-aws-modules/eks/aws` before version 18: its name, its version, what these versions never set, and its identity provider. Nothing
 * else of them is read. Source: cluster.tf, irsa.tf, local.tf, main.tf, variables.tf and outputs.tf of the tags v12.0.0, v12.2.0, v13.0.0, v13.2.1, v14.0.0, v15.2.0, v16.2.0,
 * v17.0.0 and v17.24.0.
 */
export function expandOldCluster(context: ModuleContext): void {
  const { call, given } = context;
  const { address, place } = call;
  const rest = new Unknown(`${context.title} isn't read beyond its cluster's name and version`, place);
  const name = given.item('cluster_name');
  const version = given.or(
    'cluster_version',
    context.byVersion('cluster_version', ([major]) => (major === 12 ? '1.16' : undefined), place),
  );
  const attributes = new Map<string, TerraformValue>([
    ...NEVER_SET.map((attribute): [string, TerraformValue] => [attribute, new Absent(place)]),
    ['name', name],
    ['version', version],
  ]);
  const cluster = context.declare('aws_eks_cluster.this[0]', {}, place, context.exists, {
    attributes: new Known<TerraformItem>(new TerraformMap(attributes, rest), place),
    moduleInputs: new Map([['version', 'cluster_version']]),
  });
  context.add({ ...unreadModule(call), exists: context.exists });
  const isNamed = alternativesOf(name).every(({ value }) => value.kind === 'known');
  context.output('cluster_id', () => (isNamed ? name : context.reference(cluster, 'id')));
  context.output('cluster_version', () =>
    version.kind === 'absent' ? context.reference(cluster, 'version') : version,
  );
  for (const [output, attribute] of OUTPUTS) context.output(output, () => context.reference(cluster, attribute));
  const provider = declareProvider(context, cluster);
  if (provider !== undefined) context.output('oidc_provider_arn', () => context.reference(provider, 'arn'));
  context.skip(
    `of ${address} only the name${provider === undefined ? ' and the version' : ', the version and the identity provider'} of the cluster are known, its node groups and the rest aren't checked: ${context.title} isn't here, and is older than the versions that are read`,
  );
}

/**
 * The provider knows STS by its domain in the partition, in version 12 by that of the commercial one everywhere; late versions take further audiences.
 */
function declareProvider(context: ModuleContext, cluster: TerraformInstance): TerraformInstance | undefined {
  const { call, given } = context;
  const { place, region } = call;
  const exists = context.where(given.flag('enable_irsa', false));
  if (exists === undefined) return undefined;
  const suffix = region === undefined ? undefined : urlSuffixOf(region);
  const inPartition = suffix === undefined ? context.text(['sts.', context.domain]) : context.fixed(`sts.${suffix}`);
  const own = context.inEach<TerraformItem>(
    'client_id_list',
    ([major]) => (major === 12 ? context.fixed('sts.amazonaws.com') : inPartition),
    place,
  );
  return context.declare(
    'aws_iam_openid_connect_provider.oidc_provider[0]',
    () => ({
      url: context.reference(cluster, 'identity[0].oidc[0].issuer', place),
      client_id_list: listOf([own, ...itemsOf(given.item('openid_connect_audiences'))], place),
    }),
    place,
    exists,
  );
}

const NEVER_SET = [
  'access_config',
  'bootstrap_self_managed_addons',
  'compute_config',
  'outpost_config',
  'upgrade_policy',
];

const OUTPUTS: readonly (readonly [output: string, attribute: string])[] = [
  ['cluster_arn', 'arn'],
  ['cluster_endpoint', 'endpoint'],
  ['cluster_certificate_authority_data', 'certificate_authority[0].data'],
  ['cluster_primary_security_group_id', 'vpc_config[0].cluster_security_group_id'],
  ['cluster_oidc_issuer_url', 'identity[0].oidc[0].issuer'],
];
