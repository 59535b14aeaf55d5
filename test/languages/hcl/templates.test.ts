import type { Expression, TemplatePart } from '../../../lib/languages/hcl/ast';
import { parseExpression, parseTemplate } from '../../../lib/languages/hcl/parser';
import { expression, firstValue, short, template } from './syntax-helpers';

/** A template with its texts in quotes and its sequences in braces. */
function parts(tree: Expression | undefined): string {
  if (tree?.kind === 'literal') return JSON.stringify(tree.value);
  return tree?.kind === 'template' ? tree.parts.map(part).join(' ') : 'no template';
}

function part(item: TemplatePart): string {
  switch (item.kind) {
    case 'text':
      return JSON.stringify(item.text);
    case 'interpolation':
      return `{${short(item.value)}}`;
    case 'if':
      return `{if ${short(item.test)}: ${item.yes.map(part).join(' ')}; ${item.no.map(part).join(' ')}}`;
    case 'for':
      return `{for ${item.keyName ?? ''} ${item.valueName} ${short(item.in)}: ${item.parts.map(part).join(' ')}}`;
  }
}

describe('quoted templates', () => {
  it.each([
    [String.raw`""`, '""'],
    [String.raw`"a\n\r\t\"\\b"`, JSON.stringify('a\n\r\t"\\b')],
    [String.raw`"\u00e9\U0001F600"`, JSON.stringify('é😀')],
    ['"$${a} %%{b}"', '"${a} %{b}"'],
    ['"$$${a}"', '"$${a}"'],
    ['"$ $a $$ % 100%"', '"$ $a $$ % 100%"'],
    ['"# // /* */"', '"# // /* */"'],
    ['"e\u0301"', '"é"'],
  ])('literal %s', (text, expected) => {
    expect(parts(expression(text))).toBe(expected);
    expect(expression(text).kind).toBe('literal');
  });

  it.each([
    ['"${a}"', '{a}'],
    ['"${a}-${b.c}"', '{a} "-" {b.c}'],
    [
      '"x${ "y${z}" }"',
      '"x" ' +
        '{{"kind":"template","parts":[{"kind":"text","text":"y"},{"kind":"interpolation","value":{"kind":"variable","name":"z"}}]}}',
    ],
    ['"${ { a = "}" }["a"] }"', '{{"a":"}"}["a"]}'],
    ['"${\n  a # }\n}"', '{a}'],
    ['"a  ${~ b ~}  c"', '"a" {b} "c"'],
    [String.raw`"a \n ${'${~'} b ~} \t c"`, '"a" {b} "c"'],
    // A text that was trimmed to nothing still makes a text of the value.
    ['" ${~ a}"', '"" {a}'],
    ['"%{ if a }b%{ else }c%{ endif }"', '{if a: "b"; "c"}'],
    ['"%{ if a ~} b %{~ endif }"', '{if a: "b"; }'],
    ['"%{ for x in y }${x},%{ endfor }"', '{for  x y: {x} ","}'],
    ['"%{for k, v in y}%{if k}${v}%{endif}%{endfor}"', '{for k v y: {if k: {v}; }}'],
  ])('%s', (text, expected) => {
    expect(parts(expression(text))).toBe(expected);
  });

  it.each([
    [String.raw`"a\qb"`, 2, '"\\q" escapes nothing; a backslash is written "\\\\"'],
    [String.raw`"\u12"`, 1, '"\\u12" is not a character: "\\u" takes four hexadecimal digits, "\\U" eight'],
    [String.raw`"\ud83d"`, 1, '"\\ud83d" is not a character: "\\u" takes four hexadecimal digits, "\\U" eight'],
    [String.raw`"\UFFFFFFFF"`, 1, '"\\UFFFFFFFF" is not a character: "\\u" takes four hexadecimal digits, "\\U" eight'],
    ['"${a b}"', 5, 'expected "}" behind the interpolation, found "b"'],
    ['"${VAR:-x}"', 6, 'expected "}" behind the interpolation, found ":"'],
    ['"%{ unless a }%{ endif }"', 4, 'expected if, else, endif, for or endfor, found "unless"'],
    ['"%{ if a }b"', 1, 'this "if" has no "endif"'],
    ['"%{ endif }"', 1, '"endif" without the directive that it belongs to'],
    ['"%{ if a }%{ endfor }"', 10, 'expected "endif", found "endfor"'],
    ['"%{ for a in b }%{ else }%{ endfor }"', 16, 'expected "endfor", found "else"'],
  ])('problems of %s', (text, offset, message) => {
    expect(parseExpression(text).problems).toEqual([{ offset, message }]);
  });
});

describe('heredocs', () => {
  it.each([
    ['v = <<EOT\nfoo\n  bar\nEOT\n', '"foo\\n  bar\\n"'],
    ['v = <<EOT\nEOT\n', '""'],
    ['v = <<EOT\r\nfoo\r\nEOT\r\n', '"foo\\r\\n"'],
    ['v = <<E-1\nE\n  E-1  \n', '"E\\n"'],
    ['v = <<EOT\n"a" \\n \\ $${b} %%{c} # d\nEOT\n', JSON.stringify('"a" \\n \\ ${b} %{c} # d\n')],
    ['v = <<EOT\na ${b}\n${c} EOT\nEOT\n', '"a " {b} "\\n" {c} " EOT\\n"'],
    ['v = <<EOT\n${a}\nEOT\n', '{a} "\\n"'],
    ['v = <<EOT\n%{ for x in y ~}\n  - ${x}\n%{ endfor ~}\nz\nEOT\n', '{for  x y: "  - " {x} "\\n"} "z\\n"'],
    ['v = <<-EOT\n    a\n      b\n\n    c\n  EOT\n', '"a\\n  b\\n\\nc\\n"'],
    ['v = <<-EOT\n\ta\n\t\tb\nEOT\n', '"a\\n\\tb\\n"'],
    // Lines of blanks keep them, and don't count.
    ['v = <<-EOT\n    a\n  \n    b\nEOT\n', '"a\\n  \\nb\\n"'],
    ['v = <<-EOT\n    a ${b}\n  ${c}\nEOT\n', '"  a " {b} "\\n" {c} "\\n"'],
    // An interpolation at the margin leaves nothing to strip.
    ['v = <<-EOT\n    a\n${b}\nEOT\n', '"    a\\n" {b} "\\n"'],
    // `~}` takes the newline, so that the next line doesn't count as one: HCL does the same.
    ['v = <<-EOT\n  %{ if a ~}\n    b\n  %{ endif ~}\n  c\nEOT\n', '"" {if a: "    b\\n"; } "  c\\n"'],
  ])('%j', (text, expected) => {
    expect(parts(firstValue(text))).toBe(expected);
  });

  it('ends in a line of its own, behind which arguments go on', () => {
    expect(short(firstValue('v = [<<A\na\nA\n, f(<<-B\n  b\n  B\n)]\n'))).toBe('["a\\n" f("b\\n")]');
    expect(short(firstValue('v = "${<<A\na\nA\n}"'))).toBe(
      '{"kind":"template","parts":[{"kind":"interpolation","value":{"kind":"literal","value":"a\\n"}}]}',
    );
  });

  it('has a range up to its marker', () => {
    const text = 'v = <<EOT\n  a ${b}\n  EOT\nw = 1\n';
    const value = firstValue(text);
    expect(text.slice(value?.range.start, value?.range.end)).toBe('<<EOT\n  a ${b}\n  EOT');
    if (value?.kind !== 'template') throw new Error('no template');
    const [a, b] = value.parts;
    expect(a).toEqual({ kind: 'text', text: '  a ', range: { start: 10, end: 14 } });
    expect(b).toEqual({ kind: 'interpolation', value: { kind: 'variable', name: 'b', range: { start: 16, end: 17 } } });
  });
});

it('counts the offset of text in a <<- heredoc from behind what is stripped', () => {
  const value = firstValue('v = <<-EOT\n    a ${b}\n      c\n  EOT\n');
  if (value?.kind !== 'template') throw new Error('no template');
  expect(value.parts.map((item) => item.kind === 'text' && item.range)).toEqual([
    { start: 15, end: 17 },
    false,
    { start: 21, end: 30 },
  ]);
});

describe('templates of JSON configuration', () => {
  it.each([
    ['', '""'],
    ['plain "text"\\n', JSON.stringify('plain "text"\\n')],
    ['${a}', '{a}'],
    ['a ${b["c"]} $${d} $', '"a " {b["c"]} " ${d} $"'],
    ['%{ if a ~}\n  b%{ else }c%{ endif }', '{if a: "  b"; "c"}'],
    ['a\n${~ b ~}\n c', '"a" {b} " c"'],
  ])('%j', (text, expected) => {
    expect(parts(template(text))).toBe(expected);
  });

  it('counts offsets from where the text is said to start', () => {
    const { value } = parseTemplate('a${b}', 50);
    expect(value).toEqual({
      kind: 'template',
      range: { start: 50, end: 55 },
      parts: [
        { kind: 'text', text: 'a', range: { start: 50, end: 51 } },
        { kind: 'interpolation', value: { kind: 'variable', name: 'b', range: { start: 53, end: 54 } } },
      ],
    });
    expect(parseTemplate('a${b', 50)).toEqual({
      value: { kind: 'invalid', text: 'a${b', range: { start: 50, end: 54 } },
      problems: [{ message: '"${" is not closed', offset: 51 }],
    });
  });
});
