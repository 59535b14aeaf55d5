import { isMap, isPair, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { isAboutUs } from '../comments/directive';
import type { Comment } from '../comments/placement';
import type { Entry, YamlContent } from './yaml-content';
import { isMergeKey, keyText, setOwn } from './yaml-nodes';

/*
 * Reads a text again of which one entry changed: one of the document itself, such as the conditions of a template, or one within these, such as a
 * resource. The rest is taken over. Whatever could mean that the change reaches beyond its entry is a reason to read all of it.
 */

type Collection = YAMLMap | YAMLSeq;

/** An entry in whole lines, from that in which it begins up to that of the next. */
interface Piece {
  /** Indexes of the entries that lead to it. */
  readonly path: readonly number[];
  readonly start: number;
  readonly end: number;
  /** Where in its line it begins. */
  readonly column: number;
}

/**
 * The content of a changed text.
 * @param read reads an entry by itself; undefined if it can't be read
 * @returns undefined if all has to be read
 */
export function changedContent(
  before: YamlContent,
  text: string,
  read: (text: string) => YamlContent | undefined,
): YamlContent | undefined {
  if (!before.isPlain || isAboutUs(text) !== (before.comments !== undefined)) return undefined;
  const { start, end } = changeOf(before.text, text);
  const piece = piecesOf(before).find((one) => one.start <= start && end < one.end);
  if (piece === undefined) return undefined;
  const growth = text.length - before.text.length;
  const written = text.slice(piece.start, piece.end + growth);
  // What a line says at its very begin may end a document.
  if (/^(?:---|\.\.\.|%|\t)/m.test(written) || !written.endsWith('\n')) return undefined;
  const now = read(written);
  return now?.isPlain === true ? replaced(before, piece, now, growth, text) : undefined;
}

/** Offsets in the text before: of the first character that differs, and behind the last. */
function changeOf(before: string, text: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === text.charCodeAt(start)) start++;
  let same = 0;
  while (
    same < shorter - start &&
    before.charCodeAt(before.length - 1 - same) === text.charCodeAt(text.length - 1 - same)
  )
    same++;
  return { start, end: before.length - same };
}

function replaced(
  before: YamlContent,
  piece: Piece,
  now: YamlContent,
  growth: number,
  text: string,
): YamlContent | undefined {
  const root = blockOf(before.contents);
  const written = blockOf(now.contents);
  const [entry, ...others] = written?.items ?? [];
  if (root === undefined || written === undefined || entry === undefined || others.length > 0) return undefined;
  const begin = startOf(entry, now, 0);
  if (begin?.column !== piece.column) return undefined;
  // The place of a collection is that of its first entry.
  if (piece.path.at(-1) === 0 && begin.start !== 0) return undefined;
  const holder = piece.path.length === 1 ? root : innerOf(root.items[piece.path[0] ?? 0]);
  const old = holder?.items[piece.path.at(-1) ?? 0];
  // Another key may be there already, or stand for others.
  if (isMap(holder) !== isMap(written) || !isSameKey(old, entry)) return undefined;

  const bases = movedBases(before, root, piece, growth);
  const contents = withEntry(root, piece.path, entry, bases);
  bases.set(entry as Entry, piece.start);
  const value = withValue(before.value, now.value, root, piece.path, entry);
  const comments = before.comments === undefined ? undefined : withComments(before.comments, piece, now, growth);
  return { text, contents, value, comments, bases, isPlain: true };
}

/** What entries count from that stay, in a text that grew. */
function movedBases(before: YamlContent, root: Collection, piece: Piece, growth: number): Map<Entry, number> {
  const bases = new Map<Entry, number>();
  const [first = 0, second] = piece.path;
  for (const [index, one] of root.items.entries()) {
    const entry = one as Entry;
    const base = before.bases.get(entry) ?? 0;
    bases.set(entry, index > first ? base + growth : base);
    for (const [position, other] of (innerOf(entry)?.items ?? []).entries()) {
      const inner = other as Entry;
      const own = before.bases.get(inner);
      const isBehind = index > first || (index === first && second !== undefined && position > second);
      if (own !== undefined || isBehind) bases.set(inner, (own ?? base) + (isBehind ? growth : 0));
    }
  }
  return bases;
}

function isSameKey(one: unknown, other: unknown): boolean {
  if (!isPair(one) || !isPair(other)) return !isPair(one) && !isPair(other);
  return isScalar(one.key) && isScalar(other.key) && !isMergeKey(other.key) && keyText(one.key) === keyText(other.key);
}

/** The same collections, but for an entry. What they hold isn't copied. */
function withEntry(
  holder: Collection,
  [index = 0, ...deeper]: readonly number[],
  entry: unknown,
  bases: Map<Entry, number>,
): Node {
  const old = holder.items[index];
  const inner = deeper.length === 0 ? undefined : innerOf(old);
  let own = entry;
  if (inner !== undefined) {
    const pair = copyOf(old as Pair);
    pair.value = withEntry(inner, deeper, entry, bases);
    bases.set(pair, bases.get(old as Pair) ?? 0);
    bases.delete(old as Pair);
    own = pair;
  }
  const copy = copyOf(holder);
  copy.items = (holder.items as unknown[]).with(index, own) as typeof copy.items;
  return copy;
}

/** What the library marks nodes with can't be enumerated. */
function copyOf<T extends object>(node: T): T {
  return Object.create(Object.getPrototypeOf(node) as object, Object.getOwnPropertyDescriptors(node)) as T;
}

/** Plain values of the same collections. */
function withValue(
  before: unknown,
  now: unknown,
  holder: Collection,
  [index = 0, ...deeper]: readonly number[],
  entry: unknown,
): unknown {
  if (Array.isArray(before)) return (before as unknown[]).with(index, (now as readonly unknown[])[0]);
  const old = holder.items[index] as Pair;
  const key = keyText(old.key) ?? '';
  const inner = innerOf(old);
  const own = (of: unknown): unknown => (of as Readonly<Record<string, unknown>>)[key];
  const result = { ...(before as Record<string, unknown>) };
  setOwn(
    result,
    key,
    deeper.length === 0 || inner === undefined ? own(now) : withValue(own(before), now, inner, deeper, entry),
  );
  return result;
}

function withComments(
  comments: readonly Comment[],
  { start, end }: Piece,
  now: YamlContent,
  growth: number,
): readonly Comment[] {
  return [
    ...comments.filter((comment) => comment.start < start),
    ...(now.comments ?? []).map((comment) => moved(comment, start)),
    ...comments.filter((comment) => comment.start >= end).map((comment) => moved(comment, growth)),
  ];
}

function moved(comment: Comment, by: number): Comment {
  return { ...comment, start: comment.start + by, end: comment.end + by };
}

/** The entries that a change may be within, none of them within another. */
function piecesOf(content: YamlContent): readonly Piece[] {
  const root = blockOf(content.contents);
  if (root === undefined) return [];
  const outer = piecesIn(root, content, 0, content.text.length, []);
  return outer.flatMap((piece) => {
    const [index = 0] = piece.path;
    const entry = root.items[index] as Entry | undefined;
    const inner = innerOf(entry);
    if (entry === undefined || inner === undefined || inner.items.length < 2) return [piece];
    const pieces = piecesIn(inner, content, content.bases.get(entry) ?? 0, piece.end, piece.path);
    return pieces.length === 0 ? [piece] : pieces;
  });
}

function piecesIn(
  { items }: Collection,
  content: YamlContent,
  base: number,
  end: number,
  path: readonly number[],
): readonly Piece[] {
  const starts = items.map((item) => startOf(item as Entry, content, base));
  return starts.flatMap((start, index) => {
    const next = index + 1 < starts.length ? starts[index + 1]?.start : end;
    // One whose place isn't plain could hold the change.
    if (start === undefined || next === undefined) return [];
    return [{ path: [...path, index], start: start.start, end: next, column: start.column }];
  });
}

/** Where the line of an entry begins, and in which column the entry; undefined for one that shares its line. */
function startOf(
  entry: unknown,
  { text, bases }: YamlContent,
  base: number,
): { readonly start: number; readonly column: number } | undefined {
  const node: unknown = isPair(entry) ? entry.key : entry;
  const range = isScalar(node) || isMap(node) || isSeq(node) ? node.range : undefined;
  if (range === null || range === undefined) return undefined;
  const offset = range[0] + (bases.get(entry as Entry) ?? base);
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(start, offset);
  const column = isPair(entry) ? /^ *$/.exec(before)?.[0].length : /^( *)- +$/.exec(before)?.[1]?.length;
  return column === undefined ? undefined : { start, column };
}

/** A map or list whose entries stand on lines of their own. */
function blockOf(node: unknown): Collection | undefined {
  return (isMap(node) || isSeq(node)) && node.flow !== true && node.tag === undefined ? node : undefined;
}

function innerOf(entry: unknown): Collection | undefined {
  return isPair(entry) ? blockOf(entry.value) : undefined;
}
