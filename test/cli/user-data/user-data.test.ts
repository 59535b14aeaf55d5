import { gzipSync } from 'node:zlib';
import { runCommand, type CommandResult } from '../built-command';
import { workspace } from '../workspace';

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

const SCRIPT_PART =
  'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/x-shellscript\n\n#!/bin/bash\necho hello\n--b--\n';
const POWERSHELL = '<powershell>\nWrite-Host hello\n</powershell>\n';

/** Launch templates whose user data, AMI and users depend on one condition. */
const CONDITIONAL = `Parameters:
  System: { Type: String, AllowedValues: [linux, windows] }
Conditions:
  IsWindows: !Equals [!Ref System, windows]
  IsLinux: !Not [!Condition IsWindows]
Resources:
  Both:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        UserData:
          Fn::Base64: !If [IsWindows, ${JSON.stringify(POWERSHELL)}, ${JSON.stringify(SCRIPT_PART)}]
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      AmiType: !If [IsWindows, WINDOWS_CORE_2022_x86_64, AL2023_x86_64_STANDARD]
      LaunchTemplate: { Id: !Ref Both, Version: !GetAtt Both.LatestVersionNumber }
  Swapped:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        UserData:
          Fn::Base64: !If [IsLinux, ${JSON.stringify(POWERSHELL)}, ${JSON.stringify(SCRIPT_PART)}]
  SwappedWorkers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      AmiType: !If [IsWindows, WINDOWS_CORE_2022_x86_64, AL2023_x86_64_STANDARD]
      LaunchTemplate: { Id: !Ref Swapped, Version: !GetAtt Swapped.LatestVersionNumber }
  Shared:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        UserData:
          Fn::Base64: !If [IsWindows, ${JSON.stringify(POWERSHELL)}, ${JSON.stringify(SCRIPT_PART)}]
  LinuxOnly:
    Type: AWS::EKS::Nodegroup
    Condition: IsLinux
    Properties:
      ClusterName: main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      AmiType: AL2023_x86_64_STANDARD
      LaunchTemplate: { Id: !Ref Shared, Version: '1' }
  WindowsOnly:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      AmiType: WINDOWS_CORE_2022_x86_64
      LaunchTemplate: !If [IsWindows, { Id: !Ref Shared, Version: '1' }, !Ref AWS::NoValue]
  OwnImage:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        ImageId: !If [IsWindows, '{{resolve:ssm:/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.34/image_id}}', !Ref AWS::NoValue]
        UserData:
          Fn::Base64: !If [IsWindows, ${JSON.stringify(POWERSHELL)}, ${JSON.stringify(SCRIPT_PART)}]
  Mixed:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData: { UserData: { Fn::Base64: ${JSON.stringify(POWERSHELL)} } }
  MixedWorkers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      AmiType: !If [IsWindows, WINDOWS_CORE_2022_x86_64, AL2023_x86_64_STANDARD]
      LaunchTemplate: { Id: !Ref Mixed, Version: '1' }
`;

/** Launch templates that node groups of several operating systems use. */
const SEVERAL = ((): string => {
  const template = (id: string): string =>
    `  ${id}:\n    Type: AWS::EC2::LaunchTemplate\n    Properties: { LaunchTemplateData: { UserData: { Fn::Base64: "#!/bin/bash\\necho a\\n" } } }\n`;
  const group = (id: string, of: string, amiType: string): string =>
    `  ${id}:\n    Type: AWS::EKS::Nodegroup\n    Properties:\n      ClusterName: main\n      NodeRole: arn:aws:iam::111122223333:role/nodes\n      Subnets: [subnet-1]\n      AmiType: ${amiType}\n      LaunchTemplate: { Id: !Ref ${of}, Version: '1' }\n`;
  const both = (one: string, other: string): string =>
    group(`${one}A`, one, 'AL2023_x86_64_STANDARD') + group(`${one}B`, one, other) + group(`${one}C`, one, other);
  return `Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\nResources:\n${template('Groups')}${both('Groups', 'BOTTLEROCKET_x86_64')}${template('Some')}${both('Some', '!If [IsProd, BOTTLEROCKET_x86_64, AL2023_x86_64_STANDARD]')}${template('Alike')}${both('Alike', 'AL2023_ARM_64_STANDARD')}`;
})();

/** Field names of eks-hybrid, which nodeadm of EC2 nodes doesn't have. */
const HYBRID =
  'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster: { name: main, region: eu-west-1 }\n  hybrid:\n    ssm: { activationCode: code, activationId: id }\n';

const NODE_CLASS = `apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: { name: default }\nspec:\n  userData: |\n${NODE_CONFIG.replaceAll(/^/gm, '    ')}\n`;

const SHELL = '#!/bin/bash\necho ${HOSTNAME} $USER "%{http_code}" ${#HOSTNAME} ${HOSTNAME%%.*}\n';

const cluster = (name: string, endpoint: string, authority: string, cidr: string): string =>
  `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: ${name}\n    apiServerEndpoint: ${endpoint}\n    certificateAuthority: ${authority}\n    cidr: ${cidr}\n`;

const inParts = (boundary: string, ...parts: readonly (readonly [string, string])[]): string =>
  [
    `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${boundary}"\n\n`,
    ...parts.map(([type, body]) => `--${boundary}\nContent-Type: ${type}\n\n${body}`),
    `--${boundary}--\n`,
  ].join('');

const folder = workspace({
  'envsubst.yaml': `${cluster('$CLUSTER_NAME', '"$ENDPOINT"', '${CA}', '${CIDR}')}  kubelet:\n    config:\n      maxPods: \${MAX_PODS}\n`,
  'jinja.yml': cluster('{{ name }}', '"{{ endpoint }}"', "{{ ca | default('') }}", '"{{ cidr }}"'),
  'helm.yaml': `${cluster('main', 'https://a.eks.amazonaws.com', '{{ .Values.ca | quote }}', '{{ .Values.cidr }}')}  {{- if .Values.kubelet }}\n  kubelet: {}\n  {{- end }}\n`,
  'settings.toml':
    '[settings.kubernetes]\ncluster-name = "$CLUSTER"\napi-server = "{{ endpoint }}"\ncluster-certificate = "${CA}"\nmax-pods = ${MAX_PODS}\n',
  'parts.txt': inParts(
    '//',
    ['application/node.eks.aws', cluster('${NAME}', '$ENDPOINT', '{{ ca }}', '${CIDR}')],
    ['text/x-shellscript', '#!/bin/bash\necho ${HOSTNAME}\n'],
  ),
  'directives.sh':
    '#!/bin/bash\n%{ if extra != "" ~}\n/etc/eks/bootstrap.sh ${name} --kubelet-extra-args ${extra}\n%{ endif ~}\n',
  'braces.sh': '#!/bin/bash\n/etc/eks/bootstrap.sh {{ name }} --kubelet-extra-args {{ extra }}\n',
  'braces.ps1':
    '<powershell>\n& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName {{ name }}\n</powershell>\n',
  'boundary.txt': inParts('${BOUNDARY}', [
    'application/node.eks.aws',
    cluster('main', '$ENDPOINT', '{{ ca }}', '${CIDR}'),
  ]),
  'wrong.yaml': `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: $NAME\n    names: x\n    apiServerEndpoint: $URL\n    certificateAuthority: $CA\n    cidr: $CIDR\n`,
  'wrong.toml':
    '[settings.kubernetes]\ncluster-name = "$CLUSTER"\napi-server = "$URL"\ncluster-certificate = "$CA"\nmax-pods = -1\n',
  'wrong.sh': '#!/bin/bash\n/etc/eks/bootstrap.sh --b64-cluster-ca {{ ca }} --apiserver-endpoint $URL\n',
  'shell.sh': SHELL,
  'started.txt': inParts('//', ['text/x-shellscript', '#!/bin/bash\nyum install -y jq\nsystemctl restart kubelet\n']),
  'addition.txt': inParts('//', ['text/x-shellscript', '#!/bin/bash\nyum install -y jq\n']),
  'conditional.yaml': CONDITIONAL,
  'several.yaml': SEVERAL,
  'encoded.yaml.tftpl':
    'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster: ${yamlencode({\n    name = "}"\n  })}\n  kubelets: {}\n',
  'decided.sh.tpl':
    '#!/bin/bash\n%{ if system == "}" }echo 1%{ endif }\n/etc/eks/bootstrap.sh main --kubelet-extra-args ${jsonencode({ a = { b = 1 } })}\n',
  'whole.tftpl': '${file("user-data-${jsonencode({ a = "}" })}.txt")}\n',
  'hybrid.yaml': HYBRID,
  'hybrid-template.yaml': `Resources:\n  Nodes:\n    Type: AWS::EC2::LaunchTemplate\n    Properties: { LaunchTemplateData: { UserData: ${Buffer.from(HYBRID).toString('base64')} } }\n`,
  'node-class.yaml': NODE_CLASS,
  'node-class.json': '{"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "spec": {}}',
  'script.sh': '#!/bin/bash\necho hello\n',
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
    readonly notJudged: string | null;
    readonly bytes: number | null;
    readonly location: { readonly file: string; readonly line: number } | null;
    readonly parts: readonly {
      readonly kind: string;
      readonly line: number;
      readonly lastLine: number;
      readonly readByNodeadm: boolean;
      readonly content: string;
    }[];
    readonly defects: readonly { readonly kind: string; readonly line: number; readonly nodeadm: string }[];
    readonly nodeConfig: { readonly spec: { readonly cluster: Readonly<Record<string, string>> } } | null;
  }[];
  readonly findings: readonly {
    readonly rule: string;
    readonly verdict: string;
    readonly message: string;
    readonly location: { readonly file: string; readonly line: number };
    readonly related: readonly {
      readonly message: string;
      readonly location: { readonly file: string; readonly line: number };
    }[];
  }[];
  readonly diagnostics: readonly { readonly message: string }[];
}

const described = (...args: string[]): Described =>
  JSON.parse(userData(...args, '--format', 'json').stdout) as Described;

describe('eks-guardrails user-data', () => {
  it('shows the parts, who reads them, and the defect with its line', () => {
    const { stdout, stderr, exitCode } = userData('broken.txt');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    expect(stdout).toContain('MIME multipart, 2 parts');
    expect(stdout).toMatch(/part 1 {2}shell script \(text\/x-shellscript\) {2}lines 5–8 {2}read by cloud-init/);
    expect(stdout).toMatch(/part 2 {2}NodeConfig \(application\/node\.eks\.aws\) {2}lines 10–16 {2}read by nothing/);
    expect(stdout).toContain('user-data-mime-structure');
    expect(stdout).toMatch(/> +9 \| --b--/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The boundary is closed on line 9; the NodeConfig that starts on line 10 is never read',
    );
  });

  it.each([
    ['base64', 'broken.b64', []],
    ['gzip', 'broken.gz', ['gzip']],
  ])('takes %s off', (_, file, layers) => {
    const [one] = described(file).userData;
    expect(one).toMatchObject({ format: 'multipart', layers, bytes: BROKEN.length });
    expect(one?.defects.map(({ kind, line, nodeadm }) => [kind, line, nodeadm])).toEqual([
      ['closed-early', 9, 'ignored'],
    ]);
  });

  it('reads the standard input', () => {
    const { stdout, exitCode } = runCommand(['user-data', '-'], { cwd: folder, input: BROKEN });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('standard input  MIME multipart');
  });

  it('finds a launch template by its logical id, with its places in the decoded text', () => {
    const report = described('template.yaml', '--id', 'Second');
    expect(report.userData[0]).toMatchObject({
      name: 'Second',
      family: 'AL2023',
      location: { file: 'template.yaml', line: 23 },
    });
    expect(
      report.findings
        .filter(({ rule }) => rule === 'user-data-mime-structure')
        .map(({ location }) => [location.file, location.line]),
    ).toEqual([['Second', 9]]);
  });

  it('shows references in the merged NodeConfig and judges what stands around them', () => {
    const report = described('template.yaml', '--id', 'First');
    expect(report.userData[0]?.nodeConfig?.spec.cluster).toEqual({
      name: '${Cluster}',
      apiServerEndpoint: '${Cluster.Endpoint}',
    });
    expect(report.findings.map(({ rule }) => rule)).toContain('node-config-unknown-field');
    expect(userData('template.yaml', '--id', 'First').stdout).toContain('name: ${Cluster}');
  });

  it('takes what a template file leaves open for unknown', () => {
    const {
      userData: [one],
      findings,
    } = described('nodes.yaml.tftpl', '--bootstrap', 'user');
    expect(one?.nodeConfig?.spec.cluster).toMatchObject({ name: '${cluster_name}', cidr: '${service_cidr}' });
    const failing = (found: typeof findings) =>
      found.filter(({ verdict }) => verdict === 'fail').map(({ rule, location: { line } }) => [rule, line]);
    expect(failing(findings)).toEqual([['node-config-unknown-field', 9]]);
    expect(failing(described('nodes.yaml', '--bootstrap', 'user').findings)).toEqual([
      ['node-config-unknown-field', 9],
    ]);
  });

  describe('with placeholders, whatever the file is called', () => {
    const failing = (file: string, ...args: string[]) =>
      described(file, ...args)
        .findings.filter(({ verdict }) => verdict === 'fail')
        .map(({ rule, location: { line } }) => [rule, line]);

    it.each([
      'envsubst.yaml',
      'jinja.yml',
      'helm.yaml',
      'settings.toml',
      'parts.txt',
      'directives.sh',
      'braces.sh',
      'braces.ps1',
      'boundary.txt',
    ])('judges nothing that is filled into %s', (file) => {
      expect(failing(file, '--bootstrap', 'user')).toEqual([]);
    });

    it.each([
      ['wrong.yaml', ['node-config-unknown-field', 6]],
      ['wrong.toml', ['bottlerocket-settings', 5]],
      ['wrong.sh', ['bootstrap-script-arguments', 2]],
    ])('still judges the rest of %s', (file, failure) => {
      expect(failing(file, '--bootstrap', 'user')).toEqual([failure]);
    });

    it('leaves the variables of a shell, and text that only looks like a placeholder, to the script', () => {
      expect(described('shell.sh', '--bootstrap', 'user').userData[0]?.bytes).toBe(Buffer.byteLength(SHELL));
    });
  });

  describe('where EKS bootstraps and no family is given', () => {
    const failing = (file: string) =>
      described(file, '--bootstrap', 'eks')
        .findings.filter(({ verdict }) => verdict === 'fail')
        .map(({ rule, location: { line } }) => [rule, line]);

    it.each([
      ['script.sh', [['node-user-data-format', 1]]],
      ['started.txt', [['node-user-data-duplicate-bootstrap', 9]]],
      ['nodes.yaml', [['node-user-data-format', 1]]],
      ['wrong.toml', [['bottlerocket-settings', 5]]],
      ['addition.txt', []],
    ])('says of %s what holds for every family that it may be for', (file, failures) => {
      expect(failing(file).toSorted()).toEqual(failures.toSorted());
    });

    it('says which system is meant by the user data, and that the rest is not known', () => {
      expect(userData('wrong.toml', '--bootstrap', 'eks').stdout).toContain('operating system: Bottlerocket\n');
      expect(userData('script.sh', '--bootstrap', 'eks').stdout).toContain(
        'operating system: not known (--family tells it)',
      );
      expect(described('script.sh', '--bootstrap', 'eks').findings).toContainEqual(
        expect.objectContaining({
          verdict: 'unverifiable',
          message: expect.stringContaining("which system the nodes have isn't given (--family)") as unknown,
        }),
      );
    });
  });

  it('judges by who bootstraps, if it is told', () => {
    const rulesFor = (...args: string[]) =>
      described('template.yaml', '--id', 'First', ...args).findings.map(({ rule }) => rule);
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
    [
      'an id that does not exist',
      ['template.yaml', '--id', 'Fist'],
      'has no launch template "Fist"; did you mean "First"?\nIt has First, Second, Bare, Open.',
    ],
    ['an id for a file that is no template', ['broken.txt', '--id', 'First'], 'and broken.txt is none'],
    [
      'a family that does not exist',
      ['broken.txt', '--family', 'ubuntu'],
      '--family is "ubuntu"; it takes al2, al2023, bottlerocket or windows',
    ],
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

  describe('under a condition', () => {
    const look = (id: string, ...args: string[]) => {
      const { userData: inputs, findings } = described('conditional.yaml', '--id', id, ...args);
      const failing = findings.filter(({ verdict }) => verdict === 'fail');
      return {
        families: inputs.map(({ name, family }) => [name, family]),
        failing: failing.map(({ rule, location }) => [rule, location.file]),
        findings: failing,
      };
    };

    it.each(['Both', 'Shared'])('judges each user data of %s with the settings of its own condition', (id) => {
      expect(look(id)).toMatchObject({
        families: [
          [`${id} (if condition IsWindows is true)`, 'WINDOWS'],
          [`${id} (if condition IsWindows is false)`, 'AL2023'],
        ],
        failing: [],
      });
    });

    it('still finds what is wrong under it', () => {
      const { failing, findings } = look('Swapped');
      expect(failing).toEqual([
        ['user-data-ami-family', 'Swapped (if condition IsLinux is true)'],
        ['user-data-ami-family', 'Swapped (if condition IsLinux is false)'],
      ]);
      expect(findings.map(({ message }) => message)).toEqual([
        expect.stringMatching(/starts AL2023 nodes, and its user data is PowerShell/),
        expect.stringMatching(/starts Windows nodes, and its user data is a MIME document/),
      ]);
    });

    it('tells the operating system and who reads a part by it', () => {
      const { stdout } = userData('conditional.yaml', '--id', 'Both');
      expect(stdout).toMatch(
        /is true\) {2}Windows user data.*\noperating system: Windows, told by AMI type WINDOWS_CORE_2022_x86_64\n\n.*read by EC2Launch\n/,
      );
      expect(stdout).toMatch(
        /is false\) {2}MIME multipart.*\noperating system: AL2023, told by AMI type AL2023_x86_64_STANDARD\n\n.*read by cloud-init\n/,
      );
    });

    it('tells the AMI of a template that nothing uses by it', () => {
      const unclear = described('conditional.yaml', '--id', 'OwnImage');
      expect(unclear.userData.map(({ family }) => family)).toEqual(['WINDOWS', null]);
      expect(
        unclear.findings.filter(({ verdict }) => verdict === 'unverifiable').map(({ location }) => location.file),
      ).toContain('OwnImage (if condition IsWindows is false)');
    });

    it('names every operating system that gets the same user data', () => {
      const { stdout } = userData('conditional.yaml', '--id', 'Mixed');
      expect(stdout).toContain(
        'operating system: Windows (if condition IsWindows is true) or AL2023 (if condition IsWindows is false)',
      );
      expect(stdout).toContain('read by EC2Launch (Windows), nothing (AL2023)');
      expect(look('Mixed')).toMatchObject({
        families: [['Mixed', null]],
        failing: [['user-data-ami-family', 'Mixed']],
      });
    });

    it('points at the group that really uses it', () => {
      const line = CONDITIONAL.split('\n').findIndex((text) => text.includes('Id: !Ref Mixed,')) + 1;
      expect(look('Mixed').findings[0]).toMatchObject({
        message: expect.stringContaining(
          'Launch template "Mixed" of node group "MixedWorkers" starts AL2023 nodes',
        ) as unknown,
        related: [
          {
            message: 'node group "MixedWorkers" uses this launch template',
            location: { file: 'conditional.yaml', line },
          },
        ],
      });
      expect(look('Mixed', '--family', 'al2').findings[0]).toMatchObject({
        message: expect.stringContaining('Launch template "Mixed" starts AL2 nodes') as unknown,
        related: [],
      });
    });
  });

  it.each([
    [
      'Groups',
      'AL2023 (node group "GroupsA") or Bottlerocket (2 node groups)',
      'cloud-init (AL2023), nothing (Bottlerocket)',
    ],
    ['Some', 'AL2023 (3 node groups) or Bottlerocket', 'cloud-init (AL2023), nothing (Bottlerocket)'],
    ['Alike', 'AL2023', 'cloud-init'],
  ])('tells by what the operating systems of %s differ', (id, systems, readers) => {
    const { stdout } = userData('several.yaml', '--id', id);
    expect(stdout).toContain(`operating system: ${systems}\n`);
    expect(stdout).toContain(`read by ${readers}\n`);
  });

  it.each([
    ['broken.txt', []],
    ['script.sh', ['--bootstrap', 'user', '--family', 'al2023']],
    ['script.sh', ['--bootstrap', 'user']],
    ['script.sh', ['--family', 'windows']],
    ['nodes.yaml.tftpl', ['--bootstrap', 'user']],
    ['whole.tftpl', []],
    ['binary.dat', ['--bootstrap', 'eks']],
  ])('invents neither names nor places for %s %j', (file, args) => {
    const { findings } = described(file, ...args);
    expect(findings).not.toEqual([]);
    for (const { message, location, related } of findings) {
      expect(message).not.toMatch(/node group "|an AMI an AMI/);
      for (const place of [location, ...related.map((one) => one.location)]) expect(place.file).toBe(file);
      expect(related.map((one) => one.message).join()).not.toMatch(/uses this launch template|is set here/);
    }
  });

  it('calls what launches with a lone file by the file', () => {
    expect(described('broken.txt').findings[0]?.message).toMatch(
      /^A launch template with "broken.txt", in its user data: The boundary/,
    );
  });

  it.each([['encoded.yaml.tftpl', ['node-config-unknown-field', 7]], ['decided.sh.tpl'], ['whole.tftpl']])(
    'takes whole template sequences of %s for unknown',
    (file, ...failures) => {
      const { findings } = described(file, '--bootstrap', 'user');
      expect(
        findings.filter(({ verdict }) => verdict === 'fail').map(({ rule, location }) => [rule, location.line]),
      ).toEqual(failures);
      expect(findings.map(({ verdict }) => verdict)).toContain('unverifiable');
    },
  );

  it('says that a NodeConfig is for hybrid nodes, and judges nothing of it', () => {
    const report = described('hybrid.yaml', '--bootstrap', 'user');
    expect(report).toMatchObject({
      userData: [
        { format: 'node-config', family: null, notJudged: expect.stringContaining('hybrid nodes') as unknown },
      ],
      findings: [],
    });
    const { stdout, exitCode } = userData('hybrid.yaml', '--verbose');
    expect(exitCode).toBe(0);
    expect(stdout.match(/eks-hybrid/g)).toHaveLength(1);
    expect(stdout).not.toContain('operating system');
  });

  it('judges the same in a launch template as EC2 nodes read it', () => {
    expect(described('hybrid-template.yaml').findings.map(({ rule }) => rule)).toContain('node-config-unknown-field');
  });

  it.each([
    ['node-class.yaml', 'this is an EC2NodeClass (karpenter.k8s.aws/v1), not user data'],
    ['node-class.json', 'this is a NodePool (karpenter.sh/v1), not user data'],
  ])('says what %s is instead', (file, message) => {
    expect(described(file)).toMatchObject({ userData: [], findings: [], diagnostics: [{ message }] });
    expect(userData(file)).toMatchObject({ exitCode: 2, stdout: expect.stringContaining(message) as unknown });
  });

  it.each([
    ['Bare', 'launch template Bare has no user data'],
    ['Open', "the user data of launch template Open isn't known: no template of the input exports shared"],
  ])('says why there is nothing to see in %s', (id, message) => {
    expect(described('template.yaml', '--id', id)).toMatchObject({ userData: [], diagnostics: [{ message }] });
  });
});
