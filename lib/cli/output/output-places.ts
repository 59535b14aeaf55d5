import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { printableLine } from '../../reports/prose';
import { UsageError } from '../parts/usage-error';
import { refuseUnwritable, targetOf, whyNotWritten } from './write-file';

/** A file that is written or read, as the user names it, and what it is: "the baseline", "an input". */
export interface NamedFile {
  readonly file: string;
  readonly what: string;
}

/** Why a file is left alone of which only the check shows that it is read. */
export const IS_INPUT = 'it was read by this check, and what stands in it would be lost';

/**
 * Before anything is read: refuses what can't be written, what would take the place of something that is read, and two texts for one file.
 * @throws UsageError that says which
 */
export function refuseLosses(written: readonly NamedFile[], read: readonly NamedFile[]): void {
  for (const [index, { file, what }] of written.entries()) {
    const why = whyUnwritable(file);
    if (why !== undefined) throw new UsageError(`can't write ${printableLine(file)}: ${why}`);
    const source = read.find((other) => isSameFile(other.file, file));
    if (source !== undefined)
      throw new UsageError(
        `${what} would overwrite ${printableLine(file)}, which is ${source.what}; nothing was checked`,
      );
    const other = written.slice(0, index).find((one) => isSameFile(one.file, file));
    if (other !== undefined)
      throw new UsageError(
        `${other.what} and ${what} would both go to ${printableLine(file)}; give each a file of its own`,
      );
  }
}

function whyUnwritable(file: string): string | undefined {
  try {
    refuseUnwritable(file);
    return undefined;
  } catch (error) {
    const why = whyNotWritten(error);
    if (why === undefined) throw error;
    return why;
  }
}

/** Whether two paths lead to one file, which need not be there yet. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [statusOf(one), statusOf(other)];
  // Links are followed, which takes longer, only where that can tell something.
  if (a?.isFile() === true && b?.isFile() === true) return a.ino === b.ino && a.dev === b.dev;
  return targetIn(one) === targetIn(other);
}

function targetIn(file: string): string {
  try {
    return targetOf(file);
  } catch {
    return resolve(file);
  }
}

function statusOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
