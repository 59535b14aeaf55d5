import { templateText } from './template-text';
import { jsonTree } from '../../lib/fixes/json-tree';
import { JsonConfigurationFile } from '../../lib/fixes/terraform';
import {
  applyEdits,
  indentationAt,
  isDirective,
  lineBreakOf,
  lineEnd,
  lineStart,
  nextLine,
} from '../../lib/fixes/text-edit';
import { walk, whyShared } from '../../lib/fixes/tree';
import { removeAt, setIn } from '../../lib/fixes/tree-edit';
import { yamlTree } from '../../lib/fixes/yaml-tree';

function yaml(text: string) {
  const tree = yamlTree(text);
  if (tree === undefined) throw new Error('no YAML');
  return tree;
}

describe('a walk through a tree', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['a: 1', ['a'], undefined],
    ['a: !Ref X', ['a'], 'it is decided by a reference (`!Ref X`)'],
    ['a: !If [C, 1, 2]', ['a'], 'it is decided by a condition (`!If`)'],
    ['a: !Sub x', ['a'], 'it is made by the function `!Sub`'],
    ['a: !!str 1', ['a'], undefined],
    ['a: ! 1', ['a'], undefined],
    ['a: { Fn::If: [C, 1, 2] }', ['a', 'b'], 'it is decided by a condition (`Fn::If`)'],
    ['a: { Ref: X }', ['a', 'b'], 'it is decided by a reference (`Ref`)'],
    ['a: { Fn::Sub: x }', ['a', 'b'], 'it is made by the function `Fn::Sub`'],
    ['a: { <<: { c: 1 } }', ['a', 'b'], 'a merge key ("<<") may set it'],
    ['a: { <<: { c: 1 }, b: 2 }', ['a', 'b'], undefined],
    ['a: { b: 2, <<: { c: 1 } }', ['a', 'b'], 'a merge key ("<<") behind it may set it'],
    ['a: { <<: { c: 1 }, b: 2, <<: { b: 1 } }', ['a', 'b'], 'a merge key ("<<") behind it may set it'],
    ['a: { c: 1 }', ['a', 'b'], undefined],
    ['a: 1', ['a', 'b'], 'what it would stand in is no map'],
    ['a:', ['a', 'b'], undefined],
    ['a: &x 1\nb: *x', ['b'], 'it is an alias (`*x`)'],
    ['a: &x 1\nb: *x', ['a'], 'it is used in several places (`&x`)'],
    ['a: &x 1', ['a'], undefined],
  ])('%j to %j', (text, path, refusal) => {
    expect(walk(yaml(text), path).refusal).toBe(refusal);
  });

  it('tells what is missing', () => {
    const steps = (text: string, ...path: string[]) => walk(yaml(text), path).missing;
    expect(steps('a: { b: 1 }', 'a', 'b')).toEqual([]);
    expect(steps('a: { b: 1 }', 'a', 'c', 'd')).toEqual(['c', 'd']);
    expect(steps('a: [1, { b: 2 }]', 'a', '1', 'b')).toEqual([]);
    expect(steps('a: [1]', 'a', '1')).toEqual(['1']);
    expect(steps('a: !Ref X', 'a', 'b', 'c')).toEqual(['b', 'c']);
  });

  it('takes nothing out of what stands in several places', () => {
    const removed = (text: string, ...path: string[]) => removeAt(yaml(text), path);
    const elsewhere = { refusal: 'it stands elsewhere than in the resource itself' };
    expect(removed('a: &x { b: 1, c: 2 }\nd: *x', 'a', 'b')).toEqual(elsewhere);
    expect(removed('a: &x { e: { b: 1, c: 2 } }\nd: *x', 'a', 'e', 'b')).toEqual(elsewhere);
    expect(removed('a: { b: &x 1, c: 2 }\nd: *x', 'a', 'b')).toEqual({
      refusal: 'it is used in several places (`&x`)',
    });
    expect(removed('a: &x { b: 1, c: 2 }', 'a', 'b')).toHaveProperty('edits');
    expect(removed('a: { b: 1, c: 2 }', 'a', 'd')).toEqual(elsewhere);
  });

  it('tells what may not go as a whole', () => {
    const why = (text: string) => whyShared(walk(yaml(text), ['a']).node);
    expect(why('a: { b: [{ c: &x 1 }] }\nd: *x')).toBe('it is used in several places (`&x`)');
    expect(why('a: { b: [{ c: &x 1 }] }')).toBeUndefined();
    expect(why('a: &x { b: 1 }\nd: *x')).toBe('it is used in several places (`&x`)');
  });

  it('takes JSON and one document of YAML only', () => {
    expect([jsonTree('{'), jsonTree('a: 1'), yamlTree('a: ['), yamlTree('a: 1\n---\nb: 2')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([
      jsonTree(' [1, "a"] ')?.root.kind,
      jsonTree('"a"')?.root.kind,
      yamlTree('- 1')?.root.kind,
      yamlTree('')?.root.kind,
    ]).toEqual(['list', 'scalar', 'list', 'scalar']);
  });
});

it.each([
  ['stop', 'stop'],
  ['a.b-c_1', 'a.b-c_1'],
  ['1a', '"1a"'],
  ['-x', '"-x"'],
  ['a b', '"a b"'],
  ['', '""'],
  ['true', '"true"'],
  ['No', '"No"'],
  ['null', '"null"'],
  ['truely', 'truely'],
  ["it's", '"it\'s"'],
  ['say "a"', '\'say "a"\''],
  ['"it\'s"', '"\\"it\'s\\""'],
  ['a"\nb', '"a\\"\\nb"'],
])('the text %j is written into YAML as %s', (value, written) => {
  const plan = setIn(yaml('a: b\n'), ['c'], value);
  expect('edits' in plan && applyEdits('a: b\n', plan.edits)).toBe(`a: b\nc: ${written}\n`);
});

it('keys are written into YAML with quotes where they need some', () => {
  const written = (key: string) => {
    const plan = setIn(yaml('a: b\n'), [key, 'x'], 1);
    return 'edits' in plan ? applyEdits('a: b\n', plan.edits) : plan.refusal;
  };
  expect(written('c')).toBe('a: b\nc:\n  x: 1\n');
  expect(written('c d')).toBe('a: b\n"c d":\n  x: 1\n');
});

describe('lines of a text', () => {
  const text = 'ab\r\n  cd\n\nef';
  it('have a beginning and an end', () => {
    expect([0, 2, 4, 6, 9, 10, 12].map((offset) => lineStart(text, offset))).toEqual([0, 0, 4, 4, 9, 10, 10]);
    expect([0, 2, 4, 6, 9, 10, 12].map((offset) => lineEnd(text, offset))).toEqual([2, 2, 8, 8, 9, 12, 12]);
    expect([0, 4, 9, 10].map((offset) => nextLine(text, offset))).toEqual([4, 9, 10, 12]);
    expect([0, 5, 6, 7].map((offset) => indentationAt(text, offset))).toEqual(['', ' ', '  ', '  ']);
    expect([lineBreakOf(text), lineBreakOf('a\nb\r\n'), lineBreakOf('\nb\r\n'), lineBreakOf('a')]).toEqual([
      '\r\n',
      '\n',
      '\n',
      '\n',
    ]);
  });
  it('that tell a tool something are known', () => {
    for (const comment of [
      '# tflint-ignore: x',
      '#tfsec:ignore:x',
      '// checkov:skip=x',
      '# yamllint disable',
      '# NOSEC',
      '# eks-guardrails:ignore x -- y',
    ])
      expect(isDirective(comment)).toBe(true);
    for (const comment of ['# a tool', '# no secret', '']) expect(isDirective(comment)).toBe(false);
  });
});

it('of edits that overlap one is made, and of equal ones, too', () => {
  const edit = (start: number, end: number, text: string) => ({ start, end, text });
  expect(applyEdits('abcdef', [edit(3, 5, 'X'), edit(0, 1, 'Y')])).toBe('YbcXf');
  expect(applyEdits('abcdef', [edit(1, 4, 'X'), edit(2, 5, 'Y')])).toBe('aXef');
  expect(applyEdits('abcdef', [edit(1, 4, 'X'), edit(4, 5, 'Y')])).toBe('aXYf');
  expect(applyEdits('abcdef', [edit(2, 2, 'X'), edit(2, 2, 'X')])).toBe('abXcdef');
  expect(applyEdits('abcdef', [edit(2, 2, 'X'), edit(2, 2, 'Y'), edit(2, 3, 'Z')])).toBe('abXYZdef');
});

describe('what a file holds after repairs', () => {
  const change = (id: string, type: string) =>
    ({ type, id, repair: { kind: 'set', field: 'preserveOnDelete', to: true }, item: undefined }) as const;
  it('is compared in templates', () => {
    const read = (r: string, s = '') =>
      templateText(
        `Resources:\n  R:\n    Type: AWS::EKS::Addon\n    Properties: { A: b${r} }\n  S:\n    Type: AWS::EKS::Addon\n    Properties: { A: b${s} }\n`,
        'a.yaml',
      );
    const differs = (after: ReturnType<typeof read>, ...ids: string[]) =>
      after !== undefined &&
      read('')?.differsBeyond(
        after,
        ids.map((id) => change(id, 'AWS::EKS::Addon')),
      );
    expect(differs(read(', PreserveOnDelete: true'), 'R')).toBe(false);
    expect(differs(read(', PreserveOnDelete: true'), 'S')).toBe(true);
    expect(differs(read(', PreserveOnDelete: true', ', PreserveOnDelete: true'), 'R', 'S')).toBe(false);
    expect(differs(read(', Other: true'), 'R')).toBe(true);
    expect(differs(read(''))).toBe(false);
  });
  it('is compared in configurations in JSON', () => {
    const read = (r: object) => JsonConfigurationFile.read(JSON.stringify({ resource: { aws_eks_addon: { r } } }));
    const differs = (after: ReturnType<typeof read>) =>
      after !== undefined && read({ a: 1 })?.differsBeyond(after, [change('aws_eks_addon.r', 'aws_eks_addon')]);
    expect([
      differs(read({ a: 1, preserve: true })),
      differs(read({ a: 1, other: true })),
      differs(read({ a: 2, preserve: true })),
    ]).toEqual([false, true, true]);
  });
  it('has to be readable', () => {
    for (const text of ['Resources: {', 'a: 1\n---\nb: 2', '{', 'Resources:\n  R:\n    Type: !<tag:x> y\n'])
      expect(templateText(text, 'a.yaml')).toBeUndefined();
    expect(templateText('Resources: {}', 'a.yaml')).toBeDefined();
    expect([JsonConfigurationFile.read('{'), JsonConfigurationFile.read('a: 1')]).toEqual([undefined, undefined]);
  });
});
