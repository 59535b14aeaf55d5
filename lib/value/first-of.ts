import { flatMapValue, type Value } from '.';

/** The first value, or where it is absent the next one. */
export function firstOf<T>(first: Value<T>, ...others: readonly (() => Value<T>)[]): Value<T> {
  const [next, ...rest] = others;
  if (next === undefined) return first;
  return flatMapValue(first, (plain) => (plain.kind === 'absent' ? firstOf(next(), ...rest) : plain));
}
