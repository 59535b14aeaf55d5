import { parseHcl } from '../../../lib/languages/hcl/parser';
import type { Block } from '../../../lib/languages/hcl/ast';
import { body, problemsOf, short } from './syntax-helpers';

/** Attributes and blocks as `name=value` and `type label{…}`. */
function outline({ attributes, blocks }: Block['body']): string {
  return [
    ...attributes.map(({ name, value }) => `${name}=${short(value)}`),
    ...blocks.map((block) => `${[block.type, ...block.labels].join(' ')}{${outline(block.body)}}`),
  ].join(' ');
}

describe('HCL files', () => {
  it('are attributes and blocks', () => {
    const text = [
      '# A cluster.',
      'resource "aws_eks_cluster" "main" {',
      '  name = "main" // its name',
      '  /* two',
      '     lines */',
      '  vpc_config {',
      '    subnet_ids = [',
      '      aws_subnet.a.id,',
      '    ]',
      '  }',
      '  timeouts { create = "1h" }',
      '  empty {}',
      '}',
      '',
      'locals {',
      '}',
      'bare label "and \\"quoted\\"" { }',
      'region = "eu-west-1"',
    ].join('\n');
    const expected =
      'region="eu-west-1" resource aws_eks_cluster main{name="main" vpc_config{subnet_ids=[aws_subnet.a.id]} timeouts{create="1h"} empty{}} locals{} bare label and "quoted"{}';
    expect(outline(body(text))).toBe(expected);
    expect(outline(body(text.replaceAll('\n', '\r\n')))).toBe(expected);
    expect(outline(body(`${text}\n# the end`))).toBe(expected);
  });

  it('give ranges of names, heads and bodies, which a byte order mark shifts', () => {
    for (const mark of ['', '\ufeff']) {
      const text = `${mark}a = 1\nresource "x" y {\n  b = 2\n}\n`;
      const file = body(text);
      const [block] = file.blocks;
      const slice = (range: { readonly start: number; readonly end: number } | undefined): string =>
        text.slice(range?.start, range?.end);
      expect(file.range).toEqual({ start: 0, end: text.length });
      expect(slice(file.attributes[0]?.nameRange)).toBe('a');
      expect(slice(file.attributes[0]?.value.range)).toBe('1');
      expect(slice(block?.headRange)).toBe('resource "x" y');
      expect(slice(block?.body.range)).toBe('{\n  b = 2\n}');
    }
  });

  it.each([
    ['an empty file', '', ''],
    ['only a comment', '// nothing', ''],
    ['no newline at the end', 'a = 1', 'a=1'],
    ['a value that goes on within brackets', 'a = (1 +\n2)\nb = f(\n3)', 'a=(+ 1 2) b=f(3)'],
    ['names like keywords', 'for = true\nif = in\nnull {}', 'for=true if=in null{}'],
    ['a heredoc as value of an object', 'a = {\n  b = <<EOT\nx }\nEOT\n  c = 1\n}', 'a={"b":"x }\\n" "c":1}'],
  ])('read %s', (_, text, expected) => {
    expect(outline(body(text))).toBe(expected);
  });

  // The second attribute or block is read whatever the first one is.
  it.each([
    ['a = \nz = 1', ['1:5 expected a value, found the end of the line'], 'a=invalid<> z=1'],
    ['a = 1 +\nz = 1', ['1:8 expected a value, found the end of the line'], 'a=invalid<1 +> z=1'],
    ['a = [1, 2\nz = 1', ['1:5 "[" is not closed'], 'a=invalid<[1, 2> z=1'],
    ['a = [\n1 2\n]\nz = 1', ['2:3 expected "," or "]" behind the item, found "2"'], 'a=invalid<[\n1 2\n]> z=1'],
    ['a = f({\n  x = (1\n})\nz = 1', ['2:7 "(" is not closed'], 'a=invalid<f({\n  x = (1\n})> z=1'],
    ['a = "x\nz = "1"', ['1:5 the text that starts here is not closed'], 'a=invalid<"x> z="1"'],
    ['a = "${b"\nz = "1"', ['1:5 the text that starts here is not closed'], 'a=invalid<"${b"> z="1"'],
    ['a = "${b c}"\nz = 1', ['1:10 expected "}" behind the interpolation, found "c"'], 'a=invalid<"${b c}"> z=1'],
    [
      'a = <<EOT\n${b c}\nEOT\nz = 1',
      ['2:5 expected "}" behind the interpolation, found "c"'],
      'a=invalid<<<EOT\n${b c}\nEOT> z=1',
    ],
    ['a = <<EOT\nb = "${c"\nEOT\nz = 1', ['2:6 "${" is not closed'], 'a=invalid<<<EOT\nb = "${c"\nEOT> z=1'],
    ['a = 1, b = 2\nz = 1', ['1:6 expected a new line, found ","'], 'a=1 z=1'],
    ['a 1\nz = 1', ['1:3 expected "{" or a label of a block, or "=" and a value, found "1"'], 'z=1'],
    ['"a" = 1\nz = 1', ['1:1 expected an argument or a block, found the text that starts here'], 'z=1'],
    ['a: 1\nz = 1', ['1:2 expected "{" or a label of a block, or "=" and a value, found ":"'], 'z=1'],
    ['}\nz = 1', ['1:1 expected an argument or a block, found "}"'], 'z=1'],
    ['a = 1\na = 2\nz = 1', ['2:1 "a" is set twice in one block; only the first counts'], 'a=1 z=1'],
    ['a = "\\q"\nz = 1', ['1:6 "\\q" escapes nothing; a backslash is written "\\\\"'], 'a="q" z=1'],
    ['a "${b}" {\n}\nz = 1', ['1:4 a label can contain no interpolation or directive'], 'z=1'],
    ['a {\n  b = @\n  c = 1\n}\nz = 1', ['2:7 expected a value, found "@"'], 'z=1 a{b=invalid<@> c=1}'],
    ['a {\n  b = [\n}\nz = 1', ['2:7 "[" is not closed'], 'z=1 a{b=invalid<[>}'],
    ['a {\n  b = 1\n\nz {\n  c = 1\n}\n', ['1:3 this block is not closed'], 'a{b=1} z{c=1}'],
    ['a {\n  b = {\n    c = 1\n}\nz {\n  c = 1\n}\n', ['1:3 this block is not closed'], 'a{b={"c":1}} z{c=1}'],
    [
      'a { b = 1, c = 2 }\nz = 1',
      [
        '1:10 expected "}" behind the one argument of a block in one line, found ","',
        '1:18 expected a new line, found "}"',
      ],
      'z=1 a{b=1 c=2}',
    ],
    [
      'a { b = 1\n}\nz = 1',
      ['1:10 expected "}" behind the one argument of a block in one line, found the end of the line'],
      'z=1 a{b=1}',
    ],
    ['a { b { } }\nz = 1', ['1:5 a block within a block stands in a line of its own'], 'z=1 a{b{}}'],
    ['a {} z = 1\ny = 1', ['1:6 expected a new line, found "z"'], 'y=1 a{}'],
    [
      'z = 1\n/* never closed\na = 1',
      ['2:1 expected an argument or a block, found a comment that is not closed'],
      'z=1',
    ],
    ['z = 1\na = "\\', ['2:5 the text that starts here is not closed'], 'z=1 a=invalid<"\\>'],
    ['z = 1\na = <<EOT\nEOT', ['2:5 the text that starts here is not closed'], 'z=1 a=invalid<<<EOT\nEOT>'],
  ])('go on behind what can not be read: %j', (text, problems, expected) => {
    expect(problemsOf(text)).toEqual(problems);
    const file = parseHcl(text).body;
    expect(outline(file)).toBe(expected);
    for (const { value } of file.attributes) expect(value.range.end).toBeLessThanOrEqual(text.length);
  });
});
