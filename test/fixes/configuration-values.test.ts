import type { Repair } from '../../lib/engine';
import { templateText } from './template-text';
import { HclFile } from '../../lib/fixes/terraform';
import { applyEdits, type EditPlan } from '../../lib/fixes/text-edit';

const SET: Repair = { kind: 'setData', field: 'configuration', at: 'env.ENI', to: '"true"' };
const MOVE: Repair = { kind: 'moveData', field: 'configuration', at: 'env.DEMUX', to: 'init.env.DEMUX' };

const ELSEWHERE = 'refused: it stands elsewhere than in the resource itself';
const NOT_CLEAR = 'refused: it is written in a way that a machine had better leave alone';
const NOT_PLAIN = 'refused: the configuration values are written in a way that a machine had better leave alone';
const NO_MAP = 'refused: what it would stand in is no map';
const MORE = 'refused: more than a plain value would have to move';
const TOO = 'refused: `init.env.DEMUX` is set, too';
const BESIDE = 'refused: a comment stands beside it';

function made(text: string, plan: EditPlan | undefined): string {
  if (plan === undefined) return 'unreadable';
  return 'refusal' in plan ? `refused: ${plan.refusal}` : applyEdits(text, plan.edits);
}

/** The lines of a setting after a repair, without what is around them; or why there is none. */
function changedLines(
  around: (lines: string) => string,
  lines: readonly string[],
  repair: (text: string) => EditPlan | undefined,
): string {
  const text = around(lines.join('\n'));
  const after = made(text, repair(text));
  const [head = '', tail = ''] = around('\0').split('\0');
  return after.startsWith(head) && after.endsWith(tail) ? after.slice(head.length, after.length - tail.length) : after;
}

describe('in a template', () => {
  const template = (lines: string) =>
    `Resources:\n  R:\n    Type: AWS::EKS::Addon\n    Properties:\n${lines}\n  S: { Type: AWS::SNS::Topic }\n`;
  const inTemplate = (repair: Repair, ...lines: string[]) =>
    changedLines(
      template,
      lines.map((line) => (line === '' ? '' : `      ${line}`)),
      (text) => templateText(text, 'a.yaml')?.repair('AWS::EKS::Addon', 'R', repair, undefined),
    ).replaceAll(/^ {6}/gm, '');
  const inValues = (repair: Repair, value: string) =>
    inTemplate(repair, `ConfigurationValues: ${value}`).replace('ConfigurationValues: ', '');

  it.each([
    ['in single quotes', `'{"env":{"A":"it''s"}}'`, `'{"env":{"A":"it''s","ENI":"true"}}'`],
    ['in double quotes', String.raw`"{\"env\":{}}"`, String.raw`"{\"env\":{\"ENI\":\"true\"}}"`],
    ['in double quotes as JSON would not write it', String.raw`"{\u0022env\u0022:{}}"`, NOT_PLAIN],
    ['as a map', '{ env: {} }', "refused: the configuration values aren't written as a plain text"],
    ['as a number', '12', "refused: the configuration values aren't written as a plain text"],
    ['as YAML in a text', "'env: {}'", `'env: { ENI: "true" }'`],
    ['as YAML in lines', '|\n        env:\n          A: "b"', '|\n  env:\n    A: "b"\n    ENI: "true"'],
    ['by a function', `!Sub '{"env":{}}'`, 'refused: it is decided by `Fn::Sub`'],
    ['with a text where a map belongs', `'{"env":"x"}'`, NO_MAP],
  ])('sets a value of a text %s', (_, before, after) => {
    expect(inValues(SET, before)).toBe(after);
  });

  it('makes the text where there is none, and moves nothing then', () => {
    expect(inTemplate(SET, 'AddonName: vpc-cni')).toBe(
      `AddonName: vpc-cni\nConfigurationValues: '{"env":{"ENI":"true"}}'`,
    );
    expect(inTemplate(MOVE, 'AddonName: vpc-cni')).toBe(ELSEWHERE);
  });

  it.each(['|', '|-', '| # a-b', '|- # a'])('keeps a text in lines behind %s', (head) => {
    const lines = (value: string) => [
      `ConfigurationValues: ${head}`,
      '  {',
      '',
      `    "env": {${value}}`,
      '  }',
      'AddonName: vpc-cni',
    ];
    expect(inTemplate(SET, ...lines('"A": "b"'))).toBe(lines('"A": "b", "ENI": "true"').join('\n'));
  });
  it.each(['>', '>-'])('leaves a text alone that is folded behind %s', (head) => {
    expect(inTemplate(SET, `ConfigurationValues: ${head}`, '  {"env":', '  {}}')).toBe(NOT_PLAIN);
  });
  it.each(['|', '|-'])('keeps Windows line breaks behind %s', (head) => {
    const text = (value: string) =>
      template(
        [`ConfigurationValues: ${head}`, '  {"env":', `  {${value}}}`].map((line) => `      ${line}`).join('\n'),
      ).replaceAll('\n', '\r\n');
    expect(
      made(text('"A":1'), templateText(text('"A":1'), 'a.yaml')?.repair('AWS::EKS::Addon', 'R', SET, undefined)),
    ).toBe(text('"A":1,"ENI":"true"'));
  });

  it.each([
    ['all that there is', '{"env":{"DEMUX":1}}', '{"init":{"env":{"DEMUX":1}}}'],
    ['the first of its map', '{"env":{"DEMUX":1,"A":2}}', '{"env":{"A":2},"init":{"env":{"DEMUX":1}}}'],
    ['the last of its map', '{"env":{"A":2,"DEMUX":"x"}}', '{"env":{"A":2},"init":{"env":{"DEMUX":"x"}}}'],
    ['all of a map before others', '{"env":{"DEMUX":1},"a":2}', '{"a":2,"init":{"env":{"DEMUX":1}}}'],
    ['all of a map behind others', '{"a":2,"env":{"DEMUX":1}}', '{"a":2,"init":{"env":{"DEMUX":1}}}'],
    ['into a map that is there', '{"env":{"DEMUX":1},"init":{"env":{}}}', '{"init":{"env":{"DEMUX":1}}}'],
    ['over another', '{"env":{"DEMUX":1},"init":{"env":{"DEMUX":2}}}', TOO],
    ['into a text', '{"env":{"DEMUX":1},"init":"x"}', NO_MAP],
    ['a map', '{"env":{"DEMUX":{}}}', MORE],
    ['null', '{"env":{"DEMUX":null}}', MORE],
    ['what is not there', '{"env":{"A":1}}', MORE],
    ['out of a list', '[1]', MORE],
  ])('moves %s', (_, before, after) => {
    expect(inValues(MOVE, `'${before}'`)).toBe(after.startsWith('refused') ? after : `'${after}'`);
  });

  const RENAME: Repair = { kind: 'renameData', field: 'configuration', at: 'subnets.eu-wst-1a', to: 'eu-west-1a' };
  it.each([
    ['of a map', '{"subnets":{"eu-wst-1a":{"id":"a"},"b":1}}', '{"subnets":{"eu-west-1a":{"id":"a"},"b":1}}'],
    ['beside the same', '{"subnets":{"eu-wst-1a":1,"eu-west-1a":2}}', 'refused: `eu-west-1a` is set, too'],
    ['that is not there', '{"subnets":{}}', ELSEWHERE],
    ['that is written otherwise', String.raw`{"subnets":{"eu\u002dwst-1a":1}}`, NOT_CLEAR],
    ['in YAML', 'subnets: {eu-wst-1a: 1}', 'subnets: {eu-west-1a: 1}'],
    ['in YAML in quotes', 'subnets: {"eu-wst-1a": 1}', 'subnets: {"eu-west-1a": 1}'],
  ])('renames a key %s', (_, before, after) => {
    expect(inValues(RENAME, `'${before}'`)).toBe(after.startsWith('refused') ? after : `'${after}'`);
  });

  const REMOVE: Repair = { kind: 'removeData', field: 'configuration', at: 'env.OLD' };
  it.each([
    ['one of several', '{"env":{"OLD":{"a":1},"A":2}}', '{"env":{"A":2}}'],
    ['with the map that holds nothing else', '{"env":{"OLD":1},"a":2}', '{"a":2}'],
    ['all that there is', '{"env":{"OLD":1}}', '{}'],
    ['what is not there', '{"env":{}}', ELSEWHERE],
  ])('removes %s', (_, before, after) => {
    expect(inValues(REMOVE, `'${before}'`)).toBe(after.startsWith('refused') ? after : `'${after}'`);
  });

  it('neither renames nor removes anything of a setting that is not there', () => {
    for (const repair of [RENAME, REMOVE]) expect(inTemplate(repair, 'AddonName: vpc-cni')).toBe(ELSEWHERE);
  });

  it('finds items of lists', () => {
    const key = (index: number): Repair => ({ ...SET, at: `tolerations[${index}].key` });
    expect(inValues(key(1), `'{"tolerations":[{"key":"a"},{"key":"b"}]}'`)).toBe(
      `'{"tolerations":[{"key":"a"},{"key":"true"}]}'`,
    );
    expect(inValues(key(2), `'{"tolerations":[{"key":"a"},{"key":"b"}]}'`)).toBe(
      'refused: a list stands where a map is expected',
    );
  });
});

describe('in HCL', () => {
  const block = (lines: string) => `resource "aws_eks_addon" "r" {\n${lines}\n}\n`;
  const inBlock = (repair: Repair, ...lines: string[]) =>
    changedLines(
      block,
      lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`),
      (text) => HclFile.read(text)?.repair('aws_eks_addon', 'aws_eks_addon.r', repair, undefined),
    ).replaceAll(/^ {2}/gm, '');
  const inValues = (repair: Repair, value: string) =>
    inBlock(repair, `configuration_values = ${value}`).replace('configuration_values = ', '');
  const inObject = (repair: Repair, value: string) =>
    inValues(repair, `jsonencode(${value})`).replace(/^jsonencode\(([^]*)\)$/, '$1');

  it('makes the data where there is none, and moves nothing then', () => {
    expect(inBlock(SET, 'addon_name = "vpc-cni"')).toBe(
      'addon_name           = "vpc-cni"\nconfiguration_values = jsonencode({ env = { ENI = "true" } })',
    );
    expect(inBlock(MOVE, 'addon_name = "vpc-cni"')).toBe(ELSEWHERE);
    expect(inBlock({ ...SET, at: 'my-key.2nd.a/b.c' }, 'addon_name = "x"')).toContain(
      'jsonencode({ my-key = { "2nd" = { "a/b" = { c = "true" } } } })',
    );
  });

  it.each([
    ['JSON in quotes', String.raw`"{\"env\":{\"A\":\"b\"}}"`, String.raw`"{\"env\":{\"A\":\"b\",\"ENI\":\"true\"}}"`],
    [
      'JSON with what is no interpolation',
      '"{\\"env\\":{\\"A\\":\\"$${b} %%{c}\\"}}"',
      '"{\\"env\\":{\\"A\\":\\"$${b} %%{c}\\",\\"ENI\\":\\"true\\"}}"',
    ],
    ['JSON in quotes as it need not be written', String.raw`"{\u0022env\u0022:{}}"`, NOT_PLAIN],
    ['neither JSON nor YAML', '"env"', 'refused: the configuration values are written neither as JSON nor as YAML'],
    ['a number', '12', NOT_PLAIN],
    ['a variable', 'var.values', 'refused: it is decided by `var.values`'],
    ['a variable in jsonencode', 'jsonencode(var.values)', 'refused: it is decided by `jsonencode(var.values)`'],
    ['jsonencode of nothing', 'jsonencode()', 'refused: it is decided by `jsonencode()`'],
    ['another function', 'yamlencode({})', 'refused: it is decided by `yamlencode({})`'],
  ])('sets a value in %s', (_, before, after) => {
    expect(inValues(SET, before)).toBe(after);
  });

  it.each([
    ['that is empty', '{}', '{ env = { ENI = "true" } }'],
    ['with nothing but a comment', '{ /* none */ }', BESIDE],
    ['with an empty one', '{ env = {} }', '{ env = { ENI = "true" } }'],
    ['with a key in quotes', '{ "env" = { A = 1 } }', '{ "env" = { A = 1, ENI = "true" } }'],
    ['with the value', '{ env = { ENI = false, A = 1 } }', '{ env = { ENI = "true", A = 1 } }'],
    ['that decides it elsewhere', '{ env = { ENI = 1 + 1 } }', 'refused: it is decided by `1 + 1`'],
    ['with a text in its place', '{ env = "x" }', NO_MAP],
  ])('sets a value in an object %s', (_, before, after) => {
    expect(inObject(SET, before)).toBe(after);
  });
  it.each<[string, string[], string[] | string]>([
    ['with commas', ['A = "b",'], ['A   = "b",', 'ENI = "true",']],
    ['with a comma that stands apart', ['A = "b" ,'], ['A   = "b" ,', 'ENI = "true",']],
    ['aligned', ['A      = "b"', 'LONGER = "c" # c'], ['A      = "b"', 'LONGER = "c" # c', 'ENI    = "true"']],
    ['unaligned', ['A = "b"', 'LONGER = "c"'], ['A = "b"', 'LONGER = "c"', 'ENI = "true"']],
    ['behind a list of several lines', ['A = [', '  1,', ']'], ['A = [', '  1,', ']', 'ENI = "true"']],
  ])('adds a line to an object %s', (_, before, after) => {
    const object = (lines: readonly string[]) =>
      ['{', '  env = {', ...lines.map((line) => `    ${line}`), '  }', '}'].join('\n');
    expect(inObject(SET, object(before))).toBe(typeof after === 'string' ? after : object(after));
  });
  it('adds no line before a brace that ends the last one', () => {
    expect(inObject(SET, '{\n  env = {\n    A = 1 }\n}')).toBe(NOT_CLEAR);
  });

  it.each([
    ['the first of its map', '{ env = { DEMUX = 1, A = 2 } }', '{ env = { A = 2 }, init = { env = { DEMUX = 1 } } }'],
    [
      'the last of its map',
      '{ env = { A = 2, DEMUX = "x" } }',
      '{ env = { A = 2 }, init = { env = { DEMUX = "x" } } }',
    ],
    [
      'one between others',
      '{ env = { A = 2, DEMUX = 1, B = 3 } }',
      '{ env = { A = 2, B = 3 }, init = { env = { DEMUX = 1 } } }',
    ],
    ['all of a map before others', '{ env = { DEMUX = 1 }, a = 2 }', '{ a = 2, init = { env = { DEMUX = 1 } } }'],
    ['all of a map behind others', '{ a = 2, env = { DEMUX = 1 } }', '{ a = 2, init = { env = { DEMUX = 1 } } }'],
    ['into an empty map', '{ env = { DEMUX = 1 }, init = {} }', '{ init = { env = { DEMUX = 1 } } }'],
    ['into a map before it', '{ init = { a = 1 }, env = { DEMUX = 1 } }', '{ init = { a = 1, env = { DEMUX = 1 } } }'],
    [
      'into the innermost map',
      '{ env = { DEMUX = 1 }, init = { env = { A = 2 } } }',
      '{ init = { env = { A = 2, DEMUX = 1 } } }',
    ],
    [
      'out of a map that has more',
      '{ env = { DEMUX = 1, A = 2 }, init = { env = {} } }',
      '{ env = { A = 2 }, init = { env = { DEMUX = 1 } } }',
    ],
    ['over another', '{ env = { DEMUX = 1 }, init = { env = { DEMUX = 2 } } }', TOO],
    ['into a text', '{ env = { DEMUX = 1 }, init = "x" }', NO_MAP],
    ['a map', '{ env = { DEMUX = {} } }', MORE],
    ['what is not there', '{ env = { A = 1 } }', MORE],
    ['what is not there at all', '{ a = 1 }', MORE],
    ['out of a text', '{ env = "x" }', MORE],
    ['a list of several lines', '{ env = { DEMUX = [1,\n2] } }', 'refused: it is written over several lines'],
    ['what has a comment', '{ init = { a = 1 }, env = { /* c */ DEMUX = 1 } }', BESIDE],
  ])('moves %s', (_, before, after) => {
    expect(inObject(MOVE, before)).toBe(after);
  });
  it.each<[string, string[], string[]]>([
    [
      'the first line of a map',
      ['env = {', '  DEMUX = 1', '  A     = 2', '}'],
      ['env = {', '  A = 2', '}', 'init = { env = { DEMUX = 1 } }'],
    ],
    [
      'the last line of a map',
      ['env = {', '  A     = 2', '  DEMUX = 1', '}'],
      ['env = {', '  A = 2', '}', 'init = { env = { DEMUX = 1 } }'],
    ],
    [
      'a line with a comma',
      ['env = {', '  A = 2,', '  DEMUX = 1,', '}'],
      ['env = {', '  A = 2,', '}', 'init = { env = { DEMUX = 1 } }'],
    ],
    [
      'a map that goes with it, to a later one',
      ['env = {', '  DEMUX = 1', '}', 'init = {', '  a = 1', '}'],
      ['init = {', '  a   = 1', '  env = { DEMUX = 1 }', '}'],
    ],
    [
      'a map that goes with it, to an earlier one',
      ['init = {', '  a = 1', '}', 'env = {', '  DEMUX = 1', '}'],
      ['init = {', '  a   = 1', '  env = { DEMUX = 1 }', '}'],
    ],
    [
      'one of two in a line',
      ['env = {', '  A = 2, DEMUX = 1', '}', 'init = {', '  a = 1', '}'],
      ['env = {', '  A = 2', '}', 'init = {', '  a   = 1', '  env = { DEMUX = 1 }', '}'],
    ],
    [
      'a map in the line of another',
      ['env = { DEMUX = 1 }, init = {', '  a = 1', '}'],
      ['init = {', '  a   = 1', '  env = { DEMUX = 1 }', '}'],
    ],
    [
      'a map behind another one that ends in its line',
      ['init = {', '  a = 1', '}, env = { DEMUX = 1 }'],
      ['init = {', '  a   = 1', '  env = { DEMUX = 1 }', '}'],
    ],
  ])('moves %s', (_, before, after) => {
    const object = (lines: readonly string[]) => ['{', ...lines.map((line) => `  ${line}`), '}'].join('\n');
    expect(inObject(MOVE, object(before))).toBe(object(after));
  });
});
