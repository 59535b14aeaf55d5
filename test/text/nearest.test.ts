import { editDistance, meantName, nearestInWords, nearestName, SpellingIndex } from '../../lib/text/nearest';
import { itWithAll } from '../share';

const isMisspelt = (name: string, other: string): boolean => meantName(name, [other]) === other;

describe('the distance of two names', () => {
  it.each([
    ['json', 'json', 0],
    ['jsno', 'json', 1],
    ['mian', 'main', 1],
    ['ab', 'ba', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
    ['kab', 'mba', 2],
  ])('%s, %s: %d', (a, b, expected) => {
    expect(editDistance(a, b)).toBe(expected);
    expect(editDistance(b, a)).toBe(expected);
  });
});

describe('the nearest name', () => {
  it.each([
    ['jsno', ['text', 'json'], 'json'],
    ['HED', ['main', 'HEAD'], 'HEAD'],
    ['origin', ['origin/main'], 'origin/main'],
    ['xyz', ['json'], undefined],
    ['ab', ['ac'], 'ac'],
    ['ab', ['cd'], undefined],
    ['main', ['maintain', 'mail', 'main'], 'main'],
    ['limits', ['lists', 'limit'], 'limit'],
    // Two letters of six may differ, and two of five not.
    ['abcdef', ['abcdxy'], 'abcdxy'],
    ['abcde', ['abcxy'], undefined],
    ['options', ['rule', 'rules'], undefined],
    // A part is near if it is long enough to mean something.
    ['main', ['my-main-cluster'], 'my-main-cluster'],
    ['my-main-cluster', ['main'], 'main'],
    ['eks', ['my-eks-cluster'], undefined],
    ['', ['abcd'], undefined],
    ['a'.repeat(60), ['a'.repeat(59)], 'a'.repeat(59)],
    ['a'.repeat(61), ['a'.repeat(61)], undefined],
  ])('of %s', (name, candidates, expected) => {
    expect(nearestName(name, candidates)).toBe(expected);
  });
});

describe('a name that is meant to be another one', () => {
  it.each([
    ['hoplimit', 'HopLimit', true],
    ['HopLimit', 'HopLimit', false],
    ['HopLmiit', 'HopLimit', true],
    ['HopLimt', 'HopLimit', true],
    ['hopplimit', 'HopLimit', true],
    ['SubnetA', 'SubnetB', false],
    ['Hoplmt', 'HopLimit', false],
    ['HopLimi', 'HopLimit', false],
    ['Limits', 'Limit', false],
    ['pimiL', 'Limip', false],
    ['abxcd', 'abcd', true],
    ['abxc', 'abc', false],
    ['Node1Role', 'NodeRole', false],
    ['Node1Roel', 'Node1Role', true],
    ['ab', 'ba', true],
    [`${'a'.repeat(58)}bc`, `${'a'.repeat(58)}cb`, true],
    [`${'a'.repeat(59)}bc`, `${'a'.repeat(59)}cb`, false],
    [`${'a'.repeat(59)}bc`, `${'a'.repeat(59)}BC`, true],
    [`${'a'.repeat(30)}b${'a'.repeat(29)}`, 'a'.repeat(59), true],
    [`${'a'.repeat(30)}b${'a'.repeat(30)}`, 'a'.repeat(60), false],
  ])('%s, %s: %s', (name, other, expected) => {
    expect(isMisspelt(name, other)).toBe(expected);
    expect(isMisspelt(other, name)).toBe(expected);
  });
});

describe('the nearest of names that are made of words', () => {
  it.each([
    ['name_prefix', ['iam_role_use_name_prefix', 'name', 'use_name_prefix'], 'name'],
    ['description', ['iam_role_description', 'launch_template_description'], undefined],
    ['resolve_conflicts', ['resolve_conflicts_on_create', 'preserve'], 'resolve_conflicts_on_create'],
    ['http_put_response_hop_limt', ['http_put_response_hop_limit', 'http_tokens'], 'http_put_response_hop_limit'],
    ['lables', ['labels', 'launch_template_labels'], 'labels'],
    ['role_name', ['iam_role_name', 'name'], undefined],
  ])('%s of %j: %s', (name, candidates, expected) => {
    expect(nearestInWords(name, candidates)).toBe(expected);
  });
});

describe('an index of spellings', () => {
  it('finds what a comparison with each name finds, the first before others', () => {
    const names = [
      'ab',
      'abc',
      'acb',
      'abcde',
      'abcd',
      'abdce',
      'ABCDE',
      'xabcde',
      'abcdef',
      'a1',
      'a12',
      'node_count',
      'node_conut',
      '',
    ];
    const index = new SpellingIndex<number>();
    for (const [at, name] of names.entries()) index.add(name, at);
    for (const name of [...names, 'nodecount', 'node_counts', 'abcdx', 'bac', 'x'])
      expect([name, index.find(name)?.name]).toEqual([name, names.find((other) => isMisspelt(name, other))]);
  });

  itWithAll('looks at a few of many names that are alike', () => {
    const index = new SpellingIndex<number>();
    for (let at = 0; at < 30_000; at++) index.add(`variable_${at}`, at);
    let found = 0;
    for (let at = 0; at < 30_000; at++) if (index.find(`variabel_${at}`) !== undefined) found++;
    expect(found).toBe(30_000);
  });
});
