import type { Body } from '../../../lib/languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../../lib/languages/hcl/children';
import { parseHcl } from '../../../lib/languages/hcl/parser';

/** References to what nothing declares, which weren't there before. */
export function undeclared(before: string, after: string): string[] {
  const old = new Set(undeclaredIn(before));
  return undeclaredIn(after).filter((one) => !old.has(one));
}

function undeclaredIn(text: string): string[] {
  const { body } = parseHcl(text);
  const declared = new Set(
    body.blocks.flatMap(({ type, labels, body: inner }) =>
      type === 'resource'
        ? [labels.join('.')]
        : type === 'data'
          ? [`data.${labels.join('.')}`]
          : type === 'variable'
            ? [`var.${labels[0] ?? ''}`]
            : type === 'locals'
              ? inner.attributes.map(({ name }) => `local.${name}`)
              : [`${type}.${labels[0] ?? ''}`],
    ),
  );
  return referencesIn(body)
    .map((path) => path.slice(0, path[0] === 'data' ? 3 : 2).join('.'))
    .filter((one) => /^(?:aws_|data\.|var\.|local\.|module\.)/.test(one) && !declared.has(one))
    .map((one) => `nothing declares ${one}`);
}

function referencesIn(body: Body): string[][] {
  return [
    ...body.attributes.flatMap(({ value }) => referencesOf(value)),
    ...body.blocks.flatMap((block) => referencesIn(block.body)),
  ];
}

function referencesOf(expression: SyntaxNode): string[][] {
  const path = pathOf(expression);
  if (path !== undefined) return [path];
  return childrenOf(expression).flatMap(referencesOf);
}

function pathOf(expression: SyntaxNode): string[] | undefined {
  if (expression.kind === 'variable') return [expression.name];
  if (expression.kind === 'index' && 'of' in expression) return pathOf(expression.of);
  if (expression.kind !== 'attribute' || !('of' in expression)) return undefined;
  const of = pathOf(expression.of);
  return of === undefined ? undefined : [...of, expression.name];
}
