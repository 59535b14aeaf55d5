import { nodeConfigDecoding } from '../../../lib/rules/node-bootstrap/node-config-decoding';
import { CLUSTER, launchTemplate, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  booting,
  CLUSTER_FIELDS,
  clusterBlock,
  CONDITION,
  mime,
  nodeConfig,
  nodeConfigPart,
  OWN_AMI,
  part,
  SELF_MANAGED,
  shellPart,
  userData,
  withEksAmi,
  withOwnAmi,
} from './user-data-templates';

const FLAGS = 'kubelet:\n  flags:\n    - --node-labels=tier=web';
const WHOLE = nodeConfig(clusterBlock(), FLAGS);

/** A whole NodeConfig with one text replaced. */
function changed(from: string, to: string): string {
  if (!WHOLE.includes(from)) throw new Error(`no ${from}`);
  return WHOLE.replace(from, to);
}

function inMime(text: string): string {
  return withOwnAmi(mime(part('application/node.eks.aws', text)));
}

const FIXED = inMime(WHOLE);

testRule(nodeConfigDecoding, {
  valid: [
    {
      name: 'a NodeConfig in JSON',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          OWN_AMI,
          'UserData:',
          '  Fn::Base64: |',
          '    {"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig",',
          '     "spec": {"kubelet": {"flags": ["--node-labels=a=b"]}}}',
        ),
      ),
    },
    { name: 'two parts', template: withOwnAmi(mime(nodeConfigPart(clusterBlock()), nodeConfigPart(FLAGS))) },
    { name: 'a leading document marker', template: inMime(`---\n${WHOLE}`) },
    { name: 'a document marker at the end, with nothing behind it', template: inMime(`${WHOLE}\n---\n# the end`) },
    {
      name: 'fields that are set to nothing',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock(), 'kubelet:', 'containerd: null'))),
    },
    {
      name: 'a repeated key, of which the last counts',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock(), 'featureGates: {}', 'featureGates: {}'))),
    },
    {
      name: 'a name that looks like a number and is quoted',
      template: inMime(changed(CLUSTER_FIELDS.name, "name: '123'")),
    },
    {
      name: 'values that are decided at deployment',
      template: inMime(
        changed('- --node-labels=tier=web', '- --node-labels=cluster=${Cluster}').replace(
          'name: main',
          'name: ${Cluster}',
        ),
      ),
    },
    {
      name: 'anything in the configuration of kubelet',
      template: withEksAmi(
        mime(
          nodeConfigPart(
            'kubelet:\n  config:\n    evictionHard: { memory.available: 5% }\n    clusterDNS: 172.20.0.10',
          ),
        ),
      ),
    },
    {
      name: 'text behind the MIME document is no NodeConfig',
      template: withOwnAmi(`${mime(nodeConfigPart(clusterBlock()))}\n# the end`),
    },
  ],
  invalid: [
    {
      name: 'flags that are text, not a list',
      template: inMime(changed('flags:\n      - --node-labels=tier=web', 'flags: --node-labels=tier=web')),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'flags:',
          related: ['LaunchTemplate:'],
          says: [
            'Launch template "Nodes" of node group "Workers"',
            '`spec.kubelet.flags` is "--node-labels=tier=web"; a list of strings is needed (line 16 of the user data)',
            'drops the whole configuration',
          ],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'a number among the flags',
      template: inMime(changed('- --node-labels=tier=web', '- 5')),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: '5\n',
          says: ['`spec.kubelet.flags.0` is the number 5'],
        },
      ],
    },
    {
      name: 'a tab for indentation',
      template: inMime(changed('  kubelet:', '\tkubelet:')),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: '\tkubelet:',
          says: ['it is no YAML that nodeadm can read', 'line 15'],
        },
      ],
    },
    {
      name: 'another version of the API',
      template: inMime(changed('node.eks.aws/v1alpha1', 'node.eks.aws/v1')),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'apiVersion:',
          says: ['`apiVersion` is "node.eks.aws/v1"; nodeadm reads only "node.eks.aws/v1alpha1"'],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'a beta version of the API, which there is not',
      template: inMime(changed('v1alpha1', 'v1beta1')),
      findings: [{ message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'apiVersion:' }],
    },
    {
      name: 'a kind in lower case',
      template: inMime(changed('kind: NodeConfig', 'kind: nodeconfig')),
      findings: [{ message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'kind:', says: ['"nodeconfig"'] }],
    },
    {
      name: 'no kind',
      template: inMime(changed('kind: NodeConfig\n', '')),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'apiVersion:',
          says: ['`kind` is missing'],
        },
      ],
    },
    {
      name: 'a list of service CIDRs',
      template: inMime(changed(CLUSTER_FIELDS.cidr, 'cidr: [172.20.0.0/16]')),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'cidr:',
          says: ['a list', 'a string is needed'],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'a name that is a number',
      template: inMime(changed(CLUSTER_FIELDS.name, 'name: 123')),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'name: 123',
          says: ['`spec.cluster.name` is the number 123'],
        },
      ],
    },
    {
      name: 'an expression for the number of pods that is a number',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock(), 'kubelet:\n  maxPodsExpression: 50'))),
      findings: [{ message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'maxPodsExpression:' }],
    },
    {
      name: 'a feature gate that is text',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock(), "featureGates:\n  InstanceIdNodeName: 'true'"))),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceIdNodeName:',
          says: ['true or false is needed'],
        },
      ],
    },
    {
      name: 'a part that EKS would add its own to',
      template: withEksAmi(mime(nodeConfigPart('kubelet:\n  flags: --node-labels=tier=web'))),
      findings: [{ message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'flags:' }],
    },
    {
      name: 'one bad part of a self-managed group, besides a good one',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        booting(mime(nodeConfigPart(clusterBlock()), nodeConfigPart('kubelet: []')), OWN_AMI),
      ),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'kubelet:',
          says: ['`spec.kubelet` is a list; a map is needed'],
        },
      ],
    },
    {
      name: 'two wrong types are two findings',
      template: inMime(changed(CLUSTER_FIELDS.name, 'name: 123').replace('- --node-labels=tier=web', '- true')),
      findings: [
        { message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'name: 123' },
        { message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'true' },
      ],
    },
    {
      name: 'nothing before a document marker',
      template: inMime(`# settings\n---\n---\n${WHOLE}`),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: '# settings',
          says: ['it is empty', 'reads only the first'],
        },
      ],
    },
    {
      name: 'a second document in one part',
      template: inMime(`${WHOLE}\n---\n${nodeConfig('kubelet:\n  config: { maxPods: 50 }')}`),
      findings: [
        {
          message: 'furtherDocument',
          severity: 'warning',
          resource: 'Nodes',
          at: '---\n',
          related: ['LaunchTemplate:'],
          says: ['line 18 of the user data', 'reads only the first'],
        },
      ],
      fixed: withOwnAmi(mime(nodeConfigPart(clusterBlock()), nodeConfigPart('kubelet:\n  config: { maxPods: 50 }'))),
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
          `    - ${JSON.stringify({ 'Fn::Base64': changed('kind: NodeConfig', 'kind: nodeconfig') })}`,
          `    - ${JSON.stringify({ 'Fn::Base64': WHOLE })}`,
        ),
      ),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'kind: nodeconfig',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'user data with a NodeConfig in one branch and a mere script in the other',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        launchTemplate(
          'UserData:',
          '  Fn::If:',
          '    - IsProduction',
          `    - ${JSON.stringify({ 'Fn::Base64': mime(nodeConfigPart('kubelet: 5')) })}`,
          `    - ${JSON.stringify({ 'Fn::Base64': mime(shellPart('echo')) })}`,
        ),
      ),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'kubelet:',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'two findings do not depend on a condition about the AMI',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup('AmiType: !If [IsProduction, !Ref AWS::NoValue, AL2023_x86_64_STANDARD]', USES_NODES),
        booting(
          mime(nodeConfigPart(clusterBlock(), 'kubelet: 5', 'containerd: 6')),
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
        ),
      ),
      findings: [
        { message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'kubelet:', omits: ['This happens'] },
        { message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'containerd:', omits: ['This happens'] },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a NodeConfig of which nothing is known',
      template: template(
        'Parameters:\n  Text: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(nodeConfigPart(clusterBlock()), part('application/node.eks.aws', '${Text}')), OWN_AMI),
      ),
      resources: ['Nodes'],
      because: 'Text',
    },
    {
      name: 'lines of which it is not known where they belong',
      template: template(
        'Parameters:\n  Lines: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(part('application/node.eks.aws', `${WHOLE}\n\${Lines}`)), OWN_AMI),
      ),
      resources: ['Nodes'],
      because: 'Lines',
    },
  ],
  notApplicable: [
    { name: 'a script only', template: withEksAmi(mime(shellPart('echo ready'))) },
    {
      name: 'no user data',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        launchTemplate('EbsOptimized: true'),
      ),
    },
    {
      name: 'a MIME part that is empty is told by another rule',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock()), part('application/node.eks.aws', ''))),
    },
    {
      name: 'an undecodable NodeConfig in a MIME document that ends nodeadm before',
      template: withOwnAmi(mime(nodeConfigPart('kubelet: 5')).replace('--//--', '')),
    },
    {
      name: 'a bare NodeConfig where EKS merges MIME documents is told by another rule',
      template: withEksAmi(nodeConfig('kubelet: 5')),
    },
    {
      name: 'a NodeConfig on AL2 is told by another rule',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        launchTemplate(userData(mime(nodeConfigPart('kubelet: 5')))),
      ),
    },
  ],
});
