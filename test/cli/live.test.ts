import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AS_OF } from '../as-of';
import { projectRoot, runCommand } from './built-command';
import { workspace } from './workspace';

const guideFile = join(projectRoot, 'docs/guides/live-clusters.md');
const TEXT = /```text\n(\$ eks-guardrails drift main\.tf --live dump\n[^]*?)```\n/;
const EXAMPLES = join(projectRoot, 'examples/live');

function filesIn(folder: string, prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(join(EXAMPLES, folder)).map((name) => [
      `${prefix}${name}`,
      readFileSync(join(EXAMPLES, folder, name), 'utf8'),
    ]),
  );
}

const code = readFileSync(join(EXAMPLES, 'drifting/main.tf'), 'utf8');
const folder = workspace({
  'main.tf': code,
  'preserving/main.tf': code.replace('"OVERWRITE"', '"PRESERVE"').replace('tier = "web"', 'tier = "batch"'),
  'other/main.tf':
    'resource "aws_eks_cluster" "bank" {\n  name = "bank"\n  role_arn = "x"\n  vpc_config { subnet_ids = [] }\n}\n',
  'broken/main.tf': 'resource "aws_eks_cluster" "shop" {\n',
  'empty/note.txt': '',
  ...filesIn('drifting/dump', 'dump/'),
  ...filesIn('healthy', 'healthy/'),
});
const run = (...args: string[]) => runCommand(args, { cwd: folder });

describe('eks-guardrails drift', () => {
  it('tells what the code resets, as the guide shows', () => {
    const { stdout, stderr, exitCode } = run('drift', 'main.tf', '--live', 'dump');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    const shown = `$ eks-guardrails drift main.tf --live dump\n${stdout}`;
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        guideFile,
        readFileSync(guideFile, 'utf8').replace(TEXT, () => `\`\`\`text\n${shown}\`\`\`\n`),
      );
    expect(TEXT.exec(readFileSync(guideFile, 'utf8'))?.[1]).toBe(shown);
  });

  it('exits with 0 where nothing is reset', () => {
    const { stdout, exitCode } = run('drift', 'preserving', '--live', 'dump');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Cluster shop: the code resets and breaks nothing that can be seen');
  });

  it('has the same in JSON and Markdown', () => {
    const { stdout, exitCode } = run('drift', 'main.tf', '--live', 'dump', '--format', 'json');
    const report = JSON.parse(stdout) as {
      clusters: {
        name: string;
        items: { status: string; setting: string | null; places: { live: { file: string } } }[];
      }[];
    };
    expect(exitCode).toBe(1);
    expect(report.clusters.map(({ name }) => name)).toEqual(['shop']);
    const resets = report.clusters[0]?.items.filter(({ status }) => status === 'reset') ?? [];
    expect(resets.map(({ setting, places }) => [setting, places.live.file])).toEqual([
      ['env.ENABLE_POD_ENI', 'dump/kubectl-daemonsets.apps.json'],
      ['init.env.DISABLE_TCP_EARLY_DEMUX', 'dump/kubectl-daemonsets.apps.json'],
    ]);
    const markdown = run('drift', 'main.tf', '--live', 'dump', '--format', 'markdown').stdout;
    expect(markdown).toContain('## Cluster shop: the code resets or breaks 2 things');
    expect(markdown).toContain('- [ ] **reset** `init.env.DISABLE_TCP_EARLY_DEMUX`');
    expect(markdown).toContain('- **changed**');
  });

  it('writes a file, whose name tells the format', () => {
    const { stdout, exitCode } = run('drift', 'main.tf', '--live', 'dump', '--output', 'drift.md');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(readFileSync(join(folder, 'drift.md'), 'utf8')).toMatch(/^## Cluster shop/);
  });

  it.each([
    [['main.tf'], 'error: --live is missing'],
    [['other', '--live', 'dump'], 'error: none of the clusters in the code (bank) is shop'],
    [['main.tf', '--live', 'main.tf'], 'error: the answers tell of no cluster'],
  ])('refuses %j', (args, message) => {
    const { stdout, stderr, exitCode } = run('drift', ...args);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });

  it.each([
    ['broken', 'dump', 'broken/main.tf:'],
    ['main.tf', 'nowhere', 'nowhere'],
    ['empty', 'dump', 'empty'],
  ])('ends with 2 where something cannot be read: %s, %s', (given, live, place) => {
    const { stdout, exitCode } = run('drift', given, '--live', live);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(new RegExp(`error: ${place}`));
  });

  it('says all of its options in the guide, and so does collect', () => {
    const guide = readFileSync(guideFile, 'utf8');
    for (const command of ['drift', 'collect'])
      for (const [, option = ''] of run(command, '--help').stdout.matchAll(/^ {2}(--[a-z-]+)/gm))
        expect([command, guide.includes(`\`${option}`)]).toEqual([command, true]);
  });

  it('has all keys of the JSON report in the guide', () => {
    const guide = readFileSync(guideFile, 'utf8');
    const { stdout } = run('drift', 'main.tf', '--live', 'dump', '--format', 'json');
    const { clusters } = JSON.parse(stdout) as { clusters: { items: object[] }[] };
    const keys = [JSON.parse(stdout) as object, clusters[0] ?? {}, clusters[0]?.items[0] ?? {}].flatMap((one) =>
      Object.keys(one),
    );
    for (const key of keys) expect([key, new RegExp(`\`${key}(?:\\[\\])?\``).test(guide)]).toEqual([key, true]);
  });
});

describe('eks-guardrails check of a live cluster', () => {
  it('is silent about one in order', () => {
    const { stdout, exitCode } = run('check', 'healthy', '--as-of', AS_OF);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('No findings in 1 input, 16 resources');
  });

  it('reads one answer from the standard input', () => {
    const { stdout, exitCode } = runCommand(['check', '-', '--as-of', AS_OF], {
      cwd: folder,
      input: readFileSync(join(EXAMPLES, 'healthy/cluster.json'), 'utf8'),
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("not known, because it isn't in .");
  });

  it('changes no answer with --fix', () => {
    const before = readFileSync(join(folder, 'dump/launch-template-lt-0f1e2d3c4b5a60001-3.json'), 'utf8');
    run('check', 'dump', '--fix', '--unsafe', '--as-of', AS_OF);
    expect(readFileSync(join(folder, 'dump/launch-template-lt-0f1e2d3c4b5a60001-3.json'), 'utf8')).toBe(before);
  });
});
