import type { Body, Expression } from '../../languages/hcl/ast';

/** The arguments that `lifecycle { ignore_changes = [...] }` names, each by its first word: `scaling_config` of `scaling_config[0].desired_size`. */
export function ignoredChanges({ blocks }: Body): readonly string[] {
  return blocks
    .filter(({ type }) => type === 'lifecycle')
    .flatMap(({ body }) => body.attributes)
    .filter(({ name }) => name === 'ignore_changes')
    .flatMap(({ value }) => (value.kind === 'tuple' ? value.items : [value]).flatMap((item) => firstWord(item) ?? []));
}

function firstWord(expression: Expression): string | undefined {
  if (expression.kind === 'variable') return expression.name;
  if (expression.kind === 'attribute' || expression.kind === 'index' || expression.kind === 'splat')
    return firstWord(expression.of);
  // As Terraform 0.11 wrote them.
  return expression.kind === 'literal' && typeof expression.value === 'string'
    ? /^\w+/.exec(expression.value)?.[0]
    : undefined;
}
