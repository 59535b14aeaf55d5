import { LineIndex } from '../../languages/positions';
import type { Block, Body } from '../../languages/hcl/ast';
import { COMMENT } from './blocks';
import type { JsonNode, JsonText } from './node';
import { isAboutUs } from '../../languages/comments/directive';
import type { FileComments } from '../../languages/comments/ignores';
import type { Comment, Item } from '../../languages/comments/placement';
import { itemsOf } from '../../languages/hcl/terraform-items';

/**
 * The comments of a `.tf.json` file that are about eks-guardrails: texts under the key `"//"`, alone or in lists and objects, which Terraform leaves alone in
 * every block ("Comment Properties" of its JSON Configuration Syntax). Each is about the object that it stands in. Undefined if there are none.
 */
export function jsonComments(json: JsonText, file: string, body: Body): FileComments<Block> | undefined {
  const { text } = json;
  if (!isAboutUs(text)) return undefined;
  const comments = commentsIn(json.read(json.outline()));
  if (comments.length === 0) return undefined;
  return { file, lines: new LineIndex(text), placed: inItems(comments, itemsOf(body)) };
}

function commentsIn(root: JsonNode): readonly Comment[] {
  const comments: Comment[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'array') open.push(...node.items);
    if (node.kind !== 'object') continue;
    for (const { name, value } of node.members) {
      if (name !== COMMENT) open.push(value);
      else comments.push(...textsOf(value));
    }
  }
  return comments.filter(({ text }) => isAboutUs(text)).toSorted((a, b) => a.start - b.start);
}

function textsOf(value: JsonNode): readonly Comment[] {
  const comments: Comment[] = [];
  const open: (readonly JsonNode[])[] = [[value]];
  for (let nodes = open.pop(); nodes !== undefined; nodes = open.pop()) {
    for (const [index, node] of nodes.entries()) {
      const next = nodes[index + 1];
      if (node.kind === 'string')
        comments.push({ text: node.value, ...node.range, ...(next?.kind === 'string' ? { below: next.value } : {}) });
      else if (node.kind === 'array') open.push(node.items);
      else if (node.kind === 'object') open.push(node.members.map((member) => member.value));
    }
  }
  return comments;
}

/** Each comment with the innermost item around it. */
function inItems(comments: readonly Comment[], items: readonly Item<Block>[]): FileComments<Block>['placed'] {
  // What a comment stands under is the comment itself where an object may be an argument as well as a block.
  const waiting = items.filter((item) => !isComment(item)).toSorted((a, b) => b.start - a.start || a.end - b.end);
  const around: Item<Block>[] = [];
  return comments.map((comment) => {
    for (let next = waiting.at(-1); next !== undefined && next.start <= comment.start; next = waiting.at(-1)) {
      waiting.pop();
      leave(around, next.start);
      around.push(next);
    }
    leave(around, comment.start);
    return { comment, item: around.at(-1) };
  });
}

function isComment(item: Item<Block>): boolean {
  return item.name === COMMENT || (item.parent !== undefined && isComment(item.parent));
}

function leave(around: Item<Block>[], offset: number): void {
  while ((around.at(-1)?.end ?? Infinity) <= offset) around.pop();
}
