import { Absent, beyondLimit, Known, Steps, Unknown } from '../../value';
import type { Expression, SplatStep } from '../../languages/hcl/ast';
import { TerraformList, type TerraformItem, type TerraformValue } from '../terraform-value';
import { chooseBy, flatMap } from './choices';
import { call } from './call';
import { Context } from './context';
import { forValue } from './for-value';
import { objectValue } from './object-value';
import { binary, unary } from './operators';
import { Here, usedAt, type ValuePlace } from './places';
import type { Scope } from './scope';
import { indexInto, splat, stepInto } from './steps';
import { templateValue } from './template';
import { unified } from './unify';
import { UnknownCollection } from './unknown-collection';
import { InvalidValue } from './unknowns';
import { bounded } from './weight';

export type { ValuePlace } from './places';

/** Levels of expressions within expressions, through whatever names; more would not fit on the stack. */
const MOST_LEVELS = 500;
/** Parts of one expression that are worked out, times as often as loops do so. */
const MOST_PARTS = 200_000;

let level = 0;

/**
 * What an expression means, as far as it can be known. Never throws.
 * @param place where the value is used @default - where the expression stands
 */
export function evaluate(
  expression: Expression,
  scope: Scope,
  place: ValuePlace = { source: scope.place(expression.range) },
): TerraformValue {
  const context = new Context(scope, { left: MOST_PARTS, doubts: 0, steps: new Steps() }, evaluateIn);
  const here = new Here(context.budget, place.property, place.source);
  return usedAt(evaluateIn(expression, context, here), here);
}

function evaluateIn(expression: Expression, context: Context, here: Here): TerraformValue {
  if (level > MOST_LEVELS) return beyondLimit('it is nested too deeply', here);
  if (context.budget.left-- <= 0 || !context.budget.steps.take())
    return beyondLimit('it takes too long to work out', here);
  level++;
  try {
    return bounded(evaluateKind(expression, context, here), here);
  } finally {
    level--;
  }
}

function evaluateKind(expression: Expression, context: Context, here: Here): TerraformValue {
  const inner = (part: Expression) => evaluateIn(part, context, here);
  switch (expression.kind) {
    case 'literal':
      return literal(expression, context, here);
    case 'template':
      return templateValue(expression.parts, context, here);
    case 'variable':
    case 'attribute':
    case 'index':
      return reference(expression, context, here);
    case 'splat':
      return splat(
        inner(expression.of),
        (item) => restOf(item, expression.rest, context, here),
        showSteps(expression.rest),
        here,
      );
    case 'call':
      return call(expression, context, here);
    case 'conditional': {
      const [yes, no] = [once(() => inner(expression.yes)), once(() => inner(expression.no))];
      return chooseBy(
        inner(expression.test),
        here,
        () => unified(yes(), no()),
        () => unified(no(), yes()),
      );
    }
    case 'unary':
      return unary(expression.operator, expression.operand, inner, here);
    case 'binary':
      return binary(expression.operator, [inner(expression.left), inner(expression.right)], here);
    case 'tuple': {
      const items = expression.items.map((item, index) =>
        evaluateIn(item, context, here.child(index, context.place(item.range, here, index))),
      );
      return items.find((item) => item instanceof InvalidValue)?.at(here) ?? new Known(new TerraformList(items), here);
    }
    case 'object':
      return objectValue(expression.entries, context, here);
    case 'for':
      return forValue(expression, context, here);
    case 'invalid':
      return new Unknown("it can't be parsed", here);
  }
}

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => (found ??= { value: find() }).value;
}

function literal(
  { value, range }: Extract<Expression, { kind: 'literal' }>,
  { scope }: Context,
  here: Here,
): TerraformValue {
  if (value === null) return new Absent(here);
  return new Known<TerraformItem>(value, typeof value === 'string' ? here.ofText({ scope, range, value }) : here);
}

/** A name with the steps behind it. */
function reference(expression: Expression, context: Context, here: Here): TerraformValue {
  const steps: Extract<Expression, { kind: 'attribute' | 'index' }>[] = [];
  let root = expression;
  while (root.kind === 'attribute' || root.kind === 'index') {
    steps.unshift(root);
    root = root.of;
  }
  let value: TerraformValue;
  let used = 0;
  if (root.kind === 'variable') {
    const plain = steps.findIndex(({ kind }) => kind !== 'attribute');
    const names = [
      root.name,
      ...(plain === -1 ? steps : steps.slice(0, plain)).flatMap((step) =>
        step.kind === 'attribute' ? [step.name] : [],
      ),
    ];
    const found = context.scope.resolve(names);
    if (found === undefined)
      return new Unknown(
        `there is no ${names.slice(0, names[0] === 'data' ? 3 : 2).join('.')}`,
        here,
        `\${${names.join('.')}}`,
      );
    ({ value } = found);
    used = found.used - 1;
  } else value = evaluateIn(root, context, here);
  for (const step of steps.slice(used))
    value = step.kind === 'attribute' ? stepInto(value, step.name, here) : indexed(value, step.key, context, here);
  return value;
}

function indexed(value: TerraformValue, key: Expression, context: Context, here: Here): TerraformValue {
  if (value.kind === 'choice' || value instanceof UnknownCollection)
    return indexedByValue(value, evaluateIn(key, context, here), context, here);
  if (key.kind === 'literal' && (typeof key.value === 'number' || typeof key.value === 'string'))
    return stepInto(value, key.value, here);
  return indexInto(value, evaluateIn(key, context, here), here);
}

/** Of a collection of which the keys aren't known, what stands under any of them. */
function indexedByValue(value: TerraformValue, key: TerraformValue, { budget }: Context, here: Here): TerraformValue {
  return flatMap(value, (plain) => {
    if (!(plain instanceof UnknownCollection)) return indexInto(plain, key, here);
    return flatMap(key, (one): TerraformValue => {
      const wanted =
        one.kind === 'known' && (typeof one.value === 'string' || typeof one.value === 'number') ? one.value : one;
      const found =
        typeof wanted !== 'object' || (wanted.kind === 'unknown' && !(wanted instanceof InvalidValue))
          ? plain.under(wanted)
          : undefined;
      if (found === undefined) return indexInto(plain, one, here);
      budget.doubts++;
      return found;
    });
  });
}

function restOf(item: TerraformValue, rest: readonly SplatStep[], context: Context, here: Here): TerraformValue {
  let value = item;
  for (const step of rest) {
    if (step.kind === 'attribute') value = stepInto(value, step.name, here);
    else if (step.kind === 'index') value = indexed(value, step.key, context, here);
    else value = splat(value, (one) => restOf(one, step.rest, context, here), showSteps(step.rest), here);
  }
  return value;
}

/** Steps as they are written; undefined if one of them is an index that has to be worked out. */
function showSteps(steps: readonly SplatStep[]): string | undefined {
  let shown = '';
  for (const step of steps) {
    if (step.kind === 'attribute') shown += `.${step.name}`;
    else if (step.kind === 'index') {
      if (step.key.kind !== 'literal') return undefined;
      shown += `[${JSON.stringify(step.key.value)}]`;
    } else {
      const rest = showSteps(step.rest);
      if (rest === undefined) return undefined;
      shown += `[*]${rest}`;
    }
  }
  return shown;
}
