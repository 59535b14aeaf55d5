/**
 * The algebra of assumptions: what holds where conditions of an input are decided in one way or another. An assumption is a conjunction of atoms,
 * each of which decides one thing, or one of several such conjunctions. Front ends bring the atoms, with their texts, and a {@link Logic} that knows
 * which of them go together. Atoms of different logics are independent.
 */

/** An assumption about the conditions of an input, such as "IsProduction is false". */
export interface When {
  /** Readable form; empty for "always". */
  readonly text: string;
  /** Both together, or `undefined` if they can't hold at the same time. */
  and(other: When): When | undefined;
  /** The assumptions, of which no two hold at the same time, under one of which this one doesn't hold; none for "always". */
  not(): readonly When[];
  /** The single conditions that it is made of, if it can be taken apart; none for "always". */
  parts?(): readonly When[];
  /** It only holds where whoever deploys has chosen something else than a default. @default false */
  readonly isChosen?: boolean;
  /** It takes values together that no deployment has as far as there are hints of them. @default false */
  readonly isUnlikely?: boolean;
}

/** One thing that is decided in one way: `condition IsProduction is true`, `var.size is none of 1, 2`. */
export interface Atom {
  readonly logic: Logic;
  /** What it is that is decided: two atoms of one subject, compared as keys of a map, exclude each other or become one. */
  readonly subject: unknown;
  readonly text: string;
  /** What an atom of the same subject and this one say together: the one of them that says as much, if one does. Undefined if they exclude each other. */
  and(other: Atom): Atom | undefined;
  /** The atoms, of which no two hold at once, under one of which this one doesn't hold. */
  not(): readonly Atom[];
}

/** Atoms of one logic by their subjects, in the order in which they are listed. */
export type Atoms = ReadonlyMap<unknown, Atom>;

/** What the atoms of one input have to do with each other. */
export interface Logic {
  /** Whether atoms of different subjects may hold together. @default - always */
  isPossible?(atoms: Atoms): boolean;
  /** The order in which atoms are listed. @default - that in which they were assumed */
  readonly compare?: (one: Atom, other: Atom) => number;
  /** {@link When.isChosen} @default - never */
  isChosen?(atoms: Atoms): boolean;
  /** {@link When.isUnlikely} @default - never */
  isUnlikely?(atoms: Atoms): boolean;
}

/** The assumption that always holds. */
export const always: When = { text: '', and: (other) => other, not: () => [] };

/** The assumption that one thing is decided. Whether it can be at all is for the front end to know. */
export function assuming(atom: Atom): When {
  return new Conjunction(new Map([[atom.logic, new Map([[atom.subject, atom]])]]));
}

/** The atoms that an assumption is made of; none of an assumption that is one of several. */
export function atomsOf(when: When): ReadonlyMap<Logic, Atoms> {
  return when instanceof Conjunction ? when.groups : NO_ATOMS;
}

const NO_ATOMS: ReadonlyMap<Logic, Atoms> = new Map();

/** "All of this is decided so." */
class Conjunction implements When {
  private shown: string | undefined;

  constructor(readonly groups: ReadonlyMap<Logic, Atoms>) {}

  get text(): string {
    return (this.shown ??= this.all()
      .map(({ text }) => text)
      .join(' and '));
  }

  and(other: When): When | undefined {
    if (other === this || other === always) return this;
    if (!(other instanceof Conjunction)) return other.and(this);
    let othersSayAll = true;
    let merged: Map<Logic, Atoms> | undefined;
    for (const [logic, others] of other.groups) {
      const own = this.groups.get(logic);
      const both = own === undefined ? others : together(logic, own, others);
      if (both === undefined) return undefined;
      if (both !== others) othersSayAll = false;
      if (both === own) continue;
      (merged ??= new Map(this.groups)).set(logic, both);
    }
    if (merged === undefined) return this;
    return othersSayAll && merged.size === other.groups.size ? other : new Conjunction(merged);
  }

  /** The first atom doesn't hold; or it does, and the second doesn't; and so on. */
  not(): readonly When[] {
    const before = new Map<Logic, Atoms>();
    const others: When[] = [];
    for (const [logic, atoms] of this.groups) {
      let held: Atoms = new Map();
      for (const [subject, atom] of atoms) {
        for (const opposite of atom.not()) {
          const all = new Map(held).set(subject, opposite);
          if (isPossible(logic, all)) others.push(new Conjunction(new Map(before).set(logic, all)));
        }
        held = new Map(held).set(subject, atom);
      }
      before.set(logic, held);
    }
    return others;
  }

  parts(): readonly When[] {
    return this.all().map(assuming);
  }

  get isChosen(): boolean {
    return Array.from(this.groups).some(([logic, atoms]) => logic.isChosen?.(atoms) === true);
  }

  get isUnlikely(): boolean {
    return Array.from(this.groups).some(([logic, atoms]) => logic.isUnlikely?.(atoms) === true);
  }

  private all(): Atom[] {
    return [...this.groups.values()].flatMap((atoms) => [...atoms.values()]);
  }
}

/** The atoms of two conjunctions: those of one of them if they say as much. */
function together(logic: Logic, own: Atoms, others: Atoms): Atoms | undefined {
  let merged: Map<unknown, Atom> | undefined;
  let isMore = own.size > others.size;
  for (const [subject, atom] of others) {
    const before = own.get(subject);
    const both = before === undefined ? atom : before.and(atom);
    if (both === undefined) return undefined;
    if (both !== atom && atom.and(both) !== atom) isMore = true;
    if (both === before) continue;
    merged ??= new Map(own);
    merged.set(subject, both);
  }
  if (merged === undefined) return own;
  if (!isMore && merged.size === others.size) return others;
  if (!isPossible(logic, merged)) return undefined;
  return logic.compare === undefined ? merged : inOrder(merged, logic.compare);
}

function inOrder(atoms: Atoms, compare: (one: Atom, other: Atom) => number): Atoms {
  return new Map([...atoms].sort(([, one], [, other]) => compare(one, other)));
}

function isPossible(logic: Logic, atoms: Atoms): boolean {
  return logic.isPossible?.(atoms) ?? true;
}

/** "One of these holds." */
class Disjunction implements When {
  constructor(private readonly assumptions: readonly [When, When, ...When[]]) {}

  get text(): string {
    return this.assumptions.map(({ text }) => text).join(', or ');
  }

  and(other: When): When | undefined {
    if (other === always) return this;
    const [one, ...more] = this.assumptions.flatMap((when) => when.and(other) ?? []);
    return one === undefined ? undefined : either([one, ...more]);
  }

  not(): readonly When[] {
    return this.assumptions.reduce<readonly When[]>(except, [always]);
  }

  get isChosen(): boolean {
    return this.assumptions.every((when) => when.isChosen === true);
  }

  get isUnlikely(): boolean {
    return this.assumptions.every((when) => when.isUnlikely === true);
  }
}

/** Where at least one of the assumptions holds. */
export function either(assumptions: readonly [When, ...When[]]): When {
  const [first, second, ...others] = assumptions;
  return second === undefined ? first : new Disjunction([first, second, ...others]);
}

/** What of the assumptions is left where `excluded` doesn't hold. */
export function except(assumptions: readonly When[], excluded: When): readonly When[] {
  if (excluded === always) return [];
  return assumptions.flatMap((when) =>
    when.and(excluded) === undefined ? [when] : excluded.not().flatMap((other) => when.and(other) ?? []),
  );
}

/** Whether `when` only holds where one of the others does. */
export function isCovered(when: When, others: Iterable<When>): boolean {
  let rest: readonly When[] = [when];
  for (const other of others) rest = except(rest, other);
  return rest.length === 0;
}

/** More combinations of conditions than anybody has; beyond it nothing can be told, and assumptions stay as they are. */
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
export function eachWith(assumptions: readonly When[], other: When): readonly When[] {
  return assumptions.flatMap((when) => when.and(other) ?? []);
}

/**
 * Assumptions that hold in the same cases as the given ones, without conditions that don't matter: "A and B" and "A and not B" are "A".
 * No two of them overlap if no two of the given ones do. The given ones if no fewer will do.
 * @param given an assumption that was made before; it stays a part of all of them
 * @param within where it matters at all, `given` included
 */
export function fewerAssumptions(assumptions: readonly When[], given: When, within: When = given): readonly When[] {
  const all = [...new Map(assumptions.map((when) => [when.text, when])).values()];
  if (all.length < 2 || all.length > MOST_CASES) return all;
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
    if (rest.length > MOST_CASES) return false;
  }
  return rest.length === 0;
}
