import { capitalized, inWords, listOf } from '../../lib/text/in-words';

const names = (count: number) => Array.from('abcdefg').slice(0, count);

describe('names in a sentence', () => {
  it.each([
    [0, '', ''],
    [1, 'a', 'a'],
    [2, 'a and b', 'a and b'],
    [3, 'a, b and c', 'a, b and c'],
    [5, 'a, b, c, d and e', 'a, b, c, d and e'],
    [6, 'a, b, c, d, e and 1 more', 'a, b, c, d, e and f'],
    [7, 'a, b, c, d, e and 2 more', 'a, b, c, d, e and 2 more'],
  ])('%i of them: %s, and in a message of a rule %s', (count, words, list) => {
    expect([inWords(names(count)), listOf(names(count))]).toEqual([words, list]);
  });

  it('begin it with a capital, if there are any', () => {
    expect(['nodes of a', ''].map(capitalized)).toEqual(['Nodes of a', '']);
  });
});
