import type { SourceText, UnknownPart } from '../source-text';

/** A line of a text, by offsets. */
export interface Line {
  readonly start: number;
  /** Behind its last character, before the line end. */
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
}

/**
 * Lines of a text. LF and CRLF end them; a lone CR does so only in a text without any LF, because nodeadm takes it for a character and
 * cloud-init for a line end.
 */
export function linesOf(text: string, from = 0): readonly Line[] {
  const end = text.includes('\n') ? '\n' : '\r';
  const lines: Line[] = [];
  for (let start = from; start < text.length; ) {
    const at = text.indexOf(end, start);
    const next = at < 0 ? text.length : at + 1;
    const last = at < 0 ? text.length : at;
    lines.push({
      start,
      end: last > start && end === '\n' && text[last - 1] === '\r' && at >= 0 ? last - 1 : last,
      next,
    });
    start = next;
  }
  return lines;
}

/** Lines as cloud-init's MIME parser (Python's `email`) cuts them: at LF, CRLF and lone CR alike. */
export function universalLines(text: string): readonly Line[] {
  if (!text.includes('\r')) return linesOf(text);
  const lines: Line[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    const next = match.index + match[0].length;
    lines.push({ start, end: match.index, next });
    start = next;
  }
  if (start < text.length) lines.push({ start, end: text.length, next: text.length });
  return lines;
}

/** Finds the unknown parts of a text by offset, in logarithmic time. */
export class Unknowns {
  constructor(private readonly parts: readonly UnknownPart[]) {}

  static of(text: SourceText): Unknowns {
    return new Unknowns(text.unknownParts);
  }

  /** The first one that has characters between two offsets. */
  firstIn(start: number, end: number): UnknownPart | undefined {
    let low = 0;
    let high = this.parts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.parts[middle]?.end ?? Infinity) <= start) low = middle + 1;
      else high = middle;
    }
    const part = this.parts[low];
    return part !== undefined && part.start < end ? part : undefined;
  }
}

export function isBlank(text: string, start = 0, end = text.length): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== 0x20 && (code < 0x09 || code > 0x0d)) return false;
  }
  return true;
}
