import { applyEdits, refuse } from './text-edit';
import { jsonTree } from './json-tree';
import { yamlTree } from './yaml-tree';
import { NOT_CLEAR, walk, type Tree, type TreeEntry, type TreePath, type TreeScalar } from './tree';
import { removeAt, setIn } from './tree-edit';
import type { Scalar } from './tree-values';

/** A change of JSON or YAML that is a text of the input. */
export type DataChange =
  | { readonly kind: 'setData'; readonly at: TreePath; readonly to: Scalar }
  | { readonly kind: 'moveData'; readonly at: TreePath; readonly to: TreePath }
  | { readonly kind: 'renameData'; readonly at: TreePath; readonly to: string }
  | { readonly kind: 'removeData'; readonly at: TreePath };

/** EKS takes both. */
function treeOf(text: string): Tree | undefined {
  const tree = jsonTree(text) ?? yamlTree(text);
  return tree?.root.kind === 'scalar' ? undefined : tree;
}

/** The text after the change, or why it isn't made. */
export function changedJson(
  text: string,
  change: DataChange,
): { readonly text: string } | { readonly refusal: string } {
  const tree = treeOf(text);
  if (tree === undefined) return refuse('the configuration values are written neither as JSON nor as YAML');
  if (change.kind === 'setData') {
    const plan = setIn(tree, change.at, change.to);
    return 'refusal' in plan ? plan : { text: applyEdits(text, plan.edits) };
  }
  const { node, missing, entries } = walk(tree, change.at);
  const last = entries.at(-1);
  if (change.kind !== 'moveData' && (missing.length > 0 || last === undefined))
    return refuse('it stands elsewhere than in the resource itself');
  if (change.kind === 'renameData') {
    if (last?.owner.kind !== 'map') return refuse(NOT_CLEAR);
    if (last.owner.entries().some(({ key }) => key === change.to)) return refuse(`\`${change.to}\` is set, too`);
    return renamed(tree, last.entry, change.to);
  }
  if (change.kind === 'moveData' && (missing.length > 0 || node.kind !== 'scalar' || typeof node.value === 'object'))
    return refuse('more than a plain value would have to move');
  const steps = shallowest(entries.map(({ owner }) => owner.entries().length));
  const root = entries[0]?.owner;
  const isAll = steps === 1 && root?.entries().length === 1;
  const removed = isAll
    ? { edits: [{ start: root.start, end: root.end, text: '{}' }] }
    : removeAt(tree, change.at.slice(0, steps));
  if ('refusal' in removed) return removed;
  const rest = treeOf(applyEdits(text, removed.edits));
  if (rest === undefined) return refuse('what is left could not be read');
  if (change.kind === 'removeData') return { text: rest.text };
  if (walk(rest, change.to).missing.length === 0) return refuse(`\`${change.to.join('.')}\` is set, too`);
  const plan = setIn(rest, change.to, node.kind === 'scalar' ? (node.value as Scalar) : '');
  return 'refusal' in plan ? plan : { text: applyEdits(rest.text, plan.edits) };
}

/** A key in the quotes that it has. */
function renamed(
  { text, language }: Tree,
  { start, key }: TreeEntry,
  to: string,
): { text: string } | { refusal: string } {
  const written = [JSON.stringify(key), `'${key}'`, ...(language === 'yaml' ? [key] : [])].find((one) =>
    text.startsWith(one, start),
  );
  if (written === undefined) return refuse(NOT_CLEAR);
  return { text: text.slice(0, start) + written.replace(key, () => to) + text.slice(start + written.length) };
}

/** How many steps lead to what goes as a whole when its only member goes. */
export function shallowest(sizes: readonly number[]): number {
  let steps = sizes.length;
  while (steps > 1 && sizes[steps - 1] === 1) steps--;
  return steps;
}

/** A text as a scalar of JSON or YAML, written as the one that was there; undefined if that can't be done line by line. */
export function rewritten(
  { text, language }: Tree,
  { start, end, style, value }: TreeScalar,
  next: string,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const raw = text.slice(start, end);
  const encode = encoder(raw, language === 'json' ? 'double' : style);
  // What can't be given back as it is can't be changed in part either.
  return encode(value) === raw ? encode(next) : undefined;
}

function encoder(raw: string, style: TreeScalar['style']): (value: string) => string {
  switch (style) {
    case 'double':
      return (value) => JSON.stringify(value);
    case 'single':
      return (value) => `'${value.replaceAll("'", "''")}'`;
    case 'literal':
      return literalEncoder(raw);
    case 'plain':
    case 'folded':
    case 'none':
      return (value) => value;
  }
}

function literalEncoder(raw: string): (value: string) => string {
  const [head = '', ...lines] = raw.split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const indent = /^ */.exec(first)?.[0] ?? '';
  const lineBreak = head.endsWith('\r') ? '\r\n' : '\n';
  const header = head.replace(/\r$/, '');
  // `|-` has taken off the last line break.
  const tail = /(?:^|#)[^#>|]*[>|][^#]*-/.test(header) && raw.endsWith('\n') ? lineBreak : '';
  return (value) =>
    header +
    lineBreak +
    value
      .split('\n')
      .map((line) => (line === '' ? '' : indent + line))
      .join(lineBreak) +
    tail;
}

/** Steps of a path as findings tell it: `env.WARM_IP_TARGET`, `tolerations[0].key`. */
export function dataPath(path: string): TreePath {
  return path.split(/[.[\]]/).filter((step) => step !== '');
}
