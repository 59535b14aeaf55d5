import fc from 'fast-check';
import { difference } from '../../lib/text/line-difference';

/** The lines of two texts of one letter each, with what becomes of them. */
const shown = (old: string, now: string): string[] =>
  difference(Array.from(old), Array.from(now)).map(({ sign, text }) => `${sign}${text}`);

describe('the difference of two texts', () => {
  it.each([
    ['', '', []],
    ['ab', 'ab', [' a', ' b']],
    ['', 'a', ['+a']],
    ['a', '', ['-a']],
    ['abc', 'axc', [' a', '-b', '+x', ' c']],
    ['ab', 'xy', ['-a', '-b', '+x', '+y']],
    ['abcd', 'acbd', [' a', '-b', ' c', '+b', ' d']],
    ['axbyc', 'bac', ['-a', '-x', ' b', '-y', '+a', ' c']],
    ['aa', 'aaa', [' a', ' a', '+a']],
    ['aaa', 'a', [' a', '-a', '-a']],
  ])('%j, %j', (old, now, expected) => {
    expect(shown(old, now)).toEqual(expected);
  });

  it('has all lines of both in their order, and as many in common as can be', () => {
    const common = (one: string, other: string): number =>
      one === '' || other === ''
        ? 0
        : one.startsWith(other.charAt(0))
          ? 1 + common(one.slice(1), other.slice(1))
          : Math.max(common(one.slice(1), other), common(one, other.slice(1)));
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const found = shown(old, now);
        const without = (sign: string) =>
          found.flatMap((line) => (line.startsWith(sign) ? [] : [line.slice(1)])).join('');
        expect([without('+'), without('-')]).toEqual([old, now]);
        expect(found.filter((line) => line.startsWith(' '))).toHaveLength(common(old, now));
      }),
    );
  });

  it('is one block where there are more combinations of lines than are looked at', () => {
    const lines = (name: string, count: number) => [
      ...Array.from({ length: count - 1 }, (_, index) => `${name} ${index}`),
      'in both',
      name,
    ];
    const common = (now: readonly string[]) =>
      difference(lines('old', 1999), now).filter(({ sign }) => sign === ' ').length;
    expect(common(lines('new', 1999))).toBe(1);
    expect(common(lines('new', 2000))).toBe(0);
  });
});
