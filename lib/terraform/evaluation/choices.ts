import { always, type Alternative, choose, Known, Unknown, type Plain, type Source, type When } from '../../value';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import { formulaOf, MOST_CASES, outcomesOf } from './conditions';
import { InvalidValue, tooMany } from './unknowns';

/** Values that occur together under one assumption. */
export interface Row<T = Plain<TerraformItem>> {
  readonly when: When;
  readonly values: readonly T[];
}

/** One value of alternatives; unknown if there are more than anybody has conditions for. */
export function limited(alternatives: readonly Alternative<TerraformItem>[], source: Source): TerraformValue {
  const [first] = alternatives;
  if (first === undefined) return new Unknown('what it depends on contradicts itself', source);
  if (alternatives.length > MOST_CASES) return tooMany(source);
  if (alternatives.length > 1 && alternatives.every(({ value }) => isSame(value, first.value))) return first.value;
  return choose(alternatives);
}

function isSame(one: Plain<TerraformItem>, other: Plain<TerraformItem>): boolean {
  if (one === other) return true;
  if (one.kind === 'known' && other.kind === 'known')
    return typeof one.value !== 'object' && one.value === other.value && one.note === other.note;
  return one.kind === 'absent' && other.kind === 'absent';
}

/** Replaces every alternative by a value of its own. */
export function flatMap(value: TerraformValue, fn: (plain: Plain<TerraformItem>) => TerraformValue): TerraformValue {
  if (value.kind !== 'choice') return fn(value);
  const result: Alternative<TerraformItem>[] = [];
  let source: Source | undefined;
  for (const outer of value.alternatives) {
    source ??= outer.value.source;
    addUnder(result, outer.when, fn(outer.value));
    if (result.length > MOST_CASES) return tooMany(source);
  }
  return limited(result, source ?? { locate: () => ({ file: '', line: 1, column: 1 }) });
}

function addUnder(result: Alternative<TerraformItem>[], when: When, value: TerraformValue): void {
  for (const inner of value.kind === 'choice' ? value.alternatives : [{ when: always, value }]) {
    const both = when.and(inner.when);
    if (both !== undefined) result.push({ when: both, value: inner.value });
  }
}

/** One value for each row. */
export function fromRows<T>(
  rows: readonly Row<T>[] | undefined,
  source: Source,
  fn: (values: readonly T[]) => TerraformValue,
): TerraformValue {
  if (rows === undefined) return tooMany(source);
  const [first] = rows;
  if (first !== undefined && rows.length === 1 && first.when === always) return fn(first.values);
  const result: Alternative<TerraformItem>[] = [];
  for (const { when, values } of rows) {
    addUnder(result, when, fn(values));
    if (result.length > MOST_CASES) return tooMany(source);
  }
  return limited(result, source);
}

/** The cases in which values occur together; undefined if there are too many. */
export function rowsOf(values: readonly TerraformValue[]): readonly Row[] | undefined {
  if (values.every((value) => value.kind !== 'choice')) return [{ when: always, values: values }];
  return combined(values.map((value) => (value.kind === 'choice' ? value.alternatives : [{ when: always, value }])));
}

function combined<T>(
  lists: readonly (readonly { readonly when: When; readonly value: T }[])[],
): readonly Row<T>[] | undefined {
  let rows: { when: When; values: T[] }[] = [{ when: always, values: [] }];
  for (const alternatives of lists) {
    const [only, second] = alternatives;
    if (only !== undefined && second === undefined && only.when === always) {
      for (const row of rows) row.values.push(only.value);
      continue;
    }
    const next: typeof rows = [];
    for (const row of rows) {
      for (const { when, value } of alternatives) {
        const both = row.when.and(when);
        if (both !== undefined) next.push({ when: both, values: [...row.values, value] });
      }
    }
    if (next.length > MOST_CASES) return undefined;
    rows = next;
  }
  return rows;
}

/** The cases in which values occur together, with no alternatives left in lists and maps; undefined if there are too many. */
export function settledRows(values: readonly TerraformValue[]): readonly Row[] | undefined {
  if (!values.some(hasChoice)) return [{ when: always, values: values as readonly Plain<TerraformItem>[] }];
  const lists = values.map(settled);
  return lists.every((list) => list !== undefined) ? combined(lists) : undefined;
}

function hasChoice(value: TerraformValue): boolean {
  if (value.kind === 'choice') return true;
  if (value.kind !== 'known') return false;
  const { value: item } = value;
  if (item instanceof TerraformList) return item.items.some(hasChoice);
  if (item instanceof TerraformMap) for (const entry of item.entries.values()) if (hasChoice(entry)) return true;
  return false;
}

function settled(value: TerraformValue): readonly Alternative<TerraformItem>[] | undefined {
  if (!hasChoice(value)) return [{ when: always, value: value as Plain<TerraformItem> }];
  if (value.kind === 'choice') {
    const result: Alternative<TerraformItem>[] = [];
    for (const { when, value: plain } of value.alternatives) {
      const inner = settled(plain);
      if (inner === undefined) return undefined;
      for (const one of inner) {
        const both = when.and(one.when);
        if (both !== undefined) result.push({ when: both, value: one.value });
      }
      if (result.length > MOST_CASES) return undefined;
    }
    return result;
  }
  if (value.kind !== 'known' || typeof value.value !== 'object') return [{ when: always, value }];
  const { value: item, source, note } = value;
  const keys = item instanceof TerraformMap ? [...item.entries.keys()] : undefined;
  const rows = settledRows(item instanceof TerraformMap ? [...item.entries.values()] : item.items);
  return rows?.map(({ when, values }) => {
    if (keys === undefined)
      return {
        when,
        value: new Known<TerraformItem>(item instanceof TerraformList ? listLike(item, values) : item, source, note),
      };
    const entries = new Map(
      keys.map((key, index): [string, TerraformValue] => [
        key,
        values[index] ?? new Unknown('it is not known', source),
      ]),
    );
    return {
      when,
      value: new Known<TerraformItem>(
        new TerraformMap(entries, item instanceof TerraformMap ? item.more : undefined),
        source,
        note,
      ),
    };
  });
}

/** Items as the same kind of list as another one. */
export function listLike(list: TerraformList, items: readonly TerraformValue[]): TerraformList {
  return new (list.constructor as typeof TerraformList)(items);
}

/**
 * One of two values, by a test that may not be known: a choice then, each under the assumptions that go with it.
 * A value that is no use is not asked for.
 */
export function chooseBy(
  test: TerraformValue,
  source: Source,
  yes: () => TerraformValue,
  no: () => TerraformValue,
): TerraformValue {
  return flatMap(test, (plain): TerraformValue => {
    if (plain instanceof InvalidValue) return plain.at(source);
    if (plain.kind === 'absent') return new InvalidValue('the condition is null', source);
    const formula = formulaOf(plain);
    if (formula === undefined) {
      if (plain.kind === 'known') return new InvalidValue('the condition is neither true nor false', source);
      return either(yes(), no(), () => new Unknown(plain.reason, source));
    }
    const outcomes = outcomesOf(formula);
    if (outcomes === undefined) return either(yes(), no(), () => tooMany(source));
    const result: Alternative<TerraformItem>[] = [];
    for (const [assumptions, value] of [
      [outcomes.yes, yes],
      [outcomes.no, no],
    ] as const) {
      if (assumptions === 'always') return value();
      if (assumptions.length === 0) continue;
      const chosen = value();
      for (const when of assumptions) addUnder(result, when, chosen);
      if (result.length > MOST_CASES) return tooMany(source);
    }
    return limited(result, source);
  });
}

/** Both values if they are the same, whichever it is. */
function either(yes: TerraformValue, no: TerraformValue, otherwise: () => Unknown): TerraformValue {
  return yes.kind !== 'choice' && no.kind !== 'choice' && yes.kind !== 'unknown' && isSame(yes, no) ? yes : otherwise();
}
