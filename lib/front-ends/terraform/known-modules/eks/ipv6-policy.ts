import type { TerraformInstance } from '../../../../terraform/instance';
import { listOf } from '../given';
import { statement } from '../roles';
import type { EksArguments } from './eks-arguments';

/** Actions that the module allows for IPv6 addresses. Source: terraform-aws-modules/terraform-aws-eks, node_groups.tf (main.tf in v18), v18.1.0 to v21.19.0. */
const IPV6_ACTIONS = [
  'ec2:AssignIpv6Addresses',
  'ec2:DescribeInstances',
  'ec2:DescribeTags',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeInstanceTypes',
];

/** The policy of the account for the VPC CNI with IPv6, which the module creates on request. */
export function declareIpv6Policy(given: EksArguments): TerraformInstance | undefined {
  const { context } = given;
  const { place } = context.call;
  const exists = context.where(given.flag('create_cni_ipv6_iam_policy', false));
  if (exists === undefined) return undefined;
  const statements = [
    statement(context, { actions: IPV6_ACTIONS, resources: [context.fixed('*')] }, place),
    statement(
      context,
      {
        actions: ['ec2:CreateTags'],
        resources: [context.text(['arn:', context.partition, ':ec2:*:*:network-interface/*'])],
      },
      place,
    ),
  ];
  const document = context.declare(
    'data.aws_iam_policy_document.cni_ipv6_policy[0]',
    { statement: listOf(statements, place) },
    place,
    exists,
  );
  return context.declare(
    'aws_iam_policy.cni_ipv6_policy[0]',
    { name: context.fixed('AmazonEKS_CNI_IPv6_Policy'), policy: context.reference(document, 'json') },
    place,
    exists,
  );
}
