import { nodeUserDataMissingBootstrap } from '../../../lib/rules/launch-template/node-user-data-missing-bootstrap';
import {
  booting,
  clusterBlock,
  CONDITION,
  IMAGES,
  mime,
  nodeConfig,
  nodeConfigPart,
  OWN_AMI,
  part,
  SELF_MANAGED,
  shellPart,
  userData,
} from '../node-bootstrap/user-data-templates';
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

const AGENT = mime(shellPart('yum install -y amazon-ssm-agent'));
const WHOLE = mime(nodeConfigPart(clusterBlock()));
const WINDOWS = [
  '<powershell>',
  '& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main',
  '</powershell>',
].join('\n');
const TRIO =
  '[settings.kubernetes]\ncluster-name = "main"\napi-server = "https://0123.gr7.eu-west-1.eks.amazonaws.com"\ncluster-certificate = "AAAA"';

/** A managed group whose launch template has this data. */
function managed(...data: readonly string[]): string {
  return resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(...data));
}

testRule(nodeUserDataMissingBootstrap, {
  valid: [
    {
      name: 'no AMI and no user data: EKS brings all of it',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')),
    },
    { name: 'no AMI, and user data that only installs an agent', template: managed(userData(AGENT)) },
    {
      name: 'no AMI, and user data that is not known',
      template: template(
        'Parameters:\n  Data: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate('UserData: !Ref Data'),
      ),
    },
    { name: 'a NodeConfig on AL2023', template: managed(IMAGES.AL2023, userData(WHOLE)) },
    { name: 'a bare NodeConfig on AL2023', template: managed(IMAGES.AL2023, userData(nodeConfig(clusterBlock()))) },
    {
      name: 'a NodeConfig that lacks fields is the finding of another rule',
      template: managed(IMAGES.AL2023, userData(nodeConfig('kubelet: {}'))),
    },
    { name: 'bootstrap.sh on AL2', template: managed(IMAGES.AL2, userData('#!/bin/bash\n/etc/eks/bootstrap.sh main')) },
    {
      name: 'bootstrap.sh in a function that is called',
      template: managed(IMAGES.AL2, userData('#!/bin/bash\njoin() {\n  /etc/eks/bootstrap.sh main\n}\njoin')),
    },
    { name: 'settings with the cluster on Bottlerocket', template: managed(IMAGES.BOTTLEROCKET, userData(TRIO)) },
    { name: 'Start-EKSBootstrap on Windows', template: managed(IMAGES.WINDOWS, userData(WINDOWS)) },
    {
      name: 'an AMI of which nothing is known, with a bootstrap',
      template: managed(OWN_AMI, userData('#!/bin/bash\n/etc/eks/bootstrap.sh main')),
    },
    {
      name: 'a self-managed group with a NodeConfig',
      template: resources(CLUSTER, SELF_MANAGED, booting(WHOLE, IMAGES.AL2023)),
    },
    {
      name: 'an AMI and user data under the same condition',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
          `UserData: !If [IsProduction, ${Buffer.from(WHOLE).toString('base64')}, !Ref AWS::NoValue]`,
        ),
      ),
    },
  ],
  invalid: [
    {
      name: 'the AMI of AL2023 without user data',
      template: managed(IMAGES.AL2023),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: 'LaunchTemplateData:',
          related: ['LaunchTemplate:', 'ImageId:'],
          says: [
            'Launch template "Nodes" of node group "Workers" sets the AMI /aws/service/eks/',
            'so EKS adds no bootstrap',
            'has no user data',
            'NodeConfig',
            'after about 15 minutes',
          ],
        },
      ],
      fixed: managed(IMAGES.AL2023, userData(WHOLE)),
    },
    {
      name: 'the AMI of AL2023 with user data that only installs an agent',
      template: managed(IMAGES.AL2023, userData(AGENT)),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData:',
          says: ['its user data holds no NodeConfig'],
        },
      ],
    },
    {
      name: 'blank user data is none',
      template: managed(IMAGES.AL2023, 'UserData: ""'),
      findings: [{ message: 'al2023', severity: 'error', resource: 'Nodes', at: 'UserData:' }],
    },
    {
      name: 'a NodeConfig that only a script writes comes too late',
      template: managed(
        IMAGES.AL2023,
        userData(mime(shellPart('cat > /etc/eks/nodeadm.d/10-cluster.yaml <<EOF', nodeConfig(clusterBlock()), 'EOF'))),
      ),
      findings: [{ message: 'al2023', severity: 'error', resource: 'Nodes', at: 'UserData:' }],
    },
    {
      name: 'the AMI of AL2 with a bootstrap that is only a comment',
      template: managed(IMAGES.AL2, userData('#!/bin/bash\n# /etc/eks/bootstrap.sh main\nyum install -y jq')),
      findings: [
        {
          message: 'al2',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData:',
          related: ['LaunchTemplate:', 'ImageId:'],
          says: ['`/etc/eks/bootstrap.sh`'],
        },
      ],
      fixed: managed(IMAGES.AL2, userData('#!/bin/bash\n/etc/eks/bootstrap.sh main')),
    },
    {
      name: 'cfn-signal, settings and a log file are no bootstrap',
      template: managed(
        IMAGES.AL2,
        userData(
          '#!/bin/bash\nset -ex\nexec > >(tee /var/log/user-data.log) 2>&1\n. /etc/os-release\n/opt/aws/bin/cfn-signal --stack ${AWS::StackName} --resource Workers',
        ),
      ),
      findings: [{ message: 'al2', severity: 'error', resource: 'Nodes', at: 'UserData:' }],
    },
    {
      name: 'the AMI of Bottlerocket without user data',
      template: managed(IMAGES.BOTTLEROCKET),
      findings: [
        {
          message: 'bottlerocket',
          severity: 'error',
          resource: 'Nodes',
          at: 'LaunchTemplateData:',
          related: ['LaunchTemplate:', 'ImageId:'],
          says: ['settings.kubernetes'],
        },
      ],
      fixed: managed(IMAGES.BOTTLEROCKET, userData(TRIO)),
    },
    {
      name: 'the AMI of Windows with PowerShell that does something else',
      template: managed(IMAGES.WINDOWS, userData('<powershell>\nWrite-Host hello\n</powershell>')),
      findings: [
        {
          message: 'windows',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData:',
          related: ['LaunchTemplate:', 'ImageId:'],
          says: ['Start-EKSBootstrap.ps1'],
        },
      ],
      fixed: managed(IMAGES.WINDOWS, userData(WINDOWS)),
    },
    {
      name: 'a self-managed group without bootstrap',
      template: resources(CLUSTER, SELF_MANAGED, booting(AGENT, IMAGES.AL2023)),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData:',
          says: ['starts self-managed nodes'],
          omits: ['15 minutes'],
        },
      ],
      fixed: resources(CLUSTER, SELF_MANAGED, booting(WHOLE, IMAGES.AL2023)),
    },
    {
      name: 'an AMI under a condition, and user data without one',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          "ImageId: !If [IsProduction, '{{resolve:ssm:/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id}}', !Ref AWS::NoValue]",
        ),
      ),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: 'LaunchTemplateData:',
          says: ['condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        launchTemplate(IMAGES.AL2023),
      ),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: 'LaunchTemplateData:',
          related: ['LaunchTemplate:', 'LaunchTemplate:', 'ImageId:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'a launch template that a managed and a self-managed group share is wrong for each in its own words',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        SELF_MANAGED.replace('Workers', 'Own'),
        launchTemplate(IMAGES.AL2023),
      ),
      findings: [
        { message: 'al2023', severity: 'error', resource: 'Nodes', at: 'LaunchTemplateData:', says: ['"Workers"'] },
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: 'LaunchTemplateData:',
          says: ['"Own"', 'self-managed'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'an AMI of its own without user data',
      template: managed('ImageId: ami-0abc1234def567890'),
      resources: ['Nodes'],
      because: 'ami-0abc1234def567890',
    },
    {
      name: 'an AMI of its own with user data that only installs an agent',
      template: managed(OWN_AMI, userData(AGENT)),
      resources: ['Nodes'],
      because: 'ami-0123456789abcdef0',
    },
    {
      name: 'an AMI of its own with PowerShell that does something else',
      template: managed(OWN_AMI, userData('<powershell>\nWrite-Host hello\n</powershell>')),
      resources: ['Nodes'],
      because: 'may bootstrap itself',
    },
    {
      name: 'an AMI from a parameter',
      template: template(
        'Parameters:\n  Ami: { Type: AWS::EC2::Image::Id }',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate('ImageId: !Ref Ami'),
      ),
      resources: ['Nodes'],
      because: 'Ami',
    },
    {
      name: 'a script from the network',
      template: managed(IMAGES.AL2, userData('#!/bin/bash\ncurl -s https://example.com/join.sh | bash')),
      resources: ['Nodes'],
      because: 'bash',
    },
    {
      name: 'user data that is not known',
      template: template(
        'Parameters:\n  Data: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMAGES.AL2, 'UserData: !Ref Data'),
      ),
      resources: ['Nodes'],
      because: 'Data',
    },
    {
      name: 'a part that is not known',
      template: template(
        'Parameters:\n  Part: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(part('text/plain', '${Part}')), IMAGES.AL2023),
      ),
      resources: ['Nodes'],
      because: "isn't known",
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
    {
      name: 'a self-managed group without a launch template that can be told',
      template: resources(
        CLUSTER,
        block('Workers', 'AWS::AutoScaling::AutoScalingGroup', [
          "MinSize: '1'",
          "MaxSize: '3'",
          'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
        ]),
      ),
      resources: ['Workers'],
    },
  ],
  notApplicable: [
    { name: 'a launch template that no group uses', template: resources(CLUSTER, launchTemplate(IMAGES.AL2023)) },
    {
      name: 'a foreign bootstrap is told by another rule',
      template: managed(IMAGES.AL2023, userData('#!/bin/bash\n/etc/eks/bootstrap.sh main')),
    },
    {
      name: 'user data that is not base64 is told by another rule',
      template: managed(IMAGES.AL2023, 'UserData: "#!/bin/bash"'),
    },
    {
      name: 'an Auto Scaling group of something else',
      template: resources(
        CLUSTER,
        SELF_MANAGED.replace('kubernetes.io/cluster/main', 'team'),
        launchTemplate(IMAGES.AL2023),
      ),
    },
    {
      name: 'a group that is never created',
      template: template(
        'Conditions:\n  Never: !Equals [a, b]',
        CLUSTER,
        onCondition('Never', nodeGroup(USES_NODES)),
        launchTemplate(IMAGES.AL2023),
      ),
    },
  ],
});
