import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths } from '../../../lib/check';
import { planJobs } from '../../../lib/fixes/jobs';
import { allRules } from '../../../lib/rules';
import { workspace } from '../../cli/workspace';
import { withLines } from '../../fixes/obeyed/by-lines';
import { problemsIn, putRight, WRITINGS } from './corrected';
import {
  AL2023,
  changed,
  CORRECTED_CASES,
  CORRECTED_MESSAGES,
  OWN_AL2,
  OWN_BOTTLEROCKET,
  toml,
} from './corrected-cases';

const folder = workspace({});

/** The user data out of a file, without its indentation and with the names of the test. */
function userDataOf(name: string, text: string): string {
  const [, inside = ''] =
    name === 'main.tf'
      ? (/<<-EOT\n([\s\S]*?)\n {2}EOT/.exec(text) ?? [])
      : (/!Sub \|\n([\s\S]*?)\n {2}Workers:/.exec(text) ?? []);
  return `${inside.replaceAll(name === 'main.tf' ? /^ {4}/gm : /^ {12}/gm, '')}\n`
    .replaceAll(/\$\{(?:Main|aws_eks_cluster\.main\.name)\}/g, '${CLUSTER}')
    .replaceAll(/\$\{(?:AWS::StackName|var\.name)\}/g, '${NAME}');
}

describe.each(Object.entries(WRITINGS))('user data in %s', (name, write) => {
  it.each(CORRECTED_CASES.map(([title, ...rest]) => [title, rest] as const))(
    '%s is shown put right, and --fix --unsafe writes it',
    async (_, [said, nodes, lines, becomes]) => {
      const [rule = ''] = said.split('/');
      const { message, after, left } = await putRight(name, write(lines, nodes), rule);
      expect(`${rule}/${message}`).toBe(said);
      const written = userDataOf(name, after ?? '');
      expect([written.includes(becomes), written]).toEqual([true, written]);
      expect(left).toEqual([]);
    },
  );
});

it('has a case for each message that puts lines right', () => {
  const all = allRules.flatMap(({ id, messages }) =>
    Object.entries(messages).flatMap(([message, { fix }]) =>
      fix.repairs?.some(({ kind }) => kind === 'lines') === true ? [`${id}/${message}`] : [],
    ),
  );
  expect(all.filter((one) => !CORRECTED_MESSAGES.has(one))).toEqual([]);
});

it.each([
  ['a script', ['#!/bin/bash', 'echo ${NAME}', '', 'echo done']],
  ['a cloud-config', ['#cloud-config', 'runcmd:', '  - [echo, "${NAME}"]']],
  [
    'a NodeConfig',
    [
      'apiVersion: node.eks.aws/v1alpha1',
      'kind: NodeConfig',
      'spec:',
      '  instance:',
      '    localStorage:',
      '      strategy: RAID0',
    ],
  ],
])('%s that is no MIME document is shown as the part of one', (_, lines) => {
  for (const [name, write] of Object.entries(WRITINGS)) {
    const file = join(folder, name);
    const before = write(lines, AL2023);
    writeFileSync(file, before);
    expect(problemsIn(file).map((problem) => problem.replace(/:.*/s, ''))).toEqual(['node-user-data-format']);
    const [found] = checkPaths([file]).findings.filter(({ rule }) => rule === 'node-user-data-format');
    writeFileSync(file, withLines(before, found?.fixCode ?? '') ?? '');
    expect(problemsIn(file)).toEqual([]);
  }
});

describe('where lines are written otherwise', () => {
  const failures = (files: Readonly<Record<string, string>>, rule: string) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const path = join(folder, Object.keys(files)[0] ?? '');
    return checkPaths([path.endsWith('.tf') ? folder : path]).findings.filter(
      (one) => one.rule === rule && one.verdict === 'fail',
    );
  };

  it('a file for templatefile() is named, and not changed', () => {
    const lines = toml('max-pods = "58"').map((line) => line.replace('${CLUSTER}', '${cluster_name}'));
    const configuration = (WRITINGS['main.tf']?.(['X'], OWN_BOTTLEROCKET) ?? '').replace(
      /base64encode\(<<-EOT[\s\S]*?\n {2}\)/,
      'base64encode(templatefile("${path.module}/nodes.toml.tpl", { cluster_name = aws_eks_cluster.main.name }))',
    );
    const found = failures(
      { 'main.tf': configuration, 'nodes.toml.tpl': `${lines.join('\n')}\n` },
      'bottlerocket-settings',
    );
    expect(found.map(({ fixCode }) => fixCode)).toEqual([
      `# in place of line 5 of ${join(folder, 'nodes.toml.tpl')}:\nmax-pods = 58`,
    ]);
    expect(planJobs(found, undefined, { isUnsafe: true }).refused.map(({ reason }) => reason)).toEqual([
      `it is decided in ${join(folder, 'nodes.toml.tpl')}`,
    ]);
  });

  it.each([
    ['without !Sub, in which nothing fills a reference in', (text: string) => text.replace('!Sub |', '|')],
    [
      'in a text of one line',
      (text: string) => text.replace(/Fn::Base64: !Sub \|\n.*\n.*\n/, "Fn::Base64: '#!/bin/bash'\n"),
    ],
  ])('%s, no line is shown', (_, change) => {
    const template = change(WRITINGS['template.yaml']?.(['#!/bin/bash', 'echo hello'], OWN_AL2) ?? '');
    const found = failures({ 'words.yaml': template }, 'node-user-data-missing-bootstrap');
    expect(found).toHaveLength(1);
    expect(found[0]?.fixCode ?? '').not.toMatch(/in place of/);
    expect(found[0]?.repairs).toBeUndefined();
  });

  it('escapes, quotes and base64 are not shown as lines', () => {
    const lines = changed((all) => all.splice(all.indexOf('#!/bin/bash'), 1, '', 'echo $${HOME}'));
    const files = {
      'escaped.tf': WRITINGS['main.tf']?.(lines, AL2023) ?? '',
      'quoted.tf': (WRITINGS['main.tf']?.(['EOT'], AL2023) ?? '').replace(
        /<<-EOT[\s\S]*?\n {2}EOT\n {2}\)/,
        `${JSON.stringify(changed((all) => all.pop()).join('\n')).replace('${NAME}', 'x')})`,
      ),
    };
    for (const [name, text] of Object.entries(files)) {
      const own = join(folder, name.replace('.tf', ''));
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, name), text);
      const found = checkPaths([own]).findings.filter(({ rule }) => /^user-data-(?:mime|shebang)/.test(rule));
      expect(found.length).toBeGreaterThan(0);
      for (const { fixCode = '', repairs } of found) {
        expect(fixCode).not.toMatch(/in place of/);
        expect(repairs).toBeUndefined();
      }
    }
  });
});
