import type { Finding } from '../../engine';
import { directiveText } from '../../languages/comments/directive';
import { unifiedDiff } from '../../fixes/unified-diff';
import { count, printableLine } from '../../reports/prose';
import { withComment } from '../../user-data/decisions';
import { tidy, type SuppressArguments } from '../fix/suppressing';
import { whyNotWritten, writeAtomically } from '../output/write-file';

/** A lone file of user data, and what is found in it. */
interface FoundUserData {
  readonly file: string;
  readonly text: string;
  /** How many characters stand before the first part: headers of a MIME document. */
  readonly begin: number;
  readonly findings: readonly Finding[];
  /** What would be found in another text. */
  readonly findingsIn: (text: string) => readonly Finding[];
}

export interface SuppressedUserData {
  readonly findings: readonly Finding[];
  /** What would change, as a unified diff. @default - that isn't asked for */
  readonly differences?: string;
  readonly note: string;
  readonly isWritten: boolean;
}

/** Accepts what was found in a file of user data, by one comment that holds for all of it. */
export async function suppressUserData(
  { file, text, begin, findings, findingsIn }: FoundUserData,
  { suppress, reason = '', until }: SuppressArguments,
): Promise<SuppressedUserData> {
  const isDryRun = suppress !== true;
  const verb = isDryRun ? 'would suppress' : 'suppressed';
  const open = findings.filter(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined);
  const rules = [...new Set(open.map(({ rule }) => rule))];
  const left = { findings, isWritten: true, ...(isDryRun ? { differences: '' } : {}) };
  if (rules.length === 0) return { ...left, note: `${verb} nothing` };
  const changed = withComment(text, begin, `# ${directiveText(rules, tidy(reason), until)}`);
  const after = findingsIn(changed);
  // JSON has no comments, though it is read as YAML.
  if (/^\s*\{/.test(text) || after.some(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined))
    return { ...left, note: printableLine(`not suppressed: a comment in ${file} would not cover it`) };
  const note = printableLine(`${verb} ${count(open.length, 'finding')} in 1 file: ${file}`);
  if (isDryRun) return { ...left, differences: unifiedDiff(file, text, changed), note };
  try {
    await writeAtomically(file, [changed]);
  } catch (error) {
    const why = whyNotWritten(error);
    if (why === undefined) throw error;
    return { findings, note: printableLine(`error: can't write ${file}: ${why}`), isWritten: false };
  }
  return { findings: after, note, isWritten: true };
}
