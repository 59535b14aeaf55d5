import { nodeadmInitInUserData } from '../../../lib/rules/node-bootstrap/nodeadm-init-in-user-data';
import { CLUSTER, namedNodeGroup, nodeGroup, resources, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  booting,
  clusterBlock,
  IMAGES,
  mime,
  nodeConfigPart,
  OWN_AMI,
  SELF_MANAGED,
  shellPart,
  withEksAmi,
  withOwnAmi,
} from './user-data-templates';

const NODE_CONFIG = nodeConfigPart(clusterBlock());

function own(text: string): string {
  return resources(CLUSTER, nodeGroup(USES_NODES), booting(text, IMAGES.AL2023));
}

testRule(nodeadmInitInUserData, {
  valid: [
    { name: 'nodeadm that only checks', template: own(mime(NODE_CONFIG, shellPart('nodeadm config check'))) },
    { name: 'a comment', template: own(mime(NODE_CONFIG, shellPart('# nodeadm init is not for us'))) },
    {
      name: 'a mere mention',
      template: own(mime(NODE_CONFIG, shellPart('echo "nodeadm init"', 'systemctl status nodeadm-run'))),
    },
    { name: 'its help', template: own(mime(NODE_CONFIG, shellPart('nodeadm init --help'))) },
    {
      name: 'a here-document',
      template: withEksAmi(mime(shellPart("cat > /opt/again.sh <<'END'", 'nodeadm init', 'END'))),
    },
    { name: 'a file for nodeadm', template: withEksAmi(mime(shellPart('echo "{}" > /etc/eks/nodeadm.d/50.yaml'))) },
    { name: 'a function that nobody calls', template: withEksAmi(mime(shellPart('again() {', '  nodeadm init', '}'))) },
    {
      name: 'a script that cloud-init can not start',
      template: withEksAmi(mime(NODE_CONFIG, shellPart('nodeadm init').replace('#!/bin/bash', 'set -e'))),
    },
    { name: 'no script at all', template: withEksAmi(mime(nodeConfigPart('kubelet: {}'))) },
  ],
  invalid: [
    {
      name: 'a script of an AMI of AL2023',
      template: own('#!/bin/bash\nnodeadm init'),
      findings: [
        {
          message: 'alone',
          severity: 'warning',
          resource: 'Nodes',
          at: 'nodeadm init',
          related: ['LaunchTemplate:'],
          says: ['Launch template "Nodes" of node group "Workers"', 'line 2', 'holds no NodeConfig'],
        },
      ],
      fixed: own(mime(NODE_CONFIG)),
    },
    {
      name: 'a script besides the NodeConfig of EKS',
      template: withEksAmi(mime(shellPart('yum install -y jq', '/usr/bin/nodeadm init --skip run'))),
      findings: [
        {
          message: 'init',
          severity: 'warning',
          resource: 'Nodes',
          at: '/usr/bin/nodeadm init',
          says: ['line 9', 'twice'],
        },
      ],
      fixed: withEksAmi(mime(shellPart('yum install -y jq'))),
    },
    {
      name: 'AL2023 whose script caters for two systems',
      template: own(
        '#!/bin/bash\nif [ -x /usr/bin/nodeadm ]; then\n  nodeadm init\nelse\n  /etc/eks/bootstrap.sh main\nfi',
      ),
      findings: [{ message: 'alone', severity: 'warning', resource: 'Nodes', at: 'nodeadm init', says: ['line 3'] }],
    },
    {
      name: 'an AMI of its own with a NodeConfig in the user data',
      template: withOwnAmi(mime(NODE_CONFIG, shellPart('nodeadm init'))),
      findings: [{ message: 'init', severity: 'warning', resource: 'Nodes', at: 'nodeadm init' }],
    },
    {
      name: 'a self-managed group',
      template: resources(CLUSTER, SELF_MANAGED, booting(mime(NODE_CONFIG, shellPart('nodeadm init')), IMAGES.AL2023)),
      findings: [{ message: 'init', severity: 'warning', resource: 'Nodes', at: 'nodeadm init' }],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        booting(mime(NODE_CONFIG, shellPart('nodeadm init')), OWN_AMI),
      ),
      findings: [
        {
          message: 'init',
          severity: 'warning',
          resource: 'Nodes',
          at: 'nodeadm init',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
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
    {
      name: 'an AMI of its own, such as Ubuntu, that may have no services for nodeadm',
      template: withOwnAmi('#!/bin/bash\nset -e\nsudo nodeadm init -c file:///etc/eks/node.yaml'),
      resources: ['Nodes'],
      because: 'ami-0123456789abcdef0',
    },
    {
      name: 'an AMI of its own whose script caters for two systems',
      template: withOwnAmi(
        '#!/bin/bash\nif [ -x /usr/bin/nodeadm ]; then\n  nodeadm init\nelse\n  /etc/eks/bootstrap.sh main\nfi',
      ),
      resources: ['Nodes'],
    },
  ],
  notApplicable: [
    {
      name: 'nodeadm on AL2 is told by another rule',
      template: resources(CLUSTER, nodeGroup(USES_NODES), booting('#!/bin/bash\nnodeadm init', IMAGES.AL2)),
    },
    {
      name: 'a plain script that EKS refuses is told by another rule',
      template: withEksAmi('#!/bin/bash\nnodeadm init'),
    },
    {
      name: 'a script that installs nodeadm itself, as for hybrid nodes',
      template: withOwnAmi(
        '#!/bin/bash\ncurl -OL https://example.com/nodeadm\nchmod +x nodeadm\n./nodeadm install 1.33 --credential-provider ssm\n./nodeadm init -c file://node.yaml',
      ),
    },
    {
      name: 'Bottlerocket',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', USES_NODES),
        booting('[settings.kubernetes]\nmax-pods = 20'),
      ),
    },
    { name: 'a group without user data', template: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')) },
  ],
});
