import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../cli/built-command';
import { skippedNote } from '../needs';
import { JsiiClient, type Module, type ObjectReference } from './jsii-client';

const asked = process.env['EKS_GUARDRAILS_TEST_JSII'] === '1';
const lack = asked ? undefined : 'EKS_GUARDRAILS_TEST_JSII=1 is not set';

const folder = join(projectRoot, 'packages/jsii');
const NAME = 'eks-guardrails-validator';

/** What an app needs, in the order in which jsii loads it. */
const NEEDED = [
  'constructs',
  '@aws-cdk/asset-awscli-v1',
  '@aws-cdk/asset-node-proxy-agent-v6',
  '@aws-cdk/cloud-assembly-schema',
  'aws-cdk-lib',
];

// The compiler of jsii is no dependency of the repository, and a whole CDK is packed and unpacked here.
(asked ? describe : describe.skip)(`the module for CDK apps in other languages${skippedNote(lack)}`, () => {
  let scratch: string;
  let modules: readonly Module[];

  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-jsii-'));
    execFileSync(process.execPath, [join(projectRoot, 'scripts/jsii.mjs'), '--sources'], { stdio: 'pipe' });
    modules = [...NEEDED.map((name) => join(projectRoot, 'node_modules', name)), folder].map(packed);
  }, 600_000);

  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  function packed(source: string): Module {
    const { name, version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Module;
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch, source], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 1 << 28,
      }),
    ) as [{ readonly filename: string }];
    return { name, version, tarball: join(scratch, filename.replace('@', '').replace('/', '-')) };
  }

  async function inProcess<T>(use: (client: JsiiClient) => Promise<T>): Promise<T> {
    const client = new JsiiClient(join(folder, 'node_modules/@jsii/runtime/webpack/bin/jsii-runtime.js'), {
      cwd: scratch,
      // Of a test, it says that lines are of no interest.
      env: { ...process.env, CDK_CONTEXT_JSON: undefined },
    });
    try {
      await client.start();
      for (const module of modules) await client.load(module);
      return await use(client);
    } finally {
      await client.stop();
    }
  }

  function struct(fqn: string, data: object): object {
    return { '$jsii.struct': { fqn, data } };
  }

  /** An app whose nodes rely on the default hop limit, synthesized as a language other than TypeScript does it. */
  async function synthesized(settings: object): Promise<string> {
    return inProcess(async (client) => {
      const outdir = mkdtempSync(join(scratch, 'out-'));
      const app = await client.create('aws-cdk-lib.App', [struct('aws-cdk-lib.AppProps', { outdir })]);
      const plugin = await client.create(`${NAME}.EksGuardrailsValidator`, [
        struct(`${NAME}.EksGuardrailsValidatorProps`, settings),
      ]);
      expect(await client.get(plugin, 'name')).toBe('EksGuardrails');
      const validations = await client.invokeStatic('aws-cdk-lib.Validations', 'of', [app]);
      await client.invoke(validations, 'addPlugins', [plugin]);
      const stack: ObjectReference = await client.create('aws-cdk-lib.Stack', [app, 'Platform']);
      const nodes = struct('aws-cdk-lib.aws_eks.CfnNodegroupProps', {
        clusterName: 'prod',
        nodeRole: 'arn:aws:iam::111122223333:role/nodes',
        subnets: ['subnet-0123456789abcdef0'],
        amiType: 'AL2023_x86_64_STANDARD',
      });
      await client.create(
        'aws-cdk-lib.aws_eks.CfnNodegroup',
        [stack, 'Workers', nodes],
        [
          // The library of the language is the first of its frames.
          ['/lib/aws_cdk/__init__.py', 1, 0, '__init__'],
          ['/app/app.py', 12, 0, 'platform'],
        ],
      );
      await client.invoke(app, 'synth').catch((error: unknown) => {
        if (!String(error).includes('ValidationFailed')) throw error;
      });
      return readFileSync(join(outdir, 'validation-report.json'), 'utf8');
    });
  }

  it('fails the synthesis of an app that runs in the process of jsii, with the line of its own language', async () => {
    const report = await synthesized({});
    expect(report).toContain('"ruleName": "imds-hop-limit"');
    expect(report).toContain('"conclusion": "failure"');
    expect(report).toContain('app.py:12');
  }, 240_000);

  it('takes its settings over the process boundary', async () => {
    const level = { '$jsii.enum': `${NAME}.RuleLevel/OFF` };
    const rules = { '$jsii.map': { 'imds-hop-limit': struct(`${NAME}.RuleSetting`, { level }) } };
    const report = await synthesized({ rules, failOn: { '$jsii.enum': `${NAME}.FailOn/WARNING` } });
    expect(report).not.toContain('"ruleName": "imds-hop-limit"');
  }, 240_000);

  it('tells the app of a rule that does not exist', async () => {
    const rules = { '$jsii.map': { 'imds-hop-limits': struct(`${NAME}.RuleSetting`, {}) } };
    await expect(synthesized({ rules })).rejects.toThrow('did you mean "imds-hop-limit"?');
  }, 240_000);

  it('has constructs that such an app defines, with structs, enums and clusters of either module', async () => {
    const template = await inProcess(async (client) => {
      const outdir = mkdtempSync(join(scratch, 'out-'));
      const app = await client.create('aws-cdk-lib.App', [struct('aws-cdk-lib.AppProps', { outdir })]);
      const stack = await client.create('aws-cdk-lib.Stack', [app, 'Platform']);
      const cluster = await client.create('aws-cdk-lib.aws_eks_v2.Cluster', [
        stack,
        'Cluster',
        struct('aws-cdk-lib.aws_eks_v2.ClusterProps', {
          version: await client.invokeStatic('aws-cdk-lib.aws_eks_v2.KubernetesVersion', 'of', ['1.35']),
          defaultCapacity: 0,
          defaultCapacityType: { '$jsii.enum': 'aws-cdk-lib.aws_eks_v2.DefaultCapacityType/NODEGROUP' },
        }),
      ]);
      const addon = await client.create(`${NAME}.VpcCniAddon`, [
        stack,
        'VpcCni',
        struct(`${NAME}.VpcCniAddonProps`, {
          cluster,
          prefixDelegation: struct(`${NAME}.PrefixDelegationOptions`, { warmPrefixTarget: 2 }),
        }),
      ]);
      expect(await client.get(addon, 'configuration')).toMatchObject({
        '$jsii.map': { env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '2' } },
      });
      const group = await client.create(`${NAME}.ManagedNodeGroup`, [
        stack,
        'Workers',
        struct(`${NAME}.ManagedNodeGroupProps`, {
          cluster,
          amiFamily: { '$jsii.enum': `${NAME}.AmiFamily/BOTTLEROCKET` },
          bottlerocketSettings: { '$jsii.map': { kernel: { '$jsii.map': { sysctl: { '$jsii.map': { a: '1' } } } } } },
        }),
      ]);
      expect(await client.get(group, 'amiType')).toBe('BOTTLEROCKET_x86_64');
      await expect(
        client.create(`${NAME}.ManagedNodeGroup`, [
          stack,
          'Other',
          struct(`${NAME}.ManagedNodeGroupProps`, {
            cluster,
            imds: { '$jsii.enum': `${NAME}.ImdsAccess/NODE_ONLY` },
          }),
        ]),
      ).rejects.toThrow('imdsReason');
      await client.invoke(app, 'synth').catch((error: unknown) => {
        throw new Error(String(error));
      });
      return readFileSync(join(outdir, 'Platform.template.json'), 'utf8');
    });
    expect(template).toContain('"HttpPutResponseHopLimit": 2');
    expect(template).toContain('"ResolveConflicts": "PRESERVE"');
  }, 240_000);

  it.each([
    ['python', 'python', 'python/src/eks_guardrails_validator/__init__.py'],
    ['java', 'java', 'java/src/main/java/io/github/eksguardrails/validator'],
    ['csharp', 'dotnet', 'dotnet/EksGuardrails.Validator/EksGuardrails/Validator'],
    ['go', 'go', 'go/eksguardrailsvalidator'],
  ])('has what the guide says in %s', (language, page, path) => {
    const place = join(folder, 'dist', path);
    const files = place.endsWith('.py') ? [place] : readdirSync(place).map((name) => join(place, name));
    const generated = files
      .filter((file) => /\.(?:py|java|cs|go)$/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const guide = readFileSync(join(projectRoot, `docs/guides/${page}.md`), 'utf8');
    const blocks = [...guide.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].filter(([, name]) => name === language);
    const code = blocks.map(([, , text]) => text).join('');
    const names =
      code.match(
        /\b(?:New)?EksGuardrails(?:\.|\w)+|\b(?:New)?(?:ManagedNodeGroup|VpcCniAddon)(?:\.|\w)*|\bI?(?:AmiFamily|FailOn|RuleLevel|RuleSetting)(?:[._][A-Z]\w+)?\b/g,
      ) ?? [];
    expect(names.length).toBeGreaterThan(6);
    const words = names.flatMap((name) => (language === 'go' ? [name] : name.split('.')));
    expect([...new Set(words)].filter((word) => !new RegExp(`\\b${word}\\b`).test(generated))).toEqual([]);
  });
});
