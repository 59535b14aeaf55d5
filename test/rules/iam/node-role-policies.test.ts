import { nodeRolePolicies } from '../../../lib/rules/iam/node-role-policies';
import { block, launchTemplate, onCondition, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  clusterWith,
  document,
  groupWith,
  iamRole,
  managed,
  namedGroupWith,
  selfManagedWith,
  type RoleTemplate,
} from './role-templates';

const WORKER = 'AmazonEKSWorkerNodePolicy';
const PULL = 'AmazonEC2ContainerRegistryPullOnly';
const READ = 'AmazonEC2ContainerRegistryReadOnly';

const nodeRole = (role: Partial<RoleTemplate>) => iamRole('NodeRole', { services: ['ec2.amazonaws.com'], ...role });
const nodes = (role: Partial<RoleTemplate>, ...group: readonly string[]) =>
  resources(clusterWith(), groupWith('NodeRole', ...group), nodeRole(role));

const PARAMETER = 'Parameters:\n  Given:\n    Type: String\n';
const CONDITION = `${PARAMETER}Conditions:\n  IsProd: !Equals [!Ref Given, prod]\n`;
/** A node role whose policies are parts of one text. */
const splitRole = (text: string) =>
  block('NodeRole', 'AWS::IAM::Role', [
    'AssumeRolePolicyDocument:',
    '  Statement: [{ Effect: Allow, Action: sts:AssumeRole, Principal: { Service: ec2.amazonaws.com } }]',
    `ManagedPolicyArns: !Split [',', !Sub '${text}']`,
  ]);
const OWN_IMAGE = launchTemplate('ImageId: ami-0123456789abcdef0');

/** A node class of Karpenter whose nodes run with a role. */
const nodeClass = (role: string) =>
  block('Class', 'Custom::AWSCDK-EKS-KubernetesResource', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    `Manifest: '[{"apiVersion":"karpenter.k8s.aws/v1","kind":"EC2NodeClass","metadata":{"name":"default"},"spec":{"role":"${role}"}}]'`,
  ]);
const ofKarpenter = (role: string, services: readonly string[]) =>
  resources(
    clusterWith(),
    groupWith('NodeRole'),
    nodeRole({ managed: [WORKER, PULL] }),
    nodeClass(role),
    iamRole('ClassRole', { services, managed: [WORKER, PULL], more: ['RoleName: karpenter-nodes'] }),
  );

testRule(nodeRolePolicies, {
  valid: [
    {
      name: 'the role of a node class that EC2 assumes',
      template: ofKarpenter('karpenter-nodes', ['ec2.amazonaws.com']),
    },
    {
      name: 'the role of a node class that EC2 of China assumes, among others',
      template: ofKarpenter('karpenter-nodes', ['ec2.amazonaws.com.cn', 'ssm.amazonaws.com']),
    },
    { name: 'the role of a node class that is another one', template: ofKarpenter('nodes', ['eks.amazonaws.com']) },
    {
      name: 'the policy that only pulls, in place of the one that reads',
      template: nodes({ managed: [WORKER, PULL] }),
    },
    { name: 'the policies of the AWS CDK', template: nodes({ managed: [WORKER, 'AmazonEKS_CNI_Policy', READ] }) },
    {
      name: 'policies of the account with the same permissions',
      template: nodes({
        statements: [
          { actions: ['EC2:Describe*', 'eks:DescribeCluster', 'eks-auth:AssumeRoleForPodIdentity'] },
          { actions: ['ecr:GetAuthorizationToken'] },
          { actions: ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'], resource: 'arn:aws:ecr:*:*:repository/*' },
        ],
      }),
    },
    {
      name: 'policies that name the role, one of each kind',
      template: resources(
        clusterWith(),
        groupWith('NodeRole'),
        nodeRole({}),
        block('Describes', 'AWS::IAM::Policy', [
          'PolicyName: describes',
          'Roles: [!Ref NodeRole]',
          ...document([{ actions: ['ec2:Describe*'] }]),
        ]),
        block('Pulls', 'AWS::IAM::ManagedPolicy', ['Roles: [!Ref NodeRole]', ...document([{ actions: ['ecr:*'] }])]),
      ),
    },
    {
      name: 'a policy of AWS that may be newer than the table, one of the account with a name near one of AWS, and one whose partition is filled in',
      template: nodes({
        managed: [
          WORKER,
          PULL,
          'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicyV3',
          'arn:aws:iam::111122223333:policy/AmazonEKSWorkerNodePolicyy',
          "!Sub 'arn:${AWS::Partition}:iam::aws:policy/AmazonSSMManagedInstanceCore'",
        ],
      }),
    },
    {
      name: 'a policy whose name is misspelt, and that allows what is missing, is told by aws-managed-policy',
      template: nodes({ managed: [WORKER, 'AmazonEC2ContainerRegistryPulOnly'] }),
    },
    {
      name: 'policies that are split out of one text, whose partition is filled in',
      template: resources(
        clusterWith(),
        groupWith('NodeRole'),
        splitRole([WORKER, PULL].map((name) => `arn:\${AWS::Partition}:iam::aws:policy/${name}`).join(',')),
      ),
    },
    { name: 'a wide policy of AWS', template: nodes({ managed: ['AdministratorAccess'] }) },
    {
      name: 'all but IAM by NotAction',
      template: nodes({ statements: [{ actions: ['iam:*'], isNegated: true }] }),
    },
    {
      name: "EC2's name in China",
      template: nodes({ services: ['ec2.amazonaws.com.cn'], managed: [WORKER, PULL] }),
    },
    {
      name: "EC2's name with the domain that the engine fills in",
      template: nodes({ services: ["!Sub 'ec2.${AWS::URLSuffix}'"], managed: [WORKER, PULL] }),
    },
    {
      name: "EC2's name by a mapping of partitions, as in AWS's template for nodes",
      template: template(
        'Mappings:\n  Services:\n    aws-cn: { ec2: ec2.amazonaws.com.cn }\n    aws-us-gov: { ec2: ec2.amazonaws.com }\n    aws: { ec2: ec2.amazonaws.com }\n',
        clusterWith(),
        selfManagedWith('NodeRole'),
        nodeRole({ services: ["!FindInMap [Services, !Ref 'AWS::Partition', ec2]"], managed: [WORKER, PULL] }),
      ),
    },
    {
      name: 'a role that others may assume, too',
      template: nodes({ services: ['ssm.amazonaws.com', 'ec2.amazonaws.com'], managed: [WORKER, PULL] }),
    },
    {
      name: 'a policy that is attached where the group exists',
      template: template(
        CONDITION,
        clusterWith(),
        onCondition('IsProd', groupWith('NodeRole')),
        nodeRole({ managed: [WORKER, `!If [IsProd, ${managed(PULL)}, !Ref AWS::NoValue]`] }),
      ),
    },
    {
      name: 'nodes that are named by their ids ask nobody',
      template: resources(
        clusterWith(),
        groupWith('NodeRole', USES_NODES),
        launchTemplate(
          'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
          'UserData:',
          '  Fn::Base64: |',
          '    MIME-Version: 1.0',
          '    Content-Type: multipart/mixed; boundary="B"',
          '',
          '    --B',
          '    Content-Type: application/node.eks.aws',
          '',
          '    apiVersion: node.eks.aws/v1alpha1',
          '    kind: NodeConfig',
          '    spec:',
          '      featureGates: { InstanceIdNodeName: true }',
          '    --B--',
        ),
        nodeRole({ managed: ['AmazonEKSWorkerNodeMinimalPolicy', PULL] }),
      ),
    },
    {
      name: 'nodes that EKS does not manage, with all that they need',
      template: resources(clusterWith(), selfManagedWith('NodeRole'), nodeRole({ managed: [WORKER, PULL] })),
    },
    {
      name: 'the role of an instance profile that nodes of no cluster have',
      template: resources(
        clusterWith(),
        block('Profile', 'AWS::IAM::InstanceProfile', ['Roles: [!Ref NodeRole]']),
        nodeRole({}),
        groupWith('Other'),
        iamRole('Other', { services: ['ec2.amazonaws.com'], managed: [WORKER, PULL] }),
      ),
    },
    {
      name: 'the least policy of nodes of Auto Mode, which no node group has',
      template: resources(
        clusterWith(
          undefined,
          'ComputeConfig: { Enabled: true, NodePools: [system], NodeRoleArn: !GetAtt AutoRole.Arn }',
        ),
        iamRole('AutoRole', { services: ['ec2.amazonaws.com'], managed: ['AmazonEKSWorkerNodeMinimalPolicy', PULL] }),
        groupWith('NodeRole'),
        nodeRole({ managed: [WORKER, PULL] }),
      ),
    },
  ],
  invalid: [
    {
      name: 'the role of a node class of Karpenter that trusts pods',
      template: ofKarpenter('karpenter-nodes', ['pods.eks.amazonaws.com']),
      fixed: ofKarpenter('karpenter-nodes', ['ec2.amazonaws.com']),
      findings: [
        {
          message: 'trust',
          severity: 'error',
          resource: 'ClassRole',
          at: "AssumeRolePolicyDocument:\n        Version: '2012-10-17'\n        Statement:\n          - Effect: Allow\n            Principal: { Service: [pods",
          related: ['Class:'],
          says: ['no instance of node class default can assume it, and they never join the cluster'],
          advises: 'ec2.amazonaws.com',
        },
      ],
    },
    {
      name: 'a policy that AWS did not have hides no missing one',
      template: nodes({ managed: [WORKER, 'AmazonEC2AutoScalingRolePolicy'] }),
      findings: [
        {
          message: 'images',
          severity: 'warning',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['unless arn:', 'policy/AmazonEC2AutoScalingRolePolicy, which AWS', 'allows it'],
        },
      ],
    },
    {
      name: 'nor does one whose name is misspelt, and which has nothing to do with it',
      template: nodes({ managed: [WORKER, 'AmazonEKS_CNIPolicy'] }),
      findings: [{ message: 'images', severity: 'warning', resource: 'NodeRole', at: 'NodeRole:\n' }],
      also: ['aws-managed-policy'],
    },
    {
      name: 'a role that pods were meant to have fails',
      template: nodes({ services: ['pods.eks.amazonaws.com'], managed: [WORKER, PULL] }),
      fixed: nodes({ managed: [WORKER, PULL] }),
      findings: [
        {
          message: 'trust',
          severity: 'error',
          resource: 'NodeRole',
          at: 'AssumeRolePolicyDocument',
          says: ['pods.eks.amazonaws.com', 'Workers'],
          related: ['NodeRole: !GetAtt NodeRole.Arn'],
        },
      ],
    },
    {
      name: 'no policy to pull images fails',
      template: nodes({ managed: [WORKER] }),
      fixed: nodes({ managed: [WORKER, PULL] }),
      findings: [
        {
          message: 'images',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['ecr:BatchGetImage', 'Workers', 'stay NotReady'],
          fix: PULL,
        },
      ],
    },
    {
      name: 'a policy that leaves one call out fails',
      template: nodes({
        managed: [WORKER],
        statements: [{ actions: ['ecr:BatchGetImage', 'ecr:GetAuthorizationToken'] }],
      }),
      findings: [
        {
          message: 'images',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['ecr:GetDownloadUrlForLayer'],
          omits: ['ecr:BatchGetImage'],
        },
      ],
    },
    {
      name: 'no policy of nodes fails',
      template: nodes({ managed: [READ] }),
      fixed: nodes({ managed: [READ, WORKER] }),
      findings: [
        {
          message: 'instances',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['ec2:DescribeInstances', 'never join'],
          fix: WORKER,
        },
      ],
    },
    {
      name: 'a role without any policy, which may get them elsewhere, is two warnings',
      template: nodes({}),
      findings: [
        { message: 'instances', severity: 'warning', resource: 'NodeRole', at: 'NodeRole:\n' },
        { message: 'images', severity: 'warning', resource: 'NodeRole', at: 'NodeRole:\n' },
      ],
    },
    {
      name: 'the least policy of nodes of Auto Mode on a node group is a warning',
      template: nodes({ managed: ['AmazonEKSWorkerNodeMinimalPolicy', PULL] }),
      fixed: nodes({ managed: ['AmazonEKSWorkerNodeMinimalPolicy', PULL, WORKER] }),
      findings: [
        {
          message: 'instances',
          severity: 'warning',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['may never join'],
        },
      ],
    },
    {
      name: 'an image of their own may hold what they run, which is a warning',
      template: resources(clusterWith(), groupWith('NodeRole', USES_NODES), OWN_IMAGE, nodeRole({ managed: [WORKER] })),
      findings: [
        { message: 'images', severity: 'warning', resource: 'NodeRole', at: 'NodeRole:\n', says: ['unless their AMI'] },
      ],
    },
    {
      name: 'a group with an image of EKS beside one with its own is told',
      template: resources(
        clusterWith(),
        namedGroupWith('Own', 'NodeRole', USES_NODES),
        OWN_IMAGE,
        groupWith('NodeRole'),
        nodeRole({ managed: [WORKER] }),
      ),
      findings: [{ message: 'images', severity: 'error', resource: 'NodeRole', at: 'NodeRole:\n', says: ['Workers'] }],
    },
    {
      name: 'a Deny takes the permission away',
      template: nodes({ managed: [WORKER, PULL], statements: [{ effect: 'Deny', actions: ['ec2:Describe*'] }] }),
      findings: [{ message: 'instances', severity: 'error', resource: 'NodeRole', at: 'NodeRole:\n' }],
    },
    {
      name: 'one branch of a condition is wrong, and is named',
      template: template(
        CONDITION,
        clusterWith(),
        groupWith('NodeRole'),
        nodeRole({ managed: [WORKER, `!If [IsProd, ${managed(PULL)}, !Ref AWS::NoValue]`] }),
      ),
      findings: [
        { message: 'images', severity: 'error', resource: 'NodeRole', at: 'NodeRole:\n', says: ['IsProd is false'] },
      ],
    },
    {
      name: 'nodes that EKS does not manage, by their instance profile',
      template: resources(clusterWith(), selfManagedWith('NodeRole'), nodeRole({ managed: [WORKER] })),
      fixed: resources(clusterWith(), selfManagedWith('NodeRole'), nodeRole({ managed: [WORKER, PULL] })),
      findings: [
        {
          message: 'images',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['Group', 'stay NotReady'],
          related: ['!Ref NodeRole]'],
        },
      ],
    },
    {
      name: 'an image of their own is a warning for these, too',
      template: resources(
        clusterWith(),
        selfManagedWith('NodeRole', 'ami-0123456789abcdef0'),
        nodeRole({ managed: [PULL] }),
      ),
      findings: [
        {
          message: 'instances',
          severity: 'warning',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['may never join'],
        },
      ],
    },
    {
      name: 'a role of theirs that EC2 cannot assume',
      template: resources(
        clusterWith(),
        selfManagedWith('NodeRole'),
        nodeRole({ services: ['eks.amazonaws.com'], managed: [WORKER, PULL] }),
      ),
      findings: [
        {
          message: 'trust',
          severity: 'error',
          resource: 'NodeRole',
          at: 'AssumeRolePolicyDocument',
          says: ['they never join the cluster'],
        },
      ],
    },
    {
      name: 'the role of the cluster is no role of nodes',
      template: resources(
        clusterWith('Both'),
        groupWith('Both'),
        iamRole('Both', {
          services: ['eks.amazonaws.com', 'ec2.amazonaws.com'],
          managed: ['AmazonEKSClusterPolicy', 'AmazonEKS_CNI_Policy', WORKER, PULL],
        }),
      ),
      findings: [
        { message: 'shared', severity: 'warning', resource: 'Both', at: 'Both:\n', says: ['Workers', 'Cluster'] },
      ],
    },
    {
      name: 'a group that names the role of the cluster by mistake is told to name its own',
      also: ['vpc-cni-role-ip-family'],
      template: resources(
        clusterWith('Control'),
        groupWith('Control'),
        iamRole('Control', { services: ['eks.amazonaws.com'], managed: ['AmazonEKSClusterPolicy'] }),
        nodeRole({ managed: [WORKER, PULL] }),
      ),
      fixed: resources(
        clusterWith('Control'),
        groupWith('NodeRole'),
        iamRole('Control', { services: ['eks.amazonaws.com'], managed: ['AmazonEKSClusterPolicy'] }),
        nodeRole({ managed: [WORKER, PULL] }),
      ),
      findings: [
        {
          message: 'cluster-role',
          severity: 'error',
          resource: 'Workers',
          at: 'NodeRole: !GetAtt Control.Arn',
          says: ['Control', 'Cluster', 'trusts eks.amazonaws.com alone'],
          fix: 'Name the role of the nodes instead, NodeRole: one that trusts',
          related: ['RoleArn:'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a role that the input names by ARN',
      template: resources(clusterWith(), groupWith('arn:aws:iam::111122223333:role/nodes')),
      resources: ['Workers'],
      because: 'role/nodes is not part of the input',
    },
    {
      name: 'policies that are split out of a text with a parameter, which may have commas',
      template: template(
        PARAMETER,
        clusterWith(),
        groupWith('NodeRole'),
        splitRole(`\${Given}/${WORKER},arn:aws:iam::aws:policy/${PULL}`),
      ),
      resources: ['NodeRole', 'NodeRole'],
      because: "an attached policy isn't known: parameter Given has no default",
    },
    {
      name: 'a trust policy without a statement',
      template: resources(
        clusterWith(),
        groupWith('NodeRole'),
        block('NodeRole', 'AWS::IAM::Role', [
          "AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] }",
          `ManagedPolicyArns: [${managed(WORKER)}, ${managed(PULL)}]`,
        ]),
      ),
      resources: ['NodeRole'],
      because: 'its trust policy has no statement',
    },
    {
      name: 'a role from a parameter',
      template: template(PARAMETER, clusterWith(), groupWith('!Ref Given')),
      resources: ['Workers'],
      because: 'Given',
    },
    {
      name: 'a role of another stack',
      template: resources(clusterWith(), groupWith('!ImportValue nodes-role')),
      resources: ['Workers'],
      because: "isn't known",
    },
    {
      name: 'a mapping of partitions that names another service for one of them',
      template: template(
        'Mappings:\n  Services:\n    aws-cn: { ec2: eks.amazonaws.com.cn }\n    aws: { ec2: ec2.amazonaws.com }\n',
        clusterWith(),
        groupWith('NodeRole'),
        nodeRole({ services: ["!FindInMap [Services, !Ref 'AWS::Partition', ec2]"], managed: [WORKER, PULL] }),
      ),
      resources: ['NodeRole'],
      because: 'trust policy',
    },
    {
      name: 'an instance profile that the input does not hold',
      template: resources(
        clusterWith(),
        selfManagedWith('NodeRole').replace('{ Arn: !GetAtt Profile.Arn }', '{ Name: nodes }'),
        nodeRole({}),
      ),
      resources: ['Group'],
      because: 'instance profile nodes is not part of the input',
    },
    {
      name: 'a policy that the input does not hold',
      template: nodes({ managed: [WORKER, 'arn:aws:iam::111122223333:policy/pulls'] }),
      resources: ['NodeRole'],
      because: 'policy/pulls',
    },
    {
      name: 'a Deny under a condition',
      template: nodes({
        managed: [WORKER, PULL],
        statements: [
          { effect: 'Deny', actions: ['ecr:*'], condition: "{ StringNotEquals: { 'aws:SourceVpc': vpc-1 } }" },
        ],
      }),
      resources: ['NodeRole'],
      because: 'condition',
    },
    {
      name: 'a trust policy from a parameter',
      template: template(
        PARAMETER,
        clusterWith(),
        groupWith('NodeRole'),
        iamRole('NodeRole', { services: ['!Ref Given'], managed: [WORKER, PULL] }),
      ),
      resources: ['NodeRole'],
      because: 'trust policy',
    },
  ],
  notApplicable: [
    {
      name: 'nodes of another Kubernetes, which have the tag of a cluster, too',
      template: resources(
        selfManagedWith('NodeRole', 'ami-0123456789abcdef0')
          .replace('!Sub "kubernetes.io/cluster/${Cluster}"', 'kubernetes.io/cluster/shop')
          .replace(
            '  MetadataOptions',
            `  UserData: ${Buffer.from('#!/bin/bash\nkubeadm join shop:6443\n').toString('base64')}\n      MetadataOptions`,
          ),
        nodeRole({ managed: ['AmazonSSMManagedInstanceCore'] }),
      ),
    },
    {
      name: 'roles that no node group has: of Karpenter, of Fargate, of hybrid nodes',
      template: resources(
        clusterWith(),
        iamRole('Karpenter', { services: ['ec2.amazonaws.com'] }),
        iamRole('Fargate', { services: ['eks-fargate-pods.amazonaws.com'] }),
        iamRole('Hybrid', { services: ['ssm.amazonaws.com'] }),
      ),
    },
  ],
});
