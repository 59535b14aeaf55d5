import { gunzipSync } from 'node:zlib';
import { beyondLimit, unpackWithin, Unknown, type Source } from '../../value';
import { SourceText, type UnknownPart } from './source-text';

/** Bytes, and the offset in a text of the character that each comes from. */
interface Decoded {
  readonly bytes: Uint8Array;
  readonly offsetOf: (byte: number) => number;
  readonly unknownParts?: readonly UnknownPart[];
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Undefined if the data is damaged, unknown if it is larger than anything that user data can be. */
export function gunzip(packed: Uint8Array, source: Source): Uint8Array | Unknown | undefined {
  try {
    const inner = unpackWithin(packed, (bytes, most) => gunzipSync(bytes, { maxOutputLength: most }));
    return inner ?? beyondLimit('it is too large once it is unpacked', source);
  } catch {
    return undefined;
  }
}

/** Text of UTF-8 bytes. A byte order mark stays: it matters to cloud-init. Undefined for bytes that aren't UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Characters that no text for a node holds. */
const BINARY = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

export function isBinary(text: string): boolean {
  return BINARY.test(text);
}

/**
 * Bytes of a base64 text. White space anywhere and missing padding are let pass, as in cloud-init; undefined for other characters.
 * @param strict as nodeadm reads it: padded, and with nothing but line ends within
 */
export function base64Bytes(text: string, strict = false): Uint8Array | undefined {
  const compact = strict ? text.replace(/[\r\n]+/g, '') : text.replace(/\s+/g, '');
  const digits = compact.endsWith('==')
    ? compact.length - 2
    : compact.endsWith('=')
      ? compact.length - 1
      : compact.length;
  if (!/^[A-Za-z0-9+/]*$/.test(compact.slice(0, digits)) || digits % 4 === 1) return undefined;
  if (strict ? compact.length % 4 !== 0 : compact.length !== digits && compact.length % 4 !== 0) return undefined;
  return Buffer.from(compact, 'base64');
}

/**
 * What is in base64, gzip taken off; undefined if the text isn't base64 or what is in it isn't text. Nothing in it may be unknown.
 * @param mode `strict`: as nodeadm reads it; `repair`: as cloud-init does, which passes over whatever isn't base64
 */
export function decodeBase64(source: SourceText, mode: 'strict' | 'repair'): SourceText | undefined {
  const bytes = base64Bytes(
    mode === 'strict' ? source.text : source.text.replace(/[^A-Za-z0-9+/]+/g, ''),
    mode === 'strict',
  );
  const decoded =
    bytes === undefined ? undefined : decodeBytes(source, { bytes, offsetOf: base64Offsets(source.text) });
  return decoded === undefined || isBinary(decoded.text) ? undefined : decoded;
}

/** Three bytes make four characters; those that aren't white space count. */
function base64Offsets(text: string): (byte: number) => number {
  let digits: Uint32Array | undefined;
  return (byte) => {
    const digit = Math.floor(byte / 3) * 4 + (byte % 3);
    digits ??= Uint32Array.from(Array.from(text.matchAll(/[A-Za-z0-9+/]/g), (match) => match.index));
    return digits[digit] ?? text.length;
  };
}

/** What is in quoted-printable. What isn't well-formed stays as it is. */
export function decodeQuotedPrintable(source: SourceText): SourceText | undefined {
  const { text } = source;
  const bytes: number[] = [];
  const offsets: number[] = [];
  const push = (offset: number, ...added: readonly number[]): void => {
    for (const byte of added) {
      bytes.push(byte);
      offsets.push(offset);
    }
  };
  for (const token of text.matchAll(/=[ \t]{0,80}\r?\n|=[0-9A-Fa-f]{2}|[^=]+|=/g)) {
    const [found] = token;
    if (/^=[ \t]*\r?\n$/.test(found)) continue;
    if (/^=[0-9A-Fa-f]{2}$/.test(found)) push(token.index, Number.parseInt(found.slice(1), 16));
    else
      for (let i = 0; i < found.length; i += width(found, i))
        push(token.index + i, ...Buffer.from(found.slice(i, i + width(found, i))));
  }
  const unknownParts = source.unknownParts.map((part) => ({
    ...part,
    start: indexFrom(offsets, part.start),
    end: indexFrom(offsets, part.end),
  }));
  return decodeBytes(source, {
    bytes: Uint8Array.from(bytes),
    offsetOf: (byte) => offsets[byte] ?? text.length,
    unknownParts,
  });
}

function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Index of the first of ascending numbers that isn't smaller. */
function indexFrom(ascending: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function decodeBytes(source: SourceText, { bytes, offsetOf, unknownParts = [] }: Decoded): SourceText | undefined {
  if (isGzip(bytes)) {
    const inner = gunzip(bytes, source.sourceAt(offsetOf(0)));
    if (inner instanceof Unknown) return SourceText.compose([{ unknown: inner }]);
    const text = inner === undefined ? undefined : utf8(inner);
    // Nothing in compressed data stands anywhere in particular.
    return text === undefined ? undefined : source.derive(text, () => offsetOf(0));
  }
  const text = utf8(bytes);
  if (text === undefined) return undefined;
  if (text.length === bytes.length) return source.derive(text, offsetOf, unknownParts);
  let firstBytes: Uint32Array | undefined;
  const byteOf = (offset: number): number => (firstBytes ??= byteOffsets(text))[offset] ?? bytes.length;
  const index = (byte: number): number => indexFrom((firstBytes ??= byteOffsets(text)), byte);
  const shifted = unknownParts.map((part) => ({ ...part, start: index(part.start), end: index(part.end) }));
  return source.derive(text, (offset) => offsetOf(byteOf(offset)), shifted);
}

/** For each UTF-16 unit of a text, the offset of its first byte in UTF-8. */
function byteOffsets(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length);
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    offsets[i] = bytes;
    // A surrogate pair is four bytes: two for each unit.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code & 0xf800) === 0xd800 ? 2 : 3;
  }
  return offsets;
}
