import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { builtCommand, projectRoot, runCommand } from '../cli/built-command';
import { COMPILER } from '../compiler';
import { workspace } from '../cli/workspace';
import { readExamples, type MarkdownExample } from './markdown-examples';
import type { ExampleOutcome } from './run-examples';
import { IS_SHARED, itWithAll } from '../share';

const guides = readdirSync(join(projectRoot, 'docs/guides'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/guides/${name}`);
const pages = ['README.md', ...guides];
const examples = pages.flatMap((page) => readExamples(join(projectRoot, page), page));
const plain = examples.filter(({ isJest }) => !isJest);
const tests = examples.filter(({ isJest }) => isJest);

/** What a project that follows the guides has installed. */
const INSTALLED = [
  'aws-cdk-lib',
  'cdk-nag',
  'cdktf',
  '@cdktf',
  'cdktn',
  '@cdktn',
  'constructs',
  'jest',
  '@jest',
  '@types',
  'expect',
  'typescript',
];

describe('the code in README and guides', () => {
  let folder: string;
  let compilerOutput: string;
  let outcomes: Record<string, ExampleOutcome>;
  let jestReport: {
    testResults: { message: string; assertionResults: { ancestorTitles: string[]; status: string }[] }[];
  };

  beforeAll(() => {
    builtCommand();
    folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-docs-'));
    mkdirSync(join(folder, 'node_modules'));
    for (const name of INSTALLED)
      symlinkSync(join(projectRoot, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
    symlinkSync(projectRoot, join(folder, 'node_modules/eks-guardrails'), 'dir');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true }));
    for (const example of examples) writeFileSync(join(folder, `${example.id}.ts`), moduleOf(example));
    for (const name of ['run-examples.ts', 'cdktf-outcome.ts']) copyFileSync(join(__dirname, name), join(folder, name));
    // A whole run doesn't ask the compiler, which reads all types of the CDK.
    if (IS_SHARED) transform();
    else compilerOutput = compile();
    outcomes = runPlainExamples();
    jestReport = runTestExamples();
  }, 600_000);

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Each block is a module of its own, which hands out the app or stack that it makes. */
  function moduleOf({ code, isJest }: MarkdownExample): string {
    const scope = isJest ? undefined : ['app', 'stack'].find((name) => new RegExp(`^const ${name} = `, 'm').test(code));
    return `${code}export ${scope === undefined ? '{}' : `{ ${scope} as exampleScope }`};\n`;
  }

  function transform(): void {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.ts'))) {
      const { code } = transformSync(readFileSync(join(folder, name), 'utf8'), { loader: 'ts', format: 'cjs' });
      writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), code);
    }
  }

  function compile(): string {
    const compilerOptions = {
      strict: true,
      module: 'node16',
      moduleResolution: 'node16',
      target: 'ES2022',
      types: ['node', 'jest'],
      skipLibCheck: true,
      noEmitOnError: false,
      rootDir: '.',
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    return spawnSync(process.execPath, [COMPILER, '-p', '.'], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout;
  }

  function runPlainExamples(): typeof outcomes {
    const files = plain.map(({ id, claims }) => `${claims.strict ? 'strict:' : ''}${id}.js`);
    const { status, stderr } = spawnSync(process.execPath, ['run-examples.js', 'outcomes.json', ...files], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`the examples could not be run:\n${stderr.slice(-4000)}`);
    return JSON.parse(readFileSync(join(folder, 'outcomes.json'), 'utf8')) as typeof outcomes;
  }

  /** In one suite, which loads the CDK once. */
  function runTestExamples(): typeof jestReport {
    writeFileSync(
      join(folder, 'all.test.js'),
      tests.map(({ id }) => `describe('${id}', () => void require('./${id}.js'));\n`).join(''),
    );
    const config = JSON.stringify({
      rootDir: folder,
      testEnvironment: 'node',
      testMatch: ['**/*.test.js'],
      transform: {},
    });
    spawnSync(
      process.execPath,
      [
        join(projectRoot, 'node_modules/jest/bin/jest.js'),
        '--config',
        config,
        '--ci=false',
        '--runInBand',
        '--json',
        '--outputFile=jest.json',
      ],
      {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      },
    );
    return JSON.parse(readFileSync(join(folder, 'jest.json'), 'utf8')) as typeof jestReport;
  }

  it('is there', () => {
    expect(plain.length).toBeGreaterThan(15);
    expect(tests.length).toBeGreaterThan(2);
  });

  itWithAll('compiles for a strict user', () => {
    expect(compilerOutput).toBe('');
  });

  it.each(plain.map((example) => [example.place, example] as const))(
    'does what the page says: %s',
    (_, { id, code, claims }) => {
      const outcome = outcomes[`${id}.js`];
      if (claims.throws !== undefined) {
        expect(outcome?.thrown).toContain(claims.throws);
        return;
      }
      expect(outcome).toMatchObject({ fails: claims.fails, warns: claims.warns, accepts: claims.accepts });
      expect(outcome?.thrown).toBeUndefined();
      expect(outcome?.strict).toEqual([]);
      expect(outcome?.unverifiable).toEqual(expect.arrayContaining([...claims.unverifiable]));
      const isReported = claims.fails.length + claims.warns.length + claims.accepts.length > 0;
      if (code.includes('addPlugins(') && isReported)
        expect(outcome).toMatchObject({ door: 'plugin', synthesisFailed: claims.fails.length > 0 });
      if (code.includes('EksGuardrails.of(') && claims.fails.length > 0)
        expect(outcome).toMatchObject({ door: 'plugin', synthesisFailed: true });
      if (code.includes('new EksGuardrailsAspect(')) expect(outcome?.door).toBe('aspect');
    },
  );

  it.each(tests.map((example) => [example.place, example] as const))('is a test that passes: %s', (_, { id }) => {
    const [suite] = jestReport.testResults;
    expect(suite?.message).toBe('');
    const results = suite?.assertionResults.filter(({ ancestorTitles }) => ancestorTitles[0] === id) ?? [];
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  });
});

describe('the commands in README and guides', () => {
  const TEMPLATE = 'Resources: { Topic: { Type: AWS::SNS::Topic } }\n';
  const LAUNCH_TEMPLATE =
    '{ "Type": "AWS::EC2::LaunchTemplate", "Properties": { "LaunchTemplateData": { "UserData": { "Fn::Base64": "#!/bin/bash\\ntrue\\n" } } } }';
  const folder = workspace({
    'cdk.out/Stack.template.json': `{ "Resources": { "WorkersLaunchTemplate": ${LAUNCH_TEMPLATE} } }`,
    'cdktf.out/manifest.json':
      '{ "version": "0.21.0", "stacks": { "platform": { "name": "platform", "constructPath": "platform", "workingDirectory": "stacks/platform", "synthesizedStackPath": "stacks/platform/cdk.tf.json", "annotations": [], "dependencies": [] } } }',
    'cdktf.out/stacks/platform/cdk.tf.json': '{ "//": { "metadata": { "stackName": "platform" } }, "resource": {} }',
    'user-data.txt': '#!/bin/bash\ntrue\n',
    'aws-node.json':
      '{ "kind": "DaemonSet", "metadata": { "name": "aws-node" }, "spec": { "template": { "spec": { "containers": [{ "name": "aws-node", "env": [] }], "initContainers": [] } } } }',
    'values.json': '{}',
    'platform/main.tf':
      'resource "aws_eks_cluster" "main" {\n  name = "main"\n  version = "1.33"\n  role_arn = "arn:aws:iam::111122223333:role/cluster"\n  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }\n}\n',
    'shop/main.tf': readFileSync(join(projectRoot, 'examples/live/drifting/main.tf'), 'utf8').replace(
      'OVERWRITE',
      'PRESERVE',
    ),
    ...Object.fromEntries(
      readdirSync(join(projectRoot, 'examples/live/healthy')).map((name) => [
        `dump/${name}`,
        readFileSync(join(projectRoot, 'examples/live/healthy', name), 'utf8'),
      ]),
    ),
    'infra/main.tf': 'resource "aws_sns_topic" "topic" {}\n',
    'infra/envs/prod/main.tf': 'resource "aws_sns_topic" "topic" {}\n',
    'envs/common.tfvars': '',
    'envs/prod.tfvars': '',
    'plan.json':
      '{ "format_version": "1.2", "terraform_version": "1.11.4", "planned_values": { "root_module": {} }, "configuration": { "root_module": {} } }',
    'preview.json': '{ "steps": [], "changeSummary": {} }',
    ...Object.fromEntries(
      ['template.yaml', 'cluster.yaml', 'network.template.json', 'cluster.template.json', 'nodes.template.json'].map(
        (name) => [name, name.endsWith('.json') ? '{ "Resources": {} }' : TEMPLATE],
      ),
    ),
    'clusters/shop.yaml':
      'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: shop, region: eu-west-1 }\n',
    'manifests/service.yaml':
      'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n',
    'template.yaml': `Resources: { NodeTemplate: ${LAUNCH_TEMPLATE} }\n`,
  });
  // What scans repositories is tested as a whole, with repositories.
  const lines = pages
    .filter((page) => !page.endsWith('many-repositories.md'))
    .flatMap((page) =>
      [...readFileSync(join(projectRoot, page), 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
        block
          .split('\n')
          .map((line) => line.replace(/\s*#.*$/, ''))
          .filter((line) => /^(?:npx )?eks-guardrails /.test(line))
          // A synopsis, not a command.
          .filter((line) => !/\b(?:PATH|RULE|REPORT|TEXT|FILE|FROM|SHELL|COMMAND)\b/.test(line))
          // What asks, goes on, or reads what another program writes, is tested elsewhere.
          .filter((line) => !/ init$| init --adopt| serve | --watch\b| --suppress| < /.test(line))
          .map((line) => line.replace(/ [|>] .*/, ''))
          .map((line) => [page, line] as const),
      ),
    );

  it('are there', () => {
    expect(lines.length).toBeGreaterThan(3);
  });

  it.each(lines)('%s: %s', (_, line) => {
    const { exitCode, stderr } = runCommand(line.replace(/^(?:npx )?eks-guardrails /, '').split(/\s+/), {
      cwd: folder,
    });
    // Standard output is for the patch then, so the report makes way.
    const report = line.includes('--fix-dry-run') ? (expect.stringMatching(/^No findings in /) as string) : '';
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: report });
  });
});

describe('the links in README, guides and CONTRIBUTING', () => {
  const links = [...pages, 'CONTRIBUTING.md'].flatMap((page) =>
    [...readFileSync(join(projectRoot, page), 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
      ([, target = '']) => [page, target] as const,
    ),
  );

  it.each([...new Map(links.map((link) => [link.join(' '), link])).values()])('%s: %s', (page, target) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(projectRoot, page) : join(projectRoot, dirname(page), path);
    expect(existsSync(file)).toBe(true);
    if (anchor !== undefined) expect(headingsOf(file)).toContain(anchor);
  });

  /** Anchors as GitHub makes them. */
  function headingsOf(file: string): string[] {
    return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  }
});
