import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitChangesSince } from '../../../lib/cli/git/git-changes';
import type { JsonReport } from '../../../lib/reports';
import { runCommand } from '../built-command';
import { checkIn } from '../in-process';
import { nodeGroupTemplate, workspace } from '../workspace';
import { share } from '../../share';

const bad = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);

const FILES = {
  'one.yaml': bad,
  'two.yaml': bad,
  'eks-guardrails.config.json': '{"customRules": ["./rules.cjs"]}',
  'rules.cjs':
    "module.exports = { id: 'acme-none', title: 'None', severity: 'info', messages: { none: { text: 'None.', fix: 'None.' } }, *check() {} };\n",
  'accepted.json': '{"version": 1, "entries": []}',
};

function gitIn(folder: string): (...args: string[]) => void {
  return (...args) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
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
  const unread = repository({
    'broken.yaml': 'Resources:\n  LT: [\n',
    'good.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required']),
  });
  const origin = repository({ 'one.yaml': bad, 'two.yaml': bad });
  const shallow = workspace({});
  const since = (revision: string, ...args: string[]) => {
    const { stdout, stderr, exitCode } = runCommand(
      ['check', '.', '--changed-since', revision, '--format', 'json', ...args],
      { cwd: folder },
    );
    const errors =
      stdout === ''
        ? []
        : (JSON.parse(stdout) as JsonReport).findings
            .filter(({ severity }) => severity === 'error')
            .map(({ location }) => location.file);
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
    expect(since('HEAD', '--baseline', 'accepted.json')).toEqual({
      errors: ['one.yaml', 'two.yaml'],
      stderr: `${file} has changed since HEAD, so all findings are reported.\n`,
      exitCode: 1,
    });
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
    const { stdout, exitCode } = runCommand(['check', '.', '--changed-since', 'HEAD', '--quiet'], {
      cwd: unread.folder,
    });
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
    const { stderr, stdout, exitCode } = runCommand(['check', '.', '--changed-since', 'FETCH_HEAD'], {
      cwd: join(shallow, 'clone'),
    });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(
        'git can\'t tell where HEAD and "FETCH_HEAD" parted; this clone is shallow',
      ) as unknown,
    });
  });
});

describe('a git that gives no answer', () => {
  const folder = workspace({
    'silent/git': '#!/bin/sh\nexit 3\n',
    'loud/git': '#!/bin/sh\necho "fatal: no rights" >&2\necho more >&2\nexit 128\n',
  });
  const path = process.env['PATH'];
  const askWith = async (programs: string, place = folder) => {
    process.env['PATH'] = join(folder, programs);
    await gitChangesSince('HEAD', place);
  };
  beforeAll(() => {
    for (const name of ['silent/git', 'loud/git']) chmodSync(join(folder, name), 0o755);
  });
  afterEach(() => {
    process.env['PATH'] = path;
  });

  it.each([
    ['says why', 'loud', '--changed-since: no rights'],
    ['fails without a word', 'silent', '--changed-since: git rev-parse failed: Command failed: git '],
    ["isn't there", 'none', "--changed-since: git isn't installed, or not on the PATH"],
  ])('%s', async (_, programs, message) => {
    await expect(askWith(programs)).rejects.toThrow(message);
  });

  it('is asked about no folder', async () => {
    await expect(askWith('silent', join(folder, 'gone'))).rejects.toThrow(`there is no folder ${join(folder, 'gone')}`);
  });

  it.each(['', '--all'])('is asked about no revision that is none: "%s"', async (revision) => {
    await expect(gitChangesSince(revision, folder)).rejects.toThrow(
      `--changed-since takes a revision of git, for example origin/main; not "${revision}"`,
    );
  });
});

describe('a change that a finding has to do with', () => {
  const nodes = (limit: string, more = '') =>
    `resource "aws_launch_template" "w" {\n  metadata_options {\n    http_tokens                 = "required"\n    http_put_response_hop_limit = ${limit}\n  }\n}\nresource "aws_eks_node_group" "w" {\n  cluster_name  = "prod"\n  node_role_arn = "arn:aws:iam::111122223333:role/nodes"\n  subnet_ids    = ["subnet-1"]\n  ami_type      = "AL2023_x86_64_STANDARD"\n  launch_template {\n    id      = aws_launch_template.w.id\n    version = aws_launch_template.w.latest_version\n  }\n}\n${more}`;
  const child = nodeGroupTemplate(['HttpPutResponseHopLimit: !Ref H', 'HttpTokens: required'], {
    parameters: ['H: { Type: Number, Default: 2 }'],
  });
  const nesting = (file: string, parameter: string) =>
    `Parameters: { H: { Type: Number, Default: 2 } }\nResources:\n  S:\n    Type: AWS::CloudFormation::Stack\n    Properties: { TemplateURL: ./${file}, Parameters: { H: ${parameter} } }\n`;
  const hop = (limit: number) => `variable "h" {\n  default = ${limit}\n}\n`;

  interface Change {
    readonly files: Readonly<Record<string, string>>;
    readonly links?: Readonly<Record<string, string>>;
    readonly path?: string;
    /** New texts; none of a file that is removed. */
    readonly changed?: Readonly<Record<string, string | undefined>>;
    readonly turned?: Readonly<Record<string, string>>;
  }

  const link = (folder: string, links: Readonly<Record<string, string>>): void => {
    for (const [name, target] of Object.entries(links)) {
      rmSync(join(folder, name), { force: true });
      symlinkSync(target, join(folder, name));
    }
  };

  const changes: [string, Change][] = [
    [
      'behind a link',
      {
        path: 'aa',
        files: { 'aa/x': '', 'real/t.txt': bad },
        links: { 'aa/t.yaml': '../real/t.txt' },
        changed: { 'real/t.txt': `${bad}# changed\n` },
      },
    ],
    [
      'behind a link to a part of a configuration',
      {
        path: 'aa',
        files: { 'aa/main.tf': nodes('var.h'), 'real/v.txt': hop(2) },
        links: { 'aa/v.tf': '../real/v.txt' },
        changed: { 'real/v.txt': hop(1) },
      },
    ],
    [
      'of a link to another folder',
      {
        path: 'aa',
        files: { 'one/main.tf': nodes('2'), 'two/main.tf': nodes('1') },
        links: { aa: 'one' },
        turned: { aa: 'two' },
      },
    ],
    [
      'of what a stack gives to a nested one',
      {
        files: { 'child.yaml': child, 'parent.yaml': nesting('child.yaml', '2') },
        changed: { 'parent.yaml': nesting('child.yaml', '1') },
      },
    ],
    [
      'two stacks above',
      {
        files: {
          'child.yaml': child,
          'middle.yaml': nesting('child.yaml', '!Ref H'),
          'outer.yaml': nesting('middle.yaml', '2'),
        },
        changed: { 'outer.yaml': nesting('middle.yaml', '1') },
      },
    ],
    [
      'of a file that is looked for',
      { files: { 'main.tf': nodes('fileexists("h.txt") ? 2 : 1'), 'h.txt': '' }, changed: { 'h.txt': undefined } },
    ],
    [
      'of a folder that is listed',
      {
        files: { 'main.tf': nodes('length(fileset("sets", "*.txt")) == 1 ? 2 : 1'), 'sets/a.txt': '' },
        changed: { 'sets/b.txt': '' },
      },
    ],
  ];

  const repositories = share(changes).map(([name, change]) => ({ name, change, ...repository(change.files) }));
  const unchanged = repository({
    'main.tf': nodes('fileexists("h.txt") ? 2 : 1'),
    'child.yaml': child,
    'parent.yaml': nesting('child.yaml', '1'),
    'other.txt': '',
    'sets/a.txt': '',
  });

  it.each(repositories)('is one $name', async ({ change, folder, git }) => {
    const { links = {}, path = '.', changed = {}, turned = {} } = change;
    const report = async (): Promise<{ exitCode: number; text: string }> => {
      const { exitCode, stdout } = await checkIn(folder, [path], { changedSince: 'HEAD', failOn: 'unverifiable' });
      return { exitCode, text: stdout };
    };
    link(folder, links);
    git('add', '-A');
    git('commit', '-qm', 'links', '--allow-empty');
    expect(await report()).toEqual({ exitCode: 0, text: expect.not.stringContaining('imds-hop-limit') as unknown });
    for (const [name, text] of Object.entries(changed)) {
      if (text === undefined) rmSync(join(folder, name));
      else writeFileSync(join(folder, name), text);
    }
    link(folder, turned);
    expect(await report()).toEqual({ exitCode: 1, text: expect.stringContaining('imds-hop-limit') as unknown });
  });

  it('is none where nothing of that has changed', async () => {
    writeFileSync(join(unchanged.folder, 'other.txt'), 'changed');
    expect(await checkIn(unchanged.folder, ['.'], { changedSince: 'HEAD', failOn: 'unverifiable' })).toMatchObject({
      exitCode: 0,
    });
  });
});
