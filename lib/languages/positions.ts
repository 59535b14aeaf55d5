/** 1-based line and column (UTF-16 code units). */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Position of one offset. Use {@link LineIndex} for many. */
export function positionAt(text: string, offset: number): Position {
  return new LineIndex(text).at(offset);
}

/** How many lines share an entry of the index: a large template has millions of lines, and few places that anybody asks for. */
const LINES_PER_ENTRY = 64;

/** Line starts of a text, found once, so that many offsets cost no more than one. */
export class LineIndex {
  /** Of every {@link LINES_PER_ENTRY}th line. */
  private starts: number[] | undefined;
  private lines = 1;

  /** @param firstLine the number of its first line, of a text that is cut out of a longer one */
  constructor(
    private readonly text: string,
    private readonly firstLine = 1,
  ) {}

  at(offset: number): Position {
    const starts = (this.starts ??= this.lineStarts());
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    let line = low * LINES_PER_ENTRY + 1;
    let start = starts[low] ?? 0;
    // Behind the last line there is no line break to look for: plans of Terraform are one line of many megabytes.
    while (line < this.lines) {
      const end = this.text.indexOf('\n', start);
      if (end < 0 || end >= offset) break;
      line++;
      start = end + 1;
    }
    return { line: line + this.firstLine - 1, column: offset - start + 1 };
  }

  private lineStarts(): number[] {
    const starts = [0];
    let lines = 1;
    for (let end = this.text.indexOf('\n'); end >= 0; end = this.text.indexOf('\n', end + 1)) {
      if (lines++ % LINES_PER_ENTRY === 0) starts.push(end + 1);
    }
    this.lines = lines;
    return starts;
  }
}
