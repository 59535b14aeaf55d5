import { amiTypeKubernetesVersion } from '../../../lib/rules/node-group/ami-type-kubernetes-version';
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

const ON_131 = cluster("Version: '1.31'");
const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

const OLD_AND_NEW =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  New: !Equals [!Ref Stage, production]\n  Old: !Not [!Condition New]';
const NAMED_BY_PARAMETER = 'Parameters:\n  Name: { Type: String }\n  Other: { Type: String }';

/** An Amazon Linux 2 group that calls its cluster by an expression, which must lead to a cluster of 1.33 for an error. */
function al2GroupOf(clusterName: string): string {
  return block('Workers', 'AWS::EKS::Nodegroup', [`ClusterName: ${clusterName}`, 'AmiType: AL2_x86_64']);
}

function clusterCalled(name: string, id = 'Cluster'): string {
  return block(id, 'AWS::EKS::Cluster', [`Name: ${name}`, "Version: '1.33'"]);
}

const EKS = '/aws/service/eks/optimized-ami';
const AL2_PARAMETER = `Parameters:\n  Image:\n    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>\n    Default: ${EKS}/1.33/amazon-linux-2/recommended/image_id`;

/** A cluster with groups of Amazon Linux 2 by AMI type, by default (before 1.30) and by an AMI that is looked up. */
const al2On = (version: string) =>
  resources(
    cluster(`Version: '${version}'`),
    nodeGroup('AmiType: AL2_x86_64'),
    block('Others', 'AWS::EKS::Nodegroup', ['ClusterName: !Ref Cluster']),
    block('Third', 'AWS::EKS::Nodegroup', ['ClusterName: !Ref Cluster', USES_NODES]),
    lookedUpImage(`${EKS}/${version}/amazon-linux-2/recommended/image_id`),
  );

const BOOTSTRAP = 'UserData:\n  Fn::Base64: !Sub |\n    #!/bin/bash\n    /etc/eks/bootstrap.sh ${Cluster}';

testRule(amiTypeKubernetesVersion, {
  valid: [
    {
      name: 'bootstrap.sh of an AMI on a cluster of 1.32 passes',
      template: resources(
        cluster('Name: main', "Version: '1.32'"),
        nodeGroup('AmiType: AL2023_x86_64_STANDARD'),
        SELF_MANAGED,
        launchTemplate('ImageId: ami-0123456789abcdef0', BOOTSTRAP),
      ),
    },
    {
      name: 'bootstrap.sh of an AMI that is Ubuntu by its name passes on 1.33',
      template: resources(
        cluster('Name: main', "Version: '1.33'"),
        nodeGroup('AmiType: AL2023_x86_64_STANDARD'),
        SELF_MANAGED,
        launchTemplate(
          "ImageId: '{{resolve:ssm:/aws/service/canonical/ubuntu/eks/24.04/1.33/stable/current/amd64/hvm/ebs-gp3/ami-id}}'",
          BOOTSTRAP,
        ),
      ),
    },
    {
      name: 'a group with an AL2023 AMI of its own passes beside one with an AMI type',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        lookedUpImage(`${EKS}/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id`),
        block('Others', 'AWS::EKS::Nodegroup', ['ClusterName: !Ref Cluster', 'AmiType: BOTTLEROCKET_x86_64']),
      ),
    },
    {
      name: 'an AMI type that the cluster version refuses only where the group is not created passes',
      template: template(
        OLD_AND_NEW,
        cluster("Version: !If [New, '1.35', '1.34']"),
        onCondition('New', nodeGroup('AmiType: WINDOWS_CORE_2025_x86_64')),
      ),
    },
    { name: 'no AMI type on 1.33 passes: EKS takes AL2023', template: resources(CLUSTER, nodeGroup()) },
    {
      name: 'no AMI type on an imported cluster passes: every supported version takes AL2023',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere'])),
    },
    {
      name: 'no AMI type with a launch template outside the input passes on 1.33',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
    },
    { name: 'AL2023 on 1.33 passes', template: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')) },
    {
      name: 'AL2023 on an imported cluster passes: its first version is older than any supported one',
      template: resources(
        block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', 'AmiType: AL2023_ARM_64_NVIDIA']),
      ),
    },
    {
      name: 'Bottlerocket passes on a cluster without version',
      template: resources(cluster(), nodeGroup('AmiType: BOTTLEROCKET_x86_64')),
    },
    {
      name: 'Windows 2022 on 1.33 passes',
      template: resources(CLUSTER, nodeGroup('AmiType: WINDOWS_FULL_2022_x86_64')),
    },
    {
      name: 'Windows 2025 on 1.35 passes',
      template: resources(cluster("Version: '1.35'"), nodeGroup('AmiType: WINDOWS_CORE_2025_x86_64')),
    },
  ],
  invalid: [
    {
      name: 'a release of Amazon Linux 2 has to change with the AMI type',
      template: resources(
        CLUSTER,
        nodeGroup(
          'AmiType: AL2_ARM_64',
          `ReleaseVersion: '{{resolve:ssm:${EKS}/1.33/amazon-linux-2-arm64/recommended/release_version}}'`,
        ),
      ),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          advises: `${EKS}/1.33/amazon-linux-2023/arm64/standard/recommended/release_version`,
        },
      ],
    },
    {
      name: 'the AMI of AL2 for 1.33 fails, because there is none',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        lookedUpImage(`${EKS}/1.33/amazon-linux-2-arm64/recommended/image_id`),
      ),
      findings: [
        {
          message: 'imageMissing',
          severity: 'error',
          resource: 'Nodes',
          at: 'ImageId',
          related: ['LaunchTemplate:'],
          says: ['"Workers"', 'for Kubernetes 1.33', 'amazon-linux-2-arm64'],
        },
      ],
      fixed: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        lookedUpImage(`${EKS}/1.33/amazon-linux-2023/arm64/standard/recommended/image_id`),
      ),
    },
    {
      name: 'the AMI of AL2 for 1.33 as the default of a parameter fails',
      template: template(AL2_PARAMETER, CLUSTER, nodeGroup(USES_NODES), launchTemplate('ImageId: !Ref Image')),
      findings: [{ message: 'imageMissing', severity: 'error', resource: 'Nodes', at: 'ImageId' }],
    },
    {
      name: 'the AMI of AL2 for 1.33 fails for self-managed nodes',
      template: resources(CLUSTER, SELF_MANAGED, lookedUpImage(`${EKS}/1.33/amazon-linux-2/recommended/image_id`)),
      findings: [{ message: 'imageMissing', severity: 'error', resource: 'Nodes', at: 'ImageId', says: ['"Group"'] }],
    },
    {
      name: 'the AMI of AL2 for 1.32 is a warning',
      template: resources(
        cluster("Version: '1.32'"),
        nodeGroup(USES_NODES),
        lookedUpImage(`${EKS}/1.32/amazon-linux-2-gpu/recommended/image_id`),
      ),
      findings: [
        {
          message: 'imageUnpatched',
          severity: 'warning',
          resource: 'Nodes',
          at: 'ImageId',
          related: ['LaunchTemplate:'],
          says: ['December 2025'],
        },
      ],
      fixed: resources(
        cluster("Version: '1.32'"),
        nodeGroup(USES_NODES),
        lookedUpImage(`${EKS}/1.32/amazon-linux-2023/x86_64/nvidia/recommended/image_id`),
      ),
    },
    {
      name: 'the AMI of AL2 with drivers becomes the one for Neuron where instances have that',
      template: resources(
        cluster("Version: '1.32'"),
        nodeGroup('InstanceTypes: [inf2.xlarge]', USES_NODES),
        lookedUpImage(`${EKS}/1.32/amazon-linux-2-gpu/recommended/image_id`),
      ),
      findings: [
        {
          message: 'imageUnpatched',
          severity: 'warning',
          resource: 'Nodes',
          at: 'ImageId',
          advises: '1.32/amazon-linux-2023/x86_64/neuron/recommended/image_id',
        },
      ],
      fixed: resources(
        cluster("Version: '1.32'"),
        nodeGroup('InstanceTypes: [inf2.xlarge]', USES_NODES),
        lookedUpImage(`${EKS}/1.32/amazon-linux-2023/x86_64/neuron/recommended/image_id`),
      ),
    },
    {
      name: 'the AMI of AL2 for a version that is not known is a warning',
      template: template(
        'Parameters:\n  V: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        lookedUpImage(`${EKS}/\${V}/amazon-linux-2/recommended/image_id`).replace("ImageId: '", "ImageId: !Sub '"),
      ),
      findings: [{ message: 'imageUnpatched', severity: 'warning', resource: 'Nodes', at: 'ImageId' }],
    },
    {
      name: 'AL2 in a group that exists only beside a cluster of 1.32 is a warning, without its condition as a reason',
      template: template(
        OLD_AND_NEW,
        cluster("Version: !If [New, '1.33', '1.32']"),
        onCondition('Old', nodeGroup('AmiType: AL2_x86_64')),
      ),
      findings: [
        {
          message: 'unpatched',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          related: ['Version:'],
          says: ['Kubernetes 1.32'],
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'AL2 on 1.33 fails where the cluster is called by the same parameter without default',
      template: template(NAMED_BY_PARAMETER, clusterCalled('!Ref Name'), al2GroupOf('!Ref Name')),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType', related: ['Version:'] }],
      fixed: template(
        NAMED_BY_PARAMETER,
        clusterCalled('!Ref Name'),
        al2GroupOf('!Ref Name').replace('AL2_x86_64', 'AL2023_x86_64_STANDARD'),
      ),
    },
    {
      name: 'AL2 on 1.33 fails where the cluster is called by the same text with a pseudo parameter',
      template: resources(clusterCalled('!Sub "${AWS::StackName}-c"'), al2GroupOf('!Sub "${AWS::StackName}-c"')),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'AL2 on 1.33 fails where the same name is composed in another way',
      template: template(
        NAMED_BY_PARAMETER,
        clusterCalled('!Join ["-", [!Ref Name, eks]]'),
        al2GroupOf('!Sub "${Name}-eks"'),
      ),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'AL2 on 1.33 fails where all names that the group may use are names of one cluster',
      template: template(
        `${NAMED_BY_PARAMETER}\n${CONDITION.replace('Parameters:\n', '')}`,
        clusterCalled('!If [IsProduction, !Sub "${Name}-prod", !Sub "${Name}-test"]'),
        al2GroupOf('!If [IsProduction, !Sub "${Name}-prod", !Sub "${Name}-test"]'),
      ),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'AL2 on 1.33 fails where the group may also be told another cluster by a parameter',
      template: template(
        `${NAMED_BY_PARAMETER.replace('Other: { Type: String }', "Other: { Type: String, Default: '' }")}\nConditions:\n  Create: !Equals [!Ref Other, '']`,
        clusterCalled('!Ref Name'),
        al2GroupOf('!If [Create, !Ref Cluster, !Ref Other]'),
      ),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'AL2 is a warning where two clusters have the name that the group uses',
      template: template(
        NAMED_BY_PARAMETER,
        clusterCalled('!Ref Name'),
        clusterCalled('!Ref Name', 'Second'),
        al2GroupOf('!Ref Name'),
      ),
      findings: [
        {
          message: 'unpatched',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          related: [],
          says: ["isn't known here"],
        },
      ],
    },
    {
      name: 'AL2 is a warning where cluster and group have names from different parameters',
      template: template(NAMED_BY_PARAMETER, clusterCalled('!Ref Name'), al2GroupOf('!Ref Other')),
      findings: [
        { message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ["isn't known here"] },
      ],
    },
    {
      name: 'AL2 is a warning where both names come from exports that are looked up by names that are not known',
      template: template(
        NAMED_BY_PARAMETER,
        clusterCalled('!ImportValue { "Fn::Sub": "${Name}" }'),
        al2GroupOf('!ImportValue { "Fn::Sub": "${Other}" }'),
      ),
      findings: [
        { message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ["isn't known here"] },
      ],
    },
    {
      name: 'AL2 is a warning where the group may belong to one of two clusters',
      template: template(
        CONDITION,
        CLUSTER,
        clusterCalled('second', 'Second'),
        al2GroupOf('!If [IsProduction, !Ref Cluster, !Ref Second]'),
      ),
      findings: [
        { message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ["isn't known here"] },
      ],
    },
    {
      name: 'an AMI type in lower case fails, and the fix spells it',
      template: resources(CLUSTER, nodeGroup('AmiType: al2023_x86_64_standard')),
      findings: [
        {
          message: 'misspelled',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          says: ['al2023_x86_64_standard', 'refuses'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')),
    },
    {
      name: "the name of CDK's enum for an AMI type fails",
      template: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_X86_64')),
      findings: [
        { message: 'misspelled', severity: 'error', resource: 'Workers', at: 'AmiType', says: ['BOTTLEROCKET_X86_64'] },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64')),
    },
    {
      name: 'a path as AMI type fails, because no type is called like that',
      template: resources(
        CLUSTER,
        nodeGroup(
          'AmiType: /aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id',
        ),
      ),
      findings: [
        {
          message: 'noType',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          says: ['/aws/service/eks', 'no AMI type'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')),
    },
    {
      name: 'an AMI type with a wrong letter fails, and the right one is named',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDART')),
      findings: [
        {
          message: 'misspelled',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          says: ['AL2023_x86_64_STANDART', '`AL2023_x86_64_STANDARD` is one'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')),
    },
    {
      name: 'an AMI type with hyphens fails',
      template: resources(CLUSTER, nodeGroup('AmiType: BOTLEROCKET-x86-64')),
      findings: [
        {
          message: 'misspelled',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          says: ['`BOTTLEROCKET_x86_64` is one'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64')),
    },
    {
      name: 'an AMI id as AMI type fails, and the fix puts it into the launch template',
      template: resources(CLUSTER, nodeGroup('AmiType: ami-0123456789abcdef0')),
      findings: [
        {
          message: 'image',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          says: ['ami-0123456789abcdef0', 'refuses'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate('ImageId: ami-0123456789abcdef0')),
    },
    {
      name: 'AL2 with a disk and SSH of the group: both move into the new launch template, and the disk is large enough for AL2023',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', 'DiskSize: 10', 'RemoteAccess: { Ec2SshKey: ops }'),
      ),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          advises: 'raised to the 20 GiB that AL2023 needs',
        },
      ],
      fixed: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        launchTemplate(
          'KeyName: ops',
          'BlockDeviceMappings: [{ DeviceName: /dev/xvda, Ebs: { VolumeSize: 20, VolumeType: gp3 } }]',
        ),
      ),
    },
    {
      name: 'AL2 with a launch template whose volume is too small for AL2023: the advice is to raise it',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        launchTemplate('BlockDeviceMappings: [{ DeviceName: /dev/xvda, Ebs: { VolumeSize: 8 } }]'),
      ),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          advises: 'from 8 to at least 20 GiB',
          fixOmits: 'AWS::EC2::LaunchTemplate',
        },
      ],
      fixed: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        launchTemplate('BlockDeviceMappings: [{ DeviceName: /dev/xvda, Ebs: { VolumeSize: 20 } }]'),
      ),
    },
    {
      name: 'self-managed nodes that call bootstrap.sh beside a cluster of 1.33 are told, because their AMI may be any',
      template: resources(
        cluster('Name: main', "Version: '1.33'"),
        SELF_MANAGED,
        launchTemplate(
          'ImageId: ami-0123456789abcdef0',
          'BlockDeviceMappings: [{ DeviceName: /dev/xvda, Ebs: { VolumeSize: 8 } }]',
          'InstanceType: m7g.large',
          BOOTSTRAP,
        ),
      ),
      findings: [
        {
          message: 'bootstrapMissing',
          severity: 'info',
          resource: 'Nodes',
          at: 'ImageId',
          says: ['"Group"', 'Kubernetes 1.33'],
          advises:
            '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/arm64/standard/recommended/image_id`, with a NodeConfig',
        },
      ],
    },
    {
      name: 'AL2 on 1.33 fails with the API text',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2_ARM_64')),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          says: ['"Workers"', '1.33', 'AMI Type AL2_ARM_64 is only supported for kubernetes versions 1.32 or earlier'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_ARM_64_STANDARD')),
    },
    ...(
      [
        ['AL2_x86_64_GPU', 'g6.xlarge', 'AL2023_x86_64_NVIDIA'],
        ['AL2_x86_64_GPU', 'inf2.xlarge', 'AL2023_x86_64_NEURON'],
        ['AL2_x86_64', 'trn1.2xlarge', 'AL2023_x86_64_NEURON'],
        ['AL2_ARM_64', 'g5g.xlarge', 'AL2023_ARM_64_NVIDIA'],
        ['AL2_x86_64', '!Ref AWS::NoValue', 'AL2023_x86_64_STANDARD'],
      ] as const
    ).map(([amiType, instance, suggested]) => ({
      name: `${amiType} with ${instance} on 1.33 fails, and the fix fits the instances`,
      template: resources(CLUSTER, nodeGroup(`AmiType: ${amiType}`, `InstanceTypes: [${instance}]`)),
      findings: [
        { message: 'refused', severity: 'error' as const, resource: 'Workers', at: 'AmiType', fix: suggested },
      ],
      fixed: resources(CLUSTER, nodeGroup(`AmiType: ${suggested}`, `InstanceTypes: [${instance}]`)),
    })),
    {
      name: 'what CDK writes for m5 without amiType fails on 1.33',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', 'InstanceTypes: [m5.large]', 'ForceUpdateEnabled: true'),
      ),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType' }],
      fixed: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', 'InstanceTypes: [m5.large]', 'ForceUpdateEnabled: true'),
      ),
    },
    {
      name: 'AL2 on 1.32 is a warning',
      template: resources(cluster("Version: '1.32'"), nodeGroup('AmiType: AL2_x86_64_GPU')),
      findings: [
        {
          message: 'unpatched',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          says: ['Kubernetes 1.32', 'no security patches'],
        },
      ],
      fixed: resources(cluster("Version: '1.32'"), nodeGroup('AmiType: AL2023_x86_64_NVIDIA')),
    },
    {
      name: "the group's own version counts before the cluster's: AL2 on 1.32 in a cluster of 1.33 is a warning",
      template: resources(CLUSTER, nodeGroup("Version: '1.32'", 'AmiType: AL2_x86_64')),
      findings: [{ message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: "the group's own version counts before the cluster's: AL2 on 1.33 in a cluster of 1.32 fails",
      also: ['node-group-kubernetes-version'],
      template: resources(cluster("Version: '1.32'"), nodeGroup("Version: '1.33'", 'AmiType: AL2_x86_64')),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'AL2 on an imported cluster is a warning',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', 'AmiType: AL2_x86_64'])),
      findings: [
        { message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ["isn't known here"] },
      ],
    },
    {
      name: 'AL2 on a version from a parameter without default is a warning',
      template: template(
        'Parameters:\n  V: { Type: String }',
        cluster('Version: !Ref V'),
        nodeGroup('AmiType: AL2_x86_64'),
      ),
      findings: [{ message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'no AMI type on 1.29 is a warning while EKS supports it: EKS takes AL2',
      today: '2026-03-22',
      template: resources(cluster("Version: '1.29'"), nodeGroup(USES_NODES), launchTemplate('EbsOptimized: true')),
      findings: [
        {
          message: 'unpatchedDefault',
          severity: 'warning',
          resource: 'Workers',
          at: 'Properties: # workers',
          related: ['Version:'],
          says: ['1.29', 'Amazon Linux 2'],
        },
      ],
    },
    ...['1.12', '1.22', '1.27'].map((version) => ({
      name: `AL2 on a cluster of ${version} is a consequence: that EKS no longer supports it is told of the cluster`,
      also: ['cluster-version-support'],
      template: al2On(version),
      findings: [
        ...[
          { resource: 'Workers', at: 'AmiType' },
          { resource: 'Others', at: 'Properties: # others' },
        ].map((where) => ({
          ...where,
          message: 'ended' as const,
          severity: 'info' as const,
          says: [`Kubernetes ${version}, which EKS no longer supports`],
          omits: ['refuses', 'December 2025'],
        })),
        { message: 'imageEnded' as const, severity: 'info' as const, resource: 'Nodes', at: 'ImageId' },
      ],
    })),
    {
      name: 'AL2 by the version of the group itself, which EKS no longer supports, is told beside a newer cluster',
      template: resources(cluster("Version: '1.32'"), nodeGroup('AmiType: AL2_x86_64', "Version: '1.30'")),
      findings: [
        {
          message: 'ended',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          says: ['Kubernetes 1.30, which EKS no longer supports'],
          omits: ['refuses'],
        },
      ],
    },
    {
      name: 'no AMI type on 1.29 by the version of the group itself, of a cluster elsewhere',
      template: resources(
        block('Workers', 'AWS::EKS::Nodegroup', ['# workers', 'ClusterName: elsewhere', "Version: '1.29'"]),
      ),
      findings: [
        {
          message: 'ended',
          severity: 'warning',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ['1.29, which EKS no longer supports', 'Amazon Linux 2'],
          omits: ['December 2025'],
        },
      ],
    },
    {
      name: 'an AL2 AMI of a version whose support ended before the last AL2 AMIs, on a newer cluster',
      template: resources(
        cluster("Version: '1.31'"),
        nodeGroup(USES_NODES),
        launchTemplate(
          "ImageId: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.22/amazon-linux-2/recommended/image_id}}'",
        ),
      ),
      findings: [
        {
          message: 'imageEnded',
          severity: 'warning',
          resource: 'Nodes',
          at: 'ImageId',
          related: ['LaunchTemplate:'],
          says: ['Kubernetes 1.22'],
          omits: ['December 2025'],
        },
      ],
    },
    {
      name: 'an AMI type before its first version fails',
      also: ['cluster-version-support'],
      template: resources(cluster("Version: '1.24'"), nodeGroup('AmiType: AL2023_ARM_64_NVIDIA')),
      findings: [
        {
          message: 'tooEarly',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          related: ['Version:'],
          says: ['1.24', 'from 1.25 on'],
        },
      ],
    },
    {
      name: 'Windows 2025 before 1.35 is a warning only, as its bound rests on one source',
      template: resources(cluster("Version: '1.34'"), nodeGroup('AmiType: WINDOWS_CORE_2025_x86_64')),
      findings: [
        { message: 'tooEarly', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ['from 1.35 on'] },
      ],
    },
    {
      name: 'one bad branch of the AMI type fails and is named',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup('AmiType: !If [IsProduction, AL2_x86_64, AL2023_x86_64_STANDARD]'),
      ),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          says: ['This happens when', 'IsProduction'],
        },
      ],
    },
    {
      name: 'one bad branch of the cluster version fails and is named, the other warns',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.32', '1.33']"),
        nodeGroup('AmiType: AL2_x86_64'),
      ),
      findings: [
        {
          message: 'unpatched',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          says: ['1.32', 'This happens when condition IsProduction is true'],
        },
        {
          message: 'refused',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          says: ['1.33', 'This happens when'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a new year of a known system',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2026_x86_64_STANDARD')),
      resources: ['Workers'],
      because: 'table',
    },
    {
      name: 'a new kind of a known system',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2023_ARM_64_FIPS')),
      resources: ['Workers'],
      because: 'table',
    },
    {
      name: 'the default of the AMI type where another parameter asks for a version that has none',
      template: template(
        "Parameters:\n  Ami: { Type: String, Default: WINDOWS_CORE_2025_x86_64 }\n  V: { Type: String, Default: '1.35' }\nConditions:\n  Old: !Equals [!Ref V, '1.34']",
        cluster("Version: !If [Old, '1.34', '1.35']"),
        nodeGroup('AmiType: !Ref Ami'),
      ),
      resources: ['Workers'],
      because: 'condition Old is true',
    },
    {
      name: 'an AMI type from a parameter without default',
      template: template('Parameters:\n  Ami: { Type: String }', CLUSTER, nodeGroup('AmiType: !Ref Ami')),
      resources: ['Workers'],
      because: 'Ami',
    },
    {
      name: 'an AMI type that the table does not have',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2030_x86_64_STANDARD')),
      resources: ['Workers'],
      because: 'AL2030_x86_64_STANDARD',
    },
    {
      name: 'Windows 2025 on an imported cluster',
      template: resources(
        block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', 'AmiType: WINDOWS_CORE_2025_x86_64']),
      ),
      resources: ['Workers'],
      because: '1.35',
    },
    {
      name: 'no AMI type on 1.29 with a launch template outside the input, which may bring an AMI',
      template: resources(cluster("Version: '1.29'"), nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'an own AMI of AL2023',
      template: resources(
        SELF_MANAGED,
        lookedUpImage(`${EKS}/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id`),
      ),
    },
    {
      name: 'an own AMI of which nothing but the version is known',
      template: template(
        'Parameters:\n  Ami: { Type: String }',
        SELF_MANAGED,
        lookedUpImage(`${EKS}/1.33/\${Ami}/recommended/image_id`).replace("ImageId: '", "ImageId: !Sub '"),
      ),
    },
    {
      name: 'an own AMI',
      template: resources(
        cluster("Version: '1.29'"),
        nodeGroup(USES_NODES),
        launchTemplate('ImageId: ami-0123456789abcdef0'),
      ),
    },
    {
      name: 'AMI type CUSTOM',
      template: resources(
        ON_131,
        nodeGroup('AmiType: CUSTOM', USES_NODES),
        launchTemplate('ImageId: ami-0123456789abcdef0'),
      ),
    },
    {
      name: 'an Auto Mode cluster without node groups',
      template: resources(cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true }')),
    },
    {
      name: 'a cluster with Fargate only',
      template: resources(CLUSTER, block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster'])),
    },
  ],
});
