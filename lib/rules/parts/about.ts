import type { SourceText } from '../../eks/user-data/source-text';

/** So much of a line tells it from others, in UTF-16 code units. */
const LONGEST = 500;

/** What stands in the line of a character: a finding in user data is known again by that, because the numbers of lines change. */
export function lineAt(source: SourceText, offset: number): string {
  const { text } = source;
  const start = offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  return source.show(start, Math.min(end < 0 ? text.length : end, start + LONGEST)).trim();
}

/** The names of what a finding is about, whatever order they are listed in. */
export function named(names: readonly string[]): string {
  return [...new Set(names)].sort().join(' ');
}
