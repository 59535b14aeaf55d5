import type { Unknown } from '../../../value';
import { isKnownHeader, contentOf, type Block } from './headers';
import { isBlank } from './lines';

/** A line that separates parts, or is meant to. */
export interface Mark {
  readonly line: number;
  readonly kind: 'open' | 'close';
  /** How it falls short: blanks before it, text before it, another spelling than declared. */
  readonly flaw: 'indented' | 'glued' | 'misspelt' | undefined;
  /** Offset of its first dash. */
  readonly offset: number;
  /** Whether other text stands before it in its line, and belongs to the part before. */
  readonly inline: boolean;
  /** What follows the boundary in its line without being known: the rest of another boundary, or a line end. */
  readonly unknown?: Unknown;
}

/**
 * Finds the boundary lines of a range.
 * @param boundary as declared, or as the lines spell it if the declaration fits none of them
 */
export function findMarks(block: Block, from: number, to: number, boundary: string): readonly Mark[] {
  const finder = new MarkFinder(block, to, boundary);
  const marks: Mark[] = [];
  let glued: Mark | undefined;
  for (let i = from; i < to; i++) {
    const mark = finder.at(i);
    if (mark === undefined) continue;
    if (mark.kind === 'close' && mark.flaw === 'glued') glued = mark;
    else marks.push(mark);
  }
  return meantMarks(block, marks, glued);
}

/** Leaves out lines of a content that only look like boundary lines: in a document that has the right ones, the others need to be told apart from text. */
function meantMarks(block: Block, marks: readonly Mark[], glued: Mark | undefined): readonly Mark[] {
  const isRight = (kind: Mark['kind']) => (mark: Mark) => mark.kind === kind && mark.flaw === undefined;
  const opened = marks.some(isRight('open'));
  const closed = marks.some(isRight('close'));
  const lastClose = marks.findLast((mark) => mark.kind === 'close');
  const meant = marks.filter((mark) => {
    if (!opened || mark.flaw !== 'indented') return true;
    return mark.kind === 'open' ? isKnownHeader(block, mark.line + 1) : !closed && mark === lastClose;
  });
  if (glued === undefined || closed) return meant;
  const { line } = glued;
  return [...meant.filter((mark) => mark.line < line), glued, ...meant.filter((mark) => mark.line > line)];
}

class MarkFinder {
  private readonly open: string;
  private readonly close: string;
  private readonly near = new Map<string, boolean>();
  private elsewhere: ReadonlySet<string> | undefined;

  constructor(
    private readonly block: Block,
    private readonly to: number,
    private readonly boundary: string,
  ) {
    this.open = `--${boundary}`;
    this.close = `${this.open}--`;
  }

  at(index: number): Mark | undefined {
    const { block, open, close } = this;
    const line = block.lines[index];
    if (line === undefined || line.start === line.end) return undefined;
    const content = block.text.slice(line.start, Math.min(line.end, line.start + open.length + 400));
    const trimmed = content.trim();
    const offset = line.start + content.length - content.trimStart().length;
    if (trimmed === open || trimmed === close) {
      return {
        line: index,
        kind: trimmed === open ? 'open' : 'close',
        flaw: offset > line.start ? 'indented' : undefined,
        offset,
        inline: false,
      };
    }
    if (trimmed.startsWith(open)) {
      const behind = block.unknowns.firstIn(offset + open.length, offset + open.length + 3);
      const between = behind === undefined ? '' : block.text.slice(offset + open.length, behind.start);
      if (behind !== undefined && (between === '' || between === '--'))
        return {
          line: index,
          kind: between === '' ? 'open' : 'close',
          flaw: undefined,
          offset,
          inline: false,
          unknown: behind.unknown,
        };
    }
    return this.glued(index) ?? this.misspelt(index, trimmed, offset);
  }

  /** A boundary behind other text; behind something unknown that may end in a line end it's a good one. */
  private glued(index: number): Mark | undefined {
    const { block, open, close } = this;
    const line = block.lines[index];
    if (line === undefined) return undefined;
    const end = endOf(block, index);
    const closes = block.text.startsWith(close, Math.max(line.start, end - close.length));
    const kind = closes ? 'close' : 'open';
    const offset = end - (closes ? close : open).length;
    if (offset <= line.start || (!closes && !block.text.startsWith(open, offset))) return undefined;
    if (block.unknowns.firstIn(offset - 1, offset) !== undefined)
      return { line: index, kind, flaw: undefined, offset, inline: true };
    return closes || isKnownHeader(block, index + 1)
      ? { line: index, kind, flaw: 'glued', offset, inline: true }
      : undefined;
  }

  /** A line of dashes and nearly the boundary, where a boundary would stand: before headers, or at the end. */
  private misspelt(index: number, line: string, offset: number): Mark | undefined {
    const { block, boundary, to } = this;
    if (!/^[-–—]/.test(line) || line.length > boundary.length + 8) return undefined;
    const opens = isKnownHeader(block, index + 1);
    if (!opens && !(/[-–—]$/.test(line) && isLastLine(block, index, to))) return undefined;
    const name = line.replace(/^[-–—]+/, '').replace(/(?<![-–—])[-–—]+$/, '');
    if (!this.isNearBoundary(name)) return undefined;
    // The boundary of a multipart within may be nearly the same, on purpose.
    this.elsewhere ??= new Set(
      Array.from(block.text.matchAll(/boundary="?([^";\s]{1,100})/gi), ([, found]) => found ?? ''),
    );
    return this.elsewhere.has(name) && name !== boundary
      ? undefined
      : { line: index, kind: opens ? 'open' : 'close', flaw: 'misspelt', offset, inline: false };
  }

  private isNearBoundary(name: string): boolean {
    let near = this.near.get(name);
    if (near === undefined) {
      const wanted = this.boundary.replace(/^-+|(?<!-)-+$/g, '');
      near = name !== '' && wanted !== '' && isNear(name, wanted);
      this.near.set(name, near);
    }
    return near;
  }
}

function endOf({ text, lines }: Block, index: number): number {
  const line = lines[index];
  return line === undefined ? text.length : line.start + text.slice(line.start, line.end).trimEnd().length;
}

function isLastLine({ text, lines }: Block, index: number, to: number): boolean {
  const from = lines[index]?.next ?? text.length;
  const end = lines[to - 1]?.next ?? text.length;
  return isBlank(text, from, Math.min(end, from + 200)) && end - from <= 200;
}

/** Whether two names differ by case or by a typing slip: one character more, less or another, or two for long names. */
function isNear(name: string, wanted: string): boolean {
  const [a, b] = [name.toLowerCase(), wanted.toLowerCase()];
  if (a === b) return true;
  const slips = Math.min(a.length, b.length) >= 8 ? 2 : Math.min(a.length, b.length) >= 4 ? 1 : 0;
  // Parts that are numbered on purpose aren't slips.
  if (Math.abs(a.length - b.length) > slips || a.length > 80 || withoutNumbers(a) === withoutNumbers(b)) return false;
  return distance(a, b) <= slips;
}

function withoutNumbers(name: string): string {
  return name.replace(/[-_.]?\d+/g, '');
}

/** Levenshtein distance; for names of at most 80 characters. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The boundary that the lines themselves spell: the first line of two dashes and a name that a MIME header follows. */
export function spelledBoundary(
  block: Block,
  from: number,
  to: number,
): { readonly boundary: string; readonly line: number } | undefined {
  for (let i = from; i < to; i++) {
    const line = contentOf(block, block.lines[i]).trim();
    if (line.length < 200 && line.startsWith('--') && /[^-]/.test(line) && isKnownHeader(block, i + 1))
      return { boundary: line.slice(2), line: i };
  }
  return undefined;
}
