import { existsSync } from 'node:fs';
import {
  applyBaseline,
  baselineOf,
  baselineText,
  inOrder,
  parseBaseline,
  type Baseline,
  type BaselineEntry,
} from '../../baseline';
import type { CheckResult } from '../../check';
import { isCrash, summarize, type Configuration, type PlaceOf } from '../../engine';
import { readNamed } from '../../front-ends/near-path';
import { printableLine } from '../../reports/prose';
import { IS_INPUT } from '../output/output-places';
import { UsageError } from '../parts/usage-error';
import { whyNotWritten, writeAtomically } from '../output/write-file';

/** The options of baselines. */
export interface BaselineArguments {
  readonly baseline?: string;
  readonly writeBaseline?: string;
}

/** What a baseline is applied to besides the findings. */
export interface BaselineScope {
  /** What was to be checked, as the user named it. */
  readonly paths: readonly string[];
  readonly configuration: Configuration;
  readonly placeOf: PlaceOf;
  /** Whether the check has read a file. */
  readonly isInput: (file: string) => boolean;
}

/** A check with a baseline applied to it. */
export interface Baselined {
  readonly result: CheckResult;
  /** Entries whose finding is gone. */
  readonly gone: readonly BaselineEntry[];
  /** What to tell about the baseline, in lines. */
  readonly notes: readonly string[];
  /** False if the baseline was to be written, and could not be. */
  readonly isWritten: boolean;
}

/**
 * The baseline to check against, or the one that is about to be written anew; undefined if there is none.
 * @throws UsageError if it can't be read, with the place
 */
export function readBaseline({ baseline, writeBaseline }: BaselineArguments): Baseline | undefined {
  const file = baseline ?? writeBaseline;
  if (file === undefined || (writeBaseline !== undefined && !existsSync(file))) return undefined;
  const content = readNamed(file);
  if ('problem' in content)
    throw new UsageError(
      `can't read the baseline ${printableLine(file)}: ${content.problem}${content.problem.endsWith('?') ? ' If not,' : ';'} write it with --write-baseline ${printableLine(file)}`,
    );
  const read = parseBaseline(content.text, file);
  if (!('message' in read)) return read;
  const place = `${read.file}:${read.line}:${read.column}: ${read.message}`;
  throw new UsageError(
    printableLine(
      writeBaseline === undefined
        ? place
        : `${place}; the baseline would replace this file: name another, or remove it if it is an old baseline`,
    ),
  );
}

/** Writes the baseline, if that is asked for, and applies it. Entries of a known one that this run didn't look at stay in it. */
export async function withBaseline(
  result: CheckResult,
  scope: BaselineScope,
  known: Baseline | undefined,
  { baseline: knownFile = '', writeBaseline: file }: BaselineArguments,
): Promise<Baselined> {
  if (file === undefined)
    return known === undefined
      ? { result, gone: [], notes: [], isWritten: true }
      : checkedAgainst(known, knownFile, result, scope);
  const failed = (reason: string): Baselined => ({ result, gone: [], notes: [`error: ${reason}`], isWritten: false });
  // What wasn't read would be missing, and fail the next check.
  if (hasUnread(result))
    return failed(
      `the baseline ${printableLine(file)} isn't written, because not everything was ${result.findings.some(isCrash) ? 'checked' : 'read'}`,
    );
  if (scope.isInput(file)) return failed(`can't write ${printableLine(file)}: ${IS_INPUT}`);
  const isChecked = checkTest(result, scope);
  const found = baselineOf(result.findings, scope.placeOf);
  const kept = (known?.entries ?? []).filter((entry) => !isChecked(entry));
  const baseline = inOrder([...found.entries, ...kept]);
  try {
    await writeAtomically(file, baselineText(baseline));
  } catch (error) {
    const reason = whyNotWritten(error);
    if (reason === undefined) throw error;
    return failed(`can't write ${printableLine(file)}: ${reason}`);
  }
  const { findings } = applyBaseline(result.findings, baseline, scope.placeOf);
  const rest = kept.length === 0 ? '' : `; ${counted(kept.length, 'entry', 'entries')} of what wasn't checked stayed`;
  const note = `${counted(found.entries.length, 'finding', 'findings')} written to ${printableLine(file)}${rest}`;
  return { result: withFindings(result, findings), gone: [], notes: [note], isWritten: true };
}

function checkedAgainst(baseline: Baseline, file: string, result: CheckResult, scope: BaselineScope): Baselined {
  const { findings, gone: missing } = applyBaseline(result.findings, baseline, scope.placeOf, checkTest(result, scope));
  // What isn't read may be where it was.
  const gone = hasUnread(result) ? [] : missing;
  const n = gone.length;
  const notes =
    n === 0
      ? []
      : [
          `Fixed: ${counted(n, 'entry', 'entries')} of the baseline can go. Run with --write-baseline ${printableLine(file)} to remove ${n === 1 ? 'it' : 'them'}.`,
        ];
  return { result: withFindings(result, findings), gone, notes, isWritten: true };
}

/** Whether a run looked at the finding of an entry, so that it would have found it. */
function checkTest(
  result: CheckResult,
  { paths, configuration, placeOf }: BaselineScope,
): (entry: BaselineEntry) => boolean {
  const checked = [...paths, ...result.inputs.map(({ path }) => path)].map(placeOf);
  return ({ rule, file }) => {
    const setting = configuration.rules?.[rule];
    return (
      (typeof setting === 'string' ? setting : setting?.level) !== 'off' &&
      checked.some((place) => isWithin(file, place))
    );
  };
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

function withFindings(result: CheckResult, findings: CheckResult['findings']): CheckResult {
  return { ...result, findings, summary: summarize(findings) };
}

function hasUnread({ diagnostics, findings }: CheckResult): boolean {
  return diagnostics.some(({ severity }) => severity === 'error') || findings.some(isCrash);
}

/** Of two places of a repository. */
function isWithin(file: string, folder: string): boolean {
  if (folder === '..') return true;
  return folder === '.' ? file !== '..' && !file.startsWith('../') : file === folder || file.startsWith(`${folder}/`);
}
