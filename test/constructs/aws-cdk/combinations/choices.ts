/**
 * By default every two choices meet somewhere, and every three of the VPC CNI, among those of a share of all combinations; with
 * EKS_GUARDRAILS_ALL_COMBINATIONS=1, all are tried; of the options of `meetingCombinations`, of which there are tens of thousands, every three meet then.
 */
export const ALL = process.env['EKS_GUARDRAILS_ALL_COMBINATIONS'] === '1';
/** Of many combinations every kind of cluster gets each third, another third than the one before. */
export const SHARE = ALL ? 1 : 3;

export interface Combination<T> {
  readonly options: T;
  readonly number: number;
  /** Which of the choices it is made of, by their indexes. */
  readonly choices: readonly number[];
}

/** All combinations of one choice for each name, mixed, so that neighbours have little in common. */
export function combinations<T extends object>(
  choices: { readonly [K in keyof T]: readonly T[K][] },
): Combination<T>[] {
  let result: Omit<Combination<Partial<T>>, 'number'>[] = [{ options: {}, choices: [] }];
  for (const key of Object.keys(choices) as (keyof T)[]) {
    result = result.flatMap(({ options, choices: before }) =>
      choices[key].map((choice, index) => ({ options: { ...options, [key]: choice }, choices: [...before, index] })),
    );
  }
  const place = (number: number): number => (number * 0.618034) % 1;
  return result
    .map((combination, number) => ({ ...(combination as { options: T; choices: number[] }), number }))
    .sort((one, other) => place(one.number) - place(other.number));
}

/**
 * Tells which combinations to try: those that have two choices, or three, which no combination had that was accepted. A mistake that takes more
 * options to come about is found by EKS_GUARDRAILS_ALL_COMBINATIONS=1 alone.
 */
export class Untried {
  private readonly seen = new Set<string>();

  /** @param size how many choices are to meet */
  constructor(private readonly size: 2 | 3) {}

  has(choices: readonly number[]): boolean {
    return ALL || this.meetingsOf(choices).some((meeting) => !this.seen.has(meeting));
  }

  accept(choices: readonly number[]): void {
    for (const meeting of this.meetingsOf(choices)) this.seen.add(meeting);
  }

  private meetingsOf(choices: readonly number[]): string[] {
    if (this.size === 3) return this.triplesOf(choices);
    return choices.flatMap((a, i) => choices.slice(i + 1).map((b, j) => [i, a, i + j + 1, b].join(' ')));
  }

  private triplesOf(choices: readonly number[]): string[] {
    return choices.flatMap((a, i) =>
      choices
        .slice(i + 1)
        .flatMap((b, j) => choices.slice(i + j + 2).map((c, k) => [i, a, i + j + 1, b, i + j + k + 2, c].join(' '))),
    );
  }
}

/** Combinations of the same choices, with what is known of them all. */
export function withUntried<T>(group: readonly Combination<T>[]): (Combination<T> & { readonly untried: Untried })[] {
  const untried = new Untried(3);
  return group.map((combination) => ({ ...combination, untried }));
}
