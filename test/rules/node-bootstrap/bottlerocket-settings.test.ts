import { bottlerocketSettings } from '../../../lib/rules/node-bootstrap/bottlerocket-settings';
import {
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
import {
  booting,
  CERTIFICATE,
  CONDITION,
  IMAGES,
  mime,
  OWN_AMI,
  SELF_MANAGED,
  shellPart,
  withNodeClass,
} from './user-data-templates';

const TYPE = 'AmiType: BOTTLEROCKET_x86_64';
const NAME = 'cluster-name = "main"';
const SERVER = 'api-server = "https://0123.gr7.eu-west-1.eks.amazonaws.com"';
const AUTHORITY = `cluster-certificate = "${CERTIFICATE}"`;
const TRIO = ['[settings.kubernetes]', NAME, SERVER, AUTHORITY];
const WHOLE = TRIO.join('\n');
const ADMIN = '[settings.host-containers.admin]\nenabled = true';

/** A managed group with the public AMI of Bottlerocket, named by its launch template. */
function own(...lines: readonly string[]): string {
  return resources(CLUSTER, nodeGroup(USES_NODES), booting(lines.join('\n'), IMAGES.BOTTLEROCKET));
}

/** A managed group for which EKS chooses the AMI. */
function byEks(...lines: readonly string[]): string {
  return resources(CLUSTER, nodeGroup(TYPE, USES_NODES), booting(lines.join('\n')));
}

/** Base64 of user data as somebody else's template holds it. */
function encoded(text: string): string {
  return `UserData: ${Buffer.from(text).toString('base64')}`;
}

const PARAMETERS = 'Parameters:\n  Name: { Type: String }\n  Pods: { Type: Number }';

testRule(bottlerocketSettings, {
  valid: [
    {
      name: 'settings of a node class, to which Karpenter adds those that a node joins with',
      template: withNodeClass('bottlerocket@latest', '[settings.kubernetes]\nkube-api-qps = 30\n'),
    },
    { name: 'the three settings that a node joins with', template: own(WHOLE) },
    {
      name: 'the three as dotted keys',
      template: own(`settings.kubernetes.${NAME}`, `settings.kubernetes.${SERVER}`, `settings.kubernetes.${AUTHORITY}`),
    },
    {
      name: 'the three by reference to the cluster',
      template: own(
        '[settings.kubernetes]',
        'cluster-name = "${Cluster}"',
        'api-server = "${Cluster.Endpoint}"',
        'cluster-certificate = "${Cluster.CertificateAuthorityData}"',
      ),
    },
    {
      name: 'without the name of the cluster where TLS bootstrap needs none',
      template: own(
        '[settings.kubernetes]',
        SERVER,
        AUTHORITY,
        'authentication-mode = "tls"',
        'bootstrap-token = "abcdef.0123456789abcdef"',
      ),
    },
    { name: 'max-pods alone where EKS adds the rest', template: byEks('[settings.kubernetes]', 'max-pods = 20') },
    { name: 'a comment alone where EKS adds the settings', template: byEks('# settings to come') },
    {
      name: 'no pods of its own, and a setting of 2026',
      template: own(WHOLE, 'max-pods = 0', 'fail-cgroup-v1 = true'),
    },
    { name: 'the three where EKS fills them in as well', template: byEks(WHOLE) },
    {
      name: 'the number of pods from a parameter',
      template: template(
        PARAMETERS,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting([...TRIO, 'max-pods = ${Pods}'].join('\n'), IMAGES.BOTTLEROCKET),
      ),
    },
    {
      name: 'settings of other parts of Bottlerocket',
      template: own(
        WHOLE,
        ADMIN,
        '[settings.kernel]',
        'lockdown = "integrity"',
        '[settings.kernel.sysctl]',
        '"vm.max_map_count" = "262144"',
        '[settings.ntp]',
        'time-servers = ["169.254.169.123"]',
        '[[settings.container-registry.mirrors]]',
        'registry = "docker.io"',
        'endpoint = ["https://mirror.example.org"]',
      ),
    },
    {
      name: 'labels and taints, quoted as they need it',
      template: own(
        WHOLE,
        '[settings.kubernetes.node-labels]',
        '"example.com/team" = "web"',
        'stage = "production"',
        'empty = ""',
        '[settings.kubernetes.node-taints]',
        '"example.com/dedicated" = ["web:NoSchedule", "web:NoExecute"]',
        'simple = "true:PreferNoSchedule"',
      ),
    },
    {
      name: 'a quoted key in a header, which Bottlerocket takes, where EKS merges nothing',
      template: own(
        WHOLE,
        '[settings.kubernetes.credential-providers."ecr-credential-provider"]',
        'enabled = true',
        'image-patterns = ["*.dkr.ecr.eu-west-1.amazonaws.com"]',
      ),
    },
    {
      name: 'an escaped quote where EKS merges nothing',
      template: own(WHOLE, '[settings]', 'motd = "the \\"admin\\" container"'),
    },
    {
      name: 'the label that tells the node group, with an AMI that EKS adds no labels to',
      template: own(WHOLE, '[settings.kubernetes.node-labels]', '"eks.amazonaws.com/nodegroup" = "workers"'),
    },
    {
      name: "labels like those of EKS on nodes that it doesn't manage",
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        booting(
          [WHOLE, '[settings.kubernetes.node-labels]', '"eks.amazonaws.com/nodegroup-image" = "ami-1"'].join('\n'),
          IMAGES.BOTTLEROCKET,
        ),
      ),
    },
    {
      name: 'a self-managed group with the three',
      template: resources(CLUSTER, SELF_MANAGED, booting(WHOLE, IMAGES.BOTTLEROCKET)),
    },
    {
      name: 'CRLF line ends and comments',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMAGES.BOTTLEROCKET, encoded(`# settings of "main\r\n${TRIO.join(' # one\r\n')}\r\n`)),
      ),
    },
    {
      name: 'an AMI of its own whose type the group tells',
      template: resources(CLUSTER, nodeGroup(TYPE, USES_NODES), booting(WHOLE, OWN_AMI)),
    },
    {
      name: 'an AMI or none, and in both cases enough',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(TYPE, USES_NODES),
        booting(WHOLE, 'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]'),
      ),
    },
  ],
  invalid: [
    {
      name: 'settings of a node class that Karpenter cannot read',
      template: withNodeClass('bottlerocket@latest', '[settings.kubernetes]\nmax-pods = = 1\n'),
      findings: [
        {
          message: 'nodeClass',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['EC2NodeClass "default"', 'starts no node'],
        },
      ],
      fixed: withNodeClass('bottlerocket@latest', '[settings.kubernetes]\nregistry-qps = 1\n'),
    },
    {
      name: 'a setting of a node class that Karpenter does not know',
      template: withNodeClass('bottlerocket@latest', '[settings.kubernetes]\nmaximal-pods = 1\n'),
      findings: [
        {
          message: 'nodeClassIgnored',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['has no effect', 'Unknown parameter in userData K8s settings'],
          omits: ['boot ends', 'stops booting'],
        },
      ],
    },
    {
      name: 'an AMI of its own and nothing that tells the cluster',
      template: own(ADMIN),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'settings.host',
          related: ['LaunchTemplate:'],
          says: [
            'Launch template "Nodes" of node group "Workers" brings its own bootstrap',
            'leave out `api-server`, `cluster-certificate` and `cluster-name`.',
            'never do',
          ],
          omits: ['no setting of Bottlerocket'],
        },
      ],
      fixed: own(WHOLE, ADMIN),
    },
    {
      name: 'an AMI id, of which nothing but the settings tells the system',
      template: resources(CLUSTER, nodeGroup(USES_NODES), booting(['[settings.kubernetes]', NAME].join('\n'), OWN_AMI)),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'kubernetes]',
          says: ['`api-server` and `cluster-certificate`'],
          omits: ['`cluster-name`'],
        },
      ],
    },
    {
      name: 'an empty endpoint counts as none',
      template: own('[settings.kubernetes]', NAME, 'api-server = ""', AUTHORITY),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'kubernetes]',
          says: ['leave out `api-server`.'],
        },
      ],
    },
    {
      name: 'a misspelt name is one finding, at the name',
      template: own('[settings.kubernetes]', 'cluster_name = "main"', SERVER, AUTHORITY),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'cluster_name',
          says: ['leave out `cluster-name`; `cluster_name` is no setting of Bottlerocket.'],
        },
      ],
      fixed: own(WHOLE),
    },
    {
      name: 'a self-managed group without the endpoint',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        booting(['[settings.kubernetes]', NAME, AUTHORITY].join('\n'), IMAGES.BOTTLEROCKET),
      ),
      findings: [
        { message: 'incomplete', severity: 'error', resource: 'Nodes', at: 'kubernetes]', says: ['`api-server`'] },
      ],
      fixed: resources(CLUSTER, SELF_MANAGED, booting(WHOLE, IMAGES.BOTTLEROCKET)),
    },
    {
      name: 'incomplete where a condition brings the AMI',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup('AmiType: !If [IsProduction, !Ref AWS::NoValue, BOTTLEROCKET_x86_64]', USES_NODES),
        booting(
          '[settings.kubernetes]\nmax-pods = 20',
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
        ),
      ),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'kubernetes]',
          says: ['condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'a slash in a key without quotes',
      template: own(WHOLE, 'node-labels.a.b/c = "x"'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: '/c = "x"',
          related: ['LaunchTemplate:'],
          says: ["the user data isn't valid TOML at line 5, column 16", 'stops booting', 'never join.'],
        },
      ],
      fixed: own(WHOLE, 'node-labels."a.b/c" = "x"'),
    },
    {
      name: 'yes is no boolean',
      template: byEks('[settings.host-containers.admin]', 'enabled = yes'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'yes',
          says: ['line 2, column 11'],
          omits: ['(line'],
        },
      ],
      fixed: byEks(ADMIN),
    },
    {
      name: 'YAML: nothing of it is read, so what is missing besides is no finding',
      template: own('settings:', '  kubernetes:', '    cluster-name: main'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: `:\n${' '.repeat(14)}kubernetes`,
          says: ["isn't valid TOML at line 1"],
        },
      ],
    },
    {
      name: 'a table twice',
      template: byEks(
        '[settings.kubernetes]',
        'max-pods = 20',
        '[settings.kubernetes]',
        'cluster-domain = "cluster.local"',
      ),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: `kubernetes]\n${' '.repeat(12)}cluster-domain`,
          says: ['defines a key or table a second time'],
        },
      ],
    },
    {
      name: 'settings without the table around them',
      template: own(WHOLE.replace('settings.', '')),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'kubernetes]',
          says: ["TOML data did not contain 'settings' section", '(line 1 of the user data)'],
        },
      ],
      fixed: own(WHOLE),
    },
    {
      name: 'a whole path below a header',
      template: own('[settings.kubernetes]', 'settings.kubernetes.cluster-name = "main"', SERVER, AUTHORITY),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'settings.kubernetes.cluster-name',
          says: ['repeats `settings` below [settings.kubernetes]'],
        },
      ],
      fixed: own(WHOLE),
    },
    {
      name: 'dots without quotes nest',
      template: byEks('[settings.kubernetes.node-labels]', 'example.com.team = "web"'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'example.com',
          says: ['`settings.kubernetes.node-labels.example` is a table, because dots without quotes nest'],
        },
      ],
      fixed: byEks('[settings.kubernetes.node-labels]', '"example.com.team" = "web"'),
    },
    {
      name: 'values of labels that are no strings',
      template: own(WHOLE, '[settings.kubernetes.node-labels]', 'spot = true', 'tier = 1'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'spot',
          says: ['`settings.kubernetes.node-labels.spot` is true, a boolean; values of labels must be strings (line 6'],
        },
        { message: 'refused', severity: 'error', resource: 'Nodes', at: 'tier', says: ['the number 1'] },
      ],
      fixed: own(WHOLE, '[settings.kubernetes.node-labels]', 'spot = "true"', 'tier = "1"'),
    },
    {
      name: "taints without an effect, and with one that Kubernetes doesn't know",
      template: own(WHOLE, '[settings.kubernetes.node-taints]', 'dedicated = ["web"]', 'batch = "true:NoScheduling"'),
      findings: [
        { message: 'refused', severity: 'error', resource: 'Nodes', at: '"web"', says: ['without an effect'] },
        {
          message: 'kubelet',
          severity: 'error',
          resource: 'Nodes',
          at: 'batch',
          related: ['LaunchTemplate:'],
          says: ['has the effect "NoScheduling"', "kubelet doesn't start"],
        },
      ],
      fixed: own(
        WHOLE,
        '[settings.kubernetes.node-taints]',
        'dedicated = ["web:NoSchedule"]',
        'batch = "true:NoSchedule"',
      ),
    },
    {
      name: 'a certificate as PEM',
      template: own(
        '[settings.kubernetes]',
        NAME,
        SERVER,
        'cluster-certificate = """',
        '-----BEGIN CERTIFICATE-----',
        'MIIBfake',
        '-----END CERTIFICATE-----"""',
      ),
      findings: [
        {
          message: 'certificate',
          severity: 'error',
          resource: 'Nodes',
          at: 'cluster-certificate',
          related: ['LaunchTemplate:'],
          says: ['is PEM text', 'line 4', 'never join'],
        },
      ],
      fixed: own(WHOLE),
    },
    {
      name: 'a certificate that is no base64',
      template: own('[settings.kubernetes]', NAME, SERVER, 'cluster-certificate = "LS0tLS1CRUdJ==="'),
      findings: [
        {
          message: 'certificate',
          severity: 'error',
          resource: 'Nodes',
          at: 'cluster-certificate',
          says: ['is no valid base64'],
        },
      ],
    },
    {
      name: 'a bad certificate where EKS has its own',
      template: byEks('[settings.kubernetes]', 'cluster-certificate = "nope!"'),
      findings: [{ message: 'certificate', severity: 'warning', resource: 'Nodes', at: 'cluster-certificate' }],
    },
    {
      name: "settings of metadata, which don't exist",
      template: own(WHOLE, '[settings.metadata]', 'http-put-response-hop-limit = 2'),
      findings: [
        {
          message: 'doubtful',
          severity: 'warning',
          resource: 'Nodes',
          at: 'metadata]',
          related: ['LaunchTemplate:'],
          says: ['`settings.metadata` is no section', 'If Bottlerocket refuses that'],
        },
      ],
      fixed: own(WHOLE),
    },
    {
      name: 'a number of pods in quotes',
      template: byEks('[settings.kubernetes]', 'max-pods = "20"'),
      findings: [
        { message: 'doubtful', severity: 'warning', resource: 'Nodes', at: 'max-pods', says: ['is the string "20"'] },
      ],
      fixed: byEks('[settings.kubernetes]', 'max-pods = 20'),
    },
    {
      name: "a setting that Bottlerocket doesn't document",
      template: own(WHOLE, 'max-pod = 20'),
      findings: [
        {
          message: 'doubtful',
          severity: 'warning',
          resource: 'Nodes',
          at: 'max-pod',
          says: ['`settings.kubernetes.max-pod` is no setting'],
        },
      ],
    },
    {
      name: 'a reference without quotes',
      template: own('[settings.kubernetes]', 'cluster-name = ${Cluster}', SERVER, AUTHORITY),
      findings: [
        {
          message: 'doubtful',
          severity: 'warning',
          resource: 'Nodes',
          at: 'cluster-name = ${',
          says: ['without quotes'],
        },
      ],
      fixed: own('[settings.kubernetes]', 'cluster-name = "${Cluster}"', SERVER, AUTHORITY),
    },
    {
      name: 'a table that nothing reads',
      template: own(WHOLE, '[host-containers.admin]', 'enabled = true'),
      findings: [
        {
          message: 'ignored',
          severity: 'warning',
          resource: 'Nodes',
          at: 'host-containers',
          related: ['LaunchTemplate:'],
          says: ['`host-containers` stands outside of `settings`; nothing reads it (line 5'],
          omits: ['stops booting'],
        },
      ],
      fixed: own(WHOLE, ADMIN),
    },
    {
      name: 'keys in front of all tables are one finding that names the table of each',
      template: byEks('max-pods = 18', 'registry-qps = 0', 'enabled = true', ADMIN),
      findings: [
        {
          message: 'ignored',
          severity: 'warning',
          resource: 'Nodes',
          at: 'max-pods',
          says: ['`max-pods` and `registry-qps`, `enabled` stand outside of `settings`'],
        },
      ],
    },
    {
      name: 'settings outside of their table where EKS adds it',
      template: byEks('[kubernetes]', 'max-pods = 20'),
      findings: [
        {
          message: 'ignored',
          severity: 'warning',
          resource: 'Nodes',
          at: 'kubernetes]',
          says: ['`kubernetes` stands outside of `settings`'],
        },
      ],
      fixed: byEks('[settings.kubernetes]', 'max-pods = 20'),
    },
    {
      name: 'a comment alone, with an AMI that EKS adds nothing to',
      template: own('# settings to come'),
      findings: [
        { message: 'refused', severity: 'error', resource: 'Nodes', at: '# settings', says: ['no top-level table'] },
      ],
    },
    {
      name: "TOML that EKS can't merge",
      template: byEks(
        '[settings.kubernetes.node-labels]',
        '"example.com/team" = "web"',
        '[settings.host-containers."admin"]',
        'enabled = true',
        '[settings]',
        'motd = "the \\"admin\\" container"',
      ),
      findings: [
        {
          message: 'unmergeable',
          severity: 'warning',
          resource: 'Nodes',
          at: 'settings.host-containers',
          related: ['LaunchTemplate:'],
          says: ['has a quoted key in the header [settings.host-containers.admin] (line 3', 'names no AMI'],
        },
        {
          message: 'unmergeable',
          severity: 'warning',
          resource: 'Nodes',
          at: '"the \\"admin',
          says: ['escaped quotation mark'],
        },
      ],
      fixed: byEks(
        '[settings.kubernetes.node-labels]',
        '"example.com/team" = "web"',
        ADMIN,
        '[settings]',
        'motd = \'the "admin" container\'',
      ),
    },
    {
      name: 'labels of EKS where it writes them itself',
      template: byEks('[settings.kubernetes.node-labels]', '"eks.amazonaws.com/capacityType" = "SPOT"'),
      findings: [
        {
          message: 'ownLabel',
          severity: 'warning',
          resource: 'Nodes',
          at: '"eks.amazonaws.com/cap',
          related: ['LaunchTemplate:'],
          says: ['is a label of EKS itself, written out as "SPOT"'],
        },
      ],
      fixed: byEks('[settings.kubernetes]', 'max-pods = 20'),
    },
    {
      name: 'labels of an own AMI that go out of date with the next version of the launch template',
      template: own(
        WHOLE,
        '[settings.kubernetes.node-labels]',
        '"eks.amazonaws.com/nodegroup" = "workers"',
        '"eks.amazonaws.com/nodegroup-image" = "ami-0123456789abcdef0"',
        '"eks.amazonaws.com/sourceLaunchTemplateVersion" = "1"',
      ),
      findings: [
        {
          message: 'ownLabel',
          severity: 'warning',
          resource: 'Nodes',
          at: '"eks.amazonaws.com/nodegroup-image',
          says: ['line 7'],
        },
        { message: 'ownLabel', severity: 'warning', resource: 'Nodes', at: '"eks.amazonaws.com/source' },
      ],
      fixed: own(WHOLE, '[settings.kubernetes.node-labels]', '"eks.amazonaws.com/nodegroup" = "workers"'),
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', TYPE, USES_NODES),
        namedNodeGroup('Green', TYPE, USES_NODES),
        booting('[settings.host-containers.admin]\nenabled = yes'),
      ),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'yes',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a whole line that is decided at deployment',
      template: template(
        PARAMETERS,
        CLUSTER,
        nodeGroup(TYPE, USES_NODES),
        booting('[settings.kubernetes]\n${Name}\nmax-pods = 20'),
      ),
      resources: ['Nodes'],
      because: 'Name',
    },
    {
      name: 'a key that is decided at deployment and may be the missing one',
      template: template(
        PARAMETERS,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(['[settings.kubernetes]', '"${Name}" = "main"', SERVER, AUTHORITY].join('\n'), IMAGES.BOTTLEROCKET),
      ),
      resources: ['Nodes'],
      because: 'settings.kubernetes.cluster-name',
    },
    {
      name: 'an AMI that a macro may add, and nothing that tells the cluster',
      template: resources(
        CLUSTER,
        nodeGroup(TYPE, USES_NODES),
        booting(ADMIN, 'Fn::Transform: { Name: ChooseAmi, Parameters: { Stage: test } }'),
      ),
      resources: ['Nodes'],
      because: 'leave out api-server, cluster-certificate, cluster-name',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup(TYPE, "LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'Bottlerocket without user data', template: resources(CLUSTER, nodeGroup(TYPE)) },
    {
      name: 'another system',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        booting(mime(shellPart('echo hello'))),
      ),
    },
    { name: 'MIME, which another rule tells', template: byEks(mime(shellPart('echo hello'))) },
    { name: 'a script, which another rule tells', template: own('#!/bin/bash', 'echo hello') },
    {
      name: 'an AMI and no user data, which another rule tells',
      template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMAGES.BOTTLEROCKET)),
    },
    {
      name: 'user data that is not base64, which another rule tells',
      template: resources(CLUSTER, nodeGroup(TYPE, USES_NODES), launchTemplate('UserData: "[settings"')),
    },
    { name: 'a launch template that no group uses', template: resources(CLUSTER, booting(ADMIN, IMAGES.BOTTLEROCKET)) },
    {
      name: 'a group that exists only where the launch template brings the other system',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', nodeGroup(USES_NODES)),
        booting(
          '#!/bin/bash\n/etc/eks/bootstrap.sh main',
          `ImageId: !If [IsProduction, ${IMAGES.AL2.slice('ImageId: '.length)}, ${IMAGES.BOTTLEROCKET.slice('ImageId: '.length)}]`,
        ),
      ),
    },
  ],
});
