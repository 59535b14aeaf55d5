import fc from 'fast-check';
import { wrap } from '../../lib/reports/prose';
import { columnsOf, firstColumns, lastColumns } from '../../lib/text/columns';

describe('columnsOf', () => {
  it.each([
    ['', 0],
    ['HttpTokens: required', 20],
    ['日本', 4],
    ['한국', 4],
    ['ｗｉｄｅ', 8],
    ['é', 1],
    ['e\u0301', 1],
    ['e\u0300', 1],
    ['so\u00adft', 4],
    ['naïve – ünïcode', 15],
    ['🎉', 2],
    ['👩🏽', 2],
    ['👨\u200d👩\u200d👧', 2],
    ['🇩🇪', 2],
    ['\u200b', 0],
  ])('%s takes %i', (text, expected) => {
    expect(columnsOf(text)).toBe(expected);
  });
});

describe('parts of a line', () => {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', '日', '🎉', '\u0301', '\u200d', '🏽'), maxLength: 40 });

  it('fit, are as much as fits, and leave characters whole', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 0, max: 50 }), (text, room) => {
        const start = firstColumns(text, room);
        const end = lastColumns(text, room);
        expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
        for (const part of [start, end]) {
          expect(columnsOf(part)).toBeLessThanOrEqual(room);
          if (part !== text && columnsOf(text) > room) expect(columnsOf(part)).toBeGreaterThanOrEqual(room - 1);
          expect(part).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
        }
      }),
    );
  });

  it.each([
    ['HttpTokens', 4, 'Http', 'kens'],
    ['HttpTokens', 10, 'HttpTokens', 'HttpTokens'],
    ['HttpTokens', 11, 'HttpTokens', 'HttpTokens'],
    ['HttpTokens', 0, '', ''],
    ['HttpTokens', -1, '', ''],
    ['日本', 3, '日', '本'],
    ['日本', -1, '', ''],
    ['日本', 4, '日本', '日本'],
    // A mark stays with its letter.
    ['ab\u0301c', 1, 'a', 'c'],
    ['ab\u0301c', 2, 'ab\u0301', 'b\u0301c'],
    ['a👨\u200d👩\u200d👧b', 3, 'a👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧b'],
    ['a👨\u200d👩\u200d👧b', 2, 'a', 'b'],
  ])('%s in %i: %s … %s', (line, room, start, end) => {
    expect([firstColumns(line, room), lastColumns(line, room)]).toEqual([start, end]);
  });

  it('are found in time, however long the line is', () => {
    const long = '日'.repeat(100_000);
    expect(columnsOf(long)).toBe(200_000);
    expect(firstColumns(long, 9)).toBe('日'.repeat(4));
    expect(lastColumns(long, 9)).toBe('日'.repeat(4));
  });
});

describe('wrap', () => {
  it('counts columns, not characters', () => {
    expect(wrap('日本語 日本語 日本語', 13)).toEqual(['日本語 日本語', '日本語']);
    expect(wrap('a a\u0301 a', 5)).toEqual(['a a\u0301 a']);
  });
});
