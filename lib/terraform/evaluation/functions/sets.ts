import { isEqual } from '../equality';
import { setOf } from '../collections';
import { TerraformList, TerraformSet, type TerraformValue } from '../../terraform-value';
import { ofOneType } from '../unify';
import { ANY_NUMBER, CallUnknown, whole, type Call, type Functions, type Result } from './function';

export const SETS: Functions = {
  setunion: whole(1, ANY_NUMBER, (call) =>
    setOf(ofOneType(call.args.flatMap((_, index) => call.list(index))), call.here),
  ),
  setintersection: whole(1, ANY_NUMBER, (call) =>
    among(call, (item, others) => others.every((other) => has(other, item))),
  ),
  setsubtract: whole(2, 2, (call) => among(call, (item, others) => !others.some((other) => has(other, item)))),
  setsymmetricdifference: whole(1, ANY_NUMBER, symmetricDifference),
  setproduct: whole(1, ANY_NUMBER, product),
};

function has(list: readonly TerraformValue[], item: TerraformValue): boolean {
  return list.some((one) => isSame(one, item));
}

/** Items of sets have one type, so that what looks the same is. */
function isSame(one: TerraformValue, other: TerraformValue): boolean {
  return isEqual(one, other) ?? JSON.stringify(shape(one)) === JSON.stringify(shape(other));
}

function shape(value: TerraformValue): unknown {
  if (value.kind !== 'known') return null;
  const { value: item } = value;
  if (item instanceof TerraformList) return item.items.map(shape);
  return typeof item === 'object'
    ? [...item.entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, entry]) => [key, shape(entry)])
    : String(item);
}

/** The sets as sets of one type. */
function unifiedLists(call: Call): readonly (readonly TerraformValue[])[] {
  const lists = call.args.map((_, index) => call.list(index));
  const all = ofOneType(lists.flat());
  let start = 0;
  return lists.map((list) => all.slice(start, (start += list.length)));
}

function among(
  call: Call,
  keeps: (item: TerraformValue, others: readonly (readonly TerraformValue[])[]) => boolean,
): Result {
  const [first = [], ...others] = unifiedLists(call);
  return setOf(
    first.filter((item) => keeps(item, others)),
    call.here,
  );
}

function symmetricDifference(call: Call): Result {
  let result: readonly TerraformValue[] = [];
  for (const list of unifiedLists(call))
    result = [...result.filter((item) => !has(list, item)), ...list.filter((item) => !has(result, item))];
  return setOf(result, call.here);
}

/** All combinations of one item of each. */
function product(call: Call): Result {
  const lists = call.args.map((_, index) => call.sequence(index));
  const size = lists.reduce((all, list) => all * list.length, 1);
  if (size > 10_000) throw new CallUnknown('it has too many items');
  let rows: readonly (readonly TerraformValue[])[] = [[]];
  for (const list of lists) rows = rows.flatMap((row) => list.map((item) => [...row, item]));
  const items = rows.map((row) => call.value(new TerraformList(row)));
  const areSets = call.args.every((arg) => arg.kind === 'known' && arg.value instanceof TerraformSet);
  return areSets ? setOf(items, call.here) : new TerraformList(items);
}
