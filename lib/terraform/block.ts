import { Absent, flatMapValue, Known, type Plain, type Value } from '../value';
import {
  asBoolean,
  asList,
  asNumber,
  asText,
  entryOf,
  TerraformList,
  type TerraformItem,
  type TerraformValue,
} from './terraform-value';

/** A block or object of Terraform whose attributes are read by name and type. */
export class TerraformBlock {
  constructor(
    /** The block itself, for what depends on its being there. */
    readonly value: TerraformValue,
  ) {}

  item(key: string): TerraformValue {
    return flatMapValue(this.value, (plain) => entryOf(plain, key));
  }

  string(key: string): Value<string> {
    return asText(this.item(key));
  }

  boolean(key: string): Value<boolean> {
    return asBoolean(this.item(key));
  }

  /** A number; the text of what is written if it is none. */
  number(key: string): Value<number | string> {
    return asNumber(this.item(key));
  }

  /** A nested block of which there is at most one; plans and JSON write it as a list of one, or as an object. */
  block(key: string): TerraformBlock {
    return new TerraformBlock(flatMapValue(this.item(key), firstOf));
  }

  list(key: string): Value<readonly TerraformValue[]> {
    return asList(this.item(key));
  }

  /** Nested blocks of which there may be many. */
  blocks(key: string): Value<readonly TerraformBlock[]> {
    return flatMapValue(
      this.list(key),
      (plain): Plain<readonly TerraformBlock[]> =>
        plain.kind === 'known'
          ? new Known(
              plain.value.map((item) => new TerraformBlock(item)),
              plain.source,
            )
          : plain,
    );
  }

  strings(key: string): Value<readonly Value<string>[]> {
    return flatMapValue(
      this.list(key),
      (plain): Plain<readonly Value<string>[]> =>
        plain.kind === 'known' ? new Known(plain.value.map(asText), plain.source, plain.note) : plain,
    );
  }
}

function firstOf(plain: Plain<TerraformItem>): TerraformValue {
  if (plain.kind !== 'known' || !(plain.value instanceof TerraformList)) return plain;
  const [first] = plain.value.items;
  // A list without blocks means that there is none.
  return first ?? new Absent(plain.source);
}
