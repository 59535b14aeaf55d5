/**
 * For the name of a test that is skipped where the machine lacks what it needs: `npm test` says at its end how many were skipped, and
 * why. Empty where nothing is lacking.
 */
export function skippedNote(lack: string | undefined): string {
  return lack === undefined ? '' : ` (skipped: ${lack})`;
}
