import { MARK } from '../languages/comments/directive';

/** A piece of a text that is replaced; offsets count UTF-16 code units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits that make a repair, or why it isn't made. */
export type EditPlan = { readonly edits: readonly TextEdit[] } | { readonly refusal: string };

export function refuse(refusal: string): { readonly refusal: string } {
  return { refusal };
}

/** Applies edits to a text; of edits that overlap only the first is made, and equal ones are made once. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
  let result = '';
  let done = 0;
  let last: TextEdit | undefined;
  for (const edit of sorted) {
    const repeats = last !== undefined && last.start === edit.start && last.end === edit.end && last.text === edit.text;
    if (repeats || edit.start < done) continue;
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
    last = edit;
  }
  return result + text.slice(done);
}

/** Whether one of several edits would be lost, or come to stand elsewhere, when they are made together. Equal ones are made once. */
export function overlaps(edits: readonly TextEdit[]): boolean {
  const sorted = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
  return sorted.some((edit, at) => {
    const before = sorted[at - 1];
    const isEqual = before?.start === edit.start && before.end === edit.end && before.text === edit.text;
    const isBeside = before?.start === edit.end && before.end === edit.end;
    return before !== undefined && (edit.start < before.end || isBeside) && !isEqual;
  });
}

/** The edits that do in a text what some edits do, and then others in the text that these make. */
export function inSuccession(first: readonly TextEdit[], then: readonly TextEdit[]): TextEdit[] {
  let pieces = piecesOf(first);
  for (const { start, end, text } of then.toSorted((one, other) => other.start - one.start || other.end - one.end))
    pieces = [...cut(pieces, 0, start), { text }, ...cut(pieces, end, Infinity)];
  const edits: TextEdit[] = [];
  let [done, added] = [0, ''];
  for (const piece of pieces) {
    if ('text' in piece) added += piece.text;
    else {
      if (piece.start > done || added !== '') edits.push({ start: done, end: piece.start, text: added });
      [done, added] = [piece.end, ''];
    }
  }
  return edits;
}

/** A piece of a changed text: a part of the first text, or what was written. */
type Piece = { readonly start: number; readonly end: number } | { readonly text: string };

function piecesOf(edits: readonly TextEdit[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    pieces.push({ start: done, end: start }, { text });
    done = end;
  }
  return [...pieces, { start: done, end: Infinity }];
}

/** What of pieces stands between two offsets of the text that they make. */
function cut(pieces: readonly Piece[], from: number, to: number): Piece[] {
  let at = 0;
  return pieces.flatMap((piece): Piece[] => {
    const length = 'text' in piece ? piece.text.length : piece.end - piece.start;
    const [start, end] = [Math.max(0, from - at), Math.min(length, to - at)];
    at += length;
    if (start >= end) return [];
    return 'text' in piece
      ? [{ text: piece.text.slice(start, end) }]
      : [{ start: piece.start + start, end: piece.start + end }];
  });
}

/** The line break of a text: the one of its first line. */
export function lineBreakOf(text: string): string {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

/** Offset where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Offset of the line break that ends the line of an offset, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** Offset behind the line break that ends the line of an offset. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** The white space with which the line of an offset begins. */
export function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** Whether nothing but white space stands between two offsets. */
export function isBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === '';
}

/** Whether a comment tells a tool what not to look at. */
export function isDirective(comment: string): boolean {
  return comment.includes(MARK) || TOOLS.test(comment);
}

const TOOLS =
  /\b(?:tflint-ignore|tfsec:|trivy:|checkov:|bridgecrew:|kics-scan|terrascan|nosemgrep|nosec|snyk:|infracost|yamllint|noqa)/i;
