import type { Expression } from '../../languages/hcl/ast';

/** `aws.west`; in JSON, and in HCL of old, it is a text. An index behind it is one of OpenTofu's. */
export function providerKey(expression: Expression | undefined): string | undefined {
  if (expression?.kind === 'variable') return expression.name;
  if (expression?.kind === 'attribute' && expression.of.kind === 'variable')
    return `${expression.of.name}.${expression.name}`;
  if (expression?.kind !== 'literal' || typeof expression.value !== 'string') return undefined;
  return expression.value.replace(/^\$\{(.*)\}$/, '$1');
}
