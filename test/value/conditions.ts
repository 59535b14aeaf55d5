import { always, type Plain, type Value, type When } from '../../lib/value';

/** What is decided about each condition. */
export type World = Readonly<Record<string, boolean>>;

/** Every way in which three conditions can be decided. */
export const WORLDS: readonly World[] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  A: (bits & 1) !== 0,
  B: (bits & 2) !== 0,
  C: (bits & 4) !== 0,
}));

const decided = new WeakMap<When, World>([[always, {}]]);

/** The assumption that conditions are decided as said. */
export function assuming(conditions: World, isChosen?: boolean): When {
  const entries = Object.entries(conditions);
  if (entries.length === 0) return always;
  const when: When = {
    text: entries.map(([name, holds]) => `${name} is ${holds}`).join(', '),
    and(other) {
      const others = decided.get(other);
      if (other === always) return when;
      if (others === undefined) return other.and(when);
      return entries.some(([name, holds]) => others[name] === !holds)
        ? undefined
        : assuming({ ...conditions, ...others });
    },
    // Without overlap: A doesn't hold, or A does and B doesn't.
    not: () =>
      entries.map(([name, holds], index) =>
        assuming({ ...Object.fromEntries(entries.slice(0, index)), [name]: !holds }),
      ),
    parts: () => entries.map(([name, holds]) => assuming({ [name]: holds })),
    ...(isChosen === undefined ? {} : { isChosen }),
  };
  decided.set(when, conditions);
  return when;
}

/** Whether an assumption holds where everything is decided. */
export function holdsIn(world: World): (when: When) => boolean {
  return (when) => when.and(assuming(world)) !== undefined;
}

/** The values that a setting can have in a world; one, if its alternatives leave no gap and don't overlap. */
export function valuesIn<T>(world: World, value: Value<T>): readonly Plain<T>[] {
  if (value.kind !== 'choice') return [value];
  return value.alternatives.filter(({ when }) => holdsIn(world)(when)).map((alternative) => alternative.value);
}
