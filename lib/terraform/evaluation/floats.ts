/** Digits of Terraform's numbers, which are binary ones (`big.Float` of Go). */
const PRECISION = 512;

/** A binary number: `mantissa * 2 ** exponent`. */
export interface Binary {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** The number of Terraform nearest to a quotient, to an even one between two. */
function nearest(numerator: bigint, denominator: bigint): Binary {
  if (numerator === 0n) return { mantissa: 0n, exponent: 0 };
  const isNegative = numerator < 0n;
  const dividend = isNegative ? -numerator : numerator;
  // One bit more than needed, or two, which are rounded below.
  const shift = PRECISION + 1 - (bits(dividend) - bits(denominator));
  const [scaled, divisor] =
    shift >= 0 ? [dividend << BigInt(shift), denominator] : [dividend, denominator << BigInt(-shift)];
  let mantissa = scaled / divisor;
  let isRest = scaled % divisor !== 0n;
  let exponent = -shift;
  const surplus = bits(mantissa) - PRECISION;
  if (surplus > 0) {
    const unit = 1n << BigInt(surplus);
    const rest = mantissa % unit;
    mantissa /= unit;
    exponent += surplus;
    const half = unit / 2n;
    if (rest > half || (rest === half && (isRest || mantissa % 2n === 1n))) mantissa += 1n;
    isRest = false;
  }
  while (mantissa % 2n === 0n) {
    mantissa /= 2n;
    exponent++;
  }
  return { mantissa: isNegative ? -mantissa : mantissa, exponent };
}

function bits(number: bigint): number {
  return number.toString(2).length;
}

/** What Terraform makes of a decimal number. */
export function binaryOf(digits: bigint, exponent: number): Binary {
  return exponent >= 0 ? nearest(digits * 10n ** BigInt(exponent), 1n) : nearest(digits, 10n ** BigInt(-exponent));
}

function isSame(one: Binary, other: Binary): boolean {
  return one.mantissa === other.mantissa && one.exponent === other.exponent;
}

/** Whether one is below, above or equal to another: the sign of their difference. */
export function compare(one: Binary, other: Binary): bigint {
  return sum(one, other, -1n).mantissa;
}

export function add(one: Binary, other: Binary): Binary {
  return sum(one, other, 1n);
}

export function subtract(one: Binary, other: Binary): Binary {
  return sum(one, other, -1n);
}

function sum(one: Binary, other: Binary, sign: bigint): Binary {
  const exponent = Math.min(one.exponent, other.exponent);
  const part = ({ mantissa, exponent: own }: Binary): bigint => mantissa << BigInt(own - exponent);
  return scaled(part(one) + sign * part(other), exponent);
}

export function multiply(one: Binary, other: Binary): Binary {
  return scaled(one.mantissa * other.mantissa, one.exponent + other.exponent);
}

export function divide(one: Binary, other: Binary): Binary {
  const exponent = one.exponent - other.exponent;
  const isNegative = other.mantissa < 0n;
  const [numerator, denominator] = isNegative ? [-one.mantissa, -other.mantissa] : [one.mantissa, other.mantissa];
  const { mantissa, exponent: own } = nearest(numerator, denominator);
  return mantissa === 0n ? { mantissa, exponent: 0 } : { mantissa, exponent: own + exponent };
}

function scaled(number: bigint, exponent: number): Binary {
  const { mantissa, exponent: own } = nearest(number, 1n);
  return mantissa === 0n ? { mantissa, exponent: 0 } : { mantissa, exponent: own + exponent };
}

/** The number of a few decimal digits that Terraform would write it as; undefined if it takes more of them. */
export function shortDecimal(binary: Binary, approximate: number): number | undefined {
  const short = Number(approximate.toPrecision(15));
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(short.toExponential());
  if (match === null) return undefined;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  return isSame(binaryOf(BigInt(sign + first + rest), Number(exponent) - rest.length), binary) ? short : undefined;
}
