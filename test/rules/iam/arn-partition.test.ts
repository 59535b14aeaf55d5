import { arnPartition } from '../../../lib/rules/iam/arn-partition';
import { block, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { clusterWith, groupWith, iamRole, namedGroupWith, type RoleTemplate } from './role-templates';

/** The zone of a subnet tells the partition of a template. */
const subnet = (zone: string) =>
  block('Subnet', 'AWS::EC2::Subnet', ['VpcId: vpc-1', 'CidrBlock: 10.0.0.0/24', `AvailabilityZone: ${zone}`]);
const GOV = subnet('us-gov-west-1a');
const policies = (partition: string) => [
  `arn:${partition}:iam::aws:policy/AmazonEKSWorkerNodePolicy`,
  `arn:${partition}:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly`,
];
const POLICIES = policies('aws-us-gov');
const node = (role: Partial<RoleTemplate>) =>
  iamRole('NodeRole', { services: ['ec2.amazonaws.com'], managed: POLICIES, ...role });
const CLUSTER = clusterWith().replace('arn:aws:', 'arn:aws-us-gov:');
const gov = (role: Partial<RoleTemplate>, ...more: readonly string[]) =>
  resources(CLUSTER, groupWith('NodeRole'), node(role), GOV, ...more);

const COMMERCIAL = 'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore';
const OWN = 'arn:aws-us-gov:iam::aws:policy/AmazonSSMManagedInstanceCore';
const entryOf = (principal: string, ...more: readonly string[]) =>
  block('Viewers', 'AWS::EKS::AccessEntry', ['ClusterName: !Ref Cluster', `PrincipalArn: ${principal}`, ...more]);
const entry = (policy: string) =>
  entryOf(
    'arn:aws-us-gov:iam::111122223333:role/viewers',
    'AccessPolicies:',
    '  - AccessScope: { Type: cluster }',
    `    PolicyArn: ${policy}`,
  );
const VIEW = 'eks::aws:cluster-access-policy/AmazonEKSViewPolicy';
const CONDITION = 'Parameters:\n  Given:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Given, prod]\n';

/** Nodes of two roles. */
const second = (partition: string) =>
  `${namedGroupWith('Others', 'OtherRole')}\n${iamRole('OtherRole', { services: ['ec2.amazonaws.com'], managed: policies(partition) })}`;

testRule(arnPartition, {
  valid: [
    {
      name: 'an access policy of the own partition, or of that which CloudFormation fills in',
      template: resources(
        CLUSTER,
        GOV,
        entry(`arn:aws-us-gov:${VIEW}`),
        entry(`!Sub 'arn:\${AWS::Partition}:${VIEW}'`).replace('Viewers:', 'Others:'),
      ),
    },
    {
      name: 'a principal of an access entry whose partition CloudFormation fills in',
      template: resources(CLUSTER, GOV, entryOf("!Sub 'arn:${AWS::Partition}:iam::${AWS::AccountId}:role/viewers'")),
    },
    {
      name: 'the partition of the stack',
      template: gov({ managed: ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly'] }),
    },
    { name: 'the right partition, written out', template: gov({ managed: [...POLICIES, OWN] }) },
    {
      name: 'a statement on everything, and on any partition',
      template: gov({
        statements: [{ actions: ['s3:GetObject'] }, { actions: ['s3:GetObject'], resource: "'arn:*:s3:::logs/*'" }],
      }),
    },
    {
      name: 'the commercial partition where it is',
      template: resources(
        clusterWith(),
        groupWith('NodeRole'),
        node({ managed: [...policies('aws'), COMMERCIAL] }),
        subnet('eu-west-1a'),
      ),
    },
    {
      name: 'tags of the VPC CNI, which vpc-cni-role-tags-scope tells',
      template: gov({
        statements: [{ actions: ['ec2:CreateTags'], resource: 'arn:aws:ec2:*:*:network-interface/*' }],
      }),
    },
  ],
  invalid: [
    {
      name: 'an access policy of the commercial partition in GovCloud fails',
      template: resources(CLUSTER, GOV, entry(`arn:aws:${VIEW}`)),
      fixed: resources(CLUSTER, GOV, entry(`arn:aws-us-gov:${VIEW}`)),
      findings: [
        {
          message: 'access',
          severity: 'error',
          resource: 'Viewers',
          at: `PolicyArn: arn:aws:${VIEW}`,
          says: [`arn:aws:${VIEW}`, 'aws-us-gov'],
          advises: `arn:aws-us-gov:${VIEW}`,
        },
      ],
    },
    ...['role', 'user'].map((what) => ({
      name: `an access entry for a ${what} of the commercial partition fails in GovCloud`,
      template: resources(CLUSTER, GOV, entryOf(`arn:aws:iam::111122223333:${what}/viewers`)),
      fixed: resources(CLUSTER, GOV, entryOf(`arn:aws-us-gov:iam::111122223333:${what}/viewers`)),
      findings: [
        {
          message: 'reference' as const,
          severity: 'error' as const,
          resource: 'Viewers',
          at: `PrincipalArn: arn:aws:iam::111122223333:${what}/viewers`,
          says: [`names ${what} arn:aws:`, `no such ${what}`],
          advises: `arn:aws-us-gov:iam::111122223333:${what}/viewers`,
          code: [`PrincipalArn: arn:aws-us-gov:iam::111122223333:${what}/viewers`],
        },
      ],
    })),
    {
      name: 'a policy of the commercial partition in GovCloud fails',
      template: gov({ managed: [...POLICIES, COMMERCIAL] }),
      fixed: gov({ managed: [...POLICIES, OWN] }),
      findings: [
        {
          message: 'policy',
          severity: 'error',
          resource: 'NodeRole',
          at: COMMERCIAL,
          says: [COMMERCIAL, 'aws-us-gov', 'Workers'],
          advises: OWN,
        },
      ],
    },
    {
      name: 'a statement on an ARN of the commercial partition fails',
      template: gov({ statements: [{ actions: ['s3:GetObject'], resource: 'arn:aws:s3:::logs/*' }] }),
      fixed: gov({ statements: [{ actions: ['s3:GetObject'], resource: 'arn:aws-us-gov:s3:::logs/*' }] }),
      findings: [{ message: 'policy', severity: 'error', resource: 'NodeRole', at: 'Resource: arn:aws:s3' }],
    },
    {
      name: 'an ARN of which the account is filled in',
      template: gov({
        statements: [{ actions: ['s3:GetObject'], resource: "!Sub 'arn:aws:s3:::logs-${AWS::AccountId}/*'" }],
      }),
      findings: [{ message: 'policy', severity: 'error', resource: 'NodeRole', at: "Resource: !Sub 'arn:aws:s3" }],
    },
    {
      name: 'several are one finding',
      template: gov({
        managed: [...POLICIES, COMMERCIAL],
        statements: [{ actions: ['s3:GetObject'], resource: 'arn:aws:s3:::logs/*' }],
      }),
      findings: [
        {
          message: 'policy',
          severity: 'error',
          resource: 'NodeRole',
          at: 'Resource: arn:aws:s3',
          says: ['1 more ARN'],
        },
      ],
    },
    {
      name: 'China, by the zone of a subnet',
      template: resources(
        CLUSTER.replace('arn:aws-us-gov:', 'arn:aws-cn:'),
        groupWith('NodeRole'),
        node({ managed: [...policies('aws-cn'), COMMERCIAL] }),
        subnet('cn-north-1a'),
      ),
      findings: [{ message: 'policy', severity: 'error', resource: 'NodeRole', at: COMMERCIAL, says: ['aws-cn'] }],
    },
    {
      name: 'a role of the commercial partition for a cluster in GovCloud fails',
      template: resources(clusterWith(), GOV),
      fixed: resources(CLUSTER, GOV),
      findings: [
        {
          message: 'reference',
          severity: 'error',
          resource: 'Cluster',
          at: 'RoleArn',
          says: ['aws-us-gov'],
          advises: 'arn:aws-us-gov:iam::111122223333:role/cluster',
        },
      ],
    },
    {
      name: 'policies of two partitions, wherever it is deployed to',
      template: resources(clusterWith(), groupWith('NodeRole'), node({ managed: [...POLICIES, COMMERCIAL] })),
      fixed: resources(clusterWith(), groupWith('NodeRole'), node({ managed: [...POLICIES, OWN] })),
      findings: [
        {
          message: 'mixed',
          severity: 'error',
          resource: 'NodeRole',
          at: COMMERCIAL,
          says: [COMMERCIAL, POLICIES[0] ?? '', 'wherever'],
        },
      ],
    },
    {
      name: 'two roles with policies of two partitions, wherever it is deployed to',
      template: resources(clusterWith(), groupWith('NodeRole'), node({}), second('aws')),
      fixed: resources(clusterWith(), groupWith('NodeRole'), node({}), second('aws-us-gov')),
      findings: [
        {
          message: 'between',
          severity: 'error',
          resource: 'OtherRole',
          at: 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
          related: [POLICIES[0] ?? ''],
          says: ['and role NodeRole of the same template arn:aws-us-gov'],
        },
      ],
    },
    {
      name: 'a policy and a statement of two partitions under one branch of a condition',
      template: template(
        CONDITION,
        clusterWith(),
        groupWith('NodeRole'),
        node({
          managed: POLICIES,
          statements: [
            { actions: ['s3:GetObject'], resource: '!If [IsProd, "arn:aws:s3:::a/*", "arn:aws-us-gov:s3:::a/*"]' },
          ],
        }),
      ),
      findings: [
        { message: 'mixed', severity: 'error', resource: 'NodeRole', at: POLICIES[0] ?? '', says: ['IsProd is true'] },
      ],
    },
    {
      name: 'one branch of a condition is wrong, and is named',
      template: template(
        CONDITION,
        CLUSTER,
        groupWith('NodeRole'),
        node({ managed: [...POLICIES, `!If [IsProd, ${COMMERCIAL}, ${OWN}]`] }),
        GOV,
      ),
      findings: [
        { message: 'policy', severity: 'error', resource: 'NodeRole', at: '!If [IsProd', says: ['IsProd is true'] },
      ],
    },
  ],
  unverifiable: [],
  notApplicable: [
    {
      name: 'two roles of one partition each, of which a condition makes one',
      template: template(
        `${CONDITION}  IsTest: !Not [!Condition IsProd]`,
        clusterWith(),
        onCondition('IsProd', groupWith('NodeRole')),
        onCondition('IsProd', node({ managed: POLICIES })),
        onCondition('IsTest', namedGroupWith('Others', 'OtherRole')),
        onCondition('IsTest', iamRole('OtherRole', { services: ['ec2.amazonaws.com'], managed: policies('aws') })),
      ),
    },
    {
      name: 'a region that nobody tells',
      template: resources(clusterWith(), groupWith('NodeRole'), node({ managed: POLICIES })),
    },
    {
      name: 'a region that nobody tells, with one of two partitions by a condition',
      template: template(
        CONDITION,
        clusterWith(),
        groupWith('NodeRole'),
        node({
          managed: [`!If [IsProd, ${OWN}, ${COMMERCIAL}]`, `!If [IsProd, ${POLICIES[0]}, ${policies('aws')[0]}]`],
        }),
      ),
    },
    {
      name: 'zones that contradict each other',
      template: resources(
        clusterWith(),
        groupWith('NodeRole'),
        node({ managed: POLICIES }),
        GOV,
        subnet('eu-west-1a').replace('Subnet:', 'Other:'),
      ),
    },
    {
      name: 'a role that no cluster has',
      template: resources(iamRole('Other', { services: ['lambda.amazonaws.com'], managed: [COMMERCIAL] }), GOV),
    },
  ],
});
