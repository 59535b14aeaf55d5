import { Absent, Choice, Known, nowhere, Unknown, type Value } from '../../lib/value';
import { conditionalItems } from '../../lib/value/conditional-items';
import { acknowledgedRule, acknowledgementId } from '../../lib/value/acknowledgement-id';
import { decided, valuesIn } from './conditions';

type List = Value<readonly Value<string>[]>;

const text = (value: string): Value<string> => new Known(value, nowhere);
const list = (...values: readonly string[]): Known<readonly Value<string>[]> => new Known(values.map(text), nowhere);
const [withA, withoutA] = [decided({ A: true }), decided({ A: false })];
const unknown = new Unknown('nobody says', nowhere);

/** The items that are there, in a world. */
function itemsIn(value: List, A: boolean): readonly string[] {
  return conditionalItems(value)
    .flatMap((item) => valuesIn({ A }, item))
    .flatMap((item) => (item.kind === 'known' ? [item.value] : item.kind === 'unknown' ? [`? ${item.reason}`] : []));
}

describe('the items of a list', () => {
  it.each<[string, List, readonly string[]]>([
    ['known', list('a', 'b'), ['a', 'b']],
    ['absent', new Absent(nowhere), []],
    ['unknown', unknown, ['? nobody says']],
  ])('that is %s hold always', (_, value, items) => {
    expect([itemsIn(value, true), itemsIn(value, false)]).toEqual([items, items]);
  });

  it('hold where their list does', () => {
    const either = (other: Value<never> | ReturnType<typeof list>): List =>
      new Choice([
        { when: withA, value: list('a', 'b') },
        { when: withoutA, value: other as Known<readonly Value<string>[]> },
      ]);
    expect([itemsIn(either(list('c')), true), itemsIn(either(list('c')), false)]).toEqual([['a', 'b'], ['c']]);
    expect([itemsIn(either(unknown), true), itemsIn(either(unknown), false)]).toEqual([['a', 'b'], ['? nobody says']]);
    expect(itemsIn(either(new Absent(nowhere)), false)).toEqual([]);
  });

  it('hold where their own conditions do besides', () => {
    const item = new Choice([
      { when: withA, value: new Known('a', nowhere) },
      { when: withoutA, value: new Known('never', nowhere) },
    ]);
    const value: List = new Choice([
      { when: withA, value: new Known([item, text('b')], nowhere) },
      { when: withoutA, value: list() },
    ]);
    expect([itemsIn(value, true), itemsIn(value, false)]).toEqual([['a', 'b'], []]);
    expect(conditionalItems(new Known([item], nowhere))).toEqual([item]);
  });
});

it('the id of an acknowledgement names the rule, and those of others name none', () => {
  expect(acknowledgementId('imds-v1')).toBe('EksGuardrails::imds-v1');
  expect(acknowledgedRule(acknowledgementId('imds-v1'))).toBe('imds-v1');
  expect(acknowledgedRule('AwsSolutions::imds-v1')).toBeUndefined();
});
