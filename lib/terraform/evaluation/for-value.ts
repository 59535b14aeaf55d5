import { always, beyondLimit, Known, Unknown, type When } from '../../value';
import type { ForExpression, Range } from '../../languages/hcl/ast';
import { TerraformList, type TerraformItem, type TerraformValue } from '../terraform-value';
import { flatMap, fromRows, rowsOf, type Row } from './choices';
import { entriesOf, MOST_ITEMS, type Entry } from './collections';
import { formulaOf, MOST_CASES, outcomesOf } from './conditions';
import type { Context } from './context';
import { MapBuilder } from './object-value';
import { Here, withNote } from './places';
import { textOf } from './texts';
import { keyOf, keysOf, UnknownCollection } from './unknown-collection';
import { InvalidValue, tooMany } from './unknowns';

type RangedFor = ForExpression & { readonly range: Range };

/** One round of a `for`, in which its names stand for something. */
interface Round {
  readonly context: Context;
}

/** `[for …]` and `{for …}`. */
export function forValue(expression: RangedFor, context: Context, here: Here): TerraformValue {
  return flatMap(context.evaluate(expression.in, here), (plain): TerraformValue => {
    const entries = entriesOf(plain, here, expression.key !== undefined && !expression.groups);
    if (entries instanceof Unknown)
      return entries instanceof InvalidValue || plain.kind !== 'unknown'
        ? entries
        : ofUnknown(expression, plain, context, here);
    if (entries.length > MOST_ITEMS) return beyondLimit('it has too many items', here);
    const note = plain.kind === 'known' ? plain.note : undefined;
    const rounds = entries.map(({ key, value }): Round => {
      const name = key.kind === 'known' && typeof key.value === 'string' ? key.value : undefined;
      return { context: context.with(namesOf(expression, { key, value: withNote(value, note, name) })) };
    });
    const chosen =
      expression.condition === undefined
        ? [{ when: always, values: rounds }]
        : chosenRounds(expression.condition, rounds, here);
    if (chosen instanceof Unknown) return chosen;
    return fromRows(chosen, here, (some) =>
      expression.key === undefined ? tupleOf(expression, some, here) : objectOf(expression, expression.key, some, here),
    );
  });
}

/** What becomes of a collection of which the keys aren't known: what each round makes, as far as it is the same in all. */
function ofUnknown(expression: RangedFor, plain: Unknown, context: Context, here: Here): Unknown {
  const { key, keyName, value, groups } = expression;
  const nothing = new Unknown(plain.reason, here);
  if (groups) return nothing;
  const item = plain instanceof UnknownCollection ? plain.shape.element : new Unknown(plain.reason, here);
  const element = context.with(namesOf(expression, { key: keyOf(plain, here), value: item })).evaluate(value, here);
  if (element instanceof InvalidValue) return nothing;
  const isSameKey = key?.kind === 'variable' && key.name === keyName;
  return new UnknownCollection(
    { kind: key === undefined ? 'list' : 'map', element, keys: isSameKey ? keysOf(plain) : undefined },
    plain.reason,
    here,
  );
}

export function namesOf(
  { keyName, valueName }: { readonly keyName: string | undefined; readonly valueName: string },
  { key, value }: Entry,
): ReadonlyMap<string, TerraformValue> {
  const names = new Map<string, TerraformValue>();
  if (keyName !== undefined) names.set(keyName, key);
  return names.set(valueName, value);
}

/** The rounds of which the condition holds, by the assumptions that decide which those are. */
function chosenRounds(
  condition: ForExpression['in'],
  rounds: readonly Round[],
  here: Here,
): readonly Row<Round>[] | Unknown {
  let rows: { readonly when: When; readonly values: Round[] }[] = [{ when: always, values: [] }];
  for (const round of rounds) {
    const outcomes = testOutcomes(round.context.evaluate(condition, here), here);
    if (outcomes instanceof Unknown) return outcomes;
    if (outcomes.every(({ truth, when }) => when === always && truth)) {
      for (const row of rows) row.values.push(round);
    } else if (outcomes.some(({ when }) => when !== always)) {
      rows = rows.flatMap((row) =>
        outcomes.flatMap(({ when, truth }) => {
          const both = row.when.and(when);
          return both === undefined ? [] : [{ when: both, values: truth ? [...row.values, round] : [...row.values] }];
        }),
      );
    }
    if (rows.length > MOST_CASES) return tooMany(here);
  }
  return rows;
}

/** When a condition is true and when it is false. */
function testOutcomes(
  test: TerraformValue,
  here: Here,
): readonly { readonly when: When; readonly truth: boolean }[] | Unknown {
  const result: { when: When; truth: boolean }[] = [];
  for (const { when, value } of test.kind === 'choice' ? test.alternatives : [{ when: always, value: test }]) {
    const formula = formulaOf(value);
    if (formula === undefined)
      return value.kind === 'unknown'
        ? value.at(here)
        : new InvalidValue('the condition is neither true nor false', here);
    const outcomes = outcomesOf(formula);
    if (outcomes === undefined) return tooMany(here);
    for (const truth of [true, false]) {
      const assumptions = truth ? outcomes.yes : outcomes.no;
      if (assumptions === 'always') result.push({ when, truth });
      else for (const one of assumptions) push(result, when.and(one), truth);
    }
  }
  return result;
}

function push(result: { when: When; truth: boolean }[], when: When | undefined, truth: boolean): void {
  if (when !== undefined) result.push({ when, truth });
}

function tupleOf({ value, range }: RangedFor, rounds: readonly Round[], here: Here): TerraformValue {
  const items = rounds.map(({ context }, index) =>
    context.evaluate(value, here.child(index, context.place(range, here, index))),
  );
  return (
    items.find((item) => item instanceof InvalidValue)?.at(here) ??
    new Known<TerraformItem>(new TerraformList(items), here)
  );
}

function objectOf(
  { value, groups, range }: RangedFor,
  key: ForExpression['in'],
  rounds: readonly Round[],
  here: Here,
): TerraformValue {
  const keys = rounds.map(({ context }) => context.evaluate(key, new Here(context.budget, undefined, here)));
  return fromRows(rowsOf(keys), here, (plain) => {
    const map = new MapBuilder(here);
    const grouped = new Map<string, TerraformValue[]>();
    for (const [index, one] of plain.entries()) {
      const context = rounds[index]?.context;
      if (context === undefined) break;
      const name = textOf(one);
      const step = name.kind === 'known' ? name.value : '';
      const find = () => context.evaluate(value, here.child(step, context.place(range, here, step)));
      if (!groups || name.kind !== 'known') {
        if (name.kind === 'known' && map.has(name.value))
          return new InvalidValue(`two items have the key "${name.value}"`, here);
        map.set(name, find);
        if (name.kind !== 'known' && groups) return new Unknown('one of the keys is not known', here);
      } else {
        const group = grouped.get(name.value);
        if (group === undefined) grouped.set(name.value, [find()]);
        else group.push(find());
      }
    }
    for (const [name, items] of grouped) {
      const place = here.child(name, context0(rounds)?.place(range, here, name));
      map.set(
        new Known(name, here),
        () =>
          items.find((item) => item instanceof InvalidValue) ??
          new Known<TerraformItem>(new TerraformList(items), place),
      );
    }
    return map.value();
  });
}

function context0([first]: readonly Round[]): Context | undefined {
  return first?.context;
}
