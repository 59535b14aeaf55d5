import { Absent, flatMapValue, Known, mapValue, type Plain, type Source, type Value } from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import { TerraformBlock } from '../../../terraform/block';
import { asText, TerraformMap, type TerraformValue } from '../../../terraform/terraform-value';
import type { Registry } from './registry';

/** A block whose references lead to resources of the model. */
export class LinkedBlock extends TerraformBlock {
  constructor(
    value: TerraformValue,
    readonly registry: Registry,
  ) {
    super(value);
  }

  override item(key: string): TerraformValue {
    return this.registry.link(super.item(key));
  }

  /** The attribute before its references are resolved. */
  raw(key: string): TerraformValue {
    return super.item(key);
  }

  /** The items of a list before their references are resolved. */
  rawList(key: string): Value<readonly TerraformValue[]> {
    return super.list(key);
  }

  override block(key: string): LinkedBlock {
    return new LinkedBlock(this.registry.link(super.block(key).value), this.registry);
  }

  override list(key: string): Value<readonly TerraformValue[]> {
    return mapValue(super.list(key), (items) => items.map((item) => this.registry.link(item)));
  }

  /** Nested blocks of which there may be many; absent if there is none, as a list without any says. */
  override blocks(key: string): Value<readonly LinkedBlock[]> {
    return flatMapValue(this.list(key), (plain): Plain<readonly LinkedBlock[]> => {
      if (plain.kind !== 'known') return plain;
      return plain.value.length === 0
        ? new Absent(plain.source)
        : new Known(
            plain.value.map((item) => new LinkedBlock(item, this.registry)),
            plain.source,
          );
    });
  }

  /** The blocks of a list, under whatever conditions. */
  allBlocks(key: string): readonly LinkedBlock[] {
    return conditionalItems(this.list(key)).map((item) => new LinkedBlock(item, this.registry));
  }

  /** A text; the empty one counts as not written, as the AWS provider takes it. */
  text(key: string): Value<string> {
    return flatMapValue(
      this.string(key),
      (plain): Plain<string> => (plain.kind === 'known' && plain.value === '' ? new Absent(plain.source) : plain),
    );
  }

  /** A number of which zero counts as not written. */
  amount(key: string): Value<number | string> {
    return flatMapValue(
      this.number(key),
      (plain): Plain<number | string> =>
        plain.kind === 'known' && (plain.value === 0 || plain.value === '') ? new Absent(plain.source) : plain,
    );
  }

  /** A list of which an empty one counts as not written. */
  texts(key: string): Value<readonly Value<string>[]> {
    return flatMapValue(this.list(key), (plain): Plain<readonly Value<string>[]> => {
      if (plain.kind !== 'known') return plain;
      const items = plain.value.filter((item) => item.kind !== 'absent');
      return items.length === 0 ? new Absent(plain.source) : new Known(items.map(asText), plain.source, plain.note);
    });
  }

  /** What a nested block says, as a whole; absent where the block is. */
  whole<T>(key: string, read: (block: LinkedBlock, source: Source) => T): Value<T> {
    const block = this.block(key);
    return flatMapValue(
      block.value,
      (plain): Plain<T> =>
        plain.kind === 'known'
          ? new Known(read(new LinkedBlock(plain, this.registry), plain.source), plain.source)
          : plain,
    );
  }

  /** The map that the block is, if it is known to be one. */
  entries(key: string): Value<TerraformMap> {
    return flatMapValue(
      this.item(key),
      (plain): Plain<TerraformMap> =>
        plain.kind !== 'known'
          ? plain
          : plain.value instanceof TerraformMap
            ? new Known(plain.value, plain.source, plain.note)
            : new Absent(plain.source),
    );
  }
}
