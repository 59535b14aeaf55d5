import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { windowsNodePrerequisites } from '../../../lib/rules/node-bootstrap/windows-node-prerequisites';
import {
  block,
  cluster,
  helmChart,
  launchTemplate,
  manifest,
  namedNodeGroup,
  onCondition,
  resources,
  template,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { booting, CONDITION, IMAGES, SELF_MANAGED } from './user-data-templates';

const WINDOWS_TYPE = 'AmiType: WINDOWS_CORE_2022_x86_64';
const ROLE = 'WindowsRole';
const KUBE_PROXY = 'eks:kube-proxy-windows';
const NODES = ['system:bootstrappers', 'system:nodes'];

/** A cluster of an authentication mode. */
function withMode(mode: string, ...properties: readonly string[]): string {
  return cluster(`AccessConfig: { AuthenticationMode: ${mode} }`, ...properties);
}

const API = withMode('API');
const BOTH = withMode('API_AND_CONFIG_MAP');
const CONFIG_MAP = withMode('CONFIG_MAP');

function role(id = ROLE): string {
  return block(id, 'AWS::IAM::Role', ['AssumeRolePolicyDocument: { Statement: [] }']);
}

/** A managed group of Windows nodes, with the role `WindowsRole`. */
function windows(id = 'Windows', ...properties: readonly string[]): string {
  return block(id, 'AWS::EKS::Nodegroup', [
    'ClusterName: !Ref Cluster',
    `NodeRole: !GetAtt ${ROLE}.Arn`,
    ...(properties.length === 0 ? [WINDOWS_TYPE] : properties),
  ]);
}

/** A managed group whose launch template brings an AMI of Windows. */
const OWN_AMI = [
  windows('Windows', 'LaunchTemplate: { Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }'),
  booting(
    '<powershell>\n& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main\n</powershell>',
    IMAGES.WINDOWS,
  ),
] as const;

/** A managed group of Linux nodes, with a role of its own. */
const LINUX = namedNodeGroup('Linux', 'AmiType: AL2023_x86_64_STANDARD');

function entry(...properties: readonly string[]): string {
  return block('Entry', 'AWS::EKS::AccessEntry', [
    'ClusterName: !Ref Cluster',
    `PrincipalArn: !GetAtt ${ROLE}.Arn`,
    ...properties,
  ]);
}

interface Mapping {
  readonly arn?: string;
  readonly groups?: unknown;
}

/** `aws-auth` with roles mapped to groups, as CDK renders it: with the ARNs put in by `Fn::Sub`. */
function awsAuth(...mappings: readonly Mapping[]): string {
  const mapRoles = mappings.map(({ arn = `\${${ROLE}.Arn}`, groups }) => ({
    rolearn: arn,
    username: 'system:node:{{EC2PrivateDNSName}}',
    ...(groups === undefined ? {} : { groups }),
  }));
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'aws-auth', namespace: 'kube-system' },
    data: { mapRoles: JSON.stringify(mapRoles) },
  };
  return manifest('Auth', object).replace("Manifest: '", "Manifest: !Sub '");
}

/** A manifest from the parameter `Other`. */
function unknownManifest(): string {
  return manifest('Unknown', {}).replace("'[{}]'", '!Ref Other');
}

/** A cluster with IPv4 and Linux nodes, and what else is given. */
function fine(clusterBlock: string, ...blocks: readonly string[]): string {
  return resources(clusterBlock, LINUX, role(), ...blocks);
}

const IPV6 = 'KubernetesNetworkConfig: { IpFamily: ipv6 }';

testRule(windowsNodePrerequisites, {
  valid: [
    { name: 'access entries, which EKS makes for its own AMIs', template: fine(API, windows()) },
    { name: 'no mapping of the role where EKS writes `aws-auth`', template: fine(cluster(), windows()) },
    { name: 'an access entry of type EC2_WINDOWS', template: fine(API, windows(), entry('Type: EC2_WINDOWS')) },
    { name: 'the same in the spelling of the user guide', template: fine(API, ...OWN_AMI, entry('Type: EC2_Windows')) },
    {
      name: 'a mapping with the group',
      template: fine(CONFIG_MAP, windows(), awsAuth({ groups: [...NODES, KUBE_PROXY] })),
    },
    {
      name: 'an own AMI whose role has the group',
      template: fine(cluster(), ...OWN_AMI, awsAuth({ groups: [KUBE_PROXY, ...NODES] })),
    },
    {
      name: 'a second mapping that completes the one of CDK',
      template: fine(cluster(), windows(), awsAuth({ groups: NODES }, { groups: [...NODES, KUBE_PROXY] })),
    },
    {
      name: 'two manifests of `aws-auth` with the group',
      template: fine(
        cluster(),
        windows(),
        awsAuth({ groups: [...NODES, KUBE_PROXY] }),
        awsAuth({ groups: [KUBE_PROXY] }).replace('Auth:', 'Second:'),
      ),
    },
    {
      name: 'a mapping with the group behind a manifest that is not known',
      template: template(
        'Parameters:\n  Other: { Type: String }',
        CONFIG_MAP,
        LINUX,
        role(),
        ...OWN_AMI,
        unknownManifest(),
        awsAuth({ groups: [...NODES, KUBE_PROXY] }),
      ),
    },
    {
      name: 'a mapping without the group that access entries make idle',
      template: fine(API, windows(), awsAuth({ groups: NODES })),
    },
    {
      name: 'a mapping as CDK writes it, where EKS makes an access entry for its AMI besides',
      template: fine(BOTH, windows(), awsAuth({ groups: NODES })),
    },
    {
      name: 'the same without a mode, where access entries show that there is one',
      template: fine(
        cluster(),
        windows(),
        awsAuth({ groups: NODES }),
        entry('Type: EC2_LINUX').replace(`!GetAtt ${ROLE}.Arn`, 'arn:aws:iam::111122223333:role/nodes'),
      ),
    },
    {
      name: 'an access entry that comes before the mapping',
      template: fine(BOTH, ...OWN_AMI, awsAuth({ groups: NODES }), entry('Type: EC2_WINDOWS')),
    },
    {
      name: 'mappings of other roles, of people and of nodes',
      template: fine(
        cluster(),
        windows(),
        awsAuth(
          { arn: 'arn:aws:iam::111122223333:role/nodes', groups: NODES },
          { arn: '${AWS::AccountId}', groups: ['system:masters'] },
        ),
      ),
    },
    {
      name: 'a mapping of the same name in another ConfigMap',
      template: fine(cluster(), windows(), awsAuth({ groups: NODES }).replace('kube-system"', 'legacy"')),
    },
    {
      name: 'an access entry of Linux nodes for another role',
      template: fine(
        API,
        windows(),
        entry('Type: EC2_LINUX').replace(`!GetAtt ${ROLE}.Arn`, 'arn:aws:iam::111122223333:role/nodes'),
      ),
    },
    {
      name: 'Fargate instead of Linux nodes',
      template: resources(
        API,
        role(),
        windows(),
        block('Fargate', 'AWS::EKS::FargateProfile', [
          'ClusterName: !Ref Cluster',
          'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
        ]),
      ),
    },
    {
      name: 'Auto Mode instead of Linux nodes',
      template: resources(withMode('API', 'ComputeConfig: { Enabled: true }'), role(), windows()),
    },
    {
      name: 'Karpenter instead of Linux nodes',
      template: resources(
        API,
        role(),
        windows(),
        helmChart('Autoscaler', 'oci://public.ecr.aws/karpenter/karpenter', {}),
      ),
    },
    {
      name: 'node pools of Karpenter',
      template: resources(
        API,
        role(),
        windows(),
        manifest('Pool', { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'default' } }),
      ),
    },
    {
      name: 'Bottlerocket nodes of a self-managed group',
      template: resources(
        withMode('API', 'Name: main'),
        role(),
        windows(),
        SELF_MANAGED,
        booting('[settings.kubernetes]', IMAGES.BOTTLEROCKET),
      ),
    },
    {
      name: 'one role for both systems without access entries',
      template: resources(
        CONFIG_MAP,
        role(),
        windows(),
        windows('Linux', 'AmiType: AL2023_x86_64_STANDARD'),
        awsAuth({ groups: [...NODES, KUBE_PROXY] }),
      ),
    },
    {
      name: 'one role for both systems, of groups that never exist together',
      template: template(
        `${CONDITION}\n  IsTest: !Not [!Condition IsProduction]`,
        API,
        LINUX,
        role(),
        onCondition('IsProduction', windows()),
        onCondition('IsTest', windows('More', 'AmiType: AL2023_x86_64_STANDARD')),
      ),
    },
    {
      name: 'IPv6 where there are no Windows nodes',
      template: template(
        CONDITION,
        withMode('API', 'KubernetesNetworkConfig: { IpFamily: !If [IsProduction, ipv4, ipv6] }'),
        LINUX,
        role(),
        onCondition('IsProduction', windows()),
      ),
    },
    {
      name: 'Linux nodes wherever there are Windows nodes',
      template: template(
        CONDITION,
        API,
        role(),
        onCondition('IsProduction', windows()),
        onCondition('IsProduction', LINUX),
      ),
    },
    {
      name: 'Windows in one branch of a condition and Linux in the other, beside Linux',
      template: template(
        CONDITION,
        API,
        LINUX,
        role(),
        windows('Mixed', 'AmiType: !If [IsProduction, WINDOWS_FULL_2022_x86_64, AL2023_x86_64_STANDARD]'),
      ),
    },
  ],
  invalid: [
    {
      name: 'IPv6',
      template: fine(withMode('API', IPV6), windows()),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'Cluster',
          at: 'IpFamily',
          related: ['Windows:'],
          says: ['Cluster "Cluster" has IPv6 and Windows node groups: "Windows".', 'no addresses'],
          omits: ['This happens when'],
        },
      ],
      fixed: fine(API, windows()),
    },
    {
      name: 'IPv6 under a condition, two groups',
      template: template(
        CONDITION,
        withMode('API', 'KubernetesNetworkConfig: { IpFamily: !If [IsProduction, ipv6, ipv4] }'),
        LINUX,
        role(),
        windows('Blue'),
        windows('Green'),
      ),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'Cluster',
          at: 'IpFamily',
          related: ['Blue:', 'Green:'],
          says: ['"Blue" and "Green"', 'condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'nothing that runs Linux',
      template: resources(API, role(), windows()),
      findings: [
        {
          message: 'linuxNodes',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Cluster:',
          related: ['Windows:'],
          says: ['("Windows")', 'CoreDNS'],
        },
      ],
      fixed: fine(API, windows()),
    },
    {
      name: 'Linux nodes in one branch only',
      template: template(CONDITION, API, role(), windows(), onCondition('IsProduction', LINUX)),
      findings: [
        {
          message: 'linuxNodes',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Cluster:',
          says: ['("Windows")', 'condition IsProduction is false'],
        },
      ],
    },
    {
      name: 'Windows without Linux in a branch, which is told without condition where the cluster is of that branch, too',
      template: template(CONDITION, onCondition('IsProduction', API), role(), onCondition('IsProduction', windows())),
      findings: [
        {
          message: 'linuxNodes',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Cluster:',
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'the mapping that CDK writes for its node groups',
      template: fine(
        cluster(),
        windows(),
        awsAuth({ arn: 'arn:aws:iam::111122223333:role/nodes', groups: NODES }, { groups: NODES }),
      ),
      findings: [
        {
          message: 'awsAuth',
          severity: 'warning',
          resource: 'Auth',
          at: 'Manifest',
          related: ['Windows:'],
          says: [
            '`aws-auth` maps the role WindowsRole of Windows node groups ("Windows") without the Kubernetes group `eks:kube-proxy-windows`. EKS adds it when',
            'kube-proxy',
            'DNS',
          ],
          omits: ['access entry'],
        },
      ],
      fixed: fine(cluster(), windows(), awsAuth({ groups: NODES }, { groups: [...NODES, KUBE_PROXY] })),
    },
    {
      name: 'a role by its ARN, of two groups, is one finding',
      template: resources(
        CONFIG_MAP,
        LINUX,
        ...['Blue', 'Green'].map((id) =>
          windows(id).replace(`!GetAtt ${ROLE}.Arn`, 'arn:aws:iam::111122223333:role/windows'),
        ),
        awsAuth({ arn: 'arn:aws:iam::111122223333:role/windows', groups: NODES }),
      ),
      findings: [
        {
          message: 'awsAuth',
          severity: 'warning',
          resource: 'Auth',
          at: 'Auth:',
          related: ['Blue:', 'Green:'],
          says: ['role/windows', '"Blue" and "Green"'],
        },
      ],
    },
    {
      name: "a mapping without the group, of nodes whose AMI EKS doesn't choose",
      template: fine(CONFIG_MAP, ...OWN_AMI, awsAuth({ groups: NODES })),
      findings: [
        {
          message: 'awsAuth',
          severity: 'error',
          resource: 'Auth',
          at: 'Manifest',
          says: ['Kube-proxy on the nodes is denied'],
          omits: ['access entry'],
        },
      ],
      fixed: fine(CONFIG_MAP, ...OWN_AMI, awsAuth({ groups: [...NODES, KUBE_PROXY] })),
    },
    {
      name: 'the same for an own AMI where an access entry may exist',
      template: fine(BOTH, ...OWN_AMI, awsAuth({ groups: NODES })),
      findings: [
        {
          message: 'awsAuth',
          severity: 'warning',
          resource: 'Auth',
          at: 'Manifest',
          says: ['Unless an access entry of type EC2_WINDOWS says otherwise, kube-proxy'],
        },
      ],
      fixed: fine(BOTH, ...OWN_AMI, awsAuth({ groups: NODES }), entry('Type: EC2_WINDOWS')),
    },
    {
      name: 'an access entry of Linux nodes',
      template: fine(API, ...OWN_AMI, entry('Type: EC2_LINUX')),
      findings: [
        {
          message: 'accessEntry',
          severity: 'error',
          resource: 'Entry',
          at: 'Type: EC2_LINUX',
          related: ['Windows:'],
          says: [
            'The access entry of the role WindowsRole, which Windows node groups have ("Windows"), has type EC2_LINUX.',
            'DNS',
          ],
        },
      ],
      fixed: fine(API, ...OWN_AMI, entry('Type: EC2_WINDOWS')),
    },
    {
      name: 'an access entry without a type',
      template: fine(BOTH, windows(), entry()),
      findings: [
        {
          message: 'accessEntry',
          severity: 'warning',
          resource: 'Entry',
          at: 'Properties: # entry',
          says: ['no type, which makes it STANDARD'],
        },
      ],
      fixed: fine(BOTH, windows(), entry('Type: EC2_WINDOWS')),
    },
    {
      name: 'an access entry that is for Linux nodes in one branch',
      template: template(
        CONDITION,
        API,
        LINUX,
        role(),
        windows(),
        entry('Type: !If [IsProduction, EC2_WINDOWS, EC2_LINUX]'),
      ),
      findings: [
        {
          message: 'accessEntry',
          severity: 'error',
          resource: 'Entry',
          at: 'Type: !If',
          says: ['condition IsProduction is false'],
        },
      ],
      fixed: template(
        CONDITION,
        API,
        LINUX,
        role(),
        windows(),
        entry('Type: !If [IsProduction, EC2_WINDOWS, EC2_Windows]'),
      ),
    },
    {
      name: 'an access entry for Linux nodes of an imported cluster',
      template: resources(
        ...[role(), windows(), entry('Type: EC2_LINUX')].map((one) => one.replace('!Ref Cluster', 'elsewhere')),
      ),
      findings: [{ message: 'accessEntry', severity: 'error', resource: 'Entry', at: 'Type: EC2_LINUX' }],
    },
    {
      name: 'a role that Linux nodes have, too',
      template: fine(API, windows(), windows('More', 'AmiType: AL2023_x86_64_STANDARD')),
      findings: [
        {
          message: 'sharedRole',
          severity: 'warning',
          resource: 'Windows',
          at: 'NodeRole: !GetAtt',
          related: ['More:'],
          says: ['Windows node group "Windows" has the role WindowsRole, and so has the Linux node group "More".'],
        },
      ],
      fixed: fine(API, windows(), LINUX.replace('Linux', 'More')),
    },
    {
      name: 'a role of both systems, with an access entry for Linux, is one finding',
      template: fine(API, windows(), windows('More', 'AmiType: AL2023_x86_64_STANDARD'), entry('Type: EC2_LINUX')),
      findings: [{ message: 'accessEntry', severity: 'error', resource: 'Entry', at: 'Type: EC2_LINUX' }],
    },
  ],
  unverifiable: [
    {
      name: 'an imported cluster',
      template: resources(role(), windows().replace('!Ref Cluster', 'elsewhere')),
      resources: ['Windows'],
      because: 'cluster elsewhere is not part of the input',
    },
    {
      name: 'an imported cluster with a mapping without the group: it may have access entries',
      template: resources(
        ...[role(), windows(), awsAuth({ groups: NODES })].map((one) => one.replace('!Ref Cluster', 'elsewhere')),
      ),
      resources: ['Windows'],
    },
    {
      name: 'an IP family from a parameter',
      template: template(
        'Parameters:\n  Family: { Type: String }',
        withMode('API', 'KubernetesNetworkConfig: { IpFamily: !Ref Family }'),
        LINUX,
        role(),
        windows(),
      ),
      resources: ['Cluster'],
      because: 'Family',
    },
    {
      name: 'a group whose system is not known',
      template: template(
        'Parameters:\n  Ami: { Type: String }',
        API,
        role(),
        windows(),
        namedNodeGroup('Other', 'AmiType: !Ref Ami'),
      ),
      resources: ['Cluster'],
      because: 'the operating system of Other',
    },
    {
      name: 'a chart that is not known',
      template: resources(API, role(), windows(), helmChart('Chart', '!Ref AWS::NoValue', {})),
      resources: ['Cluster'],
      because: 'which chart Chart installs',
    },
    {
      name: 'an own AMI with access entries that the input does not show',
      template: fine(API, ...OWN_AMI),
      resources: ['Windows'],
      because: "doesn't show whether the cluster lets its nodes in",
    },
    { name: 'an own AMI that `aws-auth` does not map', template: fine(CONFIG_MAP, ...OWN_AMI), resources: ['Windows'] },
    {
      name: 'groups of a mapping that are no list',
      template: fine(cluster(), windows(), awsAuth({ groups: '${AWS::Region}' })),
      resources: ['Windows'],
      because: 'groups that `aws-auth` gives',
    },
    {
      name: 'a group of a mapping that is decided at deployment',
      template: fine(cluster(), windows(), awsAuth({ groups: [...NODES, 'eks:kube-proxy-${AWS::Region}'] })),
      resources: ['Windows'],
    },
    {
      name: 'two manifests of `aws-auth`, of which the second has the group',
      template: fine(
        cluster(),
        windows(),
        awsAuth({ groups: NODES }),
        awsAuth({ groups: [...NODES, KUBE_PROXY] }).replace('Auth:', 'Second:'),
      ),
      resources: ['Windows'],
      because: 'several times',
    },
    {
      name: 'two manifests of `aws-auth`, of which the first has the group',
      template: fine(
        cluster(),
        windows(),
        awsAuth({ groups: [...NODES, KUBE_PROXY] }),
        awsAuth({ groups: NODES }).replace('Auth:', 'Second:'),
      ),
      resources: ['Windows'],
      because: 'several times',
    },
    {
      name: 'the first of two mappings has the group',
      template: fine(cluster(), windows(), awsAuth({ groups: [KUBE_PROXY, ...NODES] }, { groups: NODES })),
      resources: ['Windows'],
      because: 'several times',
    },
    {
      name: 'a mapping of nodes whose role is decided at deployment',
      template: template(
        'Parameters:\n  Arn: { Type: String }',
        cluster(),
        LINUX,
        role(),
        windows(),
        awsAuth({ arn: '${Arn}', groups: NODES }),
      ),
      resources: ['Windows'],
      because: 'whether `aws-auth` maps its role',
    },
    {
      name: 'a node role that is decided at deployment',
      template: template(
        'Parameters:\n  Arn: { Type: String }',
        cluster(),
        LINUX,
        role(),
        windows().replace(`!GetAtt ${ROLE}.Arn`, '!Ref Arn'),
        awsAuth({ groups: NODES }),
      ),
      resources: ['Windows'],
    },
    {
      name: 'an authentication mode from a parameter',
      template: template(
        'Parameters:\n  Mode: { Type: String }',
        withMode('!Ref Mode'),
        LINUX,
        role(),
        windows(),
        awsAuth({ groups: NODES }),
      ),
      resources: ['Windows'],
      because: 'Mode',
    },
    {
      name: 'the type of an access entry from a parameter',
      template: template(
        'Parameters:\n  Kind: { Type: String }',
        API,
        LINUX,
        role(),
        windows(),
        entry('Type: !Ref Kind'),
      ),
      resources: ['Windows'],
      because: 'Kind',
    },
    {
      name: 'a patch of `aws-auth`',
      template: fine(
        cluster(),
        windows(),
        block('Patch', 'Custom::AWSCDK-EKS-KubernetesPatch', [
          'ClusterName: !Ref Cluster',
          'ResourceName: configmap/aws-auth',
          'ResourceNamespace: kube-system',
          "ApplyPatchJson: '{}'",
        ]),
      ),
      resources: ['Windows'],
      because: 'a patch changes `aws-auth`',
    },
    {
      name: 'a self-managed group, whose role is not known',
      template: resources(
        withMode('API', 'Name: main'),
        LINUX,
        SELF_MANAGED,
        booting('<powershell>\nStart-EKSBootstrap.ps1\n</powershell>', IMAGES.WINDOWS),
      ),
      resources: ['Workers'],
      because: 'which role its nodes have',
    },
  ],
  notApplicable: [
    { name: 'no Windows nodes', template: resources(withMode('API', IPV6), LINUX) },
    {
      name: 'Windows nodes of self-managed groups that can have none',
      template: resources(
        withMode('API', IPV6),
        LINUX,
        SELF_MANAGED.replace("MinSize: '1'", "MinSize: '0'").replace("MaxSize: '3'", "MaxSize: '0'"),
        launchTemplate(IMAGES.WINDOWS),
      ),
    },
    {
      name: 'a group whose system is not known, alone',
      template: template('Parameters:\n  Ami: { Type: String }', API, namedNodeGroup('Other', 'AmiType: !Ref Ami')),
    },
    {
      name: 'a launch template of Windows that no group uses',
      template: resources(API, LINUX, launchTemplate(IMAGES.WINDOWS)),
    },
    { name: 'an access entry of Linux nodes alone', template: resources(API, LINUX, role(), entry('Type: EC2_LINUX')) },
  ],
});

describe('windows-node-prerequisites across stacks', () => {
  const EXPORTS =
    'Outputs:\n  Name: { Value: !Ref Cluster, Export: { Name: cluster-name } }\n  Arn: { Value: !GetAtt WindowsRole.Arn, Export: { Name: role-arn } }';
  const imported = (text: string): string => text.replace('!Ref Cluster', '!ImportValue cluster-name');

  function judge(...texts: readonly string[]): string[] {
    const { resources: read } = readTemplates(texts.map((text, index) => ({ file: `stack-${index}.yaml`, text })));
    return runRules(new EksModel(read), [windowsNodePrerequisites], {}).map(
      ({ verdict, resource, message }) => `${verdict} ${resource.stack}/${resource.id}: ${message}`,
    );
  }

  it("can't tell about Linux nodes when a group stands in another stack than its cluster", () => {
    const found = judge(
      template(EXPORTS, API, role()),
      resources(imported(windows()).replace(`!GetAtt ${ROLE}.Arn`, '!ImportValue role-arn')),
    );
    expect(found).toEqual([expect.stringContaining('unverifiable stack-0/Cluster') as unknown]);
    expect(found[0]).toContain('Windows stands in another stack than its cluster');
  });

  it('finds Linux nodes in another stack', () => {
    expect(judge(template(EXPORTS, API, role(), windows()), resources(imported(LINUX)))).toEqual([]);
  });

  it('finds the mapping of the role in another stack', () => {
    const auth = imported(awsAuth({ groups: NODES }))
      .replace('!Sub ', '\n        Fn::Sub:\n          - ')
      .replace(/\$\{WindowsRole.Arn\}(.*)$/, '${Role}$1\n          - { Role: !ImportValue role-arn }');
    const found = judge(template(EXPORTS, cluster(), LINUX, role(), windows()), resources(auth));
    expect(found).toEqual([
      expect.stringContaining('fail stack-1/Auth: `aws-auth` maps the role WindowsRole') as unknown,
    ]);
  });

  it("doesn't take the role of another stack for one of the same id", () => {
    const own = resources(role(), imported(windows()));
    const found = judge(template(EXPORTS, cluster(), LINUX, role(), awsAuth({ groups: NODES })), own);
    expect(found).toEqual([expect.stringContaining('unverifiable stack-1/Windows') as unknown]);
    expect(found[0]).toContain('whether `aws-auth` maps its role');
  });
});
