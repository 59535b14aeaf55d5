import { parseMediaType } from './media-type';

/**
 * MIME as nodeadm reads it. nodeadm hands the text to Go's `net/mail`, and when that finds multipart headers, the rest to `mime/multipart`;
 * both repair nothing. What follows does the same, step by step, with offsets.
 * Sources: awslabs/amazon-eks-ami: nodeadm/internal/configprovider/mime.go; golang/go: src/mime/multipart/multipart.go,
 * src/net/mail/message.go, src/net/textproto/reader.go.
 */

/** A part as nodeadm meets it. */
export interface NodeadmPart {
  /** Offset of the line behind the boundary line. */
  readonly start: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Media type, in lower case; undefined if the part has none. */
  readonly mediaType: string | undefined;
  readonly quotedPrintable: boolean;
}

export type NodeadmReading =
  /** The text isn't multipart for nodeadm: it reads the whole of it as one NodeConfig. */
  | { readonly kind: 'bare'; readonly error: string }
  /** Multipart; with an `error`, nodeadm ends with it after the parts that are given. */
  | { readonly kind: 'multipart'; readonly parts: readonly NodeadmPart[]; readonly error?: string };

/** The one media type that nodeadm reads. */
export const NODE_CONFIG_TYPE = 'application/node.eks.aws';

export function readAsNodeadm(text: string): NodeadmReading {
  const message = readMailHeaders(text);
  if (typeof message === 'string') return { kind: 'bare', error: message };
  const type = parseMediaType(message.headers.get('content-type') ?? '');
  if ('error' in type) return { kind: 'bare', error: type.error };
  if (!type.mediaType.startsWith('multipart/')) return { kind: 'bare', error: 'MIME type is not multipart' };
  const boundary = type.parameters.get('boundary') ?? '';
  if (boundary === '') return { kind: 'multipart', parts: [], error: 'multipart: boundary is empty' };
  return new MultipartReader(text, message.end, boundary).read();
}

interface Headers {
  /** First value of each header, by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Offset of what comes after them. */
  readonly end: number;
}

/** Go's reader of mail headers; a string is its error. */
function readMailHeaders(text: string): Headers | string {
  if (text.startsWith(' ') || text.startsWith('\t')) return `malformed initial line: ${lineAt(text, 0)}`;
  const headers = new Map<string, string>();
  let offset = 0;
  while (offset < text.length) {
    const line = readContinuedLine(text, offset);
    offset = line.next;
    if (line.text === '') return { headers, end: offset };
    const colon = line.text.indexOf(':');
    if (colon < 0) return `malformed header line: ${line.text}`;
    add(headers, line.text, colon);
  }
  return headers.size === 0 ? 'EOF' : { headers, end: offset };
}

/** Go's reader of the headers of a part, which is stricter; a string is its error. */
export function readPartHeaders(text: string, start: number): Headers | string {
  if (text[start] === ' ' || text[start] === '\t') return `malformed MIME header initial line: ${lineAt(text, start)}`;
  const headers = new Map<string, string>();
  let offset = start;
  while (offset < text.length) {
    if (text[offset] !== '\n' && !text.startsWith('\r\n', offset)) {
      const first = lineAt(text, offset);
      if (!first.includes(':')) return `malformed MIME header: missing colon: ${JSON.stringify(first)}`;
    }
    const line = readContinuedLine(text, offset);
    offset = line.next;
    if (line.text === '') return { headers, end: offset };
    const colon = line.text.indexOf(':');
    if (!HEADER_NAME.test(line.text.slice(0, colon)) || CONTROL.test(line.text.slice(colon + 1)))
      return `malformed MIME header line: ${line.text}`;
    add(headers, line.text, colon);
  }
  return 'EOF';
}

/** Bytes that Go allows in a header's name; a name with a space counts as another one. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/;
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;

function add(headers: Map<string, string>, line: string, colon: number): void {
  const name = line.slice(0, colon).toLowerCase();
  if (!headers.has(name)) headers.set(name, line.slice(colon + 1).replace(/^[ \t]+/, ''));
}

/** A header line with the lines that continue it. A line of blanks continues too: it doesn't end the headers. */
function readContinuedLine(text: string, start: number): { readonly text: string; readonly next: number } {
  let next = nextLine(text, start);
  let line = trimmed(text, start, next);
  if (line === '') return { text: line, next };
  const continued: string[] = [];
  while (text[next] === ' ' || text[next] === '\t') {
    const from = next;
    next = nextLine(text, from);
    continued.push(trimmed(text, from, next));
  }
  if (continued.length > 0) line = [line, ...continued].join(' ');
  return { text: line, next };
}

function nextLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end + 1;
}

/** A line without its line end and the blanks around it. */
function trimmed(text: string, start: number, next: number): string {
  let end = next;
  if (end > start && text[end - 1] === '\n') end--;
  if (end > start && end < next && text[end - 1] === '\r') end--;
  while (end > start && isSpace(text[end - 1])) end--;
  let from = start;
  while (from < end && isSpace(text[from])) from++;
  return text.slice(from, end);
}

function lineAt(text: string, start: number): string {
  return trimmed(text, start, nextLine(text, start));
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Go's `multipart.Reader`. */
class MultipartReader {
  private offset: number;
  /** The line end that the first boundary line settles. */
  private lineEnd = '\r\n';
  private readonly dashes: string;
  private readonly parts: NodeadmPart[] = [];
  private partsRead = 0;

  constructor(
    private readonly text: string,
    start: number,
    boundary: string,
  ) {
    this.offset = start;
    this.dashes = `--${boundary}`;
  }

  read(): NodeadmReading {
    for (;;) {
      const part = this.nextPart();
      if (typeof part === 'string')
        return part === 'EOF'
          ? { kind: 'multipart', parts: this.parts }
          : { kind: 'multipart', parts: this.parts, error: part };
      this.parts.push(part);
    }
  }

  private nextPart(): NodeadmPart | string {
    let expectPart = false;
    for (;;) {
      const start = this.offset;
      const next = nextLine(this.text, start);
      const isEnd = next === start || this.text[next - 1] !== '\n';
      const line = this.text.slice(start, next);
      this.offset = next;
      if (isEnd) return this.isFinal(line) ? 'EOF' : 'multipart: NextPart: EOF';
      if (this.isDelimiter(line)) {
        this.partsRead++;
        return this.readPart();
      }
      if (this.isFinal(line)) return 'EOF';
      if (expectPart) return `multipart: expecting a new Part; got line ${JSON.stringify(line)}`;
      if (this.partsRead === 0) continue;
      if (line !== this.lineEnd) return `multipart: unexpected line in Next(): ${JSON.stringify(line)}`;
      expectPart = true;
    }
  }

  private isDelimiter(line: string): boolean {
    if (!line.startsWith(this.dashes)) return false;
    const rest = line.slice(this.dashes.length).replace(/^[ \t]+/, '');
    if (this.partsRead === 0 && rest === '\n') this.lineEnd = '\n';
    return rest === this.lineEnd;
  }

  private isFinal(line: string): boolean {
    if (!line.startsWith(`${this.dashes}--`)) return false;
    const rest = line.slice(this.dashes.length + 2).replace(/^[ \t]+/, '');
    return rest === '' || rest === this.lineEnd;
  }

  private readPart(): NodeadmPart | string {
    const start = this.offset;
    const read = readPartHeaders(this.text, start);
    if (typeof read === 'string') return read;
    const { headers, end: bodyStart } = read;
    const contentType = headers.get('content-type') ?? '';
    let mediaType: string | undefined;
    if (contentType !== '') {
      const type = parseMediaType(contentType);
      if ('error' in type) return type.error;
      ({ mediaType } = type);
    }
    const bodyEnd = this.bodyEnd(bodyStart);
    this.offset = bodyEnd ?? this.text.length;
    if (bodyEnd === undefined) return mediaType === NODE_CONFIG_TYPE ? 'unexpected EOF' : 'multipart: NextPart: EOF';
    return {
      start,
      bodyStart,
      bodyEnd,
      mediaType,
      quotedPrintable: (headers.get('content-transfer-encoding') ?? '').toLowerCase() === 'quoted-printable',
    };
  }

  private bodyEnd(start: number): number | undefined {
    const { text, dashes, lineEnd } = this;
    if (text.startsWith(dashes, start) && this.endsBoundary(start + dashes.length)) return start;
    const wanted = lineEnd + dashes;
    for (let at = text.indexOf(wanted, start); at >= 0; at = text.indexOf(wanted, at + 1)) {
      if (this.endsBoundary(at + wanted.length)) return at;
    }
    return undefined;
  }

  private endsBoundary(at: number): boolean {
    const next = this.text[at];
    return (
      next === undefined ||
      next === ' ' ||
      next === '\t' ||
      next === '\r' ||
      next === '\n' ||
      this.text.startsWith('--', at)
    );
  }
}
