import { always, Known, Unknown, writtenAs, type Source } from '../../value';
import type { ObjectEntry } from '../../languages/hcl/ast';
import { TerraformMap, type TerraformItem, type TerraformValue, type UnsureEntry } from '../terraform-value';
import { fromRows, rowsOf } from './choices';
import { isFormula, outcomesOf } from './conditions';
import type { Context } from './context';
import { canBe } from './equality';
import { Here } from './places';
import { textOf } from './texts';
import { InvalidValue } from './unknowns';

/** `{ key = value }` */
export function objectValue(entries: readonly ObjectEntry[], context: Context, here: Here): TerraformValue {
  const keys = entries.map(({ key }) => context.evaluate(key, new Here(context.budget, undefined, here)));
  return fromRows(rowsOf(keys), here, (plain) => {
    const map = new MapBuilder(here);
    for (const [index, key] of plain.entries()) {
      const entry = entries[index];
      if (entry === undefined) break;
      const name = textOf(key);
      const step = name.kind === 'known' ? name.value : '';
      map.set(name, () => {
        const place = here.child(step, context.place(entry.key.range, here, step));
        return asWritten(context.evaluate(entry.value, place), place);
      });
    }
    return map.value();
  });
}

/** A scalar from elsewhere keeps its place, and the reference that it is written as here. */
function asWritten(value: TerraformValue, { expression, owner }: Here): TerraformValue {
  return expression === undefined ||
    value.constructor !== Known ||
    typeof value.value === 'object' ||
    (value.source instanceof Here && value.source.owner === owner)
    ? value
    : new Known<TerraformItem>(value.value, writtenAs(value.source, expression), value.note);
}

/** Makes a map of entries, of which not all keys need be known. */
export class MapBuilder {
  private readonly entries = new Map<string, TerraformValue>();
  private more: Unknown | undefined;
  /** Entries under keys of which not all is known, by what tells the keys apart. */
  private readonly unsure = new Map<string, UnsureEntry>();
  private invalid: InvalidValue | undefined;
  /** Whether there may be entries of which nothing is known. */
  private hasHidden = false;

  constructor(private readonly source: Source) {}

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** A later entry wins over an earlier one. */
  set(key: ReturnType<typeof textOf>, find: () => TerraformValue): void {
    if (key.kind === 'known') {
      this.setKnown(key.value, find());
      return;
    }
    if (key instanceof InvalidValue || key.kind === 'absent') {
      this.invalid ??= key instanceof InvalidValue ? key : new InvalidValue('a key is null', this.source);
      return;
    }
    this.more ??= new Unknown(`one of its keys is not known: ${key.reason}`, this.source);
    const value = key.text === undefined ? undefined : find();
    for (const [name, own] of this.entries)
      if (canBe(key, name)) this.entries.set(name, this.either(key, name, value, own));
    if (value === undefined) this.hasHidden = true;
    else {
      const id = key.symbol ?? key.text ?? '';
      // As the last one it is what the key stands for.
      this.unsure.delete(id);
      this.unsure.set(id, { key, value });
    }
  }

  private setKnown(key: string, value: TerraformValue): void {
    if (value instanceof InvalidValue) this.invalid ??= value;
    this.entries.delete(key);
    this.entries.set(key, value);
  }

  /** What a key has if an entry of which the key isn't known may have taken its place. */
  private either(key: Unknown, name: string, value: TerraformValue | undefined, own: TerraformValue): TerraformValue {
    const test = value === undefined ? undefined : isFormula(key, name);
    const outcomes = test === undefined ? undefined : outcomesOf(test);
    if (value === undefined || outcomes === undefined)
      return new Unknown(key.reason, own.kind === 'choice' ? this.source : own.source);
    const rows = (
      [
        [outcomes.yes, value],
        [outcomes.no, own],
      ] as const
    ).flatMap(([whens, one]) => (whens === 'always' ? [always] : whens).map((when) => ({ when, values: [one] })));
    return fromRows(rows, this.source, ([one = own]) => one);
  }

  /** Lays a map over the entries so far. */
  merge(map: TerraformMap, content: (value: TerraformValue) => TerraformValue): void {
    if (map.more !== undefined && map.unsure.length === 0) this.hide(map.more.reason);
    for (const { key, value } of map.unsure) this.set(key, () => value);
    for (const [key, value] of map.entries) this.setKnown(key, content(value));
  }

  /** Whatever may have taken the place of the entries so far. */
  hide(reason: string): void {
    this.hasHidden = true;
    this.more ??= new Unknown(reason, this.source);
    for (const [key, value] of this.entries)
      this.entries.set(key, new Unknown(reason, value.kind === 'choice' ? this.source : value.source));
  }

  value(): TerraformValue {
    if (this.invalid !== undefined) return this.invalid.at(this.source);
    const map =
      this.more === undefined
        ? new TerraformMap(this.entries)
        : new TerraformMap(this.entries, this.more, this.hasHidden ? [] : [...this.unsure.values()]);
    return new Known<TerraformItem>(map, this.source);
  }
}
