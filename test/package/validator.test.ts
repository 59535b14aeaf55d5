import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { EksGuardrails } from '../../aspects/aws-cdk';
import { packageVersion } from '../../lib/version';
import type { EngineConfiguration, Plugin } from '../../packages/jsii/src/engine';
import { projectRoot } from '../cli/built-command';

/** The compiler refuses it where the module expects something else of the plugin than there is. */
const engine: new (configuration: EngineConfiguration) => Plugin = EksGuardrails;

const source = join(projectRoot, 'packages/jsii');

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly dependencies?: object;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

describe('the module for CDK apps in other languages', () => {
  let scratch: string;
  let folder: string;

  // As npm run jsii makes it, but for the compiler of jsii.
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-validator-'));
    const modules = join(scratch, 'node_modules');
    folder = join(modules, 'eks-guardrails-validator');
    mkdirSync(join(folder, 'lib'), { recursive: true });
    for (const name of ['aws-cdk-lib', 'constructs'])
      symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name), 'dir');
    writeFileSync(
      join(scratch, 'bundle.mjs'),
      `import { oneFolder } from ${JSON.stringify(join(projectRoot, 'scripts/one-folder.mjs'))};
       await oneFolder('aspects/aws-cdk/plugin.ts', ${JSON.stringify(join(folder, 'engine'))}, ['aws-cdk-lib', 'constructs']);`,
    );
    execFileSync(process.execPath, [join(scratch, 'bundle.mjs')]);
    for (const name of readdirSync(join(source, 'src'))) {
      const { code } = transformSync(readFileSync(join(source, 'src', name), 'utf8'), { loader: 'ts', format: 'cjs' });
      writeFileSync(join(folder, 'lib', name.replace(/\.ts$/, '.js')), code);
    }
    writeFileSync(join(folder, 'package.json'), readFileSync(join(source, 'package.json')));
  });

  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  function run(configuration: string): { readonly status: number | null; readonly output: string } {
    writeFileSync(
      join(scratch, 'app.js'),
      `const { App, Stack, Validations, CfnParameter } = require('aws-cdk-lib');
       const eks = require('aws-cdk-lib/aws-eks');
       const { EksGuardrailsValidator, FailOn, Preset, RuleLevel } = require('eks-guardrails-validator');
       const app = new App({ outdir: 'cdk.out' });
       Validations.of(app).addPlugins(new EksGuardrailsValidator(${configuration}));
       const stack = new Stack(app, 'Platform');
       new eks.CfnNodegroup(stack, 'Workers', {
         clusterName: 'prod',
         nodeRole: 'arn:aws:iam::111122223333:role/nodes',
         subnets: ['subnet-0123456789abcdef0'],
         amiType: new CfnParameter(stack, 'AmiType').valueAsString,
       });
       app.synth();`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, ['app.js'], { cwd: scratch, encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  }

  it('fails a synthesis as the plugin does', () => {
    const { status, output } = run("{ parameters: { AmiType: 'AL2023_x86_64_STANDARD' } }");
    expect(output).toContain("Acknowledge with 'EksGuardrails::imds-hop-limit'");
    expect(status).toBe(1);
  });

  it('takes levels, decisions and what fails from its settings', () => {
    const given = "preset: Preset.STRICT, parameters: { AmiType: 'AL2023_x86_64_STANDARD' }";
    expect(run(`{ ${given}, failOn: FailOn.NEVER }`).status).toBe(0);
    expect(run(`{ ${given}, rules: { 'imds-hop-limit': { level: RuleLevel.OFF } } }`)).toMatchObject({ status: 0 });
    const ignored = "ignoredFindings: [{ rule: 'imds-*', resource: 'Platform/Workers', reason: 'own roles' }]";
    expect(run(`{ ${given}, ${ignored} }`)).toMatchObject({ status: 0 });
    expect(
      run("{ stackParameters: { Platform: { AmiType: 'AL2023_x86_64_STANDARD' } }, asOf: '2026-01-31' }").output,
    ).toContain('imds-hop-limit');
  });

  it('reads the configuration file, unless told otherwise', () => {
    const file = join(scratch, 'eks-guardrails.config.json');
    writeFileSync(file, JSON.stringify({ failOn: 'never' }));
    const given = "parameters: { AmiType: 'AL2023_x86_64_STANDARD' }";
    try {
      expect(run(`{ ${given} }`).status).toBe(0);
      expect(run(`{ ${given}, readsConfigurationFile: false }`).status).toBe(1);
    } finally {
      rmSync(file);
    }
    expect(run("{ configurationFile: 'missing.json' }").output).toContain('missing.json');
    expect(run("{ configurationFile: 'a.json', readsConfigurationFile: false }").output).toContain(
      'leave one of them out',
    );
  });

  it('refuses a rule that does not exist, where it is written', () => {
    const { status, output } = run("{ rules: { 'imds-hop-limits': {} } }");
    expect(status).toBe(1);
    expect(output).toContain('did you mean "imds-hop-limit"?');
    expect(output).toContain('app.js:');
  });

  it('has the version and the needs of the package, no dependency, and the licences of what is in it', () => {
    const [own, whole] = [manifest(source), manifest(projectRoot)];
    expect(own.version).toBe(packageVersion());
    expect(manifest(join(folder, 'engine')).version).toBe(packageVersion());
    expect(whole.peerDependencies).toMatchObject(own.peerDependencies);
    expect(own.dependencies).toBeUndefined();
    const licences = readFileSync(join(folder, 'engine/LICENSES.txt'), 'utf8');
    for (const name of ['eks-guardrails', 'yaml', 'toml-eslint-parser'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(engine).toBe(EksGuardrails);
  });
});
