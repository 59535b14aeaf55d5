import { Known, Unknown, type Plain } from '../../../value';
import type { Expression } from '../../../languages/hcl/ast';
import { ComposedText, UnknownBase64 } from '../../../value/composed-text';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../../terraform-value';
import { flatMap } from '../choices';
import type { Context } from '../context';
import type { Here } from '../places';
import { InvalidValue, unknownIn } from '../unknowns';

type LazyFunction = (args: readonly Expression[], context: Context, here: Here) => TerraformValue;

/** Functions whose arguments may be wrong. */
export const LAZY_FUNCTIONS: Readonly<Record<string, LazyFunction>> = { try: firstRight, can };

/** `try()`: the first argument that is no error. */
function firstRight(args: readonly Expression[], context: Context, here: Here): TerraformValue {
  const [first, ...others] = args;
  if (first === undefined) return new InvalidValue('none of the arguments of try() can be evaluated', here);
  const doubts = context.budget.doubts;
  const value = context.evaluate(first, here);
  const isDoubtful = context.budget.doubts > doubts;
  return flatMap(value, (plain): TerraformValue => {
    if (plain instanceof InvalidValue) return firstRight(others, context, here);
    if (isDoubtful && others.length > 0) return doubtfulKey(plain, firstRight(others, context, here), here);
    const doubtful = mayFail(plain);
    if (doubtful === undefined || others.length === 0) return plain;
    return new Unknown(doubtful.reason, here, doubtful === plain ? plain.text : undefined);
  });
}

/** Whether there is such a key isn't known: if there isn't, it's the other value. A reference that stands against nothing is taken for one. */
function doubtfulKey(plain: Plain<TerraformItem>, other: TerraformValue, here: Here): TerraformValue {
  const isReference = plain.kind === 'unknown' && plain.reference !== undefined;
  const isNothing =
    other.kind === 'absent' ||
    (other.kind === 'known' &&
      (other.value === '' || (other.value instanceof TerraformList && other.value.items.length === 0)));
  return isReference && isNothing ? plain : new Unknown('whether it has such a key is not known', here);
}

/** Something in a value that may turn out to be an error. What a resource tells after apply is there, and so is a variable. */
function mayFail(value: TerraformValue): Unknown | undefined {
  switch (value.kind) {
    case 'absent':
      return undefined;
    case 'choice':
      return firstOf(value.alternatives.map((one) => one.value));
    case 'unknown':
      if (value instanceof ComposedText) return firstOf(value.pieces);
      if (value instanceof UnknownBase64) return mayFail(value.decoded);
      return value.reference !== undefined || /^\$\{var\.[\w-]+\}$/.test(value.text ?? '') ? undefined : value;
    case 'known':
      if (value.value instanceof TerraformList) return firstOf(value.value.items);
      return value.value instanceof TerraformMap && value.value.entries instanceof Map
        ? firstOf(value.value.entries.values())
        : undefined;
  }
}

function firstOf(values: Iterable<TerraformValue>): Unknown | undefined {
  for (const value of values) {
    const found = mayFail(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `can()`: whether the argument is no error. */
function can([argument]: readonly Expression[], context: Context, here: Here): TerraformValue {
  if (argument === undefined) return new InvalidValue('can() is called without argument', here);
  const doubts = context.budget.doubts;
  const value = context.evaluate(argument, here);
  const isDoubtful = context.budget.doubts > doubts;
  return flatMap(value, (plain): TerraformValue => {
    if (plain instanceof InvalidValue) return new Known(false, here);
    if (isDoubtful) return new Unknown('whether it has such a key is not known', here);
    const unknown = unknownIn(plain);
    return unknown === undefined ? new Known(true, here) : new Unknown(unknown.reason, here);
  });
}
