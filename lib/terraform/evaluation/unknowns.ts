import { Hints, Unknown, type Plain, type Source } from '../../value';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';

/** What Terraform surely refuses: `try()` goes on to its next argument, `can()` is false. */
export class InvalidValue extends Unknown {
  override at(source: Source): InvalidValue {
    return source === this.source ? this : new InvalidValue(this.reason, source);
  }
}

export function tooMany(source: Source): Unknown {
  return new Unknown('it depends on too many conditions at once', source);
}

/** A longer one tells nobody anything, and terms of terms could grow without end. */
const LONGEST_TERM = 600;

/** How a value shows in the term of another one: for people, and so that equal symbols are equal values. */
interface Term {
  readonly text: string | undefined;
  readonly symbol: string | undefined;
}

function termOf(value: TerraformValue, depth = 0): Term {
  switch (value.kind) {
    case 'choice':
      return { text: undefined, symbol: undefined };
    case 'absent':
      return { text: 'null', symbol: 'null' };
    case 'unknown':
      return { text: value.text === undefined ? undefined : inner(value.text), symbol: value.symbol };
    case 'known':
      return itemTerm(value.value, depth);
  }
}

/** `${var.x}` within an expression is `var.x`, text around it makes it a template. */
function inner(text: string): string {
  return /^\$\{[^{}]*\}$/.test(text) ? text.slice(2, -1) : JSON.stringify(text);
}

function itemTerm(item: TerraformItem, depth: number): Term {
  if (typeof item === 'string' && item.length > LONGEST_TERM) return { text: undefined, symbol: undefined };
  if (typeof item !== 'object') return same(JSON.stringify(item));
  if (depth > 2 || item.constructor !== TerraformList || item.items.length > 10)
    return item instanceof TerraformMap && isEmpty(item) ? same('{}') : { text: undefined, symbol: undefined };
  return joined(
    item.items.map((one) => termOf(one, depth + 1)),
    (parts) => `[${parts.join(', ')}]`,
  );
}

function isEmpty(map: TerraformMap): boolean {
  return map.constructor === TerraformMap && map.entries.size === 0 && map.more === undefined;
}

function same(text: string): Term {
  return { text, symbol: text };
}

function joined(terms: readonly Term[], show: (parts: readonly string[]) => string): Term {
  const texts = terms.flatMap(({ text }) => text ?? []);
  const symbols = terms.flatMap(({ symbol }) => symbol ?? []);
  const limited = (parts: readonly string[]) => {
    const shown = parts.length < terms.length ? undefined : show(parts);
    return shown === undefined || shown.length > LONGEST_TERM ? undefined : shown;
  };
  return { text: limited(texts), symbol: limited(symbols) };
}

/** What is made of values of which some aren't known, by an operation that gives equal results for equal values. */
export function derived(
  values: readonly TerraformValue[],
  source: Source,
  show: (parts: readonly string[]) => string,
): Unknown {
  const { text, symbol } = joined(
    values.map((value) => termOf(value)),
    show,
  );
  return new Unknown(
    reasonOf(values) ?? 'parts of it are not known',
    source,
    text === undefined ? undefined : `\${${text}}`,
    symbol,
    undefined,
    values.some((value) => value.kind === 'unknown' && value.hints !== Hints.none) ? Hints.ofParts : Hints.none,
  );
}

/** Why values are not known as a whole; undefined if they are. */
function reasonOf(values: readonly TerraformValue[]): string | undefined {
  for (const value of values) {
    const unknown = unknownIn(value);
    if (unknown !== undefined) return unknown.reason;
  }
  return undefined;
}

/** Something in a value that isn't known; undefined if all of it is. */
export function unknownIn(value: TerraformValue): Unknown | undefined {
  switch (value.kind) {
    case 'unknown':
      return value;
    case 'absent':
      return undefined;
    case 'choice':
      return new Unknown(
        'it depends on conditions',
        value.alternatives[0]?.value.source ?? { locate: () => ({ file: '', line: 1, column: 1 }) },
      );
    case 'known':
      break;
  }
  const { value: item } = value;
  if (item instanceof TerraformMap) {
    if (item.more !== undefined) return item.more;
    for (const entry of item.entries.values()) {
      const found = unknownIn(entry);
      if (found !== undefined) return found;
    }
  } else if (item instanceof TerraformList) {
    for (const one of item.items) {
      const found = unknownIn(one);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** What is surely wrong with one of the values. */
export function invalidOf(values: readonly Plain<TerraformItem>[]): InvalidValue | undefined {
  return values.find((value) => value instanceof InvalidValue);
}
