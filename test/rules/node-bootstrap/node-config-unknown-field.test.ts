import { nodeConfigUnknownField } from '../../../lib/rules/node-bootstrap/node-config-unknown-field';
import { CLUSTER, launchTemplate, nodeGroup, resources, template, USES_NODES } from '../node-templates';
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
  withOwnAmi,
} from './user-data-templates';

const KUBELET = 'kubelet:\n  flags: ["--node-labels=tier=web"]';

function more(...spec: readonly string[]): string {
  return withOwnAmi(mime(nodeConfigPart(clusterBlock(), ...spec)));
}

testRule(nodeConfigUnknownField, {
  valid: [
    {
      name: 'anything in the configuration of kubelet',
      template: more('kubelet:\n  config:\n    anything: { deeper: true }\n    maxPods: 50'),
    },
    {
      name: 'anything in the runtime specification and the environment',
      template: more(
        'containerd:\n  baseRuntimeSpec: { process: { rlimits: [] } }',
        'instance:\n  environment:\n    containerd: { HTTPS_PROXY: http://proxy }',
      ),
    },
    {
      name: 'metadata',
      template: withOwnAmi(
        mime(
          part(
            'application/node.eks.aws',
            nodeConfig(clusterBlock()).replace('spec:', 'metadata:\n  name: workers\n  labels: { a: b }\nspec:'),
          ),
        ),
      ),
    },
    {
      name: 'every field that there is',
      template: more(
        'kubelet:\n  config: {}\n  flags: []\n  maxPodsExpression: max_pods - 2',
        'containerd:\n  config: "version = 2"\n  baseRuntimeSpec: {}',
        'instance:\n  localStorage: { strategy: Mount, mountPath: /mnt/disks, disabledMounts: [SOCI] }\n  environment: {}\n  network: { nameservers: [10.0.0.2], domains: [example.com] }',
        'featureGates: { FastImagePull: true }',
      ),
    },
    { name: 'a NodeConfig that EKS adds to', template: withEksAmi(mime(nodeConfigPart(KUBELET))) },
  ],
  invalid: [
    {
      name: 'another name for the endpoint',
      template: withOwnAmi(
        mime(nodeConfigPart(clusterBlock({ cidr: 'cidr: 172.20.0.0/16\n  endpoint: https://example.com' }))),
      ),
      findings: [
        {
          message: 'unknown',
          severity: 'warning',
          resource: 'Nodes',
          at: 'endpoint: https://example.com',
          related: ['LaunchTemplate:'],
          says: ['`spec.cluster.endpoint` on line 15', 'it reads `spec.cluster.apiServerEndpoint`', 'no effect'],
        },
      ],
      fixed: more(),
    },
    {
      name: 'a field in the wrong case',
      template: more('kubelet:\n  Flags: ["--node-labels=tier=web"]'),
      findings: [
        { message: 'unknown', severity: 'warning', resource: 'Nodes', at: 'Flags:', says: ['`spec.kubelet.flags`'] },
      ],
      fixed: more(KUBELET),
    },
    {
      name: 'a setting of kubelet beside its configuration',
      template: more('kubelet:\n  maxPods: 50'),
      findings: [
        {
          message: 'unknown',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods:',
          says: ['`spec.kubelet.config`'],
          omits: ['maxPodsExpression'],
        },
      ],
    },
    {
      name: 'settings of kubelet below the cluster',
      template: more('  kubelet:\n    config: { maxPods: 50 }'),
      findings: [
        {
          message: 'misplaced',
          severity: 'error',
          resource: 'Nodes',
          at: 'kubelet:',
          related: ['LaunchTemplate:'],
          says: ['`spec.cluster.kubelet`', 'nodeadm reads `spec.kubelet`', 'everything below it'],
        },
      ],
      fixed: more('kubelet:\n  config: { maxPods: 50 }'),
    },
    {
      name: 'the cluster below kubelet is one finding, although all of the cluster is missing then',
      template: withOwnAmi(mime(nodeConfigPart('kubelet:', `  ${clusterBlock().replaceAll('\n', '\n  ')}`))),
      findings: [
        { message: 'misplaced', severity: 'error', resource: 'Nodes', at: 'cluster:', says: ['`spec.cluster`'] },
      ],
    },
    {
      name: 'a misplaced block where EKS adds the cluster',
      template: withEksAmi(mime(nodeConfigPart('cluster:\n  kubelet:\n    flags: []'))),
      findings: [{ message: 'misplaced', severity: 'error', resource: 'Nodes', at: 'kubelet:' }],
    },
    {
      name: 'a self-managed group with a bare NodeConfig',
      template: resources(CLUSTER, SELF_MANAGED, booting(nodeConfig(clusterBlock(), 'labels: { tier: web }'), OWN_AMI)),
      findings: [{ message: 'unknown', severity: 'warning', resource: 'Nodes', at: 'labels:', says: ['line 9'] }],
    },
    {
      name: 'user data of one branch of a condition',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          OWN_AMI,
          'UserData:',
          '  Fn::If:',
          '    - IsProduction',
          `    - ${JSON.stringify({ 'Fn::Base64': nodeConfig(clusterBlock(), 'extra: 1') })}`,
          `    - ${JSON.stringify({ 'Fn::Base64': nodeConfig(clusterBlock()) })}`,
        ),
      ),
      findings: [
        {
          message: 'unknown',
          severity: 'warning',
          resource: 'Nodes',
          at: 'extra: 1',
          says: ['This happens when condition IsProduction is true'],
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
    { name: 'a NodeConfig that can not be read', template: withOwnAmi(mime(nodeConfigPart('\tcluster:'))) },
    {
      name: 'a NodeConfig of which nothing is known',
      template: template(
        'Parameters:\n  Text: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(nodeConfigPart(clusterBlock()), part('application/node.eks.aws', '${Text}')), OWN_AMI),
      ),
    },
    { name: 'a script', template: withEksAmi(mime(shellPart('echo'))) },
  ],
});
