import fc from 'fast-check';
import { runs } from '../../share';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { offsetInWritten } from '../../../lib/terraform/module/text-offset';

/** What stands in the file at the place of the character in front of which `before` stands in the value. */
function follow(written: string, mark: string): string | undefined {
  const text = `a {\n  x = ${written}\n}\n`;
  const file = hclFile(text, 'main.tf');
  const value = file.body.blocks[0]?.body.attributes[0]?.value;
  if (value?.kind !== 'literal' || typeof value.value !== 'string') throw new Error('no text');
  const place = file.place(value.range, 'x').inText?.(value.value, value.value.indexOf(mark)).locate();
  return place === undefined ? undefined : text.split('\n')[place.line - 1]?.slice(place.column - 1);
}

describe('a character of a text', () => {
  it.each([
    ['in quotes', '"abc MARK"', 'MARK"'],
    ['behind escapes', '"\\"a\\n\\\\ \\u00e9 MARK"', 'MARK"'],
    ['behind an escaped interpolation', '"$${a} %%{b} MARK"', 'MARK"'],
    ['in a heredoc', '<<EOT\n  one\n  MARK two\nEOT', 'MARK two'],
    ['in an indented heredoc', '<<-EOT\n    one\n      MARK two\n    EOT', 'MARK two'],
    ['behind a backslash in a heredoc', '<<-EOT\n    a \\\n    \\n MARK\n    EOT', 'MARK'],
  ])('%s is found', (_, written, expected) => {
    expect(follow(written, 'MARK')).toBe(expected);
  });

  it('is found wherever it is', () => {
    const line = fc.stringMatching(/^[a-z\\$%}" ]{0,12}$/);
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        fc.array(line, { maxLength: 5 }),
        fc.nat(6),
        (before, after, indent) => {
          const lines = [...before, 'MARK', ...after];
          expect(follow(`<<-EOT\n${lines.map((text) => `${' '.repeat(indent)}${text}`).join('\n')}\nEOT`, 'MARK')).toBe(
            'MARK',
          );
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('of a text that is written otherwise is the start', () => {
    expect(offsetInWritten('local.x', 'abc', 2)).toBe(0);
  });
});

it('problems have their places, and the rest is read', () => {
  const file = hclFile('a {\n  x = \n}\nb {}\n', 'main.tf');
  expect(file.diagnostics).toMatchObject([{ severity: 'error', file: 'main.tf', line: 2 }]);
  expect(file.body.blocks.map(({ type }) => type)).toEqual(['a', 'b']);
});
