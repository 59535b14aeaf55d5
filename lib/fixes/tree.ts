/** A JSON or YAML text as editing needs it: where everything stands, and what may not be touched. */
export type TreeNode = TreeCollection | TreeScalar;

export interface TreeCollection {
  readonly kind: 'map' | 'list';
  /** In brackets and with commas, or by indentation. */
  readonly style: 'flow' | 'block';
  readonly start: number;
  readonly end: number;
  /** Why nothing in it may be edited: "it is an alias". */
  readonly refusal?: string | undefined;
  /** Why it may not even go: "it is used in several places". */
  readonly shared?: string | undefined;
  entries(): readonly TreeEntry[];
}

export interface TreeScalar {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly refusal?: string | undefined;
  readonly shared?: string | undefined;
  readonly value: unknown;
  /** How it is written; `none`: the value is left out, and could stand where the scalar starts. */
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'none';
}

/** A member of a map, or an item of a list. */
export interface TreeEntry {
  /** The index, of an item. */
  readonly key: string;
  /** Where the key (or the item) starts. */
  readonly start: number;
  /** Where the value ends. */
  readonly end: number;
  readonly value: TreeNode;
}

/** A text that can be edited as a tree. */
export interface Tree {
  readonly text: string;
  readonly root: TreeNode;
  readonly language: 'json' | 'yaml';
}

/** Why a member stays that is all of its map: it isn't known here what an empty one would mean. */
export const NOTHING_ELSE = 'nothing else stands beside it';
export const NOT_CLEAR = 'it is written in a way that a machine had better leave alone';

export type TreePath = readonly string[];

/** What of a path is there. */
export interface Walked {
  /** The entries passed, from the root on. */
  readonly entries: readonly { readonly owner: TreeCollection; readonly entry: TreeEntry }[];
  /** The last node that is there. */
  readonly node: TreeNode;
  /** The steps that lead to nothing. */
  readonly missing: TreePath;
  /** Why nothing may be changed there. */
  readonly refusal: string | undefined;
}

/** Follows a path as far as it goes. */
export function walk(tree: Tree, path: TreePath): Walked {
  let node = tree.root;
  const entries: { owner: TreeCollection; entry: TreeEntry }[] = [];
  for (const [depth, step] of path.entries()) {
    if (node.refusal !== undefined) return { entries, node, missing: path.slice(depth), refusal: node.refusal };
    if (node.kind === 'scalar')
      return {
        entries,
        node,
        missing: path.slice(depth),
        refusal: node.style === 'none' ? undefined : 'what it would stand in is no map',
      };
    const owner: TreeCollection = node;
    const found = owner.entries();
    const entry = memberOf(found, step);
    if (entry === undefined) {
      const decided = found.find(({ key }) => key.startsWith('Fn::') || key === 'Ref');
      const merged = found.some(({ key }) => key === '<<');
      const refusal =
        decided !== undefined ? decidedByFunction(decided.key) : merged ? 'a merge key ("<<") may set it' : undefined;
      return { entries, node, missing: path.slice(depth), refusal };
    }
    if (isMergedOver(found, entry))
      return { entries, node, missing: path.slice(depth), refusal: 'a merge key ("<<") behind it may set it' };
    entries.push({ owner, entry });
    node = entry.value;
  }
  return { entries, node, missing: [], refusal: node.refusal };
}

/** Whether a map is merged behind an entry, which for kubectl and eksctl overrides it. */
function isMergedOver(entries: readonly TreeEntry[], entry: TreeEntry): boolean {
  return (
    memberOf(entries, '<<') !== undefined &&
    entries.findLastIndex(({ key }) => key === '<<') > entries.lastIndexOf(entry)
  );
}

const byKey = new WeakMap<readonly TreeEntry[], ReadonlyMap<string, TreeEntry>>();

/** Of equal keys the first one. Of a template with thousands of resources, each is asked for. */
function memberOf(entries: readonly TreeEntry[], key: string): TreeEntry | undefined {
  let index = byKey.get(entries);
  if (index === undefined) {
    index = new Map(entries.toReversed().map((entry) => [entry.key, entry]));
    byKey.set(entries, index);
  }
  return index.get(key);
}

/** Entries that are found when somebody asks for them, and kept: the edits of a file all begin at its root. */
export function entriesWhenAsked(find: () => readonly TreeEntry[]): () => readonly TreeEntry[] {
  let found: readonly TreeEntry[] | undefined;
  return () => (found ??= find());
}

/** Why a node may not go as a whole. */
export function whyShared(node: TreeNode): string | undefined {
  if (node.shared !== undefined || node.kind === 'scalar') return node.shared;
  for (const { value } of node.entries()) {
    const reason = whyShared(value);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function decidedByFunction(key: string): string {
  if (key === 'Fn::If') return 'it is decided by a condition (`Fn::If`)';
  return key === 'Ref' ? 'it is decided by a reference (`Ref`)' : `it is made by the function \`${key}\``;
}
