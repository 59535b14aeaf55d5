import { EqualNames } from '../../../lib/front-ends/parts/equal-names';
import { Absent, choose, Known, nowhere, Unknown, type Value, type When } from '../../../lib/value';
import { ANOTHER, decided } from '../../value/conditions';

const known = (text: string) => new Known(text, nowhere);
const unknown = (symbol?: string) => new Unknown('it has no value', nowhere, undefined, symbol);
const either = (when: When, name: Value<string>, other: Value<string>): Value<string> =>
  choose([
    { when, value: name as Known<string> },
    ...when.not().map((not) => ({ when: not, value: other as Known<string> })),
  ]);

describe('a name that is not known', () => {
  const A = decided({ A: true });
  const names = new EqualNames<{ readonly id: string }>();
  const again = { id: 'again' };
  for (const [resource, name] of [
    ['one', unknown('x')],
    ['twice', unknown('twice')],
    ['another', unknown('twice')],
    ['again', unknown('again')],
    ['again', unknown('again')],
    ['open', unknown()],
    ['known', known('known')],
    ['chosen', either(A, known('a'), known('b'))],
    ['none', either(A, known('a'), new Absent(nowhere))],
  ] as const)
    names.add(name, 'stack', resource === 'again' ? again : { id: resource });

  it.each<[string, Value<string>, string | undefined]>([
    ['finds what is called by the same symbol', unknown('x'), 'one'],
    ['finds nothing by another symbol', unknown('y'), undefined],
    ['finds neither of two', unknown('twice'), undefined],
    ['finds one that has it twice', unknown('again'), 'again'],
    ['finds nothing without a symbol', unknown(), undefined],
    ['is none if it is known', known('known'), undefined],
    ['finds what has the same alternatives', either(A, known('a'), known('b')), 'chosen'],
    ['finds nothing by others', either(A, known('a'), known('c')), undefined],
    ['finds what is absent under the same condition', either(A, known('a'), new Absent(nowhere)), 'none'],
    [
      'finds nothing by alternatives under a condition of another that reads alike',
      either(decided({ A: true }, ANOTHER), known('a'), known('b')),
      undefined,
    ],
  ])('%s', (_, name, resource) => {
    expect(names.get(name, 'stack')?.id).toBe(resource);
  });

  it('finds nothing in another stack', () => {
    expect(names.get(unknown('x'), 'other')).toBeUndefined();
  });
});
