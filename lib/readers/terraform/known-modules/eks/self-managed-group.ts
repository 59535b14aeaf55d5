import { flatMapValue, Known, Unknown, type When } from '../../../../value';
import type { TerraformInstance } from '../../instance';
import { asText, type TerraformValue } from '../../value';
import { listOf, mapOf, withDefault, type Given } from '../given';
import type { ModuleContext } from '../module-context';
import { isAtLeast } from '../versions';
import { declareLaunchTemplate, templateReference, templateUse } from './launch-template';
import { declareNodeRole } from './node-role';
import { userDataOf, type UserDataInput } from './user-data';

export interface SelfManagedGroupInput {
  readonly prefix: string;
  readonly where: string;
  readonly group: Given;
  readonly exists: When;
  readonly clusterName: TerraformValue;
  readonly kubernetesVersion: TerraformValue;
  readonly subnets: TerraformValue;
  readonly securityGroups: readonly TerraformValue[];
  readonly cluster: UserDataInput['cluster'];
  readonly ipFamily: TerraformValue;
  readonly ipv6Policy: TerraformInstance | undefined;
}

/**
 * A self-managed group of nodes. Source: terraform-aws-modules/terraform-aws-eks, modules/self-managed-node-group/main.tf of the tags
 * v18.0.0, v19.21.0, v20.37.2 and v21.19.0.
 */
export function declareSelfManagedGroup(context: ModuleContext, input: SelfManagedGroupInput): void {
  const { prefix, where, group, exists, cluster, securityGroups } = input;
  const { place } = group;
  const { arn } = declareNodeRole(context, { prefix, group, exists, ipFamily: input.ipFamily, ipv6Policy: input.ipv6Policy, flag: 'create_iam_instance_profile' });
  const amiType = withDefault(group.item('ami_type'), context.byVersion('ami_type', (release) => (release[0] >= 21 ? 'AL2023_x86_64_STANDARD' : undefined), place));
  declareAccessEntry(context, input, arn, amiType);
  const userData = userDataOf(context, { prefix, group, where, isManaged: false, bootstraps: new Known(true, place), amiType, cluster });
  const use = { ...templateUse(context, group), uses: new Known(true, place) };
  const created = context.where(use.creates, exists);
  // Without an image of its own, the group takes the one that AWS publishes for its version.
  const image = withDefault(group.text('ami_id'), new Unknown('the module looks the image up', place));
  const template = created === undefined ? undefined : declareLaunchTemplate(context, { prefix, group, where, userData, securityGroups, exists: created }, { image_id: image, instance_type: group.item('instance_type') });
  const mixed = context.where(group.flag('use_mixed_instances_policy', false), exists) !== undefined;
  const tag = mapOf({ key: context.text(['kubernetes.io/cluster/', clusterText(cluster.name)], place), value: context.fixed('owned', place) }, place);
  const attributes = {
    launch_template: mixed ? undefined : templateReference(context, group, use, template),
    mixed_instances_policy: mixed ? new Unknown('the policy for mixed instances is not read', place) : undefined,
    vpc_zone_identifier: input.subnets,
    tag: listOf([tag], place),
  };
  if (context.where(group.flag('create_autoscaling_group', true), exists) !== undefined) context.declare(`${prefix}aws_autoscaling_group.this[0]`, attributes, place, exists);
}

/** From version 20 on the module lets the nodes into the cluster by an access entry, for Windows or for Linux by the AMI type. */
function declareAccessEntry(context: ModuleContext, { prefix, group, exists, clusterName }: SelfManagedGroupInput, principal: TerraformValue, amiType: TerraformValue): void {
  const { place } = group;
  const wanted = isAtLeast(context.release, 20) ? context.where(group.flag('create_access_entry', true), exists) : undefined;
  if (wanted === undefined) return;
  const type = flatMapValue(asText(amiType), (plain): TerraformValue => {
    if (plain.kind === 'unknown') return plain;
    const isWindows = plain.kind === 'known' ? plain.value.startsWith('WINDOWS') : group.item('platform').kind !== 'absent';
    return plain.kind === 'absent' && isWindows ? new Unknown('it depends on the platform', place) : context.fixed(isWindows ? 'EC2_WINDOWS' : 'EC2_LINUX', place);
  });
  context.declare(`${prefix}aws_eks_access_entry.this[0]`, { cluster_name: clusterName, principal_arn: principal, type }, place, wanted);
}

function clusterText(name: TerraformValue): Known<string> | Unknown {
  if (name.kind === 'known' && typeof name.value === 'string') return new Known(name.value, name.source);
  return name.kind === 'unknown' ? name : new Unknown('the name of the cluster is not known', name.kind === 'choice' ? { locate: () => ({ file: '', line: 1, column: 1 }) } : name.source, '${…}');
}
