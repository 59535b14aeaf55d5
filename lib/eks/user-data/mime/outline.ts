import type { Unknown } from '../../../value';
import type { SourceText, UnknownPart } from '../source-text';
import { findMarks, spelledBoundary, type Mark } from './boundaries';
import { contentOf, headerNamed, isKnownHeader, readLooseHeaders, type Block, type LooseHeaders } from './headers';
import { isBlank, linesOf, Unknowns } from './lines';
import { looseMediaType, looseParameter, parseMediaType } from './media-type';

/**
 * A MIME document as its author means it: headers, boundary and parts, found generously. What the programs of a node find is in
 * nodeadm.ts and cloud-init.ts; the difference is the defects.
 */
export interface Outline {
  readonly block: Block;
  /** Headers of the document. */
  readonly top: LooseHeaders;
  /** Undefined without a Content-Type. */
  readonly contentType: string | undefined;
  /** The boundary as declared; undefined if it isn't. */
  readonly declared: string | undefined;
  /** The boundary that the lines have; the declared one unless no line has that. */
  readonly boundary: string | undefined;
  readonly marks: readonly Mark[];
  /** Top-level stretches between boundary lines, in order; those that hold a multipart have their own within. */
  readonly segments: readonly Segment[];
  readonly unknownStructure: Unknown | undefined;
}

/** What stands between two boundary lines. */
export interface Segment {
  /** Offset of the line behind the boundary line. */
  readonly start: number;
  /** Index of that line. */
  readonly line: number;
  /** Offset behind the content, without the line end that belongs to the next boundary. */
  readonly end: number;
  readonly headers: LooseHeaders;
  /** Offset of the content. */
  readonly body: number;
  /** The boundary line before it. */
  readonly mark: Mark;
  /** The first closing line, if the segment comes after it. */
  readonly after: Mark | undefined;
  /** Segments of a multipart within; empty for others. */
  readonly inner: readonly Segment[];
}

/** Nobody nests deeper. */
const MAX_DEPTH = 4;

/** The outline of a text that is meant as MIME; undefined for others. */
export function outlineOf(source: SourceText): Outline | undefined {
  const text = withEqualSymbols(source);
  const block: Block = { text, lines: linesOf(text), unknowns: Unknowns.of(source) };
  const first = firstLine(block);
  if (first === undefined) return undefined;
  const top = readLooseHeaders(block, first, block.lines.length, true);
  const value = headerNamed(top.headers, 'content-type')?.value;
  const unknownTop = top.unknown ?? top.opaque;
  const declared = declaredBoundary(value);
  const split = splitAt(block, first, top, value, declared);
  if (split === undefined)
    return {
      block,
      top,
      contentType: value,
      declared,
      boundary: undefined,
      marks: [],
      segments: [],
      unknownStructure: unknownTop,
    };
  const { marks, boundary } = split;
  const segments = segmentsOf(block, marks, block.lines.length, 0);
  const unknownStructure = unknownTop ?? unknownIn(block, marks, segments);
  return { block, top, contentType: value, declared, boundary, marks, segments, unknownStructure };
}

/** Unknown parts that are known to be equal get the same placeholder, so that a boundary that is one parameter is found. */
function withEqualSymbols({ text, unknownParts }: SourceText): string {
  const first = new Map<string, UnknownPart>();
  const pieces: string[] = [];
  let from = 0;
  for (const part of unknownParts) {
    const { symbol } = part.unknown;
    if (symbol === undefined) continue;
    const equal = first.get(symbol);
    if (equal === undefined) {
      first.set(symbol, part);
    } else if (equal.end - equal.start === part.end - part.start) {
      pieces.push(text.slice(from, part.start), text.slice(equal.start, equal.end));
      from = part.end;
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
}

/** More lines than that before the headers, and they are no slip. */
const MAX_SKIPPED = 100;

/** Index of the line at which the headers begin, or what was meant as headers. */
function firstLine(block: Block): number | undefined {
  for (let i = 0; i < Math.min(block.lines.length, MAX_SKIPPED); i++) {
    const line = contentOf(block, block.lines[i])
      .replace(/^\uFEFF/, '')
      .trim();
    if (/^(?:mime-version|content-type)[ \t]*:/i.test(line)) return i;
    if (isKnownHeader(block, i) || /^(?:From |(?:[A-Z][A-Za-z0-9]*-)*[A-Z][A-Za-z0-9]*[ \t]*:)/.test(line)) {
      if (hasMimeHeader(block, i)) return i;
      return undefined;
    }
    if (line.startsWith('--') && line !== '---' && isKnownHeader(block, i + 1)) return i;
    const { start = 0, end = 0 } = block.lines[i] ?? {};
    if (block.unknowns.firstIn(start, end) !== undefined && !line.startsWith('#'))
      return spelledBoundary(block, i, block.lines.length) === undefined ? undefined : i;
    if (line !== '' && line !== '---' && !line.startsWith('#')) return undefined;
  }
  return undefined;
}

function hasMimeHeader(block: Block, from: number): boolean {
  for (let i = from; i < Math.min(block.lines.length, from + MAX_SKIPPED); i++) {
    const line = contentOf(block, block.lines[i]);
    if (isBlank(line)) return false;
    if (/^(?:mime-version[ \t]*:|content-type[ \t]*:[ \t]*multipart\/)/i.test(line)) return true;
  }
  return false;
}

/** The boundary as nodeadm reads it; as cloud-init does if nodeadm can't. */
function declaredBoundary(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined;
  const strict = parseMediaType(contentType);
  const declared =
    'error' in strict
      ? looseParameter(contentType, 'boundary')
          ?.trimEnd()
          .replace(/^["']|["']$/g, '')
      : strict.parameters.get('boundary');
  return declared === '' ? undefined : declared;
}

function splitAt(
  block: Block,
  first: number,
  top: LooseHeaders,
  contentType: string | undefined,
  declared: string | undefined,
): { readonly marks: readonly Mark[]; readonly boundary: string } | undefined {
  const from = Math.max(first, top.body);
  const to = block.lines.length;
  for (const boundary of declared === undefined
    ? []
    : new Set([declared, declared.replace(/^--/, ''), declared.replace(/^'|'$/g, '')])) {
    const marks = boundary === '' ? [] : findMarks(block, from, to, boundary);
    if (marks.some((mark) => mark.kind === 'open')) return { marks, boundary };
  }
  const spelled = spelledBoundary(block, from, to);
  // A text in one part may hold lines of dashes.
  if (
    spelled === undefined ||
    (declared === undefined && contentType !== undefined && !looseMediaType(contentType).startsWith('multipart/'))
  )
    return undefined;
  return { marks: findMarks(block, spelled.line, to, spelled.boundary), boundary: spelled.boundary };
}

function segmentsOf(block: Block, marks: readonly Mark[], to: number, depth: number): readonly Segment[] {
  const segments: Segment[] = [];
  let closed: Mark | undefined;
  marks.forEach((mark, index) => {
    const next = marks[index + 1];
    if (mark.kind === 'close') closed ??= mark;
    const segment = segmentBehind(block, mark, next, to, closed, depth);
    const counts =
      mark.kind === 'open'
        ? next !== undefined || !isBlank(block.text, segment.start, segment.end)
        : isPartAfterEnd(block, segment, next);
    if (counts) segments.push(segment);
  });
  return segments;
}

/** Behind a closing line, only what looks like a part is one. */
function isPartAfterEnd(block: Block, segment: Segment, next: Mark | undefined): boolean {
  if (isBlank(block.text, segment.start, segment.end)) return false;
  return (
    segment.headers.headers.some((header) => header.name.startsWith('content-')) ||
    (segment.headers.opaque !== undefined && next !== undefined)
  );
}

function segmentBehind(
  block: Block,
  mark: Mark,
  next: Mark | undefined,
  to: number,
  after: Mark | undefined,
  depth: number,
): Segment {
  const { text, lines } = block;
  const line = mark.line + 1;
  const last = next === undefined ? to : next.inline ? next.line + 1 : next.line;
  const start = lines[line]?.start ?? text.length;
  const headers = readLooseHeaders(block, line, Math.max(line, last));
  const end = Math.max(
    start,
    next === undefined
      ? (lines[to - 1]?.next ?? text.length)
      : next.inline
        ? next.offset
        : (lines[next.line - 1]?.end ?? start),
  );
  const body = Math.min(end, Math.max(start, headers.body >= last ? end : (lines[headers.body]?.start ?? end)));
  return { start, line, end, headers, body, mark, after, inner: innerSegments(block, headers, last, depth) };
}

function innerSegments(block: Block, headers: LooseHeaders, to: number, depth: number): readonly Segment[] {
  const value = headerNamed(headers.headers, 'content-type')?.value;
  if (depth >= MAX_DEPTH || value === undefined || !looseMediaType(value).startsWith('multipart/')) return [];
  const boundary = declaredBoundary(value);
  if (boundary === undefined) return [];
  return segmentsOf(block, findMarks(block, headers.body, to, boundary), to, depth + 1);
}

/** An unknown part that decides on the structure: in a boundary line, in the headers of a part, or where the end may be. */
function unknownIn(block: Block, marks: readonly Mark[], segments: readonly Segment[]): Unknown | undefined {
  for (const segment of segments) {
    const found = segment.headers.unknown ?? unknownIn(block, [], segment.inner);
    if (found !== undefined) return found;
  }
  const glued = marks.find((mark) => mark.unknown !== undefined);
  if (glued !== undefined) return glued.unknown;
  const last = marks.at(-1);
  if (last === undefined || last.kind === 'close') return undefined;
  // An unknown part at the very end may hold the closing line.
  const end = block.text.trimEnd().length;
  const tail = block.unknowns.firstIn(end - 1, end);
  return tail !== undefined && tail.start > last.offset ? tail.unknown : undefined;
}

/**
 * The text as the readers of a node may be asked about it: unknown parts that stand in place of headers count as an empty line, and those
 * right before a boundary as ending in a line end. Offsets stay.
 */
export function probeOf({ block, marks, segments }: Outline): string {
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const collect = (segment: Segment): void => {
    const line = block.lines[segment.headers.body];
    const part =
      segment.headers.opaque === undefined || line === undefined
        ? undefined
        : block.unknowns.firstIn(line.start, line.end);
    if (part !== undefined && line !== undefined)
      changes.push({ start: line.start, end: part.end, text: '\n'.repeat(part.end - line.start) });
    segment.inner.forEach(collect);
  };
  segments.forEach(collect);
  const end = block.text.includes('\r\n') ? '\r\n' : '\n';
  for (const mark of marks) {
    if (mark.inline && mark.flaw === undefined)
      changes.push({ start: mark.offset - end.length, end: mark.offset, text: end });
  }
  const pieces: string[] = [];
  let from = 0;
  for (const change of changes.sort((a, b) => a.start - b.start)) {
    if (change.start < from) continue;
    pieces.push(block.text.slice(from, change.start), change.text);
    from = change.end;
  }
  return pieces.join('') + block.text.slice(from);
}
