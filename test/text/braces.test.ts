import { MAX_ALTERNATIVES, withoutBraces } from '../../lib/text/braces';

describe('what a pattern with braces stands for', () => {
  it.each([
    ['a', ['a']],
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}/{c,d}', ['a/c', 'a/d', 'b/c', 'b/d']],
    ['a{b,{c,d}}', ['ab', 'ac', 'ad']],
    ['a{,s}', ['a', 'as']],
    ['{a,a}', ['a']],
    ['{$&,b}', ['$&', 'b']],
    ['{a}', ['{a}']],
    ['a,b', ['a,b']],
    ['{a,b', ['{a,b']],
    ['\\{a,b}', ['\\{a,b}']],
    // A backslash at the end of a choice takes the next brace as it is.
    ['{a\\,b}{c,d}', ['a\\{c,d}', 'bc', 'bd']],
  ])('%s', (pattern, all) => {
    expect(withoutBraces(pattern)).toEqual(all);
  });

  it('ends where it is more than anybody writes', () => {
    expect(withoutBraces('{a,b}'.repeat(9)).filter((one) => !one.includes('{'))).toHaveLength(2 * MAX_ALTERNATIVES);
    expect(withoutBraces('{a,b}'.repeat(40)).length).toBe(2 * MAX_ALTERNATIVES);
  });
});
