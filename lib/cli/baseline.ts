import { applyBaseline, baselineOf, baselineText, parseBaseline, type Baseline, type BaselineEntry } from '../baseline';
import type { CheckResult } from '../check';
import { isCrash, summarize, type Configuration, type PlaceOf } from '../engine';
import { readNamed } from '../readers/near-path';
import { printableLine } from '../report/prose';
import { IS_INPUT } from './output-places';
import { UsageError } from './usage-error';
import { whyNotWritten, writeAtomically } from './write-file';

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
 * The baseline to check against; undefined if there is none. One that is about to be written need not be there yet.
 * @throws UsageError if it can't be read, with the place
 */
export function readBaseline({ baseline: file, writeBaseline }: BaselineArguments): Baseline | undefined {
  if (file === undefined || writeBaseline !== undefined) return undefined;
  const content = readNamed(file);
  if ('problem' in content) throw new UsageError(`can't read the baseline ${printableLine(file)}: ${content.problem}${content.problem.endsWith('?') ? ' If not,' : ';'} write it with --write-baseline ${printableLine(file)}`);
  const baseline = parseBaseline(content.text, file);
  if ('message' in baseline) throw new UsageError(printableLine(`${baseline.file}:${baseline.line}:${baseline.column}: ${baseline.message}`));
  return baseline;
}

/** Writes the baseline, if that is asked for, and applies it. */
export async function withBaseline(result: CheckResult, scope: BaselineScope, known: Baseline | undefined, { baseline: knownFile = '', writeBaseline: file }: BaselineArguments): Promise<Baselined> {
  if (file === undefined) return known === undefined ? { result, gone: [], notes: [], isWritten: true } : checkedAgainst(known, knownFile, result, scope);
  const failed = (reason: string): Baselined => ({ result, gone: [], notes: [`error: ${reason}`], isWritten: false });
  // What wasn't read would be missing, and fail the next check.
  if (hasUnread(result)) return failed(`the baseline ${printableLine(file)} isn't written, because not everything was ${result.findings.some(isCrash) ? 'checked' : 'read'}`);
  if (scope.isInput(file)) return failed(`can't write ${printableLine(file)}: ${IS_INPUT}`);
  const baseline = baselineOf(result.findings, scope.placeOf);
  try {
    await writeAtomically(file, baselineText(baseline));
  } catch (error) {
    const reason = whyNotWritten(error);
    if (reason === undefined) throw error;
    return failed(`can't write ${printableLine(file)}: ${reason}`);
  }
  const { length } = baseline.entries;
  const { findings } = applyBaseline(result.findings, baseline, scope.placeOf);
  return { result: withFindings(result, findings), gone: [], notes: [`${length === 1 ? '1 finding' : `${length} findings`} written to ${printableLine(file)}`], isWritten: true };
}

function checkedAgainst(baseline: Baseline, file: string, result: CheckResult, { paths, configuration, placeOf }: BaselineScope): Baselined {
  const isRun = ({ rule }: BaselineEntry): boolean => {
    const setting = configuration.rules?.[rule];
    return (typeof setting === 'string' ? setting : setting?.level) !== 'off';
  };
  const checked = [...paths, ...result.inputs.map(({ path }) => path)].map(placeOf);
  const { findings, gone: missing } = applyBaseline(result.findings, baseline, placeOf, (entry) => isRun(entry) && checked.some((place) => isWithin(entry.file, place)));
  // What isn't read may be where it was.
  const gone = hasUnread(result) ? [] : missing;
  const n = gone.length;
  const notes = n === 0 ? [] : [`Fixed: ${n === 1 ? '1 entry' : `${n} entries`} of the baseline can go. Run with --write-baseline ${printableLine(file)} to remove ${n === 1 ? 'it' : 'them'}.`];
  return { result: withFindings(result, findings), gone, notes, isWritten: true };
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
