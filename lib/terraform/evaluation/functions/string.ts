import { Known, LIMITS, Unknown, type Plain, type Source } from '../../../value';
import { ComposedText, JoinedText, splitAround, TOO_LONG, type TextPart } from '../../../value/composed-text';
import { TerraformList } from '../../terraform-value';
import { join as joinTexts, textOf } from '../texts';
import { derived } from '../unknowns';
import {
  ANY_NUMBER,
  CallBeyondLimit,
  CallFailure,
  CallUnknown,
  known,
  parts,
  whole,
  type Call,
  type Functions,
  type Result,
} from './function';

/** Blanks as Go's `unicode.IsSpace` has them. */
const BLANK = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING_BLANKS = new RegExp(`^[${BLANK}]+`);
const BLANK_CHARACTER = new RegExp(`[${BLANK}]`);

const BEYOND_ASCII = /[a-zA-Z]+|[^\0-\x7F]/gu;

/** Letters that are written with several capital ones, and have no capital letter of their own: Go leaves them. */
const WITHOUT_CAPITAL = /^[ßŉǰΐΰևẖ-ẚﬀ-ﬆﬓ-ﬗ]$/u;

/** Letters whose form in titles isn't that of capital letters. */
const WITH_TITLE_FORM = /^[\u01C4-\u01CC\u01F1-\u01F3\u10D0-\u10FF]$/u;

/** Go changes letter by letter, where JavaScript knows words and languages. */
function upperLetter(letters: string): string {
  if (WITHOUT_CAPITAL.test(letters)) return letters;
  const upper = letters.toUpperCase();
  if (Array.from(upper).length !== Array.from(letters).length)
    throw new CallUnknown('capital letters of other scripts are not looked up');
  return upper;
}

function lowerLetter(letters: string): string {
  return letters === 'İ' ? 'i' : letters.toLowerCase();
}

function titleLetter(letter: string): string {
  if (WITH_TITLE_FORM.test(letter)) throw new CallUnknown('capital letters of other scripts are not looked up');
  return upperLetter(letter);
}

export const STRINGS: Functions = {
  upper: eachPiece((text) => text.replace(BEYOND_ASCII, upperLetter)),
  lower: eachPiece((text) => text.replace(BEYOND_ASCII, lowerLetter)),
  title: whole(1, 1, (call) => call.text(0).replace(/(?<![\p{L}\p{N}_])\p{L}/gu, titleLetter)),
  strrev: whole(1, 1, (call) =>
    [...new Intl.Segmenter().segment(call.text(0))]
      .map(({ segment }) => segment)
      .reverse()
      .join(''),
  ),
  substr: whole(3, 3, substr),
  indent: parts(2, 2, indent),
  chomp: parts(1, 1, (call) =>
    ends(call, (text) => [0, text.length - (/(?<![\r\n])[\r\n]+$/.exec(text.slice(-1000))?.[0].length ?? 0)]),
  ),
  trimspace: parts(1, 1, (call) =>
    ends(call, (text) => [LEADING_BLANKS.exec(text)?.[0].length ?? 0, trimmedEnd(text)]),
  ),
  trim: whole(2, 2, (call) => trimmed(call, true, true)),
  trimprefix: parts(2, 2, withoutPrefix),
  trimsuffix: whole(2, 2, (call) =>
    call.text(1) !== '' && call.text(0).endsWith(call.text(1))
      ? call.text(0).slice(0, -call.text(1).length)
      : call.text(0),
  ),
  startswith: parts(2, 2, startsWith),
  endswith: parts(2, 2, endsWith),
  strcontains: parts(2, 2, contains),
  join: parts(1, ANY_NUMBER, join),
  split: parts(2, 2, split),
};

/** The pieces that a text is made of. */
function piecesOf(plain: Plain<unknown> & ReturnType<typeof textOf>): readonly TextPart[] {
  if (plain.kind === 'absent') return [];
  return plain instanceof JoinedText || plain instanceof ComposedText ? plain.pieces : [plain];
}

function textArgument(call: Call, index: number): readonly TextPart[] {
  const text = textOf(call.plain(index));
  if (text.kind === 'unknown' && !(text instanceof ComposedText)) throw new CallUnknown(text.reason);
  return piecesOf(text);
}

/** Of a text that isn't known as a whole, its beginning has to be, as far as the prefix goes. */
function withoutPrefix(call: Call): Result {
  const prefix = call.text(1);
  const text = call.plain(0);
  const [first, ...rest] = text instanceof ComposedText ? text.pieces : [];
  if (first?.kind !== 'known' || first.value.length < prefix.length)
    return call.text(0).startsWith(prefix) ? call.text(0).slice(prefix.length) : call.text(0);
  if (!first.value.startsWith(prefix)) return text;
  return joinTexts([new Known(first.value.slice(prefix.length), first.source, first.note), ...rest], call.here);
}

/** What a function makes of a piece that isn't known. */
function derivedPiece(call: Call, piece: Unknown): Unknown {
  const rest = call.args.slice(1);
  return derived([piece, ...rest], call.here, (shown) => `${call.name}(${shown.join(', ')})`);
}

function eachPiece(change: (text: string) => string) {
  return parts(1, 1, (call) => {
    const pieces = textArgument(call, 0);
    return joinTexts(
      pieces.map((piece) => (piece.kind === 'known' ? changed(piece, change) : derivedPiece(call, piece))),
      call.here,
    );
  });
}

/** What decides a text isn't what decides another one that is made of it. */
function changed(piece: Known<string>, change: (text: string) => string): Known<string> {
  const text = change(piece.value);
  return text === piece.value
    ? piece
    : new Known(text, new ChangedText(piece.source, piece.value, (offset) => offset), piece.note);
}

/** A place in a text that was made out of another one, character by character. */
class ChangedText implements Source {
  constructor(
    private readonly original: Source,
    private readonly text: string,
    private readonly before: (offset: number) => number,
  ) {}

  locate(): ReturnType<Source['locate']> {
    return this.original.locate();
  }

  inText(_text: string, offset: number): Source {
    return this.original.inText?.(this.text, this.before(offset)) ?? this.original;
  }
}

/** A part of a known piece. */
function slice(piece: Known<string>, start: number, end: number): Known<string> {
  if (start === 0 && end === piece.value.length) return piece;
  return new Known(
    piece.value.slice(start, end),
    new ChangedText(piece.source, piece.value, (offset) => offset + start),
    piece.note,
  );
}

/** The text without what is cut from both ends. */
function ends(call: Call, cut: (text: string) => readonly [start: number, end: number]): Result {
  const pieces = [...textArgument(call, 0)];
  const isWhole = pieces.every((piece) => piece.kind === 'known');
  if (isWhole) {
    const text = pieces.map((piece) => piece.value).join('');
    const [start, end] = cut(text);
    let offset = 0;
    const kept = pieces.map((piece) => {
      const from = Math.max(0, start - offset);
      const to = Math.min(piece.value.length, end - offset);
      offset += piece.value.length;
      return from >= to ? new Known('', piece.source) : slice(piece, from, to);
    });
    return joinTexts(kept, call.here);
  }
  for (const [index, isFirst] of [
    [0, true],
    [pieces.length - 1, false],
  ] as const) {
    const piece = pieces[index];
    if (piece === undefined) continue;
    if (piece.kind === 'unknown') {
      if (isFirst && call.name === 'chomp') continue;
      throw new CallUnknown(piece.reason);
    }
    const [start, end] = cut(piece.value);
    if (start >= end) throw new CallUnknown('how much is cut off is not known');
    pieces[index] = slice(piece, isFirst ? start : 0, isFirst ? piece.value.length : end);
  }
  return joinTexts(pieces, call.here);
}

function trimmedEnd(text: string): number {
  let end = text.length;
  while (end > 0 && BLANK_CHARACTER.test(text.charAt(end - 1))) end--;
  return end;
}

function trimmed(call: Call, start: boolean, end: boolean): string {
  const characters = Array.from(call.text(0));
  const cut = new Set(call.text(1));
  let [from, to] = [0, characters.length];
  while (start && from < to && cut.has(characters[from] ?? '')) from++;
  while (end && to > from && cut.has(characters[to - 1] ?? '')) to--;
  return characters.slice(from, to).join('');
}

/** Counts characters as people see them, as Terraform does. */
function substr(call: Call): string {
  const text = call.text(0);
  let [offset, length] = [call.integer(1), call.integer(2)];
  const characters = /^[ -~]*$/.test(text)
    ? Array.from(text)
    : [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  if (offset < 0) offset = Math.max(0, offset + characters.length);
  if (length < 0) length = characters.length;
  return characters.slice(offset, offset + length).join('');
}

/** Blanks behind each line break. */
function indent(call: Call): Result {
  const width = call.integer(0);
  if (width < 0 || width > 1000) throw new CallFailure('the number of blanks is out of range');
  const blanks = ' '.repeat(width);
  const pieces = textArgument(call, 1).map((piece) => {
    if (piece.kind === 'unknown') {
      const inner = derived([call.plain(0), piece], call.here, (shown) => `indent(${shown.join(', ')})`);
      return new Unknown(inner.reason, call.here, piece.text, inner.symbol);
    }
    if (piece.value.length + width * (piece.value.match(/\n/g)?.length ?? 0) > LIMITS.text)
      throw new CallBeyondLimit(TOO_LONG);
    const text = piece.value.replaceAll('\n', `\n${blanks}`);
    return new Known(
      text,
      new ChangedText(piece.source, piece.value, (offset) => unindented(text, offset, width)),
      piece.note,
    );
  });
  return joinTexts(pieces, call.here);
}

function unindented(text: string, offset: number, width: number): number {
  const before = text.slice(0, offset);
  const lines = before.split('\n');
  const last = lines.at(-1) ?? '';
  const surplus = lines.length - 1;
  return offset - Math.max(0, surplus - 1) * width - (surplus > 0 ? Math.min(width, last.length) : 0);
}

function startsWith(call: Call): Result {
  const prefix = call.text(1);
  const pieces = textArgument(call, 0);
  const [first] = pieces;
  if (pieces.every((piece) => piece.kind === 'known'))
    return pieces
      .map((piece) => piece.value)
      .join('')
      .startsWith(prefix);
  if (first?.kind !== 'known') throw new CallUnknown('how it starts is not known');
  if (first.value.length >= prefix.length) return first.value.startsWith(prefix);
  if (!prefix.startsWith(first.value)) return false;
  throw new CallUnknown('how it goes on is not known');
}

function endsWith(call: Call): Result {
  const suffix = call.text(1);
  const pieces = textArgument(call, 0);
  const last = pieces.at(-1);
  if (pieces.every((piece) => piece.kind === 'known'))
    return pieces
      .map((piece) => piece.value)
      .join('')
      .endsWith(suffix);
  if (last?.kind !== 'known') throw new CallUnknown('how it ends is not known');
  if (last.value.length >= suffix.length) return last.value.endsWith(suffix);
  if (!suffix.endsWith(last.value)) return false;
  throw new CallUnknown('what is before its end is not known');
}

function contains(call: Call): Result {
  const wanted = call.text(1);
  const pieces = textArgument(call, 0);
  const unknown = pieces.find((piece) => piece.kind === 'unknown');
  if (unknown === undefined)
    return pieces
      .map((piece) => (piece.kind === 'known' ? piece.value : ''))
      .join('')
      .includes(wanted);
  if (pieces.some((piece) => piece.kind === 'known' && piece.value.includes(wanted))) return true;
  throw new CallUnknown(unknown.reason);
}

/** Items of several lists with a text between them. */
function join(call: Call): Result {
  const separator = textOf(call.plain(0));
  if (separator.kind === 'absent') throw new CallFailure('the separator is null');
  const texts: Plain<string>[] = [];
  for (let index = 1; index < call.size; index++) {
    for (const item of call.sequence(index)) {
      if (item.kind === 'choice') throw new CallUnknown('it depends on conditions');
      const text = textOf(item);
      if (text.kind === 'absent') throw new CallFailure('an item is null');
      if (texts.length > 0) texts.push(separator);
      texts.push(text);
    }
  }
  return joinTexts(texts, call.here);
}

const OF_AWS =
  /^\$\{data\.aws_(?:partition|region|caller_identity)\.[\w-]+(?:\[0\])?\.(?:partition|dns_suffix|name|region|id|account_id)\}$/;

function isNameOfAws({ text = '' }: Unknown): boolean {
  return OF_AWS.test(text);
}

/** A text that isn't known in parts falls apart in a known way only if none of those parts can hold the separator. */
function split(call: Call): Result {
  const separator = call.text(0);
  const given = call.plain(1);
  const parts = given.kind === 'unknown' ? splitAround(given, separator, call.here, isNameOfAws) : undefined;
  if (parts !== undefined) return new TerraformList(parts);
  const text = known(given);
  if (typeof text === 'object') throw new CallFailure('it is no string');
  const whole = call.text(1);
  if (separator === '') return call.list_(Array.from(whole));
  if (whole === '') return call.list_(['']);
  return new TerraformList(whole.split(separator).map((part) => new Known(part, call.here, call.note)));
}
