import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonMergedReport } from '../../lib/reports/merged/json';
import { runCommand } from './built-command';
import { nodeGroupTemplate, workspace } from './workspace';

const wrong = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
/** With a warning, and what can't be told of a role that is elsewhere. */
const right = nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required'])
  .replace('      AmiType', '      ForceUpdateEnabled: true\n      AmiType')
  .replace('!GetAtt NodeRole.Arn', 'arn:aws:iam::111122223333:role/nodes');

const folder = realpathSync(
  workspace({
    'clones/one/infra/nodes.yaml': wrong,
    'clones/two/nodes.yaml': right,
    'clones/three/nodes.yaml': wrong,
    'plain/nodes.yaml': wrong,
    // Pulumi has left out what stays as it is, of which a check warns.
    'partial/preview.json': '{"steps": [], "changeSummary": {"same": 3}}',
    'odd/package.json': '{"name": "x", "version": "1.0.0"}',
    'odd/broken.json': '{"version": "0.1.0", ',
    'foreign/a.json': '{}',
    'foreign/b.json': '{}',
    'none/readme.md': '',
  }),
);

function git(cwd: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd: join(folder, cwd), encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function check(cwd: string, path: string, output: string): number | null {
  return runCommand(['check', path, '--no-config', '--output', output], { cwd: join(folder, cwd) }).exitCode;
}

function merge(...args: readonly string[]) {
  return runCommand(['merge', ...args], { cwd: folder });
}

function mergedJson(...args: readonly string[]): JsonMergedReport {
  return JSON.parse(merge(...args, '--format', 'json').stdout) as JsonMergedReport;
}

const names = ({ parts }: JsonMergedReport) => parts.map(({ name }) => name);

describe('eks-guardrails merge', () => {
  beforeAll(() => {
    for (const clone of ['one', 'two', 'three']) git(`clones/${clone}`, 'init', '--quiet');
    git('clones/one', 'config', 'remote.origin.url', 'https://token@git.example.com/acme/platform/one.git');
    git('clones/two', 'config', 'remote.origin.url', 'git@github.com:acme/two.git');
    expect(check('clones/one', 'infra', 'eks-guardrails.json')).toBe(1);
    expect(check('clones/two', '.', 'eks-guardrails.json')).toBe(0);
    expect(check('clones/three', '.', 'eks-guardrails.sarif')).toBe(1);
    mkdirSync(join(folder, 'reports/eu'), { recursive: true });
    mkdirSync(join(folder, 'reports/us'), { recursive: true });
    expect(check('plain', '.', '../reports/eu/report.json')).toBe(1);
    expect(check('plain', '.', '../reports/us/report.json')).toBe(1);
  });

  it('calls parts by the repositories of git in which their reports lie, without whoever cloned them', () => {
    const { stdout, stderr, exitCode } = merge('clones/*/eks-guardrails.*');

    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    expect(stdout.split('\n').slice(1, 5)).toEqual([
      expect.stringMatching(/^acme\/platform\/one +1 /),
      expect.stringMatching(/^acme\/two +0 /),
      // It has no remote.
      expect.stringMatching(/^three +1 /),
      expect.stringMatching(/^all +2 /),
    ]);
    expect(stdout).toMatch(/^2 errors, 1 warning, \d+ unverifiable in 3 parts, 3 reports$/m);
  });

  it.each([
    ['https://git.example.com/acme/app.git', 'acme/app'],
    ['SSH://git@git.example.com:22/acme/platform/app.git', 'acme/platform/app'],
    ['git.example.com:acme/app', 'acme/app'],
    // A path of a machine, of which the end says enough.
    ['/srv/git/acme/teams.git/app.git', 'teams.git/app'],
    ['file:///srv/git/acme/app', 'acme/app'],
    ['../app.git', 'app'],
    ['/', 'three'],
  ])('calls what was cloned from %s %s', (address, name) => {
    git('clones/three', 'config', 'remote.origin.url', address);
    expect(names(mergedJson('clones/three/eks-guardrails.sarif'))).toEqual([name]);
  });

  it('calls other parts by what tells their paths apart, or as it is told', () => {
    expect(names(mergedJson('reports'))).toEqual(['eu', 'us']);
    expect(names(mergedJson('reports/*/report.json'))).toEqual(['eu', 'us']);
    expect(names(mergedJson('reports/eu/report.json'))).toEqual(['report']);
    const matrix = mergedJson('plain=reports/eu/report.json', 'plain=reports/us/report.json');
    expect(matrix.parts).toMatchObject([
      {
        name: 'plain',
        summary: { error: 1 },
        reports: [{ file: 'reports/eu/report.json' }, { file: 'reports/us/report.json' }],
      },
    ]);
    expect(names(mergedJson('plain=reports'))).toEqual(['plain']);
  });

  it('fails like a check', () => {
    const clean = 'clones/two/eks-guardrails.json';
    expect(merge(clean).exitCode).toBe(0);
    expect(merge(clean, '--fail-on', 'warning').exitCode).toBe(1);
    expect(merge('reports', '--fail-on', 'never').exitCode).toBe(0);
    expect(check('plain', 'missing.yaml', '../unread.json')).toBe(2);
    expect(merge(clean, 'unread.json').exitCode).toBe(2);
    expect(check('partial', '.', '../warned.json')).toBe(0);
    expect(merge(clean, 'warned.json').exitCode).toBe(0);
  });

  it('lists what was asked for, and always what makes it fail', () => {
    const listed = (...args: readonly string[]) => {
      const { stdout } = merge('clones/two/eks-guardrails.json', ...args);
      return ['warning', 'unverifiable'].filter((one) => new RegExp(`^${one} `, 'm').test(stdout));
    };
    expect(listed()).toEqual(['warning']);
    expect(listed('--quiet')).toEqual([]);
    expect(listed('--quiet', '--fail-on', 'warning')).toEqual(['warning']);
    expect(listed('--quiet', '--fail-on', 'unverifiable')).toEqual(['warning', 'unverifiable']);
    expect(listed('--verbose')).toEqual(['warning', 'unverifiable']);
  });

  it.each([
    ['foreign', 'foreign: there is no report of eks-guardrails'],
    ['none', 'none: the folder holds no report'],
    ['=reports', '=reports: there is no such file or folder'],
    ['reports=', 'reports=: there is no such file or folder'],
  ])('says of %s that nothing can be merged', (path, says) => {
    const { stdout, stderr, exitCode } = merge(path);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: expect.stringContaining(says) as string });
    expect(stderr).toBe(path === 'foreign' ? 'note: 2 files in the folders are no reports, and were passed by\n' : '');
  });

  it('merges what can be read, and says what can not', () => {
    const { stdout, stderr, exitCode } = merge(
      'reports',
      'odd',
      'nowhere.json',
      'odd/package.json',
      '--format',
      'markdown',
    );

    expect(exitCode).toBe(2);
    expect(stdout).toContain('| eu | 1 |');
    expect(stderr).toMatch(/^error: odd\/broken\.json:1:\d+: /m);
    expect(stderr).toMatch(/^error: nowhere\.json: /m);
    expect(stderr).toMatch(/^note: 1 file in the folders is no report, and was passed by$/m);
    expect(merge('odd/package.json')).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining(
        'odd/package.json: this is no report of eks-guardrails in JSON or SARIF',
      ) as string,
    });
    expect(merge('clones/none-*/x.json').stdout).toContain('nothing matches clones/none-*/x.json');
  });

  it('never writes over a report that it reads, nor in a format that it lacks', () => {
    const report = join(folder, 'reports/eu/report.json');
    const before = readFileSync(report, 'utf8');

    expect(merge('reports', '--output', 'reports/eu/report.json').stderr).toMatch(
      /would overwrite .* a report to merge/,
    );
    expect(readFileSync(report, 'utf8')).toBe(before);
    expect(merge('reports', '--format', 'junit')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"junit"') as string,
    });
  });

  it('writes several files at once, and tells the sum on the screen', () => {
    const { stdout, stderr } = merge('reports', '--output', 'out/dashboard.html', '--output', 'out/all.sarif');

    expect(stdout).toBe('');
    expect(stderr).toMatch(/^2 errors in 2 parts, 2 reports\n$/);
    for (const name of ['dashboard.html', 'all.sarif']) expect(existsSync(join(folder, 'out', name))).toBe(true);
  });

  it('warns of more runs than GitHub takes', () => {
    const reports = Array.from({ length: 21 }, (_, index) => `many/${index}.json`);
    mkdirSync(join(folder, 'many'), { recursive: true });
    for (const name of reports) writeFileSync(join(folder, name), readFileSync(join(folder, 'reports/eu/report.json')));

    expect(merge('many', '--output', 'many.sarif').stderr).toContain('takes files with 20 runs, and this one has 21');
    expect(merge('many/1?.json', '--output', 'ten.sarif').stderr).not.toContain('20 runs');
  });
});
