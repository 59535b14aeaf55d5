import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { loadConfigurationFile } from '../../lib/configuration';
import { workspace } from '../cli/workspace';

const folder = workspace({ 'empty.txt': '' });

function withoutCode(name: string, text: string) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return loadConfigurationFile(file, { runsCode: false });
}

describe('a configuration whose code may not run', () => {
  it.each(['js', 'cjs', 'mjs', 'ts', 'cts', 'mts'])('is left out if it is a program: %s', (extension) => {
    const name = `a.${extension}`;
    const file = join(folder, name);
    const { leftOut, ...rest } = withoutCode(name, 'throw new Error("it runs");');
    expect(rest).toEqual({
      file,
      bases: [],
      files: [file],
      content: {},
      failOn: undefined,
      configuration: {},
      origins: new Map(),
      ruleFiles: new Map(),
    });
    expect(leftOut).toEqual([
      {
        severity: 'error',
        file,
        line: 1,
        column: 1,
        message: expect.stringContaining('this configuration is a program and was not run') as string,
      },
    ]);
  });

  it('is read as it is if it needs none', () => {
    const plain = withoutCode('plain.yaml', 'preset: strict\nfailOn: never\ncustomRules: []\n');
    expect(plain).toMatchObject({ failOn: 'never', configuration: { preset: 'strict' }, leftOut: [] });
    expect(withoutCode('rules.yaml', 'rules: { acme-rule: off }\ncustomRules: [./a.js]\n').configuration.rules).toEqual(
      {},
    );
    expect(() => withoutCode('unknown.yaml', 'rules: { acme-rule: off }\n')).toThrow('there is no rule "acme-rule"');
    expect(withoutCode('settings.yaml', 'preset: all\n').content).toEqual({ preset: 'all' });
    expect(withoutCode('js.json', '{ "preset": "all" }')).toMatchObject({
      configuration: { preset: 'all' },
      leftOut: [],
    });
  });

  it('loses its modules of rules, and what it says of their rules', () => {
    const text = [
      'failOn: warning',
      'customRules: [./a.js,',
      '  ./b.js]',
      'rules: { imds-v1: off, suppression-unused: off, acme-rule: error }',
      'ignores:',
      '  - { rule: imds-hop-limit, resource: A, reason: Known }',
      '  - { rule: acme-rule, resource: B, reason: Known }',
      '  - { rule: acme-*, resource: C, reason: Known }',
      '  - { rule: suppression-unused, resource: D, reason: Known }',
      'asOf: 2026-11-21',
      '',
    ].join('\n');
    const { leftOut, files, failOn, content, configuration } = withoutCode('rules.yaml', text);
    expect(leftOut.map(({ line, column, message }) => `${line}:${column} ${message.split(',', 1).join()}`)).toEqual([
      '2:15 the rules of ./a.js are code and were not run (--no-config-code); allow --config-code where only trusted changes are checked',
      '3:3 the rules of ./b.js are code and were not run (--no-config-code); allow --config-code where only trusted changes are checked',
    ]);
    expect([files, failOn]).toEqual([[join(folder, 'rules.yaml')], 'warning']);
    expect(content.customRules).toEqual(['./a.js', './b.js']);
    expect(configuration.rules).toEqual({ 'imds-v1': 'off', 'suppression-unused': 'off' });
    expect(configuration.ignores?.map(({ resource }) => resource)).toEqual(['A', 'C', 'D']);
    expect([
      configuration.asOf,
      'customRules' in configuration,
      'preset' in configuration,
      'parameters' in configuration,
      'terraform' in configuration,
    ]).toEqual(['2026-11-21', false, false, false, false]);
  });

  it('has neither rules nor ignores if it says nothing of them', () => {
    const { configuration } = withoutCode('bare.yaml', 'customRules: [./a.js]\n');
    expect([configuration.rules, configuration.ignores]).toEqual([{}, []]);
  });
});

it('a file that is not there is told with the one that is probably meant', () => {
  withoutCode('near/prod.yaml', 'preset: strict\n');
  const file = join(folder, 'near/prd.yaml');
  expect(() => loadConfigurationFile(file)).toThrow(
    `${file}: there is no such file or folder; did you mean "${join(folder, 'near/prod.yaml')}"?`,
  );
});

it('files of variables are told from the file of the configuration', () => {
  const { configuration } = withoutCode('deep/vars.yaml', 'terraform: { varFiles: [prod.tfvars, ../all.tfvars] }\n');
  expect(configuration.terraform?.varFiles?.map((file) => relative(folder, file))).toEqual([
    'deep/prod.tfvars',
    'all.tfvars',
  ]);
  expect('terraform' in withoutCode('deep/none.yaml', 'terraform: {}\n').configuration).toBe(false);
});

it('values of stacks are kept as they are written, too', () => {
  const { configuration } = withoutCode(
    'stacks.yaml',
    'parameters:\n  stacks: { nodes: { Version: 1.20, Zones: [1.10, a] } }\n  terraform: { size: 3 }\n',
  );
  expect(configuration.parameters).toEqual({
    stacks: { nodes: { Version: '1.20', Zones: ['1.10', 'a'] } },
    terraform: { size: 3 },
  });
});
