import { Known, sourceOf, type ValueCheck } from '../../value';
import { evaluate } from '../evaluation/evaluate';
import type { Scope } from '../evaluation/scope';
import { asBoolean, type TerraformItem, type TerraformValue } from '../terraform-value';
import type { Declared } from './merged-file';
import { attributeOf, literalText } from './module-configuration';

/**
 * Remembers the `validation` blocks of a variable where its value is decided, for whoever wants to change it there: a value may go through the
 * variables of several modules, and each may refuse it.
 * @param scope the names of the module
 * @param ofType converts a value to the type of the variable
 */
export function rememberValidations(
  name: string,
  declared: Declared,
  value: TerraformValue,
  { scope, ofType }: { readonly scope: () => Scope; readonly ofType: (value: TerraformValue) => TerraformValue },
): void {
  const blocks = declared.block.body.blocks.filter(({ type }) => type === 'validation');
  if (blocks.length === 0 || value.kind !== 'known' || typeof value.value === 'object') return;
  const { decided } = sourceOf(value);
  if (decided === undefined) return;
  const text = String(value.value);
  const checks = blocks.flatMap((block): ValueCheck[] => {
    const validation = { block, file: declared.file };
    const condition = attributeOf(validation, 'condition');
    if (condition === undefined) return [];
    return [
      {
        by: `the validation of variable ${name}`,
        at: declared.file.place(condition.nameRange, 'condition'),
        text,
        message: literalText(validation, 'error_message'),
        accepts: (other) => {
          const names = withVariable(scope(), name, ofType(new Known<TerraformItem>(other, value.source)));
          const answer = asBoolean(evaluate(condition.value, names));
          return answer.kind === 'known' ? answer.value : undefined;
        },
      },
    ];
  });
  (decided.checks ??= []).push(...checks);
}

/** The names of a module with another value for a variable. */
function withVariable(scope: Scope, name: string, value: TerraformValue): Scope {
  return {
    resolve: (names) => (names[0] === 'var' && names[1] === name ? { value, used: 2 } : scope.resolve(names)),
    place: (range, property) => scope.place(range, property),
    readFile: (path) => scope.readFile(path),
    ...(scope.listFiles === undefined ? {} : { listFiles: (folder) => scope.listFiles?.(folder) }),
  };
}
