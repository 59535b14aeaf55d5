import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Values that were looked at once, in a file of JSON, by the names of their cases. A snapshot of Jest's would need a suite of its own, for which all sources are
 * loaded once more. `UPDATE_GOLDEN=1` writes what the whole test file has now; the difference is read in review.
 */
export function goldenValues(file: string): (name: string, actual: unknown) => void {
  const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
  const asked: Record<string, unknown> = {};
  if (isUpdate)
    afterAll(() => {
      writeFileSync(file, `${JSON.stringify(asked, undefined, 2)}\n`);
    });
  return (name, actual) => {
    asked[name] = JSON.parse(JSON.stringify(actual));
    if (!isUpdate) expect(asked[name]).toEqual(known[name]);
  };
}
