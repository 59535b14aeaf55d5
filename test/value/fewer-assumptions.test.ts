import fc from 'fast-check';
import { runs } from '../share';
import { always, EksModel, fewerAssumptions, isCovered, type When } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { decided } from './conditions';

const NAMES = ['A', 'B', 'C', 'D'] as const;

const TEXT = [
  'Parameters:',
  ...NAMES.map((name) => `  P${name}: { Type: String }`),
  'Conditions:',
  ...NAMES.flatMap((name) => [`  ${name}: !Equals [!Ref P${name}, x]`, `  Not${name}: !Not [!Condition ${name}]`]),
  'Resources:',
  ...NAMES.flatMap((name) => [name, `Not${name}`]).map(
    (name) =>
      `  Role${name}: { Type: AWS::IAM::Role, Condition: ${name}, Properties: { AssumeRolePolicyDocument: {} } }`,
  ),
  '',
].join('\n');

const LITERALS = new Map(
  new EksModel(readTemplates([{ file: 'template.yaml', text: TEXT }]).resources).roles.map(({ id, exists }) => [
    id.slice('Role'.length),
    exists,
  ]),
);

/** `A NotB`: both together. */
function all(names: string): When {
  return names.split(' ').reduce<When>((when, name) => when.and(LITERALS.get(name) ?? always) ?? always, always);
}

const textsOf = (whens: readonly When[]): string[] => whens.map(({ text }) => text);

describe('fewerAssumptions', () => {
  it.each<[string, string[], string[]]>([
    ['one that does not matter', ['A B', 'A NotB'], ['A']],
    ['one in front of that which matters', ['B A', 'NotB A'], ['A']],
    ['two', ['A B C', 'A B NotC', 'A NotB C', 'A NotB NotC'], ['A']],
    ['one of some only', ['A B', 'A NotB', 'NotA C'], ['A', 'NotA C']],
    ['another one each', ['A B', 'A NotB', 'NotA C D', 'NotA C NotD'], ['A', 'NotA C']],
    ['what is said twice', ['A', 'A B', 'A'], ['A']],
  ])('leaves out %s', (_, given, expected) => {
    expect(textsOf(fewerAssumptions(given.map(all), always)).sort()).toEqual(textsOf(expected.map(all)).sort());
  });

  it.each([[['A B', 'NotA NotB']], [['A', 'NotA B NotC']], [['A']], [[]]])('leaves %j as they are', (given) => {
    expect(textsOf(fewerAssumptions(given.map(all), always))).toEqual(textsOf(given.map(all)));
  });

  it('makes always of all cases, and looks at no more than 64', () => {
    const allOf = (names: string) =>
      names
        .split('')
        .reduce<readonly When[]>(
          (cases, name) =>
            cases.flatMap((one) => [true, false].flatMap((value) => one.and(decided({ [name]: value })) ?? [])),
          [always],
        );
    expect(fewerAssumptions(allOf('ABCDEF'), always)).toEqual([always]);
    expect(textsOf(fewerAssumptions(allOf('ABCDEFG'), always))).toEqual(textsOf(allOf('ABCDEFG')));
  });

  it('keeps what was assumed before', () => {
    expect(textsOf(fewerAssumptions(['A B', 'A NotB'].map(all), all('A')))).toEqual(textsOf([all('A')]));
    // Whether A holds doesn't matter, but nobody has looked at the other case.
    expect(textsOf(fewerAssumptions(['A B', 'A NotB C', 'A NotB NotC'].map(all), all('A')))).toEqual(
      textsOf([all('A')]),
    );
  });

  it.each([
    [696785917, '167:3:9'],
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ])('says the same with no more of them (seed %d)', (seed, path) => {
    const literal = fc.constantFrom(...LITERALS.values());
    const cube = fc
      .array(literal, { minLength: 1, maxLength: 4 })
      .map((some) => some.reduce<When>((when, one) => when.and(one) ?? when, always));
    fc.assert(
      fc.property(fc.array(cube, { maxLength: 8 }), (given) => {
        const fewer = fewerAssumptions(given, always);
        expect(fewer.length).toBeLessThanOrEqual(given.length);
        for (const when of given) expect(isCovered(when, fewer)).toBe(true);
        for (const when of fewer) expect(isCovered(when, given)).toBe(true);
        const overlaps = (some: readonly When[]): boolean =>
          some.some((one, index) => some.slice(index + 1).some((other) => one.and(other) !== undefined));
        if (!overlaps(given)) expect(overlaps(fewer)).toBe(false);
      }),
      { seed, numRuns: runs(200), ...(path === undefined ? {} : { path }) },
    );
  });
});
