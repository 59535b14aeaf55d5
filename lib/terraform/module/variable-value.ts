import { Hints, Unknown, type Source } from '../../value';
import type { Expression } from '../../languages/hcl/ast';
import { evaluate } from '../evaluation/evaluate';
import { withNote } from '../evaluation/places';
import { DEFAULT_NOTE } from '../evaluation/texts';
import type { TerraformValue } from '../terraform-value';
import { apartFromNothing } from './emptiness';
import type { Declared } from './merged-file';
import { attributeOf } from './module-configuration';
import type { ModuleInstance } from './module-instance';
import { scopeWithoutNames } from './module-scope';
import { isSensitive, textsOf } from './secrets';
import { converted, typeConstraint, unlessNull } from './type-constraint';
import { rememberValidations } from './validations';

/** What a variable of a module is: what the call or a `.tfvars` file gives, or else its default. */
export function valueOfVariable(module: ModuleInstance, name: string, declared: Declared): TerraformValue {
  const value = givenOrDefault(module, name, declared);
  rememberValidations(name, declared, value, {
    scope: () => module.scope(declared.file),
    ofType: (other) =>
      converted(other, typeConstraint(attributeOf(declared, 'type')?.value), (constant) =>
        evaluate(constant, scopeWithoutNames(declared.file)),
      ),
  });
  const compared = module.configuration.comparedVariables.get(name);
  return compared === undefined ? value : apartFromNothing(value, compared);
}

function givenOrDefault(module: ModuleInstance, name: string, declared: Declared): TerraformValue {
  const { block, file } = declared;
  const type = typeConstraint(attributeOf(declared, 'type')?.value);
  const empty = scopeWithoutNames(file);
  const constant = (expression: Expression) => evaluate(expression, empty);
  const ofType = (expression: Expression) =>
    withNote(constant(expression), `${DEFAULT_NOTE.inType} ${name}`, undefined);
  const written = attributeOf(declared, 'default');
  const given = module.surroundings.given(name);
  const standard = (): TerraformValue => {
    const unknown = (reason: string, otherwise?: TerraformValue) =>
      notGiven(module, name, reason, file.place(block.headRange), {
        convert: (hint) => converted(hint, type, ofType),
        otherwise,
      });
    if (written === undefined) return unknown(whyNotGiven(module, name));
    const byDefault = withNote(
      converted(constant(written.value), type, ofType),
      `${DEFAULT_NOTE.ofVariable} ${name}`,
      'default',
    );
    const reason = given === undefined ? module.surroundings.insteadOfDefault?.(name, byDefault) : undefined;
    return reason === undefined ? byDefault : unknown(reason, byDefault);
  };
  if (isSensitive(declared)) {
    module.run.secrets.push(...(given === undefined ? [] : textsOf(given)));
    return new Unknown(
      `variable ${name} is sensitive, so its value is not looked at`,
      file.place(block.headRange),
      `\${var.${name}}`,
      idOf(module, name),
    );
  }
  if (given === undefined) return standard();
  const whole = converted(given, type, ofType);
  const nullable = attributeOf(declared, 'nullable')?.value;
  return nullable?.kind === 'literal' && (nullable.value === false || nullable.value === 'false')
    ? unlessNull(whole, standard)
    : whole;
}

function whyNotGiven({ surroundings, address }: ModuleInstance, name: string): string {
  return surroundings.parent === undefined
    ? `variable ${name} has no default, and no .tfvars file that Terraform reads by itself gives it a value`
    : `the call of ${address} gives no value to variable ${name}`;
}

function notGiven(
  module: ModuleInstance,
  name: string,
  reason: string,
  source: Source,
  {
    convert,
    otherwise,
  }: { readonly convert: (hint: TerraformValue) => TerraformValue; readonly otherwise: TerraformValue | undefined },
): Unknown {
  const hints = module.surroundings
    .hints?.(name)
    .map(convert)
    .filter((hint) => hint.kind === 'known');
  return new Unknown(
    reason,
    source,
    `\${var.${name}}`,
    idOf(module, name),
    undefined,
    hints === undefined || hints.length === 0
      ? Hints.none
      : new Hints(hints, otherwise?.kind === 'choice' ? undefined : otherwise),
  );
}

/** What tells a variable from those of other modules and root modules. */
function idOf({ run, prefix }: ModuleInstance, name: string): string {
  return `${run.stack}/${prefix}\${var.${name}}`;
}
