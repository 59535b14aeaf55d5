import { fullReferences, headOf, moduleStepsOf, pathText, stepsOf } from '../../lib/terraform/address';

describe('an address', () => {
  it.each([
    ['aws_a.b', ['aws_a', 'b']],
    ['module.m["a.b"].aws_a.b[0]', ['module', ['m', 'a.b'], 'aws_a', ['b', 0]]],
    ['a["x\\"y"].b', [['a', 'x"y'], 'b']],
    ['a["x\\n\\t\\r\\\\y"]', [['a', 'x\n\t\r\\y']]],
    ['a[each.key].b', ['a', 'b']],
    [
      'a[0][1]',
      [
        ['a', 0],
        ['', 1],
      ],
    ],
    ['', []],
  ])('%s has its steps', (address, expected) => {
    expect(stepsOf(address)?.map(({ name, key }) => (key === undefined ? name : [name, key]))).toEqual(expected);
  });

  it('keeps its steps as they are written', () => {
    expect(stepsOf('module.m["a"].b[0]')?.map(({ text }) => text)).toEqual(['module', 'm["a"]', 'b[0]']);
  });

  it.each(['a"b', 'a]', 'a.b["x', 'a[0]b'])('is not %s', (text) => {
    expect(stepsOf(text)).toBeUndefined();
    expect(headOf(text)).toEqual({ kind: 'other' });
    expect(moduleStepsOf(text)).toEqual([]);
  });

  it('leads through modules', () => {
    const names = (address: string) => moduleStepsOf(address).map(({ text }) => text);
    expect(names('module.a["x"].module.b.aws_x.y')).toEqual(['a["x"]', 'b']);
    expect(names('aws_x.y')).toEqual([]);
    expect(names('module')).toEqual([]);
    expect(names('aws_x.module.y')).toEqual([]);
  });
});

describe('a path', () => {
  it.each([
    [['vpc_config', 0, 'id'], 'vpc_config[0].id'],
    [['labels', 'a b', 'c'], 'labels["a b"].c'],
    [['0a'], '["0a"]'],
    [['größe', 'x-1'], 'größe.x-1'],
    [[], ''],
  ])('%j is written as Terraform does', (steps, text) => {
    expect(pathText(steps)).toBe(text);
  });
});

describe('what a reference begins with', () => {
  it.each([
    ['aws_a.b[0].c.d', { kind: 'resource', mode: 'managed', type: 'aws_a', name: 'b', key: 0, rest: ['c', 'd'] }],
    ['data.aws_a.b["k"].c', { kind: 'resource', mode: 'data', type: 'aws_a', name: 'b', key: 'k', rest: ['c'] }],
    ['data.aws_a', { kind: 'other' }],
    ['module.m[1].out.x', { kind: 'module', name: 'm', key: 1, rest: ['out', 'x'] }],
    ['var.a[0].b', { kind: 'variable', name: 'a', rest: [0, 'b'] }],
    ['local.a.b', { kind: 'local', name: 'a', rest: ['b'] }],
    ['each.value["k"].id', { kind: 'each-value', rest: ['k', 'id'] }],
    ['each.key', { kind: 'plain', isInstanceKey: true }],
    ['count.index', { kind: 'plain', isInstanceKey: true }],
    ['path.module', { kind: 'plain', isInstanceKey: false }],
    ['terraform.workspace', { kind: 'plain', isInstanceKey: false }],
    ['tofu.workspace', { kind: 'plain', isInstanceKey: false }],
    ['self.id', { kind: 'other' }],
    ['ephemeral.a.b', { kind: 'other' }],
    ['action.a.b', { kind: 'other' }],
    ['each', { kind: 'other' }],
  ])('%s', (reference, expected) => {
    expect(headOf(reference)).toEqual(expected);
  });
});

describe('references', () => {
  it('are told without the short forms behind each', () => {
    expect(fullReferences(['aws_a.b[0].id', 'aws_a.b[0]', 'aws_a.b', 'var.x.y', 'var.x'])).toEqual([
      'aws_a.b[0].id',
      'var.x.y',
    ]);
  });

  it('are no short form of what only begins alike, or stands elsewhere', () => {
    expect(fullReferences(['var.names', 'var.name'])).toEqual(['var.names', 'var.name']);
    expect(fullReferences(['var.a.b', 'var.x', 'var.a'])).toEqual(['var.a.b', 'var.x', 'var.a']);
    expect(fullReferences(['var.ab.c', 'var.xy'])).toEqual(['var.ab.c', 'var.xy']);
    expect(fullReferences(['var.a', 'var.a', 1, null, 'var.b'])).toEqual(['var.a', 'var.b']);
  });
});
