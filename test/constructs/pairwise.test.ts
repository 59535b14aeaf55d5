import { meetingCombinations, type Combination } from './pairwise';

const values = <T extends string>(...names: readonly T[]): Record<T, undefined> =>
  Object.fromEntries(names.map((name) => [name, undefined])) as Record<T, undefined>;

const AXES = {
  size: values('s', 'm', 'l'),
  color: values('red', 'blue'),
  form: values('round', 'flat'),
  lid: values('no', 'yes'),
};

const refusal = {
  of: ({ size, color }: Combination<typeof AXES>) => size === 'l' && color === 'red',
  words: /too bright/,
};

/** What meets in combinations, as text. */
function meetingsIn(combinations: readonly Combination<typeof AXES>[], size: 2 | 3): string[] {
  const meetings = combinations.flatMap(({ size: a, color, form, lid }) => {
    const all = [a, color, form, lid];
    const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other]));
    return size === 2 ? pairs : all.map((left) => all.filter((one) => one !== left));
  });
  return [...new Set(meetings.map((one) => one.join(' ')))].sort();
}

describe('combinations in which values meet', () => {
  it.each([
    [2, 3 * 2 * 3 + 3 * 4 - 1, 6],
    [3, 3 * 4 * 3 + 8 - 4, 12],
  ] as const)('have each %s together that may be, and are few', (size, meetings, fewest) => {
    const { accepted } = meetingCombinations(AXES, [refusal], size);
    expect(meetingsIn(accepted, size)).toHaveLength(meetings);
    expect(accepted.filter(refusal.of)).toEqual([]);
    expect(accepted.length).toBeLessThanOrEqual(fewest + 2);
  });

  it('are beside the plainest one for each refusal', () => {
    expect(meetingCombinations(AXES, [refusal]).refused).toEqual([
      { combination: { size: 'l', color: 'red', form: 'round', lid: 'no' }, words: /too bright/ },
    ]);
    expect(() => meetingCombinations(AXES, [{ of: () => false, words: /never/ }])).toThrow(
      'no combination is refused with /never/ alone',
    );
  });
});
