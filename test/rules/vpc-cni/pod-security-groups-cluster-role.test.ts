import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { podSecurityGroupsClusterRole } from '../../../lib/rules/vpc-cni/pod-security-groups-cluster-role';
import { block, helmChart, manifest, namedNodeGroup, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { cni, podEni } from './pod-security-group-templates';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const PARAMETER = 'Parameters:\n  P: { Type: String }';

const managed = (name: string) => `!Sub arn:\${AWS::Partition}:iam::aws:policy/${name}`;
const CONTROLLER = managed('AmazonEKSVPCResourceController');

function clusterOf(role: string, ...properties: readonly string[]): string {
  return block('Cluster', 'AWS::EKS::Cluster', [`RoleArn: ${role}`, "Version: '1.33'", ...properties]);
}

function role(id: string, service: string, ...policies: readonly string[]): string {
  return block(id, 'AWS::IAM::Role', [
    'AssumeRolePolicyDocument:',
    '  Statement:',
    `    - { Effect: Allow, Action: sts:AssumeRole, Principal: { Service: ${service}.amazonaws.com } }`,
    'ManagedPolicyArns:',
    ...policies.map((policy) => `  - ${policy}`),
  ]);
}

function inline(...actions: readonly string[]): string {
  return block('Inline', 'AWS::IAM::RolePolicy', [
    'RoleName: !Ref Role',
    'PolicyName: network',
    'PolicyDocument:',
    '  Statement:',
    `    - { Effect: Allow, Action: [${actions.join(', ')}], Resource: '*' }`,
  ]);
}

const CLUSTER = clusterOf('!GetAtt Role.Arn');
const AUTO = clusterOf('!GetAtt Role.Arn', 'ComputeConfig: { Enabled: true }');
const pool = (group: string) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: { template: { spec: { nodeClassRef: { group, kind: 'NodeClass', name: 'general' } } } },
});
const BARE = role('Role', 'eks', managed('AmazonEKSClusterPolicy'));
const BOTH = role('Role', 'eks', managed('AmazonEKSClusterPolicy'), CONTROLLER);
const NODES = namedNodeGroup('Nodes', 'InstanceTypes: [m6i.large]');
const WINDOWS = namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64');
const ON = cni(podEni());
const IPAM = cni({ enableWindowsIpam: 'true' });
const ACTIONS = [
  'AssignPrivateIpAddresses',
  'AttachNetworkInterface',
  'CreateNetworkInterface',
  'CreateNetworkInterfacePermission',
  'DeleteNetworkInterface',
  'DetachNetworkInterface',
  'ModifyNetworkInterfaceAttribute',
  'UnassignPrivateIpAddresses',
].map((action) => `'ec2:${action}'`);
const CONFIG_MAP = manifest('Config', {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'amazon-vpc-cni', namespace: 'kube-system' },
  data: { 'enable-windows-ipam': 'true' },
});

testRule(podSecurityGroupsClusterRole, {
  valid: [
    { name: 'both managed policies', template: resources(CLUSTER, BOTH, NODES, ON) },
    { name: 'the actions in a policy of its own', template: resources(CLUSTER, BARE, inline(...ACTIONS), NODES, ON) },
    {
      name: 'the actions but for those that only Windows pods need',
      template: resources(
        CLUSTER,
        BARE,
        inline(...ACTIONS.filter((action) => !/signPrivate|Detach/.test(action))),
        NODES,
        ON,
      ),
    },
    { name: 'a wildcard', template: resources(CLUSTER, BARE, inline("'ec2:*'"), NODES, ON) },
    {
      name: 'a policy that is not known beside the right one',
      template: template(PARAMETER, CLUSTER, role('Role', 'eks', '!Ref P', CONTROLLER), NODES, ON),
    },
    {
      name: 'a setting that is not known, with the policy',
      template: template(
        PARAMETER,
        CLUSTER,
        BOTH,
        NODES,
        cni({}).replace("'{}'", '!Sub \'{"env":{"ENABLE_POD_ENI":"${P}"}}\''),
      ),
    },
    { name: 'Windows with the policy', template: resources(CLUSTER, BOTH, NODES, WINDOWS, IPAM) },
    {
      name: 'the policy wherever the setting is on',
      template: template(
        CONDITION,
        CLUSTER,
        role(
          'Role',
          'eks',
          managed('AmazonEKSClusterPolicy'),
          `!If [IsProduction, ${CONTROLLER.replace('!Sub arn:${AWS::Partition}', 'arn:aws')}, !Ref AWS::NoValue]`,
        ),
        NODES,
        onCondition('IsProduction', ON),
      ),
    },
  ],
  invalid: [
    {
      name: 'the role that the CDK makes',
      template: resources(CLUSTER, BARE, NODES, ON),
      findings: [
        {
          message: 'pods',
          severity: 'error',
          resource: 'Role',
          at: 'Role:',
          related: ['ConfigurationValues:', 'RoleArn: !GetAtt Role.Arn'],
          says: [
            'Cluster role Role lacks the permissions of AmazonEKSVPCResourceController',
            'env.ENABLE_POD_ENI of add-on "Cni"',
            'stay Pending',
          ],
        },
      ],
      fixed: resources(CLUSTER, BOTH, NODES, ON),
    },
    {
      name: 'the policy on the role of the nodes, where it has no effect',
      template: resources(
        CLUSTER,
        BARE,
        role('NodeRole', 'ec2', CONTROLLER),
        NODES.replace('arn:aws:iam::111122223333:role/nodes', '!GetAtt NodeRole.Arn'),
        ON,
      ),
      findings: [
        {
          message: 'pods',
          severity: 'error',
          resource: 'Role',
          at: 'Role:',
          related: ['ConfigurationValues:', 'RoleArn: !GetAtt Role.Arn', 'NodeRole:'],
        },
      ],
    },
    {
      name: 'a cluster of aws-eks of the CDK',
      template: resources(
        block('Cluster', 'Custom::AWSCDK-EKS-Cluster', [
          'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:cluster',
          "Config: { roleArn: !GetAtt Role.Arn, version: '1.33' }",
        ]),
        BARE,
        NODES,
        ON,
      ),
      findings: [{ message: 'pods', severity: 'error', resource: 'Role', at: 'Role:' }],
    },
    {
      name: 'some of the actions',
      template: resources(CLUSTER, BARE, inline(...ACTIONS.slice(0, 6)), NODES, ON),
      findings: [
        {
          message: 'pods',
          severity: 'error',
          resource: 'Role',
          at: 'Role:',
          says: ['lacks ec2:ModifyNetworkInterfaceAttribute (of'],
        },
      ],
    },
    {
      name: 'no removal of branch interfaces',
      // AmazonEKSClusterPolicy has this one.
      template: resources(
        CLUSTER,
        role('Role', 'eks', managed('AmazonEKSComputePolicy')),
        inline(...ACTIONS.filter((action) => !action.includes('Delete'))),
        NODES,
        ON,
      ),
      findings: [
        {
          message: 'left-behind',
          severity: 'warning',
          resource: 'Role',
          at: 'Role:',
          related: ['ConfigurationValues:', 'RoleArn: !GetAtt Role.Arn'],
          says: ['ec2:DeleteNetworkInterface', 'stay'],
          omits: ['No node gets a trunk interface'],
        },
      ],
    },
    {
      name: 'the Helm chart of the VPC CNI',
      template: resources(
        CLUSTER,
        BARE,
        NODES,
        helmChart('Network', 'aws-vpc-cni', { env: { ENABLE_POD_ENI: 'true' } }),
      ),
      findings: [
        {
          message: 'pods',
          severity: 'error',
          resource: 'Role',
          at: 'Role:',
          related: ['Network:', 'RoleArn: !GetAtt Role.Arn'],
          says: ['Helm release "Network"'],
        },
      ],
    },
    {
      name: 'Windows nodes',
      template: resources(CLUSTER, BARE, NODES, WINDOWS, IPAM),
      findings: [
        {
          message: 'windows',
          severity: 'error',
          resource: 'Role',
          at: 'Role:',
          related: ['ConfigurationValues:', 'RoleArn: !GetAtt Role.Arn'],
          says: ['enableWindowsIpam of add-on "Cni"', 'no address'],
        },
      ],
      fixed: resources(CLUSTER, BOTH, NODES, WINDOWS, IPAM),
    },
    {
      name: 'Windows nodes by the ConfigMap',
      template: resources(CLUSTER, BARE, NODES, WINDOWS, CONFIG_MAP),
      findings: [
        {
          message: 'windows',
          severity: 'error',
          resource: 'Role',
          at: 'Role:',
          related: ['Config:', 'RoleArn: !GetAtt Role.Arn'],
          says: ['enable-windows-ipam of "Config"'],
        },
      ],
    },
    {
      name: 'Windows nodes, and only the calls for addresses',
      template: resources(
        CLUSTER,
        BARE,
        inline("'ec2:AssignPrivateIpAddresses'", "'ec2:UnassignPrivateIpAddresses'"),
        NODES,
        WINDOWS,
        IPAM,
      ),
      findings: [
        { message: 'windows', severity: 'warning', resource: 'Role', at: 'Role:', says: ['may not get addresses'] },
      ],
    },
    {
      name: 'Windows switched on, without Windows nodes in the input',
      template: resources(CLUSTER, BARE, NODES, IPAM),
      findings: [{ message: 'windows', severity: 'warning', resource: 'Role', at: 'Role:' }],
    },
    {
      name: 'both features are one finding',
      template: resources(CLUSTER, BARE, NODES, WINDOWS, cni({ ...podEni(), enableWindowsIpam: 'true' })),
      findings: [{ message: 'pods', severity: 'error', resource: 'Role', at: 'Role:' }],
    },
    {
      name: 'the setting under a condition',
      template: template(
        CONDITION,
        CLUSTER,
        BARE,
        NODES,
        cni({}).replace("'{}'", '!If [IsProduction, \'{"env":{"ENABLE_POD_ENI":"true"}}\', \'{}\']'),
      ),
      findings: [{ message: 'pods', severity: 'error', resource: 'Role', at: 'Role:', says: ['IsProduction is true'] }],
    },
    {
      name: 'the policy under another condition than the setting',
      template: template(
        CONDITION,
        CLUSTER,
        role(
          'Role',
          'eks',
          managed('AmazonEKSClusterPolicy'),
          `!If [IsProduction, ${CONTROLLER.replace('!Sub arn:${AWS::Partition}', 'arn:aws')}, !Ref AWS::NoValue]`,
        ),
        NODES,
        ON,
      ),
      findings: [
        { message: 'pods', severity: 'error', resource: 'Role', at: 'Role:', says: ['IsProduction is false'] },
      ],
    },
    {
      name: 'nodes of Auto Mode and of Karpenter',
      template: resources(AUTO, BARE, ON, manifest('Pool', pool('karpenter.k8s.aws'))),
      findings: [{ message: 'pods', severity: 'warning', resource: 'Role', at: 'Role:' }],
    },
    {
      name: 'nodes of Auto Mode and of a managed group',
      template: resources(AUTO, BARE, NODES, ON),
      findings: [{ message: 'pods', severity: 'error', resource: 'Role', at: 'Role:' }],
    },
  ],
  unverifiable: [
    {
      name: 'a role by its ARN',
      template: resources(clusterOf('arn:aws:iam::111122223333:role/cluster'), NODES, ON),
      resources: ['Cluster'],
      because: 'role/cluster is not part of the input',
    },
    {
      name: 'a role from a parameter',
      template: template(PARAMETER, clusterOf('!Ref P'), NODES, ON),
      resources: ['Cluster'],
      because: 'P',
    },
    {
      name: 'an imported cluster',
      template: resources(BARE, ON.replace('!Ref Cluster', 'elsewhere')),
      resources: ['Cni'],
      because: 'elsewhere is not part of the input',
    },
    {
      name: 'a setting that is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        BARE,
        NODES,
        cni({}).replace("'{}'", '!Sub \'{"env":{"ENABLE_POD_ENI":"${P}"}}\''),
      ),
      resources: ['Role'],
      because: 'ENABLE_POD_ENI',
    },
    {
      name: 'a policy of the customer',
      template: resources(
        CLUSTER,
        role('Role', 'eks', managed('AmazonEKSClusterPolicy'), 'arn:aws:iam::111122223333:policy/network'),
        NODES,
        ON,
      ),
      resources: ['Role'],
      because: 'policy/network',
    },
  ],
  notApplicable: [
    { name: 'nodes of Auto Mode only', template: resources(AUTO, BARE, ON) },
    {
      name: 'nodes of Auto Mode only, with a node pool of its own',
      template: resources(AUTO, BARE, ON, manifest('Pool', pool('eks.amazonaws.com'))),
    },
    {
      name: 'nodes of Auto Mode only, by the Helm chart of the VPC CNI',
      template: resources(AUTO, BARE, helmChart('Network', 'aws-vpc-cni', { env: { ENABLE_POD_ENI: 'true' } })),
    },
    {
      name: 'Windows groups that can have no nodes',
      template: resources(
        CLUSTER,
        BARE,
        NODES,
        namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64', 'ScalingConfig: { MinSize: 0, MaxSize: 0 }'),
        IPAM,
      ),
    },
    { name: 'nodes of Auto Mode only, with enableWindowsIpam', template: resources(AUTO, BARE, IPAM) },
    {
      name: 'Fargate only',
      template: resources(
        CLUSTER,
        BARE,
        ON,
        block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster']),
      ),
    },
    { name: 'neither feature', template: resources(CLUSTER, BARE, NODES, cni(undefined)) },
    { name: 'no VPC CNI in the input', template: resources(CLUSTER, BARE, NODES) },
    {
      name: 'both features off',
      template: resources(CLUSTER, BARE, NODES, cni({ env: { ENABLE_POD_ENI: 'false' }, enableWindowsIpam: 'false' })),
    },
  ],
});

it('names the setting, the cluster, and node roles that have the policy in vain', () => {
  const nodes = NODES.replace('arn:aws:iam::111122223333:role/nodes', '!GetAtt NodeRole.Arn');
  const { resources: read } = readTemplates([
    { file: 'template.yaml', text: resources(CLUSTER, BARE, role('NodeRole', 'ec2', CONTROLLER), nodes, ON) },
  ]);
  const [finding] = runRules(new EksModel(read), [podSecurityGroupsClusterRole]);
  expect(finding?.related.map(({ message }) => message)).toEqual([
    'env.ENABLE_POD_ENI of add-on "Cni" is on',
    'role of cluster "Cluster"',
    'node role NodeRole has AmazonEKSVPCResourceController, where it has no effect',
  ]);
});
