import type { Attribute, Block, Body, Expression } from './ast';
import { childrenOf, type SyntaxNode } from './children';
import type { Item } from '../comments/placement';

/** The parts of a file of Terraform, in HCL or JSON. The detail of an item is the outermost block around it. */
export function itemsOf(body: Body): readonly Item<Block>[] {
  const items: Item<Block>[] = [];
  collectBody(body, items, undefined);
  return items;
}

function collectBody({ attributes, blocks }: Body, items: Item<Block>[], parent: Item<Block> | undefined): void {
  for (const attribute of attributes) collectAttribute(attribute, items, parent);
  for (const block of blocks) {
    const detail = parent?.detail ?? block;
    const item = {
      name: nameOf(block),
      start: block.headRange.start,
      end: block.body.range.end,
      parent,
      isBracketed: true,
      detail,
    };
    items.push(item);
    collectBody(block.body, items, item);
  }
}

/** `resource aws_eks_cluster.main`, `metadata_options`. */
function nameOf({ type, labels }: Block): string {
  return labels.length === 0 ? type : `${type} ${labels.join('.')}`;
}

function collectAttribute(
  { name, nameRange, value }: Attribute,
  items: Item<Block>[],
  parent: Item<Block> | undefined,
): void {
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
        const item = within(
          holder,
          key.kind === 'literal' ? String(key.value) : 'entry',
          key.range.start,
          value.range.end,
        );
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
  return {
    name,
    start,
    end,
    parent,
    isBracketed: true,
    ...(parent?.detail === undefined ? {} : { detail: parent.detail }),
  };
}
