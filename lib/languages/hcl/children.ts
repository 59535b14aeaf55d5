import type { Expression, SplatStep, TemplatePart } from './ast';

export type SyntaxNode = Expression | TemplatePart | SplatStep;

/** What a node is directly made of, in the order in which it is written. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.kind) {
    case 'literal':
    case 'variable':
    case 'invalid':
    case 'text':
      return [];
    case 'template':
      return node.parts;
    case 'interpolation':
      return [node.value];
    case 'if':
      return [node.test, ...node.yes, ...node.no];
    case 'attribute':
      return 'of' in node ? [node.of] : [];
    case 'index':
      return 'of' in node ? [node.of, node.key] : [node.key];
    case 'splat':
      return 'of' in node ? [node.of, ...node.rest] : node.rest;
    case 'call':
      return node.args;
    case 'conditional':
      return [node.test, node.yes, node.no];
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'tuple':
      return node.items;
    case 'object':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'for':
      return 'parts' in node
        ? [node.in, ...node.parts]
        : [
            node.in,
            ...(node.key === undefined ? [] : [node.key]),
            node.value,
            ...(node.condition === undefined ? [] : [node.condition]),
          ];
  }
}

/** Whether a tree has more levels than `limit`. Chains of operators and of steps are deep without brackets. */
export function isDeeperThan(root: SyntaxNode, limit: number): boolean {
  return limit < 0 || childrenOf(root).some((child) => isDeeperThan(child, limit - 1));
}
