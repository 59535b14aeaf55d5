import { defineRule, resourceName } from '../../engine';
import type { EksModel } from '../../model';
import { isDedicated, type IpFamily } from '../../model/cni';
import { hasCniPermissions, lackOfCore, mayTagInterfaces } from '../../model/cni-permissions';
import { judgeCniRoles, roleText, withoutEc2Calls, type CniCase } from './cni-judgements';

/*
 * AmazonEKS_CNI_Policy covers IPv4 alone and the documented IPv6 policy IPv6 alone, so a role made for the other family lets the
 * cluster come up without a single ready node. Source: aws/amazon-vpc-cni-k8s, docs/iam-policy.md.
 */

type MessageId = 'ipv4' | 'ipv6' | 'no-family' | 'create-tags';

const ipv6Policy = {
  cloudformation: [
    'Policies:',
    '  - PolicyName: VpcCniIpv6',
    '    PolicyDocument:',
    "      Version: '2012-10-17'",
    '      Statement:',
    '        - Effect: Allow',
    '          Action:',
    '            - ec2:AssignIpv6Addresses',
    '            - ec2:DescribeInstances',
    '            - ec2:DescribeInstanceTypes',
    '            - ec2:DescribeNetworkInterfaces',
    '            - ec2:DescribeSecurityGroups',
    '            - ec2:DescribeSubnets',
    '            - ec2:DescribeTags',
    "          Resource: '*'",
    '        - Effect: Allow',
    '          Action: ec2:CreateTags',
    '          Resource: !Sub arn:${AWS::Partition}:ec2:*:*:network-interface/*',
  ].join('\n'),
  'aws-cdk': [
    "// `new VpcCniRole(…)` from 'eks-guardrails/aws-cdk' has both IP families; by hand:",
    'role.addToPrincipalPolicy(new iam.PolicyStatement({',
    '  actions: [',
    "    'ec2:AssignIpv6Addresses', 'ec2:DescribeInstances', 'ec2:DescribeInstanceTypes', 'ec2:DescribeNetworkInterfaces',",
    "    'ec2:DescribeSecurityGroups', 'ec2:DescribeSubnets', 'ec2:DescribeTags',",
    '  ],',
    "  resources: ['*'],",
    '}));',
    'role.addToPrincipalPolicy(new iam.PolicyStatement({',
    "  actions: ['ec2:CreateTags'],",
    '  resources: [`arn:${Aws.PARTITION}:ec2:*:*:network-interface/*`],',
    '}));',
  ].join('\n'),
  terraform: [
    'resource "aws_iam_role_policy" "vpc_cni_ipv6" {',
    '  role = aws_iam_role.vpc_cni.name',
    '  policy = jsonencode({',
    '    Version = "2012-10-17"',
    '    Statement = [',
    '      {',
    '        Effect   = "Allow"',
    '        Action   = ["ec2:AssignIpv6Addresses", "ec2:DescribeInstances", "ec2:DescribeInstanceTypes", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeTags"]',
    '        Resource = "*"',
    '      },',
    '      {',
    '        Effect   = "Allow"',
    '        Action   = "ec2:CreateTags"',
    '        Resource = "arn:${data.aws_partition.current.partition}:ec2:*:*:network-interface/*"',
    '      },',
    '    ]',
    '  })',
    '}',
  ].join('\n'),
} as const;

const ipv4Policy = {
  cloudformation: 'ManagedPolicyArns:\n  - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonEKS_CNI_Policy',
  'aws-cdk': "role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonEKS_CNI_Policy'));",
  terraform: [
    'resource "aws_iam_role_policy_attachment" "vpc_cni" {',
    '  role       = aws_iam_role.vpc_cni.name',
    '  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/AmazonEKS_CNI_Policy"',
    '}',
  ].join('\n'),
} as const;

const tagPolicy = {
  cloudformation: "- Effect: Allow\n  Action: ec2:CreateTags\n  Resource: !Sub arn:${AWS::Partition}:ec2:*:*:network-interface/*",
  'aws-cdk': [
    'role.addToPrincipalPolicy(new iam.PolicyStatement({',
    "  actions: ['ec2:CreateTags'],",
    '  resources: [`arn:${Aws.PARTITION}:ec2:*:*:network-interface/*`],',
    '}));',
  ].join('\n'),
} as const;

export const vpcCniRoleIpFamily = defineRule<MessageId>({
  id: 'vpc-cni-role-ip-family',
  subject: 'iam',
  title: "The VPC CNI's role has the permissions of the cluster's IP family",
  severity: 'error',
  since: '0.1.0',
  symptom: [
    'No node becomes Ready: `container runtime network not ready … cni plugin not initialized`. The `aws-node` pods stay `0/1`, images up to v1.12.0 log',
    '`Retrying waiting for IPAM-D` without end, later ones only `Checking for IPAM connectivity` before they restart. The denied call stands in',
    '`/var/log/aws-routed-eni/ipamd.log` on the node and in a `MissingIAMPermissions` event; the managed node group stays `CREATING` until it times out.',
  ].join('\n'),
  why: [
    'In IPv4 the CNI creates network interfaces and assigns private addresses, in IPv6 it assigns a prefix with `ec2:AssignIpv6Addresses`. The managed policy',
    '`AmazonEKS_CNI_Policy` has the first set only, and there is no managed policy for the second. Both families tag network interfaces. Some modules put the set',
    'together from flags, and with the wrong one, or none, the role holds the other family, or nothing but `ec2:CreateTags`.',
    '',
    'The identity of the CNI is, in this order: the Pod Identity association of the vpc-cni add-on, its service account role, another Pod Identity association for',
    '`kube-system/aws-node`, without a vpc-cni add-on in the input a role that trusts this service account, the roles of the nodes.',
  ].join('\n'),
  limits: [
    'AWS managed policies are judged by a table of their contents. Roles, clusters and policies outside the input make the answer unverifiable, as do permission boundaries and',
    'organisation policies, which are not seen at all. A condition on an Allow statement counts as fulfilled. Nodes that have no CNI permission at all, without a role for the CNI,',
    'are reported by vpc-cni-role-missing, and the calls for subnet discovery by vpc-cni-role-subnet-discovery.',
  ].join('\n'),
  ignore: 'When another plugin than the VPC CNI gives pods their addresses.',
  sources: [
    { title: 'aws/amazon-vpc-cni-k8s: docs/iam-policy.md', url: 'https://github.com/aws/amazon-vpc-cni-k8s/blob/master/docs/iam-policy.md' },
    { title: 'Amazon EKS user guide: configure the VPC CNI to use IRSA', url: 'https://docs.aws.amazon.com/eks/latest/userguide/cni-iam-role.html' },
    { title: 'AWS managed policy reference: AmazonEKS_CNI_Policy', url: 'https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AmazonEKS_CNI_Policy.html' },
    { title: 'aws/amazon-vpc-cni-k8s: docs/troubleshooting.md', url: 'https://github.com/aws/amazon-vpc-cni-k8s/blob/master/docs/troubleshooting.md' },
  ],
  messages: {
    ipv4: {
      text: '{{role}} lacks {{missing}} for the IPv4 cluster {{cluster}}{{other}}: aws-node waits for IPAM-D for ever, and no node becomes Ready.',
      fix: { summary: 'Attach `AmazonEKS_CNI_Policy`, which has all of them.', code: ipv4Policy, safety: 'needs-decision' },
    },
    ipv6: {
      text: '{{role}} lacks {{missing}} for the IPv6 cluster {{cluster}}{{other}}: aws-node waits for IPAM-D for ever, and no node becomes Ready.',
      fix: { summary: 'Add the documented IPv6 policy; `AmazonEKS_CNI_Policy` covers IPv4 only, and no managed policy covers IPv6.', code: ipv6Policy, safety: 'needs-decision' },
    },
    'no-family': {
      text: '{{role}} lacks {{missing}}, so it fits neither IPv4 nor IPv6 clusters: aws-node waits for IPAM-D for ever, and no node becomes Ready.',
      fix: { summary: 'Attach `AmazonEKS_CNI_Policy` for an IPv4 cluster, or the documented IPv6 policy for an IPv6 cluster.', code: ipv4Policy, safety: 'needs-decision' },
    },
    'create-tags': {
      text: '{{role}} lacks ec2:CreateTags on network interfaces: aws-node tries five times to tag its first interface, then stops, and no node becomes Ready.',
      fix: { summary: 'Allow `ec2:CreateTags` on network interfaces.', code: tagPolicy, safety: 'needs-decision' },
    },
  },
  *check(model: EksModel) {
    yield* judgeCniRoles<MessageId>(model, (one, view) => {
      const { identity, permissions, family } = one;
      const some = hasCniPermissions(permissions);
      if (!isDedicated(identity) && some === 'denied') return undefined;
      // A cluster that the input doesn't hold may give its CNI a role that the input doesn't hold either.
      const mayHaveOwnRole = !isDedicated(identity) && view.cluster === undefined && identity.addon === undefined;
      const outcome = family === undefined ? judgeUnknownFamily(one) : judgeFamily(one, family, view.cluster === undefined ? view.name : resourceName(view.cluster));
      if (outcome.verdict !== 'fail') return outcome;
      if (some === 'unknown' && !isDedicated(identity)) return { verdict: 'unverifiable' as const, reason: 'its permissions are not all known' };
      if (mayHaveOwnRole) return { verdict: 'unverifiable' as const, reason: `cluster ${view.name} is not part of the input and may give the VPC CNI a role of its own` };
      const quiet = withoutEc2Calls(identity.addon);
      return quiet === undefined ? outcome : { verdict: 'unverifiable' as const, reason: quiet };
    });
  },
});

type Outcome = { readonly verdict: 'pass' } | { readonly verdict: 'unverifiable'; readonly reason: string } | { readonly verdict: 'fail'; readonly message: MessageId; readonly data: Record<string, string>; readonly about?: string };

function judgeFamily(one: CniCase, family: IpFamily, cluster: string): Outcome {
  const { missing, unknown, reasons } = lackOfCore(one.permissions, family);
  const role = () => roleText(one.identity, resourceName(one.role));
  if (missing.length > 0) {
    return { verdict: 'fail', message: family, data: { role: role(), cluster, missing: listOf(missing), other: otherFamily(one, family) }, about: cluster };
  }
  const tags = mayTagInterfaces(one.permissions);
  if (tags === 'denied') return { verdict: 'fail', message: 'create-tags', data: { role: role() } };
  if (unknown.length > 0) return { verdict: 'unverifiable', reason: `whether it has ${listOf(unknown)} is not known (${reasons.join('; ')})` };
  if (tags === 'unknown') return { verdict: 'unverifiable', reason: 'whether it has ec2:CreateTags on network interfaces is not known' };
  return { verdict: 'pass' };
}

function judgeUnknownFamily(one: CniCase): Outcome {
  const outcomes = (['ipv4', 'ipv6'] as const).map((family) => judgeFamily(one, family, ''));
  const [ipv4, ipv6] = outcomes;
  if (outcomes.every(({ verdict }) => verdict === 'pass')) return { verdict: 'pass' };
  if (ipv4?.verdict === 'fail' && ipv6?.verdict === 'fail') {
    if (ipv4.message === 'create-tags' || ipv6.message === 'create-tags') return { ...ipv4, message: 'create-tags' };
    return { ...ipv4, message: 'no-family' };
  }
  const doubt = outcomes.find((outcome) => outcome.verdict === 'unverifiable');
  if (outcomes.every(({ verdict }) => verdict !== 'pass') && doubt?.verdict === 'unverifiable') return doubt;
  return { verdict: 'unverifiable', reason: `the IP family of the cluster is not known (${one.familyDoubt})` };
}

/** Says so when the role was made for the other family. */
function otherFamily(one: CniCase, family: IpFamily): string {
  const other = family === 'ipv4' ? 'ipv6' : 'ipv4';
  const { missing, unknown } = lackOfCore(one.permissions, other);
  return missing.length + unknown.length === 0 ? ` (it has the permissions of ${other === 'ipv4' ? 'IPv4' : 'IPv6'})` : '';
}

function listOf(actions: readonly string[]): string {
  if (actions.length > 3) return `${actions.slice(0, 2).join(', ')} and ${actions.length - 2} more EC2 actions`;
  return actions.length < 2 ? actions.join('') : `${actions.slice(0, -1).join(', ')} and ${actions.at(-1) ?? ''}`;
}
