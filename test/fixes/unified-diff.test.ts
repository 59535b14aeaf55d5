import { sep } from 'node:path';
import fc from 'fast-check';
import { runs } from '../share';
import { unifiedDiff } from '../../lib/fixes/unified-diff';

/** What `patch` makes of a text and a difference. */
function patched(text: string, difference: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  const parts = difference.split('\n').slice(2, -1);
  for (const [index, line] of parts.entries()) {
    const end = parts[index + 1]?.startsWith('\\') === true ? '' : '\n';
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk !== null) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      result.push(...lines.slice(at, start));
      at = start;
    } else if (line.startsWith('+')) result.push(line.slice(1) + end);
    else if (line.startsWith('-') || line.startsWith(' ')) {
      expect(lines[at]).toBe(line.slice(1) + end);
      if (line.startsWith(' ')) result.push(line.slice(1) + end);
      at++;
    }
  }
  return [...result, ...lines.slice(at)].join('');
}

it('shows a change with three lines around it', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', ''].join('\n');
  expect(unifiedDiff('./x/y.tf', before, before.replace('e', 'E'))).toBe(
    ['--- a/x/y.tf', '+++ b/x/y.tf', '@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h', ''].join('\n'),
  );
});

it('shows changes that are far from each other apart, and lines that stay in between', () => {
  const before = Array.from({ length: 30 }, (_, index) => `l${index + 1}\n`).join('');
  const after = before.replace('l2\n', 'l2\nm\nn\n').replace('l15\n', '').replace('l28\n', 'L28\n');
  expect(
    unifiedDiff('x', before, after)
      .split('\n')
      .filter((line) => !line.startsWith(' ')),
  ).toEqual([
    '--- a/x',
    '+++ b/x',
    '@@ -1,5 +1,7 @@',
    '+m',
    '+n',
    '@@ -12,7 +14,6 @@',
    '-l15',
    '@@ -25,6 +26,6 @@',
    '-l28',
    '+L28',
    '',
  ]);
  expect(unifiedDiff('x', 'a\nb\nc\nd\n', 'b\nx\nd\na\n').split('\n').slice(2)).toEqual([
    '@@ -1,4 +1,4 @@',
    '-a',
    ' b',
    '-c',
    '+x',
    ' d',
    '+a',
    '',
  ]);
});

it('shows changes that are near as one, and those that are not as two', () => {
  const text = (count: number) => Array.from({ length: count }, (_, index) => `l${index}\n`).join('');
  const hunks = (distance: number) =>
    unifiedDiff(
      'x',
      text(distance + 1),
      text(distance + 1)
        .replace('l0\n', 'X\n')
        .replace(`l${distance}\n`, 'Y\n'),
    ).match(/^@@/gm)?.length;
  expect([hunks(6), hunks(7), hunks(8)]).toEqual([1, 1, 2]);
});

it('is empty for equal texts, and tells when the last line has no end', () => {
  expect(unifiedDiff('x', 'a\n', 'a\n')).toBe('');
  expect(unifiedDiff('x', 'a', 'b\n')).toBe(
    ['--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+b', ''].join('\n'),
  );
});

it('writes names as git does', () => {
  const head = (file: string) => unifiedDiff(file, 'a\n', 'b\n').split('\n').slice(0, 2);
  expect(head('sp ace.yaml')).toEqual(['--- a/sp ace.yaml\t', '+++ b/sp ace.yaml\t']);
  // On Windows it divides folders.
  if (sep === '/') expect(head('a\\b.yaml')).toEqual(['--- "a/a\\\\b.yaml"', '+++ "b/a\\\\b.yaml"']);
  expect(head('ä.yaml')).toEqual(['--- a/ä.yaml', '+++ b/ä.yaml']);
  expect(head('a"b\nc')).toEqual(['--- "a/a\\"b\\012c"', '+++ "b/a\\"b\\012c"']);
});

it('gives the new text when it is applied', () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 25 }), fc.constantFrom('', '\n'))
    .map(([lines, end]) => (lines.length === 0 ? '' : lines.join('\n') + end));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(patched(before, unifiedDiff('x', before, after))).toBe(after);
    }),
    { numRuns: runs(300) },
  );
});
