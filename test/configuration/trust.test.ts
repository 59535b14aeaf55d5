import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfigurationFile } from '../../lib/configuration';
import { findConfigurationFile } from '../../lib/configuration/find';
import { readPaths } from '../../lib/front-ends/paths';
import { startCommand as runCommand } from '../cli/built-command';
import { nodeGroupTemplate, workspace } from '../cli/workspace';

const root = workspace({ placeholder: '' });
let made = 0;

/** A folder for one test. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(++made));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const template = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);

/** A program that leaves a trace where it runs, and silences everything. */
function program(trace: string): string {
  return `require('node:fs').writeFileSync(${JSON.stringify(trace)}, ''); module.exports = { failOn: 'never' };\n`;
}

describe('the search for a configuration file', () => {
  const strict = 'preset: strict\n';

  it('ends at the root of the repository', () => {
    const folder = project({
      'eks-guardrails.config.yaml': strict,
      'repository/.git/HEAD': '',
      'repository/infra/main.tf': '',
      'worktree/.git': 'gitdir: elsewhere\n',
    });
    expect(findConfigurationFile(join(folder, 'repository/infra'))).toBeUndefined();
    expect(findConfigurationFile(join(folder, 'worktree'))).toBeUndefined();
    writeFileSync(join(folder, 'repository/eks-guardrails.config.yaml'), strict);
    expect(findConfigurationFile(join(folder, 'repository/infra'))).toBe(
      join(folder, 'repository/eks-guardrails.config.yaml'),
    );
  });

  it('takes what is in the repository, whoever else can write it', () => {
    const folder = project({ 'eks-guardrails.config.yaml': strict, '.git/HEAD': '', 'infra/nodes/main.tf': '' });
    for (const path of ['.', 'infra']) chmodSync(join(folder, path), 0o777);
    expect(findConfigurationFile(join(folder, 'infra/nodes'))).toBe(join(folder, 'eks-guardrails.config.yaml'));
  });

  it.each([
    ['everybody', 0o777],
    ['everybody, as in /tmp', 0o1777],
  ])('without a repository ends below a folder that others can write: %s', (_, mode) => {
    const folder = project({
      'shared/eks-guardrails.config.yaml': strict,
      'shared/mine/infra/main.tf': '',
      'shared/mine/eks-guardrails.config.json': '{}',
    });
    chmodSync(join(folder, 'shared'), mode);
    expect(findConfigurationFile(join(folder, 'shared/mine/infra'))).toBe(
      join(folder, 'shared/mine/eks-guardrails.config.json'),
    );
    const other = project({ 'shared/eks-guardrails.config.yaml': strict, 'shared/mine/main.tf': '' });
    chmodSync(join(other, 'shared'), mode);
    expect(findConfigurationFile(join(other, 'shared/mine'))).toBeUndefined();
  });

  it('never takes one of a checked path', () => {
    const trace = join(project({ a: '' }), 'ran');
    const elsewhere = project({ 'nodes.yaml': template, 'eks-guardrails.config.js': program(trace) });
    const own = project({ '.git/HEAD': '' });
    const { exitCode } = runCommand(['check', join(elsewhere, 'nodes.yaml'), elsewhere], { cwd: own });
    expect({ exitCode, hasRun: existsSync(trace) }).toEqual({ exitCode: 1, hasRun: false });
  });
});

describe('a configuration file that is a link', () => {
  const NAME = 'eks-guardrails.config.yaml';
  const linked = (files: Readonly<Record<string, string>>, target: string) => {
    const folder = project({ 'elsewhere.yaml': 'failOn: never\n', ...files });
    symlinkSync(target, join(folder, 'own', NAME));
    return join(folder, 'own');
  };

  it.each([
    ['out of the repository', { 'own/.git/HEAD': '', 'own/infra/main.tf': '' }, '../elsewhere.yaml'],
    [
      'to what is no part of the repository',
      { 'own/.git/HEAD': 'failOn: never\n', 'own/infra/main.tf': '' },
      '.git/HEAD',
    ],
    ['out of its folder, where there is no repository', { 'own/infra/main.tf': '' }, '../elsewhere.yaml'],
  ])('is refused by the search: %s', (_, files, target) => {
    const own = linked(files, target);
    expect(() => findConfigurationFile(join(own, 'infra'))).toThrow(
      `${join(own, NAME)}: it is a symbolic link out of the repository or folder, so it is not read; name it with --config`,
    );
    expect(loadConfigurationFile(join(own, NAME)).failOn).toBe('never');
  });

  it('is taken within the repository', () => {
    const own = linked({ 'own/.git/HEAD': '', 'own/ci/shared.yaml': 'failOn: never\n' }, 'ci/shared.yaml');
    expect(findConfigurationFile(own)).toBe(join(own, NAME));
  });
});

describe('files of values that a configuration file names', () => {
  const naming = (path: string) => `terraform:\n  varFiles: [${JSON.stringify(path)}]\n`;
  const NAME = 'eks-guardrails.config.yaml';

  it.each([
    ['above the repository', '../../v.tfvars'],
    ['by a link', 'link.tfvars'],
    ["among git's own", '../.git/v.tfvars'],
  ])('are not read outside of its repository: %s', (_, path) => {
    const folder = project({ 'v.tfvars': 'a = 1\n', 'own/.git/v.tfvars': 'a = 1\n', [`own/ci/${NAME}`]: naming(path) });
    symlinkSync('../../v.tfvars', join(folder, 'own/ci/link.tfvars'));
    expect(() => loadConfigurationFile(join(folder, 'own/ci', NAME))).toThrow(
      `${NAME}:2:14: terraform.varFiles[0]: ${path} is outside of the repository or folder of this configuration file, so it is not read; name it with --var-file`,
    );
  });

  it('are read within it, and one that is not there is told with the others', () => {
    const folder = project({
      'own/.git/HEAD': '',
      'own/v.tfvars': 'a = 1\n',
      'own/ci/own.tfvars': '',
      [`own/ci/${NAME}`]: 'terraform:\n  varFiles: [../v.tfvars, own.tfvars, gone.tfvars]\n',
    });
    expect(loadConfigurationFile(join(folder, 'own/ci', NAME)).configuration.terraform?.varFiles).toHaveLength(3);
  });

  it('open nothing around them, whoever names them', () => {
    const folder = project({
      'secret.txt': 'token',
      'v.tfvars': 'a = "v1"\n',
      'own/.git/HEAD': '',
      'own/main.tf':
        'variable "a" {}\nresource "aws_launch_template" "t" {\n  name      = var.a\n  user_data = base64encode(file("../secret.txt"))\n}\n',
    });
    const [template] = readPaths([join(folder, 'own')], { varFiles: [join(folder, 'v.tfvars')] }).resources.flatMap(
      (resource) => (resource.kind === 'launch-template' ? [resource] : []),
    );
    const text = JSON.stringify([template?.name, template?.userData], (key, value: unknown) =>
      key === 'source' || key === 'when' ? undefined : value,
    );
    expect(text).toContain('"v1"');
    expect(text).toContain('it is outside of the repository');
    expect(text).not.toContain('token');
  });
});

describe('--no-config-code', () => {
  const trace = join(project({ a: '' }), 'ran');
  const rule = `require('node:fs').writeFileSync(${JSON.stringify(trace)}, ''); module.exports = { id: 'acme-rule', title: 'T', severity: 'error', messages: { bad: { text: 'Bad.', fix: 'Fix.' } }, check: () => [] };`;

  it.each(['js', 'cjs', 'mjs', 'ts'])('leaves out a program (.%s), says so, and fails closed', (extension) => {
    const name = `eks-guardrails.config.${extension}`;
    const folder = project({ '.git/HEAD': '', 'nodes.yaml': template, [name]: program(trace) });
    const { exitCode, stdout, stderr } = runCommand(['check', 'nodes.yaml', '--no-config-code'], { cwd: folder });
    expect({ exitCode, stderr, hasRun: existsSync(trace) }).toEqual({ exitCode: 2, stderr: '', hasRun: false });
    expect(stdout).toContain(`${name}:1:1`);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'this configuration is a program and was not run (--no-config-code)',
    );
    expect(stdout).toContain('imds-hop-limit');
    expect(runCommand(['check', 'nodes.yaml', '--no-config-code', '--config', name], { cwd: folder }).exitCode).toBe(2);
    expect(existsSync(trace)).toBe(false);
  });

  it('is told in reports for programs, too', () => {
    const folder = project({ '.git/HEAD': '', 'nodes.yaml': template, 'eks-guardrails.config.cjs': program(trace) });
    const { stdout, stderr } = runCommand(['check', 'nodes.yaml', '--no-config-code', '--format', 'json'], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [{ severity: 'error', file: 'eks-guardrails.config.cjs', line: 1, column: 1 }],
    });
    expect(stderr).toContain('error: eks-guardrails.config.cjs:1:1 this configuration is a program');
  });

  it('takes the data of a file, without its modules of rules', () => {
    const folder = project({
      '.git/HEAD': '',
      'nodes.yaml': template,
      'rules.cjs': rule,
      'eks-guardrails.config.yaml':
        'customRules:\n  - ./rules.cjs\nrules: { acme-rule: warning, imds-hop-limit: info }\nignores: [{ rule: acme-rule, resource: "*", reason: Known }]\n',
    });
    const { exitCode, stdout } = runCommand(['check', 'nodes.yaml', '--no-config-code', '--format', 'json'], {
      cwd: folder,
    });
    const { findings, diagnostics } = JSON.parse(stdout) as {
      findings: { rule: string; severity: string }[];
      diagnostics: object[];
    };
    expect({ exitCode, hasRun: existsSync(trace) }).toEqual({ exitCode: 2, hasRun: false });
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        message: expect.stringContaining('the rules of ./rules.cjs are code and were not run') as string,
        file: 'eks-guardrails.config.yaml',
        line: 2,
        column: 5,
      },
    ]);
    expect(findings.filter(({ rule: id }) => /^imds-hop|^suppression/.test(id))).toMatchObject([
      { rule: 'imds-hop-limit', severity: 'info' },
    ]);
    expect(
      runCommand(['check', 'nodes.yaml', '--no-config-code', '--write-baseline', 'baseline.json'], { cwd: folder })
        .exitCode,
    ).toBe(2);
    expect(existsSync(join(folder, 'baseline.json'))).toBe(false);
  });

  it('has nothing to say about a file of data', () => {
    const folder = project({
      '.git/HEAD': '',
      'nodes.yaml': template,
      'eks-guardrails.config.json': '{ "failOn": "never" }',
    });
    expect(runCommand(['check', 'nodes.yaml', '--no-config-code'], { cwd: folder })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
  });

  it.each([
    ['1', [], 2],
    ['true', [], 2],
    ['anything', [], 2],
    ['0', [], 0],
    ['', [], 0],
    ['1', ['--config-code'], 0],
    ['1', ['--no-config-code', '--config-code'], 0],
    ['', ['--config-code', '--no-config-code'], 2],
  ])('EKS_GUARDRAILS_NO_CONFIG_CODE=%s %j', (value, options, code) => {
    const folder = project({
      '.git/HEAD': '',
      'nodes.yaml': template,
      'eks-guardrails.config.cjs': 'module.exports = { failOn: "never" };\n',
    });
    expect(
      runCommand(['check', 'nodes.yaml', ...options], { cwd: folder, env: { EKS_GUARDRAILS_NO_CONFIG_CODE: value } })
        .exitCode,
    ).toBe(code);
  });

  it('holds for the catalogue, a page of it, and what would be run with', () => {
    const folder = project({
      '.git/HEAD': '',
      'rules.cjs': rule,
      'eks-guardrails.config.yaml': 'customRules: [./rules.cjs]\n',
    });
    const warning =
      'warning: eks-guardrails.config.yaml:1:15 the rules of ./rules.cjs are code and were not run (--no-config-code)';
    const rules = runCommand(['rules', '--no-config-code'], { cwd: folder });
    expect({ ...rules, stdout: rules.stdout.includes('acme-rule') }).toEqual({
      exitCode: 0,
      stdout: false,
      stderr: expect.stringContaining(warning) as string,
    });
    expect(runCommand(['explain', 'acme-rule', '--no-config-code'], { cwd: folder })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(warning) as string,
    });
    expect(runCommand(['check', '--print-config', '--no-config-code'], { cwd: folder })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(warning) as string,
    });
    expect(existsSync(trace)).toBe(false);
  });
});
