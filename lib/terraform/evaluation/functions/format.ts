import { Known, type Plain } from '../../../value';
import { describe, TerraformList, type TerraformItem, type TerraformValue } from '../../terraform-value';
import { isExact, numberText } from '../numbers';
import { join, textOf } from '../texts';
import { encodeJson, jsonString } from './json';
import {
  ANY_NUMBER,
  CallFailure,
  CallUnknown,
  known,
  knownBoolean,
  knownNumber,
  parts,
  type Call,
  type Functions,
  type Result,
} from './function';

export const FORMATS: Functions = {
  format: parts(1, ANY_NUMBER, (call) => formatted(call, call.text(0), call.args.slice(1)), true),
  formatlist: parts(1, ANY_NUMBER, formatList, true),
};

/** `%[1]-5.2s`: flags, width, precision, the argument's number and the verb. */
const VERB = /%([-+# 0]*)(\d{1,3})?(?:\.(\d{0,3}))?(?:\[(\d{1,3})\])?(.|$)/gsu;

interface Verb {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

function formatted(call: Call, pattern: string, args: readonly TerraformValue[]): Plain<string> {
  const pieces: Plain<string>[] = [];
  let end = 0;
  let next = 0;
  let highest = 0;
  for (const match of pattern.matchAll(VERB)) {
    const [whole, flags = '', width, precision, number, letter = ''] = match;
    pieces.push(new Known(pattern.slice(end, match.index), call.here));
    end = match.index + whole.length;
    if (letter === '%') {
      pieces.push(new Known('%', call.here));
      continue;
    }
    if (number !== undefined) next = Number(number) - 1;
    const arg = args[next++];
    highest = Math.max(highest, next);
    if (arg === undefined) throw new CallFailure('there are fewer arguments than verbs');
    pieces.push(
      verb(
        {
          flags,
          width: Number(width ?? 0),
          precision: precision === undefined ? undefined : Number(precision),
          letter,
        },
        arg,
        call,
      ),
    );
  }
  if (highest < args.length) throw new CallFailure('there are more arguments than verbs');
  pieces.push(new Known(pattern.slice(end), call.here));
  return join(pieces, call.here);
}

function verb(spec: Verb, arg: TerraformValue, call: Call): Plain<string> {
  const isPlain = spec.flags === '' && spec.width === 0 && spec.precision === undefined;
  if (arg.kind === 'unknown') {
    // Whatever the type is, `%s` and `%v` give its text; `%d` gives digits, as the text of a whole number does.
    if (isPlain && (spec.letter === 's' || spec.letter === 'v' || spec.letter === 'd')) return arg;
    throw new CallUnknown(arg.reason);
  }
  if (arg.kind === 'choice') throw new CallUnknown('it depends on conditions');
  const isNumber = arg.kind === 'known' && typeof arg.value === 'number';
  if (
    isPlain &&
    (spec.letter === 's' || (spec.letter === 'v' && !isNumber)) &&
    arg.kind === 'known' &&
    typeof arg.value !== 'object'
  )
    return textOf(arg);
  return new Known(padded(spec, shown(spec, arg)), call.here);
}

function shown(spec: Verb, arg: Plain<TerraformItem>): string {
  switch (spec.letter) {
    case 'v':
      if (spec.flags.includes('#')) return jsonText(arg);
      if (arg.kind === 'known' && typeof arg.value === 'object') return jsonText(arg);
      if (arg.kind === 'absent') return 'null';
      if (arg.kind === 'known' && typeof arg.value === 'number') return signed(spec, shortestText(arg.value));
      return cut(spec, text(arg));
    case 's':
      return cut(spec, text(arg));
    case 'q':
      return jsonString(cut(spec, text(arg)));
    case 't':
      return String(knownBoolean(arg));
    case 'd':
      return signed(spec, String(wholeNumber(arg)));
    case 'b':
    case 'o':
    case 'x':
    case 'X':
      return based(spec, arg);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return broken(spec, knownNumber(arg));
    default:
      throw new CallFailure(`"%${spec.letter}" is no verb`);
  }
}

function text(arg: Plain<TerraformItem>): string {
  if (arg.kind === 'absent') throw new CallFailure('an argument is null');
  const item = known(arg);
  if (typeof item === 'object') throw new CallFailure(`${describe(item)} is no string`);
  return typeof item === 'number' ? textOfNumber(item) : String(item);
}

function textOfNumber(number: number): string {
  const shown = numberText(number);
  if (shown === undefined) throw new CallUnknown('it has more digits than are looked at');
  return shown;
}

/** As Go's `%v` writes a `big.Float`: with an exponent from a million on. */
function shortestText(number: number): string {
  const plain = textOfNumber(number);
  const [, digits = '', exponent = '0'] = /^(.*)e([+-]\d+)$/.exec(number.toExponential()) ?? [];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return plain;
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function jsonText(arg: Plain<TerraformItem>): string {
  const encoded = encodeJson(arg, arg.source);
  if (encoded.kind !== 'known') throw new CallUnknown('parts of it are not known');
  return encoded.value;
}

function wholeNumber(arg: Plain<TerraformItem>): number {
  const number = knownNumber(arg);
  if (!isExact(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER)
    throw new CallUnknown('it has more digits than are looked at');
  if (!Number.isInteger(number)) throw new CallFailure('a whole number is wanted');
  return number + 0;
}

function based(spec: Verb, arg: Plain<TerraformItem>): string {
  const base = { b: 2, o: 8, x: 16, X: 16 }[spec.letter] ?? 10;
  if (spec.flags.includes('#')) throw new CallUnknown('prefixes of numbers are not written here');
  const digits = wholeNumber(arg).toString(base);
  return signed(spec, spec.letter === 'X' ? digits.toUpperCase() : digits);
}

function broken(spec: Verb, number: number): string {
  if (!isExact(number) || Math.abs(number) > 1e15) throw new CallUnknown('it has more digits than are looked at');
  if (spec.letter !== 'f' && spec.letter !== 'F') throw new CallUnknown('numbers with exponents are not written here');
  const precision = spec.precision ?? 6;
  if (precision > 15) throw new CallUnknown('it has more digits than are looked at');
  // Halves are rounded by the exact decimal number, which ours may not be.
  const exact = numberText(number) ?? '';
  const decimals = exact.split('.')[1] ?? '';
  if (decimals.length > precision && /^50*$/.test(decimals.slice(precision)))
    throw new CallUnknown('halves are not rounded here');
  return signed(spec, number.toFixed(precision));
}

function signed({ flags }: Verb, digits: string): string {
  if (digits.startsWith('-')) return digits;
  return flags.includes('+') ? `+${digits}` : flags.includes(' ') ? ` ${digits}` : digits;
}

function cut({ precision }: Verb, text: string): string {
  return precision === undefined ? text : Array.from(text).slice(0, precision).join('');
}

function padded({ flags, width, letter }: Verb, text: string): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0 || letter === 't') return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  if (!flags.includes('0')) return ' '.repeat(missing) + text;
  if ('sqv'.includes(letter)) throw new CallUnknown('texts are not padded with zeros here');
  const sign = /^[+\- ]?/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
}

/** One text for each item of the lists. */
function formatList(call: Call): Result {
  const pattern = call.text(0);
  const args = call.args.slice(1);
  const lists = args.flatMap((arg, index) =>
    arg.kind === 'known' && arg.value instanceof TerraformList ? [call.sequence(index + 1)] : [],
  );
  // What isn't known may be a list.
  for (const arg of args) if (arg.kind === 'unknown') throw new CallUnknown(arg.reason);
  const [first] = lists;
  if (first === undefined) return call.list_([formatted(call, pattern, args)]);
  if (lists.some((list) => list.length !== first.length)) throw new CallFailure('the lists have different lengths');
  return new TerraformList(
    first.map((_, index) => {
      const row = args.map(
        (arg): TerraformValue =>
          arg.kind === 'known' && arg.value instanceof TerraformList ? (arg.value.items[index] ?? arg) : arg,
      );
      return formatted(call, pattern, row);
    }),
  );
}
