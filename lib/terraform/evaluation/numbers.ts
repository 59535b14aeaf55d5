import { Known, Unknown, type Plain, type Source } from '../../value';
import type { BinaryOperator } from '../../languages/hcl/ast';
import { add, type Binary, binaryOf, compare, divide, multiply, shortDecimal, subtract } from './floats';
import { describe, type TerraformItem } from '../terraform-value';
import { InvalidValue } from './unknowns';

/** Terraform's numbers have 512 bits; with up to this many digits ours are the same. */
const SAFE_DIGITS = 15;

/** Digits and exponent of a number, whose value is `digits * 10 ** exponent`; undefined if there are more digits than are sure. */
function decimal(number: number): { readonly digits: bigint; readonly exponent: number } | undefined {
  if (Number.isSafeInteger(number)) return { digits: BigInt(number), exponent: 0 };
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(number.toExponential());
  if (match === null) return undefined;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  if (rest.length + 1 > SAFE_DIGITS) return undefined;
  return { digits: BigInt(sign + first + rest), exponent: Number(exponent) - rest.length };
}

/** Whether a number is surely the one that Terraform has. */
export function isExact(number: number): boolean {
  return decimal(number) !== undefined;
}

/** A number as Terraform writes it: without exponent. Undefined if it has more digits than are known. */
export function numberText(number: number): string | undefined {
  const parts = decimal(number);
  if (parts === undefined || Math.abs(parts.exponent) > 400) return undefined;
  const { digits, exponent } = parts;
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits);
  if (exponent >= 0) return digits === 0n ? '0' : sign + text + '0'.repeat(exponent);
  const padded = text.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** A number, or the text of one; NaN for a text that Terraform takes and nobody writes. */
export function numberOf(plain: Plain<TerraformItem>): number | undefined {
  if (plain.kind !== 'known') return undefined;
  const { value } = plain;
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (/^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)[pP][+-]?\d+|[iI]nf)$/.test(value)) return Number.NaN;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)) return undefined;
  return Number(value);
}

export function needsNumber(plain: Plain<TerraformItem>, source: Source): InvalidValue {
  return new InvalidValue(
    `it is ${plain.kind === 'known' ? describe(plain.value) : 'null'} where a number belongs`,
    source,
  );
}

/** The result of an operation with two numbers. */
export function calculate(
  operator: Exclude<BinaryOperator, '==' | '!=' | '&&' | '||'>,
  left: number,
  right: number,
  source: Source,
  note?: string,
): Plain<TerraformItem> {
  const [one, other] = [decimal(left), decimal(right)];
  if (one === undefined || other === undefined) {
    const result = operator.startsWith('<') || operator.startsWith('>') ? roughly(operator, left, right) : undefined;
    return result === undefined
      ? new Unknown('it is calculated with more digits than are looked at', source)
      : new Known(result, source, note);
  }
  const exponent = Math.min(one.exponent, other.exponent);
  if (Math.max(one.exponent, other.exponent) - exponent > 400)
    return new Unknown('it is calculated with more digits than are looked at', source);
  const [a, b] = [binaryOf(one.digits, one.exponent), binaryOf(other.digits, other.exponent)];
  switch (operator) {
    case '<':
      return new Known(compare(a, b) < 0n, source, note);
    case '<=':
      return new Known(compare(a, b) <= 0n, source, note);
    case '>':
      return new Known(compare(a, b) > 0n, source, note);
    case '>=':
      return new Known(compare(a, b) >= 0n, source, note);
    case '+':
      return result(add(a, b), left + right, source, note);
    case '-':
      return result(subtract(a, b), left - right, source, note);
    case '*':
      return result(multiply(a, b), left * right, source, note);
    case '/':
      if (b.mantissa === 0n)
        return a.mantissa === 0n
          ? new InvalidValue('zero is divided by zero', source)
          : new InvalidValue('it is divided by zero', source);
      return quotient(divide(a, b), left / right, source, note);
    case '%': {
      if (b.mantissa === 0n) return new InvalidValue('it is divided by zero', source);
      // Of others, what Terraform rounds on the way shows in the result.
      if (a.exponent < -PLAIN_BITS || b.exponent < -PLAIN_BITS)
        return new Unknown('it is calculated with more digits than are looked at', source);
      const scaled = (part: typeof one) => part.digits * 10n ** BigInt(part.exponent - exponent);
      const rest = scaled(one) % scaled(other);
      return result(binaryOf(rest, exponent), Number(`${rest}e${exponent}`), source, note);
    }
  }
}

/** Numbers with fewer binary digits behind the point are exact, however they are calculated with. */
const PLAIN_BITS = 60;

/** A quotient of many digits is nearly what ours is, which its own many digits tell. */
function quotient(binary: Binary, approximate: number, source: Source, note: string | undefined): Plain<TerraformItem> {
  const found = result(binary, approximate, source, note);
  return found.kind === 'unknown' && !isExact(approximate) ? new Known(approximate, source, note) : found;
}

/** Of a number that is no short decimal one, only that it is close to another is known. */
function result(binary: Binary, approximate: number, source: Source, note: string | undefined): Plain<TerraformItem> {
  const short = shortDecimal(binary, approximate);
  return short === undefined
    ? new Unknown('it is calculated with more digits than are looked at', source)
    : new Known(short, source, note);
}

/** Comparison of numbers that aren't exact, where they are far enough apart. */
function roughly(operator: string, left: number, right: number): boolean | undefined {
  if (!Number.isFinite(left) || !Number.isFinite(right)) return undefined;
  if (Math.abs(left - right) <= Math.max(Math.abs(left), Math.abs(right)) * 1e-9) return undefined;
  return operator.startsWith('<') ? left < right : left > right;
}
