import { beyondLimit, flatMapValue, Known, LIMITS, type Plain, type Source, Unknown, type Value } from '../value';
import { Cursor, describeShape } from './cursor';
import { Base64Text, TOO_LONG, UnknownBase64 } from '../value/composed-text';

/** What an expression evaluates to: a scalar, a list or map of the template, or something that a function made. */
export type Item = string | number | boolean | Cursor | ItemList | DecodedText;

/** A list that a function made, such as `Fn::Split`. */
export class ItemList {
  constructor(readonly items: readonly Value<Item>[]) {}
}

/** The argument of `Fn::Base64`: who reads user data wants the text, not its encoding. */
export class DecodedText {
  constructor(readonly text: Known<string> | Unknown) {}

  /** What the function gives. */
  encoded(source: Source = this.text.source): Known<string> | Unknown {
    const { text } = this;
    if (text.kind === 'known' && text.value.length > LIMITS.text) return beyondLimit(TOO_LONG, source);
    return text.kind === 'known' ? new Base64Text(text, source) : new UnknownBase64(text, source);
  }
}

/** An evaluated value as text. */
export function asText(value: Value<Item>): Value<string> {
  if (value.kind === 'known' && typeof value.value === 'string') return value as Known<string>;
  return flatMapValue(value, plainText);
}

function plainText(plain: Plain<Item>): Plain<string> {
  if (plain.kind !== 'known') return plain;
  const item = plain.value;
  if (item instanceof DecodedText) return item.encoded(plain.source);
  if (typeof item === 'object') return new Unknown(`it is ${describeItem(item)} where a string belongs`, plain.source);
  return new Known(String(item), plain.source, plain.note);
}

export function describeItem(item: Item): string {
  if (item instanceof Cursor) return describeShape(item.raw);
  if (item instanceof ItemList) return 'a list';
  if (item instanceof DecodedText) return 'a string';
  return describeShape(item);
}
