import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot, runCommand } from '../cli/built-command';
import { nodeGroupTemplate } from '../cli/workspace';
import { linkTypeScript } from './configurations';

const template = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);

const projects: string[] = [];
afterAll(() => {
  for (const folder of projects) rmSync(folder, { recursive: true, force: true });
});

/** A folder for one test. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
  projects.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

interface Report {
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly suppressed?: { readonly reason: string };
  }[];
}

function check(folder: string, args: readonly string[] = []) {
  const { exitCode, stdout, stderr } = runCommand(['check', 'nodes.yaml', '--format', 'json', ...args], {
    cwd: folder,
  });
  const report = stdout === '' ? { findings: [] } : (JSON.parse(stdout) as Report);
  return {
    exitCode,
    stderr,
    hop: report.findings.find(({ rule }) => rule === 'imds-hop-limit'),
    findings: report.findings,
  };
}

describe('the command with a configuration file', () => {
  const yaml = 'failOn: never\nrules: { imds-hop-limit: warning }\n';
  const folder = project({
    'eks-guardrails.config.yaml': yaml,
    'app/nodes.yaml': template,
    'app/other.json': '{ "rules": { "imds-hop-limit": "info" } }',
  });
  const app = join(folder, 'app');

  it('finds it upwards, can be told another one, or none', () => {
    expect(check(app)).toMatchObject({ exitCode: 0, stderr: '', hop: { severity: 'warning' } });
    expect(check(app, ['--config', 'other.json'])).toMatchObject({ hop: { severity: 'info' } });
    expect(check(app, ['--no-config'])).toMatchObject({ exitCode: 1, hop: { severity: 'error' } });
  });

  it('lets the command line win', () => {
    expect(check(app, ['--fail-on', 'warning'])).toMatchObject({ exitCode: 1, hop: { severity: 'warning' } });
    expect(check(app, ['--rule', 'imds-hop-limit=off']).hop).toBeUndefined();
  });

  it('stops at one that is wrong', () => {
    const broken = project({ 'eks-guardrails.config.yaml': 'rules:\n  imds-hop-limt: off\n', 'nodes.yaml': template });
    expect(check(broken)).toMatchObject({
      exitCode: 2,
      stderr:
        'error: eks-guardrails.config.yaml:2:3: rules.imds-hop-limt: there is no rule "imds-hop-limt"; did you mean "imds-hop-limit"?\n',
    });
    expect(check(app, ['--config', 'gone.yaml'])).toMatchObject({
      exitCode: 2,
      stderr: 'error: gone.yaml: there is no such file or folder\n',
    });
  });

  it('prints what it would run with', () => {
    const { exitCode, stdout } = runCommand(['check', '--print-config', '--rule', 'imds-v1=off'], { cwd: app });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: expect.stringContaining('eks-guardrails.config.yaml') as string,
      preset: 'recommended',
      failOn: 'never',
      rules: { 'imds-v1': { level: 'off' }, 'imds-hop-limit': { level: 'warning', options: { hopLimitOne: 'error' } } },
    });
  });

  it('prints where each value comes from', () => {
    const folder = project({
      'eks-guardrails.config.yaml': 'extends: [./base.yaml]\nrules: { imds-instance-tags: info }\n',
      'base.yaml':
        'preset: strict\nrules: { imds-v1: off, imds-hop-limit: { level: off } }\ncustomRules: [./rule.cjs]\nterraform: { varFiles: [a.tfvars] }\nignores:\n  - { rule: imds-v1, resource: "*", reason: Known }\n',
      'rule.cjs':
        "module.exports = { id: 'acme-rule', title: 'T', severity: 'error', messages: { bad: { text: 'Bad.', fix: 'Fix.' } }, check: () => [] };\n",
    });
    const printed = (options: readonly string[]) =>
      JSON.parse(
        runCommand(['check', '--print-config', ...options], { cwd: folder, env: { EKS_GUARDRAILS_AS_OF: '' } }).stdout,
      ) as { extends: readonly string[]; origins: Readonly<Record<string, string>> };
    expect(printed([]).extends).toEqual(['base.yaml']);
    const fromFiles = {
      preset: 'base.yaml:1:1',
      'rules.imds-v1.level': 'base.yaml:2:10',
      'rules.imds-hop-limit.level': 'base.yaml:2:42',
      'rules.imds-instance-tags.level': 'eks-guardrails.config.yaml:2:10',
      'terraform.varFiles[0]': 'base.yaml:4:25',
      'ignores[0]': 'base.yaml:6:5',
      'customRules[0]': 'rule.cjs',
    };
    expect(printed([]).origins).toEqual(fromFiles);
    const options = ['--preset', 'all', '--fail-on', 'never', '--as-of', '2027-01-31', '--var-file', 'b.tfvars'];
    const ofRules = ['--rule', 'imds-v1=error', '--rule-option', 'imds-hop-limit.hopLimitOne=allow'];
    expect(
      printed([...options, ...ofRules, '--skip', 'imds-hop-limit', '--skip', 'imds-instance-tags']).origins,
    ).toEqual({
      ...fromFiles,
      preset: '--preset',
      failOn: '--fail-on',
      asOf: '--as-of',
      'rules.imds-v1.level': '--rule',
      'rules.imds-hop-limit.options.hopLimitOne': '--rule-option',
      'rules.imds-instance-tags.level': '--skip',
      'terraform.varFiles[1]': '--var-file',
    });
    expect(printed(['--only', 'imds-*', '--skip', 'imds-instance-tags']).origins).toMatchObject({
      'rules.imds-instance-tags.level': '--only, --skip',
      'rules.imds-hop-limit.level': 'base.yaml:2:42',
    });
    const { stdout } = runCommand(['check', '--print-config', '--no-config', '--only', 'imds-v1'], {
      cwd: folder,
      env: { EKS_GUARDRAILS_AS_OF: '2027-01-31' },
    });
    const { origins } = JSON.parse(stdout) as { origins: object };
    expect(origins).toMatchObject({ asOf: 'EKS_GUARDRAILS_AS_OF', 'rules.imds-hop-limit.level': '--only' });
    expect(origins).not.toHaveProperty(['rules.imds-v1.level']);
  });

  it('tells where an ignore without use stands', () => {
    const ignoring = project({
      'nodes.yaml': template,
      'eks-guardrails.config.yaml':
        'ignores:\n  - { rule: imds-hop-limit, resource: Template, reason: Known }\n  - { rule: imds-v1, resource: "*", reason: Known }\n',
    });
    const { exitCode, hop } = check(ignoring);
    expect({ exitCode, reason: hop?.suppressed?.reason }).toEqual({ exitCode: 0, reason: 'Known' });
    expect(runCommand(['check', 'nodes.yaml'], { cwd: ignoring }).stdout).toMatch(
      /suppression-unused {2}eks-guardrails\.config\.yaml:3:5/,
    );
  });
});

describe('configurations that are programs', () => {
  const rule =
    "{ id: 'acme-rule', title: 'T', severity: 'error', messages: { bad: { text: 'Bad.', fix: 'Fix.' } }, *check(model) { for (const resource of model.clusters) yield { verdict: 'fail', resource, message: 'bad' }; } }";
  const content = '{ customRules: ["./rules"], rules: { "imds-hop-limit": "off" } }';

  it.each([
    ['cjs', `module.exports = ${content};`, 'rules.js', `module.exports = ${rule};`],
    ['mjs', `export default ${content};`, 'rules/index.js', `exports.rule = ${rule};`],
    [
      'ts',
      `import type { ConfigurationFileContent } from 'eks-guardrails';\nconst c: ConfigurationFileContent = ${content};\nexport default c;`,
      'rules.ts',
      `import { defineRule } from 'eks-guardrails';\nimport { own } from './own';\nexport const rule = defineRule(own);`,
    ],
  ])('%s', (extension, text, module, code) => {
    const folder = project({
      'nodes.yaml': template,
      [`eks-guardrails.config.${extension}`]: text,
      [module]: code,
      'own.ts': `enum Level { error = 'error' }\nexport const own = { ...${rule.replace('*check(model)', '*check(model: any)')}, severity: Level.error as const } as const;`,
    });
    linkTypeScript(folder);
    symlinkSync(projectRoot, join(folder, 'node_modules/eks-guardrails'), 'dir');
    const { exitCode, hop, findings, stderr } = check(folder);
    expect({ stderr, hop }).toEqual({ stderr: '', hop: undefined });
    expect(findings.filter(({ rule: id }) => id === 'acme-rule')).toMatchObject([{ severity: 'error' }]);
    expect(exitCode).toBe(1);
  });

  it('tell what is missing to load them', () => {
    const folder = project({ 'nodes.yaml': template, 'eks-guardrails.config.cjs': 'require("./gone");' });
    expect(check(folder)).toMatchObject({
      exitCode: 2,
      stderr: "error: eks-guardrails.config.cjs:1:1: it can't be loaded: Cannot find module './gone'\n",
    });
  });
});

// A test runner loads modules in ways of its own, so the command does it.
describe('what is wrong with a program', () => {
  it.each<[string, string, string]>([
    [
      'syntax.js',
      'const b = {\n  preset: "strict"\n  rules: {}\n};',
      "syntax.js:3:3: it can't be loaded: Unexpected identifier 'rules'",
    ],
    [
      'imports.js',
      'module.exports = {};\nrequire("./broken");',
      "imports.js: it can't be loaded: Unexpected identifier 'c' (broken.js:3:3)",
    ],
    [
      'syntax.mjs',
      'export default {\n  preset: "strict"\n  rules: {}\n};',
      "syntax.mjs:3:3: it can't be loaded: Unexpected identifier 'rules'",
    ],
    [
      'syntax.ts',
      'export default {\n  preset: "strict"\n  rules: {}\n};',
      "syntax.ts:3:3: it can't be loaded: ',' expected",
    ],
    [
      'runtime.ts',
      'interface A {\n  b: string;\n}\nfunction f(a: A): string {\n  throw new Error(a.b);\n}\nexport default { preset: f({ b: "no luck" }) };',
      "runtime.ts:5:9: it can't be loaded: no luck",
    ],
    [
      'imports.ts',
      'import { a } from "./mistaken";\nexport default { preset: a.b };',
      "imports.ts: it can't be loaded: ',' expected (mistaken.ts:4:30)",
    ],
    ['nothing.ts', 'import { a } from "./fine";\nconst config = { preset: a };', 'nothing.ts: it exports no settings'],
  ])('%s', (name, text, problem) => {
    const folder = project({
      'broken.js': 'exports.a = {\n  b: 1\n  c: 2\n};\n',
      'mistaken.ts': 'interface A {\n  b: string\n}\nexport const a: A = { b: "c" d };\n',
      'fine.ts': 'export const a: string = "strict";\n',
      [name]: text,
    });
    linkTypeScript(folder);
    const { exitCode, stdout, stderr } = runCommand(['check', '--print-config', '--config', name], { cwd: folder });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`error: ${problem}`) as string,
    });
  });
});
