import { beyondLimit, LIMITS } from '../../value';
import { ComposedText, JoinedText, TOO_LONG } from '../../value/composed-text';
import { TerraformList, type TerraformItem, type TerraformMap, type TerraformValue } from '../terraform-value';
import { isEager, type Here } from './places';

/** Items of one value, those of its items included. A part that stands in several places counts in each of them. */
const MOST_WEIGHT = 200_000;

/** So many characters count as an item. */
const CHARACTERS = 100;

const known = new WeakMap<TerraformList | TerraformMap, number>();

/** How many items somebody visits who goes through all of a value. Lists and maps tell it once: parts that they share would be visited over and over. */
export function weightOf(value: TerraformValue): number {
  switch (value.kind) {
    case 'absent':
      return 1;
    case 'unknown':
      return value instanceof ComposedText ? value.pieces.length + ofText(value.text ?? '') : 1;
    case 'choice':
      return sum(value.alternatives.map((one) => one.value));
    case 'known':
      return value instanceof JoinedText ? value.pieces.length + ofText(value.value) : ofItem(value.value);
  }
}

function ofText({ length }: string): number {
  return 1 + Math.floor(length / CHARACTERS);
}

function ofItem(item: TerraformItem): number {
  if (typeof item === 'string') return ofText(item);
  // Resources and outputs of modules are looked into when somebody asks.
  if (typeof item !== 'object' || !(item instanceof TerraformList || isEager(item))) return 1;
  let weight = known.get(item);
  if (weight === undefined) {
    weight =
      item instanceof TerraformList
        ? sum(item.items)
        : sum(item.entries.values()) + sum(item.unsure.map((one) => one.value));
    known.set(item, weight);
  }
  return weight;
}

function sum(values: Iterable<TerraformValue>): number {
  let weight = 1;
  for (const value of values) weight += weightOf(value);
  return weight;
}

/** The value, unless it is larger than anybody's: lists of lists that share their parts grow beyond all bounds within a few lines. */
export function bounded(value: TerraformValue, here: Here): TerraformValue {
  if (value.kind === 'known' && typeof value.value === 'string' && value.value.length > LIMITS.text)
    return beyondLimit(TOO_LONG, here);
  const isSmall = value.kind === 'known' ? typeof value.value !== 'object' : value.kind !== 'choice';
  return isSmall || weightOf(value) <= MOST_WEIGHT ? value : beyondLimit('it is too large', here);
}
