import { printable } from './prose';

/** Lines of context above and below the one that is marked. */
const CONTEXT = 2;

/** Columns of a clipped line that stay visible before the marked place. */
const LEAD = 24;

const ELLIPSIS = '...';

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
    if (end > start && this.text.charAt(end - 1) === '\n') end--;
    if (end > start && this.text.charAt(end - 1) === '\r') end--;
    return { start, end };
  }
}

/** A line of a frame; the caller decides on colours. */
export interface FrameLine {
  /** Line number; undefined on the line that carries the marker. */
  readonly number: number | undefined;
  readonly marked: boolean;
  readonly text: string;
}

/** The lines around a place, with a marker below the word that stands there. Undefined if the place doesn't exist. */
export function codeFrame(source: SourceText, line: number, column: number, width: number): FrameLine[] | undefined {
  if (line < 1 || line > source.lineCount || source.lineLength(line) === 0) return undefined;
  const first = Math.max(1, line - CONTEXT);
  const last = Math.min(source.lineCount, line + CONTEXT);
  const indent = commonIndent(source, first, last, width);
  const frame: FrameLine[] = [];
  for (let number = first; number <= last; number++) {
    if (number !== line) {
      frame.push({ number, marked: false, text: clipEnd(source, number, indent, width) });
      continue;
    }
    const { text, offset } = clipAround(source, number, column, indent, width);
    const length = Math.min(shownLength(source.line(line, column - 1, column - 1 + width)), Math.max(1, text.length - offset));
    frame.push({ number, marked: true, text });
    frame.push({ number: undefined, marked: true, text: ' '.repeat(offset) + '^'.repeat(length) });
  }
  return trimBlank(frame);
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

function clipEnd(source: SourceText, number: number, indent: number, width: number): string {
  const text = printable(source.line(number, indent, indent + width + 1));
  return text.length <= width ? text : text.slice(0, width - ELLIPSIS.length) + ELLIPSIS;
}

/** Cuts a window out of a line such that the column is inside; `offset` is where it then stands. */
function clipAround(source: SourceText, number: number, column: number, indent: number, width: number): { text: string; offset: number } {
  const length = source.lineLength(number);
  const at = Math.max(0, Math.min(column - 1, length - 1));
  let from = Math.min(indent, at);
  if (length - from > width && at - from > width / 2) from = at - LEAD;
  const lead = from > indent ? ELLIPSIS : '';
  const before = lead + printable(source.line(number, from, at));
  const after = printable(source.line(number, at, at + width));
  const whole = before + after;
  const complete = whole.length <= width && at + width >= length;
  return { text: complete ? whole : whole.slice(0, width - ELLIPSIS.length) + ELLIPSIS, offset: before.length };
}

/** Length of the key or value that begins here: a quoted string, or what reaches to the next space or punctuation. */
export function wordLength(text: string): number {
  const match = /^"(?:[^"\\]|\\.)*"|^'(?:[^']|'')*'|^[^\s,:[\]{}]+(?:::?[^\s,:[\]{}]+)*/.exec(text);
  return Math.max(1, match?.[0].length ?? 0);
}

/** The same in columns of a frame, where tabs are wider. */
function shownLength(text: string): number {
  return Math.max(1, printable(text.slice(0, wordLength(text))).length);
}

function trimBlank(frame: FrameLine[]): FrameLine[] {
  const isBlank = (line: FrameLine | undefined) => line !== undefined && !line.marked && line.text.trim() === '';
  let start = 0;
  let end = frame.length;
  while (isBlank(frame[start])) start++;
  while (isBlank(frame[end - 1])) end--;
  return frame.slice(start, end);
}
