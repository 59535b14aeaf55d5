import { Known, Unknown, type Source } from '../../../value';
import type { ObjectEntry } from '../hcl/ast';
import { TerraformMap, type TerraformItem, type TerraformValue, type UnsureEntry } from '../value';
import { fromRows, rowsOf } from './choices';
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
      map.set(name, () => context.evaluate(entry.value, here.child(step, context.place(entry.key.range, here, step))));
    }
    return map.value();
  });
}

/** Makes a map of entries, of which not all keys need be known. */
export class MapBuilder {
  private readonly entries = new Map<string, TerraformValue>();
  private more: Unknown | undefined;
  private readonly unsure: UnsureEntry[] = [];
  private invalid: InvalidValue | undefined;
  /** Whether there may be entries of which nothing is known. */
  private hasHidden = false;

  constructor(private readonly source: Source) {}

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** A later entry wins over an earlier one. */
  set(key: ReturnType<typeof textOf>, find: () => TerraformValue): void {
    if (key.kind !== 'known') {
      this.unknownKey(key);
      if (key.kind === 'unknown' && key.text !== undefined && !(key instanceof InvalidValue)) this.unsure.push({ key, value: find() });
      else this.hasHidden = true;
      return;
    }
    const value = find();
    if (value instanceof InvalidValue) this.invalid ??= value;
    this.entries.set(key.value, value);
  }

  /** An entry under a key that isn't known may be there instead of one that is. */
  unknownKey(key: Exclude<ReturnType<typeof textOf>, Known<string>>): void {
    if (key instanceof InvalidValue || key.kind === 'absent') {
      this.invalid ??= key instanceof InvalidValue ? key : new InvalidValue('a key is null', this.source);
      return;
    }
    this.more ??= new Unknown(`one of its keys is not known: ${key.reason}`, this.source);
    for (const [name, value] of this.entries) if (canBe(key, name)) this.entries.set(name, new Unknown(key.reason, value.kind === 'choice' ? this.source : value.source));
  }

  /** Whatever else may be in it. */
  open(reason: string): void {
    this.hasHidden = true;
    this.more ??= new Unknown(reason, this.source);
  }

  value(): TerraformValue {
    if (this.invalid !== undefined) return this.invalid.at(this.source);
    const map = this.more === undefined ? new TerraformMap(this.entries) : new TerraformMap(this.entries, this.more, this.hasHidden ? [] : this.unsure);
    return new Known<TerraformItem>(map, this.source);
  }
}
