import { realpathSync } from 'node:fs';
import type { CheckResult } from '../../check';
import type { Finding } from '../../engine';
import { fixFiles, type FixResult, type Texts } from '../../fixes/run';
import type { RepairedFile } from '../../fixes/repairs';
import { unifiedDiff } from '../../fixes/unified-diff';
import { count, printableLine } from '../../reports/prose';
import { position } from '../../reports/summary';
import { isStandardOutput, type OutputArgument } from '../output/outputs';
import { patchNames } from './patch-names';
import { UsageError } from '../parts/usage-error';
import { whyNotWritten, writeAtomically } from '../output/write-file';

/** The options of `check` that repair. */
export interface FixArguments {
  readonly fix?: boolean;
  readonly fixDryRun?: boolean;
  /** Also repairs that need a decision. */
  readonly unsafe?: boolean;
}

/** A check, with what was repaired. */
export interface Fixed {
  readonly result: CheckResult;
  /** What would change, as a unified diff; undefined unless that is asked for. */
  readonly differences: string | undefined;
  /** What to tell about it, in lines. */
  readonly notes: readonly string[];
  /** False if a repair could not be written. */
  readonly isWritten: boolean;
}

/** What a run that writes has to fit to. */
export interface WritingArguments {
  readonly paths: readonly string[];
  readonly outputs: readonly OutputArgument[];
  readonly writeBaseline?: string;
}

/** @throws UsageError if the options don't fit together */
export function refuseUnfit({
  fix,
  fixDryRun,
  unsafe,
  paths,
  outputs,
  writeBaseline,
}: FixArguments & WritingArguments): void {
  if (fix !== true && fixDryRun !== true) {
    if (unsafe === true)
      throw new UsageError('--unsafe says what --fix may repair: add --fix, or --fix-dry-run to see it first');
    return;
  }
  const option = fix === true ? '--fix' : '--fix-dry-run';
  if (paths.includes('-')) throw new UsageError(`${option} changes files, not the standard input`);
  if (writeBaseline !== undefined)
    throw new UsageError(`${option} and --write-baseline don't go together: fix first, then write down what is left`);
  if (fixDryRun === true) refuseUnfitDryRun('--fix-dry-run', outputs);
}

/** @throws UsageError if a report would go where the differences go */
export function refuseUnfitDryRun(option: string, outputs: readonly OutputArgument[]): void {
  if (
    outputs.filter(({ kind }) => kind === 'format').length >
    outputs.filter(({ kind, value }) => kind === 'output' && !isStandardOutput(value)).length
  )
    throw new UsageError(`${option} prints the differences to standard output; add --output FILE to the report`);
}

/**
 * Repairs what was found, if that is asked for.
 * @param first all that was found, whatever of it is reported
 * @param isWanted whether a finding is to be repaired
 */
export async function withFixes(
  first: CheckResult,
  check: (texts: Texts) => Promise<CheckResult>,
  { fix, fixDryRun, unsafe }: FixArguments,
  isWanted?: (finding: Finding) => boolean,
): Promise<Fixed> {
  if (fix !== true && fixDryRun !== true) return { result: first, differences: undefined, notes: [], isWritten: true };
  const isDryRun = fix !== true;
  const fixed = await fixFiles(first, {
    check,
    write: (file, text) => writeAtomically(file, [text]),
    whyNotWritten,
    isDryRun,
    isUnsafe: unsafe === true,
    announce: tellUnsafe,
    ...(isWanted === undefined ? {} : { isWanted }),
  });
  const patch = isDryRun ? patchOf(fixed.files) : undefined;
  return {
    result: fixed.result,
    differences: patch?.text,
    notes: [...notesOf(fixed, isDryRun), ...(patch?.notes ?? [])],
    isWritten: fixed.unwritten.length === 0,
  };
}

/** What repairs that need a decision do to what runs, before they are written. */
function tellUnsafe(files: readonly RepairedFile[]): void {
  const byEffect = new Map<string, Set<string>>();
  for (const { effect, findings } of files.flatMap(({ jobs }) => jobs)) {
    if (effect === undefined) continue;
    const places = byEffect.get(effect) ?? new Set();
    byEffect.set(effect, places);
    for (const { resource, rule } of findings)
      places.add(`    ${position(resource.source.locate())} ${resource.path ?? resource.id} (${rule})`);
  }
  if (byEffect.size === 0) return;
  const lines = ['Unsafe repairs, and what each does when it is deployed:'];
  for (const [effect, places] of byEffect) lines.push(`  ${effect}:`, ...places);
  for (const line of lines) process.stderr.write(`${printableLine(line)}\n`);
}

export function patchOf(files: readonly RepairedFile[]): { readonly text: string; readonly notes: readonly string[] } {
  const { folder, nameOf } = patchNames(
    files.map(({ path }) => path),
    realpathSync(process.cwd()),
  );
  const text = files.map(({ path, before, after }) => unifiedDiff(nameOf(path), before, after)).join('');
  return {
    text,
    notes:
      folder === undefined ? [] : [printableLine(`the names in the differences begin at ${folder}: apply them there`)],
  };
}

function notesOf({ files, refused, unwritten }: FixResult, isDryRun: boolean): string[] {
  const findings = files.reduce(
    (sum, { jobs }) => sum + jobs.reduce((all, job) => all + (job.isFollowing === true ? 0 : job.findings.length), 0),
    0,
  );
  const verb = isDryRun ? 'would fix' : 'fixed';
  const summary =
    findings === 0
      ? `${verb} nothing`
      : `${verb} ${count(findings, 'finding')} in ${count(files.length, 'file')}: ${files.map(({ file }) => file).join(', ')}`;
  const notes = [
    summary,
    ...unwritten.map(({ file, reason }) => `error: can't write ${file}: ${reason}`),
    ...refused.map(
      ({ finding, reason }) => `not fixed: ${position(finding.source.locate())} ${finding.rule}: ${reason}`,
    ),
  ];
  // A block with several instances has a finding for each.
  return [...new Set(notes.map(printableLine))];
}
