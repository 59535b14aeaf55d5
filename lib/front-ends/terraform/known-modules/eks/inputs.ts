import { EKS, EKS_MANAGED_GROUP } from '../names';
import { alternativesOf, type Value } from '../../../../value';
import type { ModuleContext } from '../module-context';
import type { EksArguments } from './eks-arguments';

/*
 * What a call of terraform-aws-modules/eks/aws has for the arguments of the resources that it makes, and for what code refers to. Source: as in
 * names.ts and outputs.ts.
 */

/**
 * What a call has for arguments and blocks of a node group and of its launch template, which stand in one map.
 * @param creates whether the module makes that template; where it doesn't, it ignores what the call says of it
 */
export function groupInputs(
  { versions, release }: ModuleContext,
  creates?: Value<boolean>,
): ReadonlyMap<string, string> {
  const inputs = new Map([
    ...GROUP_ARGUMENTS.map((name): [string, string] => [name, name]),
    ['image_id', 'ami_id'],
    ['scaling_config', ''],
    ...(creates === undefined || surely(creates)
      ? []
      : [['create_launch_template', 'create_launch_template'] as const]),
    ['version', release[0] >= 21 ? 'kubernetes_version' : 'cluster_version'],
  ]);
  // Only what all versions in question read under this name.
  const isRead = (name: string) => versions.candidates.every(([major]) => EKS_MANAGED_GROUP.get(major)?.has(name));
  return new Map([...inputs].filter(([, name]) => name === '' || isRead(name)));
}

function surely(value: Value<boolean>): boolean {
  return alternativesOf(value).every((one) => one.value.kind === 'known' && one.value.value);
}

const GROUP_ARGUMENTS = [
  'ami_type',
  'block_device_mappings',
  'capacity_type',
  'disk_size',
  'enable_bootstrap_user_data',
  'force_update_version',
  'iam_role_attach_cni_policy',
  'instance_types',
  'key_name',
  'labels',
  'metadata_options',
  'remote_access',
  'subnet_ids',
  'update_config',
  'use_custom_launch_template',
  'vpc_security_group_ids',
];

/** The same of a launch template of nodes that the user manages. */
export const SELF_MANAGED_TEMPLATE_INPUTS: ReadonlyMap<string, string> = new Map([
  ['block_device_mappings', 'block_device_mappings'],
  ['image_id', 'ami_id'],
  ['instance_type', 'instance_type'],
  ['key_name', 'key_name'],
  ['metadata_options', 'metadata_options'],
  ['vpc_security_group_ids', 'vpc_security_group_ids'],
]);

/** Where a call of the module has the settings of a group; undefined for a call of the submodule, which has them itself. */
export function groupInputsAt(prefix: string): { readonly inputsAt?: string } {
  const [, kind, key] = /^module\.(\w+)(\["(?:[^"\\]|\\.)*"\])\.$/.exec(prefix) ?? [];
  return kind === undefined || key === undefined ? {} : { inputsAt: `${kind}s${key}` };
}

/** What a call has for arguments of the cluster, but for its version. */
export function clusterInputs(given: EksArguments): [string, string][] {
  const { versions } = given.context;
  return [
    ['addons', 'cluster_addons'],
    ['upgrade_policy', 'cluster_upgrade_policy'],
  ].flatMap(([argument = '', old = '']): [string, string][] => {
    const name = given.name(old);
    return versions.candidates.every(([major]) => EKS.get(major)?.has(name) === true) ? [[argument, name]] : [];
  });
}

/** The outputs that tell of the cluster, by its attributes. */
export const CLUSTER_OUTPUTS: ReadonlyMap<string, string> = new Map([
  ['arn', 'cluster_arn'],
  ['certificate_authority[0].data', 'cluster_certificate_authority_data'],
  ['endpoint', 'cluster_endpoint'],
  ['identity[0].oidc[0].issuer', 'cluster_oidc_issuer_url'],
  ['kubernetes_network_config[0].service_ipv4_cidr', 'cluster_service_cidr'],
  ['name', 'cluster_name'],
  ['version', 'cluster_version'],
  ['vpc_config[0].cluster_security_group_id', 'cluster_primary_security_group_id'],
]);
