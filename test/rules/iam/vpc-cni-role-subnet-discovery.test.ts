import { vpcCniRoleSubnetDiscovery } from '../../../lib/rules/iam/vpc-cni-role-subnet-discovery';
import { testRule } from '../rule-tester';
import { CNI, cniTemplate, ECR, inline, OLD_IPV4, OLD_IPV6, perFamily, SUBNETS, TAGS, WORKER } from './cni-templates';

const own = { identity: 'pod-identity' } as const;
const DISCOVERY = (value: string) => [`ConfigurationValues: '{"env":{"ENABLE_SUBNET_DISCOVERY":"${value}"}}'`];

testRule(vpcCniRoleSubnetDiscovery, {
  valid: [
    {
      name: 'the managed policy has both calls',
      template: cniTemplate({ ...own, cniRole: [CNI], version: 'v1.22.1-eksbuild.2' }),
    },
    {
      name: 'the IPv6 policy of 2026 has both calls',
      template: cniTemplate({
        ...own,
        family: 'ipv6',
        cniRole: [OLD_IPV6, SUBNETS, TAGS],
        version: 'v1.22.4-eksbuild.3',
      }),
    },
    {
      name: 'with subnet discovery off nothing is needed',
      template: cniTemplate({
        ...own,
        family: 'ipv6',
        cniRole: [OLD_IPV6, TAGS],
        version: 'v1.22.4-eksbuild.3',
        addon: DISCOVERY('False'),
      }),
    },
    {
      name: 'before v1.18 nothing is needed',
      template: cniTemplate({ ...own, family: 'ipv6', cniRole: [OLD_IPV6, TAGS], version: 'v1.17.1-eksbuild.1' }),
    },
    {
      name: 'from v1.22.2 on DescribeSecurityGroups is not needed',
      template: cniTemplate({
        ...own,
        cniRole: [OLD_IPV4, inline(['ec2:DescribeSubnets']), TAGS],
        version: 'v1.22.4-eksbuild.3',
      }),
    },
    {
      name: 'with custom networking v1.22.1 needs no DescribeSecurityGroups',
      template: cniTemplate({
        ...own,
        cniRole: [OLD_IPV4, inline(['ec2:DescribeSubnets']), TAGS],
        version: 'v1.22.1-eksbuild.2',
        addon: [`ConfigurationValues: '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true"}}'`],
      }),
    },
    {
      name: 'a node role with the managed policy has both calls',
      template: cniTemplate({ nodeRole: [WORKER, ECR, CNI] }),
    },
  ],
  invalid: [
    {
      name: 'each of two add-ons under conditions is judged by its own version',
      template: perFamily(
        { family: 'ipv6', identity: 'irsa', cniRole: [OLD_IPV6, TAGS], version: 'v1.17.1-eksbuild.1' },
        (addon) => addon.replace('v1.17.1-eksbuild.1', 'v1.22.3-eksbuild.1'),
      ),
      findings: [
        {
          message: 'fatal',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['ServiceAccountRoleArn: !GetAtt CniRole.A', 'CniSix:'],
          says: ['v1.22.3-eksbuild.1', 'V6 is true'],
        },
      ],
    },
    {
      name: 'the old IPv6 policy with an unpinned add-on fails',
      also: ['pod-identity-agent'],
      template: cniTemplate({ ...own, family: 'ipv6', cniRole: [OLD_IPV6, TAGS] }),
      fixed: cniTemplate({ ...own, family: 'ipv6', cniRole: [OLD_IPV6, SUBNETS, TAGS] }),
      findings: [
        {
          message: 'unpinned',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn', 'Cni:'],
          says: ['v1.22.4-eksbuild.3', 'crash-loops'],
        },
      ],
    },
    {
      name: 'the old IPv6 policy on v1.22 fails',
      also: ['pod-identity-agent'],
      template: cniTemplate({ ...own, family: 'ipv6', cniRole: [OLD_IPV6, TAGS], version: 'v1.22.4-eksbuild.3' }),
      findings: [
        {
          message: 'fatal',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn', 'Cni:'],
          says: ['ec2:DescribeSubnets', 'v1.22.4-eksbuild.3', 'IPv6'],
        },
      ],
    },
    {
      name: 'the old IPv6 policy on v1.21 is a warning',
      also: ['pod-identity-agent'],
      template: cniTemplate({ ...own, family: 'ipv6', cniRole: [OLD_IPV6, TAGS], version: 'v1.21.1-eksbuild.5' }),
      findings: [
        {
          message: 'next-update',
          severity: 'warning',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn', 'Cni:'],
          says: ['v1.21.1-eksbuild.5'],
        },
      ],
    },
    {
      name: 'a hand-written IPv4 policy on v1.22 fails',
      also: ['pod-identity-agent'],
      template: cniTemplate({ ...own, cniRole: [OLD_IPV4, TAGS], version: 'v1.22.4-eksbuild.3' }),
      findings: [
        {
          message: 'capped',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn', 'Cni:'],
          says: ['the addresses of its first interface only', 'ContainerCreating'],
          omits: ['reach nothing'],
        },
      ],
    },
    {
      name: 'with custom networking interfaces are made, and left half-way',
      also: ['pod-identity-agent'],
      template: cniTemplate({
        ...own,
        cniRole: [OLD_IPV4, TAGS],
        version: 'v1.22.4-eksbuild.3',
        addon: [`ConfigurationValues: '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true"}}'`],
      }),
      findings: [
        {
          message: 'half-wired',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          says: ['reach nothing'],
          omits: ['ContainerCreating'],
        },
      ],
    },
    {
      name: 'without DescribeSecurityGroups v1.22.1 fails on IPv4 too',
      also: ['pod-identity-agent'],
      template: cniTemplate({
        ...own,
        cniRole: [OLD_IPV4, inline(['ec2:DescribeSubnets']), TAGS],
        version: 'v1.22.1-eksbuild.2',
      }),
      findings: [
        {
          message: 'fatal',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          says: ['lacks ec2:DescribeSecurityGroups', 'IPv4'],
        },
      ],
    },
    {
      name: 'a hand-written IPv4 policy with an unpinned add-on is a warning',
      also: ['pod-identity-agent'],
      template: cniTemplate({ ...own, cniRole: [OLD_IPV4, TAGS] }),
      findings: [
        {
          message: 'unpinned',
          severity: 'warning',
          resource: 'CniRole',
          at: 'CniRole:\n',
          says: ['ContainerCreating'],
          omits: ['reach nothing'],
        },
      ],
    },
    {
      name: 'an unpinned add-on on an old cluster is judged by the default of that cluster',
      also: ['pod-identity-agent'],
      template: cniTemplate({ ...own, family: 'ipv6', kubernetes: '1.29', cniRole: [OLD_IPV6, TAGS] }),
      findings: [
        {
          message: 'next-update',
          severity: 'warning',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn', 'Cni:'],
          says: ['v1.20.4-eksbuild.2'],
        },
      ],
    },
    {
      name: 'a hand-written IPv4 policy on v1.19 is a warning',
      also: ['pod-identity-agent'],
      template: cniTemplate({ ...own, cniRole: [OLD_IPV4, TAGS], version: 'v1.19.6-eksbuild.1' }),
      findings: [
        {
          message: 'degraded',
          severity: 'warning',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn', 'Cni:'],
        },
      ],
    },
    {
      name: 'a version after the table is a warning',
      also: ['pod-identity-agent'],
      template: cniTemplate({ ...own, family: 'ipv6', cniRole: [OLD_IPV6, TAGS], version: 'v1.24.0-eksbuild.1' }),
      findings: [
        {
          message: 'newer',
          severity: 'warning',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn', 'Cni:'],
        },
      ],
    },
    {
      name: 'subnet discovery with a text that is no boolean is on',
      also: ['pod-identity-agent'],
      template: cniTemplate({
        ...own,
        family: 'ipv6',
        cniRole: [OLD_IPV6, TAGS],
        version: 'v1.22.4-eksbuild.3',
        addon: DISCOVERY('no'),
      }),
      findings: [{ message: 'fatal', severity: 'error', resource: 'CniRole', at: 'CniRole:\n' }],
    },
    {
      name: 'of the branches of the IP family the bad one is named',
      also: ['pod-identity-agent'],
      template: cniTemplate({
        ...own,
        family: '!If [IsSix, ipv6, ipv4]',
        cniRole: [OLD_IPV6, OLD_IPV4, TAGS],
        version: 'v1.21.1-eksbuild.5',
        head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsSix: !Equals [!Ref Stage, six]',
      }),
      findings: [
        { message: 'next-update', severity: 'warning', resource: 'CniRole', at: 'CniRole:\n', says: ['IsSix is true'] },
        { message: 'degraded', severity: 'warning', resource: 'CniRole', at: 'CniRole:\n', says: ['IsSix is false'] },
      ],
    },
    {
      name: 'of the branches of the version the bad one is named',
      also: ['pod-identity-agent'],
      template: cniTemplate({
        ...own,
        cniRole: [OLD_IPV4, TAGS],
        version: '!If [IsNew, v1.22.4-eksbuild.3, v1.17.1-eksbuild.1]',
        head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsNew: !Equals [!Ref Stage, new]',
      }),
      findings: [
        { message: 'capped', severity: 'error', resource: 'CniRole', at: 'CniRole:\n', says: ['IsNew is true'] },
      ],
    },
    {
      name: 'a cluster outside the input fails too, when the role fits one family only',
      template: cniTemplate({ ...own, cluster: 'shared', cniRole: [OLD_IPV6, TAGS], version: 'v1.22.4-eksbuild.3' }),
      findings: [{ message: 'fatal', severity: 'error', resource: 'CniRole', at: 'CniRole:\n' }],
    },
  ],
  unverifiable: [
    {
      name: 'a self-managed CNI, whose version is not known',
      template: cniTemplate({ version: null, nodeRole: [OLD_IPV4, TAGS] }),
      resources: ['NodeRole'],
      because: 'no vpc-cni add-on',
    },
    {
      name: 'a version from a parameter',
      template: cniTemplate({
        ...own,
        cniRole: [OLD_IPV4, TAGS],
        version: '!Ref V',
        head: 'Parameters:\n  V:\n    Type: String',
      }),
      resources: ['CniRole'],
      because: 'V',
    },
    {
      name: 'a version that is none',
      template: cniTemplate({ ...own, cniRole: [OLD_IPV4, TAGS], version: 'latest' }),
      resources: ['CniRole'],
      because: '"latest" is no version of vpc-cni',
    },
    {
      name: 'subnet discovery from a parameter',
      template: cniTemplate({
        ...own,
        cniRole: [OLD_IPV4, TAGS],
        version: 'v1.22.4-eksbuild.3',
        addon: [`ConfigurationValues: !Sub '{"env":{"ENABLE_SUBNET_DISCOVERY":"\${V}"}}'`],
        head: 'Parameters:\n  V:\n    Type: String',
      }),
      resources: ['CniRole'],
      because: 'subnet discovery',
    },
    { name: 'a role outside the input', template: cniTemplate({ identity: 'imported' }), resources: ['Cni'] },
  ],
  notApplicable: [
    {
      name: 'a role of the wrong family, which is one finding of vpc-cni-role-ip-family',
      template: cniTemplate({ ...own, cniRole: [OLD_IPV6, TAGS] }),
    },
    {
      name: 'a role of a cluster with Fargate alone, where aws-node never runs',
      template: cniTemplate({ ...own, family: 'ipv6', cniRole: [OLD_IPV6, TAGS], fargate: true, nodeGroup: false }),
    },
    { name: 'nodes without any CNI permission', template: cniTemplate({}) },
    {
      name: 'a node role outside the input, without an add-on',
      template: cniTemplate({ version: null }).replace(
        'NodeRole: !GetAtt NodeRole.Arn',
        'NodeRole: arn:aws:iam::111122223333:role/nodes',
      ),
    },
  ],
});
