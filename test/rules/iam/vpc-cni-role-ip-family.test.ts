import { vpcCniRoleIpFamily } from '../../../lib/rules/iam/vpc-cni-role-ip-family';
import { helmChart } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  CNI,
  cniTemplate,
  ECR,
  FAMILIES,
  inline,
  IPV4_ACTIONS,
  OLD_IPV6,
  perFamily,
  secondRole,
  SUBNETS,
  TAGS,
  WORKER,
} from './cni-templates';

const STAGE = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsSix: !Equals [!Ref Stage, six]';

const CILIUM = helmChart('Cilium', 'cilium', { eni: { enabled: true }, ipam: { mode: 'eni' } }).replaceAll(
  /^(?=.)/gm,
  '  ',
);

testRule(vpcCniRoleIpFamily, {
  valid: [
    {
      name: 'an add-on per IP family, each created under its condition and with the role of its family, passes',
      template:
        perFamily({ family: '!If [V6, ipv6, ipv4]', identity: 'irsa', cniRole: [CNI] }, (addon) =>
          addon.replace('CniRole.Arn', 'SixRole.Arn'),
        ) + secondRole('SixRole', [OLD_IPV6, TAGS]),
    },
    {
      name: 'the role that an add-on names is not that of a CNI without the add-on',
      template: cniTemplate({
        head: FAMILIES,
        family: '!If [V6, ipv6, ipv4]',
        identity: 'irsa',
        cniRole: [CNI],
        nodeRole: [WORKER, ECR, OLD_IPV6, TAGS],
      }).replace('  Cni:\n', '  Cni:\n    Condition: V4\n'),
    },
    {
      name: 'node groups that only exist with the family of their role pass',
      template: cniTemplate({ head: FAMILIES, family: '!If [V6, ipv6, ipv4]', nodeRole: [WORKER, ECR, CNI] }).replace(
        '  Nodes:\n',
        '  Nodes:\n    Condition: V4\n',
      ),
    },
    {
      name: 'the node role with the managed policy fits IPv4',
      template: cniTemplate({ nodeRole: [WORKER, ECR, CNI] }),
    },
    {
      name: 'a Pod Identity role with the managed policy fits IPv4, whatever the node role lacks',
      template: cniTemplate({ identity: 'pod-identity', cniRole: [CNI] }),
    },
    {
      name: 'permissions may come from several policies',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: [inline(IPV4_ACTIONS.slice(0, 5)), inline(IPV4_ACTIONS.slice(5)), TAGS],
      }),
    },
    { name: 'ec2:* is enough', template: cniTemplate({ identity: 'irsa', cniRole: [inline(['ec2:*'])] }) },
    {
      name: 'ec2:DescribeTags, which the CNI never calls, may be missing',
      template: cniTemplate({
        family: 'ipv6',
        identity: 'irsa',
        cniRole: [inline(['ec2:AssignIpv6Addresses', 'ec2:DescribeNetworkInterfaces']), TAGS],
      }),
    },
    {
      name: "CDK's node role for IPv6, the managed policy and an inline one, fits IPv6",
      template: cniTemplate({
        family: 'ipv6',
        nodeRole: [
          WORKER,
          ECR,
          CNI,
          inline(['ec2:AssignIpv6Addresses', 'ec2:UnassignIpv6Addresses'], "'arn:aws:ec2:*:*:network-interface/*'"),
        ],
      }),
    },
    {
      name: 'a role with both families fits a cluster whose family is a parameter',
      template: cniTemplate({
        family: '!Ref Family',
        identity: 'irsa',
        cniRole: [CNI, OLD_IPV6],
        head: 'Parameters:\n  Family:\n    Type: String',
      }),
    },
    {
      name: 'a CNI that keeps to one network interface needs no calls for others',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: [
          inline(['ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses', 'ec2:DescribeNetworkInterfaces']),
          SUBNETS,
          TAGS,
        ],
        addon: [`ConfigurationValues: '{"env":{"MAX_ENI":"1"}}'`],
      }),
    },
    {
      name: 'a CNI that keeps to one network interface has none to give back',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: [inline(IPV4_ACTIONS.filter((action) => !/Delete|Detach/.test(action))), SUBNETS, TAGS],
        addon: [`ConfigurationValues: '{"env":{"MAX_ENI":"1"}}'`],
      }),
    },
    {
      name: 'administrators fit IPv6',
      template: cniTemplate({ family: 'ipv6', nodeRole: [WORKER, 'arn:aws:iam::aws:policy/AdministratorAccess'] }),
    },
    {
      name: 'a role with both families fits a cluster outside the input',
      template: cniTemplate({ cluster: 'shared', identity: 'irsa', cniRole: [CNI, OLD_IPV6] }),
    },
  ],
  invalid: [
    {
      name: "the add-ons per IP family with each other's role fail",
      template:
        perFamily({ family: '!If [V6, ipv6, ipv4]', identity: 'irsa', cniRole: [OLD_IPV6, TAGS] }, (addon) =>
          addon.replace('CniRole.Arn', 'FourRole.Arn'),
        ) + secondRole('FourRole', [CNI]),
      findings: [
        {
          message: 'ipv4',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['ServiceAccountRoleArn: !GetAtt CniRole.A'],
          says: ['V4 is true'],
        },
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'FourRole',
          at: 'FourRole:\n',
          related: ['ServiceAccountRoleArn: !GetAtt FourRole.'],
          says: ['V6 is true'],
        },
      ],
    },
    {
      name: 'IPv6 permissions on an IPv4 cluster fail, and the message says whose they are',
      template: cniTemplate({ identity: 'irsa', cniRole: [OLD_IPV6, TAGS] }),
      fixed: cniTemplate({ identity: 'irsa', cniRole: [OLD_IPV6, TAGS, CNI] }),
      findings: [
        {
          message: 'ipv4',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          says: ['ec2:AssignPrivateIpAddresses', 'it has the permissions of IPv6', 'IPAM-D'],
        },
      ],
    },
    {
      name: 'the managed policy alone on an IPv6 cluster fails',
      also: ['pod-identity-agent'],
      template: cniTemplate({ family: 'ipv6', identity: 'pod-identity', cniRole: [CNI] }),
      fixed: cniTemplate({ family: 'ipv6', identity: 'pod-identity', cniRole: [CNI, OLD_IPV6] }),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn'],
          says: [
            'ec2:AssignIpv6Addresses',
            'it has the permissions of IPv4',
            'nodes become Ready',
            'ContainerCreating',
          ],
          omits: ['IPAM-D'],
        },
      ],
    },
    {
      name: 'so does the node role with the managed policy alone',
      template: cniTemplate({ family: 'ipv6', nodeRole: [WORKER, ECR, CNI] }),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          related: ['NodeRole: !GetAtt NodeRole.Arn'],
          says: ['Node role NodeRole, with which the VPC CNI works'],
        },
      ],
    },
    {
      name: 'a role of its own by a separate association is judged too',
      also: ['pod-identity-agent'],
      template: cniTemplate({ family: 'ipv6', identity: 'association', cniRole: [CNI] }),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['RoleArn: !GetAtt CniRole.Arn'],
        },
      ],
    },
    {
      name: 'a role that only trusts aws-node, without add-on, is judged too',
      template: cniTemplate({ version: null, family: 'ipv6', identity: 'irsa', cniRole: [CNI] }),
      findings: [{ message: 'ipv6', severity: 'error', resource: 'CniRole', at: 'CniRole:\n', related: [] }],
    },
    {
      name: 'so is one beside a node role with the permissions of the other IP family',
      template: cniTemplate({
        version: null,
        family: 'ipv6',
        identity: 'irsa',
        cniRole: [TAGS],
        nodeRole: [WORKER, ECR, CNI],
      }),
      findings: [{ message: 'ipv6', severity: 'error', resource: 'CniRole', at: 'CniRole:\n' }],
    },
    {
      name: 'a dedicated role that can only create tags fails',
      template: cniTemplate({ identity: 'irsa', cniRole: [TAGS] }),
      findings: [
        {
          message: 'ipv4',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          says: ['7 more EC2 actions', 'IPAM-D'],
        },
      ],
    },
    {
      name: 'such a role fits no cluster, so it fails for one outside the input too',
      template: cniTemplate({ cluster: 'shared', identity: 'irsa', cniRole: [TAGS] }),
      findings: [
        {
          message: 'no-family',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['ServiceAccountRoleArn: !GetAtt CniRole.A'],
          says: ['neither IPv4 nor IPv6'],
        },
      ],
    },
    {
      name: 'no CreateTags fails',
      template: cniTemplate({ identity: 'irsa', cniRole: [inline(IPV4_ACTIONS), SUBNETS] }),
      fixed: cniTemplate({ identity: 'irsa', cniRole: [inline(IPV4_ACTIONS), SUBNETS, TAGS] }),
      findings: [
        {
          message: 'create-tags',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['ServiceAccountRoleArn: !GetAtt CniRole.A'],
        },
      ],
    },
    {
      name: 'CreateTags on instances only is not enough',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: [inline(IPV4_ACTIONS), inline(['ec2:CreateTags'], "'arn:aws:ec2:*:*:instance/*'")],
      }),
      findings: [{ message: 'create-tags', severity: 'error', resource: 'CniRole', at: 'CniRole:\n' }],
    },
    {
      name: 'a Deny takes a permission away',
      template: cniTemplate({ identity: 'irsa', cniRole: [CNI] }).replace(
        '      ManagedPolicyArns:\n        - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonEKS_CNI_Policy',
        "      Policies:\n        - PolicyName: D\n          PolicyDocument:\n            Statement:\n              - { Effect: Deny, Action: ec2:Attach*, Resource: '*' }\n$&",
      ),
      findings: [
        {
          message: 'interfaces',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['ServiceAccountRoleArn: !GetAtt CniRole.A'],
          says: ['lacks ec2:AttachNetworkInterface', 'further pods'],
          omits: ['no node becomes Ready'],
        },
      ],
    },
    {
      name: 'no further network interfaces with prefixes is a warning: the first interface may do',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: [inline(IPV4_ACTIONS.filter((action) => action !== 'ec2:CreateNetworkInterface')), SUBNETS, TAGS],
        addon: [`ConfigurationValues: '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}'`],
      }),
      findings: [
        {
          message: 'interfaces',
          severity: 'warning',
          resource: 'CniRole',
          at: 'CniRole:\n',
          says: ['ec2:CreateNetworkInterface'],
        },
      ],
    },
    {
      name: 'no further network interfaces with custom networking leaves no place for pods at all',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: [inline(IPV4_ACTIONS.filter((action) => action !== 'ec2:CreateNetworkInterface')), SUBNETS, TAGS],
        addon: [`ConfigurationValues: '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true"}}'`],
      }),
      findings: [
        {
          message: 'ipv4',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          says: ['ec2:CreateNetworkInterface', 'no node becomes Ready'],
        },
      ],
    },
    {
      name: 'calls that only give things back are a warning',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: [inline(IPV4_ACTIONS.filter((action) => !/Delete|Detach|Unassign/.test(action))), SUBNETS, TAGS],
      }),
      fixed: cniTemplate({ identity: 'irsa', cniRole: [inline(IPV4_ACTIONS), SUBNETS, TAGS] }),
      findings: [
        {
          message: 'giving-back',
          severity: 'warning',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['ServiceAccountRoleArn: !GetAtt CniRole.A'],
          says: ['ec2:DeleteNetworkInterface, ec2:DetachNetworkInterface and ec2:UnassignPrivateIpAddresses'],
          omits: ['Ready'],
        },
      ],
    },
    {
      name: 'an IPv6 role that cannot describe network interfaces never gets ready',
      template: cniTemplate({
        family: 'ipv6',
        identity: 'irsa',
        cniRole: [inline(['ec2:AssignIpv6Addresses', 'ec2:DescribeSubnets', 'ec2:DescribeSecurityGroups']), TAGS],
      }),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'CniRole',
          at: 'CniRole:\n',
          related: ['ServiceAccountRoleArn: !GetAtt CniRole.A'],
          says: ['ec2:DescribeNetworkInterfaces', 'IPAM-D'],
        },
      ],
    },
    {
      name: 'of the branches of the IP family the bad one fails and is named',
      template: cniTemplate({ family: '!If [IsSix, ipv6, ipv4]', identity: 'irsa', cniRole: [CNI], head: STAGE }),
      findings: [{ message: 'ipv6', severity: 'error', resource: 'CniRole', at: 'CniRole:\n', says: ['IsSix'] }],
    },
    {
      name: 'a policy that is attached under a condition fails without it',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: ['!If [IsSix, !Ref AWS::NoValue, "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"]'],
        head: STAGE,
      }),
      findings: [{ message: 'ipv4', severity: 'error', resource: 'CniRole', at: 'CniRole:\n', says: ['IsSix'] }],
    },
    {
      name: 'each node role is judged by itself',
      template:
        cniTemplate({ family: 'ipv6', nodeRole: [WORKER, ECR, CNI, OLD_IPV6] }) +
        cniTemplate({ cluster: '!Ref Cluster', version: null, nodeRole: [WORKER, ECR, CNI] })
          .replace('Resources:\n', '')
          .replaceAll('NodeRole', 'SecondRole')
          .replace('SecondRole: !GetAtt', 'NodeRole: !GetAtt')
          .replace('  Nodes:', '  MoreNodes:'),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'SecondRole',
          at: 'SecondRole:\n',
          related: ['NodeRole: !GetAtt SecondRole.Arn'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'no calls for further network interfaces while the number of interfaces is a parameter',
      template: cniTemplate({
        identity: 'irsa',
        head: 'Parameters:\n  Most:\n    Type: String',
        cniRole: [inline(['ec2:AssignPrivateIpAddresses', 'ec2:DescribeNetworkInterfaces']), SUBNETS, TAGS],
        addon: [`ConfigurationValues: !Sub '{"env":{"MAX_ENI":"\${Most}"}}'`],
      }),
      resources: ['CniRole'],
      because: 'MAX_ENI',
    },
    {
      name: 'a role without family whose IPv4 permissions are only short of interfaces, on an unknown cluster',
      template: cniTemplate({
        cluster: 'shared',
        identity: 'irsa',
        cniRole: [inline(['ec2:AssignPrivateIpAddresses', 'ec2:DescribeNetworkInterfaces']), SUBNETS, TAGS],
      }),
      resources: ['CniRole'],
      because: 'IP family',
    },
    {
      name: 'a role that merely trusts aws-node, while the nodes have what the CNI needs',
      template: cniTemplate({ version: null, identity: 'irsa', cniRole: [], nodeRole: [WORKER, ECR, CNI] }),
      resources: ['CniRole'],
      because: 'nothing in the input gives it to aws-node',
    },
    {
      name: 'the node role of an add-on that names no role, while a role trusts aws-node',
      template:
        cniTemplate({ nodeRole: [WORKER, ECR, inline(['ec2:AssignPrivateIpAddresses'])] }) +
        secondRole('Trusting', [CNI]),
      resources: ['NodeRole'],
      because: "role Trusting trusts aws-node, but add-on Cni doesn't name it",
    },
    {
      name: 'a role outside the input',
      template: cniTemplate({ identity: 'imported' }),
      resources: ['Cni'],
      because: 'role/elsewhere',
    },
    {
      name: 'a managed policy that the input does not hold',
      template: cniTemplate({ identity: 'irsa', cniRole: ['arn:aws:iam::111122223333:policy/Mine'] }),
      resources: ['CniRole'],
      because: 'policy/Mine',
    },
    {
      name: 'a cluster outside the input',
      template: cniTemplate({ cluster: 'shared', identity: 'irsa', cniRole: [CNI] }),
      resources: ['CniRole'],
      because: 'IP family',
    },
    {
      name: 'an IP family from a parameter',
      template: cniTemplate({
        family: '!Ref Family',
        identity: 'irsa',
        cniRole: [CNI],
        head: 'Parameters:\n  Family:\n    Type: String',
      }),
      resources: ['CniRole'],
      because: 'Family',
    },
    {
      name: 'an add-on whose name is a parameter, which may be vpc-cni with a role of its own',
      template: cniTemplate({
        nodeRole: [WORKER, OLD_IPV6, TAGS],
        head: 'Parameters:\n  Name:\n    Type: String',
      }).replace('AddonName: vpc-cni', 'AddonName: !Ref Name'),
      resources: ['NodeRole'],
      because: 'may be vpc-cni',
    },
    {
      name: 'a node role of a cluster outside the input, whose CNI may have its own role',
      template: cniTemplate({
        cluster: 'shared',
        version: null,
        nodeRole: [WORKER, inline(['ec2:AttachNetworkInterface'])],
      }),
      resources: ['NodeRole'],
      because: 'role of its own',
    },
    {
      name: 'a mode in which the CNI makes no calls',
      template: cniTemplate({
        identity: 'irsa',
        cniRole: [TAGS],
        version: 'v1.20.4-eksbuild.2',
        addon: [`ConfigurationValues: '{"env":{"ENABLE_IMDS_ONLY_MODE":"true"}}'`],
      }),
      resources: ['CniRole'],
      because: 'ENABLE_IMDS_ONLY_MODE',
    },
  ],
  notApplicable: [
    { name: 'nodes without any CNI permission, which vpc-cni-role-missing reports', template: cniTemplate({}) },
    {
      name: 'Auto Mode without node groups',
      template: cniTemplate({ autoMode: true, nodeGroup: false, version: null }),
    },
    {
      name: 'Cilium with its own ENI mode in the place of aws-node',
      template: `${cniTemplate({ nodeRole: [WORKER, ECR, inline(IPV4_ACTIONS.slice(0, -1))], version: null }).trimEnd()}\n${CILIUM}`,
    },
    { name: 'only Fargate', template: cniTemplate({ fargate: true, nodeGroup: false, version: null }) },
  ],
});
