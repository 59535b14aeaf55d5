import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../lib/cli/output/write-file';
import type { JsonReport } from '../../lib/reports';
import { builtCommand, runCommand } from './built-command';
import { nodeGroupTemplate, workspace } from './workspace';

const LAUNCH_TEMPLATE = `variable "hop" {
  default = 1
}

resource "aws_launch_template" "workers" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = var.hop
  }
}

resource "aws_eks_node_group" "workers" {
  cluster_name  = "main"
  node_role_arn = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids    = ["subnet-0a"]
  scaling_config {
    desired_size = 1
    max_size     = 1
    min_size     = 1
  }
  launch_template {
    id      = aws_launch_template.workers.id
    version = aws_launch_template.workers.latest_version
  }
}
`;
const call = 'module "workers" {\n  source = "../../modules/workers"\n}\n';
const bad = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
const FILES = {
  'infra/modules/workers/main.tf': LAUNCH_TEMPLATE,
  'infra/envs/dev/main.tf': call,
  'infra/envs/prod/main.tf': call,
  'templates/one.yaml': bad,
  'templates/two.yaml': bad,
};

function reportOf(
  folder: string,
  args: readonly string[],
  input?: string,
): { report: JsonReport; exitCode: number | null; stderr: string } {
  const { stdout, stderr, exitCode } = runCommand(['check', ...args, '--format', 'json'], {
    cwd: folder,
    ...(input === undefined ? {} : { input }),
  });
  return { report: JSON.parse(stdout) as JsonReport, exitCode, stderr };
}

function errorsIn(report: JsonReport): string[] {
  return [
    ...new Set(
      report.findings
        .filter(({ severity }) => severity === 'error')
        .map(({ rule, location }) => `${rule} ${location.file}`),
    ),
  ].sort();
}

describe('the standard input', () => {
  const folder = workspace({ 'infra/main.tf': '# empty\n', 'infra/other.tf': 'variable "x" {}\n' });

  it.each([
    ['a template', bad, [], 'imds-hop-limit standard input'],
    ['configuration', `# workers\n/* of\ndev */\n${LAUNCH_TEMPLATE}`, [], 'imds-hop-limit stdin.tf'],
    [
      'configuration in JSON',
      JSON.stringify({
        resource: {
          aws_eks_cluster: {
            main: { name: 'main', version: '1.10', role_arn: 'r', vpc_config: { subnet_ids: ['s'] } },
          },
        },
      }),
      [],
      /stdin\.tf\.json/,
    ],
    ['a file of a name', bad, ['--stdin-filename', 'new.yaml'], 'imds-hop-limit new.yaml'],
    [
      'a file of a folder that is read',
      LAUNCH_TEMPLATE,
      ['infra', '--stdin-filename', 'infra/main.tf'],
      'imds-hop-limit infra/main.tf',
    ],
  ])('is %s', (_, input, args, expected) => {
    const { report, exitCode } = reportOf(folder, ['-', ...args], input);
    const errors = errorsIn(report);
    expect({ exitCode, errors }).toEqual({
      exitCode: 1,
      errors: expect.arrayContaining([expect.stringMatching(expected)]) as unknown,
    });
  });

  it('shows its lines', () => {
    expect(runCommand(['check', '-'], { cwd: folder, input: bad }).stdout).toContain(
      '> 13 |   HttpPutResponseHopLimit: 1\n',
    );
  });

  it.each([
    [['-', '-'], 'the standard input (-) is given twice'],
    [['infra', '--stdin-filename', 'x.tf'], 'add - to the paths'],
    [['-', '--stdin-filename', 'infra'], 'takes the name of a file, and infra is a folder'],
    [['infra', ''], 'a PATH is empty; is a variable not set?'],
  ])('%p is bad usage', (args, message) => {
    const { exitCode, stderr } = runCommand(['check', ...args], { cwd: folder, input: '' });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) as unknown });
  });

  it('should have a name for those who look for it', () => {
    const hint = (...args: readonly string[]) =>
      runCommand(['check', '-', ...args], { cwd: folder, input: bad }).stderr;
    expect(hint('--format', 'sarif')).toBe(
      'note: the standard input has no name that others could find; --stdin-filename NAME gives it one\n',
    );
    expect(hint('--format', 'sarif', '--stdin-filename', 'templates/bad.yaml') + hint('--format', 'json')).toBe('');
  });

  it('that is empty is an error', () => {
    expect(reportOf(folder, ['-'], '').exitCode).toBe(2);
  });
});

describe('patterns and misspelt names', () => {
  const folder = workspace(FILES);

  it('are expanded where the shell did not', () => {
    expect(reportOf(folder, ['templates/*.yaml']).report.inputs.map(({ path }) => path)).toEqual([
      'templates/one.yaml',
      'templates/two.yaml',
    ]);
  });

  it.each([
    [['templates/*.yml'], 'did you mean "templates/*.yaml"?'],
    [['tempaltes/one.yaml'], 'did you mean "templates/one.yaml"?'],
  ])('%p', (paths, message) => {
    const { report, exitCode } = reportOf(folder, paths);
    expect({ exitCode, message: report.diagnostics[0]?.message }).toEqual({
      exitCode: 2,
      message: expect.stringContaining(message) as unknown,
    });
  });

  it.each([
    [['templates/one.yaml'], 'to check it, write: eks-guardrails check templates/one.yaml'],
    [['chekc', 'templates'], 'Did you mean check?'],
    [['check', 'templates', '--fromat', 'json'], 'Did you mean --format?'],
    [['check', 'templates', '--format', 'jsn'], 'did you mean "json"?'],
    [['check', 'templates', '--preset', 'strickt'], 'did you mean "strict"?'],
    [['check', 'templates', '--fail-on', 'warnings'], 'Did you mean "warning"?'],
    [['check', 'templates', '--rule', 'imds-hop-limt=off'], 'did you mean "imds-hop-limit"?'],
    [['check', 'templates', '--rule', 'imds-v1=eror'], 'did you mean "error"?'],
    [['check', 'templates', '--rule-option', 'imds-hop-limit.hopLimit=allow'], 'did you mean "hopLimitOne"?'],
    [['check', 'templates', '--rule-option', 'imds-hop-limit.hopLimitOne=alow'], 'did you mean "allow"?'],
    [['explain', 'imds-v2'], 'did you mean "imds-v1"?'],
    [['completion', 'bsh'], 'did you mean "bash"?'],
    [['user-data', '-', '--family', 'al203'], 'did you mean "al2023"?'],
    [['rules', '--format', 'jsno'], 'Did you mean "json"?'],
    [['check', 'templates', '--rule', 'IMDS-V1=of'], 'did you mean "imds-v1"?'],
    [
      ['addon-diff', 'vpc-cni', 'v1.20.4-eksbuild.2', 'v1.21.1-eksbuild.5', '--live', 'templates/noe.yaml'],
      'did you mean "templates/one.yaml"?',
    ],
  ])('%p', (args, message) => {
    const { exitCode, stderr } = runCommand(args, { cwd: folder, input: '' });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) as unknown });
  });
});

describe('a working directory that was removed', () => {
  const folder = workspace({});

  it('is told', () => {
    const { stderr, status } = spawnSync(
      'sh',
      [
        '-c',
        'mkdir gone && cd gone && rmdir ../gone && exec "$@"',
        'sh',
        process.execPath,
        builtCommand(),
        'check',
        '/etc',
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    expect({ stderr, status }).toEqual({
      stderr: expect.stringContaining("error: the working directory isn't there any more") as unknown,
      status: 2,
    });
  });
});

describe('--changed-since', () => {
  const folder = workspace({ ...FILES, '.gitignore': 'cdk.out\n*.auto.tfvars\nplan.yaml\n' });
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  const since = (revision: string, ...paths: string[]) =>
    reportOf(folder, [...(paths.length === 0 ? ['.'] : paths), '--changed-since', revision]);
  afterEach(() => {
    git('checkout', '-q', '.');
    git('clean', '-qfdx');
  });

  it('says that nothing has changed', () => {
    const { report, exitCode, stderr } = since('HEAD');
    expect({ exitCode, stderr, inputs: report.inputs, findings: report.findings }).toEqual({
      exitCode: 0,
      stderr: 'Nothing of what is checked has changed since HEAD.\n',
      inputs: [],
      findings: [],
    });
  });

  it.each([
    ['a template', 'templates/two.yaml', ['imds-hop-limit templates/two.yaml'], ['templates/two.yaml']],
    ['a root module', 'infra/envs/dev/main.tf', ['imds-hop-limit infra/modules/workers/main.tf'], ['infra/envs/dev']],
    [
      'variables',
      'infra/envs/dev/terraform.tfvars',
      ['imds-hop-limit infra/modules/workers/main.tf'],
      ['infra/envs/dev'],
    ],
    [
      'a module, for all that call it',
      'infra/modules/workers/main.tf',
      ['imds-hop-limit infra/modules/workers/main.tf'],
      ['infra/envs/dev', 'infra/envs/prod'],
    ],
    ['variables that git ignores: none', 'infra/envs/dev/x.auto.tfvars', [], []],
    ['a file that is nothing to check: none', 'infra/envs/dev/README.md', [], []],
  ])('reports %s', (_, file, errors, inputs) => {
    appendFileSync(join(folder, file), '\n# changed\n');
    const { report } = since('HEAD');
    expect({ errors: errorsIn(report), inputs: report.inputs.map(({ path }) => path) }).toEqual({ errors, inputs });
  });

  it('counts new files, and those that git ignores', () => {
    writeFileSync(join(folder, 'new.yaml'), bad);
    writeFileSync(join(folder, 'plan.yaml'), bad);
    expect(errorsIn(since('HEAD').report)).toEqual(['imds-hop-limit new.yaml', 'imds-hop-limit plan.yaml']);
  });

  it('begins where the branches parted', () => {
    git('checkout', '-qb', 'other');
    appendFileSync(join(folder, 'templates/one.yaml'), '\n# theirs\n');
    git('commit', '-qam', 'theirs');
    git('checkout', '-q', '-');
    appendFileSync(join(folder, 'templates/two.yaml'), '\n# ours\n');
    expect(errorsIn(since('other').report)).toEqual(['imds-hop-limit templates/two.yaml']);
  });

  it.each([
    ['a revision that is not there', ['--changed-since', 'nowhere'], {}, 'git knows no revision "nowhere"'],
    ['an option in place of a revision', ['--changed-since=--output=x'], {}, 'takes a revision of git'],
    ['no git', ['--changed-since', 'HEAD'], { PATH: '/nonexistent' }, "git isn't installed"],
    ['no repository', ['--changed-since', 'HEAD'], { GIT_DIR: '/nonexistent' }, 'is in no repository of git'],
  ])('refuses %s', (_, args, env, message) => {
    const { exitCode, stderr, stdout } = runCommand(['check', '.', ...args], { cwd: folder, env });
    expect({ exitCode, stderr, stdout }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(message) as unknown,
      stdout: '',
    });
  });
});

describe('what is only worth knowing', () => {
  const folder = workspace({ 'wide.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 5', 'HttpTokens: required']) });
  const check = (...args: readonly string[]) =>
    runCommand(['check', 'wide.yaml', '--no-config', ...args], { cwd: folder }).stdout;

  it.each([
    [[], false],
    [['--verbose'], true],
    [['--only', 'imds-hop-limit'], true],
  ])('is changed, and told to be changeable, for those who ask for it: %j', (args, isAsked) => {
    const changed = check('--fix-dry-run', '--unsafe', ...args);
    expect(/^\+ *HttpPutResponseHopLimit: 2$/m.test(changed)).toBe(isAsked);
    expect(/--fix --unsafe/.test(check(...args))).toBe(isAsked);
  });
});

describe('files that are written', () => {
  const folder = workspace({ 'one.yaml': bad, 'old.json': 'old', 'real.json': 'old', 'locked/x': '' });

  it('take the place of old ones with their mode, through links, and leave nothing else behind', () => {
    chmodSync(join(folder, 'old.json'), 0o640);
    symlinkSync('real.json', join(folder, 'link.json'));
    for (const name of ['old.json', 'link.json', 'new/deep/report.json'])
      runCommand(['check', 'one.yaml', '--format', 'json', '--output', name], { cwd: folder });
    for (const name of ['old.json', 'real.json', 'new/deep/report.json'])
      expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toHaveProperty('findings');
    expect(statSync(join(folder, 'old.json')).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each([['one.yaml/x.txt'], ['locked']])('%s cannot be written: exit code 2', (name) => {
    const { exitCode, stderr } = runCommand(['check', 'one.yaml', '--output', name], { cwd: folder });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(`error: can't write ${name}: `) as unknown,
    });
  });

  it('are only begun when there is something to write', async () => {
    const seen: unknown[] = [];
    const look = (piece: string) => {
      // A signal ends the process at once while nobody listens to it.
      seen.push({
        files: readdirSync(folder).filter((name) => name.endsWith('.tmp')).length,
        listeners: process.listenerCount('SIGINT'),
      });
      return piece.repeat(70000);
    };
    await writeAtomically(
      join(folder, 'late.json'),
      (function* () {
        yield look('a');
        yield look('b');
      })(),
    );
    expect(seen).toEqual([
      { files: 0, listeners: 0 },
      { files: 1, listeners: 1 },
    ]);
    expect(readFileSync(join(folder, 'late.json'), 'utf8')).toBe('a'.repeat(70000) + 'b'.repeat(70000));
  });

  it('are the old ones when the run is interrupted', async () => {
    writeFileSync(join(folder, 'kept.json'), 'old');
    const bundle = join(dirname(builtCommand()), '../bundle/index.js');
    const script = `require(${JSON.stringify(bundle)})('cli/output/write-file').writeAtomically('kept.json', (function* () { for (;;) { yield 'x'.repeat(70000); process.stdout.write('.'); } })())`;
    const child = spawn(process.execPath, ['-e', script], { cwd: folder });
    const code = await new Promise((resolve) => {
      child.stdout.once('data', () => child.kill('SIGINT'));
      child.once('exit', resolve);
    });
    expect(code).toBe(130);
    expect(readFileSync(join(folder, 'kept.json'), 'utf8')).toBe('old');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a check that every repository has to pass', () => {
  const place = workspace({
    'empty/README.md': 'nothing\n',
    'app/cdk.json': '{"app": "node app.js"}',
    'nodes.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']),
  });
  const allowing = (...paths: readonly string[]) => runCommand(['check', ...paths, '--allow-empty'], { cwd: place });

  it('passes a folder that holds nothing to check, and says so', () => {
    expect(runCommand(['check', 'empty'], { cwd: place }).exitCode).toBe(2);
    expect(allowing('empty')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/warning {2}empty:1:1\n\s+the folder holds no CloudFormation template/) as string,
    });
  });

  it('still fails for what is misspelt, not synthesized or wrong', () => {
    expect(allowing('emty').exitCode).toBe(2);
    expect(allowing('empty/*.yaml').exitCode).toBe(2);
    expect(allowing('app').exitCode).toBe(2);
    expect(allowing('empty', 'nodes.yaml').exitCode).toBe(1);
  });
});
