/** Paths that one diagnostic names. */
const MOST_NAMED = 5;

/** The first of some paths, and how many more there are. */
export function someNames(paths: readonly string[]): string {
  return `${paths.slice(0, MOST_NAMED).join(', ')}${paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''}`;
}
