import { clusterRolePolicies } from '../../../lib/rules/iam/cluster-role-policies';
import { onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { clusterWith, groupWith, iamRole, managed, type RoleTemplate } from './role-templates';

const POLICY = 'AmazonEKSClusterPolicy';
const AUTO_POLICIES = [
  'AmazonEKSBlockStoragePolicy',
  'AmazonEKSComputePolicy',
  'AmazonEKSLoadBalancingPolicy',
  'AmazonEKSNetworkingPolicy',
];
const AUTO = 'ComputeConfig: { Enabled: true, NodePools: [system] }';
const TAGGING = ['sts:AssumeRole', 'sts:TagSession'];

/** The custom policy of the user guide. */
const LEAST = [
  {
    actions: ['ec2:CreateTags'],
    resource: 'arn:aws:ec2:*:*:instance/*',
    condition: "{ ForAnyValue:StringLike: { aws:TagKeys: 'kubernetes.io/cluster/*' } }",
  },
  {
    actions: [
      'ec2:DescribeInstances',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeVpcs',
      'ec2:DescribeDhcpOptions',
      'ec2:DescribeAvailabilityZones',
      'ec2:DescribeInstanceTopology',
      'kms:DescribeKey',
    ],
  },
];
const without = (action: string) =>
  LEAST.map((statement) => ({ ...statement, actions: statement.actions.filter((one) => one !== action) }));

const role = (options: Partial<RoleTemplate>) => iamRole('Role', { services: ['eks.amazonaws.com'], ...options });
const cluster = (options: Partial<RoleTemplate>, ...more: readonly string[]) =>
  resources(clusterWith('Role', ...more), role(options));

const PARAMETER = 'Parameters:\n  Given:\n    Type: String\n';
const CONDITION = `${PARAMETER}Conditions:\n  IsProd: !Equals [!Ref Given, prod]\n`;

testRule(clusterRolePolicies, {
  valid: [
    {
      name: 'the custom policy that AWS documents, in place of the managed one',
      template: cluster({ statements: LEAST }),
    },
    { name: 'the managed policy', template: cluster({ managed: [POLICY] }, "Version: '1.35'") },
    { name: 'a wide policy', template: cluster({ statements: [{ actions: ['ec2:*', 'kms:Describe*'] }] }) },
    {
      name: 'Auto Mode with its policies, and a session that may be tagged',
      template: cluster({ trustActions: TAGGING, managed: [POLICY, ...AUTO_POLICIES] }, AUTO),
    },
    {
      name: 'Auto Mode with policies of the account',
      template: cluster(
        {
          trustActions: TAGGING,
          managed: [POLICY],
          statements: [{ actions: ['ec2:*', 'elasticloadbalancing:*', 'iam:*'] }],
        },
        AUTO,
      ),
    },
    {
      name: 'policies of Auto Mode that are attached where it is on',
      template: template(
        CONDITION,
        clusterWith('Role', 'ComputeConfig: { Enabled: !If [IsProd, true, false] }'),
        role({
          trustActions: TAGGING,
          managed: [POLICY, ...AUTO_POLICIES.map((name) => `!If [IsProd, ${managed(name)}, !Ref AWS::NoValue]`)],
        }),
      ),
    },
    {
      name: 'Auto Mode that is written and off',
      template: cluster({ managed: [POLICY] }, 'ComputeConfig: { Enabled: false }'),
    },
    {
      name: 'an old cluster with the service policy besides',
      template: cluster({ managed: [POLICY, 'AmazonEKSServicePolicy'] }, "Version: '1.31'"),
    },
  ],
  invalid: [
    {
      name: 'a service with its domain misspelt, for which IAM makes no role',
      template: cluster({ services: ['eks.amazonas.com'], managed: [POLICY] }),
      fixed: cluster({ managed: [POLICY] }),
      findings: [
        {
          message: 'trust',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['eks.amazonas.com', 'IAM refuses to make the role'],
        },
      ],
    },
    {
      name: 'a role of nodes as the role of the cluster fails',
      template: cluster({ services: ['ec2.amazonaws.com'], managed: [POLICY] }),
      fixed: cluster({ managed: [POLICY] }),
      findings: [
        {
          message: 'trust',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['ec2.amazonaws.com', 'EKS refuses to create cluster Cluster'],
          related: ['RoleArn: !GetAtt Role.Arn'],
        },
      ],
    },
    {
      name: 'a statement that is about nobody fails, because IAM refuses the role',
      template: cluster({ managed: [POLICY] }).replace(/^ +Principal: .*\n/m, ''),
      fixed: cluster({ managed: [POLICY] }),
      findings: [
        {
          message: 'no-principal',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['MalformedPolicyDocument'],
        },
      ],
    },
    {
      name: 'a role without any policy, which may get them elsewhere, is a warning',
      template: resources(clusterWith('Role'), role({}), groupWith('arn:aws:iam::111122223333:role/nodes')),
      fixed: resources(
        clusterWith('Role'),
        role({ managed: [POLICY] }),
        groupWith('arn:aws:iam::111122223333:role/nodes'),
      ),
      findings: [
        {
          message: 'permissions',
          severity: 'warning',
          resource: 'Role',
          at: 'Role:\n',
          says: ['the permissions of AmazonEKSClusterPolicy', 'uninitialized'],
        },
      ],
    },
    {
      name: 'the policy that only security groups for pods need is no policy of a cluster',
      template: cluster({ managed: ['AmazonEKSVPCResourceController'] }),
      findings: [{ message: 'permissions', severity: 'error', resource: 'Role', at: 'Role:\n' }],
    },
    {
      name: 'a custom policy from before 1.30 fails',
      template: cluster({ statements: without('ec2:DescribeAvailabilityZones') }, "Version: '1.34'"),
      fixed: cluster({ statements: LEAST }, "Version: '1.34'"),
      findings: [
        {
          message: 'permissions',
          severity: 'error',
          resource: 'Role',
          at: 'Role:\n',
          says: ['ec2:DescribeAvailabilityZones', '1.30'],
          omits: ['ec2:DescribeVpcs'],
        },
      ],
    },
    {
      name: 'a call of which nobody says what fails without it is a warning',
      template: cluster({ statements: without('ec2:DescribeInstanceTopology') }, "Version: '1.34'"),
      findings: [
        {
          message: 'permissions',
          severity: 'warning',
          resource: 'Role',
          at: 'Role:\n',
          says: ['ec2:DescribeInstanceTopology'],
        },
      ],
    },
    {
      name: 'Auto Mode without its policies fails',
      template: cluster({ trustActions: TAGGING, managed: [POLICY] }, AUTO),
      fixed: cluster({ trustActions: TAGGING, managed: [POLICY, ...AUTO_POLICIES] }, AUTO),
      findings: [
        {
          message: 'auto-mode',
          severity: 'error',
          resource: 'Role',
          at: 'Role:\n',
          says: ['AmazonEKSComputePolicy', 'start nodes'],
        },
      ],
    },
    {
      name: 'Auto Mode with three of its four policies fails',
      template: cluster({ trustActions: TAGGING, managed: [POLICY, ...AUTO_POLICIES.slice(1)] }, AUTO),
      findings: [
        {
          message: 'auto-mode',
          severity: 'error',
          resource: 'Role',
          at: 'Role:\n',
          says: ['AmazonEKSBlockStoragePolicy', 'make volumes'],
          omits: ['AmazonEKSComputePolicy'],
        },
      ],
    },
    {
      name: 'Auto Mode without sts:TagSession fails',
      template: cluster({ managed: [POLICY, ...AUTO_POLICIES] }, AUTO),
      fixed: cluster({ trustActions: TAGGING, managed: [POLICY, ...AUTO_POLICIES] }, AUTO),
      findings: [
        {
          message: 'tag-session',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['sts:TagSession'],
        },
      ],
    },
    {
      name: 'a policy that is attached under a condition fails without it',
      template: template(
        CONDITION,
        clusterWith('Role'),
        role({ managed: [`!If [IsProd, ${managed(POLICY)}, !Ref AWS::NoValue]`] }),
      ),
      findings: [
        { message: 'permissions', severity: 'error', resource: 'Role', at: 'Role:\n', says: ['IsProd is false'] },
      ],
    },
    {
      name: 'a role that exists under a condition is judged where it is given',
      template: template(
        CONDITION,
        clusterWith('Role').replace('!GetAtt Role.Arn', '!If [IsProd, !GetAtt Role.Arn, !GetAtt Other.Arn]'),
        onCondition('IsProd', role({ services: ['ec2.amazonaws.com'], managed: [POLICY] })),
        iamRole('Other', { services: ['eks.amazonaws.com'], managed: [POLICY] }),
      ),
      findings: [{ message: 'trust', severity: 'error', resource: 'Role', at: 'AssumeRolePolicyDocument' }],
    },
  ],
  unverifiable: [
    {
      name: 'a role that the input names by ARN',
      template: resources(clusterWith()),
      resources: ['Cluster'],
      because: 'role/cluster is not part of the input',
    },
    {
      name: 'a policy that the input does not hold',
      template: cluster({ managed: ['arn:aws:iam::111122223333:policy/cluster'] }),
      resources: ['Role'],
      because: 'policy/cluster',
    },
    {
      name: 'Auto Mode with a wide policy of AWS, of which the tables do not tell all',
      template: cluster({ trustActions: TAGGING, managed: [POLICY, 'AdministratorAccess'] }, AUTO),
      resources: ['Role'],
      because: 'AmazonEKSComputePolicy',
    },
  ],
  notApplicable: [
    {
      name: 'a local cluster on an Outpost, whose role is for instances there',
      template: cluster(
        { services: ['ec2.amazonaws.com'], managed: ['AmazonEKSLocalOutpostClusterPolicy'] },
        'OutpostConfig: { ControlPlaneInstanceType: m5.large, OutpostArns: [arn:aws:outposts:eu-west-1:111122223333:outpost/op-1] }',
      ),
    },
    {
      name: 'a role that no cluster has',
      template: resources(iamRole('Role', { services: ['eks.amazonaws.com'] })),
    },
  ],
});
