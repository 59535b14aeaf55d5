import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot, runCommand } from '../cli/built-command';
import { PipelineMachine } from '../cli/pipeline-tools';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import type { JsonMergedReport } from '../../lib/reports/merged/json';
import { itWithAll } from '../share';

const guide = readFileSync(join(projectRoot, 'docs/guides/many-repositories.md'), 'utf8');
const commandGuide = readFileSync(join(projectRoot, 'docs/guides/command.md'), 'utf8');

/** The blocks of a language, in their order. */
function blocks(language: string, text = guide): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
}

const [matrix = '', scanOne = '', scanAll = ''] = blocks('sh');

describe('the guide to many repositories', () => {
  const wrong = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
  const folder = realpathSync(
    workspace({
      'origins/acme/shop/infra/nodes.yaml': wrong,
      'origins/acme/docs/README.md': 'nothing to check\n',
      // What stands there must neither be taken for a report nor be written through.
      'origins/acme/sly/nodes.yaml': wrong,
      'origins/acme/sly/eks-guardrails.json': '{"version":"0","inputs":[],"findings":[],"diagnostics":[],"summary":{}}',
      'scan.sh': scanOne,
    }),
  );
  const origins = ['shop', 'docs', 'sly'].map((name) => join(folder, 'origins/acme', name));
  const machine = new PipelineMachine(folder);

  beforeAll(() => {
    for (const origin of origins)
      for (const args of [
        ['init', '-q'],
        ['add', '-A'],
        ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'all'],
      ])
        expect(spawnSync('git', args, { cwd: origin }).status).toBe(0);
  });

  function scan(addresses: readonly string[]): {
    exitCode: number | null;
    stdout: string;
    stderr: string;
    all: JsonMergedReport;
  } {
    writeFileSync(join(folder, 'repositories.txt'), addresses.map((address) => `${address}\n`).join(''));
    const result = machine.run(scanAll);
    return { ...result, all: JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8')) as JsonMergedReport };
  }

  itWithAll('scans all repositories of a list', () => {
    const { exitCode, stderr, all } = scan(origins.map((origin) => `file://${origin}`));

    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(all.parts.map(({ name, summary: { error }, diagnostics }) => [name, error, diagnostics.length])).toEqual([
      ['acme/docs', 0, 1],
      ['acme/shop', 1, 0],
      ['acme/sly', 1, 0],
    ]);
    expect(readFileSync(join(folder, 'dashboard.html'), 'utf8')).toContain('acme/shop');
  });

  it('says that a repository is missing', () => {
    const { stderr, all } = scan([`file://${origins[0] ?? ''}`, `file://${folder}/origins/acme/gone`]);

    expect(stderr).toContain('not everything was cloned and checked');
    expect(all.parts.map(({ name }) => name)).toEqual(['acme/shop']);
  });

  it('shows what the command prints', () => {
    const [example = ''] = blocks('text');
    const [template = ''] = blocks('yaml', commandGuide);
    for (const [part, hopLimit] of [
      ['payments', 1],
      ['shop', 2],
    ] as const) {
      mkdirSync(join(folder, part));
      writeFileSync(join(folder, part, 'nodes.yaml'), template.replace('HopLimit: 1', `HopLimit: ${hopLimit}`));
      runCommand(['check', 'nodes.yaml', '--output', `../reports/${part}.json`], { cwd: join(folder, part) });
    }
    const { stdout } = runCommand(['merge', 'reports'], { cwd: folder });
    expect(`$ eks-guardrails merge reports\n${stdout}`).toBe(example);
  });

  it('names the jobs of a matrix alike', () => {
    for (const region of ['eu', 'us'])
      runCommand(['check', 'origins/acme/shop', '--output', `shop-${region}.json`], { cwd: folder });
    const { exitCode, stderr } = machine.run(matrix);

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^1 error in 1 part, 2 reports$/m);
  });

  it('has a workflow whose steps run, and every option', () => {
    const [workflow = ''] = blocks('yaml');
    const { jobs } = parse(workflow) as { jobs: Record<string, { steps: { run?: string }[] }> };
    const [check = '', merge = ''] = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    mkdirSync(join(folder, 'matrix'));
    writeFileSync(join(folder, 'matrix/network'), wrong);
    expect(machine.run(check, { cwd: 'matrix', env: { PART: 'network' } }).exitCode).toBe(0);
    const summary = join(folder, 'summary.md');
    expect(machine.run(merge, { cwd: 'matrix', env: { GITHUB_STEP_SUMMARY: summary } }).exitCode).toBe(1);
    expect(readFileSync(summary, 'utf8')).toContain('| network | 1 |');
    for (const [, option = ''] of runCommand(['merge', '--help']).stdout.matchAll(/^ {2}(--[a-z-]+)/gm))
      expect(guide).toContain(`\`${option}`);
  });
});
