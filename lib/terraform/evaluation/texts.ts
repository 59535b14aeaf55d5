import { Known, Unknown, type Plain, type Source, type Value } from '../../value';
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
    : compose(withoutEmptyNames(parts), source);
}

/** What the note of a value says that is the default of a variable, or in its type. */
export const DEFAULT_NOTE = { ofVariable: 'default of variable', inType: 'default in the type of variable' } as const;

/**
 * A default that leaves a name between colons empty, as in `system:serviceaccount:${var.namespace}:app` or an ARN, stands for one that whoever
 * uses the module gives: it isn't known. Elsewhere an empty default is one, as that of a prefix.
 */
function withoutEmptyNames(parts: readonly Plain<string>[]): readonly Plain<string>[] {
  if (!parts.some(isEmptyDefault)) return parts;
  return parts.map((part, index) => {
    if (!isEmptyDefault(part)) return part;
    const before = nearest(parts.slice(0, index).reverse())?.at(-1);
    const after = nearest(parts.slice(index + 1))?.at(0);
    const isName = (before === ':' && (after ?? ':') === ':') || (before === undefined && after === ':');
    return isName ? givenElsewhere(part) : part;
  });
}

/** What stands for an empty default where nobody means the empty text. */
export function givenElsewhere({ source, note = '' }: Known<unknown>): Unknown {
  return new Unknown(`the ${note} is empty, which is no name`, source, `\${${source.expression ?? '?'}}`);
}

export function isEmptyDefault(part: Value<unknown>): part is Known<string> {
  if (part.kind !== 'known' || part.value !== '' || part.note === undefined) return false;
  return part.note.startsWith(DEFAULT_NOTE.ofVariable) || part.note.startsWith(DEFAULT_NOTE.inType);
}

/** The first of the texts that isn't empty; undefined if there is none. What isn't known may be anything. */
function nearest(parts: readonly Plain<string>[]): string | undefined {
  const found = parts.find((part) => part.kind !== 'known' || part.value !== '');
  return found?.kind === 'known' ? found.value : found === undefined ? undefined : '?';
}
