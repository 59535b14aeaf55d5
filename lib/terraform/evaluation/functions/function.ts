import { Absent, Known, Unknown, type Plain } from '../../../value';
import { JoinedText } from '../../../value/composed-text';
import {
  describe,
  TerraformList,
  TerraformMap,
  TerraformSet,
  type TerraformItem,
  type TerraformValue,
} from '../../terraform-value';
import { hasOrder } from '../collections';
import type { Context } from '../context';
import { numberOf } from '../numbers';
import type { Here } from '../places';
import { textOf } from '../texts';
import { InvalidValue, unknownIn } from '../unknowns';

/** Wrong arguments: Terraform surely refuses the call. */
export class CallFailure extends Error {}

/** What can't be worked out here. */
export class CallUnknown extends Error {}

/** What takes more than any value does. */
export class CallBeyondLimit extends CallUnknown {}

export type Result = TerraformItem | TerraformValue | undefined;

/** A function of Terraform. */
export interface TerraformFunction {
  /** How many arguments it takes. */
  readonly least: number;
  readonly most: number;
  /**
   * What it makes of its arguments: `whole` is asked with arguments that are known in all their parts; `parts` with values without alternatives,
   * of which not all need be known; `structure` with lists and maps whose content may be anything; `lazy` gets arguments one by one.
   */
  readonly takes: 'whole' | 'parts' | 'structure';
  readonly takesNull: boolean;
  readonly run: (call: Call) => Result;
}

export type Functions = Readonly<Record<string, TerraformFunction>>;

/** A function of arguments that are known in all their parts. */
export function whole(least: number, most: number, run: (call: Call) => Result, takesNull = false): TerraformFunction {
  return { least, most, takes: 'whole', takesNull, run };
}

export function parts(least: number, most: number, run: (call: Call) => Result, takesNull = false): TerraformFunction {
  return { least, most, takes: 'parts', takesNull, run };
}

export function structure(
  least: number,
  most: number,
  run: (call: Call) => Result,
  takesNull = false,
): TerraformFunction {
  return { least, most, takes: 'structure', takesNull, run };
}

export const ANY_NUMBER = Infinity;

/** The arguments of a call, read by the types that the function wants. */
export class Call {
  constructor(
    readonly name: string,
    readonly args: readonly Plain<TerraformItem>[],
    readonly here: Here,
    readonly context: Context,
  ) {}

  get size(): number {
    return this.args.length;
  }

  get note(): string | undefined {
    const notes = this.args.flatMap((arg) => (arg.kind === 'known' ? [arg.note] : []));
    // What comes of several maps has entries that say by themselves where they are from.
    if (this.name === 'merge' && notes.some((note) => note !== notes[0])) return undefined;
    return notes.find((note) => note !== undefined);
  }

  plain(index: number): Plain<TerraformItem> {
    return this.args[index] ?? new Absent(this.here);
  }

  /** The argument; fails if it is null, gives up if it isn't known. */
  item(index: number): TerraformItem {
    return known(this.plain(index));
  }

  text(index: number): string {
    return knownText(this.plain(index));
  }

  number(index: number): number {
    return knownNumber(this.plain(index));
  }

  integer(index: number): number {
    const number = this.number(index);
    if (!Number.isSafeInteger(number)) throw new CallFailure(`${number} is no whole number`);
    return number;
  }

  boolean(index: number): boolean {
    return knownBoolean(this.plain(index));
  }

  /** The items of a list, tuple or set. */
  list(index: number): readonly TerraformValue[] {
    const item = this.item(index);
    if (!(item instanceof TerraformList)) throw new CallFailure(`${describe(item)} is no list`);
    return item.items;
  }

  /** The items of a list in an order that is known. */
  sequence(index: number): readonly TerraformValue[] {
    const item = this.item(index);
    if (item instanceof TerraformSet && !hasOrder(item))
      throw new CallUnknown('the order of the items of a set is not known');
    return this.list(index);
  }

  texts(index: number): readonly string[] {
    return this.sequence(index).map(knownText);
  }

  numbers(index: number): readonly number[] {
    return this.list(index).map(knownNumber);
  }

  map(index: number): TerraformMap {
    const item = this.item(index);
    if (!(item instanceof TerraformMap)) throw new CallFailure(`${describe(item)} is no map`);
    return item;
  }

  /** Takes steps for work that grows with what is looked through. @throws CallBeyondLimit if there are no more */
  charge(steps: number): void {
    const { budget } = this.context;
    const whole = Math.floor(steps);
    budget.left -= whole;
    if (!budget.steps.take(whole)) throw new CallBeyondLimit('it takes too long to work out');
  }

  value(item: TerraformItem): Known<TerraformItem> {
    return new Known(item, this.here, this.note);
  }

  list_(items: readonly (TerraformValue | string | number | boolean)[]): TerraformList {
    return new TerraformList(items.map((item) => (typeof item === 'object' ? item : this.value(item))));
  }
}

export function known(value: TerraformValue): TerraformItem {
  if (value.kind === 'known') return value.value;
  if (value.kind === 'absent') throw new CallFailure('an argument is null');
  if (value instanceof InvalidValue) throw new CallFailure(value.reason);
  throw new CallUnknown(value.kind === 'unknown' ? value.reason : 'it depends on conditions');
}

export function knownText(value: TerraformValue): string {
  if (value.kind === 'choice') throw new CallUnknown('it depends on conditions');
  const text = textOf(value);
  if (text.kind === 'known') return text.value;
  if (text instanceof InvalidValue || text.kind === 'absent')
    throw new CallFailure(text.kind === 'absent' ? 'an argument is null' : text.reason);
  throw new CallUnknown(text.reason);
}

export function knownNumber(value: TerraformValue): number {
  const item = known(value);
  const number = value.kind === 'choice' ? undefined : numberOf(value);
  if (number === undefined) throw new CallFailure(`${describe(item)} is no number`);
  if (Number.isNaN(number)) throw new CallUnknown('numbers written so are not read');
  return number;
}

export function knownBoolean(value: TerraformValue): boolean {
  const item = known(value);
  if (item === true || item === 'true' || item === '1') return true;
  if (item === false || item === 'false' || item === '0') return false;
  throw new CallFailure(`${describe(item)} is neither true nor false`);
}

/** All of a value, which has to be known in all its parts. */
export function needsWhole(value: TerraformValue): void {
  const unknown = unknownIn(value);
  if (unknown !== undefined) throw new CallUnknown(unknown.reason);
}

/** What a function gives, as a value. */
export function valueOfResult(result: Result, call: Call): TerraformValue {
  if (result === undefined) return new Absent(call.here);
  if (typeof result !== 'object' || result instanceof TerraformList || result instanceof TerraformMap)
    return call.value(result);
  if (result.kind !== 'known' || result.note !== undefined || call.note === undefined || result instanceof JoinedText)
    return result;
  return result.constructor === Known ? new Known(result.value, result.source, call.note) : result;
}

/** Nothing more is known than why. */
export function unknown(reason: string, call: Call): Unknown {
  return new Unknown(reason, call.here);
}
