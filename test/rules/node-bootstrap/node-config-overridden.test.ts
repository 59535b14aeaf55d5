import { nodeConfigOverridden } from '../../../lib/rules/node-bootstrap/node-config-overridden';
import { CLUSTER, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  booting,
  clusterBlock,
  CONDITION,
  mime,
  nodeConfig,
  nodeConfigPart,
  OWN_AMI,
  part,
  SELF_MANAGED,
  shellPart,
  withEksAmi,
  withNodeClass,
  withOwnAmi,
} from './user-data-templates';

const MAX_PODS = 'kubelet:\n  config:\n    maxPods: 110';
const EVICTION = 'kubelet:\n  config:\n    evictionHard: { memory.available: 5% }';
const FIXED = withEksAmi(mime(nodeConfigPart(EVICTION)));

testRule(nodeConfigOverridden, {
  valid: [
    { name: 'an AMI of its own', template: withOwnAmi(mime(nodeConfigPart(clusterBlock(), MAX_PODS))) },
    {
      name: 'a self-managed group',
      template: resources(CLUSTER, SELF_MANAGED, booting(nodeConfig(clusterBlock(), MAX_PODS), OWN_AMI)),
    },
    { name: 'what EKS does not set', template: FIXED },
    {
      name: 'a script that writes the NodeConfig to where it comes last',
      template: withEksAmi(
        mime(
          nodeConfigPart(MAX_PODS),
          shellPart(
            'mkdir -p /etc/eks/nodeadm.d',
            "cat > /etc/eks/nodeadm.d/50-pods.yaml <<'EOF'",
            nodeConfig(MAX_PODS),
            'EOF',
          ),
        ),
      ),
    },
    {
      name: "a number of pods of a node class that the user's flag beats, whatever Karpenter's NodeConfig says",
      template: withNodeClass('al2023@latest', nodeConfig(MAX_PODS, '  flags: ["--max-pods=110"]')),
    },
    {
      name: 'labels by a flag',
      template: withEksAmi(mime(nodeConfigPart('kubelet:\n  flags: ["--node-labels=tier=web"]'))),
    },
    {
      name: 'an empty list of DNS servers',
      template: withEksAmi(mime(nodeConfigPart('kubelet:\n  config: { clusterDNS: [] }'))),
    },
  ],
  invalid: [
    {
      name: 'a number of pods that Karpenter sets for its node class',
      template: withNodeClass('al2023@latest', nodeConfig(MAX_PODS)),
      findings: [
        {
          message: 'nodeClass',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['EC2NodeClass "default" sets `spec.kubelet.config.maxPods`'],
          advises: 'Set `maxPods` in `spec.kubelet`',
        },
      ],
      fixed: withNodeClass('al2023@latest', nodeConfig(EVICTION), { kubelet: { maxPods: 110 } }),
    },
    {
      name: 'a number of pods',
      template: withEksAmi(mime(nodeConfigPart(MAX_PODS))),
      findings: [
        {
          message: 'mayBeOverridden',
          severity: 'info',
          resource: 'Nodes',
          at: 'maxPods:',
          related: ['LaunchTemplate:'],
          says: [
            '`spec.kubelet.config.maxPods` (line 12 of the user data)',
            'the last one counts',
            "may run with EKS's value",
          ],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'an expression and DNS servers are two findings',
      template: withEksAmi(
        mime(nodeConfigPart('kubelet:\n  maxPodsExpression: max_pods - 2\n  config:\n    clusterDNS: [169.254.20.10]')),
      ),
      findings: [
        {
          message: 'overridden',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPodsExpression:',
          says: ['which nodeadm prefers to an expression'],
        },
        { message: 'mayBeOverridden', severity: 'info', resource: 'Nodes', at: 'clusterDNS:' },
      ],
    },
    {
      name: 'a flag is only remarked',
      template: withEksAmi(mime(nodeConfigPart('kubelet:\n  flags:\n    - --max-pods=58'))),
      findings: [
        {
          message: 'flag',
          severity: 'info',
          resource: 'Nodes',
          at: '--max-pods',
          related: ['LaunchTemplate:'],
          says: ['line 12', "isn't documented"],
        },
      ],
    },
    {
      name: 'the flag beats the number beside it, of which nothing is said',
      template: withEksAmi(mime(nodeConfigPart(MAX_PODS, '  flags: ["--max-pods=110"]'))),
      findings: [
        { message: 'flag', severity: 'info', resource: 'Nodes', at: '"--max-pods', says: ['lets the flag win'] },
      ],
    },
    {
      name: 'a script that only mentions the folder does not help',
      template: withEksAmi(
        mime(nodeConfigPart(MAX_PODS), shellPart('# /etc/eks/nodeadm.d/50-pods.yaml', 'ls /etc/eks/nodeadm.d/')),
      ),
      findings: [{ message: 'mayBeOverridden', severity: 'info', resource: 'Nodes', at: 'maxPods:' }],
    },
    {
      name: 'the branch without AMI is named',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          mime(nodeConfigPart(clusterBlock(), MAX_PODS)),
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
        ),
      ),
      findings: [
        {
          message: 'mayBeOverridden',
          severity: 'info',
          resource: 'Nodes',
          at: 'maxPods:',
          says: ['This happens when condition IsProduction is false'],
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
    { name: 'a script', template: withEksAmi(mime(shellPart('echo'))) },
    {
      name: 'a NodeConfig of which nothing is known',
      template: template(
        'Parameters:\n  Text: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        booting(mime(part('application/node.eks.aws', '${Text}'))),
      ),
    },
  ],
});
