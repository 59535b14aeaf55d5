import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AS_OF } from '../as-of';
import { checkPaths, type CheckResult } from '../../lib/check';
import { withFixes } from '../../lib/cli/fix/fixing';
import { withSuppressions } from '../../lib/cli/fix/suppressing';
import type { Texts } from '../../lib/fixes/run';

/** A file after `--fix` or `--suppress`, with what was told of it. */
interface Edited {
  readonly text: string;
  readonly notes: readonly string[];
  readonly before: CheckResult;
  readonly after: CheckResult;
}

/** Has the command change a file in a folder of its own, with others beside it. @param rule the one that is fixed or accepted; all if there is none */
export async function edited(
  text: string,
  options: { readonly unsafe?: boolean; readonly suppress?: boolean; readonly rule?: string },
  beside: Readonly<Record<string, string>> = {},
): Promise<Edited> {
  const folder = mkdtempSync(join(tmpdir(), 'edited-'));
  const file = join(folder, 'objects.yaml');
  const told = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    for (const [name, content] of Object.entries(beside)) writeFileSync(join(folder, name), content);
    writeFileSync(file, text);
    const check = (texts: Texts = new Map()) => Promise.resolve(checkPaths([folder], { asOf: AS_OF }, { texts }));
    const isWanted = ({ rule }: { readonly rule: string }) => options.rule === undefined || rule === options.rule;
    const decision = { suppress: true, reason: 'it is on purpose', until: '2027-06-30' };
    const before = await check();
    const made =
      options.suppress === true
        ? await withSuppressions(before, check, decision, isWanted)
        : await withFixes(before, check, { fix: true, ...options }, isWanted);
    const notes = (made?.notes ?? []).map((note) => note.replaceAll(folder, ''));
    return { text: readFileSync(file, 'utf8'), notes, before, after: await check() };
  } finally {
    told.mockRestore();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The rules of findings that are open. */
export function rulesIn({ findings }: CheckResult): readonly string[] {
  return findings.flatMap(({ verdict, suppressed, rule }) =>
    verdict === 'fail' && suppressed === undefined ? [rule] : [],
  );
}
