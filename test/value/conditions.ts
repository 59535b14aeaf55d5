import { always, assuming, type Atom, type Logic, type Plain, type Value, type When } from '../../lib/value';

/** What is decided about each condition. */
export type World = Readonly<Record<string, boolean>>;

/** Every way in which three conditions can be decided. */
export const WORLDS: readonly World[] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  A: (bits & 1) !== 0,
  B: (bits & 2) !== 0,
  C: (bits & 4) !== 0,
}));

/** A condition that is one of the World's, or of another one. */
class Decided implements Atom {
  constructor(
    readonly logic: Logic,
    readonly subject: string,
    private readonly holds: boolean,
  ) {}

  get text(): string {
    return `${this.subject} is ${this.holds}`;
  }

  and(other: Atom): Atom | undefined {
    return other instanceof Decided && other.holds === this.holds ? this : undefined;
  }

  not(): readonly Atom[] {
    return [new Decided(this.logic, this.subject, !this.holds)];
  }
}

/** That a subject is one of some numbers, of those up to 3. */
class OneOf implements Atom {
  constructor(
    readonly logic: Logic,
    readonly subject: string,
    private readonly numbers: readonly number[],
  ) {}

  get text(): string {
    return `${this.subject} is ${this.numbers.join(' or ')}`;
  }

  and(other: Atom): Atom | undefined {
    if (!(other instanceof OneOf)) return undefined;
    const both = this.numbers.filter((one) => other.numbers.includes(one));
    if (both.length === 0) return undefined;
    return [this, other].find(({ numbers }) => numbers.length === both.length) ?? this.of(both);
  }

  not(): readonly Atom[] {
    const others = [1, 2, 3].filter((one) => !this.numbers.includes(one));
    return others.length === 0 ? [] : [this.of(others)];
  }

  private of(numbers: readonly number[]): OneOf {
    return new OneOf(this.logic, this.subject, numbers);
  }
}

/** The assumption that a subject is one of some numbers. */
export function oneOf(subject: string, numbers: readonly number[], logic: Logic = PLAIN): When {
  return assuming(new OneOf(logic, subject, numbers));
}

const PLAIN: Logic = {};
const CHOSEN: Logic = { isChosen: () => true };
/** Two front ends may call a condition the same: those of each are another's. */
export const ANOTHER: Logic = {};

/** The assumption that conditions are decided as said. */
export function decided(conditions: World, logic = PLAIN): When {
  return Object.entries(conditions).reduce<When>((when, [name, holds]) => {
    const both = when.and(assuming(new Decided(logic, name, holds)));
    if (both === undefined) throw new Error(`${name} is decided twice`);
    return both;
  }, always);
}

/** The same, chosen by whoever deploys. */
export function chosen(conditions: World): When {
  return decided(conditions, CHOSEN);
}

/** Whether an assumption holds where everything is decided. */
export function holdsIn(world: World): (when: When) => boolean {
  return (when) => when.and(decided(world)) !== undefined;
}

/** The values that a setting can have in a world; one, if its alternatives leave no gap and don't overlap. */
export function valuesIn<T>(world: World, value: Value<T>): readonly Plain<T>[] {
  if (value.kind !== 'choice') return [value];
  return value.alternatives.filter(({ when }) => holdsIn(world)(when)).map((alternative) => alternative.value);
}
