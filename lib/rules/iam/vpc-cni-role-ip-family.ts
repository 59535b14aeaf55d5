import { defineRule, resourceName, type Repair, type Severity } from '../../engine';
import { cniPermissions } from '../../knowledge';
import { alternativesOf, type EksModel } from '../../eks';
import { configurationAt, switchAt } from '../../eks/analysis/addon';
import { isDedicated } from '../../eks/analysis/cni';
import type { IpFamily } from '../../eks/analysis/ip-family';
import { hasCniPermissions, lackOfCore, mayTagInterfaces } from '../../eks/analysis/cni-permissions';
import { WIDENED } from '../parts/repair-effects';
import { judgeCniRoles, roleText, withoutEc2Calls, type CniCase } from './parts/cni-judgements';
import { unverifiable } from '../parts/case-judgements';

/*
 * AmazonEKS_CNI_Policy covers IPv4 alone and the documented IPv6 policy IPv6 alone, so with a role made for the other family no pod
 * gets an address. What a single missing call does is read from the code.
 * Source: aws/amazon-vpc-cni-k8s, docs/iam-policy.md and pkg/ipamd/ipamd.go.
 */

type MessageId = 'ipv4' | 'ipv6' | 'no-family' | 'create-tags' | 'interfaces' | 'giving-back';

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
    '// where `role` is the Role that the finding names:',
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
  // What iam-role-for-service-accounts-eks gives the CNI only if it is told to.
  'terraform-module': 'cni_policy = true\ncni_ipv6 = true',
  eksctl: '{{inConfig}}',
} as const;

/** Where the add-on has no role yet. */
const ROLE_IN_CONFIG =
  '# in the file; without policies of its own vpc-cni then gets a role with these from eksctl:\niam:\n  withOIDC: true';

const ipv4Policy = {
  cloudformation: 'ManagedPolicyArns:\n  - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonEKS_CNI_Policy',
  'aws-cdk':
    "// where `role` is the Role that the finding names:\nrole.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonEKS_CNI_Policy'));",
  terraform: [
    'resource "aws_iam_role_policy_attachment" "vpc_cni" {',
    '  role       = aws_iam_role.vpc_cni.name',
    '  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/AmazonEKS_CNI_Policy"',
    '}',
  ].join('\n'),
  'terraform-module': 'cni_policy = true\ncni_ipv4 = true',
} as const;

const tagPolicy = {
  cloudformation: [
    'VpcCniTagging:',
    '  Type: AWS::IAM::RolePolicy',
    '  Properties:',
    '    RoleName: !Ref ThisResource',
    '    PolicyName: VpcCniTagging',
    '    PolicyDocument:',
    "      Version: '2012-10-17'",
    '      Statement:',
    '        - Effect: Allow',
    '          Action: ec2:CreateTags',
    '          Resource: !Sub arn:${AWS::Partition}:ec2:*:*:network-interface/*',
  ].join('\n'),
  'aws-cdk': [
    '// where `role` is the Role that the finding names:',
    'role.addToPrincipalPolicy(new iam.PolicyStatement({',
    "  actions: ['ec2:CreateTags'],",
    '  resources: [`arn:${Aws.PARTITION}:ec2:*:*:network-interface/*`],',
    '}));',
  ].join('\n'),
} as const;

const ATTACHED: readonly Repair[] = [
  { kind: 'attachPolicy', field: 'managedPolicies', policy: 'AmazonEKS_CNI_Policy' },
];

export const vpcCniRoleIpFamily = defineRule<MessageId>({
  id: 'vpc-cni-role-ip-family',
  subject: 'iam',
  title: "The VPC CNI's role has the permissions of the cluster's IP family",
  severity: 'error',
  since: '0.1.0',
  messages: {
    ipv4: {
      text: '{{role}} lacks {{missing}} for the IPv4 cluster {{cluster}}{{other}}: aws-node waits for IPAM-D for ever, and no node becomes Ready.',
      fix: {
        summary: 'Attach `AmazonEKS_CNI_Policy`, which has all of them.',
        summaryIn: {
          eksctl:
            'Take the policies of vpc-cni out, so that eksctl attaches `AmazonEKS_CNI_Policy`, which has all of them.',
        },
        code: ipv4Policy,
        safety: 'needs-decision',
        repairsIn: { cloudformation: ATTACHED },
        effect: WIDENED,
      },
    },
    ipv6: {
      text: '{{role}} lacks {{missing}} for the IPv6 cluster {{cluster}}{{other}}: {{effect}}.',
      fix: {
        summary:
          'Add the documented IPv6 policy; `AmazonEKS_CNI_Policy` covers IPv4 only, and no managed policy covers IPv6.',
        summaryIn: {
          eksctl:
            'Take the policies of vpc-cni out, so that eksctl gives it those for IPv6; it needs `iam.withOIDC: true` for that. `AmazonEKS_CNI_Policy` covers IPv4 only.',
        },
        code: ipv6Policy,
        safety: 'needs-decision',
      },
    },
    'no-family': {
      text: '{{role}} lacks {{missing}}, so it fits neither IPv4 nor IPv6 clusters: no pod gets an address.',
      fix: {
        summary:
          'Attach `AmazonEKS_CNI_Policy` for an IPv4 cluster, or the documented IPv6 policy for an IPv6 cluster.',
        code: ipv4Policy,
        safety: 'needs-decision',
      },
    },
    interfaces: {
      text: '{{role}} lacks {{missing}} for the IPv4 cluster {{cluster}}: aws-node can\'t add network interfaces, so once the addresses of a node\'s first one are used, its further pods stay in ContainerCreating ("failed to assign an IP address to container").',
      fix: {
        summary: 'Attach `AmazonEKS_CNI_Policy`, which has all of them.',
        summaryIn: {
          eksctl:
            'Take the policies of vpc-cni out, so that eksctl attaches `AmazonEKS_CNI_Policy`, which has all of them.',
        },
        code: ipv4Policy,
        safety: 'needs-decision',
        repairsIn: { cloudformation: ATTACHED },
        effect: WIDENED,
      },
    },
    'giving-back': {
      text: "{{role}} lacks {{missing}} for the IPv4 cluster {{cluster}}: aws-node can't give back what pods no longer need, so addresses and network interfaces stay taken while the node lives.",
      fix: {
        summary: 'Attach `AmazonEKS_CNI_Policy`, which has all of them.',
        summaryIn: {
          eksctl:
            'Take the policies of vpc-cni out, so that eksctl attaches `AmazonEKS_CNI_Policy`, which has all of them.',
        },
        code: ipv4Policy,
        safety: 'needs-decision',
        repairsIn: { cloudformation: ATTACHED },
        effect: WIDENED,
      },
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
      // A cluster that the input doesn't hold, or not all of it, may give its CNI a role that the input doesn't hold either.
      const isWhole = view.cluster !== undefined && view.cluster.isPartial !== true;
      const mayHaveOwnRole = !isDedicated(identity) && !isWhole && identity.addon === undefined;
      const outcome =
        family === undefined
          ? judgeUnknownFamily(one)
          : judgeFamily(one, family, view.cluster === undefined ? view.name : resourceName(view.cluster));
      if (outcome.verdict !== 'fail') return outcome;
      if (some === 'unknown' && !isDedicated(identity))
        return { verdict: 'unverifiable' as const, reason: 'its permissions are not all known' };
      if (mayHaveOwnRole)
        return {
          verdict: 'unverifiable' as const,
          reason: `cluster ${view.name} is not ${view.cluster === undefined ? '' : 'wholly '}part of the input and may give the VPC CNI a role of its own`,
        };
      const quiet = withoutEc2Calls(identity.addon);
      return quiet === undefined ? outcome : { verdict: 'unverifiable' as const, reason: quiet };
    });
  },
});

type Failure = {
  readonly verdict: 'fail';
  readonly message: MessageId;
  readonly severity?: Severity;
  readonly data: Record<string, string>;
  readonly about?: string;
};
type Outcome = { readonly verdict: 'pass' } | { readonly verdict: 'unverifiable'; readonly reason: string } | Failure;

const WAITS = 'aws-node waits for IPAM-D for ever, and no node becomes Ready';
const NO_ADDRESSES =
  'nodes become Ready, and their pods stay in ContainerCreating ("failed to assign an IP address to container")';

function judgeFamily(one: CniCase, family: IpFamily, cluster: string): Outcome {
  const { permissions } = one;
  const { missing, unknown, reasons } = lackOfCore(permissions, family);
  const lacks = (actions: readonly string[]) => actions.some((action) => missing.includes(action));
  const data = {
    role: roleText(one.identity, resourceName(one.role)),
    cluster,
    missing: listOf(missing),
    other: otherFamily(one, family),
    inConfig: isDedicated(one.identity) ? '' : ROLE_IN_CONFIG,
  };
  const customNetworking = stateOf(one, 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG');
  if (family === 'ipv6' && missing.length > 0) {
    return {
      verdict: 'fail',
      message: 'ipv6',
      data: { ...data, effect: lacks(cniPermissions.fatalAtStart.ipv6) ? WAITS : NO_ADDRESSES },
      about: cluster,
    };
  }
  if (lacks(cniPermissions.fatalAtStart[family]) || (customNetworking === 'on' && lacks(cniPermissions.moreInterfaces)))
    return { verdict: 'fail', message: 'ipv4', data, about: cluster };
  const tags = mayTagInterfaces(permissions);
  if (tags === 'denied') return { verdict: 'fail', message: 'create-tags', data: { role: data.role } };
  if (lacks(cniPermissions.moreInterfaces)) {
    const needed = needsMoreInterfaces(one);
    if (needed === 'maybe')
      return unverifiable(`whether it needs ${listOf(missing)} depends on MAX_ENI, which is not known`);
    // With prefixes the first interface may do for all pods of a node.
    if (needed === 'yes')
      return {
        verdict: 'fail',
        message: 'interfaces',
        severity: stateOf(one, 'ENABLE_PREFIX_DELEGATION') === 'off' ? 'error' : 'warning',
        data,
        about: cluster,
      };
  } else if (
    missing.length > 0 &&
    (needsMoreInterfaces(one) === 'yes' || missing.some((action) => !action.endsWith('NetworkInterface')))
  )
    return { verdict: 'fail', message: 'giving-back', severity: 'warning', data, about: cluster };
  if (unknown.length > 0) return unverifiable(`whether it has ${listOf(unknown)} is not known (${reasons.join('; ')})`);
  if (tags === 'unknown') return unverifiable('whether it has ec2:CreateTags on network interfaces is not known');
  return { verdict: 'pass' };
}

/** Whether nodes get a second network interface for pods at all. */
function needsMoreInterfaces({ identity: { addon } }: CniCase): 'yes' | 'no' | 'maybe' {
  if (addon === undefined) return 'yes';
  const answers = alternativesOf(configurationAt(addon, 'env', 'MAX_ENI')).map(({ value }) =>
    value.kind === 'unknown'
      ? 'maybe'
      : value.kind === 'known' && (value.value === 1 || value.value === '1')
        ? 'no'
        : 'yes',
  );
  return answers.includes('maybe') ? 'maybe' : answers.includes('yes') ? 'yes' : 'no';
}

/** A switch of the CNI that is off by default; off as well where nothing installs the CNI with settings of its own. */
function stateOf({ identity: { addon } }: CniCase, name: string): 'on' | 'off' | 'maybe' {
  if (addon === undefined) return 'off';
  const states = new Set(
    alternativesOf(switchAt(addon, name, false)).map(({ value }) =>
      value.kind === 'known' ? (value.value ? 'on' : 'off') : 'maybe',
    ),
  );
  const [only = 'maybe'] = states;
  return states.size === 1 ? only : 'maybe';
}

/** Failures after which no pod has an address, whatever the family. */
const TOTAL: ReadonlySet<MessageId> = new Set(['ipv4', 'ipv6', 'create-tags']);

function judgeUnknownFamily(one: CniCase): Outcome {
  const outcomes = (['ipv4', 'ipv6'] as const).map((family) => judgeFamily(one, family, ''));
  const [ipv4, ipv6] = outcomes;
  if (outcomes.every(({ verdict }) => verdict === 'pass')) return { verdict: 'pass' };
  if (ipv4?.verdict === 'fail' && ipv6?.verdict === 'fail' && TOTAL.has(ipv4.message)) {
    if (ipv4.message === 'create-tags' || ipv6.message === 'create-tags') return { ...ipv4, message: 'create-tags' };
    return { ...ipv4, message: 'no-family' };
  }
  const doubt = outcomes.find((outcome) => outcome.verdict === 'unverifiable');
  if (outcomes.every(({ verdict }) => verdict !== 'pass') && doubt?.verdict === 'unverifiable') return doubt;
  return unverifiable(`the IP family of the cluster is not known (${one.familyDoubt})`);
}

/** Says so when the role was made for the other family. */
function otherFamily(one: CniCase, family: IpFamily): string {
  const other = family === 'ipv4' ? 'ipv6' : 'ipv4';
  const { missing, unknown } = lackOfCore(one.permissions, other);
  return missing.length + unknown.length === 0
    ? ` (it has the permissions of ${other === 'ipv4' ? 'IPv4' : 'IPv6'})`
    : '';
}

function listOf(actions: readonly string[]): string {
  if (actions.length > 3) return `${actions.slice(0, 2).join(', ')} and ${actions.length - 2} more EC2 actions`;
  return actions.length < 2 ? actions.join('') : `${actions.slice(0, -1).join(', ')} and ${actions.at(-1) ?? ''}`;
}
