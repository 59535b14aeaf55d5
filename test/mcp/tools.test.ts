import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError, type Given } from '../../lib/mcp/tool';
import { TOOLS } from '../../lib/mcp/tools';
import { readable, saidOf } from '../../lib/mcp/tools/input';
import { Workspace, type Printed } from '../../lib/mcp/workspace';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { InThread } from './in-thread';

/* The tools of agents, without a server and its processes. */

const TEMPLATE = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']);
const folder = workspace({
  'template.yaml': TEMPLATE,
  'user-data.txt': '#!/bin/bash\n/etc/eks/bootstrap.sh shop\n',
  'values.json': '{"env":{"WARM_ENI_TARGET":"2"}}',
  'secret.yaml': TEMPLATE.replace('HttpTokens: required', 'HttpTokens: "AKIAIOSFODNN7EXAMPLE"'),
});
const outside = workspace({ 'a.yaml': TEMPLATE });

beforeAll(() => {
  mkdirSync(join(folder, 'inner/..a'), { recursive: true });
  writeFileSync(join(folder, '-'), TEMPLATE);
  writeFileSync(join(folder, 'inner/..a/x.yaml'), TEMPLATE);
  symlinkSync(join(outside, 'a.yaml'), join(folder, 'link.yaml'));
  symlinkSync(outside, join(folder, 'inner/out'));
  symlinkSync('template.yaml', join(folder, 'own.yaml'));
  symlinkSync('nowhere', join(folder, 'broken.yaml'));
});

interface Called {
  readonly ran: readonly (readonly string[])[];
  readonly text?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

async function call(name: string, given: Given, answer?: Partial<Printed>): Promise<Called> {
  const workspace = new InThread(folder);
  if (answer !== undefined) workspace.answer = { exitCode: 0, stdout: '', stderr: '', ...answer };
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const answered = await tool.call(given, workspace, new AbortController().signal);
  return { ran: workspace.ran, ...('text' in answered ? { text: answered.text } : { data: answered.data }) };
}

describe('the paths of a workspace', () => {
  const paths = (...given: string[]) => new Workspace(folder).paths(given);

  it.each([
    ['.', '.'],
    ['template.yaml', 'template.yaml'],
    ['./inner/../template.yaml', 'template.yaml'],
    ['own.yaml', 'own.yaml'],
    ['-', './-'],
    ['inner/..a/x.yaml', 'inner/..a/x.yaml'],
    [join(folder, 'template.yaml'), 'template.yaml'],
    [folder, '.'],
  ])('%s', (given, path) => {
    expect(paths(given)).toEqual([path]);
  });

  it.each([
    ['', 'a path is empty, or none'],
    ['a\0b', 'a path is empty, or none'],
    ['..', '.. is outside of the workspace'],
    ['../x', '../x is outside of the workspace'],
    ['inner/../../x', 'is outside of the workspace'],
    [outside, 'is outside of the workspace'],
    ['/dev/zero', 'is outside of the workspace'],
    ['link.yaml', 'is a link that leads out of the workspace'],
    ['inner/out', 'is a link that leads out of the workspace'],
    ['inner/out/a.yaml', 'is a link that leads out of the workspace'],
    ['broken.yaml', "isn't in the workspace"],
    ['*.yaml', "isn't in the workspace"],
  ])('are no others: %j', (given, why) => {
    expect(() => paths(given)).toThrow(ToolError);
    expect(() => paths(given)).toThrow(why);
  });

  it.each([join(folder, 'template.yaml'), join(folder, 'none')])('need a folder: %s', (root) => {
    expect(() => new Workspace(root)).toThrow('is no folder that can be read');
  });
});

it('a command is given so many paths, and so much text, as it can take', async () => {
  const own = new Workspace(folder);
  expect(own.paths(Array.from({ length: 1000 }, () => 'template.yaml'))).toHaveLength(1000);
  expect(() => own.paths(Array.from({ length: 100_000 }, () => 'template.yaml'))).toThrow(
    '100000 paths are more than 1000: name the folders that hold them',
  );
  const run = own.run(['explain', 'a'.repeat(8 << 20)], new AbortController().signal);
  await expect(run).rejects.toThrow('too long for a command');
});

it('a command is not run with a text that it cannot be given', async () => {
  const run = new Workspace(folder).run(['explain', 'a\0b'], new AbortController().signal);
  await expect(run).rejects.toThrow(
    new ToolError('what is given has the character NUL in it, which is no text; leave it out'),
  );
});

describe('check', () => {
  it('judges what is named, the whole workspace, or a text', async () => {
    const named = await call('check', { paths: ['template.yaml'] });
    expect(named.ran).toEqual([['check', '--format=json', '--', 'template.yaml']]);
    expect(named.data).toMatchObject({ complete: true, nextOffset: null, diagnostics: [], counts: { error: 1 } });
    expect((await call('check', {}, { stdout: '{"findings":[],"diagnostics":[],"summary":{}}' })).ran).toEqual([
      ['check', '--format=json', '--', '.'],
    ]);
    const text = await call('check', { text: TEMPLATE, filename: '--fix', only: ['imds-*', 7] });
    expect(text.ran).toEqual([['check', '--format=json', '--only=imds-*', '--stdin-filename=--fix', '--', '-']]);
    expect(text.data).toMatchObject({
      findings: [{ rule: 'imds-hop-limit', severity: 'error', line: 14, resource: 'Template' }],
    });
  });

  it.each([
    [{ filename: 'x.yaml' }, 'filename names text'],
    [{ text: '', paths: ['template.yaml'] }, 'give paths or text, not both'],
    [{ only: ['imds-hop-limi'] }, 'imds-hop-limit'],
  ])('tells what is wrong: %j', async (given, why) => {
    await expect(call('check', given)).rejects.toThrow(why);
    await expect(call('check', given)).rejects.toThrow(ToolError);
  });

  const finding = (rule: string, severity: string, more: object = {}) => ({
    rule,
    severity,
    verdict: 'fail',
    message: 'm',
    fix: 'f',
    docs: 'd',
    resource: { id: 'id', path: null },
    location: { file: 'f.yaml', line: 3 },
    repair: null,
    ...more,
  });
  const report = JSON.stringify({
    inputs: [],
    summary: { error: 2 },
    diagnostics: [{ file: 'b.yaml', line: 7, message: 'broken' }],
    findings: [
      finding('info', 'info'),
      finding('warned', 'warning', { resource: { id: 'id', path: 'App/Id' }, repair: { safety: 'safe' } }),
      finding('unknown', 'error', { verdict: 'unverifiable' }),
      finding('accepted', 'error', { suppressed: { reason: 'x' } }),
      finding('first', 'error'),
      finding('second', 'error'),
    ],
  });
  const listed = async (given: Given) => {
    const { data } = await call('check', given, { stdout: report, exitCode: 2 });
    return [(data?.['findings'] as { rule: string }[]).map(({ rule }) => rule), data?.['nextOffset']];
  };

  it('lists what fails, the most severe first, a page at a time', async () => {
    expect(await listed({})).toEqual([['first', 'second', 'warned'], null]);
    expect(await listed({ level: 'error' })).toEqual([['first', 'second'], null]);
    expect(await listed({ level: 'info' })).toEqual([['first', 'second', 'warned', 'info'], null]);
    expect(await listed({ limit: 2 })).toEqual([['first', 'second'], 2]);
    expect(await listed({ limit: 2, offset: 2 })).toEqual([['warned'], null]);
    expect(await listed({ limit: 3 })).toEqual([['first', 'second', 'warned'], null]);
  });

  it('tells each with its place, and what could not be read', async () => {
    const { data } = await call('check', { level: 'warning', offset: 2 }, { stdout: report, exitCode: 2 });
    expect(data).toEqual({
      complete: false,
      counts: { error: 2 },
      findings: [
        {
          rule: 'warned',
          severity: 'warning',
          file: 'f.yaml',
          line: 3,
          resource: 'App/Id',
          message: 'm',
          fix: 'f',
          repair: 'safe',
          docs: 'd',
        },
      ],
      diagnostics: ['b.yaml:7: broken'],
      nextOffset: null,
    });
  });

  it('shows no credential of a file', async () => {
    const answers = [
      await call('check', { paths: ['secret.yaml'], level: 'info' }),
      await call('plan_fix', { paths: ['secret.yaml'], unsafe: true }),
      await call('check_user_data', { text: '#!/bin/sh\nexport DB_PASSWORD=zq7Xk2vLw9Rt\n' }),
    ];
    expect(JSON.stringify(answers.map(({ data, text }) => data ?? text))).not.toMatch(
      /AKIAIOSFODNN7EXAMPLE|zq7Xk2vLw9Rt/,
    );
  });
});

describe('the other tools', () => {
  it('plan_fix gives the diff, of what was asked for', async () => {
    const { ran, data } = await call('plan_fix', { paths: ['template.yaml'], only: ['imds-hop-limit'], unsafe: true });
    expect(ran).toEqual([['check', '--fix-dry-run', '--unsafe', '--only=imds-hop-limit', '--', 'template.yaml']]);
    expect(data?.['diff']).toContain('+          HttpPutResponseHopLimit: 2\n');
    expect(data?.['notes']).toMatch(/^\S[^]*would fix 1 finding/);
    const safe = await call('plan_fix', { unsafe: 'yes' }, { stderr: '  note\n' });
    expect(safe).toEqual({ ran: [['check', '--fix-dry-run', '--', '.']], data: { diff: '', notes: 'note' } });
    const partly = await call('plan_fix', {}, { exitCode: 2, stdout: 'diff' });
    expect(partly.data).toEqual({ diff: 'diff', notes: '' });
    await expect(call('plan_fix', {}, { exitCode: 2, stderr: 'error: bad' })).rejects.toThrow(/^bad$/);
  });

  it('explain_rule and find_rule_for_symptom give pages', async () => {
    const short = await call('explain_rule', { rule: 'imds-hop-limit', dialect: 'terraform' });
    expect(short.ran).toEqual([['explain', '--dialect=terraform', '--', 'imds-hop-limit']]);
    expect(short.text).toContain('http_put_response_hop_limit = 2');
    const full = await call('explain_rule', { rule: '--config=/etc/passwd', full: true }, { stdout: 'page' });
    expect(full).toEqual({ ran: [['explain', '--full', '--', '--config=/etc/passwd']], text: 'page' });
    await expect(call('explain_rule', { rule: 'imds-hop-limi' })).rejects.toThrow('did you mean "imds-hop-limit"?');
    const found = await call('find_rule_for_symptom', { symptom: 'failed to fetch VPC ID from instance metadata' });
    expect(found.text).toContain('imds-hop-limit');
    await expect(call('find_rule_for_symptom', { symptom: 'x' }, { exitCode: 1 })).rejects.toThrow(
      'the command gave no answer',
    );
  });

  it('check_user_data takes text or a file', async () => {
    const text = await call('check_user_data', {
      text: '#!/bin/bash\n/etc/eks/bootstrap.sh shop\n',
      family: 'al2023',
      bootstrap: 'user',
      kubernetesVersion: '1.34',
    });
    expect(text.ran).toEqual([
      ['user-data', '--family=al2023', '--bootstrap=user', '--kubernetes-version=1.34', '--', '-'],
    ]);
    expect(text.text).toContain('user-data-ami-family');
    const file = await call('check_user_data', { path: 'user-data.txt' });
    expect(file.ran).toEqual([['user-data', '--', 'user-data.txt']]);
    await expect(call('check_user_data', {})).rejects.toThrow('give text or path');
    await expect(call('check_user_data', { text: '', path: 'user-data.txt' })).rejects.toThrow('give text or path');
    await expect(call('check_user_data', { path: '/dev/zero' })).rejects.toThrow('is outside of the workspace');
    await expect(call('check_user_data', { text: '' }, { stderr: 'error: no' })).rejects.toThrow(/^no$/);
  });

  it('max_pods counts', async () => {
    expect((await call('max_pods', { instanceType: 'm5.large' })).data).toEqual({
      capacity: 29,
      recommended: 29,
      branchEnis: null,
    });
    expect((await call('max_pods', { instanceType: 'm5.large', prefixDelegation: true, maxEnis: 2 })).data).toEqual({
      capacity: 290,
      recommended: 110,
      branchEnis: null,
    });
    expect((await call('max_pods', { instanceType: 'm5.large', podSecurityGroups: true })).data).toMatchObject({
      branchEnis: 9,
    });
    await expect(call('max_pods', { instanceType: 'm5.largest' })).rejects.toThrow(ToolError);
    await expect(call('max_pods', {})).rejects.toThrow(ToolError);
  });

  it('addon_diff and upgrade_plan hand on what they are given', async () => {
    const versions = { addon: 'vpc-cni', from: 'v1.18.1-eksbuild.1', to: 'v1.19.0-eksbuild.1' };
    const diff = await call(
      'addon_diff',
      {
        ...versions,
        mode: 'NONE',
        configurationFile: 'values.json',
        liveFile: '-',
      },
      { stdout: '{}' },
    );
    expect(diff.ran).toEqual([
      [
        'addon-diff',
        '--format=json',
        '--mode=NONE',
        '--config=values.json',
        '--live=./-',
        '--',
        ...Object.values(versions),
      ],
    ]);
    expect((await call('addon_diff', versions)).data).toMatchObject({ to: 'v1.19.0-eksbuild.1' });
    await expect(call('addon_diff', { ...versions, from: 'v0' })).rejects.toThrow('v0');
    await expect(call('addon_diff', { ...versions, liveFile: '../x' })).rejects.toThrow('is outside of the workspace');
    const plan = await call('upgrade_plan', { paths: ['template.yaml'], from: '1.34', to: '1.35' });
    expect(plan.ran).toEqual([['upgrade', '--format=markdown', '--to=1.35', '--from=1.34', '--', 'template.yaml']]);
    expect(plan.text).toContain('1.35');
    await expect(call('upgrade_plan', { to: '9.9' })).rejects.toThrow('9.9');
  });

  it('give no more than a model can use, and say so', () => {
    expect(readable('x'.repeat(60_000))).toBe('x'.repeat(60_000));
    expect(readable('x'.repeat(60_001))).toBe(
      `${'x'.repeat(60_000)}\n… 1 more characters are left out; ask about fewer files.`,
    );
    expect([saidOf('error: a\n'), saidOf(' \n')]).toEqual(['a', 'the command gave no answer']);
  });
});
