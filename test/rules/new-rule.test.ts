import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { parsePage } from '../../lib/engine/rule-prose';
import { itWithAll } from '../share';

const root = join(__dirname, '..', '..');
const SCRIPT = join(root, 'scripts', 'new-rule.mjs');
const FILES = ['lib/rules/imds/imds-acme-proxy.ts', 'lib/rules/imds/imds-acme-proxy.md'];
const TEST = 'test/rules/imds/imds-acme-proxy.test.ts';

describe('npm run new:rule', () => {
  let copy = '';

  const renew = (): void => {
    remove();
    copy = mkdtempSync(join(tmpdir(), 'eks-guardrails-new-rule-'));
    for (const path of ['lib/rules', 'lib/cli/rules/rule-page.ts', 'docs/rules', 'package.json', 'CHANGELOG.md'])
      cpSync(join(root, path), join(copy, path), { recursive: true });
  };
  const remove = (): void => {
    if (copy !== '') rmSync(copy, { recursive: true, force: true });
  };

  beforeAll(renew);
  afterAll(remove);

  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [SCRIPT, '--into', copy, ...args], { encoding: 'utf8' });
  const read = (path: string): string => readFileSync(join(copy, path), 'utf8');
  /** Lines that are in the copy and not in the repository. */
  const added = (path: string): string[] => {
    const before = new Set(readFileSync(join(root, path), 'utf8').split('\n'));
    return read(path)
      .split('\n')
      .filter((line) => !before.has(line));
  };

  it.each([
    [[], 'usage: npm run new:rule -- <subject>/<rule-id>'],
    [['imds'], 'usage: npm run new:rule'],
    [['imds/a-b/c'], 'usage: npm run new:rule'],
    [['imds/a-b', 'imds/c-d'], 'usage: npm run new:rule'],
    [['acme/acme-proxy'], 'there is no subject "acme"; there are addon, eksctl, iam, imds, '],
    [['imds/imds-v1'], 'there is a rule "imds-v1" already'],
    [['iam/imds-v1'], 'there is a rule "imds-v1" already'],
    [['iam/rule-crashed'], 'there is a rule "rule-crashed" already'],
    [['imds/proxy'], '"proxy" is no id of a rule: two or more words'],
    [['imds/Imds-Proxy'], '"Imds-Proxy" is no id of a rule'],
    [
      [`imds/imds-${'x'.repeat(40)}`],
      'is no id of a rule: two or more words of small letters and digits, with hyphens, 40',
    ],
    [['imds/imds-no-proxy'], '"imds-no-proxy" has the word "no"'],
  ])('refuses %j', (args, problem) => {
    const { status, stderr } = run(...args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(`new:rule: `) as string });
    expect(stderr).toContain(problem);
    expect(added('lib/rules/index.ts')).toEqual([]);
    expect(added('CHANGELOG.md')).toEqual([]);
  });

  it('writes the rule, its page and its test, and lists the rule', () => {
    renew();
    const { status, stdout, stderr } = run('imds/imds-acme-proxy');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const file of [...FILES, TEST]) {
      expect(stdout).toContain(`  ${file}\n`);
      expect(read(file)).toContain('imds-acme-proxy');
    }
    expect(added('lib/rules/index.ts')).toEqual([
      "import { imdsAcmeProxy } from './imds/imds-acme-proxy';",
      '  imdsAcmeProxy,',
    ]);
    expect(added('CHANGELOG.md').join('\n')).toMatch(/^- Instance metadata: .*, `imds-acme-proxy`$/);
    expect(run('--check')).toMatchObject({ status: 0, stderr: '' });
  });

  itWithAll('writes what compiles', () => {
    renew();
    run('imds/imds-acme-proxy');
    const generated = new Map([FILES[0] ?? '', TEST].map((path) => [join(root, path), read(path)]));
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const real = ts.createCompilerHost({ ...options, noEmit: true });
    const host: ts.CompilerHost = {
      ...real,
      fileExists: (file) => generated.has(file) || real.fileExists(file),
      getSourceFile: (file, version) => {
        const text = generated.get(file);
        return text === undefined ? real.getSourceFile(file, version) : ts.createSourceFile(file, text, version, true);
      },
    };
    const program = ts.createProgram([...generated.keys()], { ...options, noEmit: true }, host);
    for (const file of generated.keys()) {
      const problems = program.getSemanticDiagnostics(program.getSourceFile(file));
      expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    }
  });

  it('writes nothing that passes before its author has filled it', () => {
    renew();
    run('imds/imds-acme-proxy');
    expect(() => parsePage('imds-acme-proxy', read(FILES[1] ?? ''))).toThrow(
      'it says nothing under "## What happens", "## Why", "## What it can\'t see", "## When to ignore it", "## Sources"',
    );
    expect(read(FILES[0] ?? '')).toContain("title: ''");
    expect(read(TEST)).not.toMatch(/todo|skip/);
    expect(read(TEST).match(/template: ''/g)).toHaveLength(7);
  });

  itWithAll('begins the list of new rules after a release', () => {
    renew();
    writeFileSync(
      join(copy, 'CHANGELOG.md'),
      '# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n\n### New rules\n\n- IAM: `a-b`\n',
    );
    expect(run('iam/iam-acme-proxy').status).toBe(0);
    expect(run('imds/imds-acme-proxy').status).toBe(0);
    expect(read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n### New rules\n\n- IAM: `iam-acme-proxy`\n- Instance metadata: `imds-acme-proxy`\n\n## [0.1.0]\n\n### New rules\n\n- IAM: `a-b`\n',
    );
  });
});

describe('lib/rules/index.ts', () => {
  it('lists the rules of all folders, and imports them in the order of their ids', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
