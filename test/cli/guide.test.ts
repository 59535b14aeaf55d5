import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { FORMATS, type JsonReport } from '../../lib/reports';
import { projectRoot, runCommand } from './built-command';
import { reportSchema } from './report-schema';
import { workspace } from './workspace';

/** A guide whose examples are what the command really prints. */
class Guide {
  private readonly file: string;

  constructor(name: string) {
    this.file = join(projectRoot, 'docs/guides', name);
  }

  get text(): string {
    return readFileSync(this.file, 'utf8');
  }

  /** Text of the first code block of a language. */
  codeBlock(language: string): string {
    const [, code = ''] = this.block(language).exec(this.text) ?? [];
    return code;
  }

  /** UPDATE_GOLDEN=1 puts into the guide what the command prints now. */
  expectBlock(language: string, actual: string): void {
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        this.file,
        this.text.replace(this.block(language), () => `\`\`\`${language}\n${actual}\`\`\``),
      );
    expect(this.codeBlock(language)).toBe(actual);
  }

  /** Every long option of a command is explained. */
  expectOptions(command: string): void {
    const options = [...runCommand([command, '--help']).stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(
      ([, option = '']) => option,
    );
    expect(options.length).toBeGreaterThan(4);
    for (const option of options) expect(this.text).toContain(`\`${option}`);
  }

  private block(language: string): RegExp {
    return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm');
  }
}

describe('the guide of user data', () => {
  const guide = new Guide('user-data.md');
  const folder = workspace({ 'user-data.txt': guide.codeBlock('mime') });

  it('shows what the command prints for its example', () => {
    const { stdout, exitCode, stderr } = runCommand(['user-data', 'user-data.txt'], { cwd: folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    guide.expectBlock('text', `$ eks-guardrails user-data user-data.txt\n${stdout}`);
  });

  it('has every option that the help has', () => {
    guide.expectOptions('user-data');
  });
});

describe('the guide of upgrades', () => {
  const guide = new Guide('upgrades.md');
  const folder = workspace({ 'cluster.yaml': guide.codeBlock('yaml') });

  it('shows what the command prints for its example', () => {
    const args = ['upgrade', 'cluster.yaml', '--to', '1.33'];
    const { stdout, exitCode, stderr } = runCommand(args, { cwd: folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    guide.expectBlock('text', `$ eks-guardrails ${args.join(' ')}\n${stdout}`);
  });

  it('has every option that the help has', () => {
    guide.expectOptions('upgrade');
  });

  it('has every key of the JSON format', () => {
    const { stdout } = runCommand(['upgrade', 'cluster.yaml', '--to', '1.33', '--format', 'json'], { cwd: folder });
    for (const [, key = ''] of stdout.matchAll(/^ *"(\w+)":/gm)) {
      if (!OF_LOCATIONS.has(key)) expect(guide.text).toMatch(new RegExp(`\`${key}(?:\\[\\])?\``));
    }
  });
});

/** Places are as in the report of a check. */
const OF_LOCATIONS: ReadonlySet<string> = new Set(['file', 'line', 'column', 'property']);

describe('the guide of comparing add-on versions', () => {
  const guide = new Guide('addon-diff.md');
  const folder = workspace({ 'aws-node.env': guide.codeBlock('env') });

  it('shows what the command prints for its example', () => {
    const args = ['addon-diff', 'vpc-cni', 'v1.11.0-eksbuild.1', 'v1.12.6-eksbuild.1', '--live', 'aws-node.env'];
    const { stdout, exitCode, stderr } = runCommand(args, { cwd: folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    guide.expectBlock('text', `$ eks-guardrails ${args.join(' ')}\n${stdout}`);
  });

  it('shows what it prints for another add-on', () => {
    const args = ['addon-diff', 'aws-ebs-csi-driver', 'v1.38.1-eksbuild.1', 'v1.39.0-eksbuild.1'];
    guide.expectBlock('console', `$ eks-guardrails ${args.join(' ')}\n${runCommand(args).stdout}`);
  });

  it('has every option that the help has', () => {
    guide.expectOptions('addon-diff');
  });
});

describe('the guide of the command', () => {
  const guide = new Guide('command.md');
  const codeBlock = (language: string) => guide.codeBlock(language);
  const expectInGuide = (language: string, actual: string) => {
    guide.expectBlock(language, actual);
  };
  const folder = workspace({ 'cluster.yaml': codeBlock('yaml') });
  const check = (...args: string[]) => runCommand(['check', 'cluster.yaml', ...args], { cwd: folder });

  it('shows the report that the command prints for its template', () => {
    const { stdout, exitCode } = check();
    expect(exitCode).toBe(1);
    expectInGuide('text', `$ eks-guardrails check cluster.yaml\n${stdout}`);
  });

  it('shows the JSON that the command prints for its template', () => {
    const report = JSON.parse(check('--format', 'json').stdout) as JsonReport;
    const failures = report.findings.filter(({ verdict }) => verdict === 'fail');
    expectInGuide('json', `${JSON.stringify({ ...report, asOf: null, findings: failures }, undefined, 2)}\n`);
    const isValid = new Ajv({ allowUnionTypes: true }).compile(reportSchema);
    isValid(JSON.parse(codeBlock('json')));
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('shows the annotations and the JUnit report that the command prints for its template', () => {
    expectInGuide('log', `$ eks-guardrails check cluster.yaml --format github\n${check('--format', 'github').stdout}`);
    expectInGuide('xml', check('--format', 'junit').stdout);
  });

  it('names every format', () => {
    for (const format of Object.keys(FORMATS)) expect(guide.text).toContain(`\n| \`${format}\` | `);
  });

  it('writes its reports in pipelines with commands that make sense', () => {
    const commands = [
      ...guide.text.matchAll(
        /npx --yes --prefix="\$\(mktemp -d\)" eks-guardrails@[\d.]+ check --no-config-code cdk\.out (.*)/g,
      ),
    ].map(([, options = '']) => options.split(' '));
    expect(commands).toHaveLength(2);
    for (const options of commands) {
      const { stderr, exitCode } = runCommand(['check', '--no-config-code', 'cluster.yaml', ...options], {
        cwd: folder,
      });
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
      for (const [index, option] of options.entries())
        if (option === '--output') expect(existsSync(join(folder, options[index + 1] ?? ''))).toBe(true);
    }
  });

  it('has every option that the help has', () => {
    guide.expectOptions('check');
  });
});
