import type { Body, Expression } from '../../languages/hcl/ast';

/**
 * What `depends_on` names, as its module calls it: `aws_eks_node_group.workers`, `module.nodes`. An output of a module, which may be known long before
 * the rest of it is there, isn't the module.
 */
export function dependsOn({ attributes }: Body): readonly string[] {
  return attributes
    .filter(({ name }) => name === 'depends_on')
    .flatMap(({ value }) => (value.kind === 'tuple' ? value.items : []))
    .flatMap((item) => {
      const [type, name, ...more] = steps(item);
      const isOutput = type === 'module' && more.length > 0;
      return type === undefined || name === undefined || isOutput ? [] : [`${type}.${name}`];
    });
}

/** The names of a reference, without its keys. */
function steps(expression: Expression): readonly string[] {
  if (expression.kind === 'variable') return [expression.name];
  if (expression.kind === 'attribute') return [...steps(expression.of), expression.name];
  return expression.kind === 'index' || expression.kind === 'splat' ? steps(expression.of) : [];
}
