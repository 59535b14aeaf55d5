import fs, { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { checkPaths } from '../../lib/check';
import { gitRootOf } from '../../lib/files/boundary';
import { readPaths } from '../../lib/front-ends/paths';
import { checkIn } from '../cli/in-process';
import { nodeGroupTemplate } from '../cli/workspace';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'boundary-')));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(files: Record<string, string>, links: Record<string, string> = {}): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(target, join(root, name));
  }
}

function read(...names: string[]) {
  const result = readPaths(names.map((name) => join(root, name)));
  return {
    inputs: result.inputs.map(({ path, resources }) => `${relative(root, path) || '.'} ${resources}`),
    problems: result.diagnostics.map(
      ({ severity, file, message }) => `${severity} ${relative(root, file)} ${message.replaceAll(`${root}/`, '')}`,
    ),
  };
}

const TEMPLATE = 'Resources:\n  Cni: {Type: AWS::EKS::Addon}\n';
const RESOURCE = 'resource "aws_x" "a" {}\n';
const call = (source: string) => `module "m" {\n  source = "${source}"\n}\n`;
const GIT = { 'repo/.git/config': '[remote "origin"]\n\turl = https://token@example.com/a\n' };
const OUTSIDE = 'it is outside of the repository that is checked, so it is not read';
const OF_GIT = "it belongs to git's own data, so it is not read";

describe('links in a folder', () => {
  it('are followed within the repository, also above the folder that is checked', () => {
    write(
      { ...GIT, 'repo/shared/a.yaml': TEMPLATE, 'repo/common.tf': RESOURCE },
      {
        'repo/infra/a.yaml': '../shared/a.yaml',
        'repo/infra/more': '../shared',
        'repo/infra/tf/common.tf': '../../common.tf',
      },
    );
    expect(read('repo/infra')).toEqual({ inputs: ['repo/infra/a.yaml 1', 'repo/infra/tf 1'], problems: [] });
  });

  it('are not followed out of it, which is told', () => {
    write(
      { ...GIT, 'a/b.yaml': TEMPLATE, 'repo/c.yaml': TEMPLATE },
      {
        'repo/b.yaml': '../a/b.yaml',
        'repo/more': '../a',
        'repo/up': '..',
        'repo/g.yaml': '.git/config',
        'repo/zero.yaml': '/dev/zero',
      },
    );
    expect(read('repo')).toEqual({
      inputs: ['repo/c.yaml 1'],
      problems: [
        `warning repo/b.yaml not checked: ${OUTSIDE}`,
        `warning repo/g.yaml not checked: ${OF_GIT}`,
        'warning repo/zero.yaml not checked: it is a device, not a file',
        'warning repo/more links that lead out of what is checked are not followed: repo/more, repo/up; name one to have it checked',
      ],
    });
  });

  it('that are parts of a configuration are errors', () => {
    write(
      { ...GIT, 'secret.tf': RESOURCE, 'repo/main.tf': RESOURCE },
      { 'repo/b.tf': '../secret.tf', 'repo/terraform.tfvars': '.git/config', 'repo/zero.tf': '/dev/zero' },
    );
    expect(read('repo').problems).toEqual([
      `error repo/b.tf ${OUTSIDE}`,
      'error repo/zero.tf it is a device, not a file',
      `error repo/terraform.tfvars ${OF_GIT}`,
    ]);
  });

  it('are no manifests from elsewhere', () => {
    write(
      { ...GIT, 'repo/c.yaml': TEMPLATE, 'm.json': '{"stacks": {}, "version": "0.20.0"}' },
      { 'repo/manifest.json': '../m.json', 'repo/cdktf.out/manifest.json': '/dev/zero' },
    );
    expect(read('repo')).toEqual({
      inputs: ['repo/c.yaml 1'],
      problems: [
        'warning repo/cdktf.out/manifest.json not checked: it is a device, not a file',
        `warning repo/manifest.json not checked: ${OUTSIDE}`,
      ],
    });
  });

  it('are not followed by patterns either, but where they are named', () => {
    write({ ...GIT, 'a/b.yaml': TEMPLATE }, { 'repo/b.yaml': '../a/b.yaml', 'repo/more': '../a' });
    expect(read('repo/*')).toEqual({
      inputs: [],
      problems: [`error repo/b.yaml ${OUTSIDE}`, `error repo/more ${OUTSIDE}`],
    });
    expect(read('repo/b.yaml')).toEqual({ inputs: ['repo/b.yaml 1'], problems: [] });
    expect(read('repo/more')).toEqual({ inputs: ['repo/more/b.yaml 1'], problems: [] });
  });
});

describe('what an assembly names', () => {
  it('is read within the repository only', () => {
    const stack = (templateFile: string) => ({ type: 'aws:cloudformation:stack', properties: { templateFile } });
    write({
      ...GIT,
      'a.json': '{"Resources": {}}',
      'repo/cdk.out/manifest.json': JSON.stringify({
        version: '36.0.0',
        artifacts: { A: stack('../../a.json'), B: stack('../.git/config'), C: stack('../c.json') },
      }),
      'repo/c.json': '{"Resources": {"A": {"Type": "T"}}}',
    });
    expect(read('repo/cdk.out')).toEqual({
      inputs: ['repo/cdk.out 1'],
      problems: [`error a.json ${OUTSIDE}`, `error repo/.git/config ${OF_GIT}`],
    });
  });
});

describe('what a configuration reads', () => {
  const userData = (path: string) =>
    `resource "aws_launch_template" "a" {\n  user_data = base64encode(file("${path}"))\n}\n`;
  const textOf = (name: string): string => {
    const [template] = readPaths([join(root, name)]).resources.flatMap((resource) =>
      resource.kind === 'launch-template' ? [resource] : [],
    );
    return JSON.stringify(template?.userData, (key, value: unknown) =>
      key === 'source' || key === 'when' ? undefined : value,
    );
  };

  it.each([
    ['outside of the repository', '${path.module}/../../../secret', OUTSIDE],
    ['through a link', '${path.module}/link', OUTSIDE],
    ['of git', '${path.module}/../../.git/config', OF_GIT],
    ['of git through a link', '${path.module}/git', OF_GIT],
    ['that is a device', '${path.module}/zero', 'it is a device, not a file'],
  ])('is unknown %s', (_, path, reason) => {
    write(
      { ...GIT, secret: 'token', 'repo/infra/dev/main.tf': userData(path) },
      {
        'repo/infra/dev/link': '../../../secret',
        'repo/infra/dev/git': '../../.git/config',
        'repo/infra/dev/zero': '/dev/zero',
      },
    );
    const text = textOf('repo/infra/dev');
    expect(text).toContain(reason);
    expect(text).not.toContain('token');
  });

  it('is known within it', () => {
    write({
      ...GIT,
      'repo/files/ud.sh': '#!/bin/bash\necho all\n',
      'repo/infra/dev/main.tf': userData('${path.module}/../../files/ud.sh'),
    });
    expect(textOf('repo/infra/dev')).toContain('echo all');
  });

  it('are modules within the repository', () => {
    write({
      ...GIT,
      'repo/envs/dev/main.tf': call('../../modules/a'),
      'repo/modules/a/main.tf': RESOURCE,
      'repo/envs/prod/main.tf': call('../../../elsewhere'),
      'elsewhere/main.tf': RESOURCE,
    });
    expect(read('repo/envs/dev')).toEqual({ inputs: ['repo/envs/dev 1'], problems: [] });
    expect(read('repo/envs/prod').problems).toEqual([`error repo/envs/prod/main.tf module m: ${OUTSIDE}`]);
  });

  it('are modules anywhere, and files of none, where no repository tells what belongs together', () => {
    write({
      'envs/dev/main.tf': `${call('../../modules/a')}${userData('../../secret')}`,
      'modules/a/main.tf': RESOURCE,
      secret: 'token',
    });
    expect(read('envs/dev')).toEqual({ inputs: ['envs/dev 2'], problems: [] });
    expect(textOf('envs/dev')).toContain('it is outside of the folder that is checked');
  });

  it('is no file of a folder that a call names and that holds no configuration', () => {
    write({
      'envs/dev/main.tf': `${call('../../secrets')}${userData('../../secrets/token')}`,
      'secrets/token': 'token',
    });
    expect(read('envs/dev').problems).toEqual([
      expect.stringMatching(/^(?:error|warning) envs\/dev\/main\.tf module m: /),
    ]);
    expect(textOf('envs/dev')).toContain('it is outside of the folder that is checked');
  });
});

describe('what is written', () => {
  const BAD = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']);
  const FIXABLE =
    'Resources:\n  Dns:\n    Type: AWS::EKS::Addon\n    Properties:\n      ClusterName: main\n      AddonName: coredns\n      AddonVersion: v1.12.1-eksbuild.2\n';

  it('does not go through a link that leads out of the repository', async () => {
    write(
      { ...GIT, 'repo/a.yaml': BAD, 'victim.json': 'kept', 'there/x': '' },
      { 'repo/report.json': '../victim.json', 'repo/out': '../there', 'repo/hook': '.git/hooks/post-checkout' },
    );
    for (const file of ['report.json', 'out/report.json', 'hook']) {
      const format = [
        { kind: 'format' as const, value: 'json' },
        { kind: 'output' as const, value: file },
      ];
      expect(await checkIn(join(root, 'repo'), ['a.yaml'], { outputs: format })).toMatchObject({
        exitCode: 2,
        stderr: `error: can't write ${file}: a symbolic link in its path leads out of the repository\n`,
      });
      expect(await checkIn(join(root, 'repo'), ['a.yaml'], { writeBaseline: file })).toMatchObject({ exitCode: 2 });
    }
    expect(readFileSync(join(root, 'victim.json'), 'utf8')).toBe('kept');
  });

  it('goes through other links', async () => {
    write({ ...GIT, 'repo/a.yaml': BAD, 'repo/real/x': '', 'there/x': '' }, { 'repo/out': 'real', mine: 'there' });
    for (const file of ['out/baseline.json', join(root, 'mine/baseline.json')])
      expect(await checkIn(join(root, 'repo'), ['a.yaml'], { writeBaseline: file })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, 'there/baseline.json'), 'utf8')).toBe(
      readFileSync(join(root, 'repo/real/baseline.json'), 'utf8'),
    );
  });

  it('is no repair of a file elsewhere', async () => {
    write({ ...GIT, 'repo/b.yaml': TEMPLATE, 'victim.yaml': FIXABLE }, { 'repo/a.yaml': '../victim.yaml' });
    expect(checkPaths([join(root, 'victim.yaml')]).findings.map(({ rule }) => rule)).toContain(
      'addon-preserve-on-delete',
    );
    for (const path of ['.', 'a.yaml']) await checkIn(join(root, 'repo'), [path], { fix: true });
    expect(readFileSync(join(root, 'victim.yaml'), 'utf8')).toBe(FIXABLE);
  });
});

describe('the root of the repository', () => {
  it('is a folder with `.git` of the user, and none of a stranger', () => {
    write({
      'shared/.git/HEAD': '',
      'shared/mine/.git/HEAD': '',
      'shared/mine/infra/main.tf': '',
      'shared/yours/main.tf': '',
    });
    const shared = join(root, 'shared');
    const { lstatSync } = fs;
    jest.spyOn(fs, 'lstatSync').mockImplementation(((path: string, options: object) => {
      const status = lstatSync(path, options);
      return path === join(shared, '.git') ? Object.assign(status, { uid: 4242 }) : status;
    }) as typeof lstatSync);
    expect(gitRootOf(join(shared, 'mine/infra'))).toBe(join(shared, 'mine'));
    expect(gitRootOf(join(shared, 'yours'))).not.toBe(shared);
    jest.restoreAllMocks();
    expect(gitRootOf(join(shared, 'yours'))).toBe(shared);
  });
});

describe('what a link leads to', () => {
  const template = (limit: string) =>
    `Parameters:\n  H: {Type: Number, Default: 2}\nResources:\n  T:\n    Type: AWS::EC2::LaunchTemplate\n    Properties: {LaunchTemplateData: {MetadataOptions: {HttpPutResponseHopLimit: ${limit}}}}\n`;
  const PARENT =
    'Resources:\n  S:\n    Type: AWS::CloudFormation::Stack\n    Properties: {TemplateURL: ./child.yaml, Parameters: {H: 1}}\n';
  const MODULE = (hop: string) =>
    `variable "hop" {}\nresource "aws_launch_template" "t" {\n  metadata_options {\n    http_put_response_hop_limit = ${hop}\n  }\n}\n`;
  const CALL = 'module "m" {\n  source = "../mod"\n  hop    = 1\n}\n';
  /** Hop limits of launch templates, with the files in which they stand. */
  const limits = (...names: string[]): unknown[] =>
    readPaths(names.map((name) => join(root, name))).resources.flatMap((resource) => {
      if (resource.kind !== 'launch-template') return [];
      const { hopLimit } = resource.metadata;
      return [
        `${relative(root, resource.source.locate().file)} ${hopLimit.kind === 'known' ? String(hopLimit.value) : hopLimit.kind}`,
      ];
    });

  it.each([
    ['a folder', '.'],
    ['a pattern', '**/*.yaml'],
  ])('has its own path for the stacks that use it, whatever the link is called: %s', (_, path) => {
    write(
      { 'deep/a/child.yaml': template('!Ref H'), 'deep/a/parent.yaml': PARENT },
      { 'aaa.yaml': 'deep/a/child.yaml' },
    );
    expect(limits(path)).toEqual(['deep/a/child.yaml 1']);
  });

  it('is what a stack uses that names the link', () => {
    write(
      { '.git/HEAD': '', 'a/parent.yaml': PARENT, 'b/child.yaml': template('!Ref H') },
      { 'a/child.yaml': '../b/child.yaml' },
    );
    expect(limits('.')).toEqual(['b/child.yaml 1']);
    expect(limits('a')).toEqual(['a/child.yaml 1']);
  });

  it('calls the modules beside it, and not those beside the link', () => {
    write(
      { 'mod/main.tf': 'variable "hop" {}\n', 'deep/mod/main.tf': MODULE('var.hop'), 'deep/root/main.tf': CALL },
      { a: 'deep/root' },
    );
    expect(limits('.')).toEqual(['deep/mod/main.tf 1']);
    expect(limits('a')).toEqual(['deep/mod/main.tf 1']);
    expect(read('.').inputs).toEqual(['deep/root 1', 'mod 0']);
  });

  it('is called by its own path where a module calls the link', () => {
    write(
      {
        'mod/main.tf': MODULE('2'),
        'deep/mod/main.tf': MODULE('var.hop'),
        'deep/inner/main.tf': CALL,
        'root/main.tf': call('../link'),
      },
      { link: 'deep/inner' },
    );
    expect(limits('.')).toEqual(['mod/main.tf 2', 'deep/mod/main.tf 1']);
    expect(limits('root')).toEqual(['deep/mod/main.tf 1']);
  });

  it('is read by the path that is named where all stands behind one', () => {
    write(
      { 'real/envs/dev/main.tf': CALL.replace('../mod', '../../mod'), 'real/mod/main.tf': MODULE('var.hop') },
      { work: 'real' },
    );
    expect(limits('work')).toEqual(['work/mod/main.tf 1']);
    expect(read('work').inputs).toEqual(['work/envs/dev 1']);
  });
});
