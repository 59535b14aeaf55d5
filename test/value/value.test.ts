import {
  Absent,
  always,
  asWritten,
  byModule,
  choose,
  Choice,
  dataAt,
  decidedAt,
  decidedBy,
  Default,
  doubtOf,
  flatMapValue,
  Hints,
  isDataMap,
  isReadBack,
  Known,
  mapValue,
  nowhere,
  textOf,
  Unknown,
  unlessReadBack,
  writtenAs,
  type Data,
  type Plain,
  type Source,
  type Value,
} from '../../lib/value';
import { chosen, decided } from './conditions';

const place: Source = { locate: () => ({ file: 'here', line: 2, column: 3 }) };
const A = decided({ A: true });
const CHOSEN = chosen({ Chosen: true });
const ruledOut = new Unknown('A rules it out', place);

/** The default 1, which is 2 where B holds, and can't be known where A does. */
function defaultOne(note = 'default of P'): Default<number> {
  const value: Default<number> = new Default<number>(
    1,
    place,
    note,
    (when): Plain<number> => (when === A ? ruledOut : when.text === 'B is true' ? new Known(2, place) : value),
  );
  return value;
}

const under = (value: Value<unknown>, when = decided({ B: true })) =>
  value instanceof Default ? value.under(when) : 'no default';

describe('a default', () => {
  it('may be another where that is not known, or something else was chosen', () => {
    expect(doubtOf(defaultOne(), A)).toBe(ruledOut);
    expect(doubtOf(defaultOne(), CHOSEN)).toMatchObject({
      reason: 'the default of P may be changed together with what makes Chosen is true',
      source: place,
    });
    expect(doubtOf(defaultOne(), decided({ C: true }))).toBeUndefined();
    expect(doubtOf(new Known(1, place), CHOSEN)).toBeUndefined();
    expect(doubtOf(ruledOut, CHOSEN)).toBeUndefined();
  });

  it.each<[string, (value: Value<number>) => Value<number>]>([
    ['mapValue', (value) => mapValue(value, (one) => one * 10)],
    [
      'flatMapValue',
      (value) =>
        flatMapValue(value, (one) => (one.kind === 'known' ? new Known(one.value * 10, one.source, one.note) : one)),
    ],
  ])('stays one through %s', (_, times) => {
    const result = times(defaultOne());
    expect(result).toMatchObject({ value: 10, source: place, note: 'default of P' });
    expect(under(result)).toMatchObject({ value: 20 });
    expect(under(result, A)).toBe(ruledOut);
    expect(under(result, decided({ C: true }))).toBe(result);
    const alternatives = times(
      new Choice([
        { when: CHOSEN, value: defaultOne() },
        { when: A, value: new Known(3, place) },
      ]),
    );
    expect(alternatives).toMatchObject({
      alternatives: [
        { when: CHOSEN, value: { value: 10, note: 'default of P' } },
        { when: A, value: { value: 30 } },
      ],
    });
    expect(
      alternatives.kind === 'choice' && alternatives.alternatives.map(({ value }) => value instanceof Default),
    ).toEqual([true, false]);
  });

  it('is unknown where alternatives would come of it', () => {
    const split = flatMapValue(defaultOne(), (one) =>
      one.kind === 'known' && one.value === 1
        ? new Known('one', place)
        : choose([{ when: A, value: new Known('two', place) }]),
    );
    expect(under(split)).toMatchObject({ kind: 'unknown', reason: 'it depends on too many conditions at once' });
  });

  it('is none where it turns out to be absent', () => {
    expect(flatMapValue(defaultOne(), () => new Absent(place))).not.toBeInstanceOf(Default);
  });
});

describe('a value', () => {
  it('that is absent or unknown is mapped to itself', () => {
    const absent = new Absent(place);
    expect(mapValue<number, number>(absent, () => 1)).toBe(absent);
    expect(mapValue<number, number>(ruledOut, () => 1)).toBe(ruledOut);
  });

  it('that is unknown is the same elsewhere', () => {
    const reference = { resource: {}, attribute: 'Ref' };
    const hints = new Hints([new Known(1, nowhere)], undefined);
    const unknown = new Unknown('it is', place, '${A}', 'symbol', reference, hints);
    expect(unknown.at(place)).toBe(unknown);
    expect(unknown.at(nowhere)).toEqual(new Unknown('it is', nowhere, '${A}', 'symbol', reference, hints));
  });

  it('is read as text where text is known', () => {
    expect(
      [new Known('a', place), new Unknown('it is', place, 'b${C}'), new Unknown('it is', place), new Absent(place)].map(
        textOf,
      ),
    ).toEqual(['a', 'b${C}', undefined, undefined]);
  });

  it('that AWS answers counts as left open, and what may be so as unknown', () => {
    const answered = new Known(1, { ...place, readBack: 'surely' });
    const perhaps = new Known(2, { ...place, readBack: 'perhaps' });
    const written = new Known(3, place);
    expect([answered, perhaps, written, new Absent(answered.source)].map(isReadBack)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([answered, perhaps, written].map((value) => unlessReadBack(value))).toEqual([
      new Absent(answered.source),
      perhaps,
      written,
    ]);
    expect([answered, perhaps, written, ruledOut].map((value) => asWritten(value).kind)).toEqual([
      'absent',
      'unknown',
      'known',
      'unknown',
    ]);
    expect(asWritten(perhaps)).toMatchObject({ reason: expect.stringContaining('what AWS answers') as string });
    expect(asWritten(new Choice([{ when: always, value: perhaps }]))).toMatchObject({ kind: 'unknown' });
  });
});

describe('a place', () => {
  it('says who decides of it, the first that did', () => {
    expect(decidedBy(place, undefined)).toBe(place);
    const decided = decidedBy(place, 'local.a');
    expect(decided.from).toBe('local.a');
    expect(decided.locate()).toEqual(place.locate());
    for (const key of ['isModuleDefault', 'expression', 'isOfYaml', 'decided', 'inText'] as const)
      expect(decided[key]).toBeUndefined();
    const ofModule = byModule(place, 'yes');
    expect([ofModule.isModuleDefault, ofModule.from, ofModule.decided]).toEqual(['yes', undefined, undefined]);
    expect(decidedBy(decided, 'local.b')).toBe(decided);
  });

  it('keeps what is known of it', () => {
    const inner: Source = { locate: () => ({ file: 'inner', line: 1, column: 1 }) };
    const text: Source = { ...place, inText: (_, offset) => (offset === 4 ? inner : place) };
    expect(decidedBy(text, 'local.a').inText?.('text', 4)).toBe(inner);
    const both = byModule(decidedBy(text, 'local.a'), 'maybe');
    expect([both.from, both.isModuleDefault]).toEqual(['local.a', 'maybe']);
    expect(both.inText?.('text', 4)).toBe(inner);
    const known = {
      isOfYaml: true,
      from: 'local.a',
      isModuleDefault: 'yes',
      decided: { by: 'local.a', at: place },
    } as const;
    expect(writtenAs({ ...place, ...known, expression: 'var.a' }, 'var.b')).toMatchObject({
      ...known,
      expression: 'var.b',
    });
    expect(byModule({ ...place, ...known, expression: 'var.a' }, 'yes').expression).toBe('var.a');
    const ofB = { by: 'local.b', at: nowhere };
    expect(decidedAt(place, ofB).decided).toBe(ofB);
    expect(decidedAt({ ...place, ...known }, ofB).decided).toBe(known.decided);
    expect(decidedAt(place, undefined)).toBe(place);
  });
});

describe('data', () => {
  it('is a map if it has keys', () => {
    const all: readonly (Data | undefined)[] = [{}, { a: 1 }, [], null, undefined, 'a', 1, true, ruledOut];
    expect(all.map((data) => isDataMap(data))).toEqual([true, true, false, false, false, false, false, false, false]);
  });

  it('is found by its path', () => {
    const data = { a: { b: 1, u: ruledOut } };
    expect(dataAt(data)).toBe(data);
    expect(dataAt(data, 'a', 'b')).toBe(1);
    expect(dataAt(data, 'a', 'u', 'x', 'y')).toBe(ruledOut);
    expect(dataAt(data, 'a', 'c')).toBeUndefined();
    expect(dataAt(data, 'a', 'b', 'c')).toBeUndefined();
    expect(dataAt(data, 'a', 'toString')).toBeUndefined();
    expect(dataAt(undefined, 'a')).toBeUndefined();
  });
});
