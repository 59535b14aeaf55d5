import type { CheckResult } from '../check';
import { fixFiles, type FixResult } from '../fix/run';
import { unifiedDiff } from '../fix/unified-diff';
import { printableLine } from '../report/prose';
import { position } from '../report/text';
import type { OutputArgument } from './outputs';
import { UsageError } from './usage-error';
import { whyNotWritten, writeAtomically } from './write-file';

/** The options of `check` that repair. */
export interface FixArguments {
  readonly fix?: boolean;
  readonly fixDryRun?: boolean;
}

/** A check, with what was repaired. */
export interface Fixed {
  readonly result: CheckResult;
  /** What would change, as a unified diff; undefined unless that is asked for. */
  readonly differences: string | undefined;
  /** What to tell about it, in lines. */
  readonly notes: readonly string[];
  /** False if a repair was undone or could not be written. */
  readonly isWritten: boolean;
}

/** @throws UsageError if the options don't fit together */
export function refuseUnfit({ fix, fixDryRun, paths, outputs, writeBaseline }: FixArguments & { readonly paths: readonly string[]; readonly outputs: readonly OutputArgument[]; readonly writeBaseline?: string }): void {
  if (fix !== true && fixDryRun !== true) return;
  const option = fix === true ? '--fix' : '--fix-dry-run';
  if (paths.includes('-')) throw new UsageError(`${option} changes files, not the standard input`);
  if (writeBaseline !== undefined) throw new UsageError(`${option} and --write-baseline don't go together: fix first, then write down what is left`);
  if (fixDryRun === true && outputs.filter(({ kind }) => kind === 'format').length > outputs.filter(({ kind, value }) => kind === 'output' && value !== '-').length) {
    throw new UsageError('--fix-dry-run prints the differences to standard output; add --output FILE to the report');
  }
}

/** Repairs what was found, if that is asked for. */
export async function withFixes(first: CheckResult, check: () => Promise<CheckResult>, { fix, fixDryRun }: FixArguments): Promise<Fixed> {
  if (fix !== true && fixDryRun !== true) return { result: first, differences: undefined, notes: [], isWritten: true };
  const isDryRun = fix !== true;
  const fixed = await fixFiles(first, { check, write: (file, text) => writeAtomically(file, [text]), whyNotWritten, isDryRun });
  const differences = isDryRun ? fixed.files.map(({ file, before, after }) => unifiedDiff(file, before, after)).join('') : undefined;
  return { result: fixed.result, differences, notes: notesOf(fixed, isDryRun), isWritten: fixed.undone.length === 0 };
}

function notesOf({ files, refused, undone }: FixResult, isDryRun: boolean): string[] {
  const findings = files.reduce((sum, file) => sum + file.findings.length, 0);
  const verb = isDryRun ? 'would fix' : 'fixed';
  const summary = findings === 0 ? `${verb} nothing` : `${verb} ${count(findings, 'finding')} in ${count(files.length, 'file')}: ${files.map(({ file }) => file).join(', ')}`;
  return [
    summary,
    ...undone.map(({ file, reason }) => `error: ${file} is left as it was: ${reason}`),
    ...refused.map(({ finding, reason }) => `not fixed: ${position(finding.source.locate())} ${finding.rule}: ${reason}`),
  ].map(printableLine);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
