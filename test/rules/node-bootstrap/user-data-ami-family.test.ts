import { userDataAmiFamily } from '../../../lib/rules/node-bootstrap/user-data-ami-family';
import { CLUSTER, launchTemplate, namedNodeGroup, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
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
  withNodeClass,
} from './user-data-templates';

const TYPES = {
  AL2: 'AL2_x86_64',
  AL2023: 'AL2023_x86_64_STANDARD',
  BOTTLEROCKET: 'BOTTLEROCKET_x86_64',
  WINDOWS: 'WINDOWS_CORE_2022_x86_64',
} as const;

type Family = keyof typeof TYPES;

const OLD_CLUSTER = CLUSTER.replace('1.33', '1.32');
const BOOTSTRAP = '/etc/eks/bootstrap.sh main';
const SETTINGS =
  '[settings.kubernetes]\ncluster-name = "main"\napi-server = "https://0123.gr7.eu-west-1.eks.amazonaws.com"\ncluster-certificate = "AAAA"';
const POWERSHELL =
  '<powershell>\n& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main\n</powershell>';
const WHOLE = mime(nodeConfigPart(clusterBlock()));

/** A managed group with the public AMI of a system. */
function own(family: Family, text: string): string {
  return resources(OLD_CLUSTER, nodeGroup(USES_NODES), booting(text, IMAGES[family]));
}

/** A managed group for which EKS chooses the AMI. */
function byEks(family: Family, text: string): string {
  return resources(OLD_CLUSTER, nodeGroup(`AmiType: ${TYPES[family]}`, USES_NODES), booting(text));
}

testRule(userDataAmiFamily, {
  valid: [
    {
      name: 'a NodeConfig in a node class, which Karpenter makes a part of a MIME document',
      template: withNodeClass('al2023@latest', nodeConfig('kubelet:\n  config:\n    shutdownGracePeriod: 60s')),
    },
    {
      name: 'a script in a node class',
      template: withNodeClass('al2023@latest', '#!/bin/bash\necho "Hello, AL2023!"'),
    },
    {
      name: 'a NodeConfig and a script on AL2023',
      template: own('AL2023', mime(nodeConfigPart(clusterBlock()), shellPart('yum install -y jq'))),
    },
    { name: 'bootstrap.sh on AL2', template: own('AL2', `#!/bin/bash\n${BOOTSTRAP}`) },
    {
      name: 'bootstrap.sh in a comment on AL2023',
      template: own('AL2023', mime(nodeConfigPart(clusterBlock()), shellPart(`# ${BOOTSTRAP}`))),
    },
    {
      name: 'a change of bootstrap.sh on AL2',
      template: own('AL2', `#!/bin/bash\nsed -i 's/a/b/' /etc/eks/bootstrap.sh\n${BOOTSTRAP}`),
    },
    {
      name: 'a change of bootstrap.sh on AL2023 under a condition, or what only reads it',
      template: byEks(
        'AL2023',
        mime(
          shellPart(
            "command -v nodeadm || sed -i 's/a/b/' /etc/eks/bootstrap.sh",
            'sed -n 1p /etc/eks/bootstrap.sh > /var/log/stub',
          ),
        ),
      ),
    },
    {
      name: 'a script that takes the place of the stub before it is called',
      template: byEks(
        'AL2023',
        mime(shellPart("cat > /etc/eks/bootstrap.sh <<'EOF'\n#!/bin/bash\ntrue\nEOF", BOOTSTRAP)),
      ),
    },
    {
      name: 'a script with branches for both systems',
      template: own(
        'AL2023',
        `#!/bin/bash\nif [ -x /etc/eks/bootstrap.sh ] && ! command -v nodeadm; then\n  ${BOOTSTRAP}\nelse\n  nodeadm init -c file:///etc/node.yaml\nfi`,
      ),
    },
    {
      name: 'a call where it exists, besides a NodeConfig',
      template: own(
        'AL2023',
        mime(nodeConfigPart(clusterBlock()), shellPart(`[ -x /etc/eks/bootstrap.sh ] && ${BOOTSTRAP}`)),
      ),
    },
    {
      name: 'the same where EKS brings the NodeConfig',
      template: byEks(
        'AL2023',
        mime(shellPart(`if grep -q 'Amazon Linux 2$' /etc/os-release; then`, `  ${BOOTSTRAP}`, 'fi')),
      ),
    },
    {
      name: 'a NodeConfig besides bootstrap.sh on AL2',
      template: own('AL2', mime(nodeConfigPart(clusterBlock()), shellPart(BOOTSTRAP))),
    },
    {
      name: 'a function on AL2023 that nobody calls',
      template: byEks('AL2023', mime(shellPart('join() {', `  ${BOOTSTRAP}`, '}', 'yum install -y jq'))),
    },
    { name: 'settings on Bottlerocket', template: own('BOTTLEROCKET', SETTINGS) },
    {
      name: 'settings besides those of EKS on Bottlerocket',
      template: byEks('BOTTLEROCKET', '[settings.kubernetes]\nmax-pods = 20'),
    },
    { name: 'PowerShell on Windows', template: own('WINDOWS', POWERSHELL) },
    {
      name: 'settings of Bottlerocket in a here-document',
      template: own(
        'AL2023',
        mime(nodeConfigPart(clusterBlock()), shellPart('cat > /tmp/settings.toml <<END', SETTINGS, 'END')),
      ),
    },
    {
      name: 'an AMI id whose system the AMI type tells',
      template: resources(
        OLD_CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        booting(`#!/bin/bash\n${BOOTSTRAP}`, OWN_AMI),
      ),
    },
    {
      name: 'a self-managed group with a NodeConfig',
      template: resources(CLUSTER, SELF_MANAGED, booting(WHOLE, IMAGES.AL2023)),
    },
  ],
  invalid: [
    {
      name: 'a script in a Bottlerocket node class of the family Custom, which names no launch template',
      template: withNodeClass('bottlerocket@latest', '#!/bin/bash\necho hello', { amiFamily: 'Custom' }),
      findings: [
        {
          message: 'bottlerocket',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          advises: 'because `amiFamily: Custom` leaves the whole bootstrap to the user data',
        },
      ],
    },
    {
      name: 'a script in a node class of Bottlerocket',
      template: withNodeClass('bottlerocket@latest', '#!/bin/bash\necho hello'),
      findings: [
        {
          message: 'nodeClass',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['EC2NodeClass "default" starts Bottlerocket nodes', 'is a shell script', 'starts no node'],
          advises: 'settings of Bottlerocket in TOML',
        },
      ],
      fixed: withNodeClass('bottlerocket@latest', '[settings.kubernetes]\nshutdown-grace-period = "60s"'),
    },
    {
      name: 'settings of Bottlerocket in a node class of AL2023',
      template: withNodeClass('al2023@latest', '[settings.kubernetes]\nmax-pods = 58'),
      findings: [
        {
          message: 'nodeClass',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['hands it on as a shell script'],
          advises: 'Write a NodeConfig',
        },
      ],
      fixed: withNodeClass('al2023@latest', nodeConfig('kubelet:\n  config:\n    shutdownGracePeriod: 60s')),
    },
    {
      name: 'a cloud-config in a node class of AL2023, which Karpenter takes for a NodeConfig',
      template: withNodeClass('al2023@latest', '#cloud-config\nruncmd: [ls]'),
      findings: [
        {
          message: 'nodeClassYaml',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['a cloud-config, reads as a map of YAML'],
          advises: '`text/x-shellscript`',
        },
      ],
      fixed: withNodeClass('al2023@latest', mime(shellPart('ls'))),
    },
    {
      name: 'bootstrap.sh in a node class of AL2023',
      template: withNodeClass('al2023@latest', `#!/bin/bash\nset -e\n${BOOTSTRAP}\necho more`),
      findings: [
        {
          message: 'nodeClassStub',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['on line 3', 'NodeConfig of Karpenter', '`set -e` ends the script'],
          advises: 'labels and taints belong to the NodePool',
        },
      ],
      fixed: withNodeClass('al2023@latest', '#!/bin/bash\nset -e\necho more'),
    },
    {
      name: 'bootstrap.sh on an AMI of AL2023',
      template: own('AL2023', `#!/bin/bash\nset -ex\n${BOOTSTRAP}`),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          related: ['LaunchTemplate:'],
          says: [
            'Launch template "Nodes" of node group "Workers" starts AL2023 nodes',
            'calls `/etc/eks/bootstrap.sh` (line 3)',
            'stub',
            'never join.',
          ],
        },
      ],
      fixed: own('AL2023', WHOLE),
    },
    {
      name: 'bootstrap.sh in a MIME part, with an AMI from a parameter of the public SSM path',
      template: template(
        "Parameters:\n  Ami:\n    Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>'\n    Default: /aws/service/eks/optimized-ami/1.33/amazon-linux-2023/arm64/standard/recommended/image_id",
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(shellPart(BOOTSTRAP)), 'ImageId: !Ref Ami'),
      ),
      findings: [
        { message: 'al2023', severity: 'error', resource: 'Nodes', at: '/etc/eks/bootstrap.sh', says: ['line 8'] },
      ],
    },
    {
      name: 'a self-managed group of AL2023 with bootstrap.sh',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        booting(`#!/bin/bash\nset -o xtrace\n${BOOTSTRAP} --kubelet-extra-args '--node-labels=a=b'`, IMAGES.AL2023),
      ),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['node group "Workers"', 'never join'],
        },
      ],
      fixed: resources(CLUSTER, SELF_MANAGED, booting(WHOLE, IMAGES.AL2023)),
    },
    {
      name: 'bootstrap.sh under a condition, and nothing else that bootstraps',
      template: own('AL2023', `#!/bin/bash\n[ -x /etc/eks/bootstrap.sh ] && ${BOOTSTRAP}`),
      findings: [{ message: 'al2023', severity: 'error', resource: 'Nodes', at: BOOTSTRAP }],
    },
    {
      name: 'bootstrap.sh besides the NodeConfig of EKS fails and does no more',
      template: byEks('AL2023', mime(shellPart(BOOTSTRAP, 'yum install -y jq'))),
      findings: [
        {
          message: 'stub',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          related: ['LaunchTemplate:'],
          says: ['line 8', 'exits with 1', 'join by their NodeConfig'],
          omits: ['set -e', 'never join'],
        },
      ],
      fixed: byEks('AL2023', mime(shellPart('yum install -y jq'))),
    },
    ...[
      "sed -i 's/--max-pods 17/--max-pods 110/' /etc/eks/bootstrap.sh",
      "echo 'sysctl -w vm.max_map_count=262144' | sudo tee -a /etc/eks/bootstrap.sh",
    ].map((change) => ({
      name: `a change of the stub besides the NodeConfig of EKS is lost: ${change}`,
      template: byEks('AL2023', mime(shellPart(change, 'yum install -y jq'))),
      findings: [
        {
          message: 'stubChange' as const,
          severity: 'warning' as const,
          resource: 'Nodes',
          at: change.slice(change.search(/sed|tee/)),
          related: ['LaunchTemplate:'],
          says: ['line 8', 'what the change should set is lost'],
        },
      ],
      fixed: byEks('AL2023', mime(shellPart('yum install -y jq'))),
    })),
    {
      name: 'a change of the stub in a node class is lost',
      template: withNodeClass('al2023@latest', '#!/bin/bash\nsed -i s/a/b/ /etc/eks/bootstrap.sh'),
      findings: [{ message: 'stubChange', severity: 'warning', resource: 'NodeClass', at: 'NodeClass' }],
    },
    {
      name: 'bootstrap.sh in a plain script, which EKS refuses besides',
      template: byEks('AL2023', `#!/bin/bash\n${BOOTSTRAP}`),
      findings: [{ message: 'stub', severity: 'warning', resource: 'Nodes', at: '/etc/eks/bootstrap.sh' }],
      also: ['node-user-data-format'],
    },
    {
      name: 'bootstrap.sh in text that is no script, which EKS refuses besides',
      template: byEks('AL2023', BOOTSTRAP),
      findings: [
        {
          message: 'al2023',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['stub'],
          omits: ['refuses'],
        },
      ],
      also: ['node-user-data-format'],
    },
    {
      name: 'bootstrap.sh besides the NodeConfig of EKS cuts off the rest of the script',
      template: byEks('AL2023', mime(shellPart('set -euo pipefail', BOOTSTRAP, 'yum install -y jq'))),
      findings: [
        {
          message: 'stub',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['`set -e` ends the script there'],
        },
      ],
    },
    {
      name: 'bootstrap.sh whose failure the script passes over',
      template: byEks('AL2023', mime(shellPart('set -e', `${BOOTSTRAP} || true`, 'yum install -y jq'))),
      findings: [
        { message: 'stub', severity: 'warning', resource: 'Nodes', at: '/etc/eks/bootstrap.sh', omits: ['`set -e`'] },
      ],
    },
    {
      name: 'bootstrap.sh besides a NodeConfig of the user',
      template: own('AL2023', mime(nodeConfigPart(clusterBlock()), shellPart(BOOTSTRAP))),
      findings: [{ message: 'stub', severity: 'warning', resource: 'Nodes', at: '/etc/eks/bootstrap.sh' }],
      fixed: own('AL2023', WHOLE),
    },
    {
      name: 'a NodeConfig on an AMI of AL2',
      template: own('AL2', WHOLE),
      findings: [
        {
          message: 'al2',
          severity: 'error',
          resource: 'Nodes',
          at: 'apiVersion: node',
          related: ['LaunchTemplate:'],
          says: [
            'starts AL2 nodes',
            'holds a NodeConfig (line 7)',
            'Nothing on AL2 reads that, so the nodes never join.',
          ],
        },
      ],
      fixed: own('AL2', mime(shellPart(BOOTSTRAP))),
    },
    {
      name: 'a NodeConfig besides the bootstrap of EKS on AL2',
      template: byEks('AL2', mime(nodeConfigPart('kubelet: {}'))),
      findings: [
        {
          message: 'al2ByEks',
          fixOmits: '/etc/eks/bootstrap.sh',
          severity: 'warning',
          resource: 'Nodes',
          at: 'apiVersion: node',
          says: ['no effect'],
          omits: ['never join'],
        },
      ],
    },
    {
      name: 'a bare NodeConfig on AL2, which EKS refuses besides',
      template: byEks('AL2', nodeConfig('kubelet: {}')),
      findings: [
        {
          message: 'al2ByEks',
          fixOmits: '/etc/eks/bootstrap.sh',
          severity: 'error',
          resource: 'Nodes',
          at: 'apiVersion: node',
          says: ['User data was not in the MIME multipart format.'],
        },
      ],
    },
    {
      name: 'nodeadm on AL2',
      template: own('AL2', '#!/bin/bash\nnodeadm init -c file:///etc/node.yaml'),
      findings: [
        { message: 'al2', severity: 'error', resource: 'Nodes', at: 'nodeadm init', says: ['AL2 has no nodeadm'] },
      ],
    },
    {
      name: 'settings of Bottlerocket on AL2023',
      template: own('AL2023', SETTINGS),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: '[settings.kubernetes]',
          says: ['holds settings of Bottlerocket (line 1)', 'Nothing on AL2023 reads that'],
        },
      ],
    },
    {
      name: 'settings of Bottlerocket on AL2, where EKS refuses them',
      template: byEks('AL2', '[settings.host-containers.admin]\nenabled = true'),
      findings: [
        {
          message: 'al2ByEks',
          fixOmits: '/etc/eks/bootstrap.sh',
          severity: 'error',
          resource: 'Nodes',
          at: '[settings.host',
          says: ['is settings of Bottlerocket', 'EKS refuses the template'],
        },
      ],
    },
    {
      name: 'PowerShell on AL2023',
      template: own('AL2023', '<powershell>\nWrite-Host hello\n</powershell>'),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: '<powershell>',
          says: ['is PowerShell for Windows', 'never join'],
        },
      ],
    },
    {
      name: 'MIME on Bottlerocket',
      template: byEks('BOTTLEROCKET', mime(shellPart('yum install -y jq'))),
      findings: [
        {
          message: 'bottlerocketByEks',
          fixOmits: 'cluster-name',
          severity: 'error',
          resource: 'Nodes',
          at: 'MIME-Version',
          related: ['LaunchTemplate:'],
          says: ['starts Bottlerocket nodes', 'is a MIME document', 'stops booting'],
        },
      ],
      fixed: byEks('BOTTLEROCKET', '[settings.kubernetes]\nmax-pods = 20'),
    },
    {
      name: 'a shell script on Bottlerocket',
      template: own('BOTTLEROCKET', `#!/bin/bash\n${BOOTSTRAP}`),
      findings: [
        {
          message: 'bottlerocket',
          severity: 'error',
          resource: 'Nodes',
          at: '#!/bin/bash',
          says: ['is a shell script'],
        },
      ],
    },
    {
      name: 'a shell script on Windows',
      template: own('WINDOWS', `#!/bin/bash\n${BOOTSTRAP}`),
      findings: [
        {
          message: 'windows',
          severity: 'error',
          resource: 'Nodes',
          at: '#!/bin/bash',
          related: ['LaunchTemplate:'],
          says: ['EC2Launch runs only', 'never join.'],
        },
      ],
      fixed: own('WINDOWS', POWERSHELL),
    },
    {
      name: 'MIME on Windows besides the bootstrap of EKS',
      template: byEks('WINDOWS', mime(shellPart('yum install -y jq'))),
      findings: [
        {
          message: 'windowsByEks',
          fixOmits: 'Start-EKSBootstrap',
          fix: '<powershell>',
          severity: 'error',
          resource: 'Nodes',
          at: 'MIME-Version',
          says: ['nothing of it runs.'],
          omits: ['never join'],
        },
      ],
    },
    {
      name: 'one branch of a condition takes the AMI of AL2023',
      template: template(
        CONDITION,
        OLD_CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          `#!/bin/bash\n${BOOTSTRAP}`,
          `ImageId: !If [IsProduction, ${IMAGES.AL2.slice('ImageId: '.length)}, ${IMAGES.AL2023.slice('ImageId: '.length)}]`,
        ),
      ),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['condition IsProduction is false'],
        },
      ],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        booting(`#!/bin/bash\n${BOOTSTRAP}`, IMAGES.AL2023),
      ),
      findings: [
        {
          message: 'al2023',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'an AMI of its own with bootstrap.sh',
      template: resources(CLUSTER, nodeGroup(USES_NODES), booting(`#!/bin/bash\n${BOOTSTRAP}`, OWN_AMI)),
      resources: ['Nodes'],
      because: 'ami-0123456789abcdef0',
    },
    {
      name: 'an AMI type from a parameter, with user data',
      template: template(
        'Parameters:\n  Type: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: !Ref Type', USES_NODES),
        booting(mime(shellPart('yum install -y jq'))),
      ),
      resources: ['Nodes'],
      because: 'Type',
    },
    {
      name: 'user data of Bottlerocket that is not known',
      template: template(
        'Parameters:\n  Data: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', USES_NODES),
        launchTemplate('UserData: !Ref Data'),
      ),
      resources: ['Nodes'],
      because: 'Data',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a group without user data', template: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')) },
    {
      name: 'nothing that bootstraps is told by another rule',
      template: own('AL2023', mime(shellPart('yum install -y jq'))),
    },
    {
      name: 'a plain script that EKS refuses is told by another rule',
      template: byEks('AL2023', '#!/bin/bash\nyum install -y jq'),
    },
    {
      name: 'a foreign bootstrap besides a part that is not known',
      template: template(
        'Parameters:\n  More: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(part('text/plain', '${More}'), shellPart(BOOTSTRAP)), IMAGES.AL2023),
      ),
    },
    {
      name: 'user data that is not base64',
      template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMAGES.AL2023, 'UserData: "#!/bin/bash"')),
    },
    {
      name: 'a launch template that no group uses',
      template: resources(CLUSTER, launchTemplate(IMAGES.AL2023, userData(`#!/bin/bash\n${BOOTSTRAP}`))),
    },
  ],
});
