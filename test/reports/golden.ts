import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compares with a file in a folder's `golden`. UPDATE_GOLDEN=1 writes what is there now; the difference is read in review. */
export function expectGolden(name: string, actual: string, folder = __dirname): void {
  const file = join(folder, 'golden', name);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, actual);
  // As a file holds it, which has no halves of surrogate pairs.
  expect(Buffer.from(actual).toString()).toBe(readFileSync(file, 'utf8'));
}
