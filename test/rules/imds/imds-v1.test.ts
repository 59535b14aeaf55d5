import { imdsV1 } from '../../../lib/rules/imds/imds-v1';
import {
  block,
  CLUSTER,
  cluster,
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
import { SELF_MANAGED } from '../node-bootstrap/user-data-templates';
import { testRule } from '../rule-tester';

const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const AL2 = 'AmiType: AL2_x86_64';
const AL2_RELEASE =
  "ReleaseVersion: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.33/amazon-linux-2/recommended/release_version}}'";
const REQUIRED = metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: 2');
const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

function nodeClass(metadata: object | undefined, more: object = {}): string {
  const spec = metadata === undefined ? more : { metadataOptions: metadata, ...more };
  return manifest('NodeClass', {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'general' },
    spec,
  });
}

/** User data in MIME, as EKS merges it. */
const BLOCKED = [
  'UserData:',
  '  Fn::Base64: |',
  '    MIME-Version: 1.0',
  '    Content-Type: multipart/mixed; boundary="B"',
  '',
  '    --B',
  '    Content-Type: text/x-shellscript; charset="us-ascii"',
  '',
  '    #!/bin/bash',
  '    iptables --insert FORWARD 1 --in-interface eni+ --destination 169.254.169.254/32 --jump DROP',
  '    --B--',
].join('\n');

testRule(imdsV1, {
  valid: [
    {
      name: 'optional tokens where the only group that uses the template is not created pass',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', nodeGroup(AL2023, USES_NODES)),
        metadataOptions('HttpTokens: !If [IsProduction, required, optional]'),
      ),
    },
    {
      name: 'a group that is created only beside a cluster version that defaults to AL2023 passes',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.33', '1.29']"),
        onCondition('IsProduction', nodeGroup()),
      ),
    },
    {
      name: 'AL2023 without tokens setting passes, because it requires them',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), launchTemplate('EbsOptimized: true')),
    },
    { name: 'required tokens of self-managed nodes pass', template: resources(CLUSTER, SELF_MANAGED, REQUIRED) },
    { name: 'AL2023 without launch template passes', template: resources(CLUSTER, nodeGroup(AL2023)) },
    {
      name: 'a group without AMI type passes on a version that defaults to AL2023',
      template: resources(CLUSTER, nodeGroup()),
    },
    {
      name: 'a release of Amazon Linux 2 makes no such group where the default is another',
      template: resources(CLUSTER, nodeGroup(AL2_RELEASE)),
    },
    {
      name: 'a group without AMI type passes on an imported cluster',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere'])),
    },
    {
      name: 'required tokens pass on AL2',
      template: resources(cluster("Version: '1.32'"), nodeGroup(AL2, USES_NODES), REQUIRED),
    },
    {
      name: 'required tokens pass on an unknown image',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate('ImageId: ami-0123456789abcdef0', 'MetadataOptions: { HttpTokens: required }'),
      ),
    },
    {
      name: 'a Karpenter node class without tokens setting passes, because Karpenter requires them',
      template: resources(CLUSTER, nodeClass(undefined)),
    },
  ],
  invalid: [
    {
      name: 'optional tokens are reported at the setting',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: optional', 'HttpPutResponseHopLimit: 2'),
      ),
      findings: [
        {
          message: 'optional',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpTokens',
          related: ['LaunchTemplate:'],
          says: ['Launch template "Nodes" of node group "Workers"', 'IMDSv1 stays on'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), REQUIRED),
    },
    {
      name: 'optional tokens are reported beside an endpoint that is enabled, as it is by default',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpEndpoint: enabled', 'HttpTokens: optional', 'HttpPutResponseHopLimit: 2'),
      ),
      findings: [{ message: 'optional', severity: 'warning', resource: 'Nodes', at: 'HttpTokens' }],
    },
    {
      name: 'optional tokens with a hop limit of 1 say that the limit protects nothing',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: optional', 'HttpPutResponseHopLimit: 1'),
      ),
      findings: [
        {
          message: 'optional',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpTokens',
          says: ["hop limit of 1 doesn't prevent it"],
        },
      ],
    },
    {
      name: 'an AL2 launch template with metadata options but no tokens is reported',
      template: resources(
        cluster("Version: '1.32'"),
        nodeGroup(AL2, USES_NODES),
        metadataOptions('HttpPutResponseHopLimit: 2'),
      ),
      findings: [
        {
          message: 'leftOut',
          severity: 'warning',
          resource: 'Nodes',
          at: 'MetadataOptions',
          related: ['LaunchTemplate:'],
          says: ['AMI type AL2_x86_64'],
        },
      ],
      fixed: resources(cluster("Version: '1.32'"), nodeGroup(AL2, USES_NODES), REQUIRED),
    },
    {
      name: 'an AL2 launch template without metadata options is reported at its data',
      template: resources(cluster("Version: '1.32'"), nodeGroup(AL2, USES_NODES), launchTemplate('EbsOptimized: true')),
      findings: [{ message: 'leftOut', severity: 'warning', resource: 'Nodes', at: 'LaunchTemplateData' }],
    },
    {
      name: 'user data that drops what pods send to the metadata service leaves the node itself, which is information',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        launchTemplate('MetadataOptions: { HttpTokens: optional, HttpPutResponseHopLimit: 2 }', BLOCKED),
      ),
      findings: [
        {
          message: 'nodeOnly',
          severity: 'info',
          resource: 'Nodes',
          at: 'HttpTokens',
          related: ['LaunchTemplate:'],
          says: ['iptables', 'host networking'],
          omits: ['any pod'],
        },
      ],
    },
    {
      name: 'a script that asks for metadata without a token has to change first',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        launchTemplate(
          'MetadataOptions: { HttpTokens: optional, HttpPutResponseHopLimit: 2 }',
          BLOCKED.replace(/iptables.*/, 'curl -s http://169.254.169.254/latest/meta-data/instance-id > /etc/id'),
        ),
      ),
      findings: [
        {
          message: 'optional',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpTokens',
          advises: 'have the request on line 8 of the user data send a token',
        },
      ],
    },
    {
      name: 'a rule in a comment drops nothing',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        launchTemplate(
          'MetadataOptions: { HttpTokens: optional, HttpPutResponseHopLimit: 2 }',
          BLOCKED.replace('iptables', '# iptables'),
        ),
      ),
      findings: [{ message: 'optional', severity: 'warning', resource: 'Nodes', at: 'HttpTokens' }],
    },
    {
      name: 'a launch configuration is called what it is',
      template: resources(
        CLUSTER,
        SELF_MANAGED.replace(/LaunchTemplate: \{.*\}/, 'LaunchConfigurationName: !Ref Nodes'),
        block('Nodes', 'AWS::AutoScaling::LaunchConfiguration', [
          "ImageId: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id}}'",
        ]),
      ),
      findings: [
        {
          message: 'leftOut',
          severity: 'warning',
          resource: 'Nodes',
          at: 'Properties: # nodes',
          related: ['LaunchConfigurationName: !Ref Nodes'],
          says: ['Launch configuration "Nodes"'],
        },
      ],
    },
    {
      name: 'an AL2 group without AMI type is told by the version of its cluster, where its own is not known',
      template: template(
        'Parameters:\n  Version: { Type: String }',
        cluster("Version: '1.27'"),
        nodeGroup('Version: !Ref Version'),
      ),
      findings: [
        {
          message: 'withoutTemplate',
          severity: 'warning',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ['the default of EKS for Kubernetes 1.27'],
        },
      ],
    },
    {
      name: 'an AL2 group without launch template is reported itself',
      template: resources(cluster("Version: '1.32'"), nodeGroup(AL2)),
      findings: [
        {
          message: 'withoutTemplate',
          severity: 'warning',
          resource: 'Workers',
          at: 'Properties: # workers',
          says: ['Node group "Workers"'],
        },
      ],
    },
    {
      name: 'the disk size of a group without launch template moves into the new one',
      template: resources(cluster("Version: '1.32'"), nodeGroup(AL2, 'DiskSize: 50')),
      findings: [
        {
          message: 'withoutTemplate',
          severity: 'warning',
          resource: 'Workers',
          at: 'Properties: # workers',
          fix: '/dev/xvda',
        },
      ],
    },
    {
      name: 'so does the key that remote access names',
      template: resources(
        cluster("Version: '1.32'"),
        nodeGroup(AL2, 'DiskSize: 50', 'RemoteAccess: { Ec2SshKey: ops }'),
      ),
      findings: [
        {
          message: 'withoutTemplate',
          severity: 'warning',
          resource: 'Workers',
          at: 'Properties: # workers',
          fix: 'ops',
        },
      ],
    },
    {
      name: 'a group without AMI type is AL2 below Kubernetes 1.30, by its own version',
      template: resources(CLUSTER, nodeGroup("Version: '1.29'", USES_NODES), launchTemplate('EbsOptimized: true')),
      findings: [
        {
          message: 'leftOut',
          severity: 'warning',
          resource: 'Nodes',
          at: 'LaunchTemplateData',
          says: ['the default of EKS for Kubernetes 1.29'],
        },
      ],
    },
    {
      name: 'an image whose user data calls bootstrap.sh counts as AL2',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          'ImageId: ami-0123456789abcdef0',
          'UserData:',
          '  Fn::Base64: |',
          '    #!/bin/bash',
          '    /etc/eks/bootstrap.sh main',
        ),
      ),
      findings: [
        {
          message: 'leftOut',
          severity: 'warning',
          resource: 'Nodes',
          at: 'LaunchTemplateData',
          says: ['the bootstrap in the user data'],
        },
      ],
    },
    {
      name: 'one bad branch of a condition is reported and named',
      also: ['imds-hop-limit'],
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: !If [IsProduction, required, optional]'),
      ),
      findings: [
        {
          message: 'optional',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpTokens',
          says: ['This happens when', 'IsProduction'],
        },
      ],
    },
    {
      name: 'one launch template of two groups is one finding',
      also: ['imds-hop-limit'],
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', AL2023, USES_NODES),
        namedNodeGroup('Green', AL2023, USES_NODES),
        metadataOptions('HttpTokens: optional'),
      ),
      findings: [
        {
          message: 'optional',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpTokens',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'optional tokens of self-managed nodes are reported',
      template: resources(CLUSTER, SELF_MANAGED, metadataOptions('HttpTokens: optional', 'HttpPutResponseHopLimit: 2')),
      findings: [
        {
          message: 'optional',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpTokens',
          says: ['Launch template "Nodes" of node group "Workers"'],
        },
      ],
    },
    {
      name: 'self-managed AL2 nodes without tokens setting are reported',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        launchTemplate(
          'ImageId: ami-0123456789abcdef0',
          'UserData:',
          '  Fn::Base64: |',
          '    #!/bin/bash',
          '    /etc/eks/bootstrap.sh main',
        ),
      ),
      findings: [{ message: 'leftOut', severity: 'warning', resource: 'Nodes', at: 'LaunchTemplateData' }],
    },
    {
      name: 'one launch template of two AL2 groups of different AMI types is one finding',
      template: resources(
        cluster("Version: '1.32'"),
        namedNodeGroup('Intel', AL2, USES_NODES),
        namedNodeGroup('Arm', 'AmiType: AL2_ARM_64', USES_NODES),
        metadataOptions('HttpPutResponseHopLimit: 2'),
      ),
      findings: [
        {
          message: 'leftOut',
          severity: 'warning',
          resource: 'Nodes',
          at: 'MetadataOptions',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Intel" and "Arm"', 'AMI type AL2_x86_64 and AMI type AL2_ARM_64'],
        },
      ],
    },
    {
      name: 'a Karpenter node class with optional tokens is reported',
      template: resources(CLUSTER, nodeClass({ httpTokens: 'optional', httpPutResponseHopLimit: 2 })),
      findings: [
        { message: 'nodeClass', severity: 'warning', resource: 'NodeClass', at: 'NodeClass', says: ['"general"'] },
      ],
      fixed: resources(CLUSTER, nodeClass({ httpTokens: 'required', httpPutResponseHopLimit: 2 })),
    },
    {
      name: 'a Karpenter node class whose script asks for metadata without a token',
      template: resources(
        CLUSTER,
        nodeClass(
          { httpTokens: 'optional', httpPutResponseHopLimit: 2 },
          {
            amiSelectorTerms: [{ alias: 'al2023@latest' }],
            userData: '#!/bin/bash\ncurl -s http://169.254.169.254/latest/meta-data/instance-id > /etc/id\n',
          },
        ),
      ),
      findings: [
        {
          message: 'nodeClass',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          advises: 'request on line 2 of the user data',
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a release of Amazon Linux 2 where the default is not known for sure',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', AL2_RELEASE])),
      resources: ['Workers'],
      because: 'its release version is that of AL2 nodes',
    },
    {
      name: 'tokens from a parameter without default',
      template: template(
        'Parameters:\n  Tokens: { Type: String }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: !Ref Tokens'),
      ),
      resources: ['Nodes'],
      because: 'Tokens',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup(AL2023, "LaunchTemplate: { Name: shared, Version: '3' }")),
      resources: ['Workers'],
      because: 'shared',
    },
    {
      name: 'a Bottlerocket group that declares nothing',
      template: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64')),
      resources: ['Workers'],
      because: 'Bottlerocket',
    },
    {
      name: 'a Windows launch template that declares nothing',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', USES_NODES),
        launchTemplate('EbsOptimized: true'),
      ),
      resources: ['Nodes'],
      because: 'Windows',
    },
    {
      name: 'an unknown image that declares nothing',
      template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate('ImageId: ami-0123456789abcdef0')),
      resources: ['Nodes'],
      because: 'ami-0123456789abcdef0',
    },
    {
      name: 'tokens with a value that EC2 does not have',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), metadataOptions('HttpTokens: always')),
      resources: ['Nodes'],
      because: 'always',
    },
  ],
  notApplicable: [
    {
      name: 'a launch template that no node group uses',
      template: resources(CLUSTER, metadataOptions('HttpTokens: optional')),
    },
    {
      name: 'an endpoint that is switched off, which another rule judges',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: optional', 'HttpEndpoint: disabled'),
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
