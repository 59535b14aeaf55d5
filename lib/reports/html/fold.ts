/** Items that are drawn as one. */
export interface Folded<T> {
  /** The first of them, if it is drawn by itself and the others are like it. */
  readonly first: T | undefined;
  readonly others: readonly T[];
}

export interface Folding<T> {
  /** Up to this many items are all drawn. */
  readonly most: number;
  /** Equal for items of which one says it all. */
  readonly signature: (item: T) => string;
  /** What has to be drawn rather than left out comes first: 0 before 1. */
  readonly rank: (item: T) => number;
}

/**
 * Draws many items as few, in their order: of those that are alike the first one is drawn and the others are counted after it; if these are still too
 * many, the ones that matter least are only counted at the end. Nothing gets lost: every item is in exactly one place.
 */
export function fold<T>(items: readonly T[], { most, signature, rank }: Folding<T>): readonly Folded<T>[] {
  if (items.length <= most) return items.map((first) => ({ first, others: [] }));
  const alike = new Map<string, T[]>();
  for (const item of items) {
    const key = signature(item);
    const known = alike.get(key);
    if (known === undefined) alike.set(key, [item]);
    else known.push(item);
  }
  const groups = [...alike.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others, rank: rank(first) }],
  );
  // A group with others takes two places.
  const kept = new Set<unknown>();
  let room = most - 1;
  for (const group of [...groups].sort((a, b) => a.rank - b.rank)) {
    room -= group.others.length > 0 ? 2 : 1;
    if (room < 0) break;
    kept.add(group);
  }
  const rest = groups.flatMap((group) => (kept.has(group) ? [] : [group.first, ...group.others]));
  const drawn = groups.filter((group) => kept.has(group)).map(({ first, others }): Folded<T> => ({ first, others }));
  return rest.length === 0 ? drawn : [...drawn, { first: undefined, others: rest }];
}
