import { nodeUserDataDuplicateBootstrap } from '../../../lib/rules/launch-template/node-user-data-duplicate-bootstrap';
import {
  booting,
  IMAGES,
  mime,
  nodeConfigPart,
  SELF_MANAGED,
  shellPart,
  userData,
  withNodeClass,
} from '../node-bootstrap/user-data-templates';
import { CLUSTER, launchTemplate, namedNodeGroup, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';

const AL2 = 'AmiType: AL2_x86_64';
const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const WINDOWS = 'AmiType: WINDOWS_CORE_2022_x86_64';

function byEks(amiType: string, text: string): string {
  return resources(
    "Cluster:\n  Type: AWS::EKS::Cluster\n  Properties: { RoleArn: 'arn:aws:iam::111122223333:role/cluster', Version: '1.32' }",
    nodeGroup(amiType, USES_NODES),
    booting(text),
  );
}

function scripted(amiType: string, ...lines: readonly string[]): string {
  return byEks(amiType, mime(shellPart(...lines)));
}

function powershell(...lines: readonly string[]): string {
  return byEks(WINDOWS, ['<powershell>', ...lines, '</powershell>'].join('\n'));
}

const QUIET = scripted(AL2, 'yum install -y jq');
const START = '& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main';

testRule(nodeUserDataDuplicateBootstrap, {
  valid: [
    {
      name: 'a script in a node class of AL2 that leaves the bootstrap to Karpenter',
      template: withNodeClass('al2@latest', '#!/bin/bash\nyum install -y jq\n# /etc/eks/bootstrap.sh main'),
    },
    {
      name: "a call in a node class of AL2 with Karpenter's taint",
      template: withNodeClass(
        'al2@latest',
        '#!/bin/bash\n/etc/eks/bootstrap.sh main --kubelet-extra-args "--register-with-taints=karpenter.sh/unregistered=:NoExecute"',
      ),
    },
    { name: 'a comment about bootstrap.sh', template: scripted(AL2, '# /etc/eks/bootstrap.sh is not called') },
    {
      name: 'a here-document with a script that calls it',
      template: scripted(
        AL2,
        "cat > /opt/rejoin.sh <<'END'",
        '#!/bin/bash',
        '/etc/eks/bootstrap.sh main',
        'systemctl restart kubelet',
        'END',
      ),
    },
    {
      name: 'a function that nobody calls',
      template: scripted(AL2, 'rejoin() {', '  /etc/eks/bootstrap.sh main', '}', 'yum install -y jq'),
    },
    {
      name: 'a call behind the end of the script',
      template: scripted(AL2, 'yum install -y jq', 'exit 0', '/etc/eks/bootstrap.sh main'),
    },
    { name: 'an edit of bootstrap.sh is no call', template: scripted(AL2, "sed -i 's/a/b/' /etc/eks/bootstrap.sh") },
    {
      name: 'kubelet is looked at, not started',
      template: scripted(
        AL2,
        'systemctl status kubelet',
        'systemctl start containerd',
        'cat /etc/kubernetes/kubelet/kubelet-config.json',
      ),
    },
    {
      name: 'kubelet is enabled, which starts nothing',
      template: scripted(AL2, 'systemctl enable kubelet', 'systemctl --quiet reenable kubelet.service'),
    },
    {
      name: 'kubelet is restarted only if it runs',
      template: scripted(
        AL2,
        'systemctl try-restart kubelet',
        'systemctl try-reload-or-restart kubelet',
        'systemctl condrestart kubelet',
      ),
    },
    {
      name: 'settings of kubelet in a NodeConfig',
      template: byEks(AL2023, mime(nodeConfigPart('kubelet:\n  flags: [--node-labels=team=shop]'))),
    },
    { name: 'a drop-in for nodeadm', template: scripted(AL2023, 'echo "{}" > /etc/eks/nodeadm.d/50-kubelet.yaml') },
    {
      name: 'a script that cloud-init can not start',
      template: byEks(
        AL2,
        mime(shellPart('/etc/eks/bootstrap.sh main', 'systemctl restart kubelet').replace('#!/bin/bash', 'set -e')),
      ),
    },
    { name: 'nodeadm init is told by another rule', template: scripted(AL2023, 'nodeadm init') },
    { name: 'PowerShell that does something else', template: powershell('Write-Host "no Start-EKSBootstrap"') },
    { name: 'a comment in PowerShell', template: powershell(`# ${START}`, 'Write-Host hello') },
  ],
  invalid: [
    {
      name: 'a call in a node class of AL2, to which Karpenter adds its own',
      template: withNodeClass(
        'al2@latest',
        '#!/bin/bash\n/etc/eks/bootstrap.sh main --use-max-pods false --kubelet-extra-args "--max-pods=110"',
      ),
      findings: [
        {
          message: 'karpenterBootstrap',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['on line 2', 'karpenter.sh/unregistered'],
          advises: '`spec.kubelet`',
        },
      ],
      also: ['karpenter-node-class'],
      fixed: withNodeClass('al2@latest', '#!/bin/bash\nyum install -y jq'),
    },
    {
      name: 'bootstrap.sh on AL2',
      template: scripted(AL2, 'set -o errexit', '/etc/eks/bootstrap.sh main', 'yum install -y jq'),
      findings: [
        {
          message: 'bootstrapScript',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          related: ['LaunchTemplate:'],
          says: ['line 9', 'names no AMI', "doesn't restart it"],
          omits: ['condition'],
        },
      ],
      fixed: QUIET,
    },
    {
      name: 'bootstrap.sh under a condition',
      template: scripted(AL2, 'if [ "$CUSTOM" = 1 ]; then', '  /etc/eks/bootstrap.sh main', 'fi'),
      findings: [
        {
          message: 'bootstrapScript',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['under a condition'],
        },
      ],
    },
    {
      name: 'bootstrap.sh where it exists',
      template: scripted(AL2, '[ -x /etc/eks/bootstrap.sh ] && sudo /etc/eks/bootstrap.sh main'),
      findings: [
        { message: 'bootstrapScript', severity: 'warning', resource: 'Nodes', at: '/etc/eks/bootstrap.sh main' },
      ],
    },
    {
      name: 'bootstrap.sh in a function that is called',
      template: scripted(AL2, 'join() {', '  /etc/eks/bootstrap.sh main', '}', 'join'),
      findings: [
        {
          message: 'bootstrapScript',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['in a function'],
        },
      ],
    },
    {
      name: 'Start-EKSBootstrap on Windows',
      template: powershell(START),
      findings: [
        {
          message: 'windowsBootstrap',
          severity: 'error',
          resource: 'Nodes',
          at: '& "C:',
          related: ['LaunchTemplate:'],
          says: ['line 2'],
        },
      ],
      fixed: powershell('Write-Host hello'),
    },
    {
      name: 'Start-EKSBootstrap under a condition',
      template: powershell('if ($env:CUSTOM) {', START, '}'),
      findings: [
        {
          message: 'windowsBootstrap',
          severity: 'warning',
          resource: 'Nodes',
          at: '& "C:',
          says: ['under a condition'],
        },
      ],
    },
    {
      name: 'kubelet is started on AL2023, where it has its configuration already',
      template: scripted(AL2023, 'systemctl enable --now kubelet'),
      findings: [
        {
          message: 'kubeletEarly',
          severity: 'warning',
          resource: 'Nodes',
          at: 'systemctl',
          related: ['LaunchTemplate:'],
          says: ['line 8', 'once all scripts have ended'],
        },
      ],
      fixed: scripted(AL2023, 'systemctl enable --now chronyd'),
    },
    {
      name: 'kubelet is enabled and started at once on AL2',
      template: scripted(AL2, 'systemctl reenable --now kubelet'),
      findings: [
        {
          message: 'kubeletStart',
          severity: 'error',
          resource: 'Nodes',
          at: 'systemctl',
          related: ['LaunchTemplate:'],
        },
      ],
    },
    {
      name: 'kubelet is restarted and its file edited on AL2',
      template: scripted(
        AL2,
        'echo "KUBELET_EXTRA_ARGS=--max-pods=20" > /etc/sysconfig/kubelet',
        'systemctl restart kubelet.service',
      ),
      findings: [
        {
          message: 'kubeletFile',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/sysconfig/kubelet',
          related: ['LaunchTemplate:'],
          says: ['/etc/sysconfig/kubelet', 'line 8'],
        },
        { message: 'kubeletStart', severity: 'error', resource: 'Nodes', at: 'systemctl', says: ['line 9'] },
      ],
    },
    {
      name: 'the configuration of kubelet is edited in place on AL2, as is often done',
      template: scripted(AL2, "sed -i 's/110/20/' /etc/kubernetes/kubelet/kubelet-config.json"),
      findings: [
        {
          message: 'kubeletFile',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/kubernetes/kubelet/kubelet-config.json',
        },
      ],
      fixed: QUIET,
    },
    {
      name: 'the same on AL2023, where nobody reads the file',
      template: scripted(AL2023, "sed -i 's/110/20/' /etc/kubernetes/kubelet/kubelet-config.json"),
      findings: [
        {
          message: 'kubeletFileUnread',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/kubernetes/kubelet/kubelet-config.json',
          related: ['LaunchTemplate:'],
          says: ['no effect'],
        },
      ],
    },
    {
      name: 'behind `&&` of a command that makes the new text, which is no condition to speak of',
      template: scripted(AL2023, 'jq .a=1 /tmp/b > /tmp/a && mv /tmp/a /etc/kubernetes/kubelet/kubelet-config.json'),
      findings: [
        {
          message: 'kubeletFileUnread',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/kubernetes/kubelet/kubelet-config.json',
          omits: ['under a condition'],
        },
      ],
    },
    {
      name: 'behind a test',
      template: scripted(AL2023, '[ -f /tmp/a ] && mv /tmp/a /etc/kubernetes/kubelet/kubelet-config.json'),
      findings: [
        {
          message: 'kubeletFileUnread',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/kubernetes/kubelet/kubelet-config.json',
          says: ['under a condition'],
        },
      ],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', AL2023, USES_NODES),
        namedNodeGroup('Green', AL2023, USES_NODES),
        booting(mime(shellPart('service kubelet start'))),
      ),
      findings: [
        {
          message: 'kubeletEarly',
          severity: 'warning',
          resource: 'Nodes',
          at: 'service kubelet',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'an AMI under a condition: without it EKS bootstraps',
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
          userData(mime(shellPart('systemctl start kubelet'))),
        ),
      ),
      findings: [
        {
          message: 'kubeletEarly',
          severity: 'warning',
          resource: 'Nodes',
          at: 'systemctl',
          says: ['condition IsProduction is false'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'the whole bootstrap in a node class whose user data Karpenter hands on',
      template: withNodeClass('al2@latest', '#!/bin/bash\n/etc/eks/bootstrap.sh main', { amiFamily: 'Custom' }),
    },
    {
      name: 'an AMI of AL2 with the call of bootstrap.sh',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(shellPart('/etc/eks/bootstrap.sh main')), IMAGES.AL2),
      ),
    },
    {
      name: 'a self-managed group with the call of bootstrap.sh',
      template: resources(CLUSTER, SELF_MANAGED, booting('#!/bin/bash\n/etc/eks/bootstrap.sh main', IMAGES.AL2)),
    },
    {
      name: 'bootstrap.sh on AL2023 is told by another rule',
      template: scripted(AL2023, '/etc/eks/bootstrap.sh main'),
    },
    { name: 'a plain script is refused as a whole', template: byEks(AL2, '#!/bin/bash\n/etc/eks/bootstrap.sh main') },
    { name: 'Bottlerocket', template: byEks('AmiType: BOTTLEROCKET_x86_64', '[settings.kubernetes]\nmax-pods = 20') },
    { name: 'a group without user data', template: resources(CLUSTER, nodeGroup(AL2023)) },
  ],
});
