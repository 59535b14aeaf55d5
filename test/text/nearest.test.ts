import { editDistance, nearestName } from '../../lib/text/nearest';

describe('the distance of two names', () => {
  it.each([
    ['json', 'json', 0],
    ['jsno', 'json', 1],
    ['mian', 'main', 1],
    ['ab', 'ba', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
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
  ])('of %s', (name, candidates, expected) => {
    expect(nearestName(name, candidates)).toBe(expected);
  });
});
