import { always, choose, Known, type Plain, type When } from '../../value';
import { BlockContent } from '../resource-object';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import { listLike } from './choices';

/**
 * What of a value is left where an assumption holds, in lists and maps too: what is the only value there depends on no condition. What belongs
 * to other resources stays as it is.
 */
export function whereHolds(given: When, value: TerraformValue): TerraformValue {
  if (given === always) return value;
  if (value.kind !== 'choice') return within(given, value);
  const possible = value.alternatives.filter(({ when }) => given.and(when) !== undefined);
  const [only, other] = possible;
  // Nothing left would mean that it is never asked for.
  if (only === undefined) return value;
  return other === undefined
    ? within(given, only.value)
    : choose(possible.map(({ when, value: plain }) => ({ when, value: within(given, plain) })));
}

function within(given: When, plain: Plain<TerraformItem>): Plain<TerraformItem> {
  if (plain.kind !== 'known' || typeof plain.value !== 'object') return plain;
  const { value: item, source, note } = plain;
  if (item instanceof TerraformList) {
    const items = item.items.map((one) => whereHolds(given, one));
    return items.every((one, index) => one === item.items[index])
      ? plain
      : new Known<TerraformItem>(listLike(item, items), source, note);
  }
  if (item.constructor !== TerraformMap && item.constructor !== BlockContent) return plain;
  const { entries, more, unsure } = item;
  const rest = new Map(Array.from(entries, ([key, entry]) => [key, whereHolds(given, entry)]));
  const unsureRest = unsure.map((entry) => ({ ...entry, value: whereHolds(given, entry.value) }));
  if (
    Array.from(entries).every(([key, entry]) => rest.get(key) === entry) &&
    unsure.every(({ value }, index) => unsureRest[index]?.value === value)
  )
    return plain;
  const content =
    item instanceof BlockContent
      ? new BlockContent(rest, more, unsureRest, item.written)
      : new TerraformMap(rest, more, unsureRest);
  return new Known<TerraformItem>(content, source, note);
}
