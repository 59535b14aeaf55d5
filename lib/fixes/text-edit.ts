import { MARK } from '../languages/comments/directive';

/** A piece of a text that is replaced; offsets count UTF-16 code units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Key of a member that it puts behind the last one of a map, where others may be put, too: each is written there as if it came alone. */
  readonly member?: string;
}

/** The edits that make a repair, or why it isn't made. */
export type EditPlan = { readonly edits: readonly TextEdit[] } | { readonly refusal: string };

export function refuse(refusal: string): { readonly refusal: string } {
  return { refusal };
}

/** The order of edits in a text. What is put behind the last member of a map stands behind what that member gets. */
export function byPlace(one: TextEdit, other: TextEdit): number {
  return one.start - other.start || one.end - other.end || Number('member' in one) - Number('member' in other);
}

/** Applies edits to a text; of edits that overlap only the first is made, and equal ones are made once. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted(byPlace);
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
  const sorted = edits.toSorted(byPlace);
  const members = sorted.flatMap((edit) => memberOf(edit) ?? []);
  return new Set(members).size < members.length || sorted.some((edit, at) => meets(sorted[at - 1], edit));
}

/** Whether the later of two edits has no place of its own. */
function meets(before: TextEdit | undefined, edit: TextEdit | undefined): boolean {
  if (before === undefined || edit === undefined) return false;
  const isEqual = before.start === edit.start && before.end === edit.end && before.text === edit.text;
  const isBeside = before.start === edit.end && before.end === edit.end && edit.member === undefined;
  return (edit.start < before.end || isBeside) && !isEqual;
}

function memberOf({ start, member }: TextEdit): string | undefined {
  return member === undefined ? undefined : `${start} ${member}`;
}

/** Edits that can be made together, in the order of the text. */
export class EditsTogether {
  private readonly edits: TextEdit[] = [];
  private readonly members = new Set<string>();

  /** Takes all of some edits, or none if one of them meets another. */
  take(edits: readonly TextEdit[]): boolean {
    if (overlaps(edits) || edits.some((edit) => this.isMet(edit))) return false;
    for (const edit of edits) {
      this.edits.splice(this.placeOf(edit), 0, edit);
      const member = memberOf(edit);
      if (member !== undefined) this.members.add(member);
    }
    return true;
  }

  private isMet(edit: TextEdit): boolean {
    const at = this.placeOf(edit);
    return this.members.has(memberOf(edit) ?? '') || meets(this.edits[at - 1], edit) || meets(edit, this.edits[at]);
  }

  /** Behind those that come before it, and those of the same place. */
  private placeOf(edit: TextEdit): number {
    let [from, to] = [0, this.edits.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.edits[middle];
      if (other !== undefined && byPlace(other, edit) <= 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The edits that do in a text what some edits do, and then others in the text that these make. */
export function inSuccession(first: readonly TextEdit[], then: readonly TextEdit[]): TextEdit[] {
  let pieces = piecesOf(first);
  for (const { start, end, text } of then.toSorted(byPlace).toReversed())
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
  for (const { start, end, text } of edits.toSorted(byPlace)) {
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
