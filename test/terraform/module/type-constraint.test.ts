import { converted, typeConstraint } from '../../../lib/terraform/module/type-constraint';
import { textsOf } from '../../../lib/terraform/module/secrets';
import { TerraformSet } from '../../../lib/terraform/terraform-value';
import { parsed, plain, scopeOf, valueOf } from '../evaluation/scopes';
import { evaluate } from '../../../lib/terraform/evaluation/evaluate';

const convert = (type: string, value: string) =>
  converted(valueOf(value), typeConstraint(parsed(type)), (expression) => evaluate(expression, scopeOf()));

describe('a value of a variable with a type', () => {
  it.each<[string, string, unknown]>([
    ['string', '1', '1'],
    ['string', 'true', 'true'],
    ['string', '"a"', 'a'],
    ['string', 'null', null],
    ['string', '[1]', [1]],
    ['string', 'var.x', { unknown: '${var.x}' }],
    ['string', 'var.x ? 1 : 2', { 'var.x is true': '1', 'var.x is false': '2' }],
    ['number', '"5"', 5],
    ['number', '"1e3"', 1000],
    ['number', '" "', ' '],
    ['number', '"a"', 'a'],
    ['number', 'true', true],
    ['bool', '"true"', true],
    ['bool', '"false"', false],
    ['bool', '"yes"', 'yes'],
    ['bool', '1', 1],
    ['any', '1', 1],
    ['nosuch', '1', 1],
    ['list', '[1, "a"]', [1, 'a']],
    ['map', '{ a = 1 }', { a: 1 }],
    ['list(string)', '[1, null]', ['1', null]],
    ['list(string)', '"a"', 'a'],
    ['set(string)', '["a", 1, "1", var.x, var.x]', ['a', '1', { unknown: '${var.x}' }, { unknown: '${var.x}' }]],
    ['set(list(number))', '[["1"], ["1"]]', [[1], [1]]],
    ['set(string)', '{ a = 1 }', { a: 1 }],
    ['map(string)', '{ a = 1, b = [2] }', { a: '1', b: [2] }],
    ['map(string)', '{ a = 1, (var.x) = 2 }', { a: { 'var.x is "a"': '2', 'var.x is not "a"': '1' }, '…': 'more' }],
    ['map(string)', '[1]', [1]],
    ['tuple()', '[1]', [1]],
    ['object()', '{ a = 1 }', { a: 1 }],
    ['list()', '[1, "a"]', [1, 'a']],
    ['tuple([string, number])', '[1, "2", "3"]', ['1', 2, '3']],
    ['tuple([string])', '"a"', 'a'],
    ['tuple(string)', '[1]', [1]],
    ['object({ a = string })', '{ a = 1, b = 2 }', { a: '1' }],
    ['object({ a = string })', '{}', { a: null }],
    ['object({ a = optional(string) })', '{}', { a: null }],
    ['object({ a = optional(string, 5) })', '{ a = null }', { a: '5' }],
    ['object({ a = optional(string, "x"), b = optional(number) })', '{ b = "1" }', { a: 'x', b: 1 }],
    ['object({ a = other(string, "x") })', '{}', { a: null }],
    ['object({ "a" = string })', '{ a = 1 }', { a: '1' }],
    ['object({ a = string })', '[1]', [1]],
    ['object(string)', '{ a = 1 }', { a: 1 }],
    ['"string"', '1', '1'],
    ['"list(string)"', '[1]', ['1']],
    ['list("string")', '[1]', [1]],
    ['1', '1', 1],
  ])('%s: %s', (type, value, expected) => {
    expect(plain(convert(type, value))).toEqual(expected);
  });

  it('is a set only where the type says so', () => {
    const kind = (type: string) => {
      const value = convert(type, '["a"]');
      return value.kind === 'known' && value.value instanceof TerraformSet;
    };
    expect([kind('set(string)'), kind('list(string)'), kind('tuple([string])')]).toEqual([true, false, false]);
  });

  it('tells where a default of an attribute comes from', () => {
    const value = convert('object({ a = optional(string, "x"), b = string })', '{ b = "c" }');
    const entries =
      value.kind === 'known' && typeof value.value === 'object' && 'entries' in value.value
        ? value.value.entries
        : new Map<string, never>();
    const note = (key: string) => {
      const entry = entries.get(key);
      return entry?.kind === 'known' ? entry.note : entry?.kind;
    };
    expect([note('a'), note('b')]).toEqual(['default of attribute a', undefined]);
  });
});

it('secrets are all texts and numbers of a value', () => {
  expect(textsOf(valueOf('["a", 1, true, null, { b = "c", d = ["e"] }, var.x]'))).toEqual(['a', '1', 'c', 'e']);
  expect(textsOf(valueOf('var.x ? "a" : ["b", "c"]'))).toEqual(['a', 'b', 'c']);
  expect(textsOf(valueOf('var.x'))).toEqual([]);
});
