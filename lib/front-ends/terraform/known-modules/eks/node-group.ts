import { groupInputs, groupInputsAt } from './inputs';
import { Absent, flatMapValue, Known, Unknown, type Plain, type When } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import {
  asBoolean,
  asText,
  TerraformList,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
} from '../../../../terraform/terraform-value';
import { blocksOf, itemsOf, listOf, mapOf, withDefault, type Attributes, type Given } from '../given';
import type { ModuleContext } from '../module-context';
import { isAtLeast } from '../../../../terraform/module/version-constraint';
import { declareLaunchTemplate, templateReference, templateUse } from './launch-template';
import { declareNodeRole, type NodeRole } from './node-role';
import { userDataOf, type UserDataInput } from './user-data';

/*
 * A managed node group of terraform-aws-modules/eks/aws, or of its submodule eks-managed-node-group. Source:
 * terraform-aws-modules/terraform-aws-eks, modules/eks-managed-node-group/main.tf and variables.tf and node_groups.tf of the tags v18.0.0,
 * v18.31.2, v19.0.0, v19.21.0, v20.0.0, v20.6.0, v20.37.2, v21.0.0 and v21.19.0.
 */

export interface NodeGroupInput {
  /** `module.eks_managed_node_group["a"].`, or nothing. */
  readonly prefix: string;
  /** What the call calls the group, for messages. */
  readonly where: string;
  readonly group: Given;
  readonly name: TerraformValue;
  readonly exists: When;
  readonly clusterName: TerraformValue;
  readonly kubernetesVersion: TerraformValue;
  readonly subnets: TerraformValue;
  readonly ipFamily: TerraformValue;
  /** Groups of every node, before those of this group. */
  readonly securityGroups: readonly TerraformValue[];
  readonly clusterGroup: TerraformValue;
  readonly cluster: UserDataInput['cluster'];
  /** The policy of the module for IPv6 addresses, if it creates one. */
  readonly ipv6Policy: TerraformInstance | undefined;
  /** Its minimum where the call gives none, in which the submodule differs from the module. */
  readonly minSize: TerraformValue;
  /** What its launch template is called where the call gives no name. */
  readonly templateName: string;
}

export interface NodeGroupParts {
  readonly nodeGroup: TerraformInstance;
  readonly template: TerraformInstance | undefined;
  readonly role: NodeRole;
}

export function declareNodeGroup(context: ModuleContext, input: NodeGroupInput): NodeGroupParts {
  const { group, prefix, exists } = input;
  const { place } = group;
  const amiType = withDefault(
    group.item('ami_type'),
    context.byVersion('ami_type', (release) => (isAtLeast(release, 21) ? 'AL2023_x86_64_STANDARD' : undefined), place),
  );
  const role = declareNodeRole(context, {
    prefix,
    group,
    exists,
    ipFamily: input.ipFamily,
    ipv6Policy: input.ipv6Policy,
  });
  const use = templateUse(context, group, input.templateName);
  const created = context.where(use.creates, context.where(use.uses, exists) ?? exists);
  const isUsed = context.where(use.uses, exists) !== undefined;
  const template =
    created === undefined || !isUsed
      ? undefined
      : declareLaunchTemplate(context, templateInput(context, input, amiType, created), {
          instance_type: blockInstanceType(group),
        });
  const custom = group.text('ami_id');
  const nodeGroup = context.declare(
    `${prefix}aws_eks_node_group.this[0]`,
    {
      cluster_name: input.clusterName,
      node_group_name: groupName(input),
      node_group_name_prefix: groupNamePrefix(input),
      node_role_arn: role.arn,
      subnet_ids: input.subnets,
      scaling_config: scaling(context, input),
      // With an image of its own, the group says nothing of these.
      ami_type: unless(custom, amiType),
      version: unless(custom, input.kubernetesVersion),
      release_version: unless(custom, releaseVersion(context, group)),
      capacity_type: group.or(
        'capacity_type',
        context.byVersion('capacity_type', (release) => (isAtLeast(release, 21) ? 'ON_DEMAND' : undefined), place),
      ),
      disk_size: context.conditional(use.uses, () => new Absent(place), group.item('disk_size')),
      force_update_version: group.item('force_update_version'),
      instance_types: isCapacityBlock(group) ? undefined : group.item('instance_types'),
      labels: group.item('labels'),
      taint: taints(group),
      remote_access: nonEmptyBlock(group.item('remote_access')),
      update_config: updateConfig(context, group),
      launch_template: templateReference(context, group, use, template),
      // In every version, so that the Cluster Autoscaler may change the size.
    },
    place,
    exists,
    { ignoredChanges: ['scaling_config'], moduleInputs: groupInputs(context, use.creates), ...groupInputsAt(prefix) },
  );
  return { nodeGroup, template, role };
}

function templateInput(
  context: ModuleContext,
  input: NodeGroupInput,
  amiType: TerraformValue,
  exists: When,
): Parameters<typeof declareLaunchTemplate>[1] {
  const { group, prefix, where } = input;
  const userData = userDataOf(context, {
    prefix,
    group,
    where,
    isManaged: true,
    bootstraps: group.flag('enable_bootstrap_user_data', false),
    amiType,
    cluster: input.cluster,
  });
  return {
    prefix,
    group,
    where,
    userData,
    exists,
    securityGroups: [
      ownGroup(context, input),
      input.clusterGroup,
      ...input.securityGroups,
      ...itemsOf(group.item('vpc_security_group_ids')),
    ],
  };
}

/** In version 18 each group has a security group of its own, without rules unless the call gives it some; in version 21 only with rules. */
function ownGroup(context: ModuleContext, { group, prefix, exists }: NodeGroupInput): TerraformValue {
  const { place } = group;
  const hasRules =
    itemsOf(group.item('security_group_ingress_rules')).length +
      itemsOf(group.item('security_group_egress_rules')).length >
    0;
  const isCreated = context.versions.agreed(([major]) => major < 19 || (major >= 21 && hasRules));
  if (isCreated === undefined) return new Unknown(context.differs('create_security_group'), place);
  const created = isCreated.value ? context.where(group.flag('create_security_group', true), exists) : undefined;
  if (created === undefined) return new Absent(place);
  return hasRules || group.writes('security_group_rules')
    ? new Unknown("the rules of the group's own security group are not read", place)
    : context.reference(context.declare(`${prefix}aws_security_group.this[0]`, {}, place, created), 'id', place);
}

/** `ami_id == "" ? value : null`. */
function unless(custom: TerraformValue, value: TerraformValue): TerraformValue {
  return flatMapValue(custom, (plain): TerraformValue => {
    if (plain.kind === 'absent') return value;
    // What refers to an image is none that is left empty.
    const isUnclear = plain.kind === 'unknown' && plain.reference === undefined && plain.text === undefined;
    return isUnclear && value.kind !== 'absent' ? new Unknown(plain.reason, plain.source) : new Absent(plain.source);
  });
}

/** With a prefix the name ends in what nobody knows beforehand. */
function groupName({ group, name }: NodeGroupInput): TerraformValue {
  return flatMapValue(group.flag('use_name_prefix', true), (plain): TerraformValue => {
    if (plain.kind === 'known' && !plain.value) return name;
    return plain.kind === 'unknown' ? plain : new Absent(plain.source);
  });
}

/** Unless told otherwise, the name of a group is only how it begins. */
function groupNamePrefix({ group, name }: NodeGroupInput): TerraformValue {
  return flatMapValue(group.flag('use_name_prefix', true), (plain): TerraformValue => {
    if (plain.kind === 'known' && !plain.value) return new Absent(plain.source);
    return plain.kind === 'unknown'
      ? plain
      : flatMapValue(
          asText(name),
          (known): TerraformValue => (known.kind === 'known' ? new Known(`${known.value}-`, known.source) : known),
        );
  });
}

function scaling(context: ModuleContext, { group, minSize }: NodeGroupInput): TerraformValue {
  const { place } = group;
  const sizes = { min_size: minSize, max_size: context.standard(3, place), desired_size: context.standard(1, place) };
  return listOf(
    [mapOf(Object.fromEntries(Object.entries(sizes).map(([key, size]) => [key, group.or(key, size)])), place)],
    place,
  );
}

/** Unless told otherwise, version 21 looks the newest release up. */
function releaseVersion(context: ModuleContext, group: Given): TerraformValue {
  const standard = context.byVersion(
    'use_latest_ami_release_version',
    (release) => isAtLeast(release, 21),
    group.place,
  );
  const latest = asBoolean(withDefault(group.item('use_latest_ami_release_version'), standard));
  return context.conditional(
    latest,
    () => context.unknown('the module looks the newest release up', group.place),
    group.item('ami_release_version'),
  );
}

/** Capacity blocks for machine learning have the instance type in the launch template. */
function isCapacityBlock(group: Given): boolean {
  const type = group.item('capacity_type');
  return type.kind === 'known' && type.value === 'CAPACITY_BLOCK';
}

function blockInstanceType(group: Given): TerraformValue | undefined {
  return isCapacityBlock(group) ? itemsOf(group.item('instance_types'))[0] : undefined;
}

/** A map of taints since version 19, a list as well before. */
function taints(group: Given): TerraformValue {
  return blocksOf(group.item('taints'));
}

function nonEmptyBlock(value: TerraformValue): TerraformValue {
  return flatMapValue(value, (plain): Plain<TerraformItem> => {
    const { kind } = plain;
    if (kind !== 'known') return plain;
    const isEmpty =
      (plain.value instanceof TerraformMap && plain.value.entries.size === 0) ||
      (plain.value instanceof TerraformList && plain.value.items.length === 0);
    return isEmpty ? new Absent(plain.source) : plain;
  });
}

function updateConfig(context: ModuleContext, group: Given): TerraformValue {
  const { place } = group;
  const written = nonEmptyBlock(group.item('update_config'));
  const standard = context.byVersion('update_config', (release) => (isAtLeast(release, 19) ? 33 : undefined), place);
  const block: TerraformValue =
    standard.kind === 'known' ? mapOf({ max_unavailable_percentage: standard } satisfies Attributes, place) : standard;
  return group.item('update_config').kind === 'absent' ? block : written;
}
