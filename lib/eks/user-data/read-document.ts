import { Unknown } from '../../value';
import type { PartKind, UserDataDocument, UserDataFormat } from './document';
import { base64Layer } from './decode';
import { gunzip, isBinary, isGzip, utf8 } from './encoding';
import { isBlank } from './mime/lines';
import { readMime, type MimeDocument } from './mime/read';
import { beginsUnknown, meantKind } from './mime/parts';
import { handledKind, isNodeConfig, sniffedType } from './sniff';
import { SourceText } from './source-text';

export interface ReadOptions {
  /** Whether gzip has been taken off the text already. */
  readonly gzip?: boolean;
  /** All layers that have been taken off, outermost first; instead of `gzip`. */
  readonly layers?: readonly ('base64' | 'gzip')[];
}

const documents = new WeakMap<SourceText, UserDataDocument>();

/** Takes user data apart. Reads any text, and without options each only once. */
export function readUserData(text: SourceText, options?: ReadOptions): UserDataDocument {
  const known = options === undefined ? documents.get(text) : undefined;
  if (known !== undefined) return known;
  const { text: inner, layers } = withoutLayers(text, options?.layers ?? (options?.gzip === true ? ['gzip'] : []));
  const document = readText(inner, layers);
  if (options === undefined) documents.set(text, document);
  return document;
}

type Layers = UserDataDocument['layers'];

const MAX_LAYERS = 4;

function withoutLayers(text: SourceText, taken: Layers): { readonly text: SourceText; readonly layers: Layers } {
  const layers = [...taken];
  let current = text;
  while (layers.length < MAX_LAYERS) {
    const [only, second] = current.unknownParts;
    if (
      only?.encoded !== undefined &&
      second === undefined &&
      isBlank(current.text, 0, only.start) &&
      isBlank(current.text, only.end)
    ) {
      layers.push('base64');
      current = only.encoded;
      continue;
    }
    const inner = current.isKnown ? decodedLayer(current) : undefined;
    if (inner === undefined) break;
    layers.push(...inner.layers);
    current = inner.text;
  }
  return { text: current, layers };
}

function decodedLayer(outer: SourceText): { readonly text: SourceText; readonly layers: Layers } | undefined {
  const bytes = base64Layer(outer.text);
  if (bytes === undefined) return undefined;
  if (isGzip(bytes)) {
    const inner = gunzip(bytes, outer.sourceAt(0));
    if (inner instanceof Unknown) return { text: SourceText.compose([{ unknown: inner }]), layers: ['base64', 'gzip'] };
    const text = inner === undefined ? undefined : utf8(inner);
    // Lines and columns are those of the text inside: it's what the programs of a node see.
    return text === undefined
      ? undefined
      : { text: SourceText.of(text, () => outer.sourceAt(0)), layers: ['base64', 'gzip'] };
  }
  const text = utf8(bytes);
  return text === undefined ? undefined : { text: SourceText.of(text, base64Source(outer, text)), layers: ['base64'] };
}

function base64Source(outer: SourceText, text: string): (offset: number) => ReturnType<SourceText['sourceAt']> {
  let digits: readonly number[] | undefined;
  return (offset) => {
    digits ??= Array.from(outer.text.matchAll(/\S/g), (match) => match.index);
    return outer.sourceAt(digits[Math.floor(Buffer.byteLength(text.slice(0, offset)) / 3) * 4] ?? 0);
  };
}

function readText(text: SourceText, layers: Layers): UserDataDocument {
  const mime = readMime(text);
  if (mime !== undefined) return { text, layers, format: 'multipart', ...(isReadable(layers) ? mime : unread(mime)) };
  const kind = bareKind(text);
  const readable = isReadable(layers);
  const sniffed = sniffedType(text.text);
  const part = {
    kind,
    mediaType: undefined,
    headerOffset: 0,
    bodyOffset: 0,
    body: text,
    readByNodeadm: readable && (kind === 'node-config' || kind === 'unknown'),
    readByCloudInit:
      readable && (kind === 'unknown' || (sniffed !== undefined && handledKind(sniffed, text.text) !== undefined)),
  };
  return { text, layers, format: formatOf(kind), parts: [part], defects: [], unknownStructure: undefined };
}

/** A document that no reader gets at. */
function unread(document: MimeDocument): MimeDocument {
  const parts = new Map(
    document.parts.map((part) => [part, { ...part, readByNodeadm: false, readByCloudInit: false }]),
  );
  const defects = document.defects.map((defect) => ({
    ...defect,
    parts: defect.parts.map((part) => parts.get(part) ?? part),
  }));
  return { ...document, parts: [...parts.values()], defects };
}

/** nodeadm and cloud-init take off base64 once, and then gzip once. */
function isReadable(layers: Layers): boolean {
  return ['', 'base64', 'gzip', 'base64 gzip'].includes(layers.join(' '));
}

function bareKind(source: SourceText): PartKind {
  const { text } = source;
  const withoutMark = text.replace(/^\uFEFF/, '');
  if (isBlank(withoutMark)) return 'empty';
  if (isBinary(text)) return 'binary';
  if (beginsUnknown(source)) return 'unknown';
  return isNodeConfig(withoutMark) ? 'node-config' : meantKind(withoutMark);
}

function formatOf(kind: PartKind): UserDataFormat {
  return kind === 'boothook' || kind === 'multipart' ? 'text' : kind;
}
