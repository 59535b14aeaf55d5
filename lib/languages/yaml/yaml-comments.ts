import { isAlias, isMap, isPair, isScalar, isSeq, type CST, type Node } from 'yaml';
import type { LineIndex } from '../positions';
import { isAboutUs } from '../comments/directive';
import { decidingComments, type FileComments } from '../comments/ignores';
import { Layout, type Comment, type Item } from '../comments/placement';

/**
 * The comments of a YAML text that are about eks-guardrails; undefined if there are none.
 * @param tokens of the whole text
 * @param root of its first document, not nested too deeply for a walk
 */
export function yamlComments(
  text: string,
  file: string,
  tokens: readonly CST.Token[],
  root: Node | null,
  lines: LineIndex,
): FileComments | undefined {
  if (!isAboutUs(text)) return undefined;
  const all = commentsInYaml(tokens);
  const own = decidingComments(text, all);
  if (own.length === 0) return undefined;
  const items: Item[] = [];
  collect(root, { text, items, parent: undefined, isBracketed: false });
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
}

/** Collects the entries of maps and the items of lists, each before what it holds. Gives the offset behind the node. */
function collect(node: unknown, walk: Walk): number {
  if (isScalar(node) || isAlias(node)) return node.range?.[1] ?? 0;
  if (!isMap(node) && !isSeq(node)) return 0;
  const isBracketed = walk.isBracketed || node.flow === true;
  let end = 0;
  for (const [index, entry] of node.items.entries()) {
    const key = isPair(entry) ? entry.key : undefined;
    const start = isPair(entry) ? startOf(key) : itemStart(entry, walk.text, isBracketed);
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
      collect(value, { ...walk, parent: item, isBracketed }),
      isScalar(key) ? (key.range?.[1] ?? 0) : 0,
      start + 1,
    );
    end = Math.max(end, item.end);
  }
  // What is in brackets ends with them.
  return node.flow === true ? (node.range?.[1] ?? end) : end;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}

/** An item of a list begins with its dash. */
function itemStart(item: unknown, text: string, isBracketed: boolean): number | undefined {
  const start = startOf(item);
  if (start === undefined || isBracketed) return start;
  const dash = text.lastIndexOf('-', start - 1);
  return start - dash < 200 && /^-\s+(?:[!&]\S*\s+)*$/.test(text.slice(dash, start)) ? dash : start;
}
