import { isAbsolute, relative, resolve } from 'node:path';
import { applyBaseline, baselineOf, baselineText, parseBaseline, type Baseline, type BaselineEntry } from '../baseline';
import type { CheckResult } from '../check';
import { summarize, type Configuration } from '../engine';
import { readText } from '../readers/paths';
import { printableLine } from '../report/prose';
import { UsageError } from './usage-error';
import { whyNotWritten, writeAtomically } from './write-file';

/** The options of baselines. */
export interface BaselineArguments {
  readonly baseline?: string;
  readonly writeBaseline?: string;
}

/** A check with a baseline applied to it. */
export interface Baselined {
  readonly result: CheckResult;
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
  const content = readText(file);
  if ('problem' in content) throw new UsageError(`can't read the baseline ${printableLine(file)}: ${content.problem}; write it with --write-baseline ${printableLine(file)}`);
  const baseline = parseBaseline(content.text, file);
  if ('message' in baseline) throw new UsageError(printableLine(`${baseline.file}:${baseline.line}:${baseline.column}: ${baseline.message}`));
  return baseline;
}

/** Writes the baseline, if that is asked for, and applies it. */
export async function withBaseline(result: CheckResult, paths: readonly string[], configuration: Configuration, known: Baseline | undefined, { baseline: knownFile = '', writeBaseline: file }: BaselineArguments): Promise<Baselined> {
  if (file === undefined) return known === undefined ? { result, notes: [], isWritten: true } : checkedAgainst(known, knownFile, result, paths, configuration);
  // What wasn't read would be missing, and fail the next check.
  if (hasUnread(result)) return { result, notes: [`error: the baseline ${printableLine(file)} isn't written, because not everything was read`], isWritten: false };
  const baseline = baselineOf(result.findings);
  try {
    await writeAtomically(file, baselineText(baseline));
  } catch (error) {
    const reason = whyNotWritten(error);
    if (reason === undefined) throw error;
    return { result, notes: [`error: can't write ${printableLine(file)}: ${reason}`], isWritten: false };
  }
  const { length } = baseline.entries;
  return { result: withFindings(result, applyBaseline(result.findings, baseline).findings), notes: [`${length === 1 ? '1 finding' : `${length} findings`} written to ${printableLine(file)}`], isWritten: true };
}

function checkedAgainst(baseline: Baseline, file: string, result: CheckResult, paths: readonly string[], configuration: Configuration): Baselined {
  const isRun = ({ rule }: BaselineEntry): boolean => {
    const setting = configuration.rules?.[rule];
    return (typeof setting === 'string' ? setting : setting?.level) !== 'off';
  };
  const checked = [...paths, ...result.inputs.map(({ path }) => path)];
  const { findings, gone } = applyBaseline(result.findings, baseline, (entry) => isRun(entry) && checked.some((path) => isWithin(entry.file, path)));
  const n = gone.length;
  const notes = n === 0 || hasUnread(result) ? [] : [`Fixed: ${n === 1 ? '1 entry' : `${n} entries`} of the baseline can go. Run with --write-baseline ${printableLine(file)} to remove ${n === 1 ? 'it' : 'them'}.`];
  return { result: withFindings(result, findings), notes, isWritten: true };
}

function withFindings(result: CheckResult, findings: CheckResult['findings']): CheckResult {
  return { ...result, findings, summary: summarize(findings) };
}

function hasUnread({ diagnostics }: CheckResult): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

function isWithin(file: string, path: string): boolean {
  const inside = relative(resolve(path), resolve(file));
  return !inside.startsWith('..') && !isAbsolute(inside);
}
