import { Absent, Known, Unknown, type Plain, type Source } from '../../value';
import { ResourceObject } from '../resource-object';
import {
  compareTexts,
  TerraformList,
  TerraformMap,
  TerraformSet,
  type TerraformItem,
  type TerraformValue,
} from '../terraform-value';
import { isEqual } from './equality';
import { InvalidValue } from './unknowns';

/** More items than anybody lists. */
export const MOST_ITEMS = 50_000;

export interface Entry {
  readonly key: TerraformValue;
  readonly value: TerraformValue;
}

/**
 * Keys and values of a collection in the order in which Terraform goes through it; why that isn't known otherwise.
 * @param inAnyOrder whether the order doesn't matter
 */
export function entriesOf(plain: Plain<TerraformItem>, source: Source, inAnyOrder = false): readonly Entry[] | Unknown {
  if (plain.kind === 'unknown') return plain.at(source);
  if (plain.kind === 'absent') return new InvalidValue('it is null where a collection belongs', source);
  const { value: item } = plain;
  if (item instanceof TerraformMap) {
    if (item instanceof ResourceObject || (item.more !== undefined && !(inAnyOrder && item.unsure.length > 0)))
      return new Unknown(item.more?.reason ?? 'it is known only after apply', source);
    const entries = [...item.entries]
      .sort(([one], [other]) => compareTexts(one, other))
      .map(([key, value]): Entry => ({ key: new Known<TerraformItem>(key, plain.source), value }));
    return [...entries, ...item.unsure];
  }
  if (item instanceof TerraformSet) {
    if (!inAnyOrder && !hasOrder(item)) return new Unknown('the order of the items of a set is not known', source);
    return item.items.map((value) => ({ key: value, value }));
  }
  if (item instanceof TerraformList)
    return item.items.map((value, index) => ({ key: new Known<TerraformItem>(index, plain.source), value }));
  return new InvalidValue('it is no collection', source);
}

/** Whether the order in which a set is gone through is the one of its items here. */
export function hasOrder(set: TerraformSet): boolean {
  return set.items.length < 2 || set.items.every((item) => item.kind === 'known' && typeof item.value !== 'object');
}

/** A set of the items, which are converted to one type. */
export function setOf(items: readonly TerraformValue[], source: Source): Known<TerraformSet> {
  const kept: TerraformValue[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    if (item.kind === 'known' && typeof item.value !== 'object') {
      const id = JSON.stringify(item.value);
      if (!seen.has(id)) kept.push(item);
      seen.add(id);
    } else if (item.kind === 'unknown' && item.symbol !== undefined) {
      if (!seen.has(`symbol ${item.symbol}`)) kept.push(item);
      seen.add(`symbol ${item.symbol}`);
    } else if (kept.length > 500 || !kept.some((one) => isSameStructure(one, item))) kept.push(item);
  }
  return new Known(new TerraformSet(kept), source);
}

/** Whether two items of one type are the same. */
function isSameStructure(one: TerraformValue, other: TerraformValue): boolean {
  if (one.kind !== 'known' || other.kind !== 'known') return one.kind === 'absent' && other.kind === 'absent';
  const [left, right] = [one.value, other.value];
  if (left instanceof TerraformList && right instanceof TerraformList) {
    return (
      left.items.length === right.items.length &&
      left.items.every((item, index) => isSameStructure(item, right.items[index] ?? new Absent(one.source)))
    );
  }
  if (left instanceof TerraformMap && right instanceof TerraformMap) {
    if (left.more !== undefined || right.more !== undefined || left.entries.size !== right.entries.size) return false;
    for (const [key, value] of left.entries) {
      const opposite = right.entries.get(key);
      if (opposite === undefined || !isSameStructure(value, opposite)) return false;
    }
    return true;
  }
  return isEqual(one, other) === true;
}
