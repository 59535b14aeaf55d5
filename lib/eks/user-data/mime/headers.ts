import type { Unknown } from '../../../value';
import { isBlank, type Line, type Unknowns } from './lines';

/** A header as it is meant. */
export interface LooseHeader {
  /** In lower case. */
  readonly name: string;
  /** With its continuation lines. */
  readonly value: string;
  /** Index of its line. */
  readonly line: number;
  readonly indented: boolean;
}

/** Headers as they are meant, whatever separates them from what follows. */
export interface LooseHeaders {
  readonly headers: readonly LooseHeader[];
  /** Index of the line of the first header; the start of the block if there is none. */
  readonly first: number;
  /** Index of the line at which the content starts. */
  readonly body: number;
  /** Whether an empty line stands between headers and content. */
  readonly separated: boolean;
  /** Whether blank lines stand before the headers, so that they are none. */
  readonly late: boolean;
  /** An unknown part in a header. */
  readonly unknown: Unknown | undefined;
  /** An unknown part that stands where headers would, and may hold anything. */
  readonly opaque: Unknown | undefined;
}

export interface Block {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly unknowns: Unknowns;
}

/** Headers that begin MIME documents and parts, cloud-init's own included. */
const KNOWN = /^(?:content-[a-z-]+|mime-version|merge-type|x-merge-type|launch-index|number-attachments)[ \t]*:/i;
/** Any header that looks like one: capitalised words, unlike the keys of a NodeConfig. */
const PLAUSIBLE = /^(?:[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|x-[A-Za-z0-9-]+)[ \t]*:/;
const ANY = /^[!-9;-~]+:/;

export function contentOf({ text }: Block, line: Line | undefined): string {
  return line === undefined ? '' : text.slice(line.start, Math.min(line.end, line.start + 2000));
}

/** Whether a line is a header that only MIME has, wherever it stands in its line. */
export function isKnownHeader(block: Block, index: number): boolean {
  return KNOWN.test(contentOf(block, block.lines[index]).trim());
}

function isContentHeader(block: Block, index: number): boolean {
  return /^(?:content-[a-z-]+|mime-version)[ \t]*:/i.test(contentOf(block, block.lines[index]).trim());
}

/**
 * Reads the headers that a range of lines begins with.
 * @param anyName whether every name makes a header, as at the top, where no content can follow at once
 */
export function readLooseHeaders(block: Block, from: number, to: number, anyName = false): LooseHeaders {
  const start = firstHeaderLine(block, from, to);
  const collected: { name: string; values: string[]; line: number; indented: boolean }[] = [];
  let unknown: Unknown | undefined;
  const result = (body: number, separated: boolean, opaque?: Unknown): LooseHeaders => ({
    headers: collected.map(({ values, ...header }) => ({ ...header, value: values.join(' ').trim() })),
    first: start,
    body,
    separated,
    late: start > from,
    unknown,
    opaque,
  });
  for (let i = start; i < to; i++) {
    const line = block.lines[i];
    if (line === undefined) break;
    const content = contentOf(block, line);
    if (isBlank(content)) return result(i + 1, content === '');
    const hidden = block.unknowns.firstIn(line.start, line.end);
    if (hidden !== undefined && hidden.start <= line.start + leadingBlanks(content))
      return result(i, true, hidden.unknown);
    const indented = leadingBlanks(content) > 0;
    const trimmed = content.trimStart();
    const last = collected.at(-1);
    if (
      KNOWN.test(trimmed) ||
      (!indented && (PLAUSIBLE.test(trimmed) || (ANY.test(trimmed) && (anyName || isContentHeader(block, i + 1)))))
    ) {
      const colon = trimmed.indexOf(':');
      collected.push({
        name: trimmed.slice(0, colon).trim().toLowerCase(),
        values: [trimmed.slice(colon + 1).trim()],
        line: i,
        indented,
      });
    } else if (indented && last !== undefined) {
      last.values.push(trimmed);
    } else {
      return result(i, false);
    }
    if (hidden !== undefined) unknown ??= hidden.unknown;
  }
  return result(to, false);
}

/** Blank lines before headers make them content; they are meant as headers all the same. */
function firstHeaderLine(block: Block, from: number, to: number): number {
  let start = from;
  while (start < to && isBlank(contentOf(block, block.lines[start]))) start++;
  return start < to && isContentHeader(block, start) ? start : from;
}

function leadingBlanks(content: string): number {
  return content.length - content.trimStart().length;
}

export function headerNamed(headers: readonly LooseHeader[], name: string): LooseHeader | undefined {
  return headers.find((header) => header.name === name);
}
