import { gzipSync } from 'node:zlib';
import { runCommand, type CommandResult } from './built-command';
import { workspace } from './workspace';

jest.setTimeout(120_000);

const NODE_CONFIG = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: main\n';

const BROKEN = [
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/x-shellscript',
  '',
  '#!/bin/bash',
  'echo first',
  '--b--',
  'Content-Type: application/node.eks.aws',
  '',
  `${NODE_CONFIG}--b--`,
  '',
].join('\n');

/** `kubelets` is wrong whatever the template is filled with. */
const FILLED_LATER = [
  'apiVersion: node.eks.aws/v1alpha1',
  'kind: NodeConfig',
  'spec:',
  '  cluster:',
  '    name: ${cluster_name}',
  '    apiServerEndpoint: ${endpoint}',
  '    certificateAuthority: ${certificate_authority}',
  '    cidr: ${service_cidr}',
  '  kubelets: {}',
  '',
].join('\n');

const TEMPLATE = `Resources:
  Cluster:
    Type: AWS::EKS::Cluster
    Properties: { Version: '1.34', RoleArn: 'arn:aws:iam::111122223333:role/cluster', ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] } }
  First:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        UserData:
          Fn::Base64: !Sub |
            apiVersion: node.eks.aws/v1alpha1
            kind: NodeConfig
            spec:
              cluster:
                name: \${Cluster}
                apiServerEndpoint: \${Cluster.Endpoint}
              clusters: {}
  Second:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        ImageId: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/standard/recommended/image_id}}'
        UserData: ${Buffer.from(BROKEN).toString('base64')}
  Bare:
    Type: AWS::EC2::LaunchTemplate
    Properties: { LaunchTemplateData: {} }
  Open:
    Type: AWS::EC2::LaunchTemplate
    Properties: { LaunchTemplateData: { UserData: !ImportValue shared } }
`;

const folder = workspace({
  'broken.txt': BROKEN,
  'broken.b64': Buffer.from(BROKEN).toString('base64'),
  'broken.gz': gzipSync(BROKEN),
  'template.yaml': TEMPLATE,
  'bottlerocket.toml': '[settings.kubernetes]\nmax-pods = 20\n',
  'nodes.yaml.tftpl': FILLED_LATER,
  'nodes.yaml': FILLED_LATER,
  'empty.txt': '',
  'binary.dat': Uint8Array.from({ length: 600 }, (_, index) => (index * 37) % 256),
});

const userData = (...args: string[]): CommandResult => runCommand(['user-data', ...args], { cwd: folder });

interface Described {
  readonly userData: readonly {
    readonly name: string;
    readonly format: string;
    readonly layers: readonly string[];
    readonly family: string | null;
    readonly bytes: number | null;
    readonly location: { readonly file: string; readonly line: number } | null;
    readonly parts: readonly { readonly kind: string; readonly line: number; readonly lastLine: number; readonly readByNodeadm: boolean; readonly content: string }[];
    readonly defects: readonly { readonly kind: string; readonly line: number; readonly nodeadm: string }[];
    readonly nodeConfig: { readonly spec: { readonly cluster: Readonly<Record<string, string>> } } | null;
  }[];
  readonly findings: readonly { readonly rule: string; readonly verdict: string; readonly location: { readonly file: string; readonly line: number } }[];
  readonly diagnostics: readonly { readonly message: string }[];
}

const described = (...args: string[]): Described => JSON.parse(userData(...args, '--format', 'json').stdout) as Described;

describe('eks-guardrails user-data', () => {
  it('shows the parts, who reads them, and the defect with its line', () => {
    const { stdout, stderr, exitCode } = userData('broken.txt');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    expect(stdout).toContain('MIME multipart, 2 parts');
    expect(stdout).toMatch(/part 1 {2}shell script \(text\/x-shellscript\) {2}lines 5–8 {2}read by cloud-init/);
    expect(stdout).toMatch(/part 2 {2}NodeConfig \(application\/node\.eks\.aws\) {2}lines 10–16 {2}read by nothing/);
    expect(stdout).toContain('user-data-mime-structure');
    expect(stdout).toMatch(/> +9 \| --b--/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('The boundary is closed on line 9; the NodeConfig that starts on line 10 is never read');
  });

  it.each([
    ['base64', 'broken.b64', []],
    ['gzip', 'broken.gz', ['gzip']],
  ])('takes %s off', (_, file, layers) => {
    const [one] = described(file).userData;
    expect(one).toMatchObject({ format: 'multipart', layers, bytes: BROKEN.length });
    expect(one?.defects.map(({ kind, line, nodeadm }) => [kind, line, nodeadm])).toEqual([['closed-early', 9, 'ignored']]);
  });

  it('reads the standard input', () => {
    const { stdout, exitCode } = runCommand(['user-data', '-'], { cwd: folder, input: BROKEN });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('standard input  MIME multipart');
  });

  it('finds a launch template by its logical id, with its places in the decoded text', () => {
    const report = described('template.yaml', '--id', 'Second');
    expect(report.userData[0]).toMatchObject({ name: 'Second', family: 'AL2023', location: { file: 'template.yaml', line: 23 } });
    expect(report.findings.filter(({ rule }) => rule === 'user-data-mime-structure').map(({ location }) => [location.file, location.line])).toEqual([['Second', 9]]);
  });

  it('shows references in the merged NodeConfig and judges what stands around them', () => {
    const report = described('template.yaml', '--id', 'First');
    expect(report.userData[0]?.nodeConfig?.spec.cluster).toEqual({ name: '${Cluster}', apiServerEndpoint: '${Cluster.Endpoint}' });
    expect(report.findings.map(({ rule }) => rule)).toContain('node-config-unknown-field');
    expect(userData('template.yaml', '--id', 'First').stdout).toContain('name: ${Cluster}');
  });

  it('takes what a template file leaves open for unknown, and text in other files for what it says', () => {
    const { userData: [one], findings } = described('nodes.yaml.tftpl', '--bootstrap', 'user');
    expect(one?.nodeConfig?.spec.cluster).toMatchObject({ name: '${cluster_name}', cidr: '${service_cidr}' });
    const failing = (found: typeof findings) => found.filter(({ verdict }) => verdict === 'fail').map(({ rule, location: { line } }) => [rule, line]);
    expect(failing(findings)).toEqual([['node-config-unknown-field', 9]]);
    expect(failing(described('nodes.yaml', '--bootstrap', 'user').findings).map(([rule]) => rule)).toEqual(expect.arrayContaining(['node-config-certificate-authority', 'node-config-service-cidr', 'node-config-unknown-field']));
  });

  it('judges by who bootstraps, if it is told', () => {
    const rulesFor = (...args: string[]) => described('template.yaml', '--id', 'First', ...args).findings.map(({ rule }) => rule);
    expect(rulesFor('--bootstrap', 'user', '--family', 'al2023')).toContain('node-config-cluster');
    expect(rulesFor('--bootstrap', 'eks', '--family', 'al2023')).not.toContain('node-config-cluster');
    expect(rulesFor('--bootstrap', 'user', '--family', 'bottlerocket')).toContain('user-data-ami-family');
  });

  it('needs no family for settings of Bottlerocket', () => {
    const { stdout, exitCode } = userData('bottlerocket.toml');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('read by Bottlerocket');
  });

  it.each([
    ['empty.txt', 'empty'],
    ['binary.dat', 'binary'],
  ])('has a result for %s', (file, format) => {
    expect(described(file).userData[0]?.format).toBe(format);
    expect(userData(file).exitCode).toBe(0);
  });

  it.each([
    ['a template with several launch templates', ['template.yaml'], 'choose one with --id: First, Second, Open'],
    ['an id that does not exist', ['template.yaml', '--id', 'Fist'], 'has no launch template "Fist"; did you mean "First"?\nIt has First, Second, Bare, Open.'],
    ['an id for a file that is no template', ['broken.txt', '--id', 'First'], 'and broken.txt is none'],
    ['a family that does not exist', ['broken.txt', '--family', 'ubuntu'], '--family is "ubuntu"; it takes al2, al2023, bottlerocket or windows'],
    ['who else could bootstrap', ['broken.txt', '--bootstrap', 'me'], 'Allowed choices are eks, user, unknown'],
  ])('explains %s', (_, args, message) => {
    const { stderr, stdout, exitCode } = userData(...args);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });

  it('says that a file does not exist', () => {
    const { stdout, exitCode } = userData('missing.txt');
    expect(exitCode).toBe(2);
    expect(stdout).toContain('there is no such file or folder');
  });

  it.each([
    ['Bare', 'launch template Bare has no user data'],
    ['Open', "the user data of launch template Open isn't known: no template of the input exports shared"],
  ])('says why there is nothing to see in %s', (id, message) => {
    expect(described('template.yaml', '--id', id)).toMatchObject({ userData: [], diagnostics: [{ message }] });
  });
});
