import { isAlias, isMap, parseAllDocuments, parseDocument, type Document } from 'yaml';
import type { Finding } from '../../lib/engine';
import { withLines } from '../fixes/obeyed/by-lines';
import { CannotPaste } from '../fixes/obeyed/cannot-paste';

/*
 * Obeys an advice for a ClusterConfig of eksctl or for a manifest: lines go in the place of lines, settings to the object or group that the
 * finding is about, to the top of the file, or into the `spec` that a heading names.
 */

/** A heading that names the top of the file, or an object by its kind. */
const HEADING =
  /^# in the (?:(file)\b.*|((?:spec|metadata)(?:\.\w+)*) of the (\w+)(?: "([^"]+)")?(?:, without (\w+))?:?)$/;

/** One that names an add-on or a group of a ClusterConfig. */
const OF_ITEM = /^# in the (add-on|group) "([^"]+)"(?:, without (\w+))?:$/;

/** One that names several of them. */
const OF_ITEMS = /^# in the (add-on|group) ("[^"]+"(?:, "[^"]+")* and "[^"]+"):$/;

/** One that names a list which gets another item. */
const ONE_MORE = /^# in the file, one more of (\w+):$/;

/**
 * @param line of the text at which the finding points, where it has several documents. @default - that of the finding
 * @throws CannotPaste where the advice leaves open what to do
 */
export function pastedInDocuments(
  text: string,
  { fixCode = '', resource, source }: Pick<Finding, 'fixCode' | 'resource' | 'source'>,
  line?: number,
): string {
  const byLines = withLines(text, fixCode);
  if (byLines !== undefined) return byLines;
  const documents = parseAllDocuments(text, { uniqueKeys: false }) as Document.Parsed[];
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error !== undefined) throw new CannotPaste(`the file is no YAML: ${error.message}`);
  for (const { heading, code } of partsOf(fixCode)) {
    const [, top, spec, kind, name, without] = HEADING.exec(heading) ?? [];
    const document =
      kind === undefined || (kind === resource.type && name === undefined)
        ? documentAt(text, documents, () => line ?? source.locate().line)
        : objectOf(documents, kind, name);
    const [, list] = ONE_MORE.exec(heading) ?? [];
    if (list !== undefined) {
      const [item] = parseDocument(code).toJS() as unknown[];
      if (document.has(list)) document.addIn([list], item);
      else document.set(list, [item]);
      continue;
    }
    const [, item, itemName = '', withoutKey] = OF_ITEM.exec(heading) ?? [];
    const holder =
      item !== undefined
        ? holderOf(item === 'add-on' ? 'addons' : listOf(itemName, document), itemName, document)
        : spec !== undefined
          ? spec.split('.')
          : top !== undefined
            ? []
            : holderOf(resource.type, resource.id, document);
    const gone = without ?? withoutKey;
    if (gone !== undefined && !document.deleteIn([...holder, gone]))
      throw new CannotPaste(`there is no ${gone} to go without`);
    if (code.trim() === '' && gone !== undefined) continue;
    const parsed = parseDocument(code);
    const settings: unknown = parsed.toJS();
    if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
      throw new CannotPaste(`no settings: ${code}`);
    // A map of a cluster or an object is merged, since others stand in it; one of a group or an add-on is written anew.
    const isDeep = typeof holder.at(-1) !== 'number';
    for (const [path, value] of leavesOf(settings as JsonMap, isDeep)) {
      const { anchor } = (parsed.getIn(path, true) ?? {}) as { readonly anchor?: string };
      const node = document.createNode(value);
      if (anchor !== undefined && !isAlias(node)) Object.assign(node, { anchor });
      document.setIn([...holder, ...path], anchor === undefined ? value : node);
    }
  }
  return documents
    .map((one, index) => (index === 0 ? String(one) : String(one).replace(/^(?!---|%)/, '---\n')))
    .join('');
}

/** Code with the heading of each of its parts. */
export function objectParts(code: string): readonly string[] {
  return code.split(/\n(?=# in the )/);
}

function partsOf(code: string): readonly { readonly heading: string; readonly code: string }[] {
  return objectParts(code).flatMap((part) => {
    const [first = '', ...rest] = part.split('\n');
    if ([HEADING, OF_ITEM, ONE_MORE].some((one) => one.test(first))) return { heading: first, code: rest.join('\n') };
    const [, kind, names] = OF_ITEMS.exec(first) ?? [];
    if (names !== undefined)
      return names.split(/, | and /).map((name) => ({ heading: `# in the ${kind} ${name}:`, code: rest.join('\n') }));
    if (/^# in /.test(first)) throw new CannotPaste(`where is "${first}"?`);
    return { heading: '', code: part };
  });
}

function documentAt(text: string, documents: readonly Document.Parsed[], line: () => number): Document.Parsed {
  const [only, ...others] = documents;
  if (only !== undefined && others.length === 0) return only;
  const offset =
    text
      .split('\n')
      .slice(0, line() - 1)
      .join('\n').length + 1;
  const found = documents.findLast(({ range }) => range[0] <= offset);
  if (found === undefined) throw new CannotPaste('there is no document');
  return found;
}

function objectOf(documents: readonly Document.Parsed[], kind: string, name: string | undefined): Document.Parsed {
  const found = documents.filter(
    (one) => one.get('kind') === kind && (name === undefined || one.getIn(['metadata', 'name']) === name),
  );
  const [only, ...others] = found;
  if (only === undefined) throw new CannotPaste(`the file has no ${kind}`);
  if (others.length > 0) throw new CannotPaste(`which ${kind}?`);
  return only;
}

/** The list that has a group. */
function listOf(name: string, document: Document): string {
  const { nodeGroups } = document.toJS() as { readonly nodeGroups?: readonly { readonly name?: unknown }[] };
  return nodeGroups?.some((group) => group.name === name) === true ? 'nodeGroups' : 'managedNodeGroups';
}

type JsonMap = Readonly<Record<string, unknown>>;

function leavesOf(map: JsonMap, isDeep: boolean): readonly (readonly [path: readonly string[], value: unknown])[] {
  return Object.entries(map).flatMap(([key, value]) =>
    isDeep && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value as JsonMap, true).map(([path, leaf]) => [[key, ...path], leaf] as const)
      : [[[key], value] as const],
  );
}

/** Where the settings of a resource stand: the item of a list that has its name, its `iam`, or the whole object. */
function holderOf(type: string, id: string, document: Document): readonly (string | number)[] {
  const [list = '', part] = type.split('.');
  const items = document.get(list) as { readonly items?: readonly unknown[] } | undefined;
  if (items?.items === undefined) return [];
  const name = part === 'iam' ? id.slice(list.length + 1, -part.length - 1) : id;
  const index = items.items.findIndex((item) => isMap(item) && item.get('name') === name);
  if (index < 0) throw new CannotPaste(`there is no ${type} ${id}`);
  return part === 'iam' ? [list, index, part] : [list, index];
}
