import { parseExpression } from '../../../lib/languages/hcl/parser';
import { bare, expression, short } from './syntax-helpers';

const named = (name: string): object => ({ kind: 'variable', name });

describe('HCL expressions', () => {
  it.each([
    ['12', '12'],
    ['1.50', '1.5'],
    ['1e3', '1000'],
    ['25E-1', '2.5'],
    ['007', '7'],
    ['true', 'true'],
    ['null', 'null'],
    ['"a"', '"a"'],
    ['-1', '(- 1)'],
    ['!!a', '(! (! a))'],
    ['a-b', 'a-b'],
    ['a - b', '(- a b)'],
    ['a -1', '(- a 1)'],
    ['1-b', '(- 1 b)'],
    ['größe._x', 'größe._x'],
  ])('%s', (text, expected) => {
    expect(short(expression(text))).toBe(expected);
  });

  it.each([
    ['a || b && c == d < e + f * g', '(|| a (&& b (== c (< d (+ e (* f g))))))'],
    ['a * b + c < d == e && f || g', '(|| (&& (== (< (+ (* a b) c) d) e) f) g)'],
    ['a - b - c + d', '(+ (- (- a b) c) d)'],
    ['a / b % c', '(% (/ a b) c)'],
    ['a != b == c', '(== (!= a b) c)'],
    ['a >= b && c <= d', '(&& (>= a b) (<= c d))'],
    ['(a + b) * c', '(* (+ a b) c)'],
    ['-a.b + !c[0]', '(+ (- a.b) (! c[0]))'],
    ['a ? b : c ? d : e', '(if a b (if c d e))'],
    ['a ? b ? c : d : e', '(if a (if b c d) e)'],
    ['a == b ? c + 1 : d', '(if (== a b) (+ c 1) d)'],
  ])('operators bind as in HCL: %s', (text, expected) => {
    expect(short(expression(text))).toBe(expected);
  });

  it.each([
    ['var.a.b', 'var.a.b'],
    ['a[0].b["c"]', 'a[0].b["c"]'],
    ['a.0.b', 'a[0].b'],
    ['a[each.key].b', 'a[each.key].b'],
    ['f(x).y', 'f(x).y'],
    ['{ a = 1 }.a', '{"a":1}.a'],
    ['[1, 2][0]', '[1 2][0]'],
    ['f()', 'f()'],
    ['f(a, b,)', 'f(a b)'],
    ['f(a, b...)', 'f(a b...)'],
    ['f (\n  a,\n  b...\n)', 'f(a b...)'],
    ['provider::aws::arn_parse(a)', 'provider::aws::arn_parse(a)'],
  ])('references and calls: %s', (text, expected) => {
    expect(short(expression(text))).toBe(expected);
  });

  it.each([
    ['[]', '[]'],
    ['[1, 2,]', '[1 2]'],
    ['[\n  1, # one\n  2 // two\n]', '[1 2]'],
    ['{}', '{}'],
    ['{ a = 1, b : 2 }', '{"a":1 "b":2}'],
    ['{\n  a = 1\n  b = 2,\n\n  c : 3 }', '{"a":1 "b":2 "c":3}'],
    ['{ "a b" = 1, true = 2, null = 3, 4 = 5 }', '{"a b":1 "true":2 "null":3 4:5}'],
    ['{ (a) = 1, (a.b) = 2 }', '{a:1 a.b:2}'],
    ['{ a = x ? 1 : 2, b : c }', '{"a":(if x 1 2) "b":c}'],
    ['({ a = (1 +\n2)\nb = [\n3\n] })', '{"a":(+ 1 2) "b":[3]}'],
    ['(\na /* one */ + # two }\nb // three\n)', '(+ a b)'],
  ])('brackets: %s', (text, expected) => {
    expect(short(expression(text))).toBe(expected);
  });

  it('reads splats with all that follows them', () => {
    const a = named('a');
    const attribute = (name: string): object => ({ kind: 'attribute', name });
    const index = (value: number): object => ({ kind: 'index', key: { kind: 'literal', value } });
    expect(bare(expression('a[*].b[0].c'))).toEqual({
      kind: 'splat',
      of: a,
      rest: [attribute('b'), index(0), attribute('c')],
    });
    expect(bare(expression('a[*]'))).toEqual({ kind: 'splat', of: a, rest: [] });
    expect(bare(expression('a.*.b.0.c'))).toEqual({
      kind: 'splat',
      of: a,
      rest: [attribute('b'), index(0), attribute('c')],
    });
    expect(bare(expression('a[*].b[*].c'))).toEqual({
      kind: 'splat',
      of: a,
      rest: [attribute('b'), { kind: 'splat', rest: [attribute('c')] }],
    });
    // An index behind `.*` is of the list that it gives.
    expect(bare(expression('a.*.b[0]'))).toEqual({
      kind: 'index',
      of: { kind: 'splat', of: a, rest: [attribute('b')] },
      key: { kind: 'literal', value: 0 },
    });
    expect(bare(expression('a[*].b.*.c[0]'))).toEqual({
      kind: 'splat',
      of: a,
      rest: [attribute('b'), { kind: 'splat', rest: [attribute('c')] }, index(0)],
    });
  });

  it('reads for expressions', () => {
    const tuple = {
      kind: 'for',
      keyName: undefined,
      valueName: 'x',
      in: named('l'),
      key: undefined,
      value: named('x'),
      condition: undefined,
      groups: false,
    };
    expect(bare(expression('[for x in l : x]'))).toEqual(tuple);
    expect(bare(expression('[\n  for i, x in l :\n  x\n  if y\n]'))).toEqual({
      ...tuple,
      keyName: 'i',
      condition: named('y'),
    });
    expect(bare(expression('{ for k, v in l : k => v }'))).toEqual({
      ...tuple,
      keyName: 'k',
      valueName: 'v',
      key: named('k'),
      value: named('v'),
    });
    expect(bare(expression('{\n# by k\nfor v in l : k => v... if y }'))).toEqual({
      ...tuple,
      valueName: 'v',
      key: named('k'),
      value: named('v'),
      condition: named('y'),
      groups: true,
    });
  });

  it('gives ranges from the first to the last character, with parentheses', () => {
    const text = ' (a.b + [1]) * f(x)[0] ? "${c}" : d[*].e ';
    const slice = ({ range }: { readonly range: { readonly start: number; readonly end: number } }): string =>
      text.slice(range.start, range.end);
    const tree = expression(text);
    if (tree.kind !== 'conditional' || tree.test.kind !== 'binary' || tree.test.right.kind !== 'index')
      throw new Error(short(tree));
    expect(slice(tree)).toBe(text.trim());
    expect(slice(tree.test)).toBe('(a.b + [1]) * f(x)[0]');
    expect(slice(tree.test.left)).toBe('(a.b + [1])');
    expect(slice(tree.test.right.of)).toBe('f(x)');
    expect(slice(tree.test.right.key)).toBe('0');
    expect(slice(tree.yes)).toBe('"${c}"');
    expect(slice(tree.no)).toBe('d[*].e');
  });

  it('counts offsets from where the text is said to start', () => {
    expect(parseExpression('a + b', 100).value.range).toEqual({ start: 100, end: 105 });
    expect(parseExpression('a +', 100)).toEqual({
      value: { kind: 'invalid', text: 'a +', range: { start: 100, end: 103 } },
      problems: [{ message: 'expected a value, found the end of the text', offset: 103 }],
    });
  });

  it.each([
    ['', 0, 'expected a value, found the end of the text'],
    ['1.2.3', 0, '"1.2.3" is not a number'],
    ['a.0.1', 2, '".0.1" could be two indexes or a number; write "[0][1]"'],
    ['a.', 2, 'expected a name behind ".", found the end of the text'],
    ['a.*.*', 4, 'expected a name behind ".", found "*"'],
    ['f(a b)', 4, 'expected "," or ")" behind the argument, found "b"'],
    ['f(a... , b)', 7, 'expected ")" behind "...", found ","'],
    ['a::b', 4, 'expected "(" behind the name of a function, found the end of the text'],
    ['[1 2]', 3, 'expected "," or "]" behind the item, found "2"'],
    ['{ a = 1 b = 2 }', 8, 'expected a new line, "," or "}" behind the value, found "b"'],
    ['{ a, b }', 3, 'expected "=" behind the key, found ","'],
    ['[for x in l : a => x]', 16, 'expected a tuple, which has no keys, found "=>"'],
    ['{for x in l : x}', 15, 'expected "=>" behind the key, found "}"'],
    ['[for x l : x]', 7, 'expected "in", found "l"'],
    ['a ? b', 5, 'expected ":" and what holds otherwise, found the end of the text'],
    ['(a', 0, '"(" is not closed'],
    ['[a, (b]', 4, '"(" is not closed'],
    ['"a', 0, 'the text that starts here is not closed'],
    ["'a'", 0, 'expected a value, found "\'"'],
    ['a b', 2, 'expected nothing behind the value, found "b"'],
    ['a /* b', 2, 'expected nothing behind the value, found a comment that is not closed'],
    ['a & b', 2, 'expected nothing behind the value, found "&"'],
  ])('refuses %j', (text, offset, message) => {
    expect(parseExpression(text).problems).toEqual([{ offset, message }]);
    expect(parseExpression(text).value.kind).toBe('invalid');
  });
});
