import { isExact } from '../numbers';
import { ANY_NUMBER, CallFailure, CallUnknown, whole, type Call, type Functions } from './function';

export const NUMBERS: Functions = {
  abs: whole(1, 1, (call) => Math.abs(call.number(0))),
  ceil: whole(1, 1, (call) => rounded(call, Math.ceil)),
  floor: whole(1, 1, (call) => rounded(call, Math.floor)),
  max: whole(1, ANY_NUMBER, (call) => extreme(call, Math.max)),
  min: whole(1, ANY_NUMBER, (call) => extreme(call, Math.min)),
  signum: whole(1, 1, (call) => Math.sign(call.integer(0))),
  pow: whole(2, 2, (call) => exact(call.number(0) ** call.number(1))),
  log: whole(2, 2, (call) => exact(Math.log(call.number(0)) / Math.log(call.number(1)))),
  parseint: whole(2, 2, parseInteger),
};

/** A number next to a whole one could be on either side of it. */
function rounded(call: Call, round: (number: number) => number): number {
  const number = call.number(0);
  const nearest = Math.round(number);
  if (!isExact(number) && Math.abs(number - nearest) < 1e-9 * Math.max(1, Math.abs(number)))
    throw new CallUnknown('it has more digits than are looked at');
  return round(number) + 0;
}

function extreme(call: Call, choose: (...numbers: number[]) => number): number {
  const numbers = call.args.map((_, index) => call.number(index));
  if (numbers.length > 1 && !numbers.every(isExact)) throw new CallUnknown('it has more digits than are looked at');
  return choose(...numbers);
}

function exact(number: number): number {
  if (!Number.isSafeInteger(number)) throw new CallUnknown('it has more digits than are looked at');
  return number;
}

function parseInteger(call: Call): number {
  const text = call.text(0);
  const base = call.integer(1);
  if (base < 2 || base > 62) throw new CallFailure(`${base} is no base between 2 and 62`);
  const digits = text.replace(/^[+-]/, '');
  if (!/^[0-9a-zA-Z]+$/.test(digits)) throw new CallFailure(`"${text}" is no number of base ${base}`);
  if (base > 36) throw new CallUnknown('numbers of so large a base are not read');
  let result = 0;
  for (const digit of digits.toLowerCase()) {
    const value = parseInt(digit, 36);
    if (value >= base) throw new CallFailure(`"${text}" is no number of base ${base}`);
    result = result * base + value;
  }
  return exact(text.startsWith('-') ? -result : result) + 0;
}
