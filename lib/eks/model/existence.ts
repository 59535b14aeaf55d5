import { always, type Case, cases, Choice, type Resource, type Value, type When } from '../../value';

/**
 * A value as far as it can occur where a resource exists. An alternative that is the only one left depends on no
 * condition any more: it holds whenever there is the resource.
 */
export function whereExists<T>(resource: Resource, value: Value<T>): Value<T> {
  if (value.kind !== 'choice') return value;
  const { exists } = resource;
  if (exists === always) return value;
  const alternatives = value.alternatives.filter(({ when }) => exists.and(when) !== undefined);
  const [only] = alternatives;
  // Nothing left would mean that the resource can't exist, which the reader has found out before; then nothing is taken away.
  if (only === undefined) return value;
  return alternatives.length === 1 ? only.value : new Choice(alternatives);
}

/**
 * The cases ({@link cases}) of values that can occur where a resource exists. That it exists is no part of their
 * assumptions, so that messages don't name it as a reason.
 * @param given an assumption that was made before; it is part of the assumptions of all cases
 */
export function casesOf<S extends Record<string, Value<unknown>>>(
  resource: Resource,
  values: S,
  given: When = always,
): readonly { readonly when: When; readonly values: Case<S> }[] {
  const all = cases(allWhereExists(resource, values));
  const [first] = all;
  if (first === undefined) return all;
  if (first.when === always) return given === always ? all : [{ ...first, when: given }];
  const { exists } = resource;
  if (exists === always && given === always) return all;
  // Alternatives that are possible one by one may still exclude each other.
  const possible = all.flatMap((one) => {
    const when = given.and(one.when);
    return when === undefined || exists.and(when) === undefined ? [] : [{ ...one, when }];
  });
  const [only] = possible;
  return only !== undefined && possible.length === 1 ? [{ ...only, when: given }] : possible;
}

function allWhereExists<S extends Record<string, Value<unknown>>>(resource: Resource, values: S): S {
  for (const key in values) {
    if (values[key]?.kind !== 'choice') continue;
    if (resource.exists === always) return values;
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, whereExists(resource, value)])) as S;
  }
  return values;
}
