/** Longer names aren't misspelt field names, and would cost time. */
const LONGEST = 60;

/**
 * The candidate that was probably meant: the same name in another case, one that holds the name (or the reverse), or one that a
 * few letters tell apart.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const wanted = name.toLowerCase();
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, wanted.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/**
 * The same among names that are made of words: one that a few letters tell apart and that begins or ends with the same word, or one that goes on
 * where the other ends. What merely holds the name is about something else: `launch_template_description` is no `description`.
 */
export function nearestInWords(name: string, candidates: readonly string[]): string | undefined {
  const words = name.split('_');
  return nearestName(
    name,
    candidates.filter((candidate) => {
      const others = candidate.split('_');
      if (candidate.startsWith(`${name}_`) || name.startsWith(`${candidate}_`)) return true;
      const isAlike = words[0] === others[0] || words.at(-1) === others.at(-1);
      return (
        (isAlike || words.length + others.length === 2) && editDistance(name, candidate) <= Math.max(1, name.length / 3)
      );
    }),
  );
}

function distanceOf(name: string, candidate: string): number {
  const [shorter, longer] = name.length < candidate.length ? [name, candidate] : [candidate, name];
  if (shorter.length >= 4 && longer.length > shorter.length && longer.includes(shorter)) return 1;
  return editDistance(name, candidate);
}

/** Levenshtein distance, with neighbours that changed places as one step. */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  // Three rows, written over in turn: this is compared for many names.
  const rows = new Uint32Array(3 * width);
  for (let j = 0; j < width; j++) rows[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const [current, previous, last] = [(i % 3) * width, ((i + 2) % 3) * width, ((i + 1) % 3) * width];
    const letter = a.charCodeAt(i - 1);
    rows[current] = i;
    for (let j = 1; j < width; j++) {
      const other = b.charCodeAt(j - 1);
      let least = at(rows, previous + j - 1) + (letter === other ? 0 : 1);
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other)
        least = Math.min(least, at(rows, last + j - 2) + 1);
      rows[current + j] = Math.min(least, at(rows, previous + j) + 1, at(rows, current + j - 1) + 1);
    }
  }
  return at(rows, (a.length % 3) * width + b.length);
}

function at(rows: Uint32Array, index: number): number {
  return rows[index] ?? 0;
}

/**
 * Whether a name is surely meant to be another one, and not just near it: `SubnetA` and `SubnetB` are two names, but nobody has both `HopLimit` and
 * `hoplimit`, `HopLmiit` or `HopLimt`.
 */
function isMisspelt(name: string, other: string): boolean {
  const [a, b] = [name.toLowerCase(), other.toLowerCase()];
  if (a === b) return name !== other;
  if (Math.abs(a.length - b.length) > 1 || Math.max(a.length, b.length) > LONGEST || editDistance(a, b) !== 1)
    return false;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (shorter.length === longer.length) return lettersOf(a) === lettersOf(b);
  return longer.length >= 5 && !longer.startsWith(shorter) && !/\d/.test(longer);
}

/** The one name that is surely meant: misspelt, or with other signs between its words. */
export function meantName(name: string, candidates: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const meant = candidates.filter((one) => one !== name && (plain(one) === plain(name) || isMisspelt(name, one)));
  return meant.length === 1 ? meant[0] : undefined;
}

/** Names of one form that are looked at; those of a real input have few. */
const MOST_ALIKE = 20;

/** Finds the first of many names that another one is surely a misspelling of, without comparing it with each. */
export class SpellingIndex<T> {
  private readonly byForm = new Map<string, { readonly name: string; readonly item: T; readonly order: number }[]>();
  private size = 0;

  add(name: string, item: T): void {
    const entry = { name, item, order: this.size++ };
    for (const form of formsOf(name)) {
      const alike = this.byForm.get(form);
      if (alike === undefined) this.byForm.set(form, [entry]);
      else if (alike.length < MOST_ALIKE) alike.push(entry);
    }
  }

  find(name: string): { readonly name: string; readonly item: T } | undefined {
    const found = [...new Set(formsOf(name))]
      .flatMap((form) => this.byForm.get(form) ?? [])
      .filter((entry) => isMisspelt(name, entry.name));
    return found.sort((a, b) => a.order - b.order)[0];
  }
}

/** Two names of which one is a misspelling of the other have one of these in common: a name, its letters, and what is left without one of them. */
function formsOf(name: string): readonly string[] {
  const lower = name.toLowerCase();
  if (lower.length > LONGEST) return [lower];
  const shorter = Array.from(lower, (_, at) => lower.slice(0, at) + lower.slice(at + 1));
  return [...new Set([lower, `letters ${lettersOf(lower)}`, ...shorter])];
}

function lettersOf(name: string): string {
  return Array.from(name).sort().join('');
}
