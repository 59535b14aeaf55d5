import { columnsOf, firstColumns, lastColumns } from '../text/columns';
import { printable } from './prose';

/** Columns of a clipped line that stay visible before the marked place, or this part of them all. */
const LEAD = 24;
const LEAD_SHARE = 0.4;

const ELLIPSIS = '...';

/** UTF-16 code units that a column may be made of, but for marks on letters. */
const LONGEST = 2;

/** The text of a file with the offsets of its lines, found once. */
export class SourceText {
  private readonly starts: number[] = [0];

  constructor(private readonly text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
    // What follows a final line break is no line.
    if (this.starts.length > 1 && this.starts.at(-1) === text.length) this.starts.pop();
  }

  get lineCount(): number {
    return this.starts.length;
  }

  /** A line by its 1-based number, without its line break; `from` and `to` bound what is cut out of a very long one. */
  line(number: number, from = 0, to = Number.MAX_SAFE_INTEGER): string {
    const { start, end } = this.bounds(number);
    return this.text.slice(Math.min(start + from, end), Math.min(start + to, end));
  }

  lineLength(number: number): number {
    const { start, end } = this.bounds(number);
    return end - start;
  }

  private bounds(number: number): { start: number; end: number } {
    const start = this.starts[number - 1];
    if (start === undefined) return { start: 0, end: 0 };
    let end = this.starts[number] ?? this.text.length;
    // What stands before a line is a line feed, so that an empty one takes nothing of it.
    if (this.text.charAt(end - 1) === '\n') end--;
    if (this.text.charAt(end - 1) === '\r') end--;
    return { start, end };
  }
}

/** A line of a frame; the caller decides on colours. */
export interface FrameLine {
  readonly number: number;
  readonly text: string;
  /** Where in the text the word stands that is marked, by the indices of the string; undefined on the lines around it. */
  readonly mark: { readonly start: number; readonly end: number } | undefined;
}

/**
 * The lines around a place, of which one marks the word that stands there. Undefined if the place doesn't exist.
 * @param width columns of a terminal
 * @param around lines above and below the one that is marked
 */
export function codeFrame(
  source: SourceText,
  line: number,
  column: number,
  width: number,
  around = 2,
): FrameLine[] | undefined {
  if (line < 1 || line > source.lineCount || source.lineLength(line) === 0) return undefined;
  const first = Math.max(1, line - around);
  const last = Math.min(source.lineCount, line + around);
  const indent = commonIndent(source, first, last, width);
  const frame: FrameLine[] = [];
  for (let number = first; number <= last; number++) {
    if (number !== line) {
      frame.push({
        number,
        mark: undefined,
        text: clipped(
          printable(source.line(number, indent, indent + LONGEST * width)),
          width,
          source.lineLength(number) > indent + LONGEST * width,
        ),
      });
      continue;
    }
    const { text, start } = clipAround(source, number, column, indent, width);
    frame.push({
      number,
      text,
      mark: {
        start,
        end: Math.min(
          start + shownLength(source.line(line, column - 1, column - 1 + LONGEST * width)),
          Math.max(start + 1, text.length),
        ),
      },
    });
  }
  return trimBlank(frame);
}

/** What goes below a line of a frame on a terminal. */
export function markerOf({ text, mark }: FrameLine): string | undefined {
  if (mark === undefined) return undefined;
  const start = columnsOf(text.slice(0, mark.start));
  const end = columnsOf(text.slice(0, mark.end));
  // What takes no column is part of the character before it.
  return end > start ? ' '.repeat(start) + '^'.repeat(end - start) : `${' '.repeat(Math.max(0, start - 1))}^`;
}

/** Leading spaces that all lines share; templates of the CDK are deeply indented. */
function commonIndent(source: SourceText, first: number, last: number, width: number): number {
  let indent = Number.MAX_SAFE_INTEGER;
  for (let number = first; number <= last; number++) {
    const text = source.line(number, 0, width * 2);
    const blank = text.length - text.trimStart().length;
    if (blank < text.length) indent = Math.min(indent, /^ */.exec(text)?.[0].length ?? 0);
  }
  return indent === Number.MAX_SAFE_INTEGER ? 0 : indent;
}

/** @param hasMore there is more behind the text, whether that fits or not */
function clipped(text: string, width: number, hasMore = false): string {
  return columnsOf(text) <= width && !hasMore ? text : firstColumns(text, width - ELLIPSIS.length) + ELLIPSIS;
}

/** Cuts a window out of a line such that the column is inside; `start` is where it then stands. */
function clipAround(
  source: SourceText,
  number: number,
  column: number,
  indent: number,
  width: number,
): { text: string; start: number } {
  const length = source.lineLength(number);
  const at = Math.max(0, Math.min(column - 1, length - 1));
  const from = Math.min(indent, at);
  const nearest = printable(source.line(number, Math.max(from, at - LONGEST * width), at));
  const after = printable(source.line(number, at, at + LONGEST * width));
  const isLong = length - from > width || columnsOf(nearest) + columnsOf(after) > width;
  const isFar = isLong && (at - from > LONGEST * width || columnsOf(nearest) > width / 2);
  const before = isFar ? ELLIPSIS + lastColumns(nearest, Math.min(LEAD, Math.floor(width * LEAD_SHARE))) : nearest;
  return { text: clipped(before + after, width, at + LONGEST * width < length), start: before.length };
}

/** Length of the key or value that begins here: a quoted string, or what reaches to the next space or punctuation. */
export function wordLength(text: string): number {
  const match = /^"(?:[^"\\]|\\.)*"|^'(?:[^']|'')*'|^[^\s,:[\]{}]+(?:::?[^\s,:[\]{}]+)*/.exec(text);
  return Math.max(1, match?.[0].length ?? 0);
}

/** The same in characters of a frame, where tabs are two. */
function shownLength(text: string): number {
  return Math.max(1, printable(text.slice(0, wordLength(text))).length);
}

function trimBlank(frame: FrameLine[]): FrameLine[] {
  const isBlank = (line: FrameLine | undefined) =>
    line !== undefined && line.mark === undefined && line.text.trim() === '';
  let start = 0;
  let end = frame.length;
  while (isBlank(frame[start])) start++;
  while (isBlank(frame[end - 1])) end--;
  return frame.slice(start, end);
}
