import { LineIndex } from '../document/document';
import type { Attribute, Block, Body, Expression } from '../terraform/hcl/ast';
import { childrenOf, type SyntaxNode } from '../terraform/hcl/children';
import { commentsOf } from '../terraform/hcl/lexer';
import { MARK } from './directive';
import type { FileComments } from './ignores';
import { Layout, type Item } from './placement';

/** The comments of a file in HCL that are about eks-guardrails; undefined if there are none. The detail of an item is the outermost block around it. */
export function hclComments(text: string, file: string, body: Body): FileComments<Block> | undefined {
  if (!text.includes(MARK)) return undefined;
  const all = commentsOf(text).map(({ start, end }) => ({ text: withoutMarks(text.slice(start, end)), start, end }));
  const own = all.filter((comment) => comment.text.includes(MARK));
  if (own.length === 0) return undefined;
  const items: Item<Block>[] = [];
  collectBody(body, items, undefined);
  const layout = new Layout(text, items, all);
  return { file, lines: new LineIndex(text), placed: own.map((comment) => ({ comment, item: layout.itemOf(comment) })) };
}

function withoutMarks(comment: string): string {
  if (comment.startsWith('/*')) return comment.slice(2, -2).replaceAll(/^[ \t]*\*+/gm, '').trim();
  return comment.replace(/^(?:#+|\/\/+)/, '').trim();
}

function collectBody({ attributes, blocks }: Body, items: Item<Block>[], parent: Item<Block> | undefined): void {
  for (const attribute of attributes) collectAttribute(attribute, items, parent);
  for (const block of blocks) {
    const detail = parent?.detail ?? block;
    const item = { name: nameOf(block), start: block.headRange.start, end: block.body.range.end, parent, isBracketed: true, detail };
    items.push(item);
    collectBody(block.body, items, item);
  }
}

/** `resource aws_eks_cluster.main`, `metadata_options`. */
function nameOf({ type, labels }: Block): string {
  return labels.length === 0 ? type : `${type} ${labels.join('.')}`;
}

function collectAttribute({ name, nameRange, value }: Attribute, items: Item<Block>[], parent: Item<Block> | undefined): void {
  const item = within(parent, name, nameRange.start, value.range.end);
  items.push(item);
  collectExpression(value, items, item);
}

/** Entries of objects and items of lists within an expression, however it is made of others. */
function collectExpression(expression: Expression, items: Item<Block>[], parent: Item<Block>): void {
  const open: { readonly node: SyntaxNode; readonly parent: Item<Block> }[] = [{ node: expression, parent }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent: holder } = next;
    if (node.kind === 'object') {
      for (const { key, value } of node.entries) {
        const item = within(holder, key.kind === 'literal' ? String(key.value) : 'entry', key.range.start, value.range.end);
        items.push(item);
        open.push({ node: value, parent: item });
      }
    } else if (node.kind === 'tuple') {
      for (const [index, value] of node.items.entries()) {
        const item = within(holder, String(index), value.range.start, value.range.end);
        items.push(item);
        open.push({ node: value, parent: item });
      }
    } else {
      for (const child of childrenOf(node)) open.push({ node: child, parent: holder });
    }
  }
}

function within(parent: Item<Block> | undefined, name: string, start: number, end: number): Item<Block> {
  return { name, start, end, parent, isBracketed: true, ...(parent?.detail === undefined ? {} : { detail: parent.detail }) };
}
