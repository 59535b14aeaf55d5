import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../cli/built-command';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { share } from '../share';

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

it('a configuration file of a checked path is never taken', () => {
  const trace = join(project({ a: '' }), 'ran');
  const elsewhere = project({ 'nodes.yaml': template, 'eks-guardrails.config.js': program(trace) });
  const own = project({ '.git/HEAD': '' });
  const { exitCode } = runCommand(['check', join(elsewhere, 'nodes.yaml'), elsewhere], { cwd: own });
  expect({ exitCode, hasRun: existsSync(trace) }).toEqual({ exitCode: 1, hasRun: false });
});

describe('--no-config-code', () => {
  const trace = join(project({ a: '' }), 'ran');
  const rule = `require('node:fs').writeFileSync(${JSON.stringify(trace)}, ''); module.exports = { id: 'acme-rule', title: 'T', severity: 'error', messages: { bad: { text: 'Bad.', fix: 'Fix.' } }, check: () => [] };`;

  it.each(share([['js'], ['cjs'], ['mjs'], ['ts']]))(
    'leaves out a program (.%s), says so, and fails closed',
    (extension) => {
      const name = `eks-guardrails.config.${extension}`;
      const folder = project({ '.git/HEAD': '', 'nodes.yaml': template, [name]: program(trace) });
      const { exitCode, stdout, stderr } = runCommand(['check', 'nodes.yaml', '--no-config-code'], { cwd: folder });
      expect({ exitCode, stderr, hasRun: existsSync(trace) }).toEqual({ exitCode: 2, stderr: '', hasRun: false });
      expect(stdout).toContain(`${name}:1:1`);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'this configuration is a program and was not run (--no-config-code)',
      );
      expect(stdout).toContain('imds-hop-limit');
      expect(runCommand(['check', 'nodes.yaml', '--no-config-code', '--config', name], { cwd: folder }).exitCode).toBe(
        2,
      );
      expect(existsSync(trace)).toBe(false);
    },
  );

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
