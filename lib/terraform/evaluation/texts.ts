import { Known, Unknown, type Plain, type Source } from '../../value';
import { compose } from '../../value/composed-text';
import { describe, type TerraformItem } from '../terraform-value';
import { numberText } from './numbers';
import { InvalidValue } from './unknowns';

/** A value as text, as Terraform converts it. What is no text is surely wrong. */
export function textOf(plain: Plain<TerraformItem>): Plain<string> {
  if (plain.kind === 'unknown') return plain;
  const { source } = plain;
  if (plain.kind === 'absent') return new InvalidValue('it is null where a string belongs', source);
  const { value, note } = plain;
  if (typeof value === 'string') return plain as Known<string>;
  if (typeof value === 'object') return new InvalidValue(`it is ${describe(value)} where a string belongs`, source);
  if (typeof value === 'boolean') return new Known(String(value), source, note);
  const text = numberText(value);
  return text === undefined
    ? new Unknown('it is a number with more digits than are looked at', source)
    : new Known(text, source, note);
}

/** Joins pieces of text. */
export function join(parts: readonly Plain<string>[], source: Source): Plain<string> {
  const invalid = parts.find((part) => part instanceof InvalidValue);
  if (invalid !== undefined) return invalid.at(source);
  const [only, second] = parts;
  // The text of a number may be unknown as a part, but it is no other value then.
  return second === undefined && only !== undefined && only.kind === 'known'
    ? new Known(only.value, only.source, only.note)
    : compose(parts, source);
}
