import { nodeLabelReserved } from '../../../lib/rules/launch-template/node-label-reserved';
import { config, managed } from '../../front-ends/eksctl/configs';
import {
  booting,
  clusterBlock,
  CONDITION,
  IMAGES,
  mime,
  nodeConfigPart,
  OWN_AMI,
  SELF_MANAGED,
  shellPart,
  withEksAmi,
  withOwnAmi,
} from '../node-bootstrap/user-data-templates';
import {
  CLUSTER,
  launchTemplate,
  manifest,
  namedNodeGroup,
  nodeGroup,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule, type ExpectedFinding } from '../rule-tester';

const OLD_CLUSTER = CLUSTER.replace('1.33', '1.32');
const WORKER = 'node-role.kubernetes.io/worker';
const ROLE = 'node.kubernetes.io/role';
const PARAMETER = 'Parameters:\n  Value: { Type: String }';
const SETTINGS = [
  '[settings.kubernetes]',
  'cluster-name = "main"',
  'api-server = "https://0123.gr7.eu-west-1.eks.amazonaws.com"',
  `cluster-certificate = "${Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64')}"`,
].join('\n');

function labels(...lines: readonly string[]): string {
  return ['Labels:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** A managed group that EKS bootstraps, with labels of its own. */
function group(...lines: readonly string[]): string {
  return resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD', labels(...lines)));
}

/** A managed group with the public AMI of a system and this user data. */
function own(family: keyof typeof IMAGES, text: string): string {
  return resources(OLD_CLUSTER, nodeGroup(USES_NODES), booting(text, IMAGES[family]));
}

function flags(...items: readonly string[]): string {
  return withOwnAmi(
    mime(nodeConfigPart(clusterBlock(), 'kubelet:', '  flags:', ...items.map((item) => `    - ${item}`))),
  );
}

function bootstrapScript(extra: string): string {
  return own('AL2', `#!/bin/bash\n/etc/eks/bootstrap.sh main --kubelet-extra-args ${extra}`);
}

function powershell(extra: string): string {
  return own(
    'WINDOWS',
    `<powershell>\n& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main -KubeletExtraArgs ${extra}\n</powershell>`,
  );
}

function inGroup(at: string, severity: ExpectedFinding['severity'], ...says: readonly string[]): ExpectedFinding {
  return { message: 'group', severity, resource: 'Workers', at, says };
}

function inUserData(at: string, ...says: readonly string[]): ExpectedFinding {
  return { message: 'userData', severity: 'error', resource: 'Nodes', at, says };
}

testRule(nodeLabelReserved, {
  valid: [
    {
      name: 'labels that anybody may set',
      template: group(
        'node.kubernetes.io/role: worker',
        'mycorp.io/x: y',
        'topology.kubernetes.io/zone: eu-west-1a',
        'tier: web',
        'notkubernetes.io/x: y',
        'sub.node.kubernetes.io/x: y',
        'kubelet.kubernetes.io/x: y',
      ),
    },
    {
      name: 'the labels that kubelet sets itself',
      template: group(
        'kubernetes.io/os: linux',
        'kubernetes.io/arch: amd64',
        'beta.kubernetes.io/instance-type: m5.large',
        'failure-domain.beta.kubernetes.io/zone: eu-west-1a',
      ),
    },
    { name: 'a label whose value looks like a reserved key', template: group(`team: ${WORKER}`) },
    {
      name: 'a reserved key as a taint',
      template: resources(
        CLUSTER,
        nodeGroup(labels('tier: web'), `Taints: [{ Key: ${WORKER}, Value: 'yes', Effect: NO_SCHEDULE }]`),
      ),
    },
    {
      name: 'a reserved key on a namespace',
      template: resources(
        CLUSTER,
        nodeGroup(labels('tier: web')),
        manifest('Web', {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: 'web', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
        }),
      ),
    },
    {
      name: 'a label value that is not known',
      template: template(PARAMETER, CLUSTER, nodeGroup(labels('mycorp.io/x: !Ref Value'))),
    },
    { name: 'labels in a NodeConfig', template: flags(`"--node-labels=${ROLE}=worker,mycorp.io/x=y"`) },
    {
      name: 'a taint in a NodeConfig',
      template: flags('"--node-labels=tier=web"', `"--register-with-taints=${WORKER}=yes:NoSchedule"`),
    },
    {
      name: 'labels of EKS in a NodeConfig, as EKS writes them itself',
      template: flags('"--node-labels=eks.amazonaws.com/nodegroup=workers"'),
    },
    {
      name: 'a value in a NodeConfig that is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          mime(nodeConfigPart(clusterBlock(), 'kubelet:', '  flags: ["--node-labels=mycorp.io/x=${Value}"]')),
          OWN_AMI,
        ),
      ),
    },
    {
      name: 'a name in a free domain that is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          mime(
            nodeConfigPart(clusterBlock(), 'kubelet:', '  flags: ["--node-labels=node.kubernetes.io/${Value}=yes"]'),
          ),
          OWN_AMI,
        ),
      ),
    },
    { name: 'labels for bootstrap.sh', template: bootstrapScript(`'--node-labels=${ROLE}=worker --max-pods=20'`) },
    {
      name: 'a value that a script finds out',
      template: bootstrapScript('"--node-labels=mycorp.io/az=$AZ,lifecycle=spot"'),
    },
    { name: 'labels for Start-EKSBootstrap.ps1', template: powershell(`"--node-labels=${ROLE}=worker"`) },
    {
      name: 'labels of Bottlerocket',
      template: own('BOTTLEROCKET', `${SETTINGS}\n[settings.kubernetes.node-labels]\n"${ROLE}" = "worker"`),
    },
  ],
  invalid: [
    {
      name: 'a role in a ClusterConfig, which eksctl refuses itself',
      template: config(managed('labels: {node-role.kubernetes.io/worker: a}')),
      findings: [
        {
          message: 'group',
          severity: 'error',
          resource: 'workers',
          at: 'node-role.kubernetes.io/worker',
          says: ['eksctl refuses the whole file, and makes nothing'],
          omits: ['kubelet exits'],
        },
      ],
      fixed: config(managed('labels: {example.com/worker: a}')),
    },
    {
      name: 'a role',
      template: group(`${WORKER}: 'true'`),
      findings: [
        inGroup(
          WORKER,
          'error',
          'Node group "Workers" sets the label `node-role.kubernetes.io/worker`',
          "which nodes mustn't give themselves",
          'kubelet exits on it',
        ),
      ],
      fixed: group('example.com/worker: "true"'),
    },
    {
      name: 'several labels are several findings',
      template: group(
        'k8s.io/foo: bar',
        'tier: web',
        'node-restriction.kubernetes.io/x: y',
        'kubernetes.io/role: web',
        'sub.k8s.io/x: y',
      ),
      findings: ['k8s.io/foo', 'node-restriction', 'kubernetes.io/role', 'sub.k8s'].map((at) => inGroup(at, 'error')),
    },
    {
      name: 'a label of EKS',
      template: group('eks.amazonaws.com/nodegroup: workers', 'compute.eks.amazonaws.com/x: y'),
      findings: ['eks.amazonaws.com/nodegroup', 'compute.eks'].map(
        (at): ExpectedFinding => ({
          message: 'eks',
          severity: 'warning',
          resource: 'Workers',
          at,
          says: ['EKS keeps for its own labels'],
        }),
      ),
      fixed: group('mycorp.io/nodegroup: workers'),
    },
    {
      name: 'a group whose launch template brings the AMI',
      template: resources(
        CLUSTER,
        nodeGroup(labels(`${WORKER}: 'true'`), USES_NODES),
        booting(mime(nodeConfigPart(clusterBlock())), OWN_AMI),
      ),
      findings: [inGroup(WORKER, 'warning', "isn't documented")],
    },
    {
      name: 'a group whose launch template may bring the AMI',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(labels(`${WORKER}: 'true'`), USES_NODES),
        launchTemplate('ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]'),
      ),
      findings: [inGroup(WORKER, 'error')],
    },
    {
      name: 'one branch of a condition has the label',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(`Labels: !If [IsProduction, { ${WORKER}: 'true' }, { tier: web }]`),
      ),
      findings: [inGroup(WORKER, 'error', 'condition IsProduction is true')],
    },
    {
      name: 'a group of Bottlerocket',
      template: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64', labels(`${WORKER}: 'true'`))),
      findings: [inGroup(WORKER, 'error')],
    },
    {
      name: 'a NodeConfig',
      template: flags(`"--node-labels=tier=web,${WORKER}=yes"`),
      findings: [
        inUserData(
          WORKER,
          'Launch template "Nodes" of node group "Workers" sets the label `node-role.kubernetes.io/worker` (`--node-labels`, line 17 of the user data)',
          'never join',
        ),
      ],
      fixed: flags(`"--node-labels=tier=web,${ROLE}=yes"`),
    },
    {
      name: 'a NodeConfig with flag and value in two items',
      template: flags('"--node-labels"', `"${WORKER}=yes"`),
      findings: [inUserData(WORKER, 'line 18')],
    },
    {
      name: 'a NodeConfig besides the bootstrap of EKS',
      template: withEksAmi(mime(nodeConfigPart('kubelet:', '  flags: ["--node-labels=k8s.io/foo=bar"]'))),
      findings: [inUserData('k8s.io/foo', 'k8s.io/foo')],
    },
    {
      name: 'a NodeConfig with a name that is not known in a domain that is',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          mime(
            nodeConfigPart(
              clusterBlock(),
              'kubelet:',
              '  flags: ["--node-labels=node-role.kubernetes.io/${Value}=yes"]',
            ),
          ),
          OWN_AMI,
        ),
      ),
      findings: [{ ...inUserData('node-role', '`node-role.kubernetes.io/${Value}`'), at: '"--node-labels' }],
    },
    {
      name: 'the second of two NodeConfigs',
      template: withOwnAmi(
        mime(
          nodeConfigPart(clusterBlock(), 'kubelet:', '  flags: ["--node-labels=tier=web"]'),
          nodeConfigPart('kubelet:', `  flags: ["--node-labels=${WORKER}=yes"]`),
        ),
      ),
      findings: [inUserData(WORKER, 'line 25')],
    },
    {
      name: 'bootstrap.sh',
      template: bootstrapScript(`'--max-pods=20 --node-labels=lifecycle=spot,${WORKER}=yes'`),
      findings: [inUserData(WORKER, '`--node-labels`, line 2')],
      fixed: bootstrapScript(`'--max-pods=20 --node-labels=lifecycle=spot,${ROLE}=yes'`),
    },
    {
      name: 'bootstrap.sh, with a blank instead of =',
      template: bootstrapScript(`"--node-labels ${WORKER}=$WORKER"`),
      findings: [inUserData(WORKER, WORKER)],
    },
    {
      name: 'bootstrap.sh on a self-managed group',
      template: resources(
        OLD_CLUSTER,
        SELF_MANAGED,
        booting(
          `#!/bin/bash\n/etc/eks/bootstrap.sh main --kubelet-extra-args '--node-labels=${WORKER}=yes'`,
          IMAGES.AL2,
        ),
      ),
      findings: [inUserData(WORKER, 'node group "Workers"')],
    },
    {
      name: 'bootstrap.sh in a MIME part',
      template: own(
        'AL2',
        mime(shellPart(`/etc/eks/bootstrap.sh main --kubelet-extra-args '--node-labels=${WORKER}=yes'`)),
      ),
      findings: [inUserData(WORKER, 'line 8')],
    },
    {
      name: 'Start-EKSBootstrap.ps1',
      template: powershell(`"--node-labels=${WORKER}=yes"`),
      findings: [inUserData(WORKER, 'line 2')],
      fixed: powershell(`"--node-labels=${ROLE}=yes"`),
    },
    {
      name: 'settings of Bottlerocket',
      template: own('BOTTLEROCKET', `${SETTINGS}\n[settings.kubernetes.node-labels]\n"${WORKER}" = "yes"`),
      findings: [inUserData(`"${WORKER}"`, '`settings.kubernetes.node-labels`, line 6')],
      fixed: own('BOTTLEROCKET', `${SETTINGS}\n[settings.kubernetes.node-labels]\n"${ROLE}" = "yes"`),
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        booting(mime(nodeConfigPart(clusterBlock(), 'kubelet:', `  flags: ["--node-labels=${WORKER}=yes"]`)), OWN_AMI),
      ),
      findings: [inUserData(WORKER, 'node groups "Blue" and "Green"')],
    },
  ],
  unverifiable: [
    {
      name: 'labels that are not known',
      template: template(PARAMETER, CLUSTER, nodeGroup('Labels: !Ref Value')),
      resources: ['Workers'],
      because: 'Value',
    },
    {
      name: 'a domain that is not known, in a NodeConfig',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          mime(nodeConfigPart(clusterBlock(), 'kubelet:', '  flags: ["--node-labels=${Value}/role=yes"]')),
          OWN_AMI,
        ),
      ),
      resources: ['Nodes'],
      because: '${Value}/role',
    },
    {
      name: 'a key that a script finds out',
      template: bootstrapScript('"--node-labels=$KEY=yes"'),
      resources: ['Nodes'],
      because: '$KEY',
    },
    {
      name: 'a name in a domain of which kubelet takes some',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          mime(nodeConfigPart(clusterBlock(), 'kubelet:', '  flags: ["--node-labels=kubernetes.io/${Value}=yes"]')),
          OWN_AMI,
        ),
      ),
      resources: ['Nodes'],
      because: 'kubernetes.io/${Value}',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a group without labels', template: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')) },
    { name: 'a NodeConfig without labels', template: flags('"--max-pods=20"') },
    {
      name: 'a script of AL2 that EKS bootstraps besides',
      template: resources(
        OLD_CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        booting(mime(shellPart(`echo "--node-labels=${WORKER}=yes"`))),
      ),
    },
    {
      name: 'a bootstrap of another system, of which another rule tells',
      template: own(
        'AL2023',
        `#!/bin/bash\n/etc/eks/bootstrap.sh main --kubelet-extra-args '--node-labels=${WORKER}=yes'`,
      ),
    },
    {
      name: 'a comment',
      template: own('AL2', `#!/bin/bash\n# --node-labels=${WORKER}=yes\n/etc/eks/bootstrap.sh main`),
    },
    {
      name: 'labels of a pool of Karpenter',
      template: resources(
        CLUSTER,
        manifest('Pool', {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          metadata: { name: 'default' },
          spec: { template: { metadata: { labels: { [WORKER]: 'yes' } } } },
        }),
      ),
    },
    {
      name: 'a launch template that no group uses',
      template: resources(
        CLUSTER,
        booting(mime(nodeConfigPart('kubelet:', `  flags: ["--node-labels=${WORKER}=yes"]`)), OWN_AMI),
      ),
    },
  ],
});
