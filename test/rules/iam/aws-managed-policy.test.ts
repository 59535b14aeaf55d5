import { awsManagedPolicy } from '../../../lib/rules/iam/aws-managed-policy';
import { block, resources } from '../node-templates';
import { testRule } from '../rule-tester';
import { clusterWith, groupWith, iamRole, managed } from './role-templates';

const WORKER = 'AmazonEKSWorkerNodePolicy';
const PULL = 'AmazonEC2ContainerRegistryPullOnly';
const EBS = 'arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy';
const CLUSTER = 'AmazonEKSClusterPolicy';

const nodes = (...policies: readonly string[]) =>
  resources(clusterWith(), groupWith('Role'), iamRole('Role', { services: ['ec2.amazonaws.com'], managed: policies }));
const pods = (...policies: readonly string[]) =>
  iamRole('Role', {
    services: ['pods.eks.amazonaws.com'],
    trustActions: ['sts:AssumeRole', 'sts:TagSession'],
    managed: policies,
  });
const control = (...policies: readonly string[]) =>
  resources(clusterWith('Role'), iamRole('Role', { services: ['eks.amazonaws.com'], managed: policies }));

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';
const tokens = (arn: string) =>
  block('Role', 'AWS::IAM::Role', [
    'AssumeRolePolicyDocument:',
    "  Version: '2012-10-17'",
    '  Statement:',
    '    - Effect: Allow',
    `      Principal: { Federated: arn:aws:iam::111122223333:oidc-provider/${ISSUER} }`,
    '      Action: sts:AssumeRoleWithWebIdentity',
    '      Condition:',
    '        StringEquals:',
    `          ${ISSUER}:sub: system:serviceaccount:kube-system:ebs-csi-controller-sa`,
    `          ${ISSUER}:aud: sts.amazonaws.com`,
    `ManagedPolicyArns: [${arn}]`,
  ]);

testRule(awsManagedPolicy, {
  valid: [
    {
      name: 'a policy of AWS that may be newer than the table, one of the account with a name near one of AWS, and one whose partition is filled in',
      template: resources(
        pods(
          'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicyV3',
          'arn:aws:iam::111122223333:policy/AmazonEKSWorkerNodePolicyy',
          managed('AmazonSSMManagedInstanceCore'),
        ),
      ),
    },
    {
      name: 'two policies of AWS that one sign tells apart',
      template: resources(
        pods('arn:aws:iam::aws:policy/AWSLambda_FullAccess', 'arn:aws:iam::aws:policy/AWSLambdaFullAccess'),
      ),
    },
    { name: 'the role of a driver', template: resources(tokens(EBS)) },
    { name: 'the role of a cluster', template: control(CLUSTER) },
    { name: 'the role of nodes', template: nodes(WORKER, PULL) },
  ],
  invalid: [
    {
      name: 'signs between the words that AWS does not write',
      template: resources(tokens('arn:aws:iam::aws:policy/service-role/Amazon_EBS_CSI_DriverPolicy')),
      fixed: resources(tokens(EBS)),
      findings: [
        {
          message: 'misspelt',
          severity: 'error',
          resource: 'Role',
          at: 'arn:aws:iam::aws:policy/service-role/Amazon_EBS',
          says: ['Amazon_EBS_CSI_DriverPolicy', 'NoSuchEntity', 'lacks what `AmazonEBSCSIDriverPolicy` allows'],
          advises: 'arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy',
        },
      ],
    },
    {
      name: 'a path that is left out',
      template: resources(tokens('arn:aws:iam::aws:policy/AmazonEBSCSIDriverPolicy')),
      fixed: resources(tokens(EBS)),
      findings: [
        {
          message: 'misspelt',
          severity: 'error',
          resource: 'Role',
          at: 'arn:aws:iam::aws:policy/AmazonEBS',
          advises: EBS,
        },
      ],
    },
    {
      name: 'a path that the policy does not have',
      template: nodes('arn:aws:iam::aws:policy/service-role/AmazonEKSWorkerNodePolicy', PULL),
      fixed: nodes('arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy', PULL),
      findings: [
        {
          message: 'misspelt',
          severity: 'error',
          resource: 'Role',
          at: 'arn:aws:iam::aws:policy/service-role/AmazonEKSW',
        },
      ],
    },
    {
      name: 'a role for Pod Identity, whatever uses it',
      template: resources(pods('arn:aws:iam::aws:policy/service-role/AmazonEFSCSIDriverPolcy')),
      findings: [{ message: 'misspelt', severity: 'error', resource: 'Role', at: 'arn:aws:iam::aws:policy/service' }],
    },
    {
      name: 'the role of a cluster',
      template: control('AmazonEKSClusterPolicyy'),
      fixed: control(CLUSTER),
      findings: [{ message: 'misspelt', severity: 'error', resource: 'Role', at: managed('AmazonEKSClusterPolicyy') }],
    },
    ...(
      [
        ['letters behind the name', 'AmazonEKSWorkerNodePolicyhigher', 'error'],
        ['a letter too few', 'AmazonEKSWorkerNodPolicy', 'error'],
        ['another case', 'AmazonEKSWorkernodePolicy', 'warning'],
      ] as const
    ).map(([how, found, severity]) => ({
      name: `nodes: ${how}`,
      template: nodes(found, PULL),
      fixed: nodes(WORKER, PULL),
      findings: [
        {
          message: 'misspelt' as const,
          severity,
          resource: 'Role',
          at: managed(found),
          says: [`policy/${found}`, 'NoSuchEntity'],
          advises: `policy/${WORKER}`,
        },
      ],
    })),
  ],
  unverifiable: [],
  notApplicable: [
    {
      name: 'roles that have nothing to do with EKS',
      template: resources(
        iamRole('Role', { services: ['lambda.amazonaws.com'], managed: ['AWSLambda_BasicExecutionRole'] }),
      ),
    },
  ],
});
