import { always, type When } from './assumptions';
import type { Source } from './source';

/**
 * What a reader knows of one setting.
 *
 * A `Value` must be taken apart by its `kind`; there is no "truthy" short cut, because "not known to be
 * true" and "known to be false" lead to different verdicts. Rules use {@link cases}, which also splits
 * alternatives (`Fn::If`, a Terraform conditional) into the combinations that can really occur together.
 */
export type Value<T> = Plain<T> | Choice<T>;

/** A value without alternatives. */
export type Plain<T> = Known<T> | Absent | Unknown;

/** The setting is written down, or follows from what is written down. */
export class Known<T> {
  readonly kind = 'known';
  /** @param note where the value comes from when it isn't a literal, for example "default of parameter Version" */
  constructor(
    readonly value: T,
    readonly source: Source,
    readonly note?: string,
  ) {}
}

/** A known value that is only a default: whoever deploys may choose another one. */
export class Default<T> extends Known<T> {
  constructor(
    value: T,
    source: Source,
    note: string,
    /** What it is where an assumption holds that says something of it; itself where none does. */
    readonly under: (when: When) => Plain<T>,
  ) {
    super(value, source, note);
  }
}

/** The setting is not written; what AWS then does is the rule's knowledge. */
export class Absent {
  readonly kind = 'absent';
  /** @param source the block in which the setting would stand */
  constructor(readonly source: Source) {}
}

/** What files say of a value that nobody asked to read: evidence that a verdict may not go against, and no value. */
export class Hints {
  /** There are none. */
  static readonly none = new Hints([], undefined);
  /** There are some of what it is made of. */
  static readonly ofParts = new Hints([], undefined);

  constructor(
    /** Each named by its note. */
    readonly values: readonly Known<unknown>[],
    /** What it is where such a file says nothing of it. */
    readonly otherwise: Plain<unknown> | undefined,
  ) {}
}

/** The setting is written, but its value is decided later: a parameter without default, an import, a token. */
export class Unknown {
  readonly kind = 'unknown';
  constructor(
    /** Why it can't be known, as the end of "… because": "parameter Version has no default". */
    readonly reason: string,
    readonly source: Source,
    /** What is known of it, with `${…}` for each unknown part: `arn:${AWS::Partition}:iam::aws:policy/X`. */
    readonly text?: string,
    /** Equal symbols mean equal values, although neither is known (two `Ref`s to one parameter). */
    readonly symbol?: string,
    /** The resource that the value refers to, when the value is nothing but that reference. */
    readonly reference?: ReferenceTarget,
    readonly hints: Hints = Hints.none,
  ) {}

  /** The same value, seen from another place. */
  at(source: Source): Unknown {
    return source === this.source
      ? this
      : new Unknown(this.reason, source, this.text, this.symbol, this.reference, this.hints);
  }
}

/** A resource and the attribute of it that a value stands for (`Ref` counts as attribute `Ref`). */
export interface ReferenceTarget {
  readonly resource: object;
  readonly attribute: string;
}

/** Several values, each under its own assumption. */
export class Choice<T> {
  readonly kind = 'choice';
  constructor(readonly alternatives: readonly Alternative<T>[]) {}
}

export interface Alternative<T> {
  readonly when: When;
  readonly value: Plain<T>;
}

export function alternativesOf<T>(value: Value<T>): readonly Alternative<T>[] {
  return value.kind === 'choice' ? value.alternatives : [{ when: always, value }];
}

/** Builds a value from alternatives; one that always holds is unwrapped. */
export function choose<T>(alternatives: readonly Alternative<T>[]): Value<T> {
  const [first] = alternatives;
  if (first !== undefined && alternatives.length === 1 && first.when === always) return first.value;
  return new Choice(alternatives);
}

/**
 * Why a value may be another one where an assumption holds, so that it can't be held against what else holds there: it is a default, and
 * whoever brought the assumption about by changing another default may have changed this one with it.
 */
export function doubtOf(plain: Plain<unknown>, when: When): Unknown | undefined {
  if (!(plain instanceof Default)) return undefined;
  const there = plain.under(when);
  if (there.kind === 'unknown') return there;
  if (when.isChosen !== true) return undefined;
  return new Unknown(
    `the ${plain.note ?? 'default'} may be changed together with what makes ${when.text}`,
    plain.source,
  );
}

/** Applies `fn` to every known alternative and leaves absent and unknown ones as they are. */
export function mapValue<T, U>(value: Value<T>, fn: (known: T, source: Source) => U): Value<U> {
  const ofPlain = (plain: Plain<T>): Plain<U> =>
    plain.kind === 'known' ? new Known(fn(plain.value, plain.source), plain.source, plain.note) : plain;
  if (value.kind !== 'choice') return through(value, ofPlain);
  return new Choice(
    value.alternatives.map(({ when, value: plain }) => ({ when, value: through(plain, ofPlain) as Plain<U> })),
  );
}

/** What `fn` makes of a value; of a default it makes a default. */
function through<T, U>(plain: Plain<T>, fn: (plain: Plain<T>) => Value<U>): Value<U> {
  const result = fn(plain);
  // More than a plain value holds places within it.
  if (!(plain instanceof Default) || result.constructor !== Known) return result;
  const { value, source, note } = result;
  const made: Default<U> = new Default<U>(value, source, note ?? '', (when): Plain<U> => {
    const there = (plain as Default<T>).under(when);
    if (there === plain) return made;
    const other = through(there, fn);
    return other.kind === 'choice' ? new Unknown('it depends on too many conditions at once', source) : other;
  });
  return made;
}

/** Replaces every alternative by a value of its own, and keeps only combinations that can occur. */
export function flatMapValue<T, U>(value: Value<T>, fn: (plain: Plain<T>) => Value<U>): Value<U> {
  if (value.kind !== 'choice') return value instanceof Default ? through(value, fn) : fn(value);
  const result: Alternative<U>[] = [];
  for (const outer of value.alternatives) {
    for (const inner of alternativesOf(through(outer.value, fn))) {
      const when = outer.when.and(inner.when);
      if (when !== undefined) result.push({ when, value: inner.value });
    }
  }
  return choose(result);
}

/** The most combinations of alternatives that one judgement looks at; beyond it everything counts as unknown. */
const MAX_CASES = 256;

export type Case<S extends Record<string, Value<unknown>>> = {
  readonly [K in keyof S]: S[K] extends Value<infer T> ? Plain<T> : never;
};

/**
 * Splits several values into the cases that can occur together: `cases({ hop, tokens })` gives one entry
 * per consistent combination of their alternatives, each with the assumption under which it occurs.
 */
export function cases<S extends Record<string, Value<unknown>>>(
  values: S,
): { readonly when: When; readonly values: Case<S> }[] {
  // The usual case, kept cheap: without alternatives the values themselves are the only case.
  if (!hasChoice(values)) return [{ when: always, values: values as unknown as Case<S> }];
  type Entry = { when: When; values: Record<string, Plain<unknown>> };
  let entries: Entry[] = [{ when: always, values: {} }];
  for (const key in values) {
    const value: Value<unknown> = values[key] as Value<unknown>;
    if (value.kind !== 'choice') {
      for (const entry of entries) entry.values[key] = value;
      continue;
    }
    const next: Entry[] = [];
    for (const entry of entries) {
      for (const alternative of value.alternatives) {
        const when = entry.when.and(alternative.when);
        if (when !== undefined) next.push({ when, values: { ...entry.values, [key]: alternative.value } });
      }
    }
    if (next.length > MAX_CASES) return [tooMany(values)];
    entries = next;
  }
  return entries as unknown as { when: When; values: Case<S> }[];
}

/** Replaces every case of the values ({@link cases}) by what `fn` makes of it. */
export function flatMapCases<S extends Record<string, Value<unknown>>, R>(
  values: S,
  fn: (values: Case<S>, when: When) => readonly R[],
): readonly R[] {
  if (!hasChoice(values)) return fn(values as unknown as Case<S>, always);
  return cases(values).flatMap((one) => fn(one.values, one.when));
}

function hasChoice(values: Record<string, Value<unknown>>): boolean {
  for (const key in values) if (values[key]?.kind === 'choice') return true;
  return false;
}

function tooMany<S extends Record<string, Value<unknown>>>(values: S): { when: When; values: Case<S> } {
  const unknown: Record<string, Plain<unknown>> = {};
  for (const [key, value] of Object.entries(values)) {
    unknown[key] =
      value.kind === 'choice' ? new Unknown('it depends on too many conditions at once', sourceOf(value)) : value;
  }
  return { when: always, values: unknown as Case<S> };
}

/** The place of a value; of its first alternative if it has several. */
export function sourceOf(value: Value<unknown>): Source {
  if (value.kind !== 'choice') return value.source;
  const [first] = value.alternatives;
  if (first === undefined) throw new Error('a choice without alternatives');
  return first.value.source;
}

/** Whether a value is certainly no more than what AWS answers: the user left it open. */
export function isReadBack(value: Plain<unknown>): boolean {
  return value.kind === 'known' && value.source.readBack === 'surely';
}

/** A setting without what is certainly no more than AWS's answer to it. */
export function unlessReadBack<T>(value: Value<T>): Value<T> {
  return flatMapValue(value, (plain): Plain<T> => (isReadBack(plain) ? new Absent(plain.source) : plain));
}

/** A setting as the user writes it, for what EKS refuses: unknown where a plan doesn't tell whether anybody wrote it. */
export function asWritten<T>(value: Value<T>): Value<T> {
  return flatMapValue(unlessReadBack(value), (plain): Plain<T> => {
    if (plain.kind !== 'known' || plain.source.readBack === undefined) return plain;
    return new Unknown("the plan doesn't tell whether it is written or what AWS answers", plain.source);
  });
}

/** What is known of a piece of text: the text itself, or its known parts around `${…}`. */
export function textOf(value: Plain<string>): string | undefined {
  switch (value.kind) {
    case 'known':
      return value.value;
    case 'unknown':
      return value.text;
    case 'absent':
      return undefined;
  }
}

/** Data parsed out of a string (JSON, YAML): plain values with {@link Unknown} where the text was not known. */
export type Data = string | number | boolean | null | Unknown | readonly Data[] | DataMap;
export interface DataMap {
  readonly [key: string]: Data;
}

export function isDataMap(data: Data | undefined): data is DataMap {
  return typeof data === 'object' && data !== null && !Array.isArray(data) && !(data instanceof Unknown);
}

/** The value at a path of keys; `undefined` if a step is missing, the `Unknown` that hides it if there is one. */
export function dataAt(data: Data | undefined, ...path: readonly string[]): Data | undefined {
  let current = data;
  for (const key of path) {
    if (current instanceof Unknown) return current;
    if (!isDataMap(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** Entries of a map of parsed data. */
export function entriesOf(map: DataMap): [string, Data][] {
  return Object.entries<Data>(map);
}
