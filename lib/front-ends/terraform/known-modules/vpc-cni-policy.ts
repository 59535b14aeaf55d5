import { Absent, alternativesOf, type Source, type Value } from '../../../value';
import type { TerraformValue } from '../../../terraform/terraform-value';
import { listOf, mapOf, type Given } from './given';
import type { ModuleContext } from './module-context';
import { statement } from './roles';

/*
 * What the modules for roles of service accounts allow the VPC CNI. Source: terraform-aws-modules/terraform-aws-iam,
 * modules/iam-role-for-service-accounts-eks/policies.tf of v5.0.0 and v5.39.0; terraform-aws-modules/terraform-aws-eks-pod-identity,
 * aws_vpc_cni.tf of v1.0.0, v1.10.0 and v2.8.1.
 */

const IPV4 = [
  'AssignPrivateIpAddresses',
  'AttachNetworkInterface',
  'CreateNetworkInterface',
  'DeleteNetworkInterface',
  'DescribeInstances',
  'DescribeTags',
  'DescribeNetworkInterfaces',
  'DescribeInstanceTypes',
  'DetachNetworkInterface',
  'ModifyNetworkInterfaceAttribute',
  'UnassignPrivateIpAddresses',
].map((action) => `ec2:${action}`);

const IPV6 = [
  'AssignIpv6Addresses',
  'DescribeInstances',
  'DescribeTags',
  'DescribeNetworkInterfaces',
  'DescribeInstanceTypes',
].map((action) => `ec2:${action}`);

/**
 * The statements of the policy, by what the call enables. Neither family is on by default.
 * @param extra actions that later versions allow besides, for IPv4 only; undefined if that depends on the version
 */
export function cniStatements(
  context: ModuleContext,
  names: { readonly ipv4: string; readonly ipv6: string },
  extra: readonly string[] | undefined,
  place: Source,
): TerraformValue {
  const { given } = context;
  const all = context.fixed('*', place);
  const ipv4 = statement(context, { actions: [...IPV4, ...(extra ?? [])], resources: [all] }, place);
  const unclear =
    extra === undefined
      ? mapOf(
          {
            actions: context.unknown(context.differs('the policy for the VPC CNI'), place),
            resources: listOf([all], place),
          },
          place,
        )
      : undefined;
  const statements: TerraformValue[] = [
    statement(
      context,
      {
        actions: ['ec2:CreateTags'],
        resources: [context.text(['arn:', context.partition, ':ec2:*:*:network-interface/*'], place)],
      },
      place,
    ),
    ...enabled(context, given, names.ipv4, ipv4, place),
    ...(unclear === undefined ? [] : enabled(context, given, names.ipv4, unclear, place)),
    ...enabled(context, given, names.ipv6, statement(context, { actions: IPV6, resources: [all] }, place), place),
  ];
  return listOf(statements, place);
}

function enabled(
  context: ModuleContext,
  given: Given,
  name: string,
  value: TerraformValue,
  place: Source,
): readonly TerraformValue[] {
  const flag: Value<boolean> = given.flag(name, false);
  if (alternativesOf(flag).every(({ value: plain }) => plain.kind === 'known' && !plain.value)) return [];
  return [context.conditional(flag, () => value, new Absent(place))];
}
