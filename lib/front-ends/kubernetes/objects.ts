import { parseDocuments } from '../../languages/parse-document';
import { isInBrackets, keyPattern, topLevelOf } from '../../text/top-level';
import type { ParsedDocument } from '../../languages';
import { dataAt, isDataMap, Unknown, type Data, type DataMap } from '../../value';
import { dataOf, withScriptsFilledIn } from './object-data';
import { ObjectNode } from './object-node';
import { isNamespaced } from './relevant';

/** An object of a manifest, and where it stands. */
export interface PlacedObject {
  readonly node: ObjectNode;
  readonly object: DataMap;
}

/**
 * The objects of a parsed document, those of lists one by one, as kubectl takes them: `kind: List`, and every other kind that ends in `List` and has
 * items. Source: kubernetes/cli-runtime, pkg/resource/visitor.go (FlattenListVisitor).
 */
export function objectsOfDocument(document: ParsedDocument, file: string): readonly PlacedObject[] {
  const objects: PlacedObject[] = [];
  collect(document.root, new ObjectNode(document, file, []), {}, objects);
  return objects;
}

/** What items of a list that the API server answers have from their list. */
interface OfList {
  readonly apiVersion?: unknown;
  readonly kind?: string;
}

function collect(raw: unknown, node: ObjectNode, ofList: OfList, objects: PlacedObject[]): void {
  if (Array.isArray(raw)) {
    for (const [index, item] of raw.entries()) collect(item, node.item(index), ofList, objects);
    return;
  }
  if (!isMap(raw)) return;
  const { apiVersion = ofList.apiVersion, kind = ofList.kind, items } = raw;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    const inner = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
    collect(items, node.item('items'), inner, objects);
    return;
  }
  if (apiVersion === undefined || kind === undefined) return;
  const object = dataOf('kind' in raw && 'apiVersion' in raw ? raw : { apiVersion, kind, ...raw }, node);
  if (isDataMap(object)) objects.push({ node, object });
}

function isMap(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** The same object in a namespace that something else decides: one that isn't written there, or another than is. */
export function inNamespace({ node, object }: PlacedObject, namespace: string | undefined, file: string): PlacedObject {
  const metadata = object['metadata'] ?? {};
  if (!isNamespaced(object) || !isDataMap(metadata)) return { node, object };
  const isWritten = (metadata['namespace'] ?? undefined) !== undefined;
  if (namespace === undefined && isWritten) return { node, object };
  const place: Data =
    namespace ??
    new Unknown(
      'the release decides its namespace',
      node.at('metadata'),
      undefined,
      `namespace of the release in ${file}`,
    );
  return { node, object: { ...object, metadata: { ...metadata, namespace: place } } };
}

/** What turns Flux's variables off for an object, as label or annotation. Source: fluxcd/pkg, kustomize/kustomize_varsub.go. */
const NO_VARIABLES = 'kustomize.toolkit.fluxcd.io/substitute';

/** The same object where Flux fills in its variables: those outside scripts aren't known in any case. */
export function withVariables({ node, object }: PlacedObject): PlacedObject {
  const isOff = ['labels', 'annotations'].some((key) => dataAt(object, 'metadata', key, NO_VARIABLES) === 'disabled');
  return { node, object: isOff ? object : withScriptsFilledIn(object, node) };
}

/** Keys of lists whose items have images. */
const CONTAINERS: ReadonlySet<string> = new Set(['containers', 'initContainers']);

/** The same object with other images in its containers. @param after undefined where several may be meant */
export function withImages({ node, object }: PlacedObject, after: (image: string) => string | undefined): PlacedObject {
  const changed = (data: Data, path: readonly string[], isContainer: boolean): Data => {
    if (Array.isArray(data)) {
      const list = CONTAINERS.has(path.at(-1) ?? '');
      return (data as readonly Data[]).map((item, index) => changed(item, [...path, String(index)], list));
    }
    if (!isDataMap(data)) return data;
    return Object.fromEntries(
      Object.entries<Data>(data).map(([key, value]) => {
        const at = [...path, key];
        if (key !== 'image' || !isContainer || typeof value !== 'string') return [key, changed(value, at, false)];
        const source = node.at(...at);
        const reason = 'several kustomizations set it, each otherwise';
        return [key, after(value) ?? new Unknown(reason, source, `${value.split(/[:@]/, 1).join('')}:\${tag}`)];
      }),
    );
  };
  const result = changed(object, [], false);
  return { node, object: isDataMap(result) ? result : object };
}

/** What is the same for an object however often it is written: group, kind, namespace and name; undefined where one of them isn't known. */
export function identityOf(object: Data): string | undefined {
  if (!isDataMap(object)) return undefined;
  const { apiVersion, kind, metadata } = object;
  const { name, namespace = null } = isDataMap(metadata) ? metadata : {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const place =
    namespace instanceof Unknown ? (namespace.symbol ?? namespace.text) : namespace === null ? 'default' : namespace;
  if (typeof place !== 'string') return undefined;
  return JSON.stringify([group, kind, isNamespaced(object) ? place : '', name]);
}

/** Plain words and addresses, which are no secrets, and would be hidden in every text that has them. */
const NO_SECRET = /^(?:[a-z]+|https?:\/\/\S+)$/;

/** The texts of a Secret, which nobody is shown. */
export function secretsIn({ object }: PlacedObject): readonly string[] {
  if (object['kind'] !== 'Secret') return [];
  return [object['data'], object['stringData']].flatMap((map) =>
    isDataMap(map)
      ? Object.values<Data>(map).flatMap((value) =>
          typeof value === 'string' && !NO_SECRET.test(value) ? [value] : [],
        )
      : [],
  );
}

const SECRET = new RegExp(String.raw`${keyPattern('kind')}Secret\b`);

/** What begins a text of several lines. */
const BLOCK = /^[|>][-+\d]*$/;

/** The same of a document that isn't parsed; it shows with what stands beside it. */
export function secretsInText(text: string): readonly string[] {
  const top = topLevelOf(text);
  if (!SECRET.test(top)) return [];
  if (isInBrackets(top))
    return parseDocuments(text, '').flatMap((document) => objectsOfDocument(document, '').flatMap(secretsIn));
  const found: string[] = [];
  let isData = false;
  for (const line of top.split('\n')) {
    if (/^\S/.test(line)) isData = /^["']?(?:data|stringData)["']?[ \t]*:/.test(line);
    const value = line
      .replace(/^\s*[^\s:]+[ \t]*:(?:\s+|$)/, '')
      .trim()
      .replaceAll(/^["']|["']$/g, '');
    if (isData && value !== '' && !BLOCK.test(value) && !NO_SECRET.test(value)) found.push(value);
  }
  return found;
}
