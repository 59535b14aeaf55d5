import type { FailOn } from '../../engine';
import { fails, isCrash } from '../../engine/fail-on';
import {
  MERGED_FORMATS,
  mergedSummary,
  mergeReports,
  MOST_RUNS,
  problemText,
  runCount,
  type MergedFormat,
  type MergedReport,
} from '../../reports/merged';
import { printableLine } from '../../reports/prose';
import { today } from '../../text/day';
import { packageVersion } from '../../version';
import { EXIT_CLEAN, EXIT_FINDINGS, EXIT_UNUSABLE } from '../parts/exit-code';
import { named } from './merge-names';
import { readReports } from './merge-reports';
import { refuseLosses } from '../output/output-places';
import { pairOutputs, type Output, type OutputArgument } from '../output/outputs';
import { terminalOf } from '../output/terminal';
import { UsageError } from '../parts/usage-error';
import { blocks, whyNotWritten, writeAtomically } from '../output/write-file';

/** The options of `merge` as the command line parser delivers them. */
export interface MergeArguments {
  readonly reports: readonly string[];
  readonly outputs: readonly OutputArgument[];
  readonly failOn?: FailOn;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}

type MergedOutput = Output & { readonly format: MergedFormat };

/**
 * Merges reports and prints what they come to. Gives the exit code, as a check of everything would.
 * @throws UsageError for a request that makes no sense
 */
export async function merge(given: MergeArguments): Promise<number> {
  const { failOn = 'error' } = given;
  const outputs = pairOutputs(given.outputs).map(mergedOutput);
  const { reports, problems, files, notes } = readReports(given.reports);
  refuseLosses(
    outputs.flatMap(({ format, file }) => (file === undefined ? [] : [{ file, what: `the ${format} report` }])),
    files.map((file) => ({ file, what: 'a report to merge' })),
  );
  const merged = mergeReports(await named(reports), problems);
  const isWritten = await write(merged, outputs, given);
  tell(merged, outputs);
  for (const note of notes) process.stderr.write(`${note}\n`);
  return isWritten ? exitCodeOf(merged, failOn) : EXIT_UNUSABLE;
}

function mergedOutput({ format, file }: Output): MergedOutput {
  if (Object.hasOwn(MERGED_FORMATS, format)) return { format: format as MergedFormat, file };
  throw new UsageError(
    `reports can't be merged into the format "${format}"; it takes ${Object.keys(MERGED_FORMATS).join(', ')}`,
  );
}

function exitCodeOf({ parts, problems }: MergedReport, failOn: FailOn): number {
  const findings = parts.flatMap((part) => part.findings);
  const isUnread = parts.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'));
  if (problems.length > 0 || isUnread || findings.some(isCrash)) return EXIT_UNUSABLE;
  return findings.some((finding) => fails(finding, failOn)) ? EXIT_FINDINGS : EXIT_CLEAN;
}

/** False if a file could not be written. */
async function write(
  merged: MergedReport,
  outputs: readonly MergedOutput[],
  { verbose = false, quiet = false, failOn = 'error' }: MergeArguments,
): Promise<boolean> {
  let isComplete = true;
  for (const { format, file } of outputs) {
    const terminal = terminalOf(process.stdout);
    const pieces = MERGED_FORMATS[format](merged, {
      version: packageVersion(),
      date: today(),
      ...(file === undefined ? terminal : { colour: false, width: terminal.width }),
      // What makes the command fail is always listed.
      list: {
        warning: !quiet || failOn === 'warning' || failOn === 'unverifiable',
        info: verbose,
        unverifiable: verbose || failOn === 'unverifiable',
        suppressed: verbose,
      },
    });
    if (file === undefined) for (const block of blocks(pieces)) process.stdout.write(block);
    else if (!(await writeFile(file, pieces))) isComplete = false;
  }
  return isComplete;
}

async function writeFile(file: string, pieces: Iterable<string>): Promise<boolean> {
  try {
    await writeAtomically(file, pieces);
    return true;
  } catch (error) {
    const reason = whyNotWritten(error);
    if (reason === undefined) throw error;
    process.stderr.write(`error: can't write ${printableLine(file)}: ${reason}\n`);
    return false;
  }
}

/** What the person who waits should see where no text is on the screen. */
function tell(merged: MergedReport, outputs: readonly MergedOutput[]): void {
  const onScreen = outputs.find(({ file }) => file === undefined);
  if (outputs.some(({ format }) => format === 'sarif') && runCount(merged) > MOST_RUNS)
    process.stderr.write(
      `note: code scanning of GitHub takes files with ${MOST_RUNS} runs, and this one has ${runCount(merged)}; upload the reports one by one\n`,
    );
  if (onScreen?.format === 'text') return;
  for (const problem of merged.problems) process.stderr.write(`error: ${printableLine(problemText(problem))}\n`);
  if (onScreen === undefined) process.stderr.write(`${mergedSummary(merged)}\n`);
}
