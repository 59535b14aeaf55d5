import {
  Absent,
  always,
  alternativesOf,
  beyondLimit,
  choose,
  fewerAssumptions,
  Known,
  LIMITS,
  Unknown,
  type Plain,
  type Source,
  type When,
} from '../../value';
import { ownEntry, type OwnEntry } from '../evaluation/own-entry';
import { keysOf, UnknownCollection, UnknownKey } from '../evaluation/unknown-collection';
import { ResourceObject, UNKNOWN_SUFFIX } from '../resource-object';
import {
  asNumber,
  asText,
  TerraformList,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
  type UnsureEntry,
} from '../terraform-value';
import { LazyMap } from './lazy-map';

/** One of the instances that `count` or `for_each` makes of a block. */
export interface Repetition {
  /** What stands behind the name in its address: nothing, `[0]`, `["a"]`; `[*]` for those whose number or key isn't known. */
  readonly suffix: string;
  readonly exists: When;
  /** `each.key`, `each.value`, `count.index`. */
  readonly names: ReadonlyMap<string, TerraformValue>;
  /** There is none: it stands for the one that there would be. @default false */
  readonly isNotEnabled?: boolean;
}

export interface Expansion {
  readonly repetitions: readonly Repetition[];
  /** What a reference to the block gives: one object, a list of them, or a map. */
  value(objectOf: ObjectOf): TerraformValue;
}

type ObjectOf = (repetition: Repetition) => Known<TerraformItem>;

/** More instances of one block than anybody has; beyond it they count as an unknown number. */
const MOST = LIMITS.instances;

const NO_NAMES: ReadonlyMap<string, TerraformValue> = new Map();

/** The instance that a block would have if its `count` or `for_each` enabled it. */
export function asIfEnabled(kind: 'count' | 'for_each', source: Source): Repetition {
  if (kind === 'count')
    return {
      suffix: '[0]',
      exists: always,
      names: new Map([['count.index', new Known<TerraformItem>(0, source)]]),
      isNotEnabled: true,
    };
  const value = (name: string) => new Unknown('its for_each is empty', source, `\${${name}}`);
  return {
    suffix: UNKNOWN_SUFFIX,
    exists: always,
    names: eachOf({ key: value('each.key'), value: value('each.value') }),
    isNotEnabled: true,
  };
}

const SINGLE: Repetition = { suffix: '', exists: always, names: NO_NAMES };

/** Without `count` and `for_each`. */
export const single: Expansion = { repetitions: [SINGLE], value: (objectOf) => objectOf(SINGLE) };

/** What one alternative of `count` or `for_each` makes. */
interface Branch {
  readonly when: When;
  /** By key or index; undefined where it isn't known how many there are. */
  readonly items: ReadonlyMap<string | number, Item> | undefined;
  readonly plain: Plain<TerraformItem>;
  /** Items of which the key isn't known. */
  readonly others: readonly Item[];
  /** There are more than are looked at. @default false */
  readonly isTooMany?: boolean;
}

interface Item extends OwnEntry {
  readonly key: TerraformValue;
}

/** The instances that `count` makes. @param name of the block, for what isn't known: `aws_subnet.private` */
export function byCount(count: TerraformValue, name: string): Expansion {
  return new Expanded(
    alternativesOf(count).map(({ when, value }) => countBranch(when, value)),
    'count',
    name,
  );
}

/** The instances that `for_each` makes. */
export function byForEach(forEach: TerraformValue, name: string): Expansion {
  const branches = alternativesOf(forEach).flatMap(({ when, value }) => forEachBranches(when, value));
  return new Expanded(branches, 'for_each', name);
}

function countBranch(when: When, plain: Plain<TerraformItem>): Branch {
  const number = asNumber(plain);
  const size =
    number.kind === 'known' && typeof number.value === 'number' && number.value >= 0
      ? Math.trunc(number.value)
      : undefined;
  if (number.kind === 'absent') return { when, items: new Map(), plain, others: [] };
  if (size === undefined) return { when, items: undefined, plain, others: [] };
  if (size > MOST) return tooMany(when, plain);
  const items = new Map<number, Item>();
  for (let index = 0; index < size; index++) {
    const key = new Known<TerraformItem>(index, plain.source);
    items.set(index, { key, value: key });
  }
  return { when, items, plain, others: [] };
}

function tooMany(when: When, plain: Plain<TerraformItem>): Branch {
  return { when, items: undefined, plain, others: [], isTooMany: true };
}

/** A set with items under conditions of their own is several sets. */
function forEachBranches(when: When, plain: Plain<TerraformItem>): readonly Branch[] {
  if (plain.kind === 'absent') return [{ when, items: new Map(), plain, others: [] }];
  if (plain.kind !== 'known') return [{ when, items: undefined, plain, others: [] }];
  const { value: item, source } = plain;
  if (item instanceof TerraformMap) return [mapBranch(when, item, plain)];
  if (!(item instanceof TerraformList))
    return [{ when, items: undefined, plain: new Unknown('it is no map and no set', source), others: [] }];
  return setBranches(when, item, plain);
}

function mapBranch(when: When, map: TerraformMap, plain: Known<TerraformItem>): Branch {
  if (map.entries.size > MOST) return tooMany(when, plain);
  const items = new Map<string, Item>();
  for (const [key, value] of map.entries)
    items.set(key, { key: new Known<TerraformItem>(key, plain.source, plain.note), ...ownEntry(map, key, value) });
  return {
    when,
    items,
    plain,
    others: map.unsure.length > 0 ? map.unsure : map.more === undefined ? [] : [{ key: map.more, value: map.more }],
  };
}

/** More combinations of conditional items than this are not told apart. */
const MOST_BRANCHES = 16;

function setBranches(when: When, list: TerraformList, plain: Known<TerraformItem>): readonly Branch[] {
  if (list.items.length > MOST) return [tooMany(when, plain)];
  let branches: { readonly when: When; readonly items: Map<string, Item>; readonly others: Item[] }[] = [
    { when, items: new Map(), others: [] },
  ];
  for (const item of list.items) {
    const texts = alternativesOf(asText(item));
    const next = texts.length === 1 ? branches : [];
    for (const branch of branches) {
      for (const alternative of texts) {
        const both = branch.when.and(alternative.when);
        if (both === undefined) continue;
        const into =
          texts.length === 1 ? branch : { when: both, items: new Map(branch.items), others: [...branch.others] };
        addItem(into, alternative.value);
        if (texts.length > 1) next.push(into);
      }
    }
    if (next.length > MOST_BRANCHES)
      return [
        {
          when,
          items: undefined,
          plain: new Unknown('it depends on too many conditions at once', plain.source),
          others: [],
        },
      ];
    branches = next;
  }
  return branches.map((branch) => ({ ...branch, plain }));
}

function addItem(branch: { readonly items: Map<string, Item>; readonly others: Item[] }, text: Plain<string>): void {
  if (text.kind === 'known') branch.items.set(text.value, { key: text, value: text });
  else if (text.kind === 'unknown') branch.others.push({ key: text, value: text });
}

function eachOf({ key, value }: Item): ReadonlyMap<string, TerraformValue> {
  return new Map([
    ['each.key', key],
    ['each.value', value],
  ]);
}

/** An instance of which the key alone isn't known: `["${var.name}"]`. */
function keySuffix({ text }: Unknown): string {
  return text === undefined ? UNKNOWN_SUFFIX : `[${JSON.stringify(text)}]`;
}

class Expanded implements Expansion {
  readonly repetitions: readonly Repetition[];
  /** By branch and key, what to show for it. */
  private readonly found = new Map<Branch, Map<string | number, Repetition>>();
  private readonly unknown = new Map<Branch, readonly Repetition[]>();

  constructor(
    private readonly branches: readonly Branch[],
    private readonly kind: 'count' | 'for_each',
    private readonly name: string,
  ) {
    const repetitions: Repetition[] = [];
    const byKey = new Map<string | number, Branch[]>();
    for (const branch of branches) {
      this.found.set(branch, new Map());
      for (const key of branch.items?.keys() ?? []) {
        const having = byKey.get(key);
        if (having === undefined) byKey.set(key, [branch]);
        else having.push(branch);
      }
    }
    for (const [key, having] of byKey) repetitions.push(...this.repeat(key, having));
    for (const branch of branches) {
      const unknown = this.unknownOf(branch);
      this.unknown.set(branch, unknown);
      repetitions.push(...unknown);
    }
    this.repetitions = repetitions;
  }

  /** The instances of a key: one if a single assumption says when it exists, else one for each branch that has it. */
  private repeat(key: string | number, having: readonly Branch[]): readonly Repetition[] {
    const isApart = having.some(({ items }) => items?.get(key)?.unless !== undefined);
    const own = having.flatMap(({ when, items }) => when.and(items?.get(key)?.unless ?? always) ?? []);
    const whens = !isApart && having.length === this.branches.length ? [always] : fewerAssumptions(own, always);
    const groups = whens.length === 1 ? [having] : having.map((branch) => [branch]);
    return groups.map((group) => {
      const [first] = group;
      const exists =
        (whens.length === 1 ? whens[0] : first?.when.and(first.items?.get(key)?.unless ?? always)) ?? always;
      const repetition = { suffix: `[${JSON.stringify(key)}]`, exists, names: this.names(group, key) };
      for (const branch of group) this.found.get(branch)?.set(key, repetition);
      return repetition;
    });
  }

  private names(group: readonly Branch[], key: string | number): ReadonlyMap<string, TerraformValue> {
    const items = group.flatMap(({ when, items }) => {
      const item = items?.get(key);
      return item === undefined ? [] : [{ when, item }];
    });
    const [first] = items;
    if (first === undefined) return NO_NAMES;
    if (this.kind === 'count') return new Map([['count.index', first.item.key]]);
    const alternatives = items.flatMap(({ when, item }) =>
      alternativesOf(item.value).flatMap((alternative) => {
        const both = when.and(alternative.when);
        return both === undefined ? [] : [{ when: both, value: alternative.value }];
      }),
    );
    return eachOf({ key: first.item.key, value: items.length === 1 ? first.item.value : choose(alternatives) });
  }

  /** What stands for instances of which the key isn't known. */
  private unknownOf(branch: Branch): readonly Repetition[] {
    const { when, items, plain, others, isTooMany = false } = branch;
    if (isTooMany) return [{ suffix: UNKNOWN_SUFFIX, exists: when, names: this.tooManyNames(plain) }];
    if (items === undefined) return [{ suffix: UNKNOWN_SUFFIX, exists: when, names: this.unknownNames(plain) }];
    // The map of which not all is known has one stand-in, an item one instance.
    return others.map((item) => ({
      suffix: item.key.kind === 'unknown' && item.key !== item.value ? keySuffix(item.key) : UNKNOWN_SUFFIX,
      exists: when,
      names: eachOf(item),
    }));
  }

  /** Most blocks with so many instances, such as the files of a web site, are none of ours: it is told when somebody asks. */
  private tooManyNames({ source }: Plain<TerraformItem>): ReadonlyMap<string, TerraformValue> {
    const names = this.kind === 'count' ? ['count.index'] : ['each.key', 'each.value'];
    return new LazyMap(names, () => beyondLimit(`${this.name} has more than ${MOST} instances`, source));
  }

  private unknownNames(plain: Plain<TerraformItem>): ReadonlyMap<string, TerraformValue> {
    const reason = plain.kind === 'unknown' ? plain.reason : `the keys of ${this.name} aren't known`;
    const keys = this.keysOf(plain);
    const key = (name: string) =>
      keys === undefined ? value(name) : new UnknownKey(keys, reason, plain.source, `\${${name}}`);
    const value = (name: string) => new Unknown(reason, plain.source, `\${${name}}`);
    if (this.kind === 'count') return new Map([['count.index', key('count.index')]]);
    if (plain instanceof UnknownCollection) return eachOf({ key: key('each.key'), value: plain.shape.element });
    // Items of a set are their own keys.
    const isSet = plain.kind === 'unknown' && plain.symbol?.startsWith('toset(') === true;
    return eachOf({ key: key('each.key'), value: isSet ? key('each.value') : value('each.value') });
  }

  private keysOf(plain: Plain<TerraformItem>): string | undefined {
    const keys = plain.kind === 'unknown' ? keysOf(plain) : undefined;
    return keys === undefined || this.kind === 'for_each' ? keys : `count ${keys}`;
  }

  value(objectOf: ObjectOf): TerraformValue {
    return choose(this.branches.map((branch) => ({ when: branch.when, value: this.valueIn(branch, objectOf) })));
  }

  private valueIn(branch: Branch, objectOf: ObjectOf): Plain<TerraformItem> {
    const { source } = branch.plain;
    const [unknown] = this.unknown.get(branch) ?? [];
    const standIn = unknown === undefined ? undefined : this.standIn(objectOf(unknown));
    if (branch.items === undefined)
      return unknown === undefined || standIn === undefined
        ? new Absent(source)
        : this.collection(branch.plain, objectOf(unknown), standIn);
    const objects = Array.from(
      this.found.get(branch) ?? [],
      ([key, repetition]) => [String(key), objectOf(repetition)] as const,
    );
    const item =
      this.kind === 'count'
        ? new TerraformList(objects.map(([, object]) => object))
        : new TerraformMap(new Map(objects), standIn, this.unsureIn(branch, objectOf));
    return new Known<TerraformItem>(item, source);
  }

  private unsureIn(branch: Branch, objectOf: ObjectOf): readonly UnsureEntry[] {
    const repetitions = this.unknown.get(branch) ?? [];
    return branch.others.flatMap(({ key }, index) => {
      const repetition = repetitions[index];
      return key.kind !== 'unknown' ||
        key.text === undefined ||
        repetition === undefined ||
        repetition.suffix === UNKNOWN_SUFFIX
        ? []
        : [{ key, value: objectOf(repetition) }];
    });
  }

  /** All instances, of which one stands for each. */
  private collection(
    plain: Plain<TerraformItem>,
    element: Known<TerraformItem>,
    { reason, source, text, reference }: Unknown,
  ): UnknownCollection {
    return new UnknownCollection(
      { kind: this.kind === 'count' ? 'list' : 'map', element, keys: this.keysOf(plain) },
      reason,
      source,
      text,
      reference,
    );
  }

  /** A reference to the instance that stands for all those that aren't known. */
  private standIn({ value, source }: Known<TerraformItem>): Unknown {
    const reason = `the keys of ${this.name} aren't known`;
    const reference = value instanceof ResourceObject ? { resource: value.instance, attribute: '' } : undefined;
    return new Unknown(reason, source, `\${${this.name}[*]}`, undefined, reference);
  }
}
