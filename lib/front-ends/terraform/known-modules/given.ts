import {
  Absent,
  alternativesOf,
  always,
  flatMapValue,
  Known,
  Unknown,
  type Plain,
  type Source,
  type Value,
  type When,
} from '../../../value';
import { ownEntry } from '../../../terraform/evaluation/own-entry';
import {
  asBoolean,
  TerraformList,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
} from '../../../terraform/terraform-value';

/** What a call gives to a module, or to one entry of a map that the module takes. */
export class Given {
  constructor(
    readonly value: TerraformValue,
    /** The place that stands for what isn't written. */
    readonly place: Source,
    /** Where a key is looked for that isn't written here. */
    private readonly below?: Given,
  ) {}

  /** What is written for a key; absent if nothing is. */
  item(key: string): TerraformValue {
    return flatMapValue(this.value, (plain): TerraformValue => {
      if (plain.kind === 'unknown') return new Unknown(plain.reason, plain.source);
      const map = plain.kind === 'known' && plain.value instanceof TerraformMap ? plain.value : undefined;
      return map?.entry(key) ?? this.below?.item(key) ?? new Absent(this.place);
    });
  }

  /** What is written for a key, or what the module takes where nothing is. */
  or(key: string, standard: TerraformValue): TerraformValue {
    return withDefault(this.item(key), standard);
  }

  /** Whether a key is written here, and not only where else it is looked for. */
  writes(key: string): boolean {
    return this.keys().includes(key);
  }

  flag(key: string, standard: boolean): Value<boolean> {
    return asBoolean(this.or(key, new Known(standard, this.place)));
  }

  /** A text; the empty one counts as not written. */
  text(key: string): TerraformValue {
    return flatMapValue(
      this.item(key),
      (plain): Plain<TerraformItem> =>
        plain.kind === 'known' && plain.value === '' ? new Absent(plain.source) : plain,
    );
  }

  /** The keys that are written, under whatever conditions. */
  keys(): readonly string[] {
    return alternativesOf(this.value).flatMap(({ value }) =>
      value.kind === 'known' && value.value instanceof TerraformMap ? [...value.value.entries.keys()] : [],
    );
  }
}

export function withDefault(value: TerraformValue, standard: TerraformValue): TerraformValue {
  return flatMapValue(value, (plain): TerraformValue => (plain.kind === 'absent' ? standard : plain));
}

/** An entry of a map that a module makes something of. */
export interface Entry {
  /** The key, or what is known of it. */
  readonly key: string;
  readonly unknownKey?: Unknown;
  readonly value: Plain<TerraformItem>;
  /** Where it is there. */
  readonly when: When;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** Entries of which the key alone isn't known. */
  readonly unsure: readonly Entry[];
  /** Why there may be more of them. */
  readonly more: Unknown | undefined;
}

/** The entries of a map, one for each case. */
export function entriesOf(map: TerraformValue, given: When): Entries {
  const entries: Entry[] = [];
  const unsure: Entry[] = [];
  let more: Unknown | undefined;
  for (const { when: mapWhen, value: plain } of alternativesOf(map)) {
    const outer = given.and(mapWhen);
    if (outer === undefined || plain.kind === 'absent') continue;
    if (plain.kind === 'unknown') more ??= plain;
    if (plain.kind !== 'known' || !(plain.value instanceof TerraformMap)) continue;
    more ??= plain.value.more;
    for (const [key, entry] of plain.value.entries) {
      const { value, unless = always } = ownEntry(plain.value, key, entry);
      const when = outer.and(unless);
      if (when !== undefined) entries.push(...casesOf(key, value, when));
    }
    for (const { key, value } of plain.value.unsure)
      for (const one of casesOf(key.text ?? '?', value, outer)) unsure.push({ ...one, unknownKey: key });
  }
  return { entries, unsure, more };
}

/** All entries, with those of which the key alone isn't known. */
export function withUnsure({ entries, unsure, more }: Entries): Pick<Entries, 'entries' | 'more'> {
  return { entries: [...entries, ...unsure], more: unsure.length > 0 ? undefined : more };
}

function casesOf(key: string, entry: TerraformValue, outer: When): readonly Entry[] {
  return alternativesOf(entry).flatMap(({ when: entryWhen, value }) => {
    const when = outer.and(entryWhen);
    // An entry of nothing is one: the module takes its defaults for all of it.
    return when === undefined ? [] : [{ key, value, when }];
  });
}

/** The values of a map, or the items of a list. */
export function itemsOf(value: TerraformValue): readonly TerraformValue[] {
  return alternativesOf(value).flatMap(({ value: plain }): readonly TerraformValue[] => {
    if (plain.kind === 'unknown') return [plain];
    if (plain.kind === 'absent') return [];
    if (plain.value instanceof TerraformMap)
      return [...plain.value.entries.values(), ...(plain.value.more === undefined ? [] : [plain.value.more])];
    return plain.value instanceof TerraformList ? plain.value.items : [];
  });
}

/** The first item of a list; absent if it is empty. */
export function firstOf(value: TerraformValue): TerraformValue {
  return flatMapValue(value, (plain): TerraformValue => {
    if (plain.kind !== 'known') return plain;
    return (plain.value instanceof TerraformList ? plain.value.items[0] : undefined) ?? new Absent(plain.source);
  });
}

/** The values of a map as a list, as blocks of a resource are made of them. */
export function blocksOf(value: TerraformValue): TerraformValue {
  return flatMapValue(value, (plain): Plain<TerraformItem> => {
    if (plain.kind !== 'known' || !(plain.value instanceof TerraformMap)) return plain;
    if (plain.value.more !== undefined) return plain.value.more;
    return new Known(new TerraformList([...plain.value.entries.values()]), plain.source, plain.note);
  });
}

/** A list; what isn't there is left out. */
export function listOf(items: readonly TerraformValue[], source: Source): Known<TerraformItem> {
  return new Known<TerraformItem>(new TerraformList(items.filter((item) => item.kind !== 'absent')), source);
}

export type Attributes = Readonly<Record<string, TerraformValue | undefined>>;

export function mapOf(attributes: Attributes, source: Source): Known<TerraformItem> {
  const entries = Object.entries(attributes).flatMap(([key, value]): [string, TerraformValue][] =>
    value === undefined || value.kind === 'absent' ? [] : [[key, value]],
  );
  return new Known<TerraformItem>(new TerraformMap(new Map(entries)), source);
}
