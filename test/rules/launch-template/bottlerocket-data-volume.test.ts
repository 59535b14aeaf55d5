import { bottlerocketDataVolume } from '../../../lib/rules/launch-template/bottlerocket-data-volume';
import { block, CLUSTER, launchTemplate, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';

const IMDS = 'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }';
const PRODUCTION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const SIZE = 'Parameters:\n  Size: { Type: Number }\n  Device: { Type: String }';
const BOTTLEROCKET = 'AmiType: BOTTLEROCKET_x86_64';
const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const IMAGES =
  '{{resolve:ssm:/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id}}';
const TAGS = 'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]';
const GROUP = block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
  "MinSize: '1'",
  "MaxSize: '2'",
  "LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: '1' }",
  TAGS,
]);
const NODE_CONFIG = [
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
const SETTINGS = [
  'UserData:',
  '  Fn::Base64: !Sub |',
  '    [settings.kubernetes]',
  "    cluster-name = '${Cluster}'",
  "    api-server = '${Cluster.Endpoint}'",
  "    cluster-certificate = '${Cluster.CertificateAuthorityData}'",
];

function volumes(...mappings: readonly string[]): string {
  return launchTemplate(IMDS, 'BlockDeviceMappings:', ...mappings.map((mapping) => `  - ${mapping}`));
}

function volume(device: string, size: number | string): string {
  return `{ DeviceName: ${device}, Ebs: { VolumeSize: ${size}, VolumeType: gp3 } }`;
}

/** Condition `IsBottlerocket` decides on the system, and two more on what doesn't matter. */
const MANY = [
  'Parameters: { System: { Type: String }, A: { Type: String }, B: { Type: String } }',
  'Conditions:',
  '  IsBottlerocket: !Equals [!Ref System, bottlerocket]',
  '  IsA: !Equals [!Ref A, a]',
  '  IsB: !Equals [!Ref B, b]',
].join('\n');
const TOML =
  "\"[settings.kubernetes]\\napi-server = 'https://a'\\ncluster-name = 'main'\\ncluster-certificate = 'LS0tLS1CRUdJTg=='\"";
const JOIN = '"#!/bin/bash\\n/etc/eks/bootstrap.sh main"';

function manyOf(device: string, isLast = false): string {
  const text = isLast
    ? `!If [IsA, !If [IsBottlerocket, ${TOML}, ${JOIN}], !If [IsBottlerocket, !Join ["\\n", [${TOML}, '# b']], ${JOIN}]]`
    : `!If [IsBottlerocket, !Join ["\\n", [${TOML}, !If [IsA, '# a', '# b'], !If [IsB, '# c', '# d']]], ${JOIN}]`;
  return launchTemplate(
    IMDS,
    'ImageId: ami-0123456789abcdef0',
    'UserData:',
    `  Fn::Base64: ${text}`,
    'BlockDeviceMappings:',
    `  - ${volume(device, 100)}`,
  );
}

testRule(bottlerocketDataVolume, {
  valid: [
    {
      name: 'a large data volume',
      template: resources(CLUSTER, nodeGroup(BOTTLEROCKET, USES_NODES), volumes(volume('/dev/xvdb', 100))),
    },
    {
      name: 'a small system volume beside a large data volume',
      template: resources(
        CLUSTER,
        nodeGroup(BOTTLEROCKET, USES_NODES),
        volumes(volume('/dev/xvda', 4), volume('/dev/xvdb', 100)),
      ),
    },
    {
      name: 'a large system volume beside a data volume',
      template: resources(
        CLUSTER,
        nodeGroup(BOTTLEROCKET, USES_NODES),
        volumes(volume('/dev/xvda', 50), volume('/dev/xvdb', 50)),
      ),
    },
    {
      name: 'a system volume of the size that images and pods have anyway',
      template: resources(CLUSTER, nodeGroup(BOTTLEROCKET, USES_NODES), volumes(volume('/dev/xvda', 20))),
    },
    {
      name: 'a volume of another system, of the size that the root volume has anyway',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), volumes(volume('/dev/sda1', 20))),
    },
    {
      name: 'a small system volume alone',
      template: resources(CLUSTER, nodeGroup(BOTTLEROCKET, USES_NODES), volumes(volume('/dev/xvda', 4))),
    },
    {
      name: 'a system volume whose type alone is set',
      template: resources(
        CLUSTER,
        nodeGroup(BOTTLEROCKET, USES_NODES),
        volumes('{ DeviceName: /dev/xvda, Ebs: { VolumeType: gp3, Encrypted: true } }'),
      ),
    },
    {
      name: 'the root volume of AL2023',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), volumes(volume('/dev/xvda', 100))),
    },
    {
      name: 'an additional volume of AL2023 for data',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), volumes(volume('/dev/sdf', 500))),
    },
    {
      name: 'both names, for a template that several systems share',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        volumes(volume('/dev/sda1', 100), volume('/dev/xvda', 100)),
      ),
    },
    {
      name: 'a volume that is wrong for no system, with an AMI of an unknown one',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          IMDS,
          'ImageId: ami-0123456789abcdef0',
          'BlockDeviceMappings:',
          `  - ${volume('/dev/sdf', 100)}`,
        ),
      ),
    },
    { name: 'no mapping', template: resources(CLUSTER, nodeGroup(BOTTLEROCKET, USES_NODES), launchTemplate(IMDS)) },
    {
      name: 'the right device under each condition',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup('AmiType: !If [IsProduction, BOTTLEROCKET_x86_64, AL2023_x86_64_STANDARD]', USES_NODES),
        volumes(volume('!If [IsProduction, /dev/xvdb, /dev/xvda]', 100)),
      ),
    },
  ],
  invalid: [
    {
      name: 'the system volume of Bottlerocket is enlarged',
      template: resources(CLUSTER, nodeGroup(BOTTLEROCKET, USES_NODES), volumes(volume('/dev/xvda', 100))),
      findings: [
        {
          message: 'systemVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize',
          related: ['LaunchTemplate:'],
          says: ['Launch template "Nodes" of node group "Workers"', '100 GiB', '/dev/xvdb'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(BOTTLEROCKET, USES_NODES), volumes(volume('/dev/xvdb', 100))),
    },
    {
      name: 'a size from a parameter, which the fix leaves to the user',
      template: template(
        'Parameters:\n  NodeVolumeSize: { Type: Number, Default: 21 }',
        CLUSTER,
        nodeGroup(BOTTLEROCKET, USES_NODES),
        volumes(volume('/dev/xvda', '!Ref NodeVolumeSize')),
      ),
      findings: [
        {
          message: 'systemVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize: !Ref',
          says: ['21 GiB'],
          fix: 'instead',
        },
      ],
      fixed: template(
        'Parameters:\n  NodeVolumeSize: { Type: Number, Default: 21 }',
        CLUSTER,
        nodeGroup(BOTTLEROCKET, USES_NODES),
        volumes(volume('/dev/xvdb', '!Ref NodeVolumeSize')),
      ),
    },
    {
      name: 'a name that Bottlerocket has no volume of',
      template: resources(CLUSTER, nodeGroup(BOTTLEROCKET, USES_NODES), volumes(volume('/dev/sda1', 100))),
      findings: [
        {
          message: 'addedVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize',
          related: ['LaunchTemplate:'],
          says: ['`/dev/sda1`', 'Bottlerocket', '`/dev/xvdb`'],
        },
      ],
    },
    {
      name: 'the root device of another system on AL2023',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), volumes(volume('/dev/sda1', 80))),
      findings: [
        {
          message: 'addedVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize',
          says: ['80 GiB', 'AL2023', '`/dev/xvda`'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), volumes(volume('/dev/xvda', 80))),
    },
    {
      name: 'the same with the AMI of EKS that the group names by its parameter',
      template: resources(
        CLUSTER,
        GROUP,
        launchTemplate(
          IMDS,
          `ImageId: '${IMAGES}'`,
          ...NODE_CONFIG,
          'BlockDeviceMappings:',
          `  - ${volume('/dev/sda1', 80)}`,
        ),
      ),
      findings: [
        {
          message: 'addedVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize',
          says: ['node group "Group"'],
        },
      ],
    },
    {
      name: 'a self-managed group whose settings tell that it is Bottlerocket',
      template: resources(
        CLUSTER,
        GROUP,
        launchTemplate(
          IMDS,
          'ImageId: ami-0123456789abcdef0',
          ...SETTINGS,
          'BlockDeviceMappings:',
          `  - ${volume('/dev/xvda', 100)}`,
        ),
      ),
      findings: [{ message: 'systemVolume', severity: 'warning', resource: 'Nodes', at: 'VolumeSize' }],
    },
    {
      name: 'one branch of a condition is named',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup(BOTTLEROCKET, USES_NODES),
        volumes(volume('/dev/xvda', 50), `!If [IsProduction, ${volume('/dev/xvdb', 100)}, !Ref AWS::NoValue]`),
      ),
      findings: [
        {
          message: 'systemVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize',
          says: ['This happens when condition IsProduction is false'],
        },
      ],
    },
    {
      name: 'a system that the user data tells, whose other conditions do not matter',
      template: template(MANY, CLUSTER, nodeGroup(USES_NODES), manyOf('/dev/xvda')),
      findings: [
        {
          message: 'systemVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize',
          says: ['This happens when condition IsBottlerocket is true.'],
        },
      ],
      fixed: template(MANY, CLUSTER, nodeGroup(USES_NODES), manyOf('/dev/xvdb')),
    },
    {
      name: 'the same with the condition that matters behind the others',
      template: template(MANY, CLUSTER, nodeGroup(USES_NODES), manyOf('/dev/xvda', true)),
      findings: [
        {
          message: 'systemVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize',
          says: ['This happens when condition IsBottlerocket is true.'],
        },
      ],
    },
    {
      name: 'a template of both systems is wrong for one of them',
      template: resources(
        CLUSTER,
        nodeGroup(BOTTLEROCKET, USES_NODES),
        block('Others', 'AWS::EKS::Nodegroup', [
          'ClusterName: !Ref Cluster',
          'NodeRole: arn:aws:iam::111122223333:role/nodes',
          AL2023,
          USES_NODES,
        ]),
        volumes(volume('/dev/xvda', 100)),
      ),
      findings: [
        {
          message: 'systemVolume',
          severity: 'warning',
          resource: 'Nodes',
          at: 'VolumeSize',
          says: ['of node group "Workers" '],
          omits: ['Others'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a size from a parameter',
      template: template(SIZE, CLUSTER, nodeGroup(BOTTLEROCKET, USES_NODES), volumes(volume('/dev/xvda', '!Ref Size'))),
      resources: ['Nodes'],
      because: 'Size',
    },
    {
      name: 'a device name from a parameter',
      template: template(
        SIZE,
        CLUSTER,
        nodeGroup(BOTTLEROCKET, USES_NODES),
        volumes(volume('/dev/xvda', 100), volume('!Ref Device', 100)),
      ),
      resources: ['Nodes'],
      because: 'Device',
    },
    {
      name: 'an AMI of an unknown system',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          IMDS,
          'ImageId: ami-0123456789abcdef0',
          'BlockDeviceMappings:',
          `  - ${volume('/dev/xvda', 100)}`,
        ),
      ),
      resources: ['Nodes'],
      because: 'ami-0123456789abcdef0',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup(BOTTLEROCKET, 'LaunchTemplate: { Id: lt-0abc }')),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a group without launch template', template: resources(CLUSTER, nodeGroup(BOTTLEROCKET)) },
    {
      name: 'Windows',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', USES_NODES),
        volumes(volume('/dev/sda1', 100)),
      ),
    },
    {
      name: 'an AMI of its own with the script of Amazon Linux, which may be Ubuntu',
      template: resources(
        CLUSTER,
        GROUP,
        launchTemplate(
          IMDS,
          'ImageId: ami-0123456789abcdef0',
          'UserData: { "Fn::Base64": "#!/bin/bash\\n/etc/eks/bootstrap.sh main\\n" }',
          'BlockDeviceMappings:',
          `  - ${volume('/dev/sda1', 100)}`,
        ),
      ),
    },
    { name: 'a template that no node group uses', template: resources(CLUSTER, volumes(volume('/dev/xvda', 100))) },
  ],
});
