import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonReport } from '../../lib/reports';
import { checkIn } from './in-process';
import { nodeGroupTemplate, workspace } from './workspace';

const BAD = ['HttpTokens: required', 'HttpPutResponseHopLimit: 1'];
const OTHER = ['HttpTokens: optional', 'HttpPutResponseHopLimit: 2'];
const GOOD = ['HttpTokens: required', 'HttpPutResponseHopLimit: 2'];

const root = workspace({});
let folders = 0;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(folders++));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('check with a baseline', () => {
  it('accepts what was there, fails for what is new, and tells what is fixed', async () => {
    const folder = folderWith({ 'nodes.yaml': nodeGroupTemplate(BAD) });
    expect((await checkIn(folder, ['nodes.yaml'])).exitCode).toBe(1);

    const written = await checkIn(folder, ['nodes.yaml'], { writeBaseline: 'ci/baseline.json' });
    expect(written).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/1 suppressed[^]*\n\d findings? written to ci\/baseline\.json\n$/) as string,
    });
    expect(readdirSync(join(folder, 'ci'))).toEqual(['baseline.json']);

    writeFileSync(join(folder, 'nodes.yaml'), `# moved\n\n${nodeGroupTemplate(BAD)}`);
    const again = await checkIn(folder, ['nodes.yaml'], { baseline: 'ci/baseline.json', verbose: true });
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain('kept  baseline\n');
    expect(again.stdout).not.toContain('Fixed');

    writeFileSync(join(folder, 'nodes.yaml'), nodeGroupTemplate(OTHER));
    const changed = await checkIn(folder, ['nodes.yaml'], { baseline: 'ci/baseline.json', failOn: 'warning' });
    expect(changed.exitCode).toBe(1);
    expect(changed.stdout).toContain('imds-v1');
    expect(changed.stdout).toMatch(
      /\nFixed: 1 entry of the baseline can go\. Run with --write-baseline ci\/baseline\.json to remove it\.\n$/,
    );

    writeFileSync(join(folder, 'nodes.yaml'), nodeGroupTemplate(GOOD));
    await checkIn(folder, ['nodes.yaml'], { baseline: 'ci/baseline.json', writeBaseline: 'ci/baseline.json' });
    expect(readFileSync(join(folder, 'ci/baseline.json'), 'utf8')).not.toContain('imds');
  });

  it('says of entries that they are fixed only where it has looked', async () => {
    const folder = folderWith({ 'a/nodes.yaml': nodeGroupTemplate(BAD), 'b/nodes.yaml': nodeGroupTemplate(GOOD) });
    await checkIn(folder, ['.'], { writeBaseline: 'baseline.json' });
    expect((await checkIn(folder, ['b'], { baseline: 'baseline.json' })).stdout).not.toContain('Fixed');
    expect((await checkIn(folder, ['./a'], { baseline: 'baseline.json' })).stdout).not.toContain('Fixed');
    expect(
      (await checkIn(folder, ['a'], { baseline: 'baseline.json', rule: ['imds-hop-limit=off'] })).stdout,
    ).not.toContain('Fixed');
    writeFileSync(join(folder, 'a/nodes.yaml'), nodeGroupTemplate(GOOD));
    expect((await checkIn(folder, ['a'], { baseline: 'baseline.json' })).stdout).toContain('Fixed: 1 entry');
    writeFileSync(join(folder, 'a/broken.yaml'), 'Resources:\n  A: {Type: "AWS::EKS::Cluster"');
    const unread = await checkIn(folder, ['a'], { baseline: 'baseline.json' });
    expect([unread.exitCode, unread.stdout.includes('Fixed')]).toEqual([2, false]);
  });

  describe('in a repository with two root modules', () => {
    const main =
      'resource "aws_eks_node_group" "a" {\n  cluster_name = "main"\n  node_role_arn = "arn:aws:iam::111122223333:role/n"\n  subnet_ids = ["s"]\n  force_update_version = true\n}\n';
    const folder = folderWith({ '.git/HEAD': '', 'tf/dev/main.tf': main, 'tf/prod/main.tf': main });
    const openIn = async (cwd: string, path: string, baseline: string) => {
      const { stdout } = await checkIn(join(folder, cwd), [path], {
        baseline,
        outputs: [{ kind: 'format', value: 'json' }],
      });
      const { findings, gone } = JSON.parse(stdout) as JsonReport;
      return [
        findings.filter(({ rule, suppressed }) => rule === 'node-group-force-update' && suppressed === undefined)
          .length,
        gone.length,
      ];
    };

    it('knows findings again however and wherever from the place is named', async () => {
      await checkIn(folder, ['tf/dev'], { writeBaseline: 'known.json' });
      const file = join(folder, 'known.json');
      for (const path of ['tf/dev', './tf/dev/', 'tf//dev', 'tf/dev/main.tf', 'tf/d*/*.tf', join(folder, 'tf/dev')])
        expect([path, await openIn('.', path, file)]).toEqual([path, [0, 0]]);
      for (const [cwd, path] of [
        ['tf/dev', '.'],
        ['tf/dev', 'main.tf'],
        ['tf/prod', '../dev'],
      ] as const)
        expect([cwd, await openIn(cwd, path, file)]).toEqual([cwd, [0, 0]]);
    });

    it('accepts nothing of one in the other', async () => {
      await checkIn(join(folder, 'tf/dev'), ['.'], { writeBaseline: '../../dev.json' });
      expect(await openIn('.', 'tf/prod', join(folder, 'dev.json'))).toEqual([1, 0]);
      expect(await openIn('tf/prod', '.', join(folder, 'dev.json'))).toEqual([1, 0]);
    });

    it('tells which entries are gone', async () => {
      await checkIn(folder, ['tf'], { writeBaseline: 'all.json' });
      writeFileSync(join(folder, 'tf/prod/main.tf'), main.replace('true', 'false'));
      const { stdout } = await checkIn(folder, ['tf'], {
        baseline: 'all.json',
        outputs: [{ kind: 'format', value: 'json' }],
      });
      expect((JSON.parse(stdout) as JsonReport).gone).toMatchObject([
        { file: 'tf/prod', resource: 'aws_eks_node_group.a', rule: 'node-group-force-update' },
      ]);
    });
  });

  it('keeps the report for programs apart from what it tells', async () => {
    const folder = folderWith({ 'nodes.yaml': nodeGroupTemplate(BAD) });
    const { stdout, stderr } = await checkIn(folder, ['nodes.yaml'], {
      writeBaseline: 'baseline.json',
      outputs: [{ kind: 'format', value: 'json' }],
    });
    expect(stderr).toMatch(/written to baseline\.json/);
    const report = JSON.parse(stdout) as { findings: { rule: string; suppressed?: object }[] };
    expect(report.findings.find(({ rule }) => rule === 'imds-hop-limit')?.suppressed).toEqual({ reason: 'baseline' });
  });

  it('does not hold what a comment accepts', async () => {
    const folder = folderWith({
      'nodes.yaml': nodeGroupTemplate([
        ...BAD.slice(0, 1),
        `${BAD[1] ?? ''} # eks-guardrails:ignore imds-hop-limit -- meant`,
      ]),
    });
    await checkIn(folder, ['nodes.yaml'], { writeBaseline: 'baseline.json' });
    expect(readFileSync(join(folder, 'baseline.json'), 'utf8')).not.toContain('imds-hop-limit');
  });

  it.each([
    [
      undefined,
      /^error: can't read the baseline baseline\.json: there is no such file or folder; write it with --write-baseline baseline\.json\n$/,
    ],
    ['{\n  "version": 1,\n  "entries": [3]\n}', /^error: baseline\.json:3:15: an entry is an object\n$/],
    ['{"version": 1,', /^error: baseline\.json:1:15: the text ends/],
  ])('that is %j stops with its place', async (text, message) => {
    const folder = folderWith({
      'nodes.yaml': nodeGroupTemplate(GOOD),
      ...(text === undefined ? {} : { 'baseline.json': text }),
    });
    const { exitCode, stderr, stdout } = await checkIn(folder, ['nodes.yaml'], { baseline: 'baseline.json' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('writes none when something was not read, and leaves the old one', async () => {
    const old = '{ "version": 1, "entries": [] }';
    const folder = folderWith({
      'nodes.yaml': nodeGroupTemplate(BAD),
      'broken.yaml': 'Resources: {',
      'baseline.json': old,
    });
    const { exitCode, stderr } = await checkIn(folder, ['nodes.yaml', 'broken.yaml'], {
      writeBaseline: 'baseline.json',
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: "error: the baseline baseline.json isn't written, because not everything was read\n",
    });
    expect(readFileSync(join(folder, 'baseline.json'), 'utf8')).toBe(old);
  });

  it("that can't be written says why", async () => {
    const folder = folderWith({ 'nodes.yaml': nodeGroupTemplate(BAD) });
    mkdirSync(join(folder, 'folder'));
    const { exitCode, stderr } = await checkIn(folder, ['nodes.yaml'], { writeBaseline: 'folder' });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "error: can't write folder: it is a folder\n" });
    expect(existsSync(join(folder, 'folder'))).toBe(true);
  });
});
