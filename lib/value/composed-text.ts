import { beyondLimit, Hints, Known, LIMITS, Unknown, type Plain, type Source } from '.';

/** Texts put together from several places, of which not all need be known. */

/** Text of which parts are known: literals between values that are not. */
export class ComposedText extends Unknown {
  constructor(
    readonly pieces: readonly TextPart[],
    source: Source,
  ) {
    const unknown = pieces.filter((piece) => piece.kind === 'unknown');
    const [first] = unknown;
    super(
      first?.reason ?? 'it is composed of unknown parts',
      source,
      pieces.map((piece) => (piece.kind === 'known' ? piece.value : placeholder(piece))).join(''),
      unknown.every((piece) => piece.symbol !== undefined)
        ? pieces.map((piece) => (piece.kind === 'known' ? piece.value : `\${${piece.symbol ?? ''}}`)).join('')
        : undefined,
      undefined,
      unknown.some(({ hints }) => hints !== Hints.none) ? Hints.ofParts : Hints.none,
    );
  }

  override at(source: Source): ComposedText {
    return source === this.source ? this : new ComposedText(this.pieces, source);
  }
}

/** Part of a composed text; the source of a known one is the place where it stands. */
export type TextPart = Known<string> | Unknown;

/** Text that is known as a whole, but was put together from several places. */
export class JoinedText extends Known<string> {
  constructor(
    readonly pieces: readonly Known<string>[],
    source: Source,
    note: string | undefined,
  ) {
    super(pieces.map((piece) => piece.value).join(''), source, note);
  }
}

/** The base64 of a text that is known. */
export class Base64Text extends Known<string> {
  constructor(
    readonly decoded: Known<string>,
    source: Source,
  ) {
    super(Buffer.from(decoded.value).toString('base64'), source, decoded.note);
  }
}

/** The base64 of a text that is known in parts: which part of the base64 that makes unknown depends on lengths. */
export class UnknownBase64 extends Unknown {
  constructor(
    readonly decoded: Unknown,
    source: Source,
  ) {
    super(decoded.reason, source, undefined, decoded.symbol === undefined ? undefined : `base64(${decoded.symbol})`);
  }

  override at(source: Source): UnknownBase64 {
    return source === this.source ? this : new UnknownBase64(this.decoded, source);
  }
}

/** A text of data, such as JSON, of which the order of keys isn't known, because some keys aren't: as data it is the same as `ordered`. */
export class UnorderedText extends Unknown {
  constructor(
    readonly ordered: ComposedText,
    source: Source,
  ) {
    super(ordered.reason, source, undefined, ordered.symbol);
  }

  override at(source: Source): UnorderedText {
    return source === this.source ? this : new UnorderedText(this.ordered, source);
  }
}

/** How an unknown value shows within a text. */
export function placeholder(unknown: Unknown): string {
  return unknown.text ?? '${?}';
}

/** Why a text isn't put together. */
export const TOO_LONG = 'the text is longer than anything that is deployed';

/** How long a part makes a text, or the symbol that stands for it. */
function lengthOf(part: Plain<string>): number {
  if (part.kind === 'known') return part.value.length;
  return part.kind === 'unknown' ? Math.max(placeholder(part).length, part.symbol?.length ?? 0) : 0;
}

/** Joins pieces of text; a single unknown piece stays what it is, with its reference. */
export function compose(parts: readonly Plain<string>[], source: Source): Plain<string> {
  const pieces: TextPart[] = [];
  let note: string | undefined;
  let length = 0;
  for (const part of parts) {
    length += lengthOf(part);
    if (length > LIMITS.text || pieces.length > LIMITS.pieces) return beyondLimit(TOO_LONG, source);
    if (part.kind === 'known') {
      note ??= part.note;
      // One by one: a call with arguments for a push has no room for many thousands.
      if (part instanceof JoinedText) for (const piece of part.pieces) pieces.push(piece);
      else if (part.value !== '') pieces.push(part);
    } else if (part.kind === 'unknown') {
      if (part instanceof ComposedText) for (const piece of part.pieces) pieces.push(piece);
      else pieces.push(part);
    }
  }
  const [first] = pieces;
  if (pieces.length === 1 && first?.kind === 'unknown') return first.at(source);
  return pieces.every((piece) => piece.kind === 'known')
    ? new JoinedText(pieces, source, note)
    : new ComposedText(pieces, source);
}

/**
 * The parts of a text whose unknown pieces, such as the partition, can't have the sign between parts in them.
 * @param isName whether a piece is a name, a number or a domain that AWS makes
 * @returns undefined if the sign may be in one
 */
export function splitAround(
  text: Unknown,
  delimiter: string,
  source: Source,
  isName: (piece: Unknown) => boolean,
): readonly Plain<string>[] | undefined {
  if (!(text instanceof ComposedText) || /[\w.-]/.test(delimiter)) return undefined;
  const parts: TextPart[][] = [[]];
  for (const piece of text.pieces) {
    if (piece.kind === 'unknown') {
      if (!isName(piece)) return undefined;
      parts.at(-1)?.push(piece);
      continue;
    }
    const [first = '', ...others] = piece.value.split(delimiter);
    parts.at(-1)?.push(new Known(first, piece.source, piece.note));
    for (const other of others) parts.push([new Known(other, piece.source, piece.note)]);
  }
  return parts.map((pieces) => compose(pieces, source));
}
