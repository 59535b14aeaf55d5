import { bootCasesOf, bootsByResource, EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { bootStateOf, type BootState } from '../../../lib/rules/parts/boot-state';
import { CLUSTER, launchTemplate, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import {
  clusterBlock,
  IMAGES,
  mime,
  nodeConfig,
  nodeConfigPart,
  part,
  SELF_MANAGED,
  shellPart,
  userData,
} from './user-data-templates';

const TYPES = {
  AL2: 'AL2_x86_64',
  AL2023: 'AL2023_x86_64_STANDARD',
  BOTTLEROCKET: 'BOTTLEROCKET_x86_64',
  WINDOWS: 'WINDOWS_CORE_2022_x86_64',
} as const;

type Family = keyof typeof IMAGES;

const FAMILIES: readonly Family[] = ['AL2', 'AL2023', 'BOTTLEROCKET', 'WINDOWS'];

/** Documents, by what they are. */
const BOOTSTRAP_SCRIPT = '#!/bin/bash\n/etc/eks/bootstrap.sh main';
const AGENT = '#!/bin/bash\nyum install -y amazon-ssm-agent';
const TRIO =
  '[settings.kubernetes]\ncluster-name = "main"\napi-server = "https://0123.gr7.eu-west-1.eks.amazonaws.com"\ncluster-certificate = "AAAA"';
const WINDOWS_BOOTSTRAP =
  '<powershell>\n& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main\n</powershell>';

const DOCUMENTS = {
  nothing: undefined,
  'a plain script that calls bootstrap.sh': BOOTSTRAP_SCRIPT,
  'a plain script without bootstrap': AGENT,
  'MIME with bootstrap.sh': mime(shellPart('/etc/eks/bootstrap.sh main')),
  'MIME without bootstrap': mime(shellPart('yum install -y amazon-ssm-agent')),
  'MIME with a NodeConfig': mime(nodeConfigPart(clusterBlock())),
  'MIME with both': mime(nodeConfigPart(clusterBlock()), shellPart('/etc/eks/bootstrap.sh main')),
  'a bare NodeConfig': nodeConfig(clusterBlock()),
  'cloud-config': '#cloud-config\npackages: [jq]',
  'settings with the cluster': TRIO,
  'settings without the cluster': '[settings.host-containers.admin]\nenabled = true',
  'PowerShell with the bootstrap': WINDOWS_BOOTSTRAP,
  'PowerShell without the bootstrap': '<powershell>\nWrite-Host hello\n</powershell>',
  'other text': 'hello world',
  'a NodeConfig whose part is never reached': mime(shellPart('echo')).replace(
    '--//--',
    `--//--\n--//\nContent-Type: application/node.eks.aws\n\n${nodeConfig(clusterBlock())}\n--//--`,
  ),
} as const;

/** What each document comes to on AL2, AL2023, Bottlerocket, Windows. */
type Row = readonly [BootState['kind'], BootState['kind'], BootState['kind'], BootState['kind']];

const BY_USER: Readonly<Record<keyof typeof DOCUMENTS, Row>> = {
  nothing: ['missing', 'missing', 'missing', 'missing'],
  'a plain script that calls bootstrap.sh': ['own', 'foreign', 'foreign', 'foreign'],
  'a plain script without bootstrap': ['missing', 'missing', 'foreign', 'foreign'],
  'MIME with bootstrap.sh': ['own', 'foreign', 'foreign', 'foreign'],
  'MIME without bootstrap': ['missing', 'missing', 'foreign', 'foreign'],
  'MIME with a NodeConfig': ['foreign', 'own', 'foreign', 'foreign'],
  'MIME with both': ['own', 'own', 'foreign', 'foreign'],
  'a bare NodeConfig': ['foreign', 'own', 'foreign', 'foreign'],
  'cloud-config': ['missing', 'missing', 'foreign', 'foreign'],
  'settings with the cluster': ['foreign', 'foreign', 'own', 'foreign'],
  'settings without the cluster': ['foreign', 'foreign', 'own', 'foreign'],
  'PowerShell with the bootstrap': ['foreign', 'foreign', 'foreign', 'own'],
  'PowerShell without the bootstrap': ['foreign', 'foreign', 'foreign', 'missing'],
  'other text': ['missing', 'missing', 'own', 'own'],
  'a NodeConfig whose part is never reached': ['foreign', 'broken', 'foreign', 'foreign'],
};

const BY_EKS: Readonly<Record<keyof typeof DOCUMENTS, Row>> = {
  nothing: ['eks-alone', 'eks-alone', 'eks-alone', 'eks-alone'],
  'a plain script that calls bootstrap.sh': ['not-mergeable', 'not-mergeable', 'foreign', 'foreign'],
  'a plain script without bootstrap': ['not-mergeable', 'not-mergeable', 'foreign', 'foreign'],
  'MIME with bootstrap.sh': ['additions', 'foreign', 'foreign', 'foreign'],
  'MIME without bootstrap': ['additions', 'additions', 'foreign', 'foreign'],
  'MIME with a NodeConfig': ['foreign', 'additions', 'foreign', 'foreign'],
  'MIME with both': ['additions', 'additions', 'foreign', 'foreign'],
  'a bare NodeConfig': ['foreign', 'not-mergeable', 'foreign', 'foreign'],
  'cloud-config': ['not-mergeable', 'not-mergeable', 'foreign', 'foreign'],
  'settings with the cluster': ['foreign', 'foreign', 'additions', 'foreign'],
  'settings without the cluster': ['foreign', 'foreign', 'additions', 'foreign'],
  'PowerShell with the bootstrap': ['foreign', 'foreign', 'foreign', 'additions'],
  'PowerShell without the bootstrap': ['foreign', 'foreign', 'foreign', 'additions'],
  'other text': ['not-mergeable', 'not-mergeable', 'additions', 'additions'],
  'a NodeConfig whose part is never reached': ['foreign', 'broken', 'foreign', 'foreign'],
};

const NAMES = Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[];

function data(text: string | undefined): string[] {
  return text === undefined ? [] : [userData(text)];
}

function statesOf(text: string): BootState[] {
  const { resources: read, diagnostics } = readTemplates([{ file: 'template.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return bootsByResource(new EksModel(read)).flatMap(({ launches }) =>
    launches.flatMap((boot) => bootCasesOf(boot).map(bootStateOf)),
  );
}

function kindsOf(text: string): string[] {
  return statesOf(text).map(({ kind }) => kind);
}

describe('the state of a boot', () => {
  const cells = NAMES.flatMap((name) => FAMILIES.map((family, column) => ({ name, family, column })));

  it.each(cells)('of an AMI of $family with $name', ({ name, family, column }) => {
    const nodes = launchTemplate(IMAGES[family], ...data(DOCUMENTS[name]));
    expect(kindsOf(resources(CLUSTER, nodeGroup(USES_NODES), nodes))).toEqual([BY_USER[name][column]]);
    expect(kindsOf(resources(CLUSTER, SELF_MANAGED, nodes))).toEqual([BY_USER[name][column]]);
  });

  it.each(cells)('of the AMI that EKS chooses for $family with $name', ({ name, family, column }) => {
    const nodes = launchTemplate('EbsOptimized: true', ...data(DOCUMENTS[name]));
    expect(kindsOf(resources(CLUSTER, nodeGroup(`AmiType: ${TYPES[family]}`, USES_NODES), nodes))).toEqual([
      BY_EKS[name][column],
    ]);
  });

  it.each<readonly [keyof typeof DOCUMENTS, BootState['kind']]>([
    ['nothing', 'unknown'],
    ['a plain script that calls bootstrap.sh', 'own'],
    ['a plain script without bootstrap', 'unknown'],
    ['MIME with a NodeConfig', 'own'],
    ['MIME with both', 'unknown'],
    ['settings with the cluster', 'own'],
    ['PowerShell with the bootstrap', 'own'],
    ['PowerShell without the bootstrap', 'unknown'],
  ])('of an AMI that tells nothing, with %s', (name, kind) => {
    expect(
      kindsOf(
        resources(
          CLUSTER,
          nodeGroup(USES_NODES),
          launchTemplate('ImageId: ami-0123456789abcdef0', ...data(DOCUMENTS[name])),
        ),
      ),
    ).toEqual([kind]);
  });

  it('is alone with EKS whatever an unknown AMI type is', () => {
    expect(kindsOf(template('Parameters:\n  Ami: { Type: String }', CLUSTER, nodeGroup('AmiType: !Ref Ami')))).toEqual([
      'eks-alone',
    ]);
    expect(
      kindsOf(
        template(
          'Parameters:\n  Ami: { Type: String }',
          CLUSTER,
          nodeGroup('AmiType: !Ref Ami', USES_NODES),
          launchTemplate(userData(' ')),
        ),
      ),
    ).toEqual(['eks-alone']);
    expect(
      kindsOf(
        template(
          'Parameters:\n  Ami: { Type: String }',
          CLUSTER,
          nodeGroup('AmiType: !Ref Ami', USES_NODES),
          launchTemplate(userData(AGENT)),
        ),
      ),
    ).toEqual(['unknown']);
  });

  it('is not encoded when EC2 would refuse the text', () => {
    expect(kindsOf(resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate('UserData: "#!/bin/bash"')))).toEqual([
      'not-encoded',
    ]);
  });

  it('is told for each case of a condition', () => {
    const conditions = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  Own: !Equals [!Ref Stage, own]';
    const nodes = launchTemplate(IMAGES.AL2023.replace(': ', ': !If [Own, ') + ', !Ref AWS::NoValue]');
    expect(kindsOf(template(conditions, CLUSTER, nodeGroup(USES_NODES), nodes)).sort()).toEqual([
      'eks-alone',
      'missing',
    ]);
  });
});

describe('what may bootstrap out of sight', () => {
  const state = (family: Family, text: string, parameters = '') => {
    const [only, ...others] = statesOf(
      template(parameters, CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMAGES[family], userData(text))),
    );
    expect(others).toEqual([]);
    return only;
  };
  const script = (...lines: string[]) => ['#!/bin/bash', ...lines].join('\n');

  it.each<readonly [string, Family, string, string]>([
    ['a script from the network', 'AL2', script('curl -s https://example.com/join.sh | bash'), 'bash'],
    ['a script in the AMI', 'AL2', script('/opt/join.sh main'), '/opt/join.sh'],
    ['another language', 'AL2', '#!/usr/bin/python3\nimport subprocess', 'python3'],
    ['a call in quotes', 'AL2', script("timeout 60 bash -c '/etc/eks/bootstrap.sh main'"), 'mentions'],
    [
      'a call in a function that nobody calls by its plain name',
      'AL2',
      script('join() {', '  /etc/eks/bootstrap.sh main', '}'),
      'mentions',
    ],
    ['a kubelet that is started by hand', 'AL2', script('systemctl start kubelet'), 'kubelet'],
    ['commands of cloud-config', 'AL2023', '#cloud-config\nruncmd:\n  - [/opt/join.sh]', 'runcmd'],
    ['commands of cloud-config in JSON', 'AL2023', '#cloud-config\n{"runcmd": ["/opt/join.sh"]}', 'runcmd'],
    [
      'an archive of cloud-config',
      'AL2023',
      '#cloud-config-archive\n- type: text/x-shellscript\n  content: echo',
      'parts',
    ],
    ['an include', 'AL2', '#include https://example.com/user-data', 'includes'],
    [
      'a bootstrap of AL2 in one branch, and who knows what in the other',
      'AL2023',
      script('if [ "$OLD" = 1 ]; then', '  /etc/eks/bootstrap.sh main', 'else', '  /opt/join.sh', 'fi'),
      '/opt/join.sh',
    ],
    [
      'a NodeConfig besides a script of unknown content, on AL2',
      'AL2',
      mime(nodeConfigPart(clusterBlock()), shellPart('/opt/join.sh')),
      '/opt/join.sh',
    ],
    [
      'PowerShell from elsewhere',
      'WINDOWS',
      '<powershell>\niex (Get-Content C:\\join.txt)\n</powershell>',
      'other scripts',
    ],
  ])('makes it unknown: %s', (_, family, text, because) => {
    expect(state(family, text)).toMatchObject({ kind: 'unknown', reason: expect.stringContaining(because) as string });
  });

  it.each<readonly [string, Family, string]>([
    ['signals to CloudFormation', 'AL2023', script('/opt/aws/bin/cfn-signal --stack x --region eu-west-1')],
    ['settings that are sourced', 'AL2', script('source /etc/os-release', '. /etc/environment', 'echo "$NAME"')],
    ['a log file', 'AL2', script('set -euxo pipefail', 'exec > >(tee /var/log/user-data.log) 2>&1')],
    [
      'a file that nodeadm reads after it has failed',
      'AL2023',
      script("cat > /etc/eks/nodeadm.d/50-kubelet.yaml <<'END'", nodeConfig(clusterBlock()), 'END'),
    ],
    ['TOML in a here-document', 'AL2023', script('cat > /tmp/x.toml <<END', TRIO, 'END')],
    [
      'a comment about other systems',
      'AL2023',
      script('# Start-EKSBootstrap and /etc/eks/bootstrap.sh are for others', 'echo "no Start-EKSBootstrap"'),
    ],
    [
      'a comment in PowerShell',
      'WINDOWS',
      '<powershell>\n<#\nStart-EKSBootstrap.ps1 -EKSClusterName main\n#>\nWrite-Host hello\n</powershell>',
    ],
  ])('leaves it missing: %s', (_, family, text) => {
    expect(state(family, text)).toEqual({ kind: 'missing' });
  });

  it('is a part that is decided at deployment, also beside a foreign bootstrap', () => {
    const text = mime(part('text/plain', '${More}'), shellPart('/etc/eks/bootstrap.sh main'));
    expect(state('AL2023', text, 'Parameters:\n  More: { Type: String }')).toMatchObject({ kind: 'unknown' });
  });

  it('does not matter where a function that calls the bootstrap is called', () => {
    expect(state('AL2', script('join() {', '  /etc/eks/bootstrap.sh main', '}', 'retry 3 join'))).toEqual({
      kind: 'own',
    });
  });
});
