import { except, isCovered, type When } from './value';

/** More assumptions than anybody has conditions for; what is beyond it stays as it is. */
const MOST = 64;

/**
 * Assumptions that hold in the same cases as the given ones, without conditions that don't matter: "A and B" and "A and not B" are "A".
 * No two of them overlap if no two of the given ones do. The given ones if no fewer will do.
 * @param given an assumption that was made before; it stays a part of all of them
 * @param within where it matters at all, `given` included
 */
export function fewerAssumptions(assumptions: readonly When[], given: When, within: When = given): readonly When[] {
  const all = [...new Map(assumptions.map((when) => [when.text, when])).values()];
  if (all.length < 2 || all.length > MOST) return all;
  const fewer: When[] = [];
  for (const when of all) {
    if (!isCovered(when, fewer)) fewer.push(widest(when, all, fewer, given, within));
  }
  return fewer.length < all.length ? fewer : all;
}

/** An assumption without those of its parts that the others make up for; it overlaps with no more of `before` than it did. */
function widest(when: When, all: readonly When[], before: readonly When[], given: When, within: When): When {
  let result = when;
  let parts = when.parts?.() ?? [];
  for (const part of parts) {
    const others = parts.filter((other) => other !== part);
    const wider = others.reduce<When | undefined>((both, other) => both?.and(other), given);
    const cases = wider === undefined ? undefined : within.and(wider);
    if (wider === undefined || cases === undefined || !isSurelyCovered(cases, all)) continue;
    if (all.some((other) => wider.and(other) !== undefined && !isCovered(other, [wider]))) continue;
    // Those that were made wider before may take in what this one would.
    if (before.some((other) => wider.and(other) !== undefined && when.and(other) === undefined)) continue;
    parts = others;
    result = wider;
  }
  return result;
}

/** Whether the others cover an assumption; false, too, if that takes too long to find out. */
function isSurelyCovered(when: When, others: readonly When[]): boolean {
  let rest: readonly When[] = [when];
  for (const other of others) {
    rest = except(rest, other);
    if (rest.length > MOST) return false;
  }
  return rest.length === 0;
}
