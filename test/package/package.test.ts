import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from '../cli/built-command';

const root = join(__dirname, '..', '..');
const node = process.execPath;

/** What a project that uses the package has installed besides it. */
const installedBeside = ['aws-cdk-lib', 'constructs', 'cdk-nag', 'jest', '@jest', '@types', 'expect', 'typescript'];

describe('the packed package', () => {
  let scratch: string;
  let tarball: string;
  let project: string;

  beforeAll(() => {
    builtCommand();
    scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-package-'));
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', scratch], { cwd: root, stdio: 'pipe' });
    const [packed] = readdirSync(scratch);
    if (packed === undefined) throw new Error('npm pack wrote nothing');
    tarball = join(scratch, packed);
    project = join(scratch, 'project');
    install(project);
  }, 120_000);

  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Unpacks the tarball as npm would, next to the libraries that the user has. */
  function install(folder: string): void {
    const modules = join(folder, 'node_modules');
    const target = join(modules, 'eks-guardrails');
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
    const own = Object.keys((JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }).dependencies);
    for (const name of [...own, ...installedBeside]) symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true }));
  }

  function run(file: string, code: string): string {
    const path = join(project, file);
    writeFileSync(path, code);
    return execFileSync(node, [path], { cwd: project, encoding: 'utf8' });
  }

  it('holds the compiled library, its data tables, the docs and nothing of the workshop', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n').filter(Boolean);
    expect(files).toEqual(
      expect.arrayContaining([
        'package/LICENSE',
        'package/README.md',
        'package/dist/lib/cli/main.js',
        'package/dist/lib/knowledge/data/instance-types.json',
        'package/dist/constructs/aws-cdk/index.d.ts',
        'package/docs/rules/imds-hop-limit.md',
      ]),
    );
    expect(files.filter((file) => /^package\/(test|examples|scripts|lib|constructs|aspects|\.ci)\//.test(file))).toEqual([]);
  });

  it('works from CommonJS', () => {
    const output = run('use.cjs', `
      const { allRules, maxPods } = require('eks-guardrails');
      const cdk = require('eks-guardrails/aws-cdk');
      const nag = require('eks-guardrails/cdk-nag');
      console.log(allRules.length > 0, typeof maxPods, typeof cdk.ManagedNodeGroup, typeof cdk.EksGuardrails, typeof nag.EksGuardrailsChecks);
    `);
    expect(output.trim()).toBe('true function function function function');
  });

  it('works from ES modules with named imports', () => {
    const output = run('use.mjs', `
      import { allRules, maxPods } from 'eks-guardrails';
      import { ManagedNodeGroup, NodeConfig, VpcCniAddon, VpcCniRole, EksGuardrails, EksGuardrailsAspect } from 'eks-guardrails/aws-cdk';
      import { EksGuardrailsChecks } from 'eks-guardrails/cdk-nag';
      console.log(allRules.length > 0, [maxPods, ManagedNodeGroup, NodeConfig, VpcCniAddon, VpcCniRole, EksGuardrails, EksGuardrailsAspect, EksGuardrailsChecks].every((one) => typeof one === 'function'));
    `);
    expect(output.trim()).toBe('true true');
  });

  it('runs its command without any CDK package', () => {
    const alone = join(scratch, 'alone');
    install(alone);
    for (const name of installedBeside) rmSync(join(alone, 'node_modules', name), { recursive: true, force: true });
    const template = join(alone, 'template.json');
    writeFileSync(template, JSON.stringify({ Resources: { Topic: { Type: 'AWS::SNS::Topic' } } }));
    const output = execFileSync(node, [join(alone, 'node_modules', 'eks-guardrails', 'dist', 'lib', 'cli', 'main.js'), 'check', template, '--format', 'json'], { encoding: 'utf8' });
    expect(JSON.parse(output)).toMatchObject({ findings: [], diagnostics: [] });
  });

  it.each(['module', 'commonjs'])('has types that a strict user of %s can compile against', (type) => {
    const folder = join(scratch, `types-${type}`);
    install(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type }));
    writeFileSync(
      join(folder, 'use.ts'),
      `import { App, Stack, Validations } from 'aws-cdk-lib';
       import { checkTemplates, type Finding } from 'eks-guardrails';
       import { EksGuardrails, EksGuardrailsAspect } from 'eks-guardrails/aws-cdk';
       import { EksGuardrailsChecks } from 'eks-guardrails/cdk-nag';
       import 'eks-guardrails/jest';
       const app = new App();
       Validations.of(app).addPlugins(new EksGuardrails(), new EksGuardrailsChecks(app));
       export const aspect = new EksGuardrailsAspect();
       export const findings: readonly Finding[] = checkTemplates([{ file: 'a.json', content: {} }]).findings;
       export const stack = new Stack(app, 'Stack');
       expect(stack).toPassEksGuardrails();
       expect(stack).toViolate('imds-hop-limit', { resource: 'Stack/Workers' });
      `,
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, module: 'node16', moduleResolution: 'node16', target: 'ES2022', types: ['jest', 'node'], skipLibCheck: false },
        files: ['use.ts'],
      }),
    );
    const result = compile(folder);
    expect(result.split('\n').filter((line) => /^(use\.ts|.*eks-guardrails)/.test(line))).toEqual([]);
  }, 120_000);

  function compile(folder: string): string {
    try {
      return execFileSync(node, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return String((error as { stdout?: unknown }).stdout);
    }
  }

  it('passes publint and "are the types wrong"', () => {
    execFileSync(node, [join(root, 'node_modules', 'publint', 'src', 'cli.js'), tarball, '--strict'], { cwd: root, stdio: 'pipe' });
    // Node 10 resolution knows no `exports`; every supported Node does.
    const attw = join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
    execFileSync(node, [attw, tarball, '--profile', 'node16'], { cwd: root, stdio: 'pipe' });
  }, 120_000);
});
