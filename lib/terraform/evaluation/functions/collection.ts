import { Absent, Known } from '../../../value';
import { compareTexts, TerraformList, TerraformMap, TerraformSet, type TerraformValue } from '../../terraform-value';
import { hasOrder } from '../collections';
import { isEqual } from '../equality';
import { isExact } from '../numbers';
import { withNote } from '../places';
import { UnknownCollection } from '../unknown-collection';
import { derived, unknownIn } from '../unknowns';
import { ofOneType } from '../unify';
import {
  ANY_NUMBER,
  CallFailure,
  CallUnknown,
  known,
  knownBoolean,
  knownText,
  needsWhole,
  parts,
  structure,
  unknown,
  whole,
  type Call,
  type Functions,
  type Result,
} from './function';

export const COLLECTIONS: Functions = {
  length: structure(1, 1, length),
  element: structure(2, 2, element),
  index: whole(2, 2, indexOf),
  contains: parts(2, 2, contains),
  keys: structure(1, 1, keys),
  values: structure(1, 1, values),
  lookup: structure(2, 3, lookup, true),
  slice: structure(2, 3, slice),
  reverse: structure(1, 1, reverse),
  sort: whole(1, 1, (call) => call.list_([...call.texts(0)].sort(compareTexts))),
  distinct: parts(1, 1, distinct),
  compact: parts(1, 1, compact),
  zipmap: structure(2, 2, zipmap),
  transpose: whole(1, 1, transpose),
  matchkeys: whole(3, 3, matchkeys),
  chunklist: structure(2, 2, chunklist),
  range: whole(1, 3, range),
  sum: whole(1, 1, sum),
  alltrue: parts(1, 1, (call) => allAre(call, true)),
  anytrue: parts(1, 1, (call) => allAre(call, false)),
  one: structure(1, 1, one),
  coalesce: parts(1, ANY_NUMBER, coalesce, true),
  coalescelist: structure(1, ANY_NUMBER, coalescelist, true),
};

function length(call: Call): Result {
  const item = call.item(0);
  if (item instanceof TerraformMap) {
    if (item.more !== undefined) throw new CallUnknown(item.more.reason);
    return item.entries.size;
  }
  // Items that aren't known may be equal, and be one in a set.
  if (item instanceof TerraformSet && item.items.length > 1) for (const one of item.items) needsWhole(one);
  if (item instanceof TerraformList) return item.items.length;
  if (typeof item !== 'string') throw new CallFailure('it has no length');
  return /^[ -~]*$/.test(item) ? item.length : [...new Intl.Segmenter().segment(item)].length;
}

function element(call: Call): Result {
  const [of, key] = [call.plain(0), call.plain(1)];
  if (of instanceof UnknownCollection && of.shape.kind === 'list') {
    const found = of.under(key.kind === 'unknown' ? key : call.integer(1));
    if (found === undefined) throw new CallUnknown(of.reason);
    call.context.budget.doubts++;
    return found;
  }
  const items = call.sequence(0);
  const index = call.integer(1);
  if (items.length === 0) throw new CallFailure('the list is empty');
  if (index < 0) throw new CallFailure('the index is negative');
  if (call.item(0) instanceof TerraformSet) throw new CallFailure('a set has no indexes');
  return items[index % items.length];
}

function indexOf(call: Call): Result {
  const wanted = call.plain(1);
  for (const [index, item] of call.sequence(0).entries()) {
    const equal = isEqual(item, wanted);
    if (equal === undefined) throw new CallUnknown('whether items are equal is not known');
    if (equal) return index;
  }
  throw new CallFailure('the value is not in the list');
}

function contains(call: Call): Result {
  const items = call.list(0);
  const wanted = call.plain(1);
  // Items of lists and sets have one type, to which the value is converted; those of tuples don't.
  const results = items.map((item) => isEqual(item, wanted));
  if (results.includes(true)) return true;
  if (results.includes(undefined))
    throw new CallUnknown(
      unknownIn(call.plain(0))?.reason ?? unknownIn(wanted)?.reason ?? 'whether items are equal is not known',
    );
  return false;
}

function completeMap(call: Call, index: number): ReadonlyMap<string, TerraformValue> {
  const map = call.map(index);
  if (map.more !== undefined) throw new CallUnknown(map.more.reason);
  return map.entries;
}

function sortedKeys(entries: ReadonlyMap<string, TerraformValue>): string[] {
  return [...entries.keys()].sort(compareTexts);
}

function keys(call: Call): Result {
  return call.list_(sortedKeys(completeMap(call, 0)));
}

function values(call: Call): Result {
  const entries = completeMap(call, 0);
  return new TerraformList(sortedKeys(entries).flatMap((key) => entries.get(key) ?? []));
}

function lookup(call: Call): Result {
  const map = call.map(0);
  // Whatever the key is, as a workspace that nobody knows.
  if (call.size > 2 && isSurelyEmpty(map)) return call.plain(2);
  const key = call.text(1);
  const written = map.entries.get(key);
  const from = call.plain(0);
  if (written !== undefined) return withNote(written, from.kind === 'known' ? from.note : undefined, key);
  // Resources, and maps of which not all entries are known.
  const entry = map.entry(key);
  if (entry === undefined) {
    if (call.size < 3) throw new CallFailure(`there is no "${key}"`);
    return call.plain(2);
  }
  if (entry.kind === 'unknown' && entry === map.more) throw new CallUnknown(entry.reason);
  return entry;
}

function isSurelyEmpty(map: TerraformMap): boolean {
  return (
    map.constructor === TerraformMap && map.entries.size === 0 && map.more === undefined && map.unsure.length === 0
  );
}

function slice(call: Call): Result {
  const item = call.item(0);
  const items = call.sequence(0);
  if (item instanceof TerraformSet) throw new CallFailure('a set has no indexes');
  const [start, end] = [call.integer(1), call.size > 2 ? call.integer(2) : items.length];
  if (start < 0 || end < start || end > items.length) throw new CallFailure('the indexes are out of range');
  return new TerraformList(items.slice(start, end));
}

function reverse(call: Call): Result {
  return new TerraformList([...call.sequence(0)].reverse());
}

/** Items that aren't known may be equal to others. */
function distinct(call: Call): Result {
  const result: TerraformValue[] = [];
  const items = ofOneType(call.list(0));
  const scalars = new Set<unknown>();
  for (const item of items) {
    if (item.kind === 'known' && typeof item.value !== 'object') {
      if (!scalars.has(item.value)) result.push(item);
      scalars.add(item.value);
      continue;
    }
    if (items.length > 1000) throw new CallUnknown('it has too many items');
    const results = result.map((one) => isEqual(one, item));
    if (results.includes(true)) continue;
    if (results.includes(undefined))
      throw new CallUnknown(unknownIn(item)?.reason ?? 'whether items are equal is not known');
    result.push(item);
  }
  const doubtful =
    items.length < 2
      ? undefined
      : result.find(
          (item) => item.kind === 'unknown' && result.some((one) => one !== item && isEqual(one, item) === undefined),
        );
  if (doubtful !== undefined) throw new CallUnknown('whether items are equal is not known');
  return new TerraformList(result);
}

/** Without null and empty texts. */
function compact(call: Call): Result {
  const kept: TerraformValue[] = [];
  for (const item of call.sequence(0)) {
    if (item.kind === 'absent') continue;
    if (item.kind === 'unknown') {
      // A text with something known in it isn't empty.
      if (isEqual(item, new Known('', call.here)) !== false) throw new CallUnknown(item.reason);
      kept.push(item);
    } else if (knownText(item) !== '') kept.push(new Known(knownText(item), call.here, call.note));
  }
  return new TerraformList(kept);
}

function zipmap(call: Call): Result {
  const names = call.texts(0);
  const items = call.sequence(1);
  if (names.length !== items.length) throw new CallFailure('there are not as many keys as values');
  return new TerraformMap(new Map(names.map((name, index) => [name, items[index] ?? new Absent(call.here)])));
}

function transpose(call: Call): Result {
  const result = new Map<string, string[]>();
  for (const key of sortedKeys(completeMap(call, 0))) {
    const entry = call.map(0).entries.get(key);
    const item = entry === undefined ? undefined : known(entry);
    if (!(item instanceof TerraformList)) throw new CallFailure('an entry is no list');
    for (const text of item.items.map(knownText)) {
      const list = result.get(text);
      if (list === undefined) result.set(text, [key]);
      else list.push(key);
    }
  }
  return new TerraformMap(
    new Map([...result].map(([key, list]) => [key, call.value(call.list_(list.sort(compareTexts)))])),
  );
}

function matchkeys(call: Call): Result {
  const [items, names, wanted] = [call.sequence(0), call.sequence(1), call.list(2)];
  if (items.length !== names.length) throw new CallFailure('there are not as many keys as values');
  return new TerraformList(
    items.filter((_, index) => {
      const name = names[index];
      return name !== undefined && wanted.some((one) => isEqual(one, name) === true);
    }),
  );
}

function chunklist(call: Call): Result {
  const items = call.sequence(0);
  const size = call.integer(1);
  if (size < 0) throw new CallFailure('the size is negative');
  if (size === 0)
    return items.length === 0 ? new TerraformList([]) : new TerraformList([call.value(new TerraformList(items))]);
  const chunks: TerraformValue[] = [];
  for (let start = 0; start < items.length; start += size)
    chunks.push(call.value(new TerraformList(items.slice(start, start + size))));
  return new TerraformList(chunks);
}

/** Terraform makes no longer ones. */
const LONGEST_RANGE = 1024;

function range(call: Call): Result {
  const numbers = call.args.map((_, index) => call.number(index));
  const [start, end] = numbers.length === 1 ? [0, numbers[0] ?? 0] : [numbers[0] ?? 0, numbers[1] ?? 0];
  const step = numbers[2] ?? (end < start ? -1 : 1);
  if (step === 0 || (step < 0 && end > start) || (step > 0 && end < start))
    throw new CallFailure('it never gets to its end');
  if (!numbers.every(Number.isSafeInteger)) throw new CallUnknown('ranges of broken numbers are not looked at');
  const result: number[] = [];
  for (let number = start; step > 0 ? number < end : number > end; number += step) {
    if (result.length >= LONGEST_RANGE) throw new CallFailure(`it has more than ${LONGEST_RANGE} items`);
    result.push(number);
  }
  return call.list_(result);
}

function sum(call: Call): Result {
  const numbers = call.numbers(0);
  if (numbers.length === 0) throw new CallFailure('the list is empty');
  if (numbers.length === 1) return numbers[0];
  const result = numbers.reduce((all, number) => all + number, 0);
  if (!numbers.every(Number.isSafeInteger) || !isExact(result))
    throw new CallUnknown('sums of broken numbers are not looked at');
  return result;
}

/** `alltrue` and `anytrue`: one item that differs decides. */
function allAre(call: Call, truth: boolean): Result {
  let reason: string | undefined;
  for (const item of call.list(0)) {
    if (item.kind === 'unknown') reason ??= item.reason;
    // Terraform takes null for neither.
    else if (item.kind === 'absent') {
      if (truth) return false;
    } else if (knownBoolean(item) !== truth) return !truth;
  }
  if (reason !== undefined) throw new CallUnknown(reason);
  return truth;
}

function one(call: Call): Result {
  const item = call.item(0);
  const items = call.list(0);
  const [first, second] = items;
  if (second === undefined) return first;
  // Several items of a set that aren't known may be the same.
  if (item instanceof TerraformSet && !hasOrder(item)) throw new CallUnknown('whether items are equal is not known');
  throw new CallFailure('the list has more than one item');
}

/** The first argument that is neither null nor an empty text. */
function coalesce(call: Call): Result {
  const types = new Set(call.args.flatMap((arg) => (arg.kind === 'known' ? [typeof arg.value] : [])));
  for (const [index, arg] of call.args.entries()) {
    if (arg.kind === 'absent') continue;
    if (arg.kind === 'known') {
      if (arg.value === '' && !types.has('object')) continue;
      return types.has('string') && typeof arg.value !== 'object'
        ? new Known(knownText(arg), arg.source, arg.note)
        : arg;
    }
    // What a resource tells after apply is no empty text; the value of a variable may be.
    const isTold = arg.reference !== undefined || isEqual(arg, new Known('', call.here)) === false;
    const isLast = index === call.args.length - 1;
    return isTold || (isLast && index > 0 && call.args.slice(0, index).every((other) => other.kind !== 'unknown'))
      ? arg
      : derived(call.args, call.here, (shown) => `coalesce(${shown.join(', ')})`);
  }
  throw new CallFailure('all arguments are null or empty');
}

/** The first list that isn't empty. */
function coalescelist(call: Call): Result {
  for (const arg of call.args) {
    if (arg.kind === 'absent') continue;
    if (arg.kind === 'unknown') return unknown(arg.reason, call);
    const { value } = arg;
    const size =
      value instanceof TerraformList
        ? value.items.length
        : value instanceof TerraformMap
          ? value.entries.size + (value.more === undefined ? 0 : 1)
          : 0;
    if (size > 0) return arg;
  }
  throw new CallFailure('all arguments are empty');
}
