import type { PartKind, UserDataPart } from '../document';
import { decodeBase64, decodeQuotedPrintable, isBinary } from '../encoding';
import {
  effectiveType,
  handledKind,
  isBottlerocket,
  isNodeConfig,
  isWindows,
  sniffedType,
  SNIFFED_TYPES,
} from '../sniff';
import { SourceText } from '../source-text';
import type { CloudInitPart } from './cloud-init';
import { headerNamed } from './headers';
import { isBlank } from './lines';
import { NODE_CONFIG_TYPE, type NodeadmPart } from './nodeadm';
import type { Outline, Segment } from './outline';

/** What the readers of a node find in a document: parts by the offset at which they start. */
export interface Readings {
  readonly nodeadm: ReadonlyMap<number, NodeadmPart>;
  readonly cloudInit: ReadonlyMap<number, CloudInitPart>;
}

/** The parts of a document, in order, those of multiparts within included. */
export function partsOf(source: SourceText, outline: Outline, readings: Readings): ReadonlyMap<Segment, UserDataPart> {
  const parts = new Map<Segment, UserDataPart>();
  const add = (segment: Segment): void => {
    parts.set(segment, partOf(source, outline, segment, readings));
    segment.inner.forEach(add);
  };
  outline.segments.forEach(add);
  return parts;
}

function partOf(source: SourceText, outline: Outline, segment: Segment, readings: Readings): UserDataPart {
  const { headers } = segment;
  const contentType = headerNamed(headers.headers, 'content-type');
  const mediaType =
    contentType === undefined || headers.unknown !== undefined
      ? undefined
      : contentType.value.split(';', 1)[0]?.trim().toLowerCase();
  const raw = source.slice(segment.body, segment.end);
  const { body, failed } = decodedBody(
    raw,
    headerNamed(headers.headers, 'content-transfer-encoding')?.value,
    mediaType,
  );
  const kind = headers.opaque !== undefined && mediaType === undefined ? 'unknown' : kindOf(mediaType, body);
  const headerLine = headers.headers[0]?.line;
  const headerOffset =
    headerLine === undefined ? segment.body : (outline.block.lines[headerLine]?.start ?? segment.body);
  const part = { kind, mediaType, headerOffset, bodyOffset: segment.body, body };
  if (kind === 'unknown' || outline.unknownStructure !== undefined) {
    // Nobody knows; what an author would expect counts.
    const reached = segment.after === undefined;
    return {
      ...part,
      readByNodeadm: reached && (kind === 'unknown' || mediaType === NODE_CONFIG_TYPE),
      readByCloudInit: reached && kind !== 'node-config' && handles(mediaType, body),
    };
  }
  return {
    ...part,
    readByNodeadm: !failed.nodeadm && isReadByNodeadm(segment, readings.nodeadm.get(segment.start)),
    readByCloudInit: isReadByCloudInit(segment, kind, body, readings),
  };
}

function isReadByNodeadm(segment: Segment, read: NodeadmPart | undefined): boolean {
  if (read?.mediaType !== NODE_CONFIG_TYPE || read.bodyStart !== segment.body) return false;
  // A body that swallows what follows is no YAML any more.
  return read.bodyEnd <= segment.end + 1 && segment.body < segment.end;
}

function isReadByCloudInit(segment: Segment, kind: PartKind, body: SourceText, { cloudInit }: Readings): boolean {
  const read = cloudInit.get(segment.start);
  return (
    read !== undefined &&
    read.bodyStart === segment.body &&
    kind !== 'node-config' &&
    kind !== 'empty' &&
    handles(read.mediaType, body)
  );
}

/** Whether cloud-init acts on a content of a media type. */
export function handles(mediaType: string | undefined, body: SourceText): boolean {
  const type = mediaType ?? 'text/plain';
  if (SNIFFED_TYPES.has(type) && beginsUnknown(body)) return true;
  return handledKind(effectiveType(type, body.text), body.text) !== undefined;
}

/** What a content with a media type is, or is meant to be. */
export function kindOf(mediaType: string | undefined, body: SourceText): PartKind {
  const { text } = body;
  if (mediaType?.startsWith('multipart/') === true) return 'multipart';
  if (mediaType?.startsWith(NODE_CONFIG_TYPE) === true) return 'node-config';
  if (isBlank(text)) return 'empty';
  if (isBinary(text)) return 'binary';
  if (isNodeConfig(text)) return 'node-config';
  const type = mediaType ?? 'text/plain';
  if (beginsUnknown(body) && (type === 'text/plain' || handledKind(type, text) === undefined)) return 'unknown';
  return handledKind(effectiveType(type, text), text) ?? meantKind(text);
}

/** What a text is by its beginning, whatever it's called. */
export function meantKind(text: string): PartKind {
  const sniffed = sniffedType(text);
  const kind = sniffed === undefined ? undefined : handledKind(sniffed, text);
  if (kind !== undefined) return kind;
  if (isBottlerocket(text)) return 'toml';
  return isWindows(text) ? 'windows' : 'text';
}

export function beginsUnknown(body: SourceText): boolean {
  const start = body.text.length - body.text.trimStart().length;
  return body.unknownIn(start, start + 1) !== undefined;
}

/** A content, and for which reader its transfer encoding is wrong. */
export interface DecodedBody {
  readonly body: SourceText;
  readonly failed: { readonly nodeadm: boolean; readonly cloudInit: boolean };
}

const FINE = { nodeadm: false, cloudInit: false } as const;

/**
 * Takes off the transfer encoding. nodeadm decodes base64 wherever it finds it, whatever the headers say, and only flawless base64;
 * cloud-init goes by the header and repairs.
 * Source: awslabs/amazon-eks-ami: nodeadm/internal/configprovider/encoding.go.
 */
export function decodedBody(
  raw: SourceText,
  transferEncoding: string | undefined,
  mediaType: string | undefined,
): DecodedBody {
  const encoding = transferEncoding?.trim().toLowerCase();
  const forNodeadm = mediaType === NODE_CONFIG_TYPE;
  if (encoding === 'quoted-printable') return { body: decodeQuotedPrintable(raw) ?? raw, failed: FINE };
  if (encoding === 'base64') return decodedBase64(raw, forNodeadm);
  if (forNodeadm && raw.text !== '')
    return {
      body: encodedUnknown(raw) ?? (raw.isKnown ? decodeBase64(raw, 'strict') : undefined) ?? raw,
      failed: FINE,
    };
  return { body: raw, failed: FINE };
}

function decodedBase64(raw: SourceText, forNodeadm: boolean): DecodedBody {
  if (isBlank(raw.text)) return { body: raw, failed: FINE };
  const encoded = encodedUnknown(raw);
  if (encoded !== undefined) return { body: encoded, failed: FINE };
  const [unknown] = raw.unknownParts;
  if (unknown !== undefined) return { body: SourceText.compose([{ unknown: unknown.unknown }]), failed: FINE };
  const strict = forNodeadm ? decodeBase64(raw, 'strict') : undefined;
  const decoded = strict ?? decodeBase64(raw, 'repair');
  // nodeadm falls back to the text as it stands, which may well be a NodeConfig.
  const plain = decoded === undefined && isNodeConfig(raw.text);
  return {
    body: decoded ?? raw,
    failed: { nodeadm: forNodeadm && strict === undefined && !plain, cloudInit: decoded === undefined },
  };
}

/** The text whose base64 a body is, if it's nothing else. */
function encodedUnknown(raw: SourceText): SourceText | undefined {
  const [only, second] = raw.unknownParts;
  if (only?.encoded === undefined || second !== undefined) return undefined;
  return isBlank(raw.text, 0, only.start) && isBlank(raw.text, only.end) ? only.encoded : undefined;
}
