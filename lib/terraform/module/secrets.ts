import { alternativesOf } from '../../value';
import { evaluate } from '../evaluation/evaluate';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import type { Declared } from './merged-file';
import { attributeOf, type ModuleConfiguration } from './module-configuration';
import { scopeWithoutNames } from './module-scope';
import type { CallOfModule } from './run';

/** Whether a variable or an output says that its value is secret. */
export function isSensitive(declared: Declared): boolean {
  const value = attributeOf(declared, 'sensitive')?.value;
  return value?.kind === 'literal' && (value.value === true || value.value === 'true');
}

/** What the variables and outputs of a module say of secrets by themselves. */
export function secretsOf({ variables, outputs }: ModuleConfiguration): readonly string[] {
  return [...variables.values(), ...outputs.values()].filter(isSensitive).flatMap((declared) => {
    const written = attributeOf(declared, 'default') ?? attributeOf(declared, 'value');
    return written === undefined ? [] : textsOf(evaluate(written.value, scopeWithoutNames(declared.file)));
  });
}

/** What a call of a module gives to variables of it that are sensitive. */
export function secretsGiven(
  { owner, declared }: CallOfModule,
  called: ModuleConfiguration | undefined,
): readonly string[] {
  return [...(called?.variables ?? [])].flatMap(([name, variable]) => {
    const argument = isSensitive(variable) ? attributeOf(declared, name) : undefined;
    return argument === undefined ? [] : textsOf(evaluate(argument.value, owner.scope(declared.file)));
  });
}

/** All texts and numbers of a value. */
export function textsOf(value: TerraformValue): readonly string[] {
  return alternativesOf<TerraformItem>(value).flatMap(({ value: plain }) => {
    if (plain.kind !== 'known') return [];
    const item = plain.value;
    if (item instanceof TerraformList) return item.items.flatMap(textsOf);
    if (item instanceof TerraformMap) return [...item.entries.values()].flatMap(textsOf);
    return typeof item === 'boolean' ? [] : [String(item)];
  });
}
