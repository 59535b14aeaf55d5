import {
  allows,
  isAtLeast,
  isSurelyAtLeast,
  mayBeAtLeast,
  Versions,
  type Release,
} from '../../../lib/terraform/module/version-constraint';
import { Known, nowhere, Unknown } from '../../../lib/value';

const of = (text: string, majors: readonly number[] = [18, 19, 20, 21]) =>
  Versions.of(new Known(text, nowhere), majors);

describe('a version constraint', () => {
  it.each([
    ['5.1.0', '5.1.0', true],
    ['5.1.0', '5.1.1', false],
    ['= 5.1', '5.1.0', true],
    ['v5.1.0', 'v5.1.0', true],
    ['>= 5.1.0', '5.1.0', true],
    ['>= 5.1.0', '5.0.9', false],
    ['> 5.1.0', '5.1.0', false],
    ['> 5.1.0', '5.1.1', true],
    ['< 5.1.0', '5.1.0', false],
    ['< 5.1.0', '5.0.9', true],
    ['<= 5.1.0', '5.1.0', true],
    ['<= 5.1.0', '5.1.1', false],
    ['~> 5', '6.0.0', true],
    ['~> 5.1', '5.9.0', true],
    ['~> 5.1', '6.0.0', false],
    ['~> 5.1', '5.0.0', false],
    ['~> 5.1.2', '5.1.9', true],
    ['~> 5.1.2', '5.2.0', false],
    ['!= 5.1.0', '5.1.0', true],
    ['>= 4, >= 5', '4.9.0', false],
    ['>= 5, >= 4', '4.9.0', false],
    ['< 6, < 5', '5.0.0', false],
    ['< 5, < 6', '5.0.0', false],
    ['< 6, >= 4', '5.0.0', true],
    ['a tag', '5.1.0', true],
    ['>= 5, a tag', '4.0.0', true],
    ['< 5', 'a tag', true],
    ['< 5', '6.1', true],
    [`${' '.repeat(200)}5.1.0`, '6.0.0', true],
  ])('%s allows %s: %s', (constraint, version, expected) => {
    expect(allows(constraint, version)).toBe(expected);
  });

  it.each<[string, Release, boolean]>([
    ['~> 5.0', [6, 0, 0], false],
    ['~> 5.0', [5, 99, 0], true],
    ['< 6.0.1', [6, 0, 0], true],
    ['< 6', [6, 0, 0], false],
    ['>= 5', [99, 0, 0], true],
    ['a tag', [99, 0, 0], true],
  ])('%s may be %j or later: %s', (constraint, since, expected) => {
    expect(mayBeAtLeast(constraint, since)).toBe(expected);
  });

  it.each<[string, boolean]>([
    ['~> 3.0', true],
    ['>= 3.0.2', true],
    ['3.1.0', true],
    ['>= 2.9', false],
    ['~> 2.17', false],
    ['< 4.0', false],
    ['newest', false],
  ])('%s allows nothing older than 3.0.0: %s', (constraint, expected) => {
    expect(isSurelyAtLeast(constraint, [3, 0, 0])).toBe(expected);
  });

  it('tells a release from another', () => {
    expect([isAtLeast([5, 1, 2], 5), isAtLeast([5, 1, 2], 5, 1, 2), isAtLeast([5, 1, 2], 4, 9, 9)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isAtLeast([5, 1, 2], 6), isAtLeast([5, 1, 2], 5, 2), isAtLeast([5, 1, 2], 5, 1, 3)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('versions that Terraform may choose', () => {
  const majors = (versions: Versions | undefined) => versions?.candidates.map(([major]) => major);

  it('are the newest of each major version', () => {
    expect(of('>= 19.5, < 21.3.1')?.candidates.at(-1)).toEqual([21, 3, 0]);
    expect(of('>= 19.5, < 21.3')?.candidates.at(-1)?.slice(0, 2)).toEqual([21, 2]);
    expect(majors(of('>= 19.5, < 21'))).toEqual([19, 20]);
    expect(of('20.1.2')).toMatchObject({
      candidates: [[20, 1, 2]],
      text: '20.1.2',
      installed: [20, 1, 2],
      label: ' 20',
    });
    expect(of('22.0.0')).toBeUndefined();
  });

  it('are all where nothing is known of the constraint', () => {
    const versions = Versions.of(new Unknown('a variable', nowhere), [19, 20]);
    expect(majors(versions)).toEqual([19, 20]);
    expect(versions).toMatchObject({ text: undefined, label: '' });
    expect(versions?.newest[0]).toBe(20);
    expect(versions?.installed[0]).toBe(20);
  });

  it('are those that have most of the arguments', () => {
    const known = new Map([
      [19, new Set(['a', 'b'])],
      [20, new Set(['b', 'c'])],
      [21, new Set(['c'])],
    ]);
    const having = (...names: string[]) => of('>= 18')?.having(names, known);
    expect(majors(having('a'))).toEqual([19]);
    expect(majors(having('b'))).toEqual([19, 20]);
    expect(majors(having('b', 'c'))).toEqual([20]);
    expect(majors(having())).toEqual([18, 19, 20, 21]);
    expect(majors(having('unheard'))).toEqual([18, 19, 20, 21]);
    // What is installed doesn't depend on arguments.
    expect(having('a')).toMatchObject({ text: '>= 18' });
    expect(having('a')?.installed[0]).toBe(21);
    // A commit or another branch may be of any version, of which the arguments tell.
    expect(of('d7aea4ca6b7d5fa08c70bf67fa5e9e5c514d26d2')?.having(['a'], known).installed[0]).toBe(19);
    expect(of('main')?.having(['a'], known).installed[0]).toBe(21);
  });

  it('agree on what holds for all of them', () => {
    const versions = of('>= 20');
    expect(versions?.agreed(([major]) => major >= 20)).toEqual({ value: true });
    expect(versions?.agreed(([major]) => major >= 21)).toBeUndefined();
    expect(versions?.agreed(() => undefined)).toEqual({ value: undefined });
  });
});
