import { SELF_MANAGED_TEMPLATE_INPUTS } from './inputs';
import { Absent, flatMapValue, Known, Unknown, type When } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import { asText, type TerraformValue } from '../../../../terraform/terraform-value';
import { firstOf, Given, listOf, mapOf, withDefault } from '../given';
import type { ModuleContext } from '../module-context';
import { isAtLeast, type Release } from '../../../../terraform/module/version-constraint';
import { declareLaunchTemplate, templateReference, templateUse } from './launch-template';
import { declareNodeRole } from './node-role';
import { publishedImage } from './published-image';
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
  readonly templateName: string;
}

/**
 * A self-managed group of nodes. Source: terraform-aws-modules/terraform-aws-eks, modules/self-managed-node-group/main.tf of the tags
 * v18.0.0, v19.21.0, v20.8.5, v20.9.0, v20.14.0, v20.37.2 and v21.19.0.
 */
export function declareSelfManagedGroup(context: ModuleContext, input: SelfManagedGroupInput): void {
  const { prefix, where, group, exists, cluster, securityGroups } = input;
  const { place } = group;
  const { role, arn } = declareNodeRole(context, {
    prefix,
    group,
    exists,
    ipFamily: input.ipFamily,
    ipv6Policy: input.ipv6Policy,
    flag: 'create_iam_instance_profile',
  });
  const amiType = withDefault(group.item('ami_type'), context.byVersion('ami_type', standardType, place));
  declareAccessEntry(context, input, arn, amiType);
  const userData = userDataOf(context, {
    prefix,
    group,
    where,
    isManaged: false,
    bootstraps: new Known(true, place),
    amiType,
    cluster,
  });
  const use = { ...templateUse(context, group, input.templateName), uses: new Known(true, place) };
  const created = context.where(use.creates, exists);
  const image = withDefault(
    group.text('ami_id'),
    publishedImage(context, { prefix, group, amiType, kubernetesVersion: input.kubernetesVersion, exists }),
  );
  const template =
    created === undefined
      ? undefined
      : declareLaunchTemplate(
          context,
          { prefix, group, where, userData, securityGroups, exists: created },
          {
            image_id: image,
            instance_type: group.item('instance_type'),
            iam_instance_profile: mapOf({ arn: profileArn(context, input, role) }, place),
          },
          SELF_MANAGED_TEMPLATE_INPUTS,
        );
  const isMixed = group.flag('use_mixed_instances_policy', false);
  const reference = templateReference(context, group, use, template);
  const tag = mapOf(
    {
      key: context.text(['kubernetes.io/cluster/', clusterText(cluster.name)], place),
      value: context.fixed('owned', place),
    },
    place,
  );
  const attributes = {
    launch_template: context.conditional(isMixed, () => new Absent(place), reference),
    mixed_instances_policy: context.conditional(
      isMixed,
      () => mixedInstancesPolicy(context, group, reference),
      new Absent(place),
    ),
    vpc_zone_identifier: input.subnets,
    max_size: group.item('max_size'),
    tag: listOf([tag], place),
  };
  if (context.where(group.flag('create_autoscaling_group', true), exists) !== undefined)
    context.declare(`${prefix}aws_autoscaling_group.this[0]`, attributes, place, exists);
}

/** The profile that the module makes with the role, or that of the call. */
function profileArn(
  context: ModuleContext,
  { prefix, group }: SelfManagedGroupInput,
  role: TerraformInstance | undefined,
): TerraformValue {
  const { place } = group;
  const own = () => {
    if (role === undefined) return new Absent(place);
    const profile = context.declare(
      `${prefix}aws_iam_instance_profile.this[0]`,
      { role: context.reference(role, 'name', place) },
      place,
      role.exists,
    );
    return context.reference(profile, 'arn', place);
  };
  return context.conditional(
    group.flag('create_iam_instance_profile', true),
    own,
    group.text('iam_instance_profile_arn'),
  );
}

/** The group's template, and what the call overrides of it: up to version 20 beside the distribution, since then in `launch_template` as in the resource. */
function mixedInstancesPolicy(context: ModuleContext, group: Given, reference: TerraformValue): TerraformValue {
  const { place } = group;
  const policy = new Given(group.item('mixed_instances_policy'), place);
  const isNested = context.versions.agreed((release) => isAtLeast(release, 21));
  const holder = isNested?.value === true ? new Given(policy.item('launch_template'), place) : policy;
  const override =
    isNested === undefined ? context.unknown(context.differs('override'), place) : holder.item('override');
  const template = new Given(firstOf(reference), place);
  const specification = mapOf(
    {
      launch_template_id: template.item('id'),
      launch_template_name: template.item('name'),
      version: template.item('version'),
    },
    place,
  );
  return listOf(
    [
      mapOf(
        {
          launch_template: listOf(
            [mapOf({ launch_template_specification: listOf([specification], place), override }, place)],
            place,
          ),
        },
        place,
      ),
    ],
    place,
  );
}

/** Before 20.9 the platform alone tells what the nodes are. */
function standardType(release: Release): string | undefined {
  if (isAtLeast(release, 21)) return 'AL2023_x86_64_STANDARD';
  return isAtLeast(release, 20, 9) ? 'AL2_x86_64' : undefined;
}

/** From version 20 on the module lets the nodes into the cluster by an access entry, for Windows or for Linux by the AMI type. */
function declareAccessEntry(
  context: ModuleContext,
  { prefix, group, exists, clusterName }: SelfManagedGroupInput,
  principal: TerraformValue,
  amiType: TerraformValue,
): void {
  const { place } = group;
  // Where only some versions make one, the nodes may get in by it: that counts as if they did.
  const makesSome = context.versions.candidates.some((release) => isAtLeast(release, 20));
  const wanted = makesSome ? context.where(group.flag('create_access_entry', true), exists) : undefined;
  if (wanted === undefined) return;
  const type = flatMapValue(asText(amiType), (plain): TerraformValue => {
    if (plain.kind === 'unknown') return plain;
    const isWindows =
      plain.kind === 'known' ? plain.value.startsWith('WINDOWS') : group.item('platform').kind !== 'absent';
    return plain.kind === 'absent' && isWindows
      ? new Unknown('it depends on the platform', place)
      : context.fixed(isWindows ? 'EC2_WINDOWS' : 'EC2_LINUX', place);
  });
  context.declare(
    `${prefix}aws_eks_access_entry.this[0]`,
    { cluster_name: clusterName, principal_arn: principal, type },
    place,
    wanted,
  );
}

function clusterText(name: TerraformValue): Known<string> | Unknown {
  if (name.kind === 'known' && typeof name.value === 'string') return new Known(name.value, name.source);
  return name.kind === 'unknown'
    ? name
    : new Unknown(
        'the name of the cluster is not known',
        name.kind === 'choice' ? { locate: () => ({ file: '', line: 1, column: 1 }) } : name.source,
        '${…}',
      );
}
