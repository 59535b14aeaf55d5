import { runCommand, type CommandResult } from './built-command';
import { workspace } from './workspace';

const container = (name: string, env: Readonly<Record<string, unknown>>) => ({
  name,
  env: [
    ...Object.entries(env).map(([key, value]) => ({ name: key, value })),
    { name: 'MY_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ],
});

const daemonSet = (env: Readonly<Record<string, unknown>>, init: Readonly<Record<string, unknown>>) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'aws-node', namespace: 'kube-system' },
  spec: {
    template: {
      spec: {
        containers: [
          container('aws-node', env),
          { name: 'aws-eks-nodeagent', env: [{ name: 'ENABLE_POD_ENI', value: 'x' }] },
        ],
        initContainers: [container('aws-vpc-cni-init', init)],
      },
    },
  },
});

const LIVE = daemonSet({ ENABLE_POD_ENI: 'true', WARM_ENI_TARGET: '1' }, { DISABLE_TCP_EARLY_DEMUX: 'true' });

const folder = workspace({
  'live.json': JSON.stringify(LIVE, undefined, 2),
  'list.json': JSON.stringify({ kind: 'List', items: [{ metadata: { name: 'kube-proxy' } }, LIVE] }),
  'live.yaml': [
    'apiVersion: apps/v1',
    'kind: DaemonSet',
    'spec:',
    '  template:',
    '    spec:',
    '      containers:',
    '      - name: aws-node',
    '        env:',
    '        - name: ENABLE_POD_ENI',
    '          value: "true"',
    '      initContainers:',
    '      - name: aws-vpc-cni-init',
    '        env:',
    '        - name: DISABLE_TCP_EARLY_DEMUX',
    '          value: "true"',
    '',
  ].join('\n'),
  'kubectl.env': [
    '# DaemonSet aws-node, container aws-node',
    'ADDITIONAL_ENI_TAGS={"a": "b=c"}',
    'ENABLE_POD_ENI=true',
    '# MY_NODE_NAME from field path spec.nodeName',
    '# DaemonSet aws-node, container aws-eks-nodeagent',
    'ENABLE_POD_ENI=x',
    '# DaemonSet aws-node, init container aws-vpc-cni-init',
    'DISABLE_TCP_EARLY_DEMUX=true',
    '',
  ].join('\r\n'),
  'main-only.env': '# daemonsets aws-node, container aws-node\nENABLE_POD_ENI=true\n',
  'bare.env': 'ENABLE_POD_ENI="true"\n\nDISABLE_TCP_EARLY_DEMUX=true\n',
  'doubt.env': 'ENABLE_POD_ENI=yes\n  WARM_ENI_TARGET=many\nENABLE_POD_ENI=enabled\n',
  'broken.env': 'ENABLE_POD_ENI=true\nsome text\n  1BAD=x\n',
  'secret.env': 'AWS_REGION=eu-west-1\npassword: zq7Xk2vLw9Rt\n',
  'number.json': JSON.stringify(daemonSet({ ENABLE_POD_ENI: true }, {}), undefined, 1),
  'other.json': JSON.stringify({
    kind: 'DaemonSet',
    spec: { template: { spec: { containers: [{ name: 'kube-proxy' }] } } },
  }),
  'pod.json': JSON.stringify({ kind: 'ConfigMap', data: {} }),
  'empty.txt': '',
  'pinned.json': '{"env": {"ENABLE_POD_ENI": "true"}, "init": {"env": {"DISABLE_TCP_EARLY_DEMUX": "true"}}}',
  'pinned.yaml': 'env:\n  ENABLE_POD_ENI: "true"\ninit:\n  env: { DISABLE_TCP_EARLY_DEMUX: "true" }\n',
  'refused.yaml': 'env:\n  ENABLE_POD_ENI: true\n  AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: "false"\n',
  'broken.json': '{"env": {\n  "ENABLE_POD_ENI": \n}}',
  'twice.json': '{"env": {"ENABLE_POD_ENI": "true",\n "ENABLE_POD_ENI": "false"}}',
  'null.json': 'null\n',
  'garbage.env': '!\n'.repeat(500),
  'coloured.env': '\u001b[31mred\u001b[0m\n',
  'binary.env': '\u0000\u0001A=b\n'.repeat(300),
  'list.yaml': '- a\n- b\n',
});

const FROM = 'v1.11.0-eksbuild.1';
const TO = 'v1.12.6-eksbuild.1';

const addonDiff = (...args: string[]): CommandResult =>
  runCommand(['addon-diff', 'vpc-cni', FROM, TO, ...args], { cwd: folder });

interface Report {
  readonly from: string;
  readonly mode: string;
  readonly asOf: string;
  readonly added: readonly { readonly path: string; readonly rendered: boolean; readonly block: boolean }[];
  readonly removed: readonly { readonly path: string }[];
  readonly changed: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
  readonly effects: readonly {
    readonly path: string;
    readonly status: string;
    readonly live: string | null;
    readonly becomes: string | null;
    readonly bites: {
      readonly when: string;
      readonly text: string;
      readonly source: { readonly path: string | null };
    } | null;
    readonly places: readonly { readonly file: string; readonly line: number; readonly column: number }[];
  }[];
  readonly pin: unknown;
  readonly notes: readonly string[];
  readonly diagnostics: readonly { readonly message: string; readonly line: number; readonly column: number }[];
}

const reportOf = (...args: string[]): Report => JSON.parse(addonDiff(...args, '--format', 'json').stdout) as Report;
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

const INCIDENT = [
  ['env.ENABLE_POD_ENI', 'true', 'false', 'new-node'],
  ['init.env.DISABLE_TCP_EARLY_DEMUX', 'true', 'false', 'restart'],
];

describe('eks-guardrails addon-diff', () => {
  it('foretells the incident: what is reset, when each loss acts, and what to pin', () => {
    const { stdout, stderr, exitCode } = addonDiff('--live', 'live.json');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    const text = flat(stdout);
    expect(text).toContain(`vpc-cni ${FROM} → ${TO} conflict mode OVERWRITE`);
    expect(text).toMatch(
      /reset env\.ENABLE_POD_ENI "true" → "false" .{0,100}acts with the next new node: running nodes keep their trunk interface/,
    );
    expect(text).toMatch(
      /reset init\.env\.DISABLE_TCP_EARLY_DEMUX "true" → "false" .{0,100}acts at once, when aws-node restarts, on the whole node: .*probes/,
    );
    expect(text).toContain('"init": { "env": { "DISABLE_TCP_EARLY_DEMUX": "true" } }');
    expect(text).toContain('+ init.env.DISABLE_TCP_EARLY_DEMUX default: "false", which EKS writes');
    expect(text).toContain('- env.AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER');
    // What goes is never among the rows that are left out.
    expect(text.indexOf(' - env.')).toBeLessThan(text.indexOf(' + '));
    expect(text).not.toContain('WARM_ENI_TARGET');
    expect(flat(addonDiff('--live', 'live.json', '--verbose').stdout)).toContain('kept env.WARM_ENI_TARGET "1"');
  });

  it.each(['live.json', 'list.json', 'live.yaml', 'kubectl.env', 'bare.env'])('reads %s', (file) => {
    const { effects } = reportOf('--live', file);
    expect(
      effects
        .filter(({ path }) => INCIDENT.some(([known]) => known === path))
        .map(({ path, live, becomes, bites }) => [path, live, becomes, bites?.when]),
    ).toEqual(INCIDENT);
    for (const { places } of effects) expect(places).toMatchObject([{ file }]);
  });

  it('knows the place of a live setting', () => {
    const places = (file: string) =>
      reportOf('--live', file).effects.find(({ path }) => path === 'init.env.DISABLE_TCP_EARLY_DEMUX')?.places;
    expect(places('kubectl.env')).toEqual([{ file: 'kubectl.env', line: 8, column: 1 }]);
    expect(places('live.yaml')).toEqual([{ file: 'live.yaml', line: 15, column: 11 }]);
  });

  it('says that a listing without the init container leaves something out', () => {
    expect(reportOf('--live', 'main-only.env').notes.join(' ')).toContain('DISABLE_TCP_EARLY_DEMUX');
    expect(reportOf('--live', 'kubectl.env').notes.join(' ')).not.toContain('DISABLE_TCP_EARLY_DEMUX');
  });

  it.each([
    ['PRESERVE', 0, 'kept'],
    ['NONE', 1, 'fails'],
  ])('foretells what %s does', (mode, code, status) => {
    const args = ['--live', 'live.json', '--mode', mode];
    expect(addonDiff(...args).exitCode).toBe(code);
    expect(
      reportOf(...args)
        .effects.filter(({ path }) => !path.endsWith('WARM_ENI_TARGET'))
        .map((effect) => effect.status),
    ).toEqual([status, status]);
  });

  it.each(['pinned.json', 'pinned.yaml'])('finds nothing to reset with the settings in %s', (file) => {
    const { exitCode, stdout } = addonDiff('--live', 'live.json', '--config', file);
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('to pin');
    expect(reportOf('--live', 'live.json', '--config', file)).toMatchObject({
      pin: null,
      effects: [{ status: 'kept' }, { status: 'kept' }, { status: 'kept' }],
    });
  });

  it('says which configuration values EKS refuses, with their places', () => {
    const { exitCode, stdout } = addonDiff('--config', 'refused.yaml');
    expect(exitCode).toBe(1);
    expect(flat(stdout)).toContain(
      'refused env.AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER "false" refused.yaml:3:3: the schema has it no longer since v1.12.1-eksbuild.1',
    );
    expect(flat(stdout)).toContain(
      'refused env.ENABLE_POD_ENI true refused.yaml:2:3: it must be text, and is the boolean true: write "true"',
    );
    expect(reportOf('--config', 'refused.yaml').pin).toEqual({ env: { ENABLE_POD_ENI: 'true' } });
  });

  it('compares versions alone', () => {
    const { exitCode, stdout } = addonDiff();
    expect(exitCode).toBe(0);
    expect(flat(stdout)).toContain('14 added, 1 removed, 1 default changed');
    expect(flat(stdout)).toContain('~ resources.requests.cpu "10m" → "25m" (of the Helm chart)');
    expect(flat(stdout)).toContain('The settings of the cluster are not known');
  });

  it('tells the defaults of new keys, and whose they are', () => {
    const { stdout } = runCommand(['addon-diff', 'vpc-cni', 'v1.11.5-eksbuild.1', 'v1.13.2-eksbuild.1']);
    const rows = flat(stdout);
    expect(rows).toContain('+ env.AWS_EC2_ENDPOINT default: none +');
    expect(rows).toContain('+ eniConfig.create default: false (of the Helm chart) +');
    expect(rows).toContain('+ env.ENABLE_V6_EGRESS default: "false" +');
    expect(rows).toMatch(/\+ env\.CLUSTER_ENDPOINT default: .+, which EKS writes \+/);
    // One without a default.
    expect(rows).toMatch(/\+ eniConfig\.region \+/);
  });

  it('gives everything as JSON', () => {
    const report = reportOf('--live', 'live.json');
    expect(report).toMatchObject({
      from: FROM,
      to: TO,
      addon: 'vpc-cni',
      mode: 'OVERWRITE',
      changed: [{ path: 'resources.requests.cpu', from: '10m', to: '25m' }],
    });
    expect(report.asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(report.added).toContainEqual({
      path: 'init.env.DISABLE_TCP_EARLY_DEMUX',
      default: 'false',
      defaultFrom: 'managed-daemonset',
      rendered: true,
      block: false,
    });
    expect(report.effects.find(({ path }) => path === 'env.ENABLE_POD_ENI')?.bites).toMatchObject({
      text: 'with the next new node',
      source: { path: 'README.md' },
    });
  });

  it('reads the standard input', () => {
    const args = ['addon-diff', 'vpc-cni', FROM, TO, '--format', 'json'];
    const live = runCommand([...args, '--live', '-', '--config', 'pinned.json'], {
      cwd: folder,
      input: 'ENABLE_POD_ENI=true\n',
    });
    expect(live.exitCode).toBe(0);
    expect(
      (JSON.parse(live.stdout) as Report).effects.map(({ path, places }) => [path, places.map(({ file }) => file)]),
    ).toContainEqual(['env.ENABLE_POD_ENI', ['pinned.json', 'standard input']]);
    const config = runCommand([...args, '--live', 'live.json', '--config', '-'], { cwd: folder, input: '{}' });
    expect(config.exitCode).toBe(1);
  });

  it('warns of values that the CNI does not read, with their places', () => {
    const { diagnostics } = reportOf('--live', 'doubt.env');
    expect(diagnostics.map(({ message, line, column }) => [line, column, message])).toEqual([
      [1, 1, expect.stringContaining('env.ENABLE_POD_ENI is "yes"')],
      [2, 3, expect.stringContaining('env.WARM_ENI_TARGET is "many"')],
      [3, 1, expect.stringContaining('env.ENABLE_POD_ENI is set twice')],
      [3, 1, expect.stringContaining('env.ENABLE_POD_ENI is "enabled"')],
    ]);
    // Nothing changes for a switch that was off anyway.
    expect(reportOf('--live', 'doubt.env').effects.map(({ path, status }) => [path, status])).toContainEqual([
      'env.ENABLE_POD_ENI',
      'kept',
    ]);
  });

  it.each([
    [
      '--live',
      'broken.env',
      [
        'broken.env:2:1: "some text" is no line of the form NAME=value',
        'broken.env:3:3: "1BAD" is no name of a variable',
      ],
    ],
    ['--live', 'secret.env', ['secret.env:2:1: "password: ************" is no line of the form NAME=value']],
    ['--live', 'number.json', ['number.json:17:9: env.ENABLE_POD_ENI has a boolean as its value']],
    ['--live', 'other.json', ['it has no container aws-node']],
    ['--live', 'pod.json', ['this is no DaemonSet']],
    ['--live', 'empty.txt', ['there is no environment variable in it']],
    ['--live', 'missing.env', ['missing.env:1:1: there is no such file or folder']],
    ['--config', 'broken.json', ['broken.json:3:1:']],
    ['--config', 'twice.json', ['twice.json:2:2:']],
    ['--config', 'list.yaml', ['configuration values are a map of keys, and this is a list']],
    [
      '--config',
      'null.json',
      ['null.json:1:1: configuration values are a map of keys, and this is null; leave --config out'],
    ],
    ['--config', 'binary.env', ['binary.env:1:1: the file is binary']],
    ['--config', 'empty.txt', ['the file is empty']],
    ['--config', 'missing.json', ['there is no such file or folder']],
  ])('refuses %s %s', (option, file, messages) => {
    const { exitCode, stdout, stderr } = addonDiff(option, file);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    for (const message of messages) expect(stderr).toContain(message);
  });

  it.each([
    [
      'another add-on',
      ['adot', FROM, TO],
      'there is no table of schemas for the add-on "adot"\nAdd-ons whose updates can be compared are vpc-cni, coredns, ',
    ],
    ['a misspelt add-on', ['vpccni', FROM, TO], 'did you mean "vpc-cni"?'],
    [
      'a version without build',
      ['vpc-cni', 'v1.12.6', TO],
      'has no "v1.12.6"\nNearest: v1.12.6-eksbuild.1, v1.12.6-eksbuild.2',
    ],
    [
      'a version with one build',
      ['vpc-cni', 'v1.12.0-eksbuild.9', 'v1.11.5'],
      'Nearest: v1.12.0-eksbuild.1, v1.12.0-eksbuild.2',
    ],
    ['a version of the future', ['vpc-cni', FROM, 'v99.0.0-eksbuild.1'], 'doesn\'t know "v99.0.0-eksbuild.1"'],
    ['what is no version', ['vpc-cni', FROM, 'latest'], '"latest" is no version of an add-on'],
    ['a missing version', ['vpc-cni', FROM], "missing required argument 'TO'"],
    [
      'a mode that does not exist',
      ['vpc-cni', FROM, TO, '--mode', 'overwrite'],
      'Allowed choices are OVERWRITE, PRESERVE, NONE',
    ],
    [
      'two inputs from one stream',
      ['vpc-cni', FROM, TO, '--live', '-', '--config', '-'],
      "can't both be the standard input",
    ],
  ])('explains %s', (_, args, message) => {
    const { exitCode, stdout, stderr } = runCommand(['addon-diff', ...args], { cwd: folder });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('says once that a file is binary', () => {
    const { exitCode, stdout, stderr } = addonDiff('--live', 'binary.env');
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error: binary.env:1:1: the file is binary, or text in another encoding than UTF-8\n',
    });
  });

  it('lists the first errors of many, without what would rule the terminal', () => {
    const lines = addonDiff('--live', 'garbage.env').stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('… and 480 more');
    const { stderr } = addonDiff('--live', 'coloured.env');
    expect(stderr).toContain('?[31mred');
    expect(stderr).not.toContain('\u001b');
  });

  it('says that nothing is updated from a version to itself', () => {
    const { exitCode, stdout } = runCommand(['addon-diff', 'vpc-cni', TO, TO]);
    expect(exitCode).toBe(0);
    expect(flat(stdout)).toContain('FROM and TO are the same version: no version is updated');
  });

  it('names the date of its table with a version that it does not know', () => {
    expect(runCommand(['addon-diff', 'vpc-cni', FROM, 'v99.0.0-eksbuild.1']).stderr).toMatch(/\(of \d{4}-\d\d-\d\d\)/);
  });
});

describe('add-ons of which only the schemas are known', () => {
  const values = workspace({
    'values.json': JSON.stringify({ controller: { serviceAccount: { annotations: { a: 'b' } }, replicaCount: 2 } }),
  });
  const diff = (...args: string[]) =>
    runCommand(['addon-diff', 'aws-ebs-csi-driver', 'v1.38.1-eksbuild.1', 'v1.40.0-eksbuild.1', ...args], {
      cwd: values,
    });

  it('show which keys come and go, and say that defaults are not known', () => {
    const { exitCode, stdout } = diff();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Keys of the configuration values {2}\d+ added, 2 removed$/m);
    expect(stdout).toMatch(/^ {2}- controller\.serviceAccount\.annotations +refused in the configuration values$/m);
    expect(stdout).toContain(
      'note: The defaults of aws-ebs-csi-driver and the settings of the cluster are not known here',
    );
  });

  it('show which values the new version refuses, and those that it takes', () => {
    const { exitCode, stdout } = diff('--config', 'values.json', '--format', 'json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      effects: [
        { path: 'controller.replicaCount', status: 'kept' },
        { path: 'controller.serviceAccount.annotations', status: 'refused' },
      ],
      pin: { controller: { replicaCount: 2 } },
    });
  });

  it('do not read a DaemonSet', () => {
    const { exitCode, stderr } = diff('--live', 'live.json');
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--live isn't read for aws-ebs-csi-driver");
  });
});

describe('configuration values that are no map', () => {
  const others = workspace({ 'text.yaml': 'a text\n', 'number.json': '5', 'yes.json': 'true', 'list.json': '[1]' });

  it.each([
    ['text.yaml', 'a text'],
    ['number.json', 'a number'],
    ['yes.json', 'a boolean'],
    ['list.json', 'a list'],
  ])('are told: %s', (file, what) => {
    const { exitCode, stderr } = runCommand(['addon-diff', 'vpc-cni', FROM, TO, '--config', file], { cwd: others });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`configuration values are a map of keys, and this is ${what}\n`);
  });
});
