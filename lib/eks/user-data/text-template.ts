import { nowhere, Unknown, type Source } from '../../value';
import { lastAtOrBefore, SourceText, type TextPiece, type UnknownPart } from './source-text';

/**
 * Texts that Terraform's `templatefile` fills: `${…}` and `%{…}` stand for what isn't known yet. Source: Terraform, "Strings and Templates", and the
 * HCL native syntax specification, "Templates".
 */

/** Where a template sequence or an escape begins. */
const BEGINNING = /\$\$\{|%%\{|[$%]\{/g;

/** Where a text isn't what it will be: a sequence that is filled in later, or an escape. */
export interface TemplateSequence {
  readonly start: number;
  readonly end: number;
  /** The text that an escape stands for, which ends where the escape does. */
  readonly literal?: string;
}

/** The sequences and escapes of `templatefile`, in order. */
export function templateSequences(text: string): readonly TemplateSequence[] {
  const found: TemplateSequence[] = [];
  let end = 0;
  for (let match = beginningFrom(text, end); match !== null; match = beginningFrom(text, end)) {
    const { 0: beginning, index } = match;
    end = index + beginning.length;
    // Doubled signs stand for themselves.
    if (beginning.length > 2) {
      found.push({ start: index, end, literal: beginning.slice(1) });
      continue;
    }
    end = endOfSequence(text, end);
    found.push({ start: index, end });
  }
  return found;
}

/**
 * A text in which sequences aren't known. Places in it are those of the text as it stands in the file, where a sequence may have
 * several lines.
 * @param place what places call the file, or where each character stands
 * @param sequences in order, none inside of another
 */
export function withUnknownSequences(
  text: string,
  place: string | ((offset: number) => Source),
  sequences: readonly TemplateSequence[],
): SourceText {
  const placeIn = (offset: number): Source =>
    typeof place === 'string' ? { locate: () => ({ file: place, ...origin.positionAt(offset) }) } : place(offset);
  const origin: SourceText = SourceText.of(text, placeIn);
  const pieces: TextPiece[] = [];
  const offsets: number[] = [];
  const addText = (from: number, to: number): void => {
    if (to <= from) return;
    pieces.push({ text: text.slice(from, to), sourceAt: () => nowhere });
    offsets.push(from);
  };
  let from = 0;
  for (const { start, end, literal } of sequences) {
    addText(from, start);
    from = end;
    if (literal !== undefined) {
      addText(end - literal.length, end);
      continue;
    }
    const sequence = text.slice(start, end);
    pieces.push({
      unknown: new Unknown(
        `${named(sequence)} is filled in by what renders the template`,
        origin.sourceAt(start),
        sequence,
      ),
    });
    offsets.push(start);
  }
  addText(from, text.length);
  const { text: composed, unknownParts } = SourceText.compose(pieces);
  return origin.derive(composed, offsetsBack(pieces, offsets, unknownParts, text.length), unknownParts);
}

function beginningFrom(text: string, offset: number): RegExpExecArray | null {
  BEGINNING.lastIndex = offset;
  return BEGINNING.exec(text);
}

/** The way back from an offset in the composed text. */
function offsetsBack(
  pieces: readonly TextPiece[],
  offsets: readonly number[],
  unknownParts: readonly UnknownPart[],
  length: number,
): (offset: number) => number {
  const starts: number[] = [];
  let unknowns = 0;
  let end = 0;
  for (const piece of pieces) {
    starts.push(end);
    end = 'text' in piece ? end + piece.text.length : (unknownParts[unknowns++]?.end ?? end);
  }
  return (offset) => {
    if (offset >= end) return length;
    const index = Math.max(0, lastAtOrBefore(starts, offset));
    const piece = pieces[index];
    return (offsets[index] ?? 0) + (piece !== undefined && 'text' in piece ? offset - (starts[index] ?? 0) : 0);
  };
}

/** How a reason calls a sequence. */
function named(sequence: string): string {
  const [line = ''] = sequence.split(/[\r\n]/, 1);
  return line.length < sequence.length || line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** What matters in an expression and in a quoted string. */
const IN_EXPRESSION = /[{}"]/g;
const IN_STRING = /\\.|\$\$\{|%%\{|[$%]\{|["\r\n]/g;

/**
 * Offset behind the brace that closes a sequence. Braces nest, and so do strings, which may hold sequences themselves; one that
 * isn't closed goes to the end of the text: nothing behind it can be told.
 * @param start offset behind the brace that opens it
 */
function endOfSequence(text: string, start: number): number {
  const open: ('brace' | 'string')[] = ['brace'];
  let offset = start;
  while (open.length > 0) {
    const isString = open.at(-1) === 'string';
    const pattern = isString ? IN_STRING : IN_EXPRESSION;
    pattern.lastIndex = offset;
    const [token] = pattern.exec(text) ?? [];
    if (token === undefined) return text.length;
    offset = pattern.lastIndex;
    if (isString) {
      // A quoted string can't go over the end of a line.
      if (token === '"' || token === '\n' || token === '\r') open.pop();
      else if (token === '${' || token === '%{') open.push('brace');
    } else if (token === '"') open.push('string');
    else if (token === '{') open.push('brace');
    else open.pop();
  }
  return offset;
}
