import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { synthesisOf } from '../../lib/cli/init/apps';
import { frontEndsIn } from '../../lib/cli/init/front-ends';
import { pipelineFile } from '../../lib/cli/init/pipeline';
import { initialise } from '../../lib/cli/init/init-command';
import { block } from '../../lib/cli/init/quoting';
import { skippedNote } from '../needs';
import { builtCommand, projectRoot, runCommand } from './built-command';
import { PipelineMachine } from './pipeline-tools';
import { nodeGroupTemplate, workspace } from './workspace';
import { itWithAll } from '../share';

const bad = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
const tf = 'resource "aws_eks_cluster" "main" {}\n';
const CDK_APP = `const { App, Stack, aws_sns } = require('aws-cdk-lib');
new aws_sns.Topic(new Stack(new App(), 'Platform'), 'Topic');
`;

interface Workflow {
  readonly jobs: {
    readonly check: {
      readonly steps: readonly {
        readonly run?: string;
        readonly uses?: string;
        readonly 'working-directory'?: string;
      }[];
    };
  };
}
interface GitLabJob {
  readonly stage?: string;
  readonly script: readonly string[];
}
interface HookFile {
  readonly repos: readonly {
    readonly hooks: readonly { readonly entry: string; readonly args: readonly string[] }[];
  }[];
}

const SET_UP = { version: '1.2.3', usesAction: false, uploadsSarif: false, baseline: undefined };

function readYaml(folder: string, file: string): unknown {
  return parse(readFileSync(join(folder, file), 'utf8'));
}

function runsOf(folder: string): readonly { readonly run: string; readonly cwd: string }[] {
  const { steps } = (readYaml(folder, '.github/workflows/eks-guardrails.yml') as Workflow).jobs.check;
  return steps.flatMap(({ run, 'working-directory': cwd = '.' }) => (run === undefined ? [] : [{ run, cwd }]));
}

function gitlabJob(folder: string): GitLabJob {
  return (readYaml(folder, '.gitlab/eks-guardrails.yml') as { 'eks-guardrails': GitLabJob })['eks-guardrails'];
}

describe('init', () => {
  const mixed = workspace({
    'infra/main.tf': tf,
    'templates/one.yaml': bad,
    'app/cdk.json': '{}',
    '.pre-commit-config.yaml': 'repos: []\n',
  });

  it('writes what is missing, and keeps what is there', () => {
    expect(runCommand(['init', '--dry-run'], { cwd: mixed }).exitCode).toBe(0);
    expect(runCommand(['init'], { cwd: mixed, input: '' }).exitCode).toBe(2);
    expect(existsSync(join(mixed, 'eks-guardrails.config.json'))).toBe(false);
    const { exitCode, stdout } = runCommand(['init', '--yes'], { cwd: mixed });
    expect(exitCode).toBe(0);
    for (const said of [
      'CDK app in app',
      'Terraform configuration in infra',
      'CloudFormation templates in templates',
      '.pre-commit-config.yaml is there already and stays as it is. Add this to its "repos":',
    ])
      expect(stdout).toContain(said);
    expect(readFileSync(join(mixed, '.pre-commit-config.yaml'), 'utf8')).toBe('repos: []\n');
    expect(runCommand(['check', 'templates', '--print-config'], { cwd: mixed }).exitCode).toBe(0);
    expect(runCommand(['init', '--yes'], { cwd: mixed }).stdout).not.toContain('Wrote');
  });

  const simple = workspace({ 'infra/main.tf': tf });

  it('asks for no hook that is there', () => {
    expect(runCommand(['init', '--yes'], { cwd: simple }).stdout).toContain('Wrote .pre-commit-config.yaml');
    const { stdout } = runCommand(['init', '--yes'], { cwd: simple });
    expect(stdout).toContain('.pre-commit-config.yaml is there already and stays as it is.\n');
    expect(stdout).not.toContain('"repos"');
    expect(stdout).not.toContain('To write');
  });

  const project = workspace({ 'Pulumi.yaml': 'name: a\nruntime: nodejs\n', 'b c/Pulumi.yml': 'name: b\n' });

  it('says what the pipeline of a Pulumi project is to run, and writes what a decision goes to', async () => {
    const said = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      expect(await initialise(project, { yes: true })).toBe(0);
      const stdout = said.mock.calls.map(([text]) => String(text)).join('');
      expect(stdout).toContain('  Pulumi project in this folder\n  Pulumi project in b c\n');
      expect(stdout).toMatch(
        /\ncd 'b c'\npulumi preview --json --show-sames --non-interactive > preview\.json\nnpx \S+ .*check --no-config-code preview\.json\n/,
      );
      expect(stdout).not.toContain('See what there is to do now');
    } finally {
      said.mockRestore();
    }
    expect(readdirSync(project).sort()).toEqual(['Pulumi.yaml', 'b c', 'eks-guardrails.config.json']);
  });

  const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: web\n';
  const charted = {
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
    'chart/templates/account.yaml': account,
    'live/terragrunt.hcl': 'terraform {\n  source = "../modules/cluster"\n}\n',
  };
  const manifests = workspace({
    ...charted,
    'k8s/account.yaml': account,
    'apps/kustomization.yaml': 'kind: Kustomization\nresources: [base]\n',
    'apps/base/kustomization.yaml': 'kind: Kustomization\nresources: [account.yaml]\n',
    'apps/base/account.yaml': account,
    'eksctl/cluster.yaml':
      'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: prod, region: eu-west-1}\n',
    'ci/job.yaml': 'kind: pipeline\napiVersion: v1\n',
  });
  const rendered = workspace(charted);

  it('checks manifests, with what kustomizations change, and says what has to be rendered or planned first', () => {
    const { exitCode, stdout } = runCommand(['init', '--yes'], { cwd: manifests });
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').filter((line) => / in \w+$/.test(line))).toEqual([
      '  ClusterConfigs of eksctl in eksctl',
      '  Kubernetes manifests in apps',
      '  Kubernetes manifests in k8s',
    ]);
    expect(stdout).toContain('helm template chart | eks-guardrails check -');
    expect(stdout).toContain('terragrunt show -json plan.bin > plan.json (live)');
    expect(runsOf(manifests).at(-1)?.run.trimEnd()).toMatch(/ check --no-config-code eksctl apps k8s$/);
    const hook = readYaml(manifests, '.pre-commit-config.yaml') as HookFile;
    expect(hook.repos[0]?.hooks[0]?.args.toSorted()).toEqual(['apps', 'eksctl', 'k8s']);
    expect(runCommand(['check', 'apps', 'eksctl', 'k8s'], { cwd: manifests }).exitCode).toBeLessThan(2);
  });

  it('says it of a folder that has nothing else', () => {
    const { exitCode, stderr } = runCommand(['init', '--yes'], { cwd: rendered });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("The Helm chart in chart isn't rendered");
    expect(stderr).toContain('Terragrunt units are not read');
  });

  const empty = workspace({});
  const outputs = workspace({
    'cdk.out/manifest.json': '{"version":"48.0.0","artifacts":{"S":{"type":"aws:cloudformation:stack"}}}',
    'cdk.out/S.template.json': '{"Resources":{"A":{"Type":"AWS::SNS::Topic"}}}',
  });

  it.each([
    ['an empty folder', empty],
    ['what apps put out', outputs],
  ])('has nothing to do for %s', (_, folder) => {
    expect(runCommand(['init', '--yes'], { cwd: folder }).exitCode).toBe(2);
  });

  const extension = workspace({ 'manifest.json': '{"name":"pwa"}', 'infra/main.tf': tf });

  it('looks below the manifest.json of something else', () => {
    expect(runCommand(['init', '--dry-run'], { cwd: extension }).stdout).toContain('Terraform configuration in infra');
  });

  const blocked = workspace({ 'main.tf': tf, '.github': 'a file' });

  it('says what is in the way', () => {
    const { exitCode, stderr } = runCommand(['init', '--yes'], { cwd: blocked });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: "error: can't write .github/workflows/eks-guardrails.yml: a part of its path is a file\n",
    });
  });
});

describe('the question of init', () => {
  const { error, stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  const lack =
    error === undefined && stdout.includes('util-linux') ? undefined : "there is no util-linux' script on the PATH";
  const onTerminal = lack === undefined ? it.each : it.skip.each;
  const folder = workspace({ 'main.tf': tf });

  onTerminal([
    ['Ctrl+C', '\u0003', 130, 'Nothing is written.'],
    ['Ctrl+D', '\u0004', 2, 'Nothing is written.'],
    ['no', 'n\r', 2, 'Nothing is written.'],
    ['nothing', '\r', 2, 'Nothing is written.'],
    ['yes', 'y\r', 0, 'Wrote eks-guardrails.config.json'],
  ])(`%s${skippedNote(lack)}`, async (_, typed, code, said) => {
    const child = spawn('script', ['-qec', `"${process.execPath}" "${builtCommand()}" init`, '/dev/null'], {
      cwd: folder,
      env: { ...process.env, TERM: 'dumb' },
    });
    let shown = '';
    child.stdout.on('data', (data: Buffer) => {
      const before = shown;
      shown += data.toString();
      if (!before.includes('[y/N] ') && shown.includes('[y/N] ')) child.stdin.write(typed);
    });
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    expect({ exitCode, shown }).toEqual({ exitCode: code, shown: expect.stringContaining(said) as unknown });
    expect(shown).not.toContain('internal error');
    expect(existsSync(join(folder, 'eks-guardrails.config.json'))).toBe(code === 0);
  });
});

describe('the job of init', () => {
  const NODE = '{"app":"node app.js"}';
  const SYNTH = 'npx --yes aws-cdk@2 synth --quiet';
  const VENV = ['python3 -m venv .venv', '. .venv/bin/activate'];
  const jobs: [string, Record<string, string>, readonly string[]][] = [
    ...(
      [
        ['npm-shrinkwrap.json', ['npm ci']],
        ['package-lock.json', ['npm ci']],
        ['pnpm-lock.yaml', ['corepack enable', 'pnpm install --frozen-lockfile']],
        ['.yarnrc.yml', ['corepack enable', 'yarn install --immutable']],
        ['yarn.lock', ['yarn install --frozen-lockfile']],
        ['bun.lock', ['npx --yes bun install --frozen-lockfile']],
        ['bun.lockb', ['npx --yes bun install --frozen-lockfile']],
      ] as const
    ).map(([lock, commands]): [string, Record<string, string>, readonly string[]] => [
      `installs by ${lock}`,
      { 'cdk.json': NODE, 'package.json': '{}', [lock]: '' },
      [...commands.map((command) => `.: ${command}`), `.: ${SYNTH}`],
    ]),
    ['installs without a list', { 'cdk.json': NODE, 'package.json': '{}' }, ['.: npm install', `.: ${SYNTH}`]],
    [
      'installs for all apps of a package once',
      { 'a/cdk.json': NODE, 'b/cdk.json': '{}', 'package.json': '{}', 'package-lock.json': '{}' },
      ['.: npm ci', `a: ${SYNTH}`, `b: ${SYNTH}`],
    ],
    [
      'goes by no list of another package',
      { 'a/cdk.json': NODE, 'a/package.json': '{}', 'package.json': '{}', 'package-lock.json': '{}' },
      ['a: npm install', `a: ${SYNTH}`],
    ],
    [
      'goes by the list of a workspace of pnpm',
      { 'a/cdk.json': NODE, 'a/package.json': '{}', 'pnpm-workspace.yaml': '', 'pnpm-lock.yaml': '' },
      ['.: corepack enable', '.: pnpm install --frozen-lockfile', `a: ${SYNTH}`],
    ],
    [
      'installs for Python beside the app, whichever version runs it',
      { 'a/cdk.json': '{"app":"python3.12 app.py"}', 'requirements.txt': '' },
      ['a: venv', ...VENV.map((line) => `a: ${line}`), 'a: pip install -r ../requirements.txt', `a: ${SYNTH}`],
    ],
    ["says what it can't install", { 'cdk.json': '{"app":"go run ."}' }, [`.: ${SYNTH}`, 'this folder (go run .)']],
    ['says where, for an app of unknown language', { 'a/cdk.json': '[]' }, [`a: ${SYNTH}`, 'a']],
    [
      'runs CDK Terrain by its own command, and has Terraform for modules',
      { 'cdktn.json': '{"app":"node main.js","terraformModules":["x"]}', 'cdktf.json': '{}', 'package.json': '{}' },
      ['.: npm install', '.: npx --yes cdktn-cli get', '.: npx --yes cdktn-cli synth', 'Terraform'],
    ],
    [
      'has no Terraform where nothing is generated',
      { 'cdktf.json': '{"app":"node main.js","terraformProviders":[],"terraformModules":{}}', 'package.json': '{}' },
      ['.: npm install', '.: npx --yes cdktf-cli synth'],
    ],
  ];
  const folders = jobs.map(([name, files, lines]) => ({ name, folder: workspace(files), lines }));

  it.each(folders)('$name', ({ folder, lines }) => {
    const { steps, needsTerraform, missing } = synthesisOf(folder, frontEndsIn(folder), ['venv']);
    expect([
      ...steps.flatMap(({ folder: place, commands }) => commands.map((command) => `${place}: ${command}`)),
      ...(needsTerraform ? ['Terraform'] : []),
      ...missing.map((text) => /^The job installs nothing for the app in (.*): add what it needs\.$/.exec(text)?.[1]),
    ]).toEqual(lines);
  });

  const outputs = workspace({
    'a/cdk.json': '{"output":"out/cdk"}',
    'b/cdk.json': '{"output":""}',
    'c/cdktf.json': '{"output":7}',
    'd/cdktf.json': 'no JSON',
  });

  it('checks what each app puts out', () => {
    expect(synthesisOf(outputs, frontEndsIn(outputs), []).outputs).toEqual([
      'a/out/cdk',
      'b/cdk.out',
      'c/cdktf.out',
      'd/cdktf.out',
    ]);
  });

  const stages = (
    [
      ['stages: [lint, build]', '  stage: "lint"\n'],
      ['stages: [build, test]', ''],
      ['stages: []', ''],
      ['stages: [{ a: 1 }]', ''],
      ['stages: build', ''],
      ['other: 1', ''],
      ['', ''],
      ['stages: [', ''],
    ] as const
  ).map(([file, stage]) => ({ file, stage, folder: workspace({ '.gitlab-ci.yml': `${file}\n`, 'main.tf': tf }) }));

  it.each(stages)('is of a stage that the pipeline has: $file', ({ stage, folder }) => {
    const { path, content } = pipelineFile(folder, frontEndsIn(folder), SET_UP);
    expect(path).toBe('.gitlab/eks-guardrails.yml');
    expect(content.split('image: node:22')[0]).toBe(`eks-guardrails:\n${stage}  `);
  });

  const gitlab = workspace({
    '.gitlab-ci.yml': '',
    'cdk.json': NODE,
    'package.json': '{}',
    'pnpm-lock.yaml': '',
    'b c/cdk.json': NODE,
    'b c/package.json': '{}',
  });

  it('changes folder and shell for one step alone, in GitLab', () => {
    const { content } = pipelineFile(gitlab, frontEndsIn(gitlab), SET_UP);
    const { script } = (parse(content) as { 'eks-guardrails': GitLabJob })['eks-guardrails'];
    expect(script.map((step) => step.trimEnd())).toEqual([
      '(\ncorepack enable\npnpm install --frozen-lockfile\n)',
      "(\ncd 'b c'\nnpm install\n)",
      SYNTH,
      `(\ncd 'b c'\n${SYNTH}\n)`,
      expect.stringMatching(/^npx .* check --no-config-code cdk\.out 'b c\/cdk\.out' --format text --format gitlab /),
    ]);
  });

  it('names the folder of a step in GitHub where it is another', () => {
    const { content } = pipelineFile(
      folders[8]?.folder ?? '',
      {
        cdk: ['.', 'a b'],
        cdktf: [],
        terraform: [],
        templates: [],
        eksctl: [],
        manifests: [],
        charts: [],
        terragrunt: [],
        pulumi: [],
      },
      SET_UP,
    );
    const { steps } = (parse(content) as Workflow).jobs.check;
    expect(steps.flatMap(({ run, 'working-directory': cwd }) => (run?.trimEnd() === SYNTH ? [cwd] : []))).toEqual([
      undefined,
      'a b',
    ]);
  });
});

describe('a text of several lines in YAML', () => {
  it.each([
    ['a\n\nb', '|\n  a\n\n  b\n'],
    ['a\u0007b', '"a\\u0007b"\n'],
    ['a\u2028b', '"a\u2028b"\n'],
  ])('%j', (text, expected) => {
    expect(block(text, 2)).toBe(expected);
    expect((parse(`x: ${block(text, 2)}`) as { x: string }).x.trimEnd()).toBe(text);
  });
});

describe('what init writes', () => {
  const odd = workspace({
    '-inf/main.tf': tf,
    "it's/a b/main.tf": tf,
    '${{values.name}}/main.tf': tf,
    'line\nbreak/main.tf': tf,
    '[ab]/main.tf': tf,
  });
  const oddPaths = ['-inf', "it's/a b", '${{values.name}}', 'line\nbreak', '[ab]'];

  it('works for folders of any name: GitHub', () => {
    expect(runCommand(['init', '--yes'], { cwd: odd }).exitCode).toBe(0);
    const [check, ...others] = runsOf(odd);
    expect(others).toEqual([]);
    expect(check?.run).toContain("'${{ '${{' }}values.name}}'");
    const { exitCode, stdout, stderr } = new PipelineMachine(odd).run(
      check?.run.replaceAll("${{ '${{' }}", '${{') ?? '',
    );
    expect({ exitCode, stderr, all: oddPaths.filter((path) => !stdout.includes(path.replace('\n', ' '))) }).toEqual({
      exitCode: expect.any(Number) as unknown,
      stderr: '',
      all: [],
    });
    expect(exitCode).not.toBe(2);
  });

  it('works for folders of any name: pre-commit', () => {
    const [hook] = (readYaml(odd, '.pre-commit-config.yaml') as HookFile).repos[0]?.hooks ?? [];
    expect(hook?.entry).toBe('eks-guardrails check --no-config-code');
    const { exitCode, stderr } = runCommand(['check', ...(hook?.args ?? [])], { cwd: odd });
    expect({ hasProblem: exitCode === 2, stderr }).toEqual({ hasProblem: false, stderr: '' });
  });

  const apps = workspace({
    '.gitlab-ci.yml': 'stages: [lint, build]\nother: !reference [a, b]\n',
    'java/cdk.json': '{"app":"mvn -e -q compile exec:java","output":"build/cdk.out"}',
    'python/cdk.json': '{"app":"python3 app.py"}',
    'python/requirements.txt': '',
    'terraform-cdk/cdktf.json': '{"app":"npx ts-node main.ts","terraformProviders":["aws@~> 6.0"]}',
    'terraform-cdk/package.json': '{}',
    'package.json': '{"workspaces":["terraform-cdk"]}',
    'package-lock.json': '{}',
  });

  it('runs in GitLab, for apps in any language', () => {
    const { exitCode, stdout } = runCommand(['init', '--yes'], { cwd: apps });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      '- The job installs nothing for the app in java (mvn -e -q compile exec:java): add what it needs.\n- The job needs Terraform too',
    );
    // The plugin of TypeScript is no advice for them.
    expect(stdout).toContain(
      '- CDK apps in Python, Java, Go and .NET can fail at once in "cdk synth", too: see docs/guides/',
    );
    expect(stdout).not.toContain('addPlugins');
    expect(stdout).toContain('include:\n  - local: .gitlab/eks-guardrails.yml');
    const { script, stage } = gitlabJob(apps);
    expect(stage).toBe('lint');
    const machine = new PipelineMachine(apps);
    machine.program(
      'npx',
      `while [[ $1 == -* ]]; do shift; done; echo "$PWD $* $IN_VENV" >> "${apps}/asked"
      case "$1 $2" in
        "aws-cdk@2 synth") [[ $PWD != */java ]] || out=build/cdk.out; mkdir -p \${out:=cdk.out}; echo '{"Resources":{"A":{"Type":"AWS::SNS::Topic"}}}' > $out/a.json ;;
        "cdktf-cli synth") mkdir cdktf.out; echo '{"resource":{}}' > cdktf.out/a.tf.json ;;
        "eks-guardrails@"*) shift; exec eks-guardrails "$@" ;;
      esac`,
    );
    const { exitCode: code, stderr } = machine.run(script.join('\n'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(join(apps, 'gl-code-quality-report.json'), 'utf8'))).toEqual(expect.any(Array));
    const asked = readFileSync(join(apps, 'asked'), 'utf8').replaceAll(apps, '').split('\n');
    expect(asked).toEqual([
      '/java aws-cdk@2 synth --quiet ',
      '/python aws-cdk@2 synth --quiet 1',
      '/terraform-cdk cdktf-cli get ',
      '/terraform-cdk cdktf-cli synth ',
      expect.stringMatching(
        /^ eks-guardrails@\d+\.\d+\.\d+ check --no-config-code java\/build\/cdk\.out python\/cdk\.out terraform-cdk\/cdktf\.out --format text --format gitlab --output gl-code-quality-report\.json $/,
      ),
      '',
    ]);
  });

  const cdk = workspace({
    'app/cdk.json': '{"app":"node app.js"}',
    'app/app.js': CDK_APP,
    'app/package.json': '{}',
    'app/package-lock.json': '{}',
  });

  itWithAll('synthesizes an app in GitHub and checks what comes out', () => {
    expect(runCommand(['init', '--yes'], { cwd: cdk }).exitCode).toBe(0);
    expect(readdirSync(cdk)).not.toContain('.pre-commit-config.yaml');
    const machine = new PipelineMachine(cdk);
    const runs = runsOf(cdk);
    expect(runs.map(({ cwd }) => cwd)).toEqual(['app', 'app', '.']);
    const results = runs.map(({ run, cwd }) => machine.run(run, { cwd, env: { CDK_DISABLE_CLI_TELEMETRY: '1' } }));
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(existsSync(join(cdk, 'app/cdk.out/Platform.template.json'))).toBe(true);
  });
});

describe('what init offers besides', () => {
  const complete = workspace({ 'infra/nodes.yaml': bad });
  const extended = workspace({ 'infra/nodes.yaml': bad });
  const withAction = workspace({ 'infra/nodes.yaml': bad });
  const unreadable = workspace({ 'infra/main.tf': 'resource {' });
  const unsynthesized = workspace({ 'cdk.json': '{ "app": "npx tsx app.ts" }', 'package.json': '{}' });
  const onGitLab = workspace({ '.gitlab-ci.yml': '', 'infra/nodes.yaml': bad });
  const installed = workspace({
    'cdk.json': '{ "app": "npx tsx app.ts" }',
    'package.json': '{ "devDependencies": { "eks-guardrails": "^0.1.0" } }',
  });
  const inputs = (readYaml(projectRoot, 'action.yml') as { inputs: object }).inputs;

  it('the action, findings in code scanning, and a baseline of what there is', () => {
    const folder = complete;
    const given = ['init', '--yes', '--sarif', '--baseline'];
    expect(runCommand([...given.slice(0, 1), '--dry-run', ...given.slice(2)], { cwd: folder }).stdout).toContain(
      'eks-guardrails check infra --write-baseline .eks-guardrails-baseline.json',
    );
    expect(existsSync(join(folder, '.eks-guardrails-baseline.json'))).toBe(false);
    const { exitCode, stdout } = runCommand(given, { cwd: folder });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/1 finding written to \.eks-guardrails-baseline\.json/) as string,
    });
    expect(stdout).toContain(
      'See what there is to do now: npx eks-guardrails check infra --baseline .eks-guardrails-baseline.json\n',
    );
    const workflow = readYaml(folder, '.github/workflows/eks-guardrails.yml') as {
      permissions: object;
      jobs: { check: { steps: { uses?: string; run?: string; with?: Record<string, unknown> }[] } };
    };
    expect(workflow.permissions).toEqual({ contents: 'read', 'security-events': 'write', actions: 'read' });
    const step = workflow.jobs.check.steps.at(-1);
    expect(step?.uses).toMatch(/^eks-guardrails\/eks-guardrails@v\d/);
    expect(step?.with).toEqual({
      paths: 'infra\n',
      'upload-sarif': true,
      arguments: '--baseline=.eks-guardrails-baseline.json',
    });
    for (const name of Object.keys(step?.with ?? {})) expect(inputs).toHaveProperty([name]);
    const [hook] = (readYaml(folder, '.pre-commit-config.yaml') as HookFile).repos[0]?.hooks ?? [];
    expect(runCommand(['check', ...(hook?.args ?? [])], { cwd: folder }).exitCode).toBe(0);
    expect(runCommand(['check', 'infra'], { cwd: folder }).exitCode).toBe(1);
    // Once more changes nothing.
    const again = runCommand(given, { cwd: folder });
    expect({ ...again, stdout: /Wrote|written|Add /.test(again.stdout) }).toEqual({
      exitCode: 0,
      stdout: false,
      stderr: '',
    });
  });

  it('tells what a workflow that is there lacks', () => {
    const folder = extended;
    expect(runCommand(['init', '--yes'], { cwd: folder }).exitCode).toBe(0);
    const { stdout } = runCommand(['init', '--yes', '--sarif'], { cwd: folder });
    expect(stdout).toContain('eks-guardrails.yml is there already and stays as it is. Its last step would be');
    expect(stdout).toContain('          upload-sarif: true\n');
    expect(runCommand(['init', '--yes', '--baseline'], { cwd: folder }).stdout).toContain(
      'Add "--baseline .eks-guardrails-baseline.json" to its check.',
    );
  });

  it('the action alone', () => {
    const folder = withAction;
    expect(runCommand(['init', '--yes', '--action'], { cwd: folder }).exitCode).toBe(0);
    expect(readYaml(folder, '.github/workflows/eks-guardrails.yml')).toMatchObject({
      permissions: { contents: 'read' },
    });
    expect(readFileSync(join(folder, '.github/workflows/eks-guardrails.yml'), 'utf8')).not.toContain('npx');
  });

  it('no baseline of what can not be read, and nothing that names one', () => {
    const folder = unreadable;
    const { exitCode, stderr } = runCommand(['init', '--yes', '--baseline'], { cwd: folder });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('error: no baseline is written, and nothing else') as string,
    });
    expect(existsSync(join(folder, '.github'))).toBe(false);
  });

  it('no baseline of an app that is not synthesized', () => {
    const folder = unsynthesized;
    const { exitCode, stdout } = runCommand(['init', '--yes', '--baseline'], { cwd: folder });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'npx eks-guardrails check cdk.out --write-baseline .eks-guardrails-baseline.json, and add',
    );
    expect(readFileSync(join(folder, '.github/workflows/eks-guardrails.yml'), 'utf8')).not.toContain('--baseline');
  });

  it('on GitLab, what GitLab has', () => {
    const folder = onGitLab;
    expect(runCommand(['init', '--yes', '--sarif'], { cwd: folder })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        "error: --sarif is for GitHub, and this folder is GitLab's (.gitlab-ci.yml), whose job reports code quality by itself\n",
    });
    expect(runCommand(['init', '--yes', '--baseline'], { cwd: folder }).exitCode).toBe(0);
    expect(readFileSync(join(folder, '.gitlab/eks-guardrails.yml'), 'utf8')).toContain(
      ' --baseline .eks-guardrails-baseline.json ',
    );
  });

  it('says nothing of the plugin where the package is installed', () => {
    const folder = installed;
    expect(runCommand(['init', '--yes'], { cwd: folder }).stdout).not.toContain('npm install --save-dev');
  });
});
