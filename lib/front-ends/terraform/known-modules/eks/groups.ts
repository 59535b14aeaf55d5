import { Absent, type Unknown } from '../../../../value';
import { entriesOf, Given, itemsOf, withDefault, withUnsure, type Attributes, type Entry } from '../given';
import { EKS_MANAGED_GROUP, EKS_SELF_MANAGED_GROUP, type Names } from '../names';
import type { ClusterParts } from './cluster';
import type { EksArguments } from './eks-arguments';
import { declareNodeGroup, type NodeGroupParts } from './node-group';
import type { NodeSecurityGroup } from './security-groups';
import { declareSelfManagedGroup } from './self-managed-group';
import type { TerraformInstance } from '../../../../terraform/instance';
import type { ModuleContext } from '../module-context';
import { TerraformMap } from '../../../../terraform/terraform-value';
import { isAtLeast } from '../../../../terraform/module/version-constraint';
import type { UserDataInput } from './user-data';

/*
 * The groups of nodes in a call of terraform-aws-modules/eks/aws. Source: terraform-aws-modules/terraform-aws-eks, node_groups.tf of the
 * tags v18.0.0, v19.21.0, v20.37.2 and v21.19.0.
 */

export interface SharedParts {
  readonly parts: ClusterParts;
  readonly nodes: NodeSecurityGroup;
  readonly ipv6Policy: TerraformInstance | undefined;
}

/** @returns the groups by their key */
export function declareManagedGroups(given: EksArguments, shared: SharedParts): ReadonlyMap<string, NodeGroupParts> {
  const { context } = given;
  const groups = new Map<string, NodeGroupParts>();
  const { entries, more } = withUnsure(given.regionalEntries('eks_managed_node_groups'));
  for (const entry of entries) {
    if (!isGroup(given, entry, 'eks_managed_node_groups')) continue;
    const group = groupOf(
      given,
      entry,
      'eks_managed_node_groups',
      'eks_managed_node_group_defaults',
      EKS_MANAGED_GROUP,
    );
    const exists = context.where(group.flag('create', true), entry.when);
    if (exists === undefined) continue;
    const { parts, nodes, ipv6Policy } = shared;
    const input = {
      prefix: `module.eks_managed_node_group[${JSON.stringify(entry.key)}].`,
      where: `eks_managed_node_groups.${entry.key}`,
      group,
      name: group.or('name', entry.unknownKey ?? context.fixed(entry.key, group.place)),
      exists,
      clusterName: context.reference(parts.cluster, 'name', group.place),
      kubernetesVersion: withDefault(ownVersion(context, group), parts.kubernetesVersion()),
      subnets: withDefault(group.item('subnet_ids'), given.item('subnet_ids')),
      ipFamily: parts.ipFamily(),
      securityGroups: [nodes.id()],
      clusterGroup: clusterGroupOf(given, group, parts),
      cluster: bootstrapOf(given, parts),
      ipv6Policy,
      minSize: context.standard(1, group.place),
      templateName: entry.key,
    };
    groups.set(entry.key, declareNodeGroup(context, input));
  }
  if (more !== undefined)
    context.declare(
      'module.eks_managed_node_group["?"].aws_eks_node_group.this[0]',
      unknownGroup(given, shared, more),
      more.source,
    );
  return groups;
}

export function declareSelfManagedGroups(given: EksArguments, shared: SharedParts): void {
  const { context } = given;
  for (const entry of withUnsure(entriesOf(given.item('self_managed_node_groups'), context.exists)).entries) {
    if (!isGroup(given, entry, 'self_managed_node_groups')) continue;
    const group = groupOf(
      given,
      entry,
      'self_managed_node_groups',
      'self_managed_node_group_defaults',
      EKS_SELF_MANAGED_GROUP,
    );
    const exists = context.where(group.flag('create', true), entry.when);
    if (exists === undefined) continue;
    declareSelfManagedGroup(context, {
      prefix: `module.self_managed_node_group[${JSON.stringify(entry.key)}].`,
      where: `self_managed_node_groups.${entry.key}`,
      group,
      exists,
      clusterName: context.reference(shared.parts.cluster, 'name', group.place),
      kubernetesVersion: withDefault(ownVersion(context, group), shared.parts.kubernetesVersion()),
      subnets: withDefault(group.item('subnet_ids'), given.item('subnet_ids')),
      securityGroups: [
        clusterGroupOf(given, group, shared.parts),
        shared.nodes.id(),
        ...itemsOf(group.item('vpc_security_group_ids')),
      ],
      cluster: bootstrapOf(given, shared.parts),
      ipFamily: shared.parts.ipFamily(),
      ipv6Policy: shared.ipv6Policy,
      templateName: entry.key,
    });
  }
}

/**
 * Whether the module makes a group of an entry. Up to version 20, whose argument takes anything, even a list is one, with defaults for all of it; from then on
 * Terraform refuses what is no map.
 */
function isGroup({ context }: EksArguments, { key, value }: Entry, name: string): boolean {
  // Of a value that isn't known, a key that is a setting of groups tells the same.
  const isSetting = value.kind === 'unknown' && EKS_MANAGED_GROUP.get(context.release[0])?.has(key) === true;
  const isOther = value.kind === 'known' && !(value.value instanceof TerraformMap);
  if (!isSetting && !isOther) return true;
  const isTyped = context.versions.agreed((release) => isAtLeast(release, 21))?.value === true;
  const what = `${name}.${key} is no group, but a value beside the groups`;
  context.warn(
    value.source,
    isTyped
      ? `${what}: ${context.title} takes maps only there, and Terraform refuses the configuration`
      : `${what}: ${context.title} makes a group called "${key}" of it, with defaults for everything`,
  );
  return !isTyped;
}

/** Up to version 20 the defaults of the call stand in for what a group doesn't say. */
function groupOf(given: EksArguments, { key, value }: Entry, name: string, defaults: string, names: Names): Given {
  const { context } = given;
  const standard = context.release[0] >= 21 ? undefined : new Given(given.item(defaults), value.source);
  const group = new Given(value, value.source, standard);
  context.warnOfIgnoredKeys(new Given(value, value.source), `${name}.${key}`, names);
  return group;
}

function clusterGroupOf({ context }: EksArguments, group: Given, { cluster }: ClusterParts): ReturnType<Given['item']> {
  const none = new Absent(group.place);
  return context.conditional(
    group.flag('attach_cluster_primary_security_group', false),
    () => context.reference(cluster, 'vpc_config[0].cluster_security_group_id', group.place),
    none,
  );
}

/** What nodes are told of their cluster. */
function bootstrapOf(
  { context }: EksArguments,
  { cluster, name, serviceCidr, ipFamily }: ClusterParts,
): UserDataInput['cluster'] {
  return {
    name: withDefault(name(), context.reference(cluster, 'name')),
    endpoint: context.reference(cluster, 'endpoint'),
    authority: context.reference(cluster, 'certificate_authority[0].data'),
    serviceCidr: serviceCidr(),
    ipFamily: ipFamily(),
  };
}

/** The Kubernetes version of a group, by the name that the module has for it. */
export function ownVersion(context: ModuleContext, group: Given): ReturnType<Given['item']> {
  return context.inEach(
    'kubernetes_version',
    (release) => group.item(isAtLeast(release, 21) ? 'kubernetes_version' : 'cluster_version'),
    group.place,
  );
}

/** A group that may be there, of which nothing is known. */
function unknownGroup({ context }: EksArguments, { parts }: SharedParts, more: Unknown): Attributes {
  const names = [
    'ami_type',
    'version',
    'instance_types',
    'launch_template',
    'node_role_arn',
    'subnet_ids',
    'labels',
    'taint',
    'scaling_config',
    'update_config',
  ];
  return {
    cluster_name: context.reference(parts.cluster, 'name'),
    ...Object.fromEntries(names.map((name) => [name, more])),
  };
}
