import { universalLines, type Line } from './lines';
import { looseMediaType, looseParameter } from './media-type';

/**
 * MIME as cloud-init reads it: with Python's `email`, which repairs much, and only if `mime-version:` stands near the top.
 * Sources: canonical/cloud-init: cloudinit/user_data.py; python/cpython: Lib/email/feedparser.py.
 */

/** A part that isn't a container. */
export interface CloudInitPart {
  /** Offset of the line behind the boundary line. */
  readonly start: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** In lower case; `text/plain` for parts without one. */
  readonly mediaType: string;
  /** As written, in lower case. */
  readonly transferEncoding: string;
}

/** Whether cloud-init takes a text for MIME; else all of it is one thing, told by its first line. */
export function isMimeForCloudInit(text: string): boolean {
  return Buffer.from(text.slice(0, WINDOW))
    .subarray(0, WINDOW)
    .toString('latin1')
    .toLowerCase()
    .includes('mime-version:');
}

const WINDOW = 4096;

/** The parts of a MIME text, in order; nested multiparts are walked into. Says nothing of {@link isMimeForCloudInit}. */
export function readAsCloudInit(text: string): readonly CloudInitPart[] {
  const lines = universalLines(text);
  const parts: CloudInitPart[] = [];
  readMessage({ text, lines, parts }, 0, lines.length, 0);
  return parts;
}

interface Reading {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly parts: CloudInitPart[];
}

/** Deeper ones count as text: nobody writes them, and each level reads its lines once more. */
const MAX_DEPTH = 8;

function readMessage(reading: Reading, from: number, to: number, depth: number): void {
  const { text, lines, parts } = reading;
  const { headers, bodyLine } = readHeaders(reading, from, to);
  const contentType = headers.get('content-type');
  const mediaType = looseMediaType(contentType);
  if (mediaType.startsWith('multipart/') && depth < MAX_DEPTH) {
    const boundary = looseParameter(contentType ?? '', 'boundary')?.trimEnd();
    if (boundary !== undefined) readParts(reading, bodyLine, to, boundary, depth);
    return;
  }
  const end = to > bodyLine ? lines[to - 1] : undefined;
  const start = lines[from]?.start ?? text.length;
  const bodyStart = lines[bodyLine]?.start ?? text.length;
  // The line end before a boundary belongs to the boundary.
  const bodyEnd = Math.max(bodyStart, end === undefined ? bodyStart : depth === 0 ? end.next : end.end);
  parts.push({
    start,
    bodyStart,
    bodyEnd,
    mediaType,
    transferEncoding: (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase(),
  });
}

function readParts(reading: Reading, from: number, to: number, boundary: string, depth: number): void {
  const { text, lines } = reading;
  const dashes = `--${boundary}`;
  const kinds = new Map<number, 'open' | 'close'>();
  const order: number[] = [];
  for (let i = from; i < to; i++) {
    const kind = boundaryKind(text, lines[i], dashes);
    if (kind === undefined) continue;
    kinds.set(i, kind);
    order.push(i);
  }
  for (let k = 0; k < order.length; k++) {
    let at = order[k] ?? to;
    if (kinds.get(at) === 'close') return;
    // Boundary lines that follow each other directly count once, closing ones included.
    while (order[k + 1] === at + 1) {
      k++;
      at++;
    }
    readMessage(reading, at + 1, order[k + 1] ?? to, depth + 1);
  }
}

function boundaryKind(text: string, line: Line | undefined, dashes: string): 'open' | 'close' | undefined {
  if (line === undefined || !text.startsWith(dashes, line.start)) return undefined;
  const rest = text.slice(line.start + dashes.length, line.end);
  if (/^[ \t]*$/.test(rest)) return 'open';
  return rest.startsWith('--') && /^[ \t]*$/.test(rest.slice(2)) ? 'close' : undefined;
}

/** A header line (its name, and a colon) or one that continues a header. */
const HEADER_LINE = /^(?:From |[!-9;-~]*:|[\t ])/;

function readHeaders(
  reading: Reading,
  from: number,
  to: number,
): { readonly headers: ReadonlyMap<string, string>; readonly bodyLine: number } {
  const { text, lines } = reading;
  const headers = new Map<string, string>();
  let name: string | undefined;
  let value: string[] = [];
  const flush = (): void => {
    if (name !== undefined && !headers.has(name)) headers.set(name, value.join('\n'));
    name = undefined;
  };
  for (let i = from; i < to; i++) {
    const line = lines[i];
    const content = line === undefined ? '' : text.slice(line.start, line.end);
    if (!HEADER_LINE.test(content)) {
      flush();
      return { headers, bodyLine: content === '' ? i + 1 : i };
    }
    if (content.startsWith(' ') || content.startsWith('\t')) {
      value.push(content);
      continue;
    }
    flush();
    const colon = content.indexOf(':');
    if (content.startsWith('From ') || colon === 0) continue;
    name = content.slice(0, colon).toLowerCase();
    value = [content.slice(colon + 1).replace(/^[ \t]+/, '')];
  }
  flush();
  return { headers, bodyLine: to };
}
