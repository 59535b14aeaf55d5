import type { Value } from '../../value';

/** `[20, 31, 0]`. */
export type Release = readonly [major: number, minor: number, patch: number];

/** Releases from the first one on, without the second one. */
interface Range {
  readonly from: Release;
  readonly to: Release | undefined;
}

const EVERYTHING: Range = { from: [0, 0, 0], to: undefined };
const LATEST = Number.MAX_SAFE_INTEGER;

/** Whether a version constraint allows a release from some other one on. One that can't be read may. */
export function mayBeAtLeast(constraint: string, since: Release): boolean {
  const range = parseConstraint(constraint);
  return range?.to === undefined || compare(range.to, since) > 0;
}

/** Whether a version constraint allows releases from some one on alone. One that can't be read may allow others. */
export function isSurelyAtLeast(constraint: string, since: Release): boolean {
  const range = parseConstraint(constraint);
  return range !== undefined && compare(range.from, since) >= 0;
}

/** Whether a version constraint allows a version. One that can't be read does, and so does any constraint a version that can't. */
export function allows(constraint: string, version: string): boolean {
  const range = parseConstraint(constraint);
  const [, major, minor, patch] = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})/.exec(version) ?? [];
  if (range === undefined || major === undefined) return true;
  const release: Release = [Number(major), Number(minor), Number(patch)];
  return compare(release, range.from) >= 0 && (range.to === undefined || compare(release, range.to) < 0);
}

export function isAtLeast(release: Release, major: number, minor = 0, patch = 0): boolean {
  return compare(release, [major, minor, patch]) >= 0;
}

function compare(a: Release, b: Release): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Branches of git that have the newest version. */
const NEWEST = /^(?:main|master|HEAD)$/;

/** What a version constraint lets Terraform choose among the major versions that are known here. */
export class Versions {
  private constructor(
    /** Of each major version that may be chosen, the newest release that may; oldest first. */
    readonly candidates: readonly [Release, ...Release[]],
    /** As it is written; undefined if none is. */
    readonly text: string | undefined,
    /** The one that Terraform installs where nothing is installed yet, whatever arguments the call has. */
    readonly installed: Release,
    /** A commit or a branch of git is named, which may be of any version. */
    private readonly isOpen: boolean,
  ) {}

  /**
   * @param constraint `~> 20.31`; of a module from git, the tag
   * @returns undefined if only versions are allowed that aren't known here
   */
  static of(constraint: Value<string>, majors: readonly number[]): Versions | undefined {
    const text = constraint.kind === 'known' ? constraint.value : undefined;
    const parsed = text === undefined ? EVERYTHING : parseConstraint(text);
    const range = parsed ?? EVERYTHING;
    const [first, ...others] = majors.flatMap((major): Release[] => {
      const newest = newestOf(major, range);
      return newest === undefined ? [] : [newest];
    });
    if (first === undefined) return undefined;
    const isOpen = parsed === undefined && !NEWEST.test(text ?? '');
    return new Versions([first, ...others], text, others.at(-1) ?? first, isOpen);
  }

  get newest(): Release {
    return this.candidates.at(-1) ?? this.candidates[0];
  }

  /** The major versions that have most of these arguments: Terraform refuses a configuration for those that lack some. */
  having(names: Iterable<string>, known: ReadonlyMap<number, ReadonlySet<string>>): Versions {
    const wanted = [...names];
    const counts = this.candidates.map(
      ([major]) => wanted.filter((name) => known.get(major)?.has(name) === true).length,
    );
    const most = Math.max(...counts);
    const [first, ...others] = this.candidates.filter((_, index) => counts[index] === most);
    if (first === undefined) return this;
    const installed = this.isOpen ? (others.at(-1) ?? first) : this.installed;
    return new Versions([first, ...others], this.text, installed, this.isOpen);
  }

  /** What holds for all of them; undefined if they differ. */
  agreed<T extends string | number | boolean | undefined>(
    fact: (release: Release) => T,
  ): { readonly value: T } | undefined {
    const [first, ...others] = this.candidates.map(fact);
    return others.every((other) => other === first) ? { value: first as T } : undefined;
  }

  /** `20`, or nothing if there may be several. */
  get label(): string {
    return this.candidates.length === 1 ? ` ${this.candidates[0][0]}` : '';
  }
}

/** The newest release of a major version within a range. */
function newestOf(major: number, { from, to }: Range): Release | undefined {
  if (from[0] > major) return undefined;
  const newest: Release = to === undefined || to[0] > major ? [major, LATEST, LATEST] : before(to);
  return newest[0] === major && compare(newest, from) >= 0 ? newest : undefined;
}

/** The newest release before one. */
function before([major, minor, patch]: Release): Release {
  if (patch > 0) return [major, minor, patch - 1];
  return minor > 0 ? [major, minor - 1, LATEST] : [major - 1, LATEST, LATEST];
}

const TERM = /^(=|!=|>=|<=|>|<|~>)?\s*v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/;

/** Source: Terraform documentation, "Version Constraints". Undefined if it can't be read. */
function parseConstraint(text: string): Range | undefined {
  if (text.length > 200) return undefined;
  let range = EVERYTHING;
  for (const term of text.split(',')) {
    const next = rangeOf(term.trim());
    if (next === undefined) return undefined;
    range = { from: compare(next.from, range.from) > 0 ? next.from : range.from, to: earlier(next.to, range.to) };
  }
  return range;
}

function earlier(a: Release | undefined, b: Release | undefined): Release | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compare(a, b) < 0 ? a : b;
}

function rangeOf(term: string): Range | undefined {
  const match = TERM.exec(term);
  if (match === null) return undefined;
  const [, operator = '=', major = '0', minor, patch] = match;
  const release: Release = [Number(major), Number(minor ?? 0), Number(patch ?? 0)];
  const next: Release = [release[0], release[1], release[2] + 1];
  switch (operator) {
    case '=':
      return { from: release, to: next };
    case '>=':
      return { from: release, to: undefined };
    case '>':
      return { from: next, to: undefined };
    case '<':
      return { from: EVERYTHING.from, to: release };
    case '<=':
      return { from: EVERYTHING.from, to: next };
    case '~>':
      // Only the last of the given numbers may rise; a single one has nothing in front of it that would have to stay.
      if (minor === undefined) return { from: release, to: undefined };
      return { from: release, to: patch === undefined ? [release[0] + 1, 0, 0] : [release[0], release[1] + 1, 0] };
    default:
      return EVERYTHING;
  }
}
