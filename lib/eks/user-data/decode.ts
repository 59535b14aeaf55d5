import { nowhere, Unknown, type Source } from '../../value';
import { base64Bytes, gunzip, isBinary, isGzip, utf8 } from './encoding';

/** User data as EC2 hands it to a node, made text. */
export interface DecodedUserData {
  readonly text: string;
  /** What was taken off, outermost first: compression, or base64 on top of the base64 that EC2 demands. */
  readonly layers: readonly ('base64' | 'gzip')[];
  /** Whether the bytes are no text; `text` is then only good for showing. */
  readonly binary: boolean;
}

/** A document wrapped more often than this is nobody's intention. */
const MAX_LAYERS = 4;

/**
 * Takes layers of gzip and base64 off user data. nodeadm and cloud-init accept one of each, base64 outermost.
 * Source: awslabs/amazon-eks-ami: nodeadm/internal/configprovider/encoding.go.
 */
export function decodeUserData(bytes: Uint8Array): DecodedUserData {
  const { text, layers, binary } = unpackUserData(bytes, nowhere);
  return { text, layers, binary };
}

/** The same of what stands in an input. */
export function unpackUserData(
  bytes: Uint8Array,
  source: Source,
): DecodedUserData & { /** Set if it is too large to be unpacked. */ readonly unknown?: Unknown } {
  const layers: ('base64' | 'gzip')[] = [];
  let content = bytes;
  for (;;) {
    const inner = layers.length < MAX_LAYERS ? unwrapped(content, source) : undefined;
    if (inner === undefined) break;
    layers.push(inner.layer);
    if (inner.bytes instanceof Unknown) return { text: '', layers, binary: true, unknown: inner.bytes };
    content = inner.bytes;
  }
  const text = utf8(content);
  if (text === undefined)
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(content), layers, binary: true };
  return { text, layers, binary: isBinary(text) };
}

function unwrapped(
  bytes: Uint8Array,
  source: Source,
): { readonly layer: 'base64' | 'gzip'; readonly bytes: Uint8Array | Unknown } | undefined {
  if (isGzip(bytes)) {
    const inner = gunzip(bytes, source);
    return inner === undefined ? undefined : { layer: 'gzip', bytes: inner };
  }
  const inner = base64Layer(utf8(bytes) ?? '');
  return inner === undefined ? undefined : { layer: 'base64', bytes: inner };
}

/** The shortest text that is taken for base64: shorter ones may be words. */
const MIN_BASE64 = 16;

/** The bytes in a text that is base64 from end to end, if they are text or gzip; else it's base64 only by chance. */
export function base64Layer(text: string): Uint8Array | undefined {
  if (text.length < MIN_BASE64 || !/^\s*[A-Za-z0-9+/]{4}/.test(text)) return undefined;
  const trimmed = text.trim();
  const bytes = trimmed.length < MIN_BASE64 ? undefined : base64Bytes(trimmed);
  if (bytes === undefined) return undefined;
  if (isGzip(bytes)) return bytes;
  const inner = utf8(bytes);
  return inner === undefined || inner === '' || isBinary(inner) ? undefined : bytes;
}
