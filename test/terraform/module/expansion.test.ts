import { cpuTime } from '../../cpu-time';
import { configurations } from './configurations';
import { itWithAll } from '../../share';

describe('count', () => {
  it('makes instances by index, which see theirs', () => {
    const read = configurations(
      'resource "aws_subnet" "a" {\n  count = 2\n  name = "a-${count.index}"\n}\nresource "aws_x" "y" {\n  ids = aws_subnet.a[*].id\n  second = aws_subnet.a[1].name\n}',
    );
    expect(read.addresses).toEqual(['aws_subnet.a[0]', 'aws_subnet.a[1]', 'aws_x.y']);
    expect(read.show('aws_subnet.a[1]', 'name')).toBe('a-1');
    expect(read.show('aws_x.y', 'second')).toBe('a-1');
    expect(read.value('aws_x.y', 'ids', 1)).toMatchObject({
      kind: 'unknown',
      reference: { resource: read.one('aws_subnet.a[1]'), attribute: 'id' },
    });
  });

  it.each([
    ['null', []],
    ['-1', ['aws_x.y[*]']],
    ['"2"', ['aws_x.y[0]', 'aws_x.y[1]']],
    ['"many"', ['aws_x.y[*]']],
  ])('of %s makes %j', (count, expected) => {
    expect(configurations(`resource "aws_x" "y" {\n  count = ${count}\n}`).addresses).toEqual(expected);
  });

  it('of 0 makes none', () => {
    expect(
      configurations('resource "aws_x" "y" {\n  count = var.on ? 1 : 0\n}\nvariable "on" {\n  default = false\n}')
        .addresses,
    ).toEqual([]);
  });

  it('leaves no choice in an instance where the condition is the same, in blocks and lists too', () => {
    const main = [
      'variable "on" {}\nvariable "big" {}',
      'resource "aws_x" "y" {\n  count = var.on ? 1 : 0\n  name = var.on ? "a" : "b"\n  size = var.on && var.big ? 2 : 1',
      '  names = [var.on ? "c" : "d"]\n  tags = { x = var.on ? "e" : null }\n  inner {\n    name = var.on ? "f" : "g"\n  }\n}',
      'module "m" {\n  source = "./m"\n  count = var.on ? 1 : 0\n  on = var.on\n}',
    ].join('\n');
    const read = configurations({
      'main.tf': main,
      'm/main.tf': 'variable "on" {}\nresource "aws_x" "z" {\n  name = var.on ? "a" : "b"\n}',
    });
    const shown = (...path: (string | number)[]) => read.show('aws_x.y[0]', ...path);
    expect([shown('name'), shown('names', 0), shown('tags', 'x'), shown('inner', 0, 'name')]).toEqual([
      'a',
      'c',
      'e',
      'f',
    ]);
    expect(read.value('aws_x.y[0]', 'size')).toMatchObject({ kind: 'choice' });
    expect(read.show('module.m[0].aws_x.z', 'name')).toBe('a');
  });

  it('that a condition decides makes an instance that exists under it', () => {
    const read = configurations(
      'variable "on" {}\nresource "aws_x" "y" {\n  count = var.on ? 1 : 0\n}\nresource "aws_x" "z" {\n  of = one(aws_x.y[*].id)\n}',
    );
    expect(read.addresses).toEqual(['aws_x.y[0]', 'aws_x.z']);
    expect(read.one('aws_x.y[0]').exists.text).toBe('var.on is true');
    const of = read.value('aws_x.z', 'of');
    expect(of.kind === 'choice' ? of.alternatives.map(({ when, value }) => [when.text, value.kind]) : of).toEqual([
      ['var.on is true', 'unknown'],
      ['var.on is false', 'absent'],
    ]);
  });

  it('tells what exists in any case from what does not', () => {
    const read = configurations('variable "on" {}\nresource "aws_x" "y" {\n  count = var.on ? 3 : 1\n}');
    expect(read.instances.map(({ address, exists }) => [address, exists.text])).toEqual([
      ['aws_x.y[0]', ''],
      ['aws_x.y[1]', 'var.on is true'],
      ['aws_x.y[2]', 'var.on is true'],
    ]);
  });

  it('that is not known makes one instance in the place of all', () => {
    const read = configurations(
      'variable "size" {}\nresource "aws_x" "y" {\n  count = var.size\n  name = "n-${count.index}"\n  fixed = 1\n}\nresource "aws_x" "z" {\n  of = aws_x.y[0].id\n}',
    );
    expect(read.addresses).toEqual(['aws_x.y[*]', 'aws_x.z']);
    expect(read.show('aws_x.y[*]', 'fixed')).toBe(1);
    expect(read.value('aws_x.y[*]', 'name')).toMatchObject({ kind: 'unknown', text: 'n-${count.index}' });
    expect(read.value('aws_x.z', 'of')).toMatchObject({
      kind: 'unknown',
      reference: { resource: read.one('aws_x.y[*]') },
    });
  });

  it('that nobody can mean makes one instance', () => {
    expect(configurations('resource "aws_x" "y" {\n  count = 1000000\n}').addresses).toEqual(['aws_x.y[*]']);
  });
});

describe('for_each', () => {
  it('makes instances by key', () => {
    const read = configurations(`locals {
  groups = { a = { size = 1 }, "b.c" = { size = 2 } }
}
resource "aws_x" "y" {
  for_each = local.groups
  name = each.key
  size = each.value.size
}
resource "aws_x" "z" {
  for_each = aws_x.y
  of = each.value.id
  size = aws_x.y[each.key].size
}
resource "aws_x" "all" {
  names = [for key, one in aws_x.y : one.name]
}`);
    expect(read.addresses).toEqual(['aws_x.y["a"]', 'aws_x.y["b.c"]', 'aws_x.z["a"]', 'aws_x.z["b.c"]', 'aws_x.all']);
    expect(read.show('aws_x.y["b.c"]')).toEqual({ name: 'b.c', size: 2 });
    expect(read.show('aws_x.z["a"]', 'size')).toBe(1);
    expect(read.value('aws_x.z["b.c"]', 'of')).toMatchObject({
      reference: { resource: read.one('aws_x.y["b.c"]'), attribute: 'id' },
    });
    expect(read.show('aws_x.all', 'names')).toEqual(['a', 'b.c']);
  });

  it.each([
    ['null', []],
    ['{}', []],
    ['toset([])', []],
    ['"a"', ['aws_x.y[*]']],
    ['["b", "a"]', ['aws_x.y["b"]', 'aws_x.y["a"]']],
    ['toset(["a", null])', ['aws_x.y["a"]']],
    ['toset(["a", var.name])', ['aws_x.y["a"]', 'aws_x.y[*]']],
    ['{ for i in range(2000) : "k${i}" => i }', ['aws_x.y[*]']],
    ['toset([for i in range(2000) : "k${i}"])', ['aws_x.y[*]']],
    ['merge({ a = 1 }, var.more)', ['aws_x.y["a"]', 'aws_x.y[*]']],
  ])('over %s makes %j', (forEach, expected) => {
    const declared = 'variable "name" {}\nvariable "more" {}\n';
    expect(configurations(`${declared}resource "aws_x" "y" {\n  for_each = ${forEach}\n}`).addresses).toEqual(expected);
  });

  it.each([
    ['toset(["a", var.on ? "b" : "c"])', ['"a" ', '"b" var.on is true', '"c" var.on is false']],
    ['toset(["a", var.on ? "b" : null])', ['"a" ', '"b" var.on is true']],
    [
      'toset([var.on ? "b" : "c", var.on ? "d" : "c"])',
      ['"b" var.on is true', '"d" var.on is true', '"c" var.on is false'],
    ],
    [
      'toset([var.on ? "a" : "b", var.of ? "a" : "c"])',
      [
        '"a" var.of is true and var.on is true',
        '"a" var.of is false and var.on is true',
        '"a" var.of is true and var.on is false',
        '"c" var.of is false',
        '"b" var.on is false',
      ],
    ],
  ])('over the set %s tells when each is there', (forEach, expected) => {
    const read = configurations(
      `variable "on" {}\nvariable "of" {}\nresource "aws_x" "y" {\n  for_each = ${forEach}\n}`,
    );
    expect(
      read.instances.map(({ address, exists }) => `${address.slice('aws_x.y['.length, -1)} ${exists.text}`),
    ).toEqual(expected);
  });

  it('over a set with too many conditions makes one instance in the place of all', () => {
    const items = Array.from({ length: 6 }, (_, index) => `var.v${index} ? "a${index}" : "b${index}"`);
    const declared = Array.from({ length: 6 }, (_, index) => `variable "v${index}" {}\n`).join('');
    const read = configurations(
      `${declared}resource "aws_x" "y" {\n  for_each = [${items.join(', ')}]\n  name = each.key\n}`,
    );
    expect(read.addresses).toEqual(['aws_x.y[*]']);
  });

  it('over a set gives the key as the value', () => {
    const read = configurations('resource "aws_x" "y" {\n  for_each = toset(["a", "b"])\n  name = each.value\n}');
    expect(read.addresses).toEqual(['aws_x.y["a"]', 'aws_x.y["b"]']);
    expect(read.show('aws_x.y["b"]', 'name')).toBe('b');
  });

  it('that a condition decides makes instances that exist under it', () => {
    const read = configurations(
      'variable "on" {}\nresource "aws_x" "y" {\n  for_each = var.on ? { a = 1, b = 2 } : { b = 3 }\n  value = each.value\n}',
    );
    expect(read.instances.map(({ address, exists }) => [address, exists.text])).toEqual([
      ['aws_x.y["a"]', 'var.on is true'],
      ['aws_x.y["b"]', ''],
    ]);
    expect(read.show('aws_x.y["b"]', 'value')).toEqual([2, 3]);
  });

  it('of which keys are not known makes one instance in the place of them', () => {
    const read = configurations(
      'variable "groups" {}\nresource "aws_x" "y" {\n  for_each = var.groups\n  size = each.value.size\n  fixed = 1\n}',
    );
    expect(read.addresses).toEqual(['aws_x.y[*]']);
    expect(read.show('aws_x.y[*]', 'fixed')).toBe(1);
    expect(read.value('aws_x.y[*]', 'size').kind).toBe('unknown');
  });
});

describe('resources', () => {
  it('that refer to each other in a circle are unknown there, with a word about it', () => {
    const read = configurations(
      'resource "aws_x" "a" {\n  of = aws_x.b.of\n}\nresource "aws_x" "b" {\n  of = aws_x.a.of\n}',
    );
    expect(read.value('aws_x.a', 'of').kind).toBe('unknown');
    expect(read.problems).toEqual(['warning main.tf:1:1 aws_x.a refers to itself']);
  });

  itWithAll('are many, and each is evaluated once', () => {
    const many = Array.from(
      { length: 3000 },
      (_, index) => `resource "aws_x" "r${index}" {\n  name = "\${var.a}-${index}"\n  all = aws_x.r0.name\n}`,
    ).join('\n');
    const elapsed = cpuTime();
    const read = configurations(`variable "a" {\n  default = "a"\n}\n${many}`);
    expect(read.show('aws_x.r2999')).toEqual({ name: 'a-2999', all: 'a-0' });
    for (const { attributes } of read.instances) expect(attributes.kind).toBe('known');
    expect(elapsed()).toBeLessThan(10_000);
  });
});

describe('an entry of which the key alone is not known', () => {
  const GROUPS = '{\n  a = { size = 1 }\n  (var.name) = { size = 2 }\n}';

  it('is one instance, of which all else is known', () => {
    const read = configurations(
      `variable "name" {}\nresource "aws_x" "y" {\n  for_each = {\n    "x-\${var.name}" = { size = 2 }\n    b = { size = 1 }\n  }\n  name = each.key\n  size = each.value.size\n}`,
    );
    expect(read.addresses).toEqual(['aws_x.y["b"]', 'aws_x.y["x-${var.name}"]']);
    expect(read.show('aws_x.y["x-${var.name}"]', 'size')).toBe(2);
    expect(read.value('aws_x.y["x-${var.name}"]', 'name')).toMatchObject({ kind: 'unknown', text: 'x-${var.name}' });
  });

  it.each([
    ['a local value', `locals {\n  groups = ${GROUPS}\n}\n`, 'local.groups'],
    ['a for', `locals {\n  groups = ${GROUPS}\n}\n`, '{ for k, v in local.groups : k => { size = v.size } }'],
  ])('keeps its value through %s', (_, before, forEach) => {
    const read = configurations(
      `variable "name" {}\n${before}resource "aws_x" "y" {\n  for_each = ${forEach}\n  size = each.value.size\n}`,
    );
    expect(read.addresses).toEqual(['aws_x.y["a"]', 'aws_x.y["${var.name}"]']);
    expect(read.show('aws_x.y["${var.name}"]', 'size')).toBe(2);
  });

  it('stands beside known ones through merge, which are what they are unless it has their key', () => {
    const read = configurations(
      `variable "name" {}\nlocals {\n  fixed = { a = { size = 1 } }\n  more = { (var.name) = { size = 2 }, "c-\${var.name}" = { size = 3 } }\n}\nresource "aws_x" "y" {\n  for_each = merge(local.fixed, local.more)\n  size = each.value.size\n}`,
    );
    expect(read.addresses).toEqual(['aws_x.y["a"]', 'aws_x.y["${var.name}"]', 'aws_x.y["c-${var.name}"]']);
    expect(read.show('aws_x.y["a"]', 'size')).toBe(1);
    expect(read.one('aws_x.y["a"]').exists.text).toBe('var.name is not "a"');
    expect(read.show('aws_x.y["${var.name}"]', 'size')).toBe(2);
    expect(read.show('aws_x.y["c-${var.name}"]', 'size')).toBe(3);
  });

  it('changes nothing of an entry that merge is given behind it', () => {
    const read = configurations(
      'variable "name" {}\nresource "aws_x" "y" {\n  for_each = merge({ (var.name) = 2 }, { a = 1 })\n  size = each.value\n}',
    );
    expect(read.show('aws_x.y["a"]', 'size')).toBe(1);
    expect(read.one('aws_x.y["a"]').exists.text).toBe('');
    expect(read.show('aws_x.y["${var.name}"]', 'size')).toBe(2);
  });

  it('is the last one that merge is given', () => {
    const read = configurations(
      'variable "name" {}\nresource "aws_x" "y" {\n  for_each = merge({ (var.name) = 1 }, { (var.name) = 2 })\n  size = each.value\n}',
    );
    expect(read.addresses).toEqual(['aws_x.y["${var.name}"]']);
    expect(read.show('aws_x.y["${var.name}"]', 'size')).toBe(2);
  });

  it('leads to the resource of the same key', () => {
    const read = configurations(
      `variable "name" {}\nlocals {\n  groups = ${GROUPS}\n}\nresource "aws_launch_template" "t" {\n  for_each = local.groups\n}\nresource "aws_x" "y" {\n  for_each = local.groups\n  template = aws_launch_template.t[each.key].id\n}`,
    );
    expect(read.value('aws_x.y["${var.name}"]', 'template')).toMatchObject({
      kind: 'unknown',
      reference: { resource: read.one('aws_launch_template.t["${var.name}"]'), attribute: 'id' },
    });
    expect(read.value('aws_x.y["a"]', 'template')).toMatchObject({
      kind: 'unknown',
      reference: { resource: read.one('aws_launch_template.t["a"]') },
    });
  });

  it('is one instance of a module, too', () => {
    const read = configurations({
      'main.tf':
        'variable "name" {}\nmodule "m" {\n  source   = "./m"\n  for_each = { (var.name) = 2 }\n  size     = each.value\n}',
      'm/main.tf': 'variable "size" {}\nresource "aws_x" "y" {\n  size = var.size\n}',
    });
    expect(read.addresses).toEqual(['module.m["${var.name}"].aws_x.y']);
    expect(read.show('module.m["${var.name}"].aws_x.y', 'size')).toBe(2);
  });
});
