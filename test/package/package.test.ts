import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { packageVersion } from '../../lib/version';
import { builtCommand } from '../cli/built-command';
import { COMPILER } from '../compiler';
import { IS_SHARED, itWithAll } from '../share';
import { writePacked } from './packed';

const root = join(__dirname, '..', '..');
const node = process.execPath;

/** What a project of AWS CDK that uses the package has installed besides it. */
const installedBeside = ['aws-cdk-lib', 'constructs', 'cdk-nag', 'jest', '@jest', '@types', 'expect', 'typescript'];

/** The same for CDKTF and for CDK Terrain, which have one source here. */
const terraformCdks = [
  {
    entry: 'cdktf',
    library: 'cdktf',
    provider: '@cdktf/provider-aws',
    beside: ['cdktf', '@cdktf', 'constructs', '@types'],
  },
  {
    entry: 'cdktn',
    library: 'cdktn',
    provider: '@cdktn/provider-aws',
    beside: ['cdktn', '@cdktn', 'constructs', '@types'],
  },
] as const;

describe('the packed package', () => {
  let scratch: string;
  let tarball: string;
  let project: string;

  beforeAll(() => {
    builtCommand();
    scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-package-'));
    writePacked(join(scratch, 'packed'));
    tarball = join(scratch, 'packed', `eks-guardrails-${packageVersion()}.tgz`);
    project = join(scratch, 'project');
    install(project);
  }, 120_000);

  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Unpacks the tarball as npm would, next to the libraries that the user has. */
  function install(folder: string, beside: readonly string[] = installedBeside): void {
    const modules = join(folder, 'node_modules');
    const target = join(modules, 'eks-guardrails');
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
    const own = Object.keys(
      (JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
        .dependencies,
    );
    for (const name of [...own, ...beside]) symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true }));
  }

  function run(file: string, code: string): string {
    const path = join(project, file);
    writeFileSync(path, code);
    return execFileSync(node, [path], { cwd: project, encoding: 'utf8' });
  }

  itWithAll('is packed the same again, so that anybody can compare', () => {
    const again = join(scratch, 'again');
    mkdirSync(again);
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', again], { cwd: root, stdio: 'pipe' });
    const [second = ''] = readdirSync(again);

    expect(readFileSync(join(again, second)).equals(readFileSync(tarball))).toBe(true);
  });

  it('holds the compiled library, its data tables, the docs and nothing of the workshop', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n').filter(Boolean);
    expect(files).toEqual(
      expect.arrayContaining([
        'package/LICENSE',
        'package/README.md',
        'package/dist/lib/cli/main.js',
        'package/dist/lib/knowledge/data/instance-types.json',
        'package/dist/constructs/aws-cdk/index.d.ts',
        'package/dist/constructs/cdktf/index.d.ts',
        'package/dist/constructs/cdktn/index.d.ts',
        'package/dist/aspects/cdktn/guardrails.js',
        'package/docs/rules/imds-hop-limit.md',
      ]),
    );
    // Every file takes its time in every install.
    expect(files.length).toBeLessThan(1_200);
    expect(
      files.filter((file) => /^package\/(test|examples|scripts|lib|constructs|aspects|\.ci)\//.test(file)),
    ).toEqual([]);
  });

  it('works from CommonJS', () => {
    const output = run(
      'use.cjs',
      `
      const { allRules, maxPods } = require('eks-guardrails');
      const cdk = require('eks-guardrails/aws-cdk');
      const nag = require('eks-guardrails/cdk-nag');
      console.log(allRules.length > 0, typeof maxPods, typeof cdk.ManagedNodeGroup, typeof cdk.EksGuardrails, typeof nag.EksGuardrailsChecks);
      // Their pages are read only here.
      console.log(allRules.every(({ why, sources }) => why !== '' && sources.length > 0));
    `,
    );
    expect(output.trim()).toBe('true function function function function\ntrue');
  });

  it('works from ES modules with named imports', () => {
    const output = run(
      'use.mjs',
      `
      import { allRules, maxPods } from 'eks-guardrails';
      import { ManagedNodeGroup, NodeConfig, VpcCniAddon, VpcCniRole, EksGuardrails, EksGuardrailsAspect } from 'eks-guardrails/aws-cdk';
      import { EksGuardrailsChecks } from 'eks-guardrails/cdk-nag';
      console.log(allRules.length > 0, [maxPods, ManagedNodeGroup, NodeConfig, VpcCniAddon, VpcCniRole, EksGuardrails, EksGuardrailsAspect, EksGuardrailsChecks].every((one) => typeof one === 'function'));
    `,
    );
    expect(output.trim()).toBe('true true');
  });

  it('runs its command without any CDK package', () => {
    const alone = join(scratch, 'alone');
    install(alone, []);
    const template = join(alone, 'template.json');
    writeFileSync(template, JSON.stringify({ Resources: { Topic: { Type: 'AWS::SNS::Topic' } } }));
    const output = execFileSync(
      node,
      [
        join(alone, 'node_modules', 'eks-guardrails', 'dist', 'lib', 'cli', 'main.js'),
        'check',
        template,
        '--format',
        'json',
      ],
      { encoding: 'utf8' },
    );
    expect(JSON.parse(output)).toMatchObject({ findings: [], diagnostics: [] });
  });

  it('asks for the packages of a CDK only where that CDK is used', () => {
    const asked = (folder: string): string[] => {
      const files = readdirSync(join(project, 'node_modules/eks-guardrails/dist', folder), {
        recursive: true,
        withFileTypes: true,
      }).filter(({ name }) => /\.(js|d\.ts)$/.test(name));
      const code = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
      // What code of a fix imports stands within a text.
      const names = [
        ...code.matchAll(
          /(?:^(?:import|export)\b.* from |^} from |^import |import\(|require\()["']((?:@[\w-]+\/)?[\w-]+)/gm,
        ),
      ].map(([, name = '']) => name);
      return [...new Set(names)].filter((name) => /cdk|constructs/.test(name)).sort();
    };
    expect(asked('lib')).toEqual([]);
    expect(asked('constructs/engine-neutral')).toEqual(['constructs']);
    expect(asked('aspects/engine-neutral')).toEqual([]);
    expect(asked('constructs/cdktf')).toEqual(['@cdktf/provider-aws', 'cdktf', 'constructs']);
    expect(asked('aspects/cdktf')).toEqual(['cdktf', 'constructs']);
    expect(asked('constructs/cdktn')).toEqual(['@cdktn/provider-aws', 'cdktn', 'constructs']);
    expect(asked('aspects/cdktn')).toEqual(['cdktn', 'constructs']);
  });

  it('speaks of CDK Terrain and its command in the declarations for it, and of the folder that it writes', () => {
    const dist = join(project, 'node_modules/eks-guardrails/dist');
    const text = ['constructs/cdktn', 'aspects/cdktn']
      .flatMap((folder) => readdirSync(join(dist, folder)).map((name) => join(dist, folder, name)))
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    expect(text).toContain('`cdktn synth`');
    expect(text).toContain('CDK Terrain tokens');
    expect(text).toContain('check cdktf.out`');
    expect(text.match(/\bcdktf\b(?!\.out)|\bCDKTF\b(?!,? (?:or|and) CDK Terrain)/g)).toBeNull();
  });

  describe.each(terraformCdks)('with $library alone', ({ entry, library, provider, beside }) => {
    let user: string;
    const app = `
      const app = new App({ outdir: process.argv[2] });
      EksGuardrails.of(app);
      const stack = new TerraformStack(app, 'Platform');
      new AwsProvider(stack, 'Aws', { region: 'eu-central-1' });
      new EksAddon(stack, 'Cni', { clusterName: 'main', addonName: 'vpc-cni', addonVersion: 'v1.21.1-eksbuild.5', resolveConflictsOnUpdate: 'OVERWRITE' });
      try {
        app.synth();
      } catch (error) {
        console.log(error.name, /^\\[error\\] Platform\\/Cni: vpc-cni-resolve-conflicts: /m.test(error.message));
      }
      console.log(typeof VpcCniAddon, typeof EksGuardrailsAspect);
    `;

    beforeAll(() => {
      user = join(scratch, entry);
      install(user, beside);
    });

    function runApp(file: string, imports: string): string {
      writeFileSync(join(user, file), `${imports}\n${app}`);
      return execFileSync(node, [join(user, file), join(user, 'out')], {
        cwd: user,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    }

    it('works from CommonJS and ES modules, constructs and checks', () => {
      const expected = 'EksGuardrailsError true\nfunction function';
      const own = '{ EksGuardrails, EksGuardrailsAspect, VpcCniAddon }';
      const required = `const { App, TerraformStack } = require('${library}'); const { AwsProvider } = require('${provider}/lib/provider'); const { EksAddon } = require('${provider}/lib/eks-addon'); const ${own} = require('eks-guardrails/${entry}');`;
      expect(runApp('use.cjs', required)).toBe(expected);
      const imported = `import { App, TerraformStack } from '${library}'; import { AwsProvider } from '${provider}/lib/provider/index.js'; import { EksAddon } from '${provider}/lib/eks-addon/index.js'; import ${own} from 'eks-guardrails/${entry}';`;
      expect(runApp('use.mjs', imported)).toBe(expected);
    });

    itWithAll(
      'has types that a strict user of ES modules and of CommonJS can compile against',
      () => {
        const code = (index: string) => `
        import { EksAddon } from '${provider}/lib/eks-addon${index}';
        import { App, Aspects, TerraformStack } from '${library}';
        import { EksGuardrails, EksGuardrailsAspect, VpcCniAddon, type AcknowledgeOptions, type EksGuardrailsConfiguration } from 'eks-guardrails/${entry}';
        const app = new App();
        const configuration: EksGuardrailsConfiguration = { failOn: 'warning' };
        export const guardrails: EksGuardrails = EksGuardrails.of(app, configuration);
        const stack = new TerraformStack(app, 'Platform');
        Aspects.of(stack).add(new EksGuardrailsAspect({ preset: 'strict' }));
        const decision: AcknowledgeOptions = { rule: 'imds-hop-limit', reason: 'none', until: '2099-12-31' };
        EksGuardrails.acknowledge(new EksAddon(stack, 'Cni', { clusterName: 'main', addonName: 'vpc-cni' }), decision);
        export const addon: typeof VpcCniAddon = VpcCniAddon;
      `;
        expect(typeErrors(user, { 'use.mts': code('/index.js'), 'use.cts': code('') }, ['node'])).toEqual([]);
      },
      120_000,
    );
  });

  it('has types that a strict user of ES modules and of CommonJS can compile against', () => {
    const code = `
      import { App, Stack, Validations } from 'aws-cdk-lib';
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
    `;
    expect(typeErrors(project, { 'use.mts': code, 'use.cts': code }, ['jest', 'node'])).toEqual([]);
  }, 120_000);

  /** What a strict compiler says of modules of both kinds, and of the package's own declarations. */
  function typeErrors(
    folder: string,
    files: Readonly<Record<'use.mts' | 'use.cts', string>>,
    types: readonly string[],
  ): string[] {
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'node16',
          moduleResolution: 'node16',
          target: 'ES2022',
          types,
          // The declarations of the CDK, which are checked with ours, take most of the time.
          skipLibCheck: IS_SHARED,
        },
        files: Object.keys(files),
      }),
    );
    const { stdout, stderr } = spawnSync(node, [COMPILER, '-p', '.', '--listFiles'], { cwd: folder, encoding: 'utf8' });
    // After the errors it lists what it read: nothing is wrong with what isn't.
    const lines = `${stdout}${stderr}`.split('\n').filter(Boolean);
    const isListed = (line: string) => isAbsolute(line) && !line.includes(': error ');
    expect(lines.filter((line) => isListed(line) && line.includes('/eks-guardrails/dist/')).length).toBeGreaterThan(20);
    // Its declarations need those of a linter, which users don't have.
    expect(lines.filter((line) => line.includes('/toml-eslint-parser/'))).toEqual([]);
    return lines.filter((line) => !isListed(line));
  }

  it('passes publint', () => {
    execFileSync(node, [join(root, 'node_modules', 'publint', 'src', 'cli.js'), tarball, '--strict'], {
      cwd: root,
      stdio: 'pipe',
    });
  }, 120_000);

  itWithAll(
    'passes "are the types wrong"',
    () => {
      // Of all resolutions: `cdk init` wrote `module: commonjs` for years, and with that TypeScript looks at `typesVersions`, not at `exports`.
      const attw = join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
      execFileSync(node, [attw, tarball, '--profile', 'strict'], { cwd: root, stdio: 'pipe' });
    },
    120_000,
  );
});
