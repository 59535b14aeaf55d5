import { alternativesOf, Known, Unknown, type Source } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import { TerraformMap, type TerraformItem, type TerraformValue } from '../../../../terraform/terraform-value';
import { mapOf } from '../given';
import { withoutScheme } from '../../../../terraform/resource-object';
import type { ModuleContext } from '../module-context';
import type { ClusterParts } from './cluster';
import type { NodeGroupParts } from './node-group';
import type { NodeSecurityGroup } from './security-groups';

/* Source: terraform-aws-modules/terraform-aws-eks, outputs.tf of the tags v18.31.2, v19.21.0, v20.37.2 and v21.19.0. */

/** Outputs of the module. One that isn't here is unknown. */
export function setOutputs(
  context: ModuleContext,
  parts: ClusterParts,
  nodes: NodeSecurityGroup,
  groups: () => ReadonlyMap<string, NodeGroupParts> | undefined,
  addons: () => ReadonlyMap<string, TerraformInstance> | undefined,
): void {
  const { cluster, role, oidcProvider, clusterGroup } = parts;
  const { place } = context.call;
  const refer = (name: string, instance: TerraformInstance | undefined, attribute: string) => {
    if (instance !== undefined) context.output(name, () => context.reference(instance, attribute));
  };
  context.output('cluster_name', () => known(parts.name(), context.reference(cluster, 'name')));
  // Up to version 18 the id is the name; later it is one of clusters on Outposts.
  if (context.versions.agreed(([major]) => major < 19)?.value === true)
    context.output('cluster_id', () => known(parts.name(), context.reference(cluster, 'id')));
  context.output('cluster_version', parts.kubernetesVersion);
  context.output('cluster_ip_family', parts.ipFamily);
  context.output('cluster_service_cidr', parts.serviceCidr);
  refer('cluster_arn', cluster, 'arn');
  refer('cluster_endpoint', cluster, 'endpoint');
  refer('cluster_certificate_authority_data', cluster, 'certificate_authority[0].data');
  refer('cluster_primary_security_group_id', cluster, 'vpc_config[0].cluster_security_group_id');
  refer('cluster_oidc_issuer_url', cluster, 'identity[0].oidc[0].issuer');
  context.output('oidc_provider', () => issuerHost(context, cluster));
  refer('oidc_provider_arn', oidcProvider, 'arn');
  refer('cluster_iam_role_arn', role, 'arn');
  refer('cluster_iam_role_name', role, 'name');
  refer('cluster_security_group_id', clusterGroup, 'id');
  refer('cluster_security_group_arn', clusterGroup, 'arn');
  refer('node_security_group_id', nodes.group, 'id');
  refer('node_security_group_arn', nodes.group, 'arn');
  context.output('eks_managed_node_groups', () =>
    outputMap(groups(), (group) => mapOf(groupOutputs(context, group), group.nodeGroup.source), place),
  );
  context.output('cluster_addons', () =>
    outputMap(
      addons(),
      (addon) => mapOf({ id: context.reference(addon, 'id'), arn: context.reference(addon, 'arn') }, place),
      place,
    ),
  );
}

/** What is known, or the reference where it isn't. */
function known(value: TerraformValue, reference: Unknown): TerraformValue {
  return alternativesOf(value).every(({ value: plain }) => plain.kind === 'known') ? value : reference;
}

/** The issuer without its scheme, as conditions of trust policies name it. */
function issuerHost(context: ModuleContext, cluster: TerraformInstance): Unknown {
  return withoutScheme(context.reference(cluster, 'identity[0].oidc[0].issuer'), context.call.place);
}

/** @param parts undefined while they are being made */
function outputMap<T>(
  parts: ReadonlyMap<string, T> | undefined,
  output: (part: T) => TerraformValue,
  place: Source,
): TerraformValue {
  if (parts === undefined) return new Unknown('it refers to itself', place);
  return new Known<TerraformItem>(
    new TerraformMap(new Map([...parts].map(([key, part]) => [key, output(part)]))),
    place,
  );
}

export const GROUP_OUTPUTS = [
  'node_group_arn',
  'node_group_id',
  'node_group_status',
  'launch_template_id',
  'launch_template_arn',
  'launch_template_name',
  'launch_template_latest_version',
  'iam_role_arn',
  'iam_role_name',
] as const;

/** Outputs of the submodule for managed node groups. */
export function groupOutputs(
  context: ModuleContext,
  { nodeGroup, template, role }: NodeGroupParts,
): Readonly<Record<(typeof GROUP_OUTPUTS)[number], TerraformValue | undefined>> {
  return {
    node_group_arn: context.reference(nodeGroup, 'arn'),
    node_group_id: context.reference(nodeGroup, 'id'),
    node_group_status: context.reference(nodeGroup, 'status'),
    launch_template_id: template && context.reference(template, 'id'),
    launch_template_arn: template && context.reference(template, 'arn'),
    launch_template_name: template && context.reference(template, 'name'),
    launch_template_latest_version: template && context.reference(template, 'latest_version'),
    iam_role_arn: role.arn,
    iam_role_name: role.role && context.reference(role.role, 'name'),
  };
}
