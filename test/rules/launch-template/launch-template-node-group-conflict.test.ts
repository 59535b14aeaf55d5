import { launchTemplateNodeGroupConflict } from '../../../lib/rules/launch-template/launch-template-node-group-conflict';
import { plan } from '../plan-templates';
import { CLUSTER, launchTemplate, namedNodeGroup, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';

const IMDS = 'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }';
const PRODUCTION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const ELSEWHERE = "LaunchTemplate: { Id: lt-0abc, Version: '3' }";
const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const IMAGE = [
  'ImageId: ami-0123456789abcdef0',
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
const PLAIN = launchTemplate(IMDS);
const WITH_IMAGE = launchTemplate(IMDS, ...IMAGE);
const WITH_TYPE = launchTemplate(IMDS, 'InstanceType: m7i.large');

/** A plan of a node group that exists and uses a launch template that exists. */
function existing(group: string, template: string, ...more: readonly string[]): string {
  return plan(
    `aws_eks_node_group.workers: { before: { node_group_name: workers, ${group}, launch_template: [{ id: lt-0abc, version: '1' }] }, ${more.join(', ')} }`,
    `aws_launch_template.nodes: { before: { id: lt-0abc, name: nodes, ${template}, metadata_options: [{ http_tokens: required, http_put_response_hop_limit: 2 }] } }`,
  );
}

/** What EKS answers for a group with an AMI of its own. */
const OWN =
  "ami_type: CUSTOM, version: '1.34', release_version: ami-0123456789abcdef0, instance_types: [], disk_size: 0";
/** What it answers for any other. */
const EKS =
  "ami_type: AL2023_x86_64_STANDARD, version: '1.34', release_version: 1.34.0-20251112, instance_types: [t3.medium], disk_size: 20";
const ANSWERED = 'answered: [ami_type, version, release_version, instance_types, disk_size]';

testRule(launchTemplateNodeGroupConflict, {
  valid: [
    {
      name: 'what EKS answers for a group with an AMI passes',
      template: existing(OWN, 'image_id: ami-0123456789abcdef0', ANSWERED),
    },
    {
      name: 'what EKS answers beside expressions that give nothing passes',
      template: existing(
        OWN,
        'image_id: ami-0123456789abcdef0',
        'answered: [ami_type, instance_types, disk_size]',
        'given: { version: [var.image, var.version], release_version: [var.image, var.release] }',
      ),
    },
    {
      name: 'what EKS answers for a group without AMI passes beside an instance type',
      template: existing(EKS, 'instance_type: m7i.large', ANSWERED),
    },
    {
      name: 'what EKS answers for a group that gets an AMI now passes',
      template: existing(EKS, 'image_id: ami-0123456789abcdef0', ANSWERED),
    },
    {
      name: 'an AMI type beside a template without AMI passes',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, "Version: '1.33'", 'ReleaseVersion: 1.33.0-20250601', USES_NODES),
        PLAIN,
      ),
    },
    {
      name: 'CUSTOM beside an AMI is tolerated',
      template: resources(CLUSTER, nodeGroup('AmiType: CUSTOM', USES_NODES), WITH_IMAGE),
    },
    {
      name: 'CUSTOM beside an AMI from a parameter',
      template: template(
        'Parameters:\n  Ami: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: CUSTOM', USES_NODES),
        launchTemplate(IMDS, 'ImageId: !Ref Ami', ...IMAGE.slice(1)),
      ),
    },
    {
      name: 'an AMI type from a parameter, which is hardly ever CUSTOM',
      template: template(
        'Parameters:\n  Type: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: !Ref Type', USES_NODES),
        PLAIN,
      ),
    },
    {
      name: 'an empty list of instance types beside the type of the template passes',
      template: resources(CLUSTER, nodeGroup('InstanceTypes: []', USES_NODES), WITH_TYPE),
    },
    {
      name: 'a list whose only item is nothing passes',
      template: resources(CLUSTER, nodeGroup('InstanceTypes: [!Ref AWS::NoValue]', USES_NODES), WITH_TYPE),
    },
    {
      name: 'instance types in the group alone pass',
      template: resources(CLUSTER, nodeGroup('InstanceTypes: [m7i.large, m6i.large]', USES_NODES), PLAIN),
    },
    {
      name: 'settings of nothing pass',
      template: resources(
        CLUSTER,
        nodeGroup('DiskSize: !Ref AWS::NoValue', 'RemoteAccess: !Ref AWS::NoValue', USES_NODES),
        PLAIN,
      ),
    },
    {
      name: 'a group that sets nothing passes with a template that can not be seen',
      template: resources(CLUSTER, nodeGroup(ELSEWHERE)),
    },
    {
      name: 'a disk size where there is no template under the same condition passes',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup(
          'DiskSize: !If [IsProduction, !Ref AWS::NoValue, 50]',
          'LaunchTemplate: !If [IsProduction, { Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }, !Ref AWS::NoValue]',
          AL2023,
        ),
        PLAIN,
      ),
    },
    {
      name: 'instance types of the group where the template has none under the same condition pass',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup('InstanceTypes: [!If [IsProduction, m7i.large, !Ref AWS::NoValue]]', USES_NODES),
        launchTemplate(IMDS, 'InstanceType: !If [IsProduction, !Ref AWS::NoValue, t3.large]'),
      ),
    },
    {
      name: 'a template by name alone passes',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Name: shared, Version: '2' }")),
    },
  ],
  invalid: [
    {
      name: 'a disk size beside a template that maps its volume already is left over',
      template: resources(
        CLUSTER,
        nodeGroup('DiskSize: 50', USES_NODES, AL2023),
        launchTemplate(
          'BlockDeviceMappings: [{ DeviceName: /dev/xvda, Ebs: { VolumeSize: 80 } }]',
          'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
        ),
      ),
      findings: [
        {
          message: 'diskSizeMapped',
          severity: 'error',
          resource: 'Workers',
          at: 'DiskSize',
          related: ['LaunchTemplate:'],
          says: ['50', 'maps volumes already'],
        },
      ],
    },
    {
      name: 'a disk size beside a template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('DiskSize: 50', ELSEWHERE)),
      findings: [
        {
          message: 'diskSize',
          severity: 'error',
          resource: 'Workers',
          at: 'DiskSize',
          related: ['LaunchTemplate:'],
          says: ['"Workers"', '50', '"lt-0abc"', 'Disk size must be specified within the launch template'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(ELSEWHERE)),
    },
    {
      name: 'a disk size from a parameter beside a template',
      template: template(
        'Parameters:\n  Size: { Type: Number }',
        CLUSTER,
        nodeGroup('DiskSize: !Ref Size', USES_NODES),
        PLAIN,
      ),
      findings: [{ message: 'diskSize', severity: 'error', resource: 'Workers', at: 'DiskSize' }],
    },
    {
      name: 'remote access beside a template',
      template: resources(
        CLUSTER,
        nodeGroup('RemoteAccess: { Ec2SshKey: admin, SourceSecurityGroups: [sg-0abc] }', USES_NODES),
        PLAIN,
      ),
      findings: [
        {
          message: 'remoteAccess',
          severity: 'error',
          resource: 'Workers',
          at: 'RemoteAccess',
          related: ['LaunchTemplate:'],
          says: ['"Nodes"', 'Remote access configuration cannot be specified'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMDS, 'KeyName: admin')),
    },
    {
      name: 'instance types in both',
      template: resources(CLUSTER, nodeGroup('InstanceTypes: [m7i.xlarge]', USES_NODES), WITH_TYPE),
      findings: [
        {
          message: 'instanceTypes',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceType: m7i.large',
          related: ['LaunchTemplate:', 'InstanceTypes: [m7i.xlarge]'],
          says: ['Launch template "Nodes" of node group "Workers"', '`m7i.large`'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('InstanceTypes: [m7i.xlarge]', USES_NODES), PLAIN),
    },
    {
      name: 'of two groups of one template the one that lists instance types is named',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', 'InstanceTypes: [m7i.xlarge]', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        WITH_TYPE,
      ),
      findings: [
        {
          message: 'instanceTypes',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceType: m7i.large',
          says: ['node group "Blue"'],
          omits: ['Green'],
        },
      ],
    },
    {
      name: 'an AMI type beside an AMI',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), WITH_IMAGE),
      findings: [
        {
          message: 'amiType',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          related: ['ImageId: ami-0123456789abcdef0'],
          says: ['`AL2023_x86_64_STANDARD`', '`ami-0123456789abcdef0`', 'other than CUSTOM'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), WITH_IMAGE),
    },
    {
      name: 'a Kubernetes version beside an AMI',
      template: resources(CLUSTER, nodeGroup("Version: '1.33'", USES_NODES), WITH_IMAGE),
      findings: [
        {
          message: 'version',
          severity: 'error',
          resource: 'Workers',
          at: "Version: '1.33'\n      LaunchTemplate",
          related: ['ImageId: ami-0123456789abcdef0'],
          says: ['`1.33`'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), WITH_IMAGE),
    },
    {
      name: 'a Kubernetes version beside an AMI that CloudFormation looks up',
      template: resources(
        CLUSTER,
        nodeGroup("Version: '1.33'", USES_NODES),
        launchTemplate(IMDS, "ImageId: '{{resolve:ssm:/golden/ami}}'", ...IMAGE.slice(1)),
      ),
      findings: [
        {
          message: 'version',
          severity: 'error',
          resource: 'Workers',
          at: "Version: '1.33'\n      LaunchTemplate",
          says: ['/golden/ami'],
        },
      ],
    },
    {
      name: 'a release version beside an AMI',
      template: resources(CLUSTER, nodeGroup('ReleaseVersion: 1.33.0-20250601', USES_NODES), WITH_IMAGE),
      findings: [
        {
          message: 'releaseVersion',
          severity: 'error',
          resource: 'Workers',
          at: 'ReleaseVersion',
          related: ['ImageId: ami-0123456789abcdef0'],
          says: ['`1.33.0-20250601`'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), WITH_IMAGE),
    },
    {
      name: 'a version that is written for a group that exists beside an AMI',
      template: existing(
        EKS,
        'image_id: ami-0123456789abcdef0',
        'answered: [ami_type, release_version, instance_types, disk_size]',
      ),
      findings: [
        { message: 'version', severity: 'error', resource: 'aws_eks_node_group.workers', at: '"version": "1.34"' },
      ],
      also: ['node-user-data-missing-bootstrap'],
    },
    {
      name: 'a version that is added to a group with an AMI',
      template: existing(
        OWN,
        'image_id: ami-0123456789abcdef0',
        "answered: [ami_type, release_version, instance_types, disk_size], after: { version: '1.35' }",
      ),
      findings: [
        {
          message: 'version',
          severity: 'error',
          resource: 'aws_eks_node_group.workers',
          at: '"version": "1.35"',
          says: ['`1.35`'],
        },
      ],
    },
    {
      name: 'CUSTOM with a template without AMI',
      template: resources(CLUSTER, nodeGroup('AmiType: CUSTOM', USES_NODES), PLAIN),
      findings: [
        {
          message: 'customWithoutImage',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          related: ['LaunchTemplate:'],
          says: ['launch template "Nodes" sets no AMI'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('AmiType: CUSTOM', USES_NODES), WITH_IMAGE),
    },
    {
      name: 'CUSTOM without any template',
      template: resources(CLUSTER, nodeGroup('AmiType: CUSTOM')),
      findings: [
        {
          message: 'customWithoutImage',
          severity: 'error',
          resource: 'Workers',
          at: 'AmiType',
          related: [],
          says: ['no launch template'],
        },
      ],
    },
    {
      name: 'a template by id and by name',
      template: resources(
        CLUSTER,
        nodeGroup("LaunchTemplate: { Id: !Ref Nodes, Name: nodes, Version: '1' }"),
        launchTemplate(IMDS),
      ),
      findings: [
        {
          message: 'idAndName',
          severity: 'error',
          resource: 'Workers',
          at: 'Name: nodes',
          related: ['Id:'],
          says: ['`nodes`'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: !Ref Nodes, Version: '1' }"), launchTemplate(IMDS)),
    },
    {
      name: 'three conflicts are three findings',
      template: resources(
        CLUSTER,
        nodeGroup('DiskSize: 50', AL2023, 'ReleaseVersion: 1.33.0-20250601', USES_NODES),
        WITH_IMAGE,
      ),
      findings: [
        { message: 'diskSize', severity: 'error', resource: 'Workers', at: 'DiskSize' },
        { message: 'amiType', severity: 'error', resource: 'Workers', at: 'AmiType' },
        { message: 'releaseVersion', severity: 'error', resource: 'Workers', at: 'ReleaseVersion' },
      ],
    },
    {
      name: 'one branch of a condition is named',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup('DiskSize: !If [IsProduction, 100, !Ref AWS::NoValue]', USES_NODES),
        PLAIN,
      ),
      findings: [
        {
          message: 'diskSize',
          severity: 'error',
          resource: 'Workers',
          at: 'DiskSize',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'an AMI under a condition conflicts under it',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup('ReleaseVersion: 1.33.0-20250601', USES_NODES),
        launchTemplate(
          IMDS,
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
          'UserData: !If',
          '  - IsProduction',
          '  - Fn::Base64: !Sub |',
          ...IMAGE.slice(3).map((line) => `  ${line}`),
          '  - !Ref AWS::NoValue',
        ),
      ),
      findings: [
        {
          message: 'releaseVersion',
          severity: 'error',
          resource: 'Workers',
          at: 'ReleaseVersion',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'two branches with a disk size each are one finding without condition',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup('RemoteAccess: !If [IsProduction, { Ec2SshKey: a }, { Ec2SshKey: b }]', USES_NODES),
        PLAIN,
      ),
      findings: [
        {
          message: 'remoteAccess',
          severity: 'error',
          resource: 'Workers',
          at: 'RemoteAccess',
          omits: ['This happens'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'what EKS answers or an expression gives, for a group that gets an AMI now',
      template: existing(
        EKS,
        'image_id: ami-0123456789abcdef0',
        'answered: [ami_type, release_version, instance_types, disk_size]',
        'given: { version: [local.version] }',
      ),
      resources: ['aws_eks_node_group.workers'],
      because: "the plan doesn't tell whether it is written",
    },
    {
      name: 'CUSTOM with a template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('AmiType: CUSTOM', ELSEWHERE)),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
    {
      name: 'an AMI type and a version with a template that the input does not hold, once',
      template: resources(CLUSTER, nodeGroup(AL2023, "Version: '1.33'", ELSEWHERE)),
      resources: ['Workers'],
      because: 'sets an AMI',
    },
    {
      name: 'instance types with a template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('InstanceTypes: [m7i.large]', ELSEWHERE)),
      resources: ['Workers'],
      because: 'instance type',
    },
    {
      name: 'an AMI type from a parameter beside an AMI',
      template: template(
        'Parameters:\n  Type: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: !Ref Type', USES_NODES),
        WITH_IMAGE,
      ),
      resources: ['Workers'],
      because: 'Type',
    },
    {
      name: 'a list from a parameter beside the type of the template',
      template: template(
        'Parameters:\n  Types: { Type: CommaDelimitedList }',
        CLUSTER,
        nodeGroup('InstanceTypes: !Ref Types', USES_NODES),
        WITH_TYPE,
      ),
      resources: ['Nodes'],
      because: 'Types',
    },
  ],
  notApplicable: [
    {
      name: 'a group without launch template',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, 'DiskSize: 50', 'InstanceTypes: [m7i.large]', 'RemoteAccess: { Ec2SshKey: admin }'),
      ),
    },
    { name: 'a template that no node group uses', template: resources(CLUSTER, WITH_IMAGE) },
  ],
});
