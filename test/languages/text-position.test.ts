import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { runs } from '../share';
import { parseDocument } from '../../lib/languages';

/** What stands in the text at the place of a character of the string at `key`. */
function characterAt(text: string, file: string, offset: number): string | undefined {
  const place = parseDocument(text, file).locateInText(['key'], offset);
  return place === undefined ? undefined : text.split('\n')[place.line - 1]?.[place.column - 1];
}

/** Words that are in no other place of a text, so that a wrong place shows. */
const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'), {
  minLength: 1,
  maxLength: 12,
});
const separators = fc.constantFrom(' ', '\n', '\n\n', '\n  ', '  ', '\t', ': ', '"', "'", ' # ', '\\');

describe('the place of a character of a string', () => {
  it.each(['BLOCK_LITERAL', 'BLOCK_FOLDED', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'PLAIN'] as const)(
    'is right in YAML strings of style %s',
    (style) => {
      fc.assert(
        fc.property(words, fc.infiniteStream(separators), (list, stream) => {
          const value = list.reduce(
            (text, word) => (text === '' ? word : text + (stream.next().value as string) + word),
            '',
          );
          const text = stringify({ key: value, other: 1 }, { defaultStringType: style, lineWidth: 40 });
          const parsed = parseDocument(text, 'a.yaml');
          expect((parsed.root as { key: string }).key).toBe(value);
          for (const match of value.matchAll(/[a-z]+/g))
            expect(characterAt(text, 'a.yaml', match.index)).toBe(match[0][0]);
        }),
        { numRuns: runs(150) },
      );
    },
  );

  it('is right in JSON strings', () => {
    fc.assert(
      fc.property(words, fc.infiniteStream(separators), fc.boolean(), (list, stream, pretty) => {
        const value = list.reduce(
          (text, word) => (text === '' ? word : text + (stream.next().value as string) + word),
          '',
        );
        const text = JSON.stringify({ key: value, other: 1 }, undefined, pretty ? 2 : undefined);
        for (const match of value.matchAll(/[a-z]+/g))
          expect(characterAt(text, 'a.json', match.index)).toBe(match[0][0]);
      }),
      { numRuns: runs(150) },
    );
  });

  it.each([
    ['a.yaml', 'key: 5'],
    ['a.yaml', 'other: text'],
    ['a.json', '{"key": 5}'],
    ['a.json', '{"other": "text"}'],
  ])('is unknown where there is no string: %s %s', (file, text) => {
    const place = parseDocument(text, file).locateInText(['key'], 0);
    expect(place === undefined || text.startsWith('key: 5')).toBe(true);
  });
});
