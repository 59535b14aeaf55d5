import { isAlias, isMap, isPair, isScalar, isSeq, type CST, type Node, type Pair } from 'yaml';
import type { LineIndex } from '../positions';
import { decidingComments, type FileComments } from '../comments/ignores';
import { Layout, type Comment, type Item } from '../comments/placement';
import type { YamlContent } from './yaml-content';

/** The comments of a YAML text that are about eks-guardrails; undefined if there are none. It must not be nested too deeply for a walk. */
export function yamlComments(
  { text, contents, comments: all, bases }: YamlContent,
  file: string,
  lines: LineIndex,
): FileComments | undefined {
  if (all === undefined) return undefined;
  const own = decidingComments(text, all);
  if (own.length === 0) return undefined;
  const items: Item[] = [];
  collect(contents, { text, items, parent: undefined, isBracketed: false, bases, base: 0 });
  const layout = new Layout(text, items, all);
  return { file, lines, placed: own.map((comment) => ({ comment, item: layout.itemOf(comment) })) };
}

/** Comments are tokens like others, before, between and behind the parts of what they stand in. */
export function commentsInYaml(tokens: readonly CST.Token[]): Comment[] {
  const comments: Comment[] = [];
  const open: unknown[] = [...tokens];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    if (typeof token !== 'object' || token === null) continue;
    if (isComment(token))
      comments.push({
        text: token.source.replace(/^#+/, '').trim(),
        start: token.offset,
        end: token.offset + token.source.trimEnd().length,
      });
    else
      for (const part of Object.values(token))
        if (Array.isArray(part)) for (const one of part) open.push(one);
        else if (typeof part === 'object') open.push(part);
  }
  return comments;
}

function isComment(token: object): token is CST.SourceToken {
  return 'type' in token && token.type === 'comment' && 'source' in token && 'offset' in token;
}

interface Walk {
  readonly text: string;
  readonly items: Item[];
  readonly parent: Item | undefined;
  readonly isBracketed: boolean;
  readonly bases: YamlContent['bases'];
  /** What offsets count from. */
  readonly base: number;
}

/** Collects the entries of maps and the items of lists, each before what it holds. Gives the offset behind the node. */
function collect(node: unknown, walk: Walk): number {
  if (isScalar(node) || isAlias(node)) return endOf(node, walk.base);
  if (!isMap(node) && !isSeq(node)) return 0;
  const isBracketed = walk.isBracketed || node.flow === true;
  let end = 0;
  for (const [index, entry] of (node.items as readonly (Pair | Node)[]).entries()) {
    const base = walk.bases.get(entry) ?? walk.base;
    const key: unknown = isPair(entry) ? entry.key : undefined;
    const start = isPair(entry) ? startOf(key, base) : itemStart(entry, { ...walk, base }, isBracketed);
    if (start === undefined) continue;
    const item = {
      name: isScalar(key) ? String(key.value) : String(index),
      start,
      end: start,
      parent: walk.parent,
      isBracketed,
    };
    walk.items.push(item);
    const value: unknown = isPair(entry) ? entry.value : entry;
    item.end = Math.max(
      collect(value, { ...walk, parent: item, isBracketed, base }),
      isScalar(key) ? endOf(key, base) : 0,
      start + 1,
    );
    end = Math.max(end, item.end);
  }
  // What is in brackets ends with them.
  return node.flow === true && node.range ? endOf(node, walk.base) : end;
}

function endOf({ range }: Pick<Node, 'range'>, base: number): number {
  return range ? range[1] + base : 0;
}

function startOf(node: unknown, base: number): number | undefined {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
  return range ? range[0] + base : undefined;
}

/** An item of a list begins with its dash. */
function itemStart(
  item: unknown,
  { text, base }: Pick<Walk, 'text' | 'base'>,
  isBracketed: boolean,
): number | undefined {
  const start = startOf(item, base);
  if (start === undefined || isBracketed) return start;
  const dash = text.lastIndexOf('-', start - 1);
  return start - dash < 200 && /^-\s+(?:[!&]\S*\s+)*$/.test(text.slice(dash, start)) ? dash : start;
}
