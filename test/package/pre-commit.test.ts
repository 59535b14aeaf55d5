import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { hookFile } from '../../lib/cli/init/files';
import { pipelineFile } from '../../lib/cli/init/pipeline';
import { builtCommand, projectRoot } from '../cli/built-command';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { npmEnvironment, packageRegistry, type Registry } from './registry';
import { itWithAll } from '../share';

interface Hook {
  readonly id: string;
  readonly name: string;
  readonly entry: string;
  readonly args: readonly string[];
  readonly language: string;
  readonly additional_dependencies?: readonly string[];
  readonly always_run?: boolean;
  readonly pass_filenames?: boolean;
  readonly files?: string;
}

interface Action {
  readonly runs: { readonly steps: readonly { readonly run?: string }[] };
}

interface Workflow {
  readonly jobs: { readonly check: { readonly steps: readonly { readonly run?: string }[] } };
}

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
const setUp = { version, usesAction: false, uploadsSarif: false, baseline: undefined };
const [published] = parse(readFileSync(join(projectRoot, '.pre-commit-hooks.yaml'), 'utf8')) as Hook[];
const written = hookFile(
  {
    cdk: [],
    cdktf: [],
    terraform: [],
    templates: ['templates'],
    eksctl: [],
    manifests: [],
    charts: [],
    terragrunt: [],
    pulumi: [],
  },
  setUp,
);
const [local] = (parse(written?.content ?? '') as { repos: { hooks: Hook[] }[] }).repos[0]?.hooks ?? [];

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content, { mode: 0o755 });
  }
}

describe('the hooks for pre-commit', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-hook-'));
  const folder = workspace({
    'templates/bad.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']),
    'good/good.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required']),
  });
  let registry: Registry;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    builtCommand();
    registry = packageRegistry(scratch);
    env = npmEnvironment(scratch, await registry.start());
  });

  afterAll(async () => {
    await registry.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Runs a program without a shell, as pre-commit does. */
  async function run(
    command: readonly string[],
    more: NodeJS.ProcessEnv = {},
  ): Promise<{ exitCode: unknown; stdout: string; stderr: string }> {
    const [program = '', ...args] = command;
    return new Promise((resolve) => {
      execFile(program, args, { cwd: folder, env: { ...env, ...more } }, (error, stdout, stderr) => {
        resolve({ exitCode: error?.code ?? 0, stdout, stderr });
      });
    });
  }

  /** As pre-commit takes an entry apart. */
  function words(entry: string): string[] {
    return [...entry.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  }

  it.each([
    ['of the repository', published],
    ['that init writes', local],
  ])('%s: for every commit, for whole folders', (_, hook) => {
    expect(hook).toMatchObject({
      id: 'eks-guardrails',
      name: 'eks-guardrails',
      always_run: true,
      pass_filenames: false,
    });
    expect(hook?.files).toBeUndefined();
  });

  it('stand in the guide as they are', () => {
    const guide = readFileSync(join(projectRoot, 'docs/guides/pipelines.md'), 'utf8');
    const blocks = [...guide.matchAll(/```yaml\n(repos:[^`]*)```/g)].map(([, block = '']) => parse(block) as unknown);
    const inGuide = hookFile(
      {
        cdk: [],
        cdktf: [],
        terraform: ['infra'],
        templates: [],
        eksctl: [],
        manifests: [],
        charts: [],
        terragrunt: [],
        pulumi: [],
      },
      setUp,
    );
    expect(blocks[0]).toEqual(parse(inGuide?.content ?? ''));
    expect(blocks[1]).toMatchObject({ repos: [{ rev: `v${version}`, hooks: [{ id: published?.id }] }] });
    expect(new Set([...guide.matchAll(/eks-guardrails@v?(\d[\w.-]*)/g)].map(([, one]) => one))).toEqual(
      new Set([version]),
    );
  });

  itWithAll('that init writes: npm installs it into an environment of its own', async () => {
    expect(local?.language).toBe('node');
    const place = join(scratch, 'environment');
    // As pre-commit 4.6 does for hooks of Node.js, before the first run.
    const installed = await run(
      ['npm', 'install', '--install-links', '-g', ...(local?.additional_dependencies ?? [])],
      { npm_config_prefix: place },
    );
    expect(installed.exitCode).toBe(0);
    expect(existsSync(join(place, 'bin/eks-guardrails'))).toBe(true);
    const { exitCode, stdout, stderr } = await run([...(local?.entry.split(' ') ?? []), ...(local?.args ?? [])], {
      PATH: `${join(place, 'bin')}:${process.env['PATH'] ?? ''}`,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toContain('templates/bad.yaml');
  });

  it.each([
    ['the action', (parse(readFileSync(join(projectRoot, 'action.yml'), 'utf8')) as Action).runs.steps[0]?.run ?? ''],
    [
      'the workflow that init writes',
      (
        parse(
          pipelineFile(
            folder,
            {
              cdk: [],
              cdktf: [],
              terraform: [],
              templates: ['templates'],
              eksctl: [],
              manifests: [],
              charts: [],
              terragrunt: [],
              pulumi: [],
            },
            setUp,
          ).content,
        ) as Workflow
      ).jobs.check.steps.at(-1)?.run ?? '',
    ],
  ])('%s runs what the registry has, and not what the checkout has', async (_, script) => {
    const checkout = join(scratch, 'checkout');
    writeFiles(checkout, {
      'templates/bad.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']),
      'package.json': '{}',
      '.npmrc': 'registry=http://127.0.0.1:1/\n',
      'node_modules/eks-guardrails/package.json': JSON.stringify({
        name: 'eks-guardrails',
        version,
        bin: { 'eks-guardrails': 'ran.js' },
      }),
      'node_modules/eks-guardrails/ran.js': '#!/usr/bin/env node\n',
      'node_modules/.bin/eks-guardrails': '#!/usr/bin/env node\n',
    });
    const inputs = {
      INPUT_PATHS: 'templates',
      INPUT_VERSION: version,
      INPUT_SARIF_FILE: 'report.sarif',
      INPUT_UPLOAD_SARIF: 'false',
      INPUT_CONFIG_CODE: 'false',
      INPUT_ARGUMENTS: '',
      INPUT_FAIL_ON: '',
      INPUT_CHANGED_SINCE: '',
      INPUT_WORKING_DIRECTORY: '.',
    };
    const { exitCode, stdout } = await run(
      ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', `cd "${checkout}"\n${script}`],
      { ...inputs, GITHUB_OUTPUT: join(scratch, 'outputs'), RUNNER_TEMP: scratch, TMPDIR: scratch },
    );
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining('templates/bad.yaml') as string,
    });
  });

  itWithAll(
    'of the repository: npx runs the package of this version, from then on also without a network',
    async () => {
      expect(published?.language).toBe('system');
      const entry = words(published?.entry ?? '');
      expect(entry.join(' ')).toContain(` eks-guardrails@${version} `);
      const { exitCode, stdout, stderr } = await run([...entry, ...(published?.args ?? [])]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
      expect(stdout).toContain('templates/bad.yaml');
      expect(registry.asked).toContain(`/eks-guardrails/-/${version}.tgz`);
      // Options in `args` are those of the check.
      expect(await run([...entry, 'templates', '--fail-on=never', '--quiet'])).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
      // What the checkout holds decides neither what runs nor where it comes from.
      writeFiles(folder, {
        '.npmrc': 'registry=http://127.0.0.1:1/\n',
        'node_modules/eks-guardrails/package.json': JSON.stringify({
          name: 'eks-guardrails',
          version,
          bin: { 'eks-guardrails': 'ran.js' },
        }),
        'node_modules/eks-guardrails/ran.js': '#!/usr/bin/env node\n',
        'node_modules/.bin/eks-guardrails': '#!/usr/bin/env node\n',
      });
      expect(await run([...entry, 'templates'])).toMatchObject({
        exitCode: 1,
        stderr: '',
        stdout: expect.stringContaining('templates/bad.yaml') as string,
      });
      // Nor does its code run, unless somebody says so.
      writeFiles(folder, { 'eks-guardrails.config.cjs': 'module.exports = { failOn: "never" };\n' });
      expect(await run([...entry, 'templates'])).toMatchObject({
        exitCode: 2,
        stdout: expect.stringContaining('eks-guardrails.config.cjs:1:1') as string,
      });
      expect(await run([...entry, '--config-code', 'templates'])).toMatchObject({ exitCode: 0, stderr: '' });
      await registry.stop();
      expect(await run([...entry, '--config-code', 'good'])).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );
});
