import { kubeletFeatureGate } from '../../../lib/rules/node-bootstrap/kubelet-feature-gate';
import { CLUSTER, cluster, nodeGroup, resources, template, USES_NODES } from '../node-templates';
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
  withEksAmi,
  withOwnAmi,
} from './user-data-templates';

const GATE = 'DisableKubeletCloudCredentialProviders';
const OLDER = cluster("Version: '1.32'");

/** An AL2 group with an AMI of its own whose script passes these flags to kubelet. */
function al2(flags: string, version = '1.32'): string {
  return resources(
    cluster(`Version: '${version}'`),
    nodeGroup(USES_NODES),
    booting(mime(shellPart(`/etc/eks/bootstrap.sh main --kubelet-extra-args '${flags}'`)), OWN_AMI),
  );
}

/** A Windows group with an AMI of its own whose script passes these flags to kubelet. */
function windows(flags: string, version = '1.32', image: string = OWN_AMI): string {
  const call = `& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main -KubeletExtraArgs "${flags}"`;
  return resources(
    cluster(`Version: '${version}'`),
    nodeGroup(USES_NODES),
    booting(`<powershell>\n${call}\n</powershell>`, image),
  );
}

function gates(...entries: readonly string[]): string {
  return ['kubelet:', '  config:', '    featureGates:', ...entries.map((entry) => `      ${entry}`)].join('\n');
}

const REMOVED = mime(nodeConfigPart(gates(`${GATE}: true`)));

testRule(kubeletFeatureGate, {
  valid: [
    { name: 'the last version that knows the gate', template: withEksAmi(REMOVED, OLDER) },
    {
      name: 'a gate that the table does not know',
      template: withEksAmi(mime(nodeConfigPart(gates('SomeNewFeature: true')))),
    },
    {
      name: 'a gate that Kubernetes still has',
      template: withEksAmi(mime(nodeConfigPart(gates('GracefulNodeShutdown: true')))),
    },
    { name: 'a name that every object has', template: withEksAmi(mime(nodeConfigPart(gates('constructor: true')))) },
    {
      name: 'an older version of the group itself',
      template: resources(
        CLUSTER,
        nodeGroup("Version: '1.32'", 'AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        booting(REMOVED),
      ),
    },
    {
      name: 'an older AMI that EKS publishes, in a newer cluster',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          mime(nodeConfigPart(clusterBlock(), gates(`${GATE}: true`))),
          "ImageId: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.32/amazon-linux-2023/x86_64/standard/recommended/image_id}}'",
        ),
      ),
    },
    {
      name: 'a script of Windows whose gate is known yet',
      template: windows(`--node-labels=a=b --feature-gates=${GATE}=true`),
    },
    {
      name: 'the gate of an older AMI of Windows that EKS publishes',
      template: windows(`--feature-gates=${GATE}=true`, '1.33', IMAGES.WINDOWS.replace('1.33', '1.32')),
    },
    {
      name: 'a script of AL2 whose gate is known yet',
      template: al2(`--node-labels=a=b --feature-gates=${GATE}=true`),
    },
    {
      name: 'a gate of the last version that has it',
      template: withEksAmi(mime(nodeConfigPart(gates('MemoryManager: true'))), cluster("Version: '1.35'")),
    },
  ],
  invalid: [
    {
      name: 'a gate that is gone since 1.34, in the first version without it',
      template: withEksAmi(mime(nodeConfigPart(gates('ElasticIndexedJob: true'))), cluster("Version: '1.34'")),
      findings: [
        {
          message: 'removed',
          severity: 'error',
          resource: 'Nodes',
          at: 'ElasticIndexedJob',
          related: ['LaunchTemplate:', 'Version:'],
          says: ['1.33 was its last version'],
        },
      ],
    },
    {
      name: 'a gate in the flags of Windows',
      template: windows(`--max-pods=20 --feature-gates=SomeNewFeature=true,${GATE}=true`, '1.33'),
      findings: [
        {
          message: 'removed',
          severity: 'error',
          resource: 'Nodes',
          at: `${GATE}=true`,
          says: ['line 2 of the user data'],
        },
      ],
      fixed: windows('--max-pods=20', '1.33'),
    },
    {
      name: 'a gate in the flags of Windows with an AMI that EKS publishes',
      template: windows(`--feature-gates=${GATE}=true`, '1.32', IMAGES.WINDOWS),
      findings: [
        { message: 'removed', severity: 'error', resource: 'Nodes', at: `${GATE}=true`, says: ['Kubernetes 1.33'] },
      ],
    },
    {
      name: 'a gate that is gone in the version of the cluster',
      template: withEksAmi(REMOVED),
      findings: [
        {
          message: 'removed',
          severity: 'error',
          resource: 'Nodes',
          at: `${GATE}:`,
          says: [
            'Launch template "Nodes" of node group "Workers"',
            `\`${GATE}\` (line 13 of the user data)`,
            "Kubernetes 1.33 doesn't know any more",
            '1.32 was its last version',
            'exits',
          ],
        },
      ],
      fixed: withEksAmi(mime(nodeConfigPart('kubelet:\n  config: { maxPods: 50 }'))),
    },
    {
      name: 'it does not matter what the gate is set to',
      template: withEksAmi(mime(nodeConfigPart(gates(`${GATE}: false`)))),
      findings: [{ message: 'removed', severity: 'error', resource: 'Nodes', at: `${GATE}:` }],
    },
    {
      name: 'a gate in the flags',
      template: withOwnAmi(
        mime(
          nodeConfigPart(clusterBlock(), `kubelet:\n  flags:\n    - --feature-gates=SomeNewFeature=true,${GATE}=true`),
        ),
      ),
      findings: [
        { message: 'removed', severity: 'error', resource: 'Nodes', at: '--feature-gates', says: ['line 17'] },
      ],
    },
    {
      name: 'a gate in both places is one finding, and two gates are two',
      template: withEksAmi(
        mime(
          nodeConfigPart(`${gates(`${GATE}: true`, 'CPUManager: true')}\n  flags: ["--feature-gates=${GATE}=true"]`),
        ),
      ),
      findings: [
        { message: 'removed', severity: 'error', resource: 'Nodes', at: `${GATE}:` },
        { message: 'removed', severity: 'error', resource: 'Nodes', at: 'CPUManager:' },
      ],
    },
    {
      name: 'the newer version of the group itself',
      template: resources(
        OLDER,
        nodeGroup("Version: '1.33'", 'AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        booting(REMOVED),
      ),
      findings: [{ message: 'removed', severity: 'error', resource: 'Nodes', at: `${GATE}:` }],
    },
    {
      name: 'a self-managed group of a cluster by its name',
      template: resources(
        cluster('Name: main', "Version: '1.34'"),
        SELF_MANAGED,
        booting(nodeConfig(clusterBlock(), gates(`${GATE}: true`)), OWN_AMI),
      ),
      findings: [
        { message: 'removed', severity: 'error', resource: 'Nodes', at: `${GATE}:`, says: ['Kubernetes 1.34'] },
      ],
    },
    {
      name: 'the version of a condition',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.32', '1.33']"),
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        booting(REMOVED),
      ),
      findings: [
        {
          message: 'removed',
          severity: 'error',
          resource: 'Nodes',
          at: `${GATE}:`,
          says: ['This happens when condition IsProduction is false'],
        },
      ],
    },
    {
      name: 'the default of a parameter',
      template: template(
        "Parameters:\n  V: { Type: String, Default: '1.33' }",
        cluster('Version: !Ref V'),
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        booting(REMOVED),
      ),
      findings: [{ message: 'removed', severity: 'error', resource: 'Nodes', at: `${GATE}:` }],
    },
    {
      name: 'a gate in the arguments of the bootstrap script of AL2',
      template: al2('--node-labels=a=b --feature-gates=SomeNewFeature=true,APIPriorityAndFairness=true'),
      findings: [
        {
          message: 'removed',
          severity: 'error',
          resource: 'Nodes',
          at: 'APIPriorityAndFairness',
          says: ['line 8', 'Kubernetes 1.32', '1.30 was its last version'],
        },
      ],
      fixed: al2('--node-labels=a=b --feature-gates=SomeNewFeature=true'),
    },
  ],
  unverifiable: [
    {
      name: 'a version from a parameter without default',
      template: template(
        'Parameters:\n  V: { Type: String }',
        cluster('Version: !Ref V'),
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        booting(REMOVED),
      ),
      resources: ['Nodes'],
      because: `\`${GATE}\` (last known in 1.32)`,
    },
    {
      name: 'a cluster that the input does not hold',
      template: resources(
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES).replace('!Ref Cluster', 'elsewhere'),
        booting(REMOVED),
      ),
      resources: ['Nodes'],
      because: 'elsewhere',
    },
  ],
  notApplicable: [
    { name: 'no gate at all', template: withEksAmi(mime(nodeConfigPart('kubelet:\n  config: { maxPods: 50 }'))) },
    {
      name: 'feature gates of nodeadm itself',
      template: withEksAmi(mime(nodeConfigPart('featureGates: { FastImagePull: true }'))),
    },
    {
      name: 'gates of which nothing is known',
      template: template(
        'Parameters:\n  Gates: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        booting(mime(nodeConfigPart('kubelet:\n  flags: ["--feature-gates=${Gates}"]'))),
      ),
    },
    { name: 'a script of Windows without gates', template: windows('--node-labels=a=b') },
    { name: 'gates of Windows of which nothing is known', template: windows('--feature-gates=$Gates') },
    {
      name: 'a call of Windows besides that of EKS',
      template: windows(`--feature-gates=${GATE}=true`, '1.33', '').replace(
        '# workers',
        '# workers\n      AmiType: WINDOWS_CORE_2022_x86_64',
      ),
    },
    { name: 'a script of AL2 without gates', template: al2('--node-labels=a=b') },
    {
      name: 'a gate in a comment',
      template: withEksAmi(mime(nodeConfigPart('kubelet:', `  # featureGates: { ${GATE}: true }`, '  config: {}'))),
    },
    { name: 'a script', template: withEksAmi(mime(shellPart('echo'))) },
    { name: 'a broken MIME document', template: withEksAmi(REMOVED.replace('--//--', '')) },
    {
      name: 'text under a type that nodeadm does not read',
      template: withEksAmi(mime(part('text/plain', 'featureGates'))),
    },
  ],
});
