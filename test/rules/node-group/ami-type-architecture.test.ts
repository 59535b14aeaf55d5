import { amiTypeArchitecture } from '../../../lib/rules/node-group/ami-type-architecture';
import {
  block,
  CLUSTER,
  cluster,
  launchTemplate,
  lookedUpImage,
  nodeGroup,
  onCondition,
  resources,
  SELF_MANAGED,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';

const X86 = 'AmiType: AL2023_x86_64_STANDARD';
const ARM = 'AmiType: AL2023_ARM_64_STANDARD';
const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const TWO_CONDITIONS = [
  'Parameters:\n  X: { Type: String }\n  Y: { Type: String }\nConditions:',
  "  A: !Equals [!Ref X, 'yes']\n  B: !Equals [!Ref Y, 'yes']\n  NotBoth: !Not [!And [!Condition A, !Condition B]]",
].join('\n');
const ARM_IMAGE = `
Parameters:
  Image:
    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>
    Default: /aws/service/bottlerocket/aws-k8s-1.33/arm64/latest/image_id`;

/** Parameters whose defaults fit together; whoever changes the architecture has to change the other as well. */
const ARM_BY_CHOICE = [
  'Parameters:',
  '  Arch: { Type: String, Default: x86_64, AllowedValues: [x86_64, arm64] }',
  '  Ami: { Type: String, Default: AL2023_x86_64_STANDARD }',
  '  Size: { Type: String, Default: m7i.large }',
  'Conditions:',
  '  IsArm: !Equals [!Ref Arch, arm64]',
].join('\n');
const WITH_RULE = [
  'Parameters:',
  '  Arch: { Type: String }',
  '  Ami: { Type: String, Default: AL2023_x86_64_STANDARD, AllowedValues: [AL2023_x86_64_STANDARD, AL2023_ARM_64_STANDARD] }',
  'Rules:',
  '  ArmNeedsAnArmImage:',
  '    RuleCondition: !Equals [!Ref Arch, arm64]',
  '    Assertions:',
  '      - Assert: !Contains [[AL2023_ARM_64_STANDARD], !Ref Ami]',
  'Conditions:',
  '  IsArm: !Equals [!Ref Arch, arm64]',
].join('\n');

const EKS_ARM = '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/arm64/standard/recommended/image_id';

testRule(amiTypeArchitecture, {
  valid: [
    {
      name: 'a default that fits whatever another parameter chooses passes',
      template: template(
        ARM_BY_CHOICE,
        CLUSTER,
        nodeGroup('AmiType: !Ref Ami', 'InstanceTypes: [!If [IsArm, m6i.large, m7i.large]]'),
      ),
    },
    {
      name: 'an AMI type that a rule of the template makes fit passes',
      template: template(
        WITH_RULE,
        CLUSTER,
        nodeGroup('AmiType: !Ref Ami', 'InstanceTypes: [!If [IsArm, m7g.large, m7i.large]]'),
      ),
    },
    {
      name: 'an arm64 AMI type without instance types passes: EKS takes one for arm64',
      template: resources(CLUSTER, nodeGroup(ARM)),
    },
    {
      name: 'an arm64 AMI type beside a launch template without instance type passes',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: BOTTLEROCKET_ARM_64', USES_NODES),
        launchTemplate('EbsOptimized: true'),
      ),
    },
    {
      name: 'an x86_64 type of the launch template where the arm64 group is not created passes',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', nodeGroup(ARM, USES_NODES)),
        launchTemplate('InstanceType: !If [IsProduction, m7g.large, m7i.large]'),
      ),
    },
    {
      name: 'instance types of both architectures that only meet where the group is not created pass',
      template: template(
        TWO_CONDITIONS,
        CLUSTER,
        onCondition(
          'NotBoth',
          nodeGroup(
            'InstanceTypes: [!If [A, m7g.large, t4g.large], !If [A, !If [B, m7i.large, m7g.xlarge], m7g.medium]]',
            ARM,
          ),
        ),
      ),
    },
    {
      name: 'an arm64 AMI type with Graviton types passes',
      template: resources(CLUSTER, nodeGroup(ARM, 'InstanceTypes: [m6g.large, t4g.medium]')),
    },
    {
      name: 'an x86_64 AMI type with Intel and AMD types passes',
      template: resources(CLUSTER, nodeGroup(X86, 'InstanceTypes: [m5.large, m5a.large]')),
    },
    {
      name: 'an arm64 GPU type with an arm64 NVIDIA AMI type passes',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2023_ARM_64_NVIDIA', 'InstanceTypes: [g5g.xlarge]')),
    },
    {
      name: 'an x86_64 AMI type without instance types passes: EKS takes t3.medium',
      template: resources(CLUSTER, nodeGroup(X86, 'InstanceTypes: []')),
    },
    { name: 'neither AMI type nor instance types pass', template: resources(CLUSTER, nodeGroup()) },
    {
      name: 'x86_64 types without AMI type pass',
      template: resources(CLUSTER, nodeGroup('InstanceTypes: [m5.large]')),
    },
    {
      name: "the launch template's type counts when the group has none",
      template: resources(CLUSTER, nodeGroup(ARM, USES_NODES), launchTemplate('InstanceType: m7g.large')),
    },
    {
      name: 'an own AMI of the right architecture passes',
      template: template(
        ARM_IMAGE,
        CLUSTER,
        nodeGroup('InstanceTypes: [m7g.large]', USES_NODES),
        launchTemplate('ImageId: !Ref Image'),
      ),
    },
    {
      name: 'self-managed nodes with an AMI of the right architecture pass',
      template: resources(CLUSTER, SELF_MANAGED, lookedUpImage(EKS_ARM, 'InstanceType: m7g.large')),
    },
    {
      name: 'AMI type and instance type that change together pass',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(
          'AmiType: !If [IsProduction, AL2023_ARM_64_STANDARD, AL2023_x86_64_STANDARD]',
          'InstanceTypes: [!If [IsProduction, m7g.large, m5.large]]',
        ),
      ),
    },
  ],
  invalid: [
    {
      name: 'defaults that do not fit fail, where no parameter has to be changed',
      template: template(
        ARM_BY_CHOICE.replace('m7i.large', 'm7g.large'),
        CLUSTER,
        nodeGroup('AmiType: !Ref Ami', 'InstanceTypes: [!Ref Size]'),
      ),
      findings: [
        {
          message: 'mismatch',
          severity: 'error',
          resource: 'Workers',
          at: '!Ref Size',
          related: ['AmiType: !Ref Ami', 'Default: m7g.large }'],
        },
      ],
    },
    {
      name: 'branches that do not fit fail, whoever chooses them',
      template: template(
        ARM_BY_CHOICE,
        CLUSTER,
        nodeGroup(
          'AmiType: !If [IsArm, AL2023_x86_64_STANDARD, AL2023_x86_64_STANDARD]',
          'InstanceTypes: [!If [IsArm, m7g.large, m7i.large]]',
        ),
      ),
      findings: [
        {
          message: 'mismatch',
          severity: 'error',
          resource: 'Workers',
          at: '!If [IsArm, m7g',
          says: ['condition IsArm is true'],
        },
      ],
    },
    {
      name: 'an instance type that the condition of the group chooses fails without that condition as a reason',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', nodeGroup(X86, USES_NODES)),
        launchTemplate('InstanceType: !If [IsProduction, m7g.large, m7i.large]'),
      ),
      findings: [
        { message: 'mismatch', severity: 'error', resource: 'Workers', at: 'AmiType', omits: ['This happens when'] },
      ],
    },
    {
      name: 'a listed instance type that the condition of the group chooses fails without that condition as a reason',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', nodeGroup(X86, 'InstanceTypes: [!If [IsProduction, m7g.large, m7i.large]]')),
      ),
      findings: [
        { message: 'mismatch', severity: 'error', resource: 'Workers', at: '!If', omits: ['This happens when'] },
      ],
    },
    {
      name: 't4g with an x86_64 AMI type fails at the instance type, with the API text',
      template: resources(CLUSTER, nodeGroup(X86, 'InstanceTypes: [t4g.medium]')),
      findings: [
        {
          message: 'mismatch',
          severity: 'error',
          resource: 'Workers',
          at: 't4g.medium',
          says: ['"Workers"', '[t4g.medium] is not a valid instance type for requested amiType AL2023_x86_64_STANDARD'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(ARM, 'InstanceTypes: [t4g.medium]')),
    },
    {
      name: 'g5g with an x86_64 NVIDIA AMI type fails',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_NVIDIA', 'InstanceTypes: [g5g.xlarge]')),
      findings: [{ message: 'mismatch', severity: 'error', resource: 'Workers', at: 'g5g.xlarge' }],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_ARM_64_NVIDIA', 'InstanceTypes: [g5g.xlarge]')),
    },
    {
      name: 'g5g with an ordinary x86_64 AMI type fails, and the fix has its drivers too',
      template: resources(CLUSTER, nodeGroup(X86, 'InstanceTypes: [g5g.xlarge]')),
      findings: [
        { message: 'mismatch', severity: 'error', resource: 'Workers', at: 'g5g.xlarge', fix: 'AL2023_ARM_64_NVIDIA' },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_ARM_64_NVIDIA', 'InstanceTypes: [g5g.xlarge]')),
    },
    {
      name: 'Inferentia with an arm64 AMI type fails, and the fix has its driver too',
      template: resources(CLUSTER, nodeGroup(ARM, 'InstanceTypes: [inf2.xlarge]')),
      findings: [
        {
          message: 'mismatch',
          severity: 'error',
          resource: 'Workers',
          at: 'inf2.xlarge',
          related: ['AmiType: AL2023_ARM_64_STANDARD'],
          fix: 'AL2023_x86_64_NEURON',
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_NEURON', 'InstanceTypes: [inf2.xlarge]')),
    },
    {
      name: 'Graviton with AL2 on 1.35 fails, and the fix is no AL2 type, which 1.35 has none of',
      template: resources(cluster("Version: '1.35'"), nodeGroup('AmiType: AL2_x86_64', 'InstanceTypes: [m7g.large]')),
      findings: [
        { message: 'mismatch', severity: 'error', resource: 'Workers', at: 'm7g.large', fix: 'AL2023_ARM_64_STANDARD' },
      ],
      fixed: resources(cluster("Version: '1.35'"), nodeGroup(ARM, 'InstanceTypes: [m7g.large]')),
      also: ['ami-type-kubernetes-version'],
    },
    {
      name: 'an x86_64 type with an arm64 AMI type fails',
      template: resources(CLUSTER, nodeGroup(ARM, 'InstanceTypes: [m5.large]')),
      findings: [{ message: 'mismatch', severity: 'error', resource: 'Workers', at: 'm5.large' }],
    },
    {
      name: 'Graviton with a Windows AMI type fails, which has no arm64 variant',
      template: resources(CLUSTER, nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', 'InstanceTypes: [m7g.large]')),
      findings: [{ message: 'mismatch', severity: 'error', resource: 'Workers', at: 'm7g.large' }],
      fixed: resources(CLUSTER, nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', 'InstanceTypes: [m7i.large]')),
    },
    {
      name: 'a list of both architectures is one finding at the first wrong type, naming all of them',
      template: resources(CLUSTER, nodeGroup(X86, 'InstanceTypes: [m5.large, m6g.large, t4g.medium]')),
      findings: [
        {
          message: 'mismatch',
          severity: 'error',
          resource: 'Workers',
          at: 'm6g.large',
          says: ['m6g.large and t4g.medium'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(X86, 'InstanceTypes: [m5.large]')),
    },
    {
      name: 'a wrong type fails beside one that is not known',
      template: template(
        'Parameters:\n  Size: { Type: String }',
        CLUSTER,
        nodeGroup(X86, 'InstanceTypes: [!Ref Size, t4g.medium]'),
      ),
      findings: [{ message: 'mismatch', severity: 'error', resource: 'Workers', at: 't4g.medium' }],
    },
    {
      name: "a wrong type in the launch template fails at the group's AMI type",
      template: resources(CLUSTER, nodeGroup(X86, USES_NODES), launchTemplate('InstanceType: m7g.large')),
      findings: [{ message: 'mismatch', severity: 'error', resource: 'Workers', at: 'AmiType', says: ['m7g.large'] }],
    },
    {
      name: 'both architectures fail without AMI type',
      template: resources(CLUSTER, nodeGroup('InstanceTypes: [m5.large, m7g.large]')),
      findings: [
        { message: 'mixed', severity: 'error', resource: 'Workers', at: 'm7g.large', says: ['both architectures'] },
      ],
      fixed: resources(CLUSTER, nodeGroup('InstanceTypes: [m5.large]')),
    },
    {
      name: 'both architectures fail whatever the own AMI is built for',
      template: resources(
        CLUSTER,
        nodeGroup('InstanceTypes: [m5.large, m7g.large]', USES_NODES),
        launchTemplate('ImageId: ami-0123456789abcdef0'),
      ),
      findings: [{ message: 'mixed', severity: 'error', resource: 'Workers', at: 'm7g.large' }],
    },
    {
      name: 'an own AMI of the wrong architecture fails',
      template: template(
        ARM_IMAGE,
        CLUSTER,
        nodeGroup('InstanceTypes: [m5.large]', USES_NODES),
        launchTemplate('ImageId: !Ref Image'),
      ),
      findings: [
        {
          message: 'imageMismatch',
          severity: 'error',
          resource: 'Workers',
          at: 'm5.large',
          related: ['ImageId: !Ref Image'],
          says: ['arm64', '/aws/service/bottlerocket/'],
        },
      ],
    },
    {
      name: 'self-managed nodes with an AMI of the wrong architecture fail',
      template: resources(CLUSTER, SELF_MANAGED, lookedUpImage(EKS_ARM, 'InstanceType: m7i.large')),
      findings: [
        {
          message: 'imageMismatch',
          severity: 'error',
          resource: 'Group',
          at: 'InstanceType',
          says: ['m7i.large', 'arm64'],
        },
      ],
      fixed: resources(CLUSTER, SELF_MANAGED, lookedUpImage(EKS_ARM, 'InstanceType: m7g.large')),
    },
    {
      name: 'Graviton with an AMI of AL2 that does not say its architecture fails: the one for arm64 says it',
      template: resources(
        CLUSTER,
        nodeGroup('InstanceTypes: [m7g.large]', USES_NODES),
        lookedUpImage('/aws/service/eks/optimized-ami/1.32/amazon-linux-2/recommended/image_id'),
      ),
      findings: [
        {
          message: 'imageMismatch',
          severity: 'error',
          resource: 'Workers',
          at: 'm7g.large',
          related: ['ImageId:'],
          says: ['built for x86_64'],
        },
      ],
    },
    {
      name: 'one bad branch of a condition fails and is named',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(X86, 'InstanceTypes:', '  - Fn::If: [IsProduction, m5.large, t4g.medium]'),
      ),
      findings: [
        {
          message: 'mismatch',
          severity: 'error',
          resource: 'Workers',
          at: 'Fn::If',
          says: ['This happens when', 'IsProduction is false'],
        },
      ],
    },
    {
      name: 'a group of an imported cluster fails too',
      template: resources(
        block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', X86, 'InstanceTypes: [t4g.medium]']),
      ),
      findings: [{ message: 'mismatch', severity: 'error', resource: 'Workers', at: 't4g.medium' }],
    },
  ],
  unverifiable: [
    {
      name: 'the default of the AMI type where another parameter is not at its default',
      template: template(
        ARM_BY_CHOICE,
        CLUSTER,
        nodeGroup('AmiType: !Ref Ami', 'InstanceTypes: [!If [IsArm, m7g.large, m7i.large]]'),
      ),
      resources: ['Workers'],
      because: 'condition IsArm is true',
    },
    {
      name: 'the default of an instance type where another parameter is not at its default',
      template: template(
        ARM_BY_CHOICE,
        CLUSTER,
        nodeGroup('AmiType: !If [IsArm, AL2023_ARM_64_STANDARD, AL2023_x86_64_STANDARD]', 'InstanceTypes: [!Ref Size]'),
      ),
      resources: ['Workers'],
      because: 'condition IsArm is true',
    },
    {
      name: 'the default of a list of instance types where another parameter is not at its default',
      template: template(
        ARM_BY_CHOICE.replace(
          'Size: { Type: String, Default: m7i.large }',
          "Sizes: { Type: CommaDelimitedList, Default: 'm7i.large,m6i.large' }",
        ),
        CLUSTER,
        nodeGroup('AmiType: !If [IsArm, AL2023_ARM_64_STANDARD, AL2023_x86_64_STANDARD]', 'InstanceTypes: !Ref Sizes'),
      ),
      resources: ['Workers'],
      because: 'condition IsArm is true',
    },
    {
      name: 'an instance type from a parameter without default',
      template: template(
        'Parameters:\n  Size: { Type: String }',
        CLUSTER,
        nodeGroup(X86, 'InstanceTypes: [!Ref Size]'),
      ),
      resources: ['Workers'],
      because: 'Size',
    },
    {
      name: 'a list of instance types from a parameter without default',
      template: template(
        'Parameters:\n  Sizes: { Type: CommaDelimitedList }',
        CLUSTER,
        nodeGroup(X86, 'InstanceTypes: !Ref Sizes'),
      ),
      resources: ['Workers'],
      because: 'Sizes',
    },
    {
      name: 'an instance type that the table does not have',
      template: resources(CLUSTER, nodeGroup(X86, 'InstanceTypes: [zz9.large]')),
      resources: ['Workers'],
      because: 'zz9.large',
    },
    {
      name: 'an AMI type from a parameter without default',
      template: template(
        'Parameters:\n  Ami: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: !Ref Ami', 'InstanceTypes: [m5.large]'),
      ),
      resources: ['Workers'],
      because: 'Ami',
    },
    {
      name: 'an own AMI by id',
      template: resources(
        CLUSTER,
        nodeGroup('InstanceTypes: [m5.large]', USES_NODES),
        launchTemplate('ImageId: ami-0123456789abcdef0'),
      ),
      resources: ['Workers'],
      because: 'ami-0123456789abcdef0',
    },
    {
      name: 'AMI type CUSTOM',
      template: resources(CLUSTER, nodeGroup('AmiType: CUSTOM', 'InstanceTypes: [m5.large]')),
      resources: ['Workers'],
      because: 'CUSTOM',
    },
    {
      name: 'Graviton without AMI type',
      template: resources(CLUSTER, nodeGroup('InstanceTypes: [m7g.large]')),
      resources: ['Workers'],
      because: 'm7g.large',
    },
    {
      name: 'instance types in a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup(ARM, "LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'self-managed nodes with an AMI that tells nothing',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        launchTemplate('ImageId: ami-0123456789abcdef0', 'InstanceType: m7g.large'),
      ),
    },
    {
      name: 'an Auto Mode cluster without node groups',
      template: resources(cluster('ComputeConfig: { Enabled: true }')),
    },
    {
      name: 'a cluster with Fargate only',
      template: resources(CLUSTER, block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster'])),
    },
  ],
});
