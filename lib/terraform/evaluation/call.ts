import { beyondLimit, Unknown, type Plain } from '../../value';
import { TOO_LONG } from '../../value/composed-text';
import type { Expression } from '../../languages/hcl/ast';
import { TerraformList, TerraformSet, type TerraformItem, type TerraformValue } from '../terraform-value';
import { flatMap, fromRows, rowsOf, settledRows } from './choices';
import { hasOrder } from './collections';
import type { Context } from './context';
import {
  Call,
  CallBeyondLimit,
  CallFailure,
  CallUnknown,
  valueOfResult,
  type TerraformFunction,
} from './functions/function';
import { FUNCTIONS } from './functions';
import { cutOutOfArn } from './functions/arn-parts';
import { LAZY_FUNCTIONS } from './functions/lazy';
import type { Here } from './places';
import { derived, InvalidValue, unknownIn } from './unknowns';
import { weightOf } from './weight';

type CallExpression = Extract<Expression, { kind: 'call' }>;

/** So many visits of items take as long as working out a part of an expression. */
const VISITS = 50;

/** The value of a call. */
export function call(expression: CallExpression, context: Context, here: Here): TerraformValue {
  const name = expression.name.startsWith('core::') ? expression.name.slice('core::'.length) : expression.name;
  const lazy = Object.hasOwn(LAZY_FUNCTIONS, name) ? LAZY_FUNCTIONS[name] : undefined;
  if (lazy !== undefined && !expression.expandsLast) return lazy(expression.args, context, here);
  const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  const place = found?.takes === 'structure' ? here : here.flat();
  const values = expression.args.map((arg) => context.evaluate(arg, place));
  const last = expression.expandsLast ? values.pop() : undefined;
  if (last === undefined) return withArguments(name, found, values, context, here);
  return flatMap(last, (plain): TerraformValue => {
    if (plain.kind === 'unknown')
      return plain instanceof InvalidValue ? plain.at(here) : new Unknown(plain.reason, here);
    if (plain.kind !== 'known' || !(plain.value instanceof TerraformList))
      return new InvalidValue('what stands before "..." is no list', here);
    if (plain.value instanceof TerraformSet && !hasOrder(plain.value))
      return new Unknown('the order of the items of a set is not known', here);
    return withArguments(name, found, [...values, ...plain.value.items], context, here);
  });
}

function withArguments(
  name: string,
  found: TerraformFunction | undefined,
  values: readonly TerraformValue[],
  context: Context,
  here: Here,
): TerraformValue {
  if (found === undefined) return notEvaluated(name, values, here);
  if (values.length < found.least || values.length > found.most)
    return new InvalidValue(`${name}() is called with ${values.length} arguments`, here);
  // Going through all of the arguments costs, too.
  const visits =
    found.takes === 'structure' ? 0 : values.reduce((sum, value) => sum + Math.floor(weightOf(value) / VISITS), 0);
  context.budget.left -= visits;
  if (!context.budget.steps.take(visits)) return beyondLimit('it takes too long to work out', here);
  return fromRows(found.takes === 'structure' ? rowsOf(values) : settledRows(values), here, (args) =>
    one(name, found, args, context, here),
  );
}

function notEvaluated(name: string, values: readonly TerraformValue[], here: Here): Unknown {
  const { text, symbol, hints } = derived(values, here, (parts) => `${name}(${parts.join(', ')})`);
  return new Unknown(`function ${name} isn't evaluated here`, here, text, symbol, undefined, hints);
}

function one(
  name: string,
  found: TerraformFunction,
  args: readonly Plain<TerraformItem>[],
  context: Context,
  here: Here,
): TerraformValue {
  const invalid = args.find((arg) => arg instanceof InvalidValue);
  if (invalid !== undefined) return invalid.at(here);
  if (!found.takesNull && args.some((arg) => arg.kind === 'absent'))
    return new InvalidValue(`an argument of ${name}() is null`, here);
  const asUnknown = () => derived(args, here, (parts) => `${name}(${parts.join(', ')})`);
  const made = new Call(name, args, here, context);
  try {
    const cut = cutOutOfArn(made, found, asUnknown);
    if (cut !== undefined) return cut;
    if (found.takes === 'whole' && args.some((arg) => unknownIn(arg) !== undefined)) return asUnknown();
    return valueOfResult(found.run(made), made);
  } catch (error) {
    if (error instanceof CallFailure) return new InvalidValue(`${name}(): ${error.message}`, here);
    if (error instanceof CallBeyondLimit) return beyondLimit(error.message, here);
    // JavaScript has no room for the text.
    if (error instanceof RangeError) return beyondLimit(TOO_LONG, here);
    if (!(error instanceof CallUnknown)) throw error;
    const { text, symbol, hints } = asUnknown();
    return new Unknown(error.message, here, text, symbol, undefined, hints);
  }
}
