import { type Plain, type Source, Unknown, type Value } from '../value';
import { Cursor } from './cursor';
import type { Evaluator } from './evaluator';
import type { Item } from './item';
import type { Template } from './template';
import type { TemplateSet } from './template-set';

/** What a template of the input exports by a name. */
export function importedValue(
  evaluator: Evaluator,
  set: TemplateSet,
  name: Plain<string>,
  template: Template,
  source: Source,
): Value<Item> {
  if (name.kind !== 'known')
    return new Unknown(
      'the name of the imported value is not known',
      source,
      '${Fn::ImportValue}',
      name.kind === 'unknown' && name.symbol !== undefined ? `import(${name.symbol})` : undefined,
    );
  const exported = set.exported(name.value, template);
  if (exported instanceof Cursor) return evaluator.evaluate(exported, source);
  return new Unknown(
    exported ?? `no template of the input exports ${name.value}`,
    source,
    `\${${name.value}}`,
    `import(${name.value})`,
  );
}

/** An output of another stack of the input, by its name. */
export function stackOutput(evaluator: Evaluator, set: TemplateSet, argument: Cursor, source: Source): Value<Item> {
  const stack = evaluator.text(argument.child('StackName'), source);
  const output = evaluator.text(argument.child('OutputName'), source);
  const region = evaluator.text(argument.child('Region'), source);
  if (stack.kind !== 'known' || output.kind !== 'known')
    return new Unknown('the output of another stack is looked up at deployment', source, '${Fn::GetStackOutput}');
  const found = set.stackOutput(
    stack.value,
    output.value,
    region.kind === 'known' ? region.value : argument.template.region,
  );
  if (found instanceof Cursor) return evaluator.evaluate(found, source);
  return new Unknown(
    found ?? `no template of the input is stack ${stack.value} with output ${output.value}`,
    source,
    `\${${stack.value}.${output.value}}`,
    `output(${stack.value},${output.value})`,
  );
}
