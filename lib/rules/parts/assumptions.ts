import { always, except, type Resource, type When } from '../../eks';

/** More combinations of conditions than anybody has; beyond it nothing can be told. */
const MOST_CASES = 64;

/** What of the assumptions is left where none of the excluded ones holds; undefined if that are too many to tell apart. */
export function without(assumptions: readonly When[], excluded: readonly When[]): readonly When[] | undefined {
  let rest = assumptions;
  for (const when of distinct(excluded)) {
    rest = except(rest, when);
    if (rest.length === 0) break;
    if (rest.length > MOST_CASES) return undefined;
  }
  return rest;
}

/** Every assumption once; `always` alone if it is among them. */
export function distinct(assumptions: readonly When[]): readonly When[] {
  return assumptions.includes(always) ? [always] : [...new Map(assumptions.map((when) => [when.text, when])).values()];
}

/** Each of the assumptions together with another one, as far as that is possible. */
export function together(assumptions: readonly When[], other: When): readonly When[] {
  return assumptions.flatMap((when) => when.and(other) ?? []);
}

/** The conditions to name in findings about a resource: `always` if it is so wherever there is the resource. */
export function conditionsOf({ exists }: Resource, assumptions: readonly When[]): readonly When[] {
  const all = distinct(assumptions);
  return without([exists], all)?.length === 0 ? [always] : all;
}
