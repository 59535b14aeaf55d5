import { columnOf, contentStart, hasBorrowedKeys, isInBrackets, topLevelOf } from '../../lib/text/top-level';

describe('the top level of a text', () => {
  it.each([
    ['a: 1'],
    ['\n  a: 1'],
    ['# a comment: 1\na: 1'],
    ['%YAML 1.2\n---\na: 1'],
    ['{{- if .Values.on }}\n{% if on %}\na: 1'],
    ['!!map\na: 1'],
    ['&all\na: 1'],
    ['&all # of it\n  a: 1'],
    ['---\n# more\n---\na: 1'],
  ])('begins in %j with the key', (text) => {
    expect(text.slice(contentStart(text))).toMatch(text.includes('# of it') ? /^&all/ : /^a: 1/);
  });

  it.each([
    ['---a: 1', '---a'],
    ['!tag a: 1', '!tag'],
    ['&name', '&name'],
    ['{a: 1}', '{a'],
    ['!tag [1]', '[1]'],
    ['', ''],
  ])('begins in %j with %j', (text, start) => {
    expect(text.slice(contentStart(text)).startsWith(start)).toBe(true);
    expect(contentStart(text)).toBe(text.indexOf(start));
  });

  it.each([
    ['a: 1\nb:\n  c: 2', 'a: 1\nb:\n  c: 2'],
    ['  a: 1\n  b:\n    c: 2', 'a: 1\nb:\n  c: 2'],
    ['\uFEFF  a: 1\n  b: 2', 'a: 1\nb: 2'],
    ['# of it\n  a: 1\n  b: 2', '# of it\na: 1\nb: 2'],
    ['  {\n  "a": 1 }', '  {\n  "a": 1 }'],
    ['  "\\u0061": 1\n  "\\x62": 2', '"a": 1\n"b": 2'],
    ['  "a\\\n   b": 1', '"ab": 1'],
  ])('of %j is %j', (text, expected) => {
    expect(topLevelOf(text)).toBe(expected);
  });

  it.each([
    ['{"a": 1}', true],
    ['# JSON\n[1]', true],
    ['a: 1\n---\n{"a": 1}', true],
    ['a: 1\n--- [1]', true],
    ['a: 1\n---[1]', false],
    ['a: 1\n[1]', true],
    ['a: 1\n{{ it }}', false],
    ['a: 1\n--- {% it %}', false],
    ['a: {b: 1}', false],
    ['a: 1\n  [1]', false],
  ])('of %j is in brackets: %s', (text, expected) => {
    expect(isInBrackets(text)).toBe(expected);
  });

  it.each([
    ['<<: *other', true],
    ['a: 1\n*key : 2', true],
    ['*key: 2', true],
    ['a: *other', false],
    ['a:\n  <<: *other', false],
    ['*a, b: 1', false],
  ])('of %j may have keys from elsewhere: %s', (text, expected) => {
    expect(hasBorrowedKeys(text)).toBe(expected);
  });

  it('stands at a column', () => {
    expect([columnOf('ab', 0), columnOf('ab', 1), columnOf('a\nbc', 2), columnOf('a\nbc', 3)]).toEqual([0, 1, 0, 1]);
  });
});
