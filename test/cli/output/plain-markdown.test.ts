import { plainMarkdown } from '../../../lib/cli/output/plain-markdown';
import { ansiStyle, plainStyle } from '../../../lib/reports/style';

const plain = (markdown: string, width = 40) => plainMarkdown(markdown, width, plainStyle);

describe('plainMarkdown', () => {
  it.each([
    ['a heading', '## Why\n', 'Why\n'],
    [
      'a paragraph of several lines',
      'one two three\nfour five six seven eight nine ten\n',
      'one two three four five six seven eight\nnine ten\n',
    ],
    [
      'a list with long items',
      '- one two three four five six seven eight nine\n- b\n',
      '- one two three four five six seven\n  eight nine\n- b\n',
    ],
    ['a numbered list', '1. first\n2. second\n', '1. first\n2. second\n'],
    ['an item that goes on in the next line', '- one\n  two\n- three\n', '- one two\n- three\n'],
    [
      'a quote',
      '> one two three four five six seven eight nine\n',
      '> one two three four five six seven\n> eight nine\n',
    ],
    [
      'a code block',
      'before\n\n```yaml\na:\n\n  b: 1   #  x\n```\nafter\n',
      'before\n\n    a:\n\n      b: 1   #  x\nafter\n',
    ],
    ['emphasis', 'the **hop** *limit here* and 2 * 3 * 4\n', 'the hop limit here and 2 * 3 * 4\n'],
    ['code, with nothing in it taken for emphasis', 'a `**b** *c*` d\n', 'a `**b** *c*` d\n'],
    ['placeholders', 'Add-on \\<name> sets `<mode>`\n', 'Add-on <name> sets `<mode>`\n'],
    ['links', '[title](https://a) [https://b](https://b)\n', 'title: https://a https://b\n'],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |\n', '| a | b |\n|---|---|\n| 1 | 2 |\n'],
    ['a number sign in a text', 'the issue # 7 of\nC# code\n', 'the issue # 7 of C# code\n'],
    ['several empty lines', 'a\n\n\n\nb\n', 'a\n\nb\n'],
  ])('shows %s', (_, markdown, expected) => {
    expect(plain(markdown)).toBe(expected);
  });

  it('paints headings and code', () => {
    expect(plainMarkdown('# A\n\n```\nb\n```\n', 40, ansiStyle)).toBe(
      '\u001b[1mA\u001b[22m\n\n    \u001b[32mb\u001b[39m\n',
    );
  });
});
