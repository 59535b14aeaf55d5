import type { Source } from '../eks';

/** A text that is equal for equal places. */
export function keyOf(source: Source): string {
  // What never was a file has all its places in the first line.
  const { file, line, column, property = '' } = source.locate();
  return `${line}:${column}:${property}:${file}`;
}
