import { Absent, alternativesOf, flatMapValue, type Value, type When } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import type { TerraformValue } from '../../../../terraform/terraform-value';
import type { Given } from '../given';
import type { ModuleContext } from '../module-context';
import { attach, attachAwsPolicy, attachGiven, attachmentKey, declareRole, roleArn, serviceTrust } from '../roles';
import { familyText } from './cluster';

export interface NodeRole {
  readonly role: TerraformInstance | undefined;
  readonly arn: TerraformValue;
}

interface NodeRoleInput {
  readonly prefix: string;
  readonly group: Given;
  readonly exists: When;
  readonly ipFamily: TerraformValue;
  readonly ipv6Policy: TerraformInstance | undefined;
  /** The variable that says whether the module creates the role. */
  readonly flag?: string;
}

/**
 * The role of a node group. Source: terraform-aws-modules/terraform-aws-eks, modules/eks-managed-node-group/main.tf of the tags v18.0.0,
 * v18.1.0, v19.0.0, v20.8.3 and v21.19.0.
 */
export function declareNodeRole(
  context: ModuleContext,
  { prefix, group, exists: given, ipFamily, ipv6Policy, flag = 'create_iam_role' }: NodeRoleInput,
): NodeRole {
  const { place } = group;
  const creates = group.flag(flag, true);
  const exists = context.where(creates, given);
  const role =
    exists === undefined
      ? undefined
      : declareRole(context, {
          prefix,
          label: 'this',
          document: 'assume_role_policy',
          trust: [serviceTrust(context, 'ec2.amazonaws.com', ['sts:AssumeRole'], place)],
          name: () => nameOf(group),
          place,
          exists,
        });
  if (role !== undefined) {
    for (const policy of ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly'])
      attachAwsPolicy(context, role, prefix, policy, place, { namedSince: [20, 8] });
    attachCniPolicy(context, role, prefix, group.flag('iam_role_attach_cni_policy', true), ipFamily, ipv6Policy);
    attachGiven(context, role, prefix, 'additional', () => group.item('iam_role_additional_policies'));
    const statements = group.item('iam_role_policy_statements');
    if (statements.kind !== 'absent') declareInline(context, role, prefix, statements);
  }
  return { role, arn: roleArn(context, creates, role, group.item('iam_role_arn'), place) };
}

/** The policy by which nodes give addresses to pods: that of AWS for IPv4, one of the account's own for IPv6. */
export function attachCniPolicy(
  context: ModuleContext,
  role: TerraformInstance,
  prefix: string,
  flag: Value<boolean>,
  ipFamily: TerraformValue,
  ipv6Policy: TerraformInstance | undefined,
  label = 'this',
): void {
  const { source: place } = role;
  for (const { when, value } of alternativesOf(flag)) {
    const exists = role.exists.and(when);
    if (exists === undefined || value.kind === 'absent' || (value.kind === 'known' && !value.value)) continue;
    const policy =
      value.kind === 'unknown'
        ? context.unknown(value.reason, value.source)
        : cniPolicy(context, ipFamily, ipv6Policy, place);
    const key =
      policy.kind !== 'known' && ipv6Policy !== undefined ? 'AmazonEKS_CNI_IPv6_Policy' : 'AmazonEKS_CNI_Policy';
    attach(context, role, prefix, label, attachmentKey(context, key, policy, [20, 8]), policy, place, exists);
  }
}

function cniPolicy(
  context: ModuleContext,
  ipFamily: TerraformValue,
  ipv6Policy: TerraformInstance | undefined,
  place: TerraformInstance['source'],
): TerraformValue {
  return flatMapValue(familyText(ipFamily), (family): TerraformValue => {
    if (family.kind === 'unknown') return context.unknown(family.reason, place);
    if (family.kind !== 'known' || family.value === 'ipv4') return context.awsPolicy('AmazonEKS_CNI_Policy', place);
    if (ipv6Policy !== undefined) return context.reference(ipv6Policy, 'arn', place);
    return context.text(
      ['arn:', context.partition, ':iam::', context.account, ':policy/AmazonEKS_CNI_IPv6_Policy'],
      place,
    );
  });
}

function nameOf(group: Given): TerraformValue {
  return flatMapValue(
    group.flag('iam_role_use_name_prefix', true),
    (plain): TerraformValue =>
      plain.kind === 'known' && !plain.value ? group.item('iam_role_name') : new Absent(plain.source),
  );
}

/** Statements that the call adds, as an inline policy. */
function declareInline(
  context: ModuleContext,
  role: TerraformInstance,
  prefix: string,
  statements: TerraformValue,
): void {
  const document = context.declare(
    `${prefix}data.aws_iam_policy_document.role[0]`,
    { statement: statements },
    role.source,
    role.exists,
  );
  context.declare(
    `${prefix}aws_iam_role_policy.this[0]`,
    { role: context.reference(role, 'id', role.source), policy: context.reference(document, 'json', role.source) },
    role.source,
    role.exists,
  );
}
