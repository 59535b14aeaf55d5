import { TerraformMap, type TerraformItem, type TerraformValue } from '../../../lib/terraform/terraform-value';
import { Known, nowhere } from '../../../lib/value';
import { plain, valueOf } from './scopes';

const INVALID = expect.objectContaining({ invalid: expect.any(String) as string }) as unknown;
const OPEN = expect.objectContaining({ unknown: expect.any(String) as string }) as unknown;

describe('regular expressions', () => {
  it.each([
    [String.raw`regex("\\x7e", "a~")`, '~'],
    [String.raw`regex("\\x{1F600}", "a😀")`, '😀'],
    [String.raw`regex("\\x{41}", "A")`, 'A'],
    [String.raw`regex("\\~", "~")`, '~'],
    [String.raw`regex("\\é", "é")`, INVALID],
    [String.raw`regex("\\1", "1")`, INVALID],
    [String.raw`regex("\\Q", "1")`, OPEN],
    [String.raw`regexall("(?m)a$", "a\nba\nab")`, ['a', 'a']],
    [String.raw`regexall("(?m)^a", "a\nba\nab")`, ['a', 'a']],
    [String.raw`regexall("a$", "a\nba")`, ['a']],
    [String.raw`regexall("^a", "ab\na")`, ['a']],
    [String.raw`regexall("[a-]", "a-b")`, ['a', '-']],
    [String.raw`regexall("[-a]", "a-b")`, ['a', '-']],
    [String.raw`regexall("[^-a]", "a-b")`, ['b']],
    [String.raw`regexall("[a\\-c]", "abc-")`, ['a', 'c', '-']],
    [String.raw`regexall("[[:digit:]x]", "1xy")`, ['1', 'x']],
    [String.raw`regex("[[:nosuch:]]", "1")`, INVALID],
    [String.raw`regex("[[:^digit:]]", "1")`, OPEN],
    [String.raw`regex("[a", "a")`, INVALID],
    [String.raw`regex("[\\D]", "a")`, OPEN],
    [String.raw`regexall("\\D", "1a")`, ['a']],
    [String.raw`regexall("\\W", "a-")`, ['-']],
    [String.raw`regexall("\\S", "a ")`, ['a']],
    [String.raw`regexall("a\\Bb", "ab a")`, ['ab']],
    [String.raw`regex("\\pN", "a1")`, '1'],
    [String.raw`regex("\\p{Greek}", "aβ")`, 'β'],
    [String.raw`regex("\\P{Greek}", "βa")`, 'a'],
    [String.raw`regex("\\p{^Greek}", "a")`, OPEN],
    [String.raw`regex("a|", "b")`, ''],
    [String.raw`regex("*", "b")`, INVALID],
    [String.raw`regex("a{2}{3}", "aaaaaa")`, INVALID],
    [String.raw`regex("a*{2}", "aa")`, INVALID],
    [String.raw`regex("a{2,}{3}", "aaaaaa")`, INVALID],
    [String.raw`regex("a{2}{,3}", "aa{,3}")`, 'aa{,3}'],
  ])('%s', (expression, expected) => {
    expect(plain(valueOf(expression))).toEqual(expected);
  });
});

describe('texts that grow', () => {
  const long = (length: number) => `"${'a'.repeat(length)}"`;
  it.each([
    ['replace', (length: number) => `replace(${long(2000)}, "a", ${long(length)})`],
    ['replace with a pattern', (length: number) => `replace(${long(2000)}, "/a/", ${long(length)})`],
    ['join', (length: number) => `join(${long(length)}, split("", ${long(2001)}))`],
  ])('by %s are put together up to a limit', (_, expression) => {
    expect(valueOf(`length(${expression(1500)}) >= 3000000`)).toMatchObject({ kind: 'known', value: true });
    expect(valueOf(expression(2500))).toMatchObject({
      kind: 'unknown',
      reason: 'the text is longer than anything that is deployed',
    });
  });
});

describe('JSON', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  it.each([
    ['jsonencode', (levels: number) => `jsonencode(${nested(levels)})`],
    ['jsondecode', (levels: number) => `jsondecode("${nested(levels)}")`],
  ])('%s takes a hundred lists in each other, and no more', (_, expression) => {
    expect(valueOf(expression(100)).kind).toBe('known');
    expect(valueOf(expression(101))).toMatchObject({ kind: 'unknown', reason: 'it is nested too deeply' });
  });
});

describe('lists', () => {
  it.each([
    ['coalescelist(null, ["a"])', ['a']],
    ['coalescelist([], var.x)', OPEN],
    ['coalescelist(["a"], var.x)', ['a']],
    ['coalescelist({}, { a = 1 })', { a: 1 }],
    ['formatlist("%s-%s", ["a"], ["b", "c"])', INVALID],
    ['formatlist("%s-%s", ["a", "b"], ["c"])', INVALID],
    ['formatlist("%s-%s", ["a", "b"], var.x)', OPEN],
    ['slice(["a", "b"], 1, 1)', []],
    ['slice(["a", "b"], 2, 1)', INVALID],
    ['slice(["a", "b"], -1, 1)', INVALID],
    ['slice(["a", "b"], 0, 2)', ['a', 'b']],
    ['slice(toset(["a"]), 0, 1)', INVALID],
    ['concat(toset(["a"]), ["b"])', INVALID],
    ['flatten([toset(["b", "a"])])', ['a', 'b']],
    ['flatten([toset([{ a = 1 }, { b = 2 }])])', OPEN],
    ['flatten([var.on ? "a" : "b"])', [{ 'var.on is true': 'a', 'var.on is false': 'b' }]],
    ['flatten([var.on ? ["a"] : "b"])', OPEN],
    ['flatten([var.on ? var.x : "b"])', OPEN],
    ['flatten(["a", null, [[["b"]]]])', ['a', null, 'b']],
    ['distinct(["a", "b", "a", 1, "1"])', ['a', 'b', '1']],
    ['distinct([["a"], ["a"]])', OPEN],
    ['distinct(["a", var.x])', OPEN],
    ['distinct(["a", null, null])', ['a', null]],
  ])('%s', (expression, expected) => {
    expect(plain(valueOf(expression))).toEqual(expected);
  });
});

describe('format', () => {
  it.each([
    ['format("%.2f", 1.125)', OPEN],
    ['format("%.1f", 1.25)', OPEN],
    ['format("%.2f", 1.25)', '1.25'],
    ['format("%.1f", 1.26)', '1.3'],
    ['format("%.0f", 2.5)', OPEN],
    ['format("%f", 1)', '1.000000'],
    ['format("%+d", 5)', '+5'],
    ['format("% d", 5)', ' 5'],
    ['format("%+d", -5)', '-5'],
    ['format("%05d", -42)', '-0042'],
    ['format("%-5d|", 42)', '42   |'],
    ['format("%5s|", "ab")', '   ab|'],
    ['format("%.1s", "ab")', 'a'],
    ['format("%05s", "ab")', OPEN],
    ['format("%X", 255)', 'FF'],
    ['format("%b", 5)', '101'],
    ['format("%#x", 255)', OPEN],
    ['format("%d", 1.5)', INVALID],
  ])('%s', (expression, expected) => {
    expect(plain(valueOf(expression))).toEqual(expected);
  });
});

describe('branches of a condition', () => {
  it.each([
    ['true ? 1 : "a"', '1'],
    ['true ? true : "a"', 'true'],
    ['true ? [1, 2] : ["a"]', ['1', '2']],
    ['true ? [1, 2] : [3]', [1, 2]],
    ['true ? [1, "a", 2] : [3]', ['1', 'a', '2']],
    ['true ? [1, 2] : ["a", 3]', ['1', 2]],
    ['true ? [] : ["a"]', []],
    ['true ? { a = 1 } : { b = "x" }', { a: '1' }],
    ['true ? { a = 1 } : { b = 2 }', { a: 1 }],
    ['true ? { a = 1, b = 2 } : { a = "x", b = 3 }', { a: '1', b: 2 }],
    ['true ? 1 : var.x', 1],
    ['var.on ? 1 : "a"', { 'var.on is true': '1', 'var.on is false': 'a' }],
    ['true ? 1 : (var.on ? "a" : 2)', '1'],
    ['tolist([1, "a", null])', ['1', 'a', null]],
    ['tomap({ a = 1, b = "x" })', { a: '1', b: 'x' }],
  ])('%s', (expression, expected) => {
    expect(plain(valueOf(expression))).toEqual(expected);
  });
});

describe('the note of a map', () => {
  const map = (note: string | undefined, inner?: string): TerraformValue =>
    new Known<TerraformItem>(
      new TerraformMap(new Map([['x', new Known<TerraformItem>(1, nowhere, inner)]])),
      nowhere,
      note,
    );
  const noteOf = (values: Record<string, TerraformValue>) => {
    const found = valueOf('merge(local.a, local.b).x', values);
    return found.kind === 'known' ? found.note : found.kind;
  };
  const empty = new Known<TerraformItem>(new TerraformMap(new Map()), nowhere);

  it('is that of its entries, which have their own first', () => {
    expect(noteOf({ 'local.a': map('of the map'), 'local.b': empty })).toBe('of the map');
    expect(noteOf({ 'local.a': map('of the map', 'of x'), 'local.b': empty })).toBe('of x');
    expect(noteOf({ 'local.a': map(undefined), 'local.b': empty })).toBeUndefined();
    expect(noteOf({ 'local.a': map('first'), 'local.b': map('second') })).toBe('second');
  });
});

describe('a condition that is not known', () => {
  it.each([
    ['[1] ? 1 : 2', INVALID],
    ['"x" ? 1 : 2', INVALID],
    ['null ? 1 : 2', INVALID],
    ['(var.a > var.b) ? 1 : 1', 1],
    ['var.x == "" ? [for y in ["a"] : y == "" ? 1 : 2] : []', { 'var.x is ""': [2], 'var.x is not ""': [] }],
  ])('%s', (expression, expected) => {
    expect(plain(valueOf(expression))).toEqual(expected);
  });
});
