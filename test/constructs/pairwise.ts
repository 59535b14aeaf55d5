/** The values of each option, by names of them. The first is that of somebody who says nothing. */
export type Axes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The name of a value for each option. */
export type Combination<A extends Axes> = { readonly [K in keyof A]: keyof A[K] & string };

/** Which combinations a construct refuses, and by which words. */
export interface Refusal<A extends Axes> {
  readonly of: (one: Combination<A>) => boolean;
  readonly words: RegExp;
}

export interface Combinations<A extends Axes> {
  /** Those to make: every values that may meet do in one of them. */
  readonly accepted: readonly Combination<A>[];
  /** For each refusal the plainest combination of which nothing else is refused. */
  readonly refused: readonly { readonly combination: Combination<A>; readonly words: RegExp }[];
}

/**
 * Few combinations of one value for each option in which each two values meet, or each three. Values that no accepted combination can have together
 * are told by refusals, so that what a construct refuses beyond them is noticed as well.
 */
export function meetingCombinations<A extends Axes>(
  axes: A,
  refusals: readonly Refusal<A>[] = [],
  size: 2 | 3 = 2,
): Combinations<A> {
  const all = product(axes, size).map((one) => ({
    ...one,
    refusals: refusals.filter(({ of }) => of(one.combination)),
  }));
  const candidates = all.filter((one) => one.refusals.length === 0);
  const open = new Set(candidates.flatMap(({ meetings }) => meetings));
  const gainOf = ({ meetings }: Candidate<A>): number => meetings.filter((one) => open.has(one)).length;
  const accepted: Combination<A>[] = [];
  // A set leaves out what is deleted before its turn.
  for (const meeting of open) {
    const best = candidates
      .filter(({ meetings }) => meetings.includes(meeting))
      .map((one) => ({ one, gain: gainOf(one) }))
      .reduce((most, one) => (one.gain > most.gain ? one : most));
    for (const closed of best.one.meetings) open.delete(closed);
    accepted.push(best.one.combination);
  }
  const refused = refusals.map((refusal) => {
    const plainest = all.find((one) => one.refusals.length === 1 && one.refusals[0] === refusal);
    if (plainest === undefined) throw new Error(`no combination is refused with ${String(refusal.words)} alone`);
    return { combination: plainest.combination, words: refusal.words };
  });
  return { accepted, refused };
}

interface Candidate<A extends Axes> {
  readonly combination: Combination<A>;
  /** Which values it has together, as numbers. */
  readonly meetings: readonly number[];
}

/** All combinations, the plainest first. */
function product<A extends Axes>(axes: A, size: 2 | 3): Candidate<A>[] {
  let numbered = 0;
  let all: { readonly entries: readonly (readonly [string, string])[]; readonly values: readonly number[] }[] = [
    { entries: [], values: [] },
  ];
  for (const [axis, values] of Object.entries(axes)) {
    const named = Object.keys(values).map((name) => ({ entry: [axis, name] as const, value: numbered++ }));
    all = all.flatMap((one) =>
      named.map(({ entry, value }) => ({ entries: [...one.entries, entry], values: [...one.values, value] })),
    );
  }
  return all.map(({ entries, values }) => ({
    combination: Object.fromEntries(entries) as Combination<A>,
    meetings: meetingsOf(values, numbered, size),
  }));
}

function meetingsOf(values: readonly number[], base: number, size: 1 | 2 | 3): number[] {
  if (size === 1) return [...values];
  return values.flatMap((value, index) =>
    meetingsOf(values.slice(index + 1), base, size === 3 ? 2 : 1).map((others) => value * base ** (size - 1) + others),
  );
}
