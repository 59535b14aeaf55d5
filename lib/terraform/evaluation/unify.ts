import { alternativesOf, Known } from '../../value';
import { TerraformList, TerraformMap, type TerraformValue } from '../terraform-value';
import { flatMap, listLike } from './choices';
import { numberText } from './numbers';
import { isEager } from './places';

/**
 * One branch of a conditional, converted to the type that it shares with the other branch: of a text and a number both are texts.
 */
export function unified(value: TerraformValue, other: TerraformValue): TerraformValue {
  const isText = mayBeText(other);
  return flatMap(value, (plain): TerraformValue => {
    if (plain.kind !== 'known') return plain;
    const { value: item, source, note } = plain;
    if (typeof item !== 'object') return isText ? asTextIfKnown(plain) : plain;
    if (other.kind !== 'known' || typeof other.value !== 'object') return plain;
    if (item instanceof TerraformList && other.value instanceof TerraformList) {
      const others = other.value.items;
      // Tuples of one length are converted item by item, others become lists.
      if (others.length === item.items.length)
        return new Known(
          listLike(
            item,
            item.items.map((one, index) => unified(one, others[index] ?? one)),
          ),
          source,
          note,
        );
      return [...item.items, ...other.value.items].some(mayBeText)
        ? new Known(listLike(item, item.items.map(asTextIfScalar)), source, note)
        : plain;
    }
    if (isEager(item) && isEager(other.value)) return new Known(unifiedMap(item, other.value), source, note);
    return plain;
  });
}

/** Whether one of the alternatives of a value is a text, so that what shares a type with it is one, too. */
function mayBeText(value: TerraformValue): boolean {
  return alternativesOf(value).some(({ value: plain }) => plain.kind === 'known' && typeof plain.value === 'string');
}

/** Objects with the same attributes are converted one by one, others become maps. */
function unifiedMap(map: TerraformMap, other: TerraformMap): TerraformMap {
  const keys = [...map.entries.keys()];
  const isSame = keys.length === other.entries.size && keys.every((key) => other.entries.has(key));
  const hasTexts = !isSame && [...map.entries.values(), ...other.entries.values()].some(mayBeText);
  if (!isSame && !hasTexts) return map;
  const entries = new Map<string, TerraformValue>();
  for (const [key, entry] of map.entries)
    entries.set(key, isSame ? unified(entry, other.entries.get(key) ?? entry) : asTextIfScalar(entry));
  return map.more === undefined ? new TerraformMap(entries) : new TerraformMap(entries, map.more);
}

function asTextIfScalar(value: TerraformValue): TerraformValue {
  return flatMap(value, asTextIfKnown);
}

function asTextIfKnown(value: TerraformValue): TerraformValue {
  if (value.kind !== 'known' || (typeof value.value !== 'number' && typeof value.value !== 'boolean')) return value;
  const text = typeof value.value === 'boolean' ? String(value.value) : numberText(value.value);
  return text === undefined ? value : new Known(text, value.source, value.note);
}

/** Items as they are in a list or set, where all are of one type. */
export function ofOneType(items: readonly TerraformValue[]): readonly TerraformValue[] {
  return items.some(mayBeText) ? items.map(asTextIfScalar) : items;
}

/** Entries as they are in a map, where all are of one type. */
export function mapOfOneType(map: TerraformMap): TerraformMap {
  const keys = [...map.entries.keys()];
  const values = ofOneType([...map.entries.values()]);
  const entries = new Map<string, TerraformValue>();
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (value !== undefined) entries.set(key, value);
  }
  return new TerraformMap(entries, map.more);
}
