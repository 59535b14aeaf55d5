import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonReport } from '../../lib/report';
import { runCommand } from './built-command';
import { nodeGroupTemplate, workspace } from './workspace';

jest.setTimeout(240_000);

const bad = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);

const FILES = {
  'one.yaml': bad,
  'two.yaml': bad,
  'eks-guardrails.config.json': '{"customRules": ["./rules.cjs"]}',
  'rules.cjs': "module.exports = { id: 'acme-none', title: 'None', severity: 'info', messages: { none: { text: 'None.', fix: 'None.' } }, *check() {} };\n",
  'accepted.json': '{"version": 1, "entries": []}',
};

function gitIn(folder: string): (...args: string[]) => void {
  return (...args) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
}

function repository(files: Readonly<Record<string, string>>): { folder: string; git: (...args: string[]) => void } {
  const folder = workspace(files);
  const git = gitIn(folder);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  return { folder, git };
}

describe('--changed-since', () => {
  const { folder, git } = repository(FILES);
  const unread = repository({ 'broken.yaml': 'Resources:\n  LT: [\n', 'good.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required']) });
  const origin = repository({ 'one.yaml': bad, 'two.yaml': bad });
  const shallow = workspace({});
  const since = (revision: string, ...args: string[]) => {
    const { stdout, stderr, exitCode } = runCommand(['check', '.', '--changed-since', revision, '--format', 'json', ...args], { cwd: folder });
    const errors = stdout === '' ? [] : (JSON.parse(stdout) as JsonReport).findings.filter(({ severity }) => severity === 'error').map(({ location }) => location.file);
    return { errors, stderr, exitCode };
  };
  afterEach(() => {
    git('checkout', '-q', '.');
  });

  it.each([
    ['the configuration file', 'eks-guardrails.config.json', '\n'],
    ['a module of rules', 'rules.cjs', '// changed\n'],
    ['the baseline', 'accepted.json', '\n'],
  ])('reports everything when %s has changed', (_, file, text) => {
    appendFileSync(join(folder, file), text);
    expect(since('HEAD', '--baseline', 'accepted.json')).toEqual({ errors: ['one.yaml', 'two.yaml'], stderr: `${file} has changed since HEAD, so all findings are reported.\n`, exitCode: 1 });
  });

  it('reports what has changed alone when the configuration has not', () => {
    appendFileSync(join(folder, 'two.yaml'), '# changed\n');
    expect(since('HEAD')).toEqual({ errors: ['two.yaml'], stderr: '', exitCode: 1 });
  });

  it.each([
    ['^HEAD', 'takes one revision of git; not "^HEAD"'],
    ['HED', 'git knows no revision "HED"; did you mean "HEAD"?'],
    ['mian', 'git knows no revision "mian"; did you mean "main"?'],
    ['quite-another', 'git knows no revision "quite-another"\n'],
  ])('refuses %s', (revision, message) => {
    expect(since(revision)).toEqual({ errors: [], stderr: expect.stringContaining(message) as unknown, exitCode: 2 });
  });

  it('leaves no input out of sight that could not be read', () => {
    writeFileSync(join(unread.folder, 'good.yaml'), `${FILES['one.yaml'].replace('Limit: 1', 'Limit: 2')}# changed\n`);
    const { stdout, exitCode } = runCommand(['check', '.', '--changed-since', 'HEAD', '--quiet'], { cwd: unread.folder });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: expect.stringContaining('broken.yaml:') as unknown });
  });

  it('refuses a clone that does not hold where the branches parted', () => {
    origin.git('checkout', '-qb', 'ours');
    appendFileSync(join(origin.folder, 'one.yaml'), '# ours\n');
    origin.git('commit', '-qam', 'ours');
    origin.git('checkout', '-q', 'main');
    appendFileSync(join(origin.folder, 'two.yaml'), '# theirs\n');
    origin.git('commit', '-qam', 'theirs');
    const clone = gitIn(shallow);
    clone('clone', '-q', '--depth', '1', '--branch', 'ours', `file://${origin.folder}`, 'clone');
    gitIn(join(shallow, 'clone'))('fetch', '-q', '--depth', '1', 'origin', 'main');
    const { stderr, stdout, exitCode } = runCommand(['check', '.', '--changed-since', 'FETCH_HEAD'], { cwd: join(shallow, 'clone') });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining('git can\'t tell where HEAD and "FETCH_HEAD" parted; this clone is shallow') as unknown });
  });
});
