import { Known } from '../../../value';
import { TerraformList, TerraformMap, TerraformSet, type TerraformValue } from '../../terraform-value';
import { hasOrder, MOST_ITEMS } from '../collections';
import { MapBuilder } from '../object-value';
import {
  ANY_NUMBER,
  CallFailure,
  CallUnknown,
  structure,
  unknown,
  type Call,
  type Functions,
  type Result,
} from './function';

export const MERGING: Functions = {
  merge: structure(0, ANY_NUMBER, merge, true),
  concat: structure(1, ANY_NUMBER, concat),
  flatten: structure(1, 1, flatten),
};

/** Maps one over the other: what isn't known of a later one may take the place of what is known of an earlier one. */
function merge(call: Call): Result {
  const merged = new MapBuilder(call.here);
  for (const arg of call.args) {
    if (arg.kind === 'absent') continue;
    if (arg.kind === 'unknown') {
      merged.hide(arg.reason);
      continue;
    }
    const { value: item, note } = arg;
    if (!(item instanceof TerraformMap)) throw new CallFailure('an argument is no map');
    merged.merge(item, (value) =>
      note === undefined || value.kind !== 'known' || value.note !== undefined || value.constructor !== Known
        ? value
        : new Known(value.value, value.source, note),
    );
  }
  return merged.value();
}

function concat(call: Call): Result {
  const items: TerraformValue[] = [];
  for (const [index, arg] of call.args.entries()) {
    if (arg.kind === 'unknown') return call.size === 1 ? arg : unknown(arg.reason, call);
    if (arg.kind === 'known' && arg.value instanceof TerraformSet) throw new CallFailure('a set is no list');
    for (const item of call.sequence(index)) items.push(item);
    if (items.length > MOST_ITEMS) throw new CallUnknown('it has too many items');
  }
  return new TerraformList(items);
}

function flatten(call: Call): Result {
  const items: TerraformValue[] = [];
  const add = (value: TerraformValue): void => {
    if (items.length > MOST_ITEMS) throw new CallUnknown('it has too many items');
    // What isn't known may be a list.
    if (value.kind === 'unknown') throw new CallUnknown(value.reason);
    if (value.kind === 'choice') {
      if (
        value.alternatives.some(
          (one) =>
            one.value.kind === 'unknown' || (one.value.kind === 'known' && one.value.value instanceof TerraformList),
        )
      )
        throw new CallUnknown('it depends on conditions');
      items.push(value);
    } else if (value.kind === 'known' && value.value instanceof TerraformList) {
      if (value.value instanceof TerraformSet && !hasOrder(value.value))
        throw new CallUnknown('the order of the items of a set is not known');
      for (const item of value.value.items) add(item);
    } else items.push(value);
  };
  for (const item of call.sequence(0)) add(item);
  return new TerraformList(items);
}
