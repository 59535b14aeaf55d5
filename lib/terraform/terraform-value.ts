import {
  Absent,
  decidedBy,
  flatMapValue,
  Known,
  mapValue,
  Unknown,
  type Plain,
  type Source,
  type Value,
} from '../value';
import { withFillIns } from '../value/fill-ins';

/**
 * Values of Terraform: what a plan, a configuration in JSON or HCL says, evaluated as far as it can be. A part that isn't known is an
 * `Unknown` at its place in the tree, with the resource that it refers to where it is nothing but that reference.
 */
export type TerraformItem = string | number | boolean | TerraformList | TerraformMap;

export type TerraformValue = Value<TerraformItem>;

/** A list, tuple or set. */
export class TerraformList {
  constructor(readonly items: readonly TerraformValue[]) {}
}

/** A set: without equal items, and of no index. Terraform goes through texts and numbers in their order. */
export class TerraformSet extends TerraformList {
  constructor(items: readonly TerraformValue[]) {
    super(inOrder(items));
  }
}

/** Items that are all plain ones, in the order of a set; others as they are. */
function inOrder(items: readonly TerraformValue[]): readonly TerraformValue[] {
  const plain = items.flatMap((item) =>
    item.kind === 'known' && typeof item.value !== 'object' ? [{ item, value: item.value }] : [],
  );
  if (plain.length < items.length || items.length < 2) return items;
  plain.sort(({ value: one }, { value: other }) =>
    typeof one !== 'string' && typeof other !== 'string'
      ? Number(one) - Number(other)
      : compareTexts(String(one), String(other)),
  );
  return plain.map(({ item }) => item);
}

/** Texts in the order of Go: by code points. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return /[\ud800-\udfff]/.test(one + other)
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : one < other
      ? -1
      : 1;
}

/** An entry under a key such as `${local.issuer}:sub`. */
export interface UnsureEntry {
  readonly key: Unknown;
  readonly value: TerraformValue;
}

/** A map, an object, or the content of a block. `null` counts as absent. */
export class TerraformMap {
  constructor(
    readonly entries: ReadonlyMap<string, TerraformValue>,
    /** Why there may be more entries than these; undefined if there are none. */
    readonly more?: Unknown,
    /** Entries whose keys are known in parts only; there is `more` then. */
    readonly unsure: readonly UnsureEntry[] = [],
  ) {}

  /** The value of a key; undefined if it isn't there and can't be. */
  entry(key: string): TerraformValue | undefined {
    return this.entries.get(key) ?? this.more;
  }
}

/** A value as text: numbers and booleans as Terraform converts them. */
export function asText(value: TerraformValue): Value<string> {
  if (value.kind === 'known' && value.note === undefined && typeof value.value === 'string')
    return withFillIns(value.value, value.source) ?? (value as Known<string>);
  return flatMapValue(value, (plain): Plain<string> => {
    if (plain.kind !== 'known') return plain;
    // What is put together from pieces says so by itself, where each of them is written.
    if (typeof plain.value === 'string') {
      const filled = withFillIns(plain.value, plain.source);
      if (filled !== undefined) return filled;
      if (plain.note === undefined || plain.constructor !== Known) return plain as Known<string>;
    }
    if (typeof plain.value === 'object')
      return new Unknown(`it is ${describe(plain.value)} where a string belongs`, plain.source);
    return new Known(String(plain.value), decidedBy(plain.source, plain.note), plain.note);
  });
}

export function asBoolean(value: TerraformValue): Value<boolean> {
  return flatMapValue(value, (plain): Plain<boolean> => {
    if (plain.kind !== 'known') return plain;
    const { value: item, note } = plain;
    const source = decidedBy(plain.source, note);
    if (item === true || item === 'true' || item === '1' || item === 1) return new Known(true, source, note);
    if (item === false || item === 'false' || item === '0' || item === 0) return new Known(false, source, note);
    return new Unknown(`it is ${describe(item)} where true or false belongs`, source);
  });
}

/** A number; the text of what is written if it is none. */
export function asNumber(value: TerraformValue): Value<number | string> {
  return flatMapValue(value, (plain): Plain<number | string> => {
    if (plain.kind !== 'known') return plain;
    const { value: item, note } = plain;
    const source = decidedBy(plain.source, note);
    if (typeof item === 'number') return new Known<number | string>(item, source, note);
    if (typeof item === 'object') return new Unknown(`it is ${describe(item)} where a number belongs`, source);
    const filled = withFillIns(String(item), source);
    if (filled?.kind === 'unknown') return filled;
    const text = String(item).trim();
    const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    return new Known<number | string>(Number.isNaN(number) ? String(item) : number, source, note);
  });
}

/** The items of a list; a single block or value where a list may stand counts as a list of one. */
export function asList(value: TerraformValue): Value<readonly TerraformValue[]> {
  return mapValue(value, (item) =>
    item instanceof TerraformList ? item.items : [new Known(item, plainSource(value))],
  );
}

function plainSource(value: TerraformValue): Source {
  if (value.kind !== 'choice') return value.source;
  const [first] = value.alternatives;
  if (first === undefined) throw new Error('a choice without alternatives');
  return first.value.source;
}

export function describe(item: TerraformItem): string {
  if (item instanceof TerraformList) return 'a list';
  if (item instanceof TerraformMap) return 'a map';
  return typeof item === 'string' ? 'a string' : typeof item === 'number' ? 'a number' : String(item);
}

/** An attribute of a map; absent if it isn't there and can't be. */
export function entryOf(value: Plain<TerraformItem>, key: string): TerraformValue {
  if (value.kind !== 'known') return value;
  const { value: item, source } = value;
  if (!(item instanceof TerraformMap)) return new Unknown(`it is ${describe(item)} where a map belongs`, source);
  return item.entry(key) ?? new Absent(source);
}
