import { Absent, always, alternativesOf, choose, sourceOf, type Value, type When } from '.';

/** What a resource under a condition says: nothing while the condition doesn't hold. */
export function whileExists<T>(exists: When, value: Value<T>): Value<T> {
  if (exists === always) return value;
  const existing = alternativesOf(value).flatMap((alternative) => {
    const when = exists.and(alternative.when);
    return when === undefined ? [] : [{ when, value: alternative.value }];
  });
  return choose([...existing, ...exists.not().map((when) => ({ when, value: new Absent(sourceOf(value)) }))]);
}
