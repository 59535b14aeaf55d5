import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtCommand, projectRoot } from '../cli/built-command';
import { COMPILER } from '../compiler';
import { IN_ONE_STACK, TERRAFORM_STACKS } from '../examples/platform-stacks';
import { describeWithAll } from '../share';
import { canPlan, validateFolder } from '../terraform/plan/replan';
import { writePacked } from './packed';

/*
 * The platforms of the examples as somebody starts from them: in a folder of their own, with the packed package, compiled, synthesized by the command of
 * their CDK, and checked by the packed command. Where plans can be made, Terraform reads what CDKTF wrote.
 */

interface Engine {
  /** The folder of examples that it takes. */
  readonly source: 'aws-cdk' | 'cdktf';
  /** Packages of a user besides ours, with the names that they have in this project. */
  readonly beside: Readonly<Record<string, string>>;
  readonly synthesize: readonly string[];
  readonly output: string;
}

const same = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name]));

const AWS_CDK: Engine = {
  source: 'aws-cdk',
  beside: same('aws-cdk-lib', 'constructs', '@types/node'),
  synthesize: [join(projectRoot, 'node_modules/aws-cdk/bin/cdk'), 'synth', '--app', 'node out/app.js', '--quiet'],
  output: 'cdk.out',
};

const terraformCdk = (name: string, provider: string, place = provider): Engine => ({
  source: 'cdktf',
  beside: { ...same(name, 'constructs', '@types/node'), [provider]: place },
  // Its command does the same, and asks Terraform for its version.
  synthesize: ['out/main.js'],
  output: 'cdktf.out',
});

const ENGINES = {
  'the AWS CDK': AWS_CDK,
  'CDKTF and version 5 of the provider': terraformCdk('cdktf', '@cdktf/provider-aws', 'provider-aws-v5'),
  CDKTF: terraformCdk('cdktf', '@cdktf/provider-aws'),
  'CDK Terrain': terraformCdk('cdktn', '@cdktn/provider-aws'),
} as const;

describeWithAll('the platforms, in a folder of somebody who has installed the packed package', () => {
  let scratch: string;
  let installed: string;

  beforeAll(() => {
    builtCommand();
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'eks-guardrails-platforms-')));
    writePacked(join(scratch, 'packed'));
    const tarballs = readdirSync(join(scratch, 'packed')).map((name) => `../packed/${name}`);
    installed = join(scratch, 'installed');
    mkdirSync(installed);
    writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'user', private: true }));
    run(installed, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs);
  }, 300_000);

  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Runs a program that has to succeed. */
  function run(cwd: string, command: string, ...args: readonly string[]): string {
    const env = { ...process.env, CDK_DISABLE_CLI_TELEMETRY: '1', CHECKPOINT_DISABLE: '1' };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env, maxBuffer: 1 << 26 });
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
    return stdout;
  }

  /** A folder with the platforms, and with nothing that leads back into the project. */
  function newProject(name: string, { source, beside }: Engine): string {
    const folder = join(scratch, name.replaceAll(' ', '-'));
    cpSync(installed, folder, { recursive: true });
    for (const [package_, place] of Object.entries(beside)) link(folder, package_, place);
    const platforms = join(projectRoot, 'examples', source, 'platforms');
    for (const file of readdirSync(platforms)) {
      const text = readFileSync(join(platforms, file), 'utf8');
      const isTerrain = 'cdktn' in beside;
      writeFileSync(
        join(folder, file),
        isTerrain ? text.replaceAll(/(?<=from '(?:@|eks-guardrails\/)?)cdktf\b/g, 'cdktn') : text,
      );
    }
    const compilerOptions = { target: 'ES2022', module: 'node16', strict: true, skipLibCheck: true, outDir: 'out' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    // The zones of the account, which the CDK otherwise asks AWS for.
    if (source === 'aws-cdk') cpSync(join(projectRoot, 'cdk.json'), join(folder, 'cdk.json'));
    return folder;
  }

  it.each(Object.entries(ENGINES))(
    'are compiled and synthesized with %s, and the packed command finds nothing',
    (name, engine) => {
      const folder = newProject(name, engine);
      run(folder, process.execPath, COMPILER, '-p', '.');
      run(folder, process.execPath, ...engine.synthesize);
      const output = join(folder, engine.output);
      expect(stacksIn(output)).toEqual(
        engine.source === 'cdktf' ? TERRAFORM_STACKS : [...IN_ONE_STACK, 'Pipeline'].sort(),
      );
      const command = join(folder, 'node_modules/.bin/eks-guardrails');
      const report = JSON.parse(
        run(folder, command, 'check', engine.output, '--preset', 'strict', '--format', 'json'),
      ) as {
        findings: { verdict: string; rule: string; suppressed?: object }[];
        diagnostics: object[];
        inputs: { resources: number }[];
      };
      expect(report.diagnostics).toEqual([]);
      expect(report.inputs.map(({ resources }) => resources > 200)).toEqual([true]);
      expect(
        report.findings.filter(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined),
      ).toEqual([]);
      if (engine.source === 'cdktf' && canPlan)
        // What version 5.100, by which Terraform reads them here, can't know: version 6 brought it.
        expect(validated(output)).toEqual([expect.stringMatching(/^CapacityBlock\/.* "update_strategy"/)]);
    },
    600_000,
  );
});

/** The stacks of an assembly without the stages in it, or of an app of CDKTF. */
function stacksIn(output: string): string[] {
  const ofTerraform = join(output, 'stacks');
  if (existsSync(ofTerraform)) return readdirSync(ofTerraform).sort();
  const { artifacts } = JSON.parse(readFileSync(join(output, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { type: string }>;
  };
  return Object.keys(artifacts)
    .filter((name) => artifacts[name]?.type === 'aws:cloudformation:stack')
    .sort();
}

/** What Terraform says against the stacks. It starts the provider once for all of them, if each is a module. */
function validated(output: string): string[] {
  const folder = join(output, 'stacks');
  const stacks = readdirSync(folder);
  for (const stack of stacks) {
    const file = join(folder, stack, 'cdk.tf.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8')) as object;
    const terraform = { required_providers: { aws: { source: 'hashicorp/aws', version: '5.100.0' } } };
    writeFileSync(file, JSON.stringify({ ...configuration, terraform }));
  }
  const module = Object.fromEntries(stacks.map((stack) => [stack, { source: `./${stack}` }]));
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify({ module }));
  return validateFolder(folder);
}

/** Puts a package of the project, and all that it needs, into a folder by hard links: files of the folder's own, which take no time to copy. */
function link(folder: string, name: string, place = name): void {
  const [from, to] = [join(projectRoot, 'node_modules', place), join(folder, 'node_modules', name)];
  if (existsSync(to) || !existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  // Another disk takes no links.
  if (spawnSync('cp', ['-al', from, to]).status !== 0) cpSync(from, to, { recursive: true });
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const dependency of Object.keys(dependencies))
    if (!existsSync(join(to, 'node_modules', dependency))) link(folder, dependency);
}
