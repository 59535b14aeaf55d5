import { runRules, type Finding } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { imdsHopLimit } from '../../../lib/rules/imds/imds-hop-limit';
import {
  addon,
  block,
  CLUSTER,
  cluster,
  helmChart,
  launchTemplate,
  manifest,
  metadataOptions,
  namedNodeGroup,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { clusterBlock, mime, nodeConfigPart, SELF_MANAGED, userData } from '../node-bootstrap/user-data-templates';
import { testRule } from '../rule-tester';

const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const HOP_2 = metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: 2');
const HOP_1 = metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: 1');
const AL2023_PATH = '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id';
const IMAGE_PARAMETER = `
Parameters:
  Image:
    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>
    Default: ${AL2023_PATH}`;
/** Self-managed nodes whose instances come from the launch configuration `Nodes`. */
const WITH_CONFIGURATION = SELF_MANAGED.replace(/LaunchTemplate: \{.*\}/, 'LaunchConfigurationName: !Ref Nodes');
const AL2023_BOOTSTRAP = mime(nodeConfigPart(clusterBlock()));

function launchConfiguration(...options: readonly string[]): string {
  return block('Nodes', 'AWS::AutoScaling::LaunchConfiguration', [
    'ImageId: ami-0123456789abcdef0',
    'InstanceType: m5.large',
    'MetadataOptions:',
    ...options.map((option) => `  ${option}`),
  ]);
}

const BARE_LBC = lbc({});
const GIVEN_LBC = lbc({
  vpcId: 'vpc-1',
  region: 'eu-west-1',
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/lbc' } },
});
const TAINTED = 'Taints: [{ Key: team, Value: data, Effect: NO_SCHEDULE }]';
/** Other nodes, with a limit of 2 and the label `pool: system`. */
const ROOMY = [
  namedNodeGroup('Roomy', AL2023, 'Labels: { pool: system }', USES_NODES.replaceAll('Nodes', 'RoomyNodes')),
  HOP_2.replace('Nodes:', 'RoomyNodes:'),
].join('\n');

const IN_PRODUCTION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

function lbc(values: object): string {
  return helmChart('Lbc', 'aws-load-balancer-controller', { clusterName: 'c', ...values });
}

function nodeClass(spec: object, apiVersion = 'karpenter.k8s.aws/v1'): string {
  return manifest('NodeClass', { apiVersion, kind: 'EC2NodeClass', metadata: { name: 'general' }, spec });
}

testRule(imdsHopLimit, {
  valid: [
    {
      name: 'a limit of 1 where the only group that uses the template is not created passes',
      template: template(
        IN_PRODUCTION,
        CLUSTER,
        onCondition('IsProduction', nodeGroup(AL2023, USES_NODES)),
        metadataOptions(
          'HttpTokens: !If [IsProduction, required, optional]',
          'HttpPutResponseHopLimit: !If [IsProduction, 2, 1]',
        ),
      ),
    },
    {
      name: 'a deliberate limit of 1 passes when the option allows it, although pods can not reach IMDS',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), HOP_1),
      options: { hopLimitOne: 'allow' },
    },
    {
      name: 'a deliberate limit of 1 with IMDSv1 on passes when the option allows it',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: optional', 'HttpPutResponseHopLimit: 1'),
      ),
      options: { hopLimitOne: 'allow' },
    },
    { name: 'a limit of 2 on AL2023 passes', template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), HOP_2) },
    {
      name: 'a limit of 2 passes without tokens setting, and beside a controller that reads IMDS',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpPutResponseHopLimit: 2'),
        BARE_LBC,
      ),
    },
    {
      name: 'a limit of 2 that is written as text passes',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions("HttpPutResponseHopLimit: '2'")),
    },
    {
      name: 'a limit that comes from the default of a parameter passes',
      template: template(
        'Parameters:\n  Hop: { Type: Number, Default: 2 }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpPutResponseHopLimit: !Ref Hop'),
      ),
    },
    {
      name: 'a group of an imported cluster passes with a limit of 2, as no cluster is needed to judge it',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', USES_NODES]), HOP_2),
    },
    {
      name: 'a Karpenter node class with a deliberate limit of 1 passes when the option allows it',
      template: resources(CLUSTER, nodeClass({ metadataOptions: { httpPutResponseHopLimit: 1 } })),
      options: { hopLimitOne: 'allow' },
    },
    {
      name: 'an EC2NodeClass with a limit of 2 passes',
      template: resources(
        CLUSTER,
        nodeClass({ metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 } }),
      ),
    },
  ],
  invalid: [
    {
      name: 'a conditional group that fails whenever it is created fails without its condition as a reason',
      template: template(IN_PRODUCTION, CLUSTER, onCondition('IsProduction', nodeGroup(AL2023))),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          related: [],
          says: ['Whatever reads region'],
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'a limit that the condition of the group makes 1 fails without that condition as a reason',
      template: template(
        IN_PRODUCTION,
        CLUSTER,
        onCondition('IsProduction', nodeGroup(AL2023, USES_NODES)),
        metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: !If [IsProduction, 1, 2]'),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchTemplate:'],
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'a limit that another condition makes 1 in a conditional group fails with that other condition alone as a reason',
      template: template(
        `${IN_PRODUCTION}\n  IsStrict: !Equals [!Ref Strict, 'yes']`.replace(
          'Conditions:',
          '  Strict: { Type: String }\nConditions:',
        ),
        CLUSTER,
        onCondition('IsProduction', nodeGroup(AL2023, USES_NODES)),
        metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: !If [IsStrict, 1, 2]'),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['This happens when condition IsStrict is true.'],
          omits: ['IsProduction'],
        },
      ],
    },
    {
      name: 'of two conditions, of which the group has one, only the other is a reason; what it makes worse is told alone',
      template: template(
        `${IN_PRODUCTION}\n  IsStrict: !Equals [!Ref Strict, 'yes']`.replace(
          'Conditions:',
          '  Strict: { Type: String }\nConditions:',
        ),
        CLUSTER,
        onCondition('IsProduction', nodeGroup(AL2023, USES_NODES)),
        metadataOptions(
          'HttpTokens: !If [IsStrict, required, optional]',
          'HttpPutResponseHopLimit: !If [IsProduction, 1, 2]',
        ),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['This happens when condition IsStrict is true.'],
          omits: ['IsProduction'],
        },
      ],
    },
    {
      name: 'a template that a conditional group takes whenever it is created fails without that condition as a reason',
      template: template(
        IN_PRODUCTION,
        CLUSTER,
        onCondition(
          'IsProduction',
          nodeGroup(
            AL2023,
            'LaunchTemplate: !If [IsProduction, { Id: !Ref Nodes, Version: "1" }, !Ref "AWS::NoValue"]',
          ),
        ),
        HOP_1,
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'an AL2023 group without launch template fails',
      template: resources(CLUSTER, nodeGroup(AL2023)),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ['Node group "Workers"', 'AL2023_x86_64_STANDARD', 'hop limit of 1'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), HOP_2),
    },
    {
      name: 'the disk size of a group without launch template moves into the new one',
      template: resources(CLUSTER, nodeGroup(AL2023, 'DiskSize: 50')),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          fix: '/dev/xvda',
        },
      ],
    },
    {
      name: 'a group that names neither AMI type nor launch template fails, because EKS takes AL2023 on 1.33',
      template: resources(CLUSTER, nodeGroup()),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ['the default of EKS for Kubernetes 1.33'],
        },
      ],
    },
    {
      name: 'such a group of an imported cluster fails, because every supported version takes AL2023',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere'])),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ['the default of EKS)'],
        },
      ],
    },
    {
      name: 'a group without launch template names the controller that will not start',
      template: resources(CLUSTER, nodeGroup(AL2023), BARE_LBC),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          related: ['Lbc:'],
          says: [
            'AWS Load Balancer Controller without `vpcId` ("Lbc", which then logs `failed to fetch VPC ID from instance metadata`)',
          ],
        },
      ],
    },
    {
      name: 'a controller without a role needs that first, whatever the limit',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023),
        helmChart('Autoscaler', 'cluster-autoscaler', { autoDiscovery: { clusterName: 'main' } }),
      ),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          related: ['Autoscaler:'],
          says: ['Cluster Autoscaler without an IAM role'],
          advises: 'First give Cluster Autoscaler an IAM role by Pod Identity or IRSA',
        },
      ],
    },
    {
      name: 'an EC2NodeClass beside such a controller says so, too',
      template: resources(
        CLUSTER,
        nodeClass({}),
        helmChart('Autoscaler', 'cluster-autoscaler', { autoDiscovery: { clusterName: 'main' } }),
      ),
      findings: [
        {
          message: 'nodeClassDefault',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass:',
          related: ['Autoscaler:'],
          advises: 'First give Cluster Autoscaler',
        },
      ],
    },
    {
      name: 'a group in an Auto Mode cluster is still a managed node group and fails',
      template: resources(
        cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true, NodePools: [system] }'),
        nodeGroup(AL2023),
      ),
      findings: [{ message: 'groupDefault', severity: 'error', resource: 'Workers', at: 'Properties: # workers' }],
    },
    {
      name: 'a launch template with required tokens but no hop limit fails (what CDK requireImdsv2 renders)',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions('HttpTokens: required')),
      findings: [
        {
          message: 'templateDefault',
          severity: 'error',
          resource: 'Nodes',
          at: 'MetadataOptions',
          related: ['LaunchTemplate:'],
          says: ['Launch template "Nodes" of node group "Workers"', 'both 1 and 2'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), HOP_2),
    },
    {
      name: 'a launch template without metadata options fails at its data',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), launchTemplate('EbsOptimized: true')),
      findings: [{ message: 'templateDefault', severity: 'error', resource: 'Nodes', at: 'LaunchTemplateData' }],
    },
    {
      name: 'a launch template with an AL2023 image and no hop limit is a warning',
      template: template(IMAGE_PARAMETER, CLUSTER, nodeGroup(USES_NODES), launchTemplate('ImageId: !Ref Image')),
      findings: [
        {
          message: 'templateUndeclared',
          severity: 'warning',
          resource: 'Nodes',
          at: 'LaunchTemplateData',
          related: ['LaunchTemplate:'],
          says: ['AWS documents 2 for it'],
        },
      ],
    },
    {
      name: 'an AL2 group whose launch template sets no hop limit is mentioned, and the message names who needs it',
      template: resources(
        cluster("Version: '1.32'"),
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        metadataOptions('HttpTokens: required'),
        BARE_LBC,
      ),
      findings: [
        {
          message: 'templateUndeclared',
          severity: 'info',
          resource: 'Nodes',
          at: 'MetadataOptions',
          related: ['LaunchTemplate:', 'Lbc:'],
          says: ['AMI type AL2_x86_64', "which AWS Load Balancer Controller without `vpcId` can't do without"],
        },
      ],
    },
    {
      name: 'a Bottlerocket group whose launch template sets no hop limit is mentioned',
      template: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_ARM_64', USES_NODES), launchTemplate()),
      findings: [{ message: 'templateUndeclared', severity: 'info', resource: 'Nodes', at: 'LaunchTemplateData' }],
    },
    {
      name: 'a Windows group whose launch template sets no hop limit is mentioned',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', USES_NODES),
        launchTemplate('EbsOptimized: true'),
      ),
      findings: [{ message: 'templateUndeclared', severity: 'info', resource: 'Nodes', at: 'LaunchTemplateData' }],
    },
    {
      name: 'a limit of 1 with required tokens fails on any family, and says that it is hardening advice too',
      template: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64', USES_NODES), HOP_1),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit: 1',
          says: ['AWS advises that as hardening', 'timeouts or 401'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64', USES_NODES), HOP_2),
    },
    {
      name: 'a limit of 1 without tokens setting fails on AL2023, which requires them',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions('HttpPutResponseHopLimit: 1')),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['the default of AL2023'],
        },
      ],
    },
    {
      name: 'a limit of 1 is a warning when the option says so',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), HOP_1),
      options: { hopLimitOne: 'warning' },
      findings: [{ message: 'one', severity: 'warning', resource: 'Nodes', at: 'HttpPutResponseHopLimit' }],
    },
    {
      name: 'a limit of 1 names each workload that can be seen to need IMDS',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        HOP_1,
        helmChart('Lbc', 'aws-load-balancer-controller', { clusterName: 'c', region: 'eu-west-1' }),
        helmChart('Scaler', 'cluster-autoscaler', { autoDiscovery: { clusterName: 'c' } }),
        addon('Ebs', 'AddonName: aws-ebs-csi-driver'),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchTemplate:', 'Lbc:', 'Scaler:', 'Ebs:'],
          says: [
            'AWS Load Balancer Controller without `vpcId`',
            'Cluster Autoscaler without an IAM role ("Scaler")',
            'EBS CSI driver add-on without an IAM role ("Ebs"',
          ],
        },
      ],
    },
    {
      name: 'a limit of 1 names a load balancer controller that has a VPC id but neither region nor role',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        HOP_1,
        helmChart('Lbc', 'aws-load-balancer-controller', { vpcId: 'vpc-1' }),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchTemplate:', 'Lbc:'],
          says: ['without `region` and without an IAM role'],
        },
      ],
    },
    {
      name: 'a limit of 1 with IMDSv1 on is a warning: pods fall back after a timeout',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: optional', 'HttpPutResponseHopLimit: 1'),
      ),
      findings: [
        {
          message: 'oneWithoutRequiredTokens',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchTemplate:'],
          says: ['`optional`', 'IMDSv1 still answers'],
        },
      ],
    },
    {
      name: 'a limit of 1 without tokens setting is a warning on AL2',
      template: resources(
        cluster("Version: '1.32'"),
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        metadataOptions('HttpPutResponseHopLimit: 1'),
      ),
      findings: [
        {
          message: 'oneWithoutRequiredTokens',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['AL2 does not require them'],
        },
      ],
    },
    {
      name: 'a limit of 1 without tokens setting is a warning on an unknown image',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate('ImageId: ami-0123456789abcdef0', 'MetadataOptions:', '  HttpPutResponseHopLimit: 1'),
      ),
      findings: [
        {
          message: 'oneWithoutRequiredTokens',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['the AMI and the account decide'],
        },
      ],
    },
    {
      name: 'a limit of 1 is a warning when the tokens setting is not known',
      template: template(
        'Parameters:\n  Tokens: { Type: String }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: !Ref Tokens', 'HttpPutResponseHopLimit: 1'),
      ),
      findings: [
        {
          message: 'oneWithoutRequiredTokens',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['Tokens'],
        },
      ],
    },
    {
      name: 'a limit of 3 is mentioned',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions('HttpPutResponseHopLimit: 3')),
      findings: [
        {
          message: 'wide',
          severity: 'info',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchTemplate:'],
          says: ['to 3'],
        },
      ],
    },
    {
      name: 'the greatest possible limit is mentioned, not refused',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions('HttpPutResponseHopLimit: 64')),
      findings: [{ message: 'wide', severity: 'info', resource: 'Nodes', at: 'HttpPutResponseHopLimit' }],
    },
    {
      name: 'a limit of 0 fails: EC2 refuses it',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions('HttpPutResponseHopLimit: 0')),
      findings: [
        {
          message: 'outOfRange',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchTemplate:'],
          says: ['to 0', '1 to 64'],
        },
      ],
    },
    {
      name: 'a limit of 65 fails, whatever the tokens and the option for 1 are',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: optional', 'HttpPutResponseHopLimit: 65'),
      ),
      options: { hopLimitOne: 'allow' },
      findings: [{ message: 'outOfRange', severity: 'error', resource: 'Nodes', at: 'HttpPutResponseHopLimit' }],
    },
    {
      name: 'a limit that is no whole number fails',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions('HttpPutResponseHopLimit: 1.5')),
      findings: [
        { message: 'outOfRange', severity: 'error', resource: 'Nodes', at: 'HttpPutResponseHopLimit', says: ['1.5'] },
      ],
    },
    {
      name: 'a limit that is a word fails',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions('HttpPutResponseHopLimit: two')),
      findings: [
        { message: 'outOfRange', severity: 'error', resource: 'Nodes', at: 'HttpPutResponseHopLimit', says: ['two'] },
      ],
    },
    {
      name: 'a limit in hexadecimal digits fails, which no owner takes for a number',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions("HttpPutResponseHopLimit: '0x2'")),
      findings: [
        { message: 'outOfRange', severity: 'error', resource: 'Nodes', at: 'HttpPutResponseHopLimit', says: ['0x2'] },
      ],
    },
    {
      name: 'one bad branch of a condition fails and is named',
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: !If [IsProduction, 1, 2]'),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['This happens when', 'IsProduction'],
        },
      ],
    },
    {
      name: 'a launch template that exists under a condition only fails for the groups without it, in the other branch',
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]',
        CLUSTER,
        nodeGroup(
          AL2023,
          'LaunchTemplate: !If [IsProduction, {Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber}, !Ref AWS::NoValue]',
        ),
        HOP_2,
      ),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'LaunchTemplate: !If',
          says: ['This happens when', 'IsProduction'],
        },
      ],
    },
    {
      name: 'conditions that change nothing are not blamed: one finding for both branches of the AMI type',
      template: template(
        'Parameters:\n  Arch: { Type: String }\nConditions:\n  IsArm: !Equals [!Ref Arch, arm]',
        CLUSTER,
        nodeGroup('AmiType: !If [IsArm, AL2023_ARM_64_STANDARD, AL2023_x86_64_STANDARD]', USES_NODES),
        metadataOptions('HttpTokens: !If [IsArm, required, required]', 'HttpPutResponseHopLimit: 1'),
      ),
      findings: [{ message: 'one', severity: 'error', resource: 'Nodes', at: 'HttpPutResponseHopLimit' }],
    },
    {
      name: 'one launch template of several groups is one finding that names them',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', AL2023, USES_NODES),
        namedNodeGroup('Green', AL2023, USES_NODES),
        HOP_1,
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['of node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'one launch template of groups of several families is one finding, of the family for which it is worst',
      template: resources(
        CLUSTER,
        namedNodeGroup('Old', 'AmiType: AL2_x86_64', USES_NODES),
        namedNodeGroup('New', AL2023, USES_NODES),
        namedNodeGroup('Arm', 'AmiType: AL2023_ARM_64_STANDARD', USES_NODES),
        metadataOptions('HttpTokens: required'),
      ),
      findings: [
        {
          message: 'templateDefault',
          severity: 'error',
          resource: 'Nodes',
          at: 'MetadataOptions',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: [
            'of node groups "New" and "Arm"',
            'AMI type AL2023_x86_64_STANDARD and AMI type AL2023_ARM_64_STANDARD',
          ],
          omits: ['"Old"'],
        },
      ],
    },
    {
      name: 'two bad branches of one limit are one finding, of the worse',
      template: template(
        IN_PRODUCTION,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: !If [IsProduction, 3, 1]'),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['This happens when condition IsProduction is false.'],
        },
      ],
    },
    {
      name: 'bad branches that say the same of different values are one finding that names them all',
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]\n  IsTest: !Equals [!Ref Stage, test]',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: !If [IsProduction, 3, !If [IsTest, 4, 2]]'),
      ),
      findings: [
        {
          message: 'wide',
          severity: 'info',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchTemplate:'],
          says: [
            'to 3 and 4',
            'when condition IsProduction is true, or condition IsProduction is false and condition IsTest is true',
          ],
        },
      ],
    },
    {
      name: 'self-managed nodes with a limit of 1 and required tokens fail like managed ones',
      template: resources(CLUSTER, SELF_MANAGED, HOP_1),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['Launch template "Nodes" of node group "Workers"'],
        },
      ],
      fixed: resources(CLUSTER, SELF_MANAGED, HOP_2),
    },
    {
      name: 'self-managed nodes of AL2023 with a limit of 1 and no tokens setting fail',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        launchTemplate(
          'ImageId: ami-0123456789abcdef0',
          userData(AL2023_BOOTSTRAP),
          'MetadataOptions:',
          '  HttpPutResponseHopLimit: 1',
        ),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['the default of AL2023'],
        },
      ],
    },
    {
      name: 'self-managed nodes with a limit of 1 and an AMI of which nothing is known are a warning',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        launchTemplate('ImageId: ami-0123456789abcdef0', 'MetadataOptions:', '  HttpPutResponseHopLimit: 1'),
      ),
      findings: [
        { message: 'oneWithoutRequiredTokens', severity: 'warning', resource: 'Nodes', at: 'HttpPutResponseHopLimit' },
      ],
    },
    {
      name: 'the launch configuration of self-managed nodes is judged, too',
      template: resources(
        CLUSTER,
        WITH_CONFIGURATION,
        launchConfiguration('HttpTokens: required', 'HttpPutResponseHopLimit: 1'),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          related: ['LaunchConfigurationName: !Ref Nodes'],
          says: ['Launch configuration "Nodes" of node group "Workers"'],
        },
      ],
    },
    {
      name: 'one launch template of a managed and a self-managed group is one finding that names both',
      template: resources(CLUSTER, SELF_MANAGED, namedNodeGroup('Managed', AL2023, USES_NODES), HOP_1),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['of node groups "Managed" and "Workers"'],
        },
      ],
    },
    {
      name: 'an AL2023 group without launch template is a warning where every controller in sight has role, region and VPC id',
      template: resources(CLUSTER, nodeGroup(AL2023), GIVEN_LBC),
      findings: [
        {
          message: 'groupDefault',
          severity: 'warning',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ["The controllers in sight don't need IMDS here"],
        },
      ],
    },
    {
      name: 'an undeclared limit on AL2023 is a warning where every controller in sight has role, region and VPC id',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), launchTemplate('EbsOptimized: true'), GIVEN_LBC),
      findings: [
        {
          message: 'templateDefault',
          severity: 'warning',
          resource: 'Nodes',
          at: 'LaunchTemplateData',
          says: ["The controllers in sight don't need IMDS here"],
        },
      ],
    },
    {
      name: 'a limit of 1 is a warning where every controller in sight has role, region and VPC id',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        HOP_1,
        GIVEN_LBC,
        addon('Ebs', 'AddonName: aws-ebs-csi-driver', 'ServiceAccountRoleArn: arn:aws:iam::111122223333:role/ebs'),
      ),
      findings: [
        {
          message: 'one',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ["The controllers in sight don't need IMDS here"],
        },
      ],
    },
    {
      name: 'a limit of 1 is an error where one controller in sight has all it needs and another has region and VPC id, but no role in sight',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        HOP_1,
        lbc({ vpcId: 'vpc-1', region: 'eu-west-1', serviceAccount: { create: true, name: 'lbc' } }),
        addon('Ebs', 'AddonName: aws-ebs-csi-driver', 'ServiceAccountRoleArn: arn:aws:iam::111122223333:role/ebs'),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['Whatever reads region'],
        },
      ],
    },
    {
      name: 'a limit of 1 is a warning where external-dns has no role in sight, and serves cloudflare',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        HOP_1,
        GIVEN_LBC,
        helmChart('Dns', 'external-dns', { provider: 'cloudflare' }),
      ),
      findings: [{ message: 'one', severity: 'warning', resource: 'Nodes', at: 'HttpPutResponseHopLimit' }],
    },
    {
      name: 'a limit of 1 is a warning where external-dns has no role in sight, and serves google, in the newer form',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        HOP_1,
        GIVEN_LBC,
        helmChart('Dns', 'external-dns', { provider: { name: 'google' } }),
      ),
      findings: [{ message: 'one', severity: 'warning', resource: 'Nodes', at: 'HttpPutResponseHopLimit' }],
    },
    {
      name: 'a limit of 1 is an error where one controller in sight has all it needs and external-dns has no role in sight',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        HOP_1,
        GIVEN_LBC,
        helmChart('Dns', 'external-dns', { provider: 'aws' }),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit',
          says: ['Whatever reads region'],
        },
      ],
    },
    {
      name: 'a limit of 1 on nodes with a taint is a warning that does not name a controller which does not tolerate it',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES, TAINTED), ROOMY, HOP_1, BARE_LBC),
      findings: [
        {
          message: 'one',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit: 1',
          omits: ['Load Balancer'],
        },
      ],
    },
    {
      name: 'a limit of 1 on nodes with a taint names a controller that tolerates it and has no other nodes',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES, TAINTED),
        HOP_1,
        lbc({ tolerations: [{ key: 'team', operator: 'Exists' }] }),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit: 1',
          related: ['LaunchTemplate:', 'Lbc:'],
          says: ['That stops AWS Load Balancer Controller without `vpcId`'],
          omits: ['where pods are scheduled'],
        },
      ],
    },
    {
      name: 'a limit of 1 beside nodes with a limit of 2 stops a controller only where its pods come to the former',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), ROOMY, HOP_1, BARE_LBC),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit: 1',
          says: ['AWS Load Balancer Controller without `vpcId` ("Lbc"', 'where pods are scheduled onto these nodes'],
        },
      ],
    },
    {
      name: 'a controller whose node selector names other nodes is not named',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        ROOMY,
        HOP_1,
        lbc({ nodeSelector: { pool: 'system' } }),
      ),
      findings: [
        {
          message: 'one',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit: 1',
          omits: ['Load Balancer'],
        },
      ],
    },
    {
      name: 'a controller whose node affinity leads to these nodes alone is stopped',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES, 'Labels: { pool: edge }'),
        ROOMY,
        HOP_1,
        lbc({
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['edge'] }] }],
              },
            },
          },
        }),
      ),
      findings: [
        {
          message: 'one',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpPutResponseHopLimit: 1',
          says: ['That stops AWS Load Balancer Controller'],
          omits: ['where pods are scheduled'],
        },
      ],
    },
    {
      name: 'a controller that a Fargate profile takes is not named',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023),
        block('Fargate', 'AWS::EKS::FargateProfile', [
          'ClusterName: !Ref Cluster',
          'Selectors: [{ Namespace: kube-* }]',
        ]),
        BARE_LBC,
      ),
      findings: [
        {
          message: 'groupDefault',
          severity: 'warning',
          resource: 'Workers',
          at: 'Properties: # workers',
          omits: ['Load Balancer'],
        },
      ],
    },
    {
      name: 'a Fargate profile for pods with certain labels may take a controller',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023),
        block('Fargate', 'AWS::EKS::FargateProfile', [
          'ClusterName: !Ref Cluster',
          'Selectors: [{ Namespace: kube-system, Labels: [{ Key: a, Value: b }] }]',
        ]),
        BARE_LBC,
      ),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ['where pods are scheduled onto these nodes'],
        },
      ],
    },
    {
      name: 'a node class of Karpenter with a limit of 2 is another place for a controller',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023),
        nodeClass({ metadataOptions: { httpPutResponseHopLimit: 2 } }),
        BARE_LBC,
      ),
      findings: [
        {
          message: 'groupDefault',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ['where pods are scheduled onto these nodes'],
        },
      ],
    },
    {
      name: 'a Karpenter v1 node class with a limit of 1 stays a warning where a controller may run on nodes with 2',
      template: resources(CLUSTER, ROOMY, nodeClass({ metadataOptions: { httpPutResponseHopLimit: 1 } }), BARE_LBC),
      findings: [
        {
          message: 'nodeClassOne',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          related: ['Lbc:'],
          says: ['where pods are scheduled onto these nodes'],
        },
      ],
    },
    {
      name: 'a Karpenter v1 node class without metadata options is a warning',
      template: resources(CLUSTER, nodeClass({ role: 'nodes' })),
      findings: [
        {
          message: 'nodeClassDefault',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          related: [],
          says: ['"general"', 'since v1'],
        },
      ],
    },
    {
      name: 'a Karpenter v1 node class without metadata options fails beside a controller that needs IMDS',
      template: resources(CLUSTER, nodeClass({ role: 'nodes' }), BARE_LBC),
      findings: [
        {
          message: 'nodeClassDefault',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          related: ['Lbc:'],
          says: ['"Lbc"'],
        },
      ],
      fixed: resources(
        CLUSTER,
        nodeClass({ role: 'nodes', metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 } }),
        BARE_LBC,
      ),
    },
    ...(
      [
        ['default', 'nodeClassDefault', {}],
        ['a declared limit', 'nodeClassOne', { metadataOptions: { httpPutResponseHopLimit: 1 } }],
      ] as const
    ).map(([what, message, spec]) => ({
      name: `1 in a Karpenter v1 node class (${what}) is only remarked where all controllers in sight have what they need`,
      template: resources(CLUSTER, nodeClass(spec), GIVEN_LBC),
      findings: [
        {
          message,
          severity: 'info' as const,
          resource: 'NodeClass',
          at: 'NodeClass',
          related: [],
          says: ["The controllers in sight don't need IMDS here"],
        },
      ],
    })),
    {
      name: 'a Karpenter v1 node class stays a warning where one of the controllers in sight may need IMDS',
      template: resources(CLUSTER, nodeClass({}), GIVEN_LBC, helmChart('Dns', 'external-dns', { provider: 'aws' })),
      findings: [
        { message: 'nodeClassDefault', severity: 'warning', resource: 'NodeClass', at: 'NodeClass', related: [] },
      ],
    },
    {
      name: 'a Karpenter v1 node class with a limit of 1 is a warning',
      template: resources(CLUSTER, nodeClass({ metadataOptions: { httpPutResponseHopLimit: 1 } })),
      findings: [{ message: 'nodeClassOne', severity: 'warning', resource: 'NodeClass', at: 'NodeClass', related: [] }],
    },
    {
      name: 'a Karpenter v1 node class with a limit of 1 fails beside a controller that needs IMDS',
      template: resources(
        CLUSTER,
        nodeClass({ metadataOptions: { httpPutResponseHopLimit: 1, httpTokens: 'required' } }),
        BARE_LBC,
      ),
      findings: [{ message: 'nodeClassOne', severity: 'error', resource: 'NodeClass', at: 'NodeClass' }],
    },
    {
      name: 'a Karpenter v1 node class with an impossible limit fails',
      template: resources(CLUSTER, nodeClass({ metadataOptions: { httpPutResponseHopLimit: 100 } })),
      findings: [
        {
          message: 'nodeClassOutOfRange',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['EC2NodeClass "general"', '100'],
        },
      ],
    },
    {
      name: 'a Karpenter v1 node class with a limit of 3 is mentioned',
      template: resources(CLUSTER, nodeClass({ metadataOptions: { httpPutResponseHopLimit: 3 } })),
      findings: [
        { message: 'nodeClassWide', severity: 'info', resource: 'NodeClass', at: 'NodeClass', says: ['to 3'] },
      ],
    },
    {
      name: 'a Karpenter v1 node class with a limit of 1 and IMDSv1 on stays a warning beside a controller that needs IMDS',
      template: resources(
        CLUSTER,
        nodeClass({ metadataOptions: { httpPutResponseHopLimit: 1, httpTokens: 'optional' } }),
        BARE_LBC,
      ),
      findings: [
        {
          message: 'nodeClassOne',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['IMDSv1 may still answer'],
        },
      ],
    },
    {
      name: 'a Karpenter v1 node class with a limit of 1 is a warning beside such a controller when the option says so',
      template: resources(CLUSTER, nodeClass({ metadataOptions: { httpPutResponseHopLimit: 1 } }), BARE_LBC),
      options: { hopLimitOne: 'warning' },
      findings: [{ message: 'nodeClassOne', severity: 'warning', resource: 'NodeClass', at: 'NodeClass' }],
    },
  ],
  unverifiable: [
    {
      name: 'the default family of a group whose cluster may be an old one of the input can not be told',
      template: template(
        'Parameters:\n  Name: { Type: String }',
        cluster("Version: '1.29'"),
        nodeGroup(USES_NODES).replace('!Ref Cluster', '!Ref Name'),
        launchTemplate('EbsOptimized: true'),
      ),
      resources: ['Nodes'],
      because: 'which may be its own',
    },
    {
      name: 'an AL2 group without launch template',
      template: resources(cluster("Version: '1.32'"), nodeGroup('AmiType: AL2_x86_64')),
      resources: ['Workers'],
      because: "texts don't agree",
    },
    {
      name: 'a group without AMI type on Kubernetes 1.29, which EKS starts with AL2',
      template: resources(cluster("Version: '1.29'"), nodeGroup()),
      resources: ['Workers'],
      because: 'AL2',
    },
    {
      name: 'a Bottlerocket group without launch template',
      template: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64')),
      resources: ['Workers'],
    },
    {
      name: 'a group whose AMI type is a parameter without default',
      template: template('Parameters:\n  Ami: { Type: String }', CLUSTER, nodeGroup('AmiType: !Ref Ami')),
      resources: ['Workers'],
      because: 'Ami',
    },
    {
      name: 'a limit that is a parameter without default',
      template: template(
        'Parameters:\n  Hop: { Type: Number }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpPutResponseHopLimit: !Ref Hop'),
      ),
      resources: ['Nodes'],
      because: 'Hop',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup(AL2023, "LaunchTemplate: { Id: lt-0abc, Version: '3' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
    {
      name: 'self-managed nodes whose launch template sets no hop limit: their AMI decides',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        launchTemplate(
          'ImageId: ami-0123456789abcdef0',
          userData(AL2023_BOOTSTRAP),
          'MetadataOptions: { HttpTokens: required }',
        ),
      ),
      resources: ['Nodes'],
      because: 'is up to their AMI and the account',
    },
    {
      name: 'self-managed nodes whose launch configuration sets no hop limit',
      template: resources(CLUSTER, WITH_CONFIGURATION, launchConfiguration('HttpTokens: required')),
      resources: ['Nodes'],
    },
    {
      name: 'self-managed nodes whose launch template can not be seen',
      template: resources(
        CLUSTER,
        SELF_MANAGED.replace('!Ref Nodes', 'lt-0abc').replace('!GetAtt Nodes.LatestVersionNumber', "'3'"),
      ),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
    {
      name: 'a launch template with an unknown image and no hop limit',
      template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate('ImageId: ami-0123456789abcdef0')),
      resources: ['Nodes'],
      because: 'ami-0123456789abcdef0',
    },
  ],
  notApplicable: [
    { name: 'a launch template that no group uses', template: resources(CLUSTER, HOP_1) },
    {
      name: 'a launch template of an Auto Scaling group without the tag of a cluster',
      template: resources(CLUSTER, SELF_MANAGED.replace('kubernetes.io/cluster/', 'team/'), HOP_1),
    },
    {
      name: 'an Auto Mode cluster without node groups',
      template: resources(cluster('ComputeConfig: { Enabled: true }'), BARE_LBC),
    },
    {
      name: 'a cluster with Fargate only',
      template: resources(
        CLUSTER,
        block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster']),
        BARE_LBC,
        addon('Ebs', 'AddonName: aws-ebs-csi-driver'),
      ),
    },
    {
      name: 'a node class of EKS Auto Mode',
      template: resources(
        CLUSTER,
        manifest('NodeClass', { apiVersion: 'eks.amazonaws.com/v1', kind: 'NodeClass', spec: {} }),
      ),
    },
    {
      name: 'a Karpenter v1beta1 node class, whose default is 2',
      template: resources(CLUSTER, nodeClass({}, 'karpenter.k8s.aws/v1beta1')),
    },
    {
      name: 'a group whose launch template switches the endpoint off, which another rule judges',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpEndpoint: disabled', 'HttpPutResponseHopLimit: 1'),
      ),
    },
  ],
});

describe('imds-hop-limit beside other decisions', () => {
  const check = (text: string): Finding[] =>
    runRules(new EksModel(readTemplates([{ file: 'template.yaml', text }]).resources), [imdsHopLimit]);

  test('a limit of 1 that is suppressed with a reason at its launch template counts as decided', () => {
    const suppressed = `${HOP_1}\n  Metadata:\n    eks-guardrails:\n      suppress:\n        - rule: imds-hop-limit\n          reason: every workload has its own role\n`;
    const findings = check(resources(CLUSTER, nodeGroup(AL2023, USES_NODES), suppressed));
    expect(findings.map((finding) => [finding.rule, finding.suppressed?.reason])).toEqual([
      ['imds-hop-limit', 'every workload has its own role'],
    ]);
  });

  test('the finding leads to the group that uses the template and to the workload that breaks', () => {
    const [finding] = check(resources(CLUSTER, nodeGroup(AL2023, USES_NODES), HOP_1, BARE_LBC));
    expect(finding?.related.map((place) => place.message)).toEqual([
      'node group "Workers" uses this launch template',
      'AWS Load Balancer Controller without `vpcId` reads IMDS',
    ]);
  });

  test('a template of many groups names the first of them and counts the others', () => {
    const groups = Array.from({ length: 9 }, (_, index) => namedNodeGroup(`Group${index}`, AL2023, USES_NODES));
    const findings = check(resources(CLUSTER, ...groups, HOP_1));
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toContain('"Group0", "Group1", "Group2", "Group3", "Group4" and 4 more sets');
    expect(findings[0]?.related).toHaveLength(9);
  });

  test('a workload of another cluster is not blamed', () => {
    const other = helmChart('Lbc', 'aws-load-balancer-controller', {}).replace(
      'ClusterName: !Ref Cluster',
      'ClusterName: other',
    );
    const [finding] = check(resources(CLUSTER, nodeGroup(AL2023, USES_NODES), HOP_1, other));
    expect(finding?.message).not.toContain('Load Balancer');
  });
});
