import {
  Base64Text,
  compose,
  ComposedText,
  JoinedText,
  placeholder,
  TOO_LONG,
  UnknownBase64,
  UnorderedText,
} from '../../lib/value/composed-text';
import {
  Absent,
  always,
  Known,
  LIMITS,
  nowhere,
  sourceOf,
  Unknown,
  withLimits,
  type Plain,
  type Source,
} from '../../lib/value';
import { whileExists } from '../../lib/value/while-exists';
import { decided } from './conditions';

const elsewhere: Source = { ...nowhere, locate: () => ({ file: 'b.tf', line: 2, column: 1 }) };
const known = (text: string, note?: string) => new Known(text, nowhere, note);
const unknown = (name: string, symbol?: string) => new Unknown(`${name} has no value`, nowhere, `\${${name}}`, symbol);
const pieces = (text: Plain<string>) =>
  text instanceof ComposedText || text instanceof JoinedText
    ? text.pieces.map((piece) => (piece.kind === 'known' ? piece.value : placeholder(piece)))
    : text.kind;

describe('a text that is put together', () => {
  it('is known if all of it is, with the first note, and remembers its pieces', () => {
    const text = compose([known('a'), known(''), known('b', 'first'), known('c', 'second')], nowhere);
    expect(text).toMatchObject({ kind: 'known', value: 'abc', note: 'first' });
    expect(pieces(text)).toEqual(['a', 'b', 'c']);
    expect(pieces(compose([known('x'), text], elsewhere))).toEqual(['x', 'a', 'b', 'c']);
    expect(pieces(compose([], nowhere))).toEqual([]);
  });

  it('shows what is not known of it, and has the symbol of all that is not', () => {
    const text = compose([known('a-'), unknown('var.b', 'root/b'), known('-c')], nowhere);
    expect(text).toMatchObject({
      kind: 'unknown',
      text: 'a-${var.b}-c',
      symbol: 'a-${root/b}-c',
      reason: 'var.b has no value',
    });
    expect(compose([text, unknown('var.d')], nowhere)).toMatchObject({
      text: 'a-${var.b}-c${var.d}',
      symbol: undefined,
    });
    expect(pieces(compose([text, unknown('var.d')], nowhere))).toEqual(['a-', '${var.b}', '-c', '${var.d}']);
    expect(compose([known('a'), new Unknown('nobody knows', nowhere)], nowhere)).toMatchObject({ text: 'a${?}' });
  });

  it('is the one piece that it has, where that stands, and without those that are absent', () => {
    const one = compose([known(''), unknown('var.b'), new Absent(nowhere)], elsewhere);
    expect(one).not.toBeInstanceOf(ComposedText);
    expect(one).toMatchObject({ kind: 'unknown', text: '${var.b}', source: elsewhere });
  });

  it('is no longer than a limit, of text or of pieces', () => {
    const { result, beyond } = withLimits(() => [
      compose([known('a'.repeat(LIMITS.text))], nowhere),
      compose([known('a'.repeat(LIMITS.text)), unknown('b')], nowhere),
      compose(Array<Plain<string>>(LIMITS.pieces + 2).fill(known('a')), nowhere),
      compose(
        [known('a'.repeat(LIMITS.text - 10)), new Unknown('', nowhere, '${b}', 'a symbol that is long')],
        nowhere,
      ),
    ]);
    expect(result.map((text) => (text.kind === 'unknown' ? text.reason : text.kind))).toEqual([
      'known',
      TOO_LONG,
      TOO_LONG,
      TOO_LONG,
    ]);
    expect(beyond).toHaveLength(3);
  });
});

describe('at another place', () => {
  const composed = compose([known('a'), unknown('b', 'root/b')], nowhere) as ComposedText;

  it.each([
    ['a composed text', composed],
    ['base64 of what is not known', new UnknownBase64(composed, nowhere)],
    ['data of which the order is not known', new UnorderedText(composed, nowhere)],
  ])('%s stays what it is', (_, text) => {
    const moved = text.at(elsewhere);
    expect(moved).toBeInstanceOf(text.constructor);
    expect(moved).toEqual(
      Object.assign(Object.create(Object.getPrototypeOf(text) as object) as object, text, { source: elsewhere }),
    );
    expect(text.at(nowhere)).toBe(text);
  });

  it('base64 has the symbol of what it encodes, if that has one', () => {
    expect(new UnknownBase64(composed, nowhere).symbol).toBe('base64(a${root/b})');
    expect(new UnknownBase64(unknown('b'), nowhere).symbol).toBeUndefined();
    expect(new Base64Text(known('a', 'a note'), nowhere)).toMatchObject({ value: 'YQ==', note: 'a note' });
  });
});

describe('what a resource under a condition says', () => {
  it('is absent while the condition does not hold', () => {
    const prod = decided({ A: true });
    const value = whileExists(prod, known('a'));
    expect(
      value.kind === 'choice' ? value.alternatives.map(({ when, value: one }) => [when.text, one.kind]) : value.kind,
    ).toEqual([
      ['A is true', 'known'],
      ['A is false', 'absent'],
    ]);
    expect(sourceOf(value)).toBe(nowhere);
    const same = known('a');
    expect(whileExists(always, same)).toBe(same);
  });
});
