import { launchTemplateForbiddenField } from '../../../lib/rules/launch-template/launch-template-forbidden-field';
import {
  block,
  CLUSTER,
  launchTemplate,
  namedNodeGroup,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';

const IMDS = 'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }';
const PRODUCTION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const IMAGE = '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id';
const BOOTSTRAP = [
  'UserData:',
  '  Fn::Base64: !Sub |',
  '    apiVersion: node.eks.aws/v1alpha1',
  '    kind: NodeConfig',
  '    spec:',
  '      cluster:',
  '        name: ${Cluster}',
  '        apiServerEndpoint: ${Cluster.Endpoint}',
  '        certificateAuthority: ${Cluster.CertificateAuthorityData}',
  '        cidr: 10.100.0.0/16',
];

function withTemplate(...data: readonly string[]): string {
  return resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMDS, ...data));
}

const PROFILE = block('Profile', 'AWS::IAM::InstanceProfile', ['Roles: [nodes]']);
const ALLOWED = withTemplate('EbsOptimized: true');

testRule(launchTemplateForbiddenField, {
  valid: [
    {
      name: 'capacity-block is what Capacity Blocks need',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES, 'CapacityType: CAPACITY_BLOCK'),
        launchTemplate(IMDS, 'InstanceMarketOptions: { MarketType: capacity-block }'),
      ),
    },
    {
      name: 'fields that are set to nothing pass',
      template: withTemplate(
        'IamInstanceProfile: !Ref AWS::NoValue',
        'NetworkInterfaces: [{ SubnetId: !Ref AWS::NoValue, AssociatePublicIpAddress: false }]',
      ),
    },
    {
      name: 'an AMI that CloudFormation looks up passes',
      template: withTemplate(`ImageId: '{{resolve:ssm:${IMAGE}}}'`, ...BOOTSTRAP),
    },
    {
      name: 'an AMI from an SSM parameter type passes',
      template: template(
        `Parameters:\n  Ami: { Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>', Default: ${IMAGE} }`,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, 'ImageId: !Ref Ami', ...BOOTSTRAP),
      ),
    },
    {
      name: 'hibernation that is switched off passes',
      template: withTemplate('HibernationOptions: { Configured: false }'),
    },
    { name: 'hibernation options that say nothing pass', template: withTemplate('HibernationOptions: {}') },
    {
      name: 'what is allowed passes',
      template: withTemplate(
        'KeyName: admin',
        'BlockDeviceMappings: [{ DeviceName: /dev/xvda, Ebs: { VolumeSize: 50 } }]',
        'TagSpecifications: [{ ResourceType: instance, Tags: [{ Key: team, Value: a }] }]',
      ),
    },
    {
      name: 'a profile under a condition under which the group does not exist passes',
      template: template(
        PRODUCTION,
        CLUSTER,
        onCondition('IsProduction', nodeGroup(USES_NODES)),
        launchTemplate(IMDS, 'IamInstanceProfile: !If [IsProduction, !Ref AWS::NoValue, { Name: dev }]'),
      ),
    },
  ],
  invalid: [
    {
      name: 'an instance profile of the input, as CDK writes it for a role',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, 'IamInstanceProfile: { Arn: !GetAtt Profile.Arn }'),
        PROFILE,
      ),
      findings: [
        {
          message: 'instanceProfile',
          severity: 'error',
          resource: 'Nodes',
          at: 'Arn: !GetAtt',
          related: ['LaunchTemplate:'],
          says: ['Launch template "Nodes" of node group "Workers"', '`${Profile.Arn}`'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMDS), PROFILE),
    },
    {
      name: 'an instance profile by name',
      template: withTemplate('IamInstanceProfile: { Name: nodes-profile }'),
      findings: [
        {
          message: 'instanceProfile',
          severity: 'error',
          resource: 'Nodes',
          at: 'Name: nodes-profile',
          says: ['`nodes-profile`'],
          fixOmits: 'NodeRole',
        },
      ],
      fixed: ALLOWED,
    },
    {
      name: 'an instance profile from a parameter counts as set',
      template: template(
        'Parameters:\n  P: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, 'IamInstanceProfile: { Name: !Ref P }'),
      ),
      findings: [{ message: 'instanceProfile', severity: 'error', resource: 'Nodes', at: 'Name: !Ref P' }],
    },
    {
      name: 'a network interface with a subnet',
      template: withTemplate(
        'NetworkInterfaces:',
        '  - { DeviceIndex: 0 }',
        '  - { DeviceIndex: 1, SubnetId: subnet-0abc }',
      ),
      findings: [
        {
          message: 'subnet',
          severity: 'error',
          resource: 'Nodes',
          at: 'SubnetId',
          related: ['LaunchTemplate:'],
          says: ['`subnet-0abc`', 'node group'],
          fixOmits: 'Subnets:',
        },
      ],
      fixed: withTemplate('NetworkInterfaces:', '  - { DeviceIndex: 0 }', '  - { DeviceIndex: 1 }'),
    },
    {
      name: 'a shutdown behavior, even the default one',
      template: withTemplate('InstanceInitiatedShutdownBehavior: stop'),
      findings: [
        {
          message: 'shutdownBehavior',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceInitiatedShutdownBehavior',
          related: ['LaunchTemplate:'],
          says: ['`stop`'],
        },
      ],
      fixed: ALLOWED,
    },
    {
      name: 'instances that are configured for hibernation',
      template: withTemplate('HibernationOptions: { Configured: true }'),
      findings: [
        {
          message: 'hibernation',
          severity: 'error',
          resource: 'Nodes',
          at: 'Configured',
          related: ['LaunchTemplate:'],
        },
      ],
      fixed: ALLOWED,
    },
    {
      name: 'instance requirements',
      template: withTemplate('InstanceRequirements: { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 4096 } }'),
      findings: [
        {
          message: 'instanceRequirements',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceRequirements',
          related: ['LaunchTemplate:'],
        },
      ],
      fixed: ALLOWED,
    },
    {
      name: 'Spot in the template, as CDK writes it for spotOptions',
      template: withTemplate('InstanceMarketOptions: { MarketType: spot, SpotOptions: { MaxPrice: "0.1" } }'),
      findings: [
        {
          message: 'spot',
          severity: 'error',
          resource: 'Nodes',
          at: 'MarketType',
          related: ['LaunchTemplate:'],
          says: ['Instance market options are not supported'],
        },
      ],
      fixed: ALLOWED,
    },
    {
      name: 'an AMI for EC2 to look up',
      template: withTemplate(`ImageId: resolve:ssm:${IMAGE}`, ...BOOTSTRAP),
      findings: [
        {
          message: 'imageLookup',
          severity: 'error',
          resource: 'Nodes',
          at: 'ImageId',
          related: ['LaunchTemplate:'],
          says: [`resolve:ssm:${IMAGE}`],
        },
      ],
      fixed: withTemplate(`ImageId: '{{resolve:ssm:${IMAGE}}}'`, ...BOOTSTRAP),
    },
    {
      name: 'two fields are two findings, each once for both groups',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        launchTemplate(IMDS, 'IamInstanceProfile: { Name: p }', 'InstanceInitiatedShutdownBehavior: terminate'),
      ),
      findings: [
        {
          message: 'instanceProfile',
          severity: 'error',
          resource: 'Nodes',
          at: 'Name: p',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
        {
          message: 'shutdownBehavior',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceInitiatedShutdownBehavior',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'one branch of a condition is named, beside a field that is always set',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          IMDS,
          'InstanceMarketOptions: !If [IsProduction, !Ref AWS::NoValue, { MarketType: spot }]',
          'InstanceInitiatedShutdownBehavior: !If [IsProduction, stop, stop]',
        ),
      ),
      findings: [
        {
          message: 'shutdownBehavior',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceInitiatedShutdownBehavior',
          omits: ['This happens'],
        },
        {
          message: 'spot',
          severity: 'error',
          resource: 'Nodes',
          at: 'MarketType',
          says: ['This happens when condition IsProduction is false'],
        },
      ],
    },
    {
      name: 'a template that a self-managed group uses too fails for the managed one alone',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, 'IamInstanceProfile: { Name: p }'),
        block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
          "MinSize: '1'",
          "MaxSize: '2'",
          "LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: '1' }",
          'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
        ]),
      ),
      findings: [
        {
          message: 'instanceProfile',
          severity: 'error',
          resource: 'Nodes',
          at: 'Name: p',
          says: ['of node group "Workers"'],
          omits: ['Group"'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('LaunchTemplate: { Id: lt-0abc }')),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
    {
      name: 'hibernation by a parameter',
      template: template(
        'Parameters:\n  Hibernate: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, 'HibernationOptions: { Configured: !Ref Hibernate }'),
      ),
      resources: ['Nodes'],
      because: 'Hibernate',
    },
    {
      name: 'a market type from a parameter',
      template: template(
        'Parameters:\n  Market: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, 'InstanceMarketOptions: { MarketType: !Ref Market }'),
      ),
      resources: ['Nodes'],
      because: 'Market',
    },
  ],
  notApplicable: [
    { name: 'a group without launch template', template: resources(CLUSTER, nodeGroup()) },
    {
      name: 'a template that no managed group uses',
      template: resources(CLUSTER, launchTemplate('IamInstanceProfile: { Name: p }')),
    },
    {
      name: 'a template that only a self-managed group uses',
      template: resources(
        CLUSTER,
        launchTemplate('IamInstanceProfile: { Name: p }', 'InstanceMarketOptions: { MarketType: spot }'),
        block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
          "MinSize: '1'",
          "MaxSize: '2'",
          "LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: '1' }",
          'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
        ]),
      ),
    },
  ],
});
