import fc from 'fast-check';
import {
  always,
  cases,
  choose,
  Choice,
  either,
  except,
  fewerAssumptions,
  flatMapCases,
  flatMapValue,
  isCovered,
  Known,
  mapValue,
  nowhere,
  sourceOf,
  Unknown,
  type Logic,
  type Source,
  type Value,
  type When,
} from '../../lib/value';
import { distinct } from '../../lib/value/assumptions';
import { ANOTHER, chosen, decided, holdsIn, oneOf, valuesIn, WORLDS, type World } from './conditions';

const world = fc.dictionary(fc.constantFrom('A', 'B', 'C'), fc.boolean());
const when = world.map((conditions) => decided(conditions));
const known = (value: number) => new Known(value, nowhere);
const numbers = (value: Value<number>, where: World) =>
  valuesIn(where, value).map((plain) => (plain.kind === 'known' ? plain.value : plain.kind));

/** A setting that depends on one condition, or on none. */
const setting = fc.tuple(fc.constantFrom('A', 'B', 'C', undefined), fc.nat(9), fc.nat(9)).map(
  ([name, first, second]): Value<number> =>
    name === undefined
      ? known(first)
      : new Choice([
          { when: decided({ [name]: true }), value: known(first) },
          { when: decided({ [name]: false }), value: known(second) },
        ]),
);

const inAllWorlds = (check: (holds: (when: When) => boolean, where: World) => void) => {
  for (const where of WORLDS) check(holdsIn(where), where);
};

/** Conditions of two front ends, which may have the same names. */
interface Worlds {
  readonly one: World;
  readonly other: World;
}

const ALL_WORLDS: readonly Worlds[] = WORLDS.flatMap((one) => WORLDS.map((other) => ({ one, other })));
const mixed = fc.tuple(world, world).map(([one, other]) => {
  const both = decided(one).and(decided(other, ANOTHER));
  if (both === undefined) throw new Error('they are independent');
  return both;
});
const disjunction = fc
  .tuple(mixed, fc.array(mixed, { maxLength: 2 }))
  .map(([first, others]) => either([first, ...others]));
const any = fc.oneof(mixed, disjunction, fc.constant(always));
const holds = (when: When | undefined, { one, other }: Worlds): boolean => {
  const all = decided(one).and(decided(other, ANOTHER));
  return when !== undefined && all !== undefined && when.and(all) !== undefined;
};
/** Whether two assumptions hold in the same worlds. */
const sameWorlds = (one: When | undefined, other: When | undefined) =>
  ALL_WORLDS.every((where) => holds(one, where) === holds(other, where));

describe('what a logic knows of its atoms', () => {
  /** A and B don't hold together; whoever says C means an unlikely case. */
  const logic: Logic = {
    isPossible: (atoms) =>
      !['A is true', 'B is true'].every((text) => [...atoms.values()].some((one) => one.text === text)),
    isUnlikely: (atoms) => atoms.has('C'),
  };

  it('leaves out of a negation what never holds', () => {
    const not = decided({ A: true, B: false }, logic).not();
    expect(not.map(({ text }) => text)).toEqual(['A is false']);
    expect(
      decided({ A: true, B: false })
        .not()
        .map(({ text }) => text),
    ).toEqual(['A is false', 'A is true and B is true']);
  });

  it('makes a case unlikely, and several if each of them is', () => {
    const [unlikely, likely] = [decided({ C: true }, logic), decided({ A: true }, logic)];
    expect([unlikely, likely, decided({ C: true })].map(({ isUnlikely }) => isUnlikely)).toEqual([true, false, false]);
    expect(unlikely.and(decided({ D: true }))?.isUnlikely).toBe(true);
    expect(either([unlikely, decided({ A: true, C: false }, logic)]).isUnlikely).toBe(true);
    expect(either([unlikely, likely]).isUnlikely).toBe(false);
  });
});

it('assumptions are listed once, and always stands for all', () => {
  const [one, other] = [decided({ A: true }), decided({ B: true })];
  expect(distinct([one, other, decided({ A: true })]).map(({ text }) => text)).toEqual(['A is true', 'B is true']);
  expect(distinct([one, always, other])).toEqual([always]);
});

describe('the algebra', () => {
  it('takes what two front ends assume together, and drops nothing of it', () => {
    fc.assert(
      fc.property(any, any, (one, other) => {
        const both = one.and(other);
        for (const where of ALL_WORLDS) expect(holds(both, where)).toBe(holds(one, where) && holds(other, where));
        if (both === undefined) return;
        const parts = (when: When) => when.parts?.().map(({ text }) => text) ?? [];
        // Nothing is named twice or left out.
        if (one.parts !== undefined && other.parts !== undefined)
          expect([...new Set(parts(both))].sort()).toEqual([...new Set([...parts(one), ...parts(other)])].sort());
      }),
    );
  });

  it('is commutative and associative, and of an assumption with itself makes no more', () => {
    fc.assert(
      fc.property(any, any, any, (one, other, third) => {
        expect(sameWorlds(one.and(other), other.and(one))).toBe(true);
        expect(sameWorlds(one.and(other)?.and(third), other.and(third)?.and(one))).toBe(true);
        expect(one.and(always)).toBe(one);
        expect(always.and(one)).toBe(one);
        if (one.parts !== undefined) expect(one.and(one)).toBe(one);
      }),
    );
  });

  it('turns an assumption round into others that do not overlap', () => {
    fc.assert(
      fc.property(any, (one) => {
        const not = one.not();
        for (const where of ALL_WORLDS)
          expect(not.filter((other) => holds(other, where))).toHaveLength(holds(one, where) ? 0 : 1);
      }),
    );
  });

  it('gives what says as much as both, if one does', () => {
    const [one, both] = [decided({ A: true }), decided({ A: true, B: true })];
    expect(one.and(both)).toBe(both);
    expect(both.and(one)).toBe(both);
    expect(both.and(decided({ A: true }, ANOTHER))?.text).toBe('A is true and B is true and A is true');
  });

  it('says more than either where what they say overlaps', () => {
    const [few, others] = [oneOf('n', [1, 2]), oneOf('n', [2, 3])];
    expect(few.and(others)?.text).toBe('n is 2');
    expect(few.and(oneOf('n', [1]))?.text).toBe('n is 1');
    expect(oneOf('n', [1]).and(oneOf('n', [2]))).toBeUndefined();
    const more = few.and(decided({ A: true }));
    expect(more?.and(others)?.text).toBe('n is 2 and A is true');
    expect(others.and(more ?? always)?.text).toBe('n is 2 and A is true');
    expect(more?.and(few)).toBe(more);
  });

  it('lists what it says in the order of its logic, if that has one', () => {
    const inOrder: Logic = { compare: (one, other) => one.text.localeCompare(other.text) };
    expect(oneOf('n', [1], inOrder).and(oneOf('a', [2], inOrder))?.text).toBe('a is 2 and n is 1');
    expect(oneOf('n', [1]).and(oneOf('a', [2]))?.text).toBe('n is 1 and a is 2');
  });

  it('asks a logic what goes together, in front ends of their own each', () => {
    const exclusive: Logic = { isPossible: (atoms) => atoms.size < 2 };
    expect(decided({ A: true }, exclusive).and(decided({ B: true }))?.text).toBe('A is true and B is true');
    expect(decided({ A: true }, exclusive).and(decided({ B: true }, exclusive))).toBeUndefined();
  });
});

describe('assumptions', () => {
  it('hold without one where they hold and it does not', () => {
    fc.assert(
      fc.property(fc.array(when, { maxLength: 4 }), when, (assumptions, excluded) => {
        const rest = except(assumptions, excluded);
        inAllWorlds((holds) => {
          expect(rest.some(holds)).toBe(assumptions.some(holds) && !holds(excluded));
        });
      }),
    );
  });

  it('are left as they are by one that they never meet', () => {
    const assumptions = [decided({ A: true, B: true })];
    expect(except(assumptions, decided({ A: false }))).toEqual(assumptions);
    expect(except(assumptions, always)).toEqual([]);
  });

  it('are together where one of them holds, with others and turned round', () => {
    fc.assert(
      fc.property(when, fc.array(when, { maxLength: 3 }), when, (first, others, other) => {
        const any = either([first, ...others]);
        const both = any.and(other);
        const not = any.not();
        inAllWorlds((holds) => {
          const isAny = [first, ...others].some(holds);
          expect(holds(any)).toBe(isAny);
          expect(both !== undefined && holds(both)).toBe(isAny && holds(other));
          expect(not.some(holds)).toBe(!isAny);
        });
      }),
    );
  });

  it('read as alternatives, and as chosen only if all of them are', () => {
    const one = chosen({ A: true });
    const another = chosen({ B: true });
    expect(either([one]).text).toBe('A is true');
    expect(either([one, another]).text).toBe('A is true, or B is true');
    expect(either([one, another]).isChosen).toBe(true);
    expect(either([one, decided({ B: true })]).isChosen).toBe(false);
  });

  it('are covered by others that leave no world out', () => {
    fc.assert(
      fc.property(when, fc.array(when, { maxLength: 4 }), (one, others) => {
        expect(isCovered(one, others)).toBe(WORLDS.map(holdsIn).every((holds) => !holds(one) || others.some(holds)));
      }),
    );
  });

  it('become fewer without holding elsewhere', () => {
    fc.assert(
      fc.property(fc.array(when, { maxLength: 5 }), (assumptions) => {
        const fewer = fewerAssumptions(assumptions, always);
        expect(fewer.length).toBeLessThanOrEqual(assumptions.length);
        inAllWorlds((holds) => {
          expect(fewer.some(holds)).toBe(assumptions.some(holds));
        });
      }),
    );
  });

  it('lose the conditions that do not matter', () => {
    const texts = (assumptions: readonly World[], given: World = {}) =>
      fewerAssumptions(
        assumptions.map((one) => decided(one)),
        decided(given),
      ).map(({ text }) => text);
    expect(
      texts([
        { A: true, B: true },
        { A: true, B: false },
      ]),
    ).toEqual(['A is true']);
    expect(texts([{ A: true }, { A: false, B: true }])).toHaveLength(2);
    expect(
      texts([
        { A: true, B: true },
        { A: true, B: true },
      ]),
    ).toEqual(['A is true and B is true']);
    expect(
      texts(
        [
          { A: true, B: true },
          { A: true, B: false },
        ],
        { A: true },
      ),
    ).toEqual(['A is true']);
  });
});

describe('values with alternatives', () => {
  it('are split into the cases that occur', () => {
    fc.assert(
      fc.property(setting, setting, setting, (a, b, c) => {
        const split = cases({ a, b, c });
        inAllWorlds((holds, where) => {
          const found = split
            .filter((one) => holds(one.when))
            .map(({ values }) => [values.a, values.b, values.c].map((plain) => plain.kind === 'known' && plain.value));
          expect(found).toEqual([[...numbers(a, where), ...numbers(b, where), ...numbers(c, where)]]);
        });
        expect(
          flatMapCases({ a, b, c }, (values, when) => [{ when, values }]).map(({ when, values }) => [
            when.text,
            values,
          ]),
        ).toEqual(split.map(({ when, values }) => [when.text, values]));
      }),
    );
  });

  it('are mapped in each case', () => {
    fc.assert(
      fc.property(setting, setting, (a, b) => {
        const doubled = mapValue(a, (value) => value * 2);
        const sums = flatMapValue(a, (one) =>
          mapValue(b, (other) => (one.kind === 'known' ? one.value * 10 + other : NaN)),
        );
        inAllWorlds((_, where) => {
          const [first] = numbers(a, where);
          const [second] = numbers(b, where);
          expect(numbers(doubled, where)).toEqual([Number(first) * 2]);
          expect(numbers(sums, where)).toEqual([Number(first) * 10 + Number(second)]);
        });
      }),
    );
  });

  it('are unwrapped where there is but one that always holds', () => {
    const one = known(1);
    expect(choose([{ when: always, value: one }])).toBe(one);
    expect(choose([{ when: decided({ A: true }), value: one }]).kind).toBe('choice');
    expect(
      choose([
        { when: always, value: one },
        { when: decided({ A: true }), value: known(2) },
      ]).kind,
    ).toBe('choice');
  });

  it('stand at the place of the first', () => {
    const place: Source = { locate: () => ({ file: 'first', line: 1, column: 1 }) };
    expect(sourceOf(known(1))).toBe(nowhere);
    expect(
      sourceOf(
        new Choice([
          { when: decided({ A: true }), value: new Known(1, place) },
          { when: decided({ A: false }), value: known(2) },
        ]),
      ),
    ).toBe(place);
    expect(() => sourceOf(new Choice([]))).toThrow('without alternatives');
  });

  const conditional = (name: string) =>
    new Choice([true, false].map((holds) => ({ when: decided({ [name]: holds }), value: known(holds ? 1 : 0) })));
  const conditionals = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, conditional(`C${index}`)]));

  it('are looked at in 256 cases, and in no more', () => {
    expect(cases(conditionals(8))).toHaveLength(256);
    const plain = known(7);
    const [only, ...others] = cases({ plain, ...conditionals(9) });
    expect(others).toEqual([]);
    expect(only?.when).toBe(always);
    expect(only?.values).toMatchObject({
      plain,
      v0: new Unknown('it depends on too many conditions at once', nowhere),
    });
  });
});
