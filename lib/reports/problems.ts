import type { Diagnostic } from '../engine';

/** Problems of one file that are told where not everything is listed: what is wrong with the first often causes the others. */
const MOST_PROBLEMS = 3;

export interface GatheredDiagnostic {
  readonly diagnostic: Diagnostic;
  /** Other places where the same is wrong. */
  readonly others: number;
  /** Problems of the same file that have no room. */
  readonly more: number;
}

export function alone(diagnostic: Diagnostic): GatheredDiagnostic {
  return { diagnostic, others: 0, more: 0 };
}

/** Problems with those that say the same elsewhere as one, and the first few of each file. */
export function gatheredProblems(diagnostics: readonly Diagnostic[]): readonly GatheredDiagnostic[] {
  const told = new Map<string, { readonly diagnostic: Diagnostic; others: number; more: number }>();
  const files = new Map<string, { last: { more: number }; number: number }>();
  for (const diagnostic of diagnostics) {
    const { severity, file, message } = diagnostic;
    const same = told.get(`${severity} ${message}`);
    const inFile = files.get(`${severity} ${file}`);
    if (same !== undefined) same.others++;
    else if (inFile !== undefined && inFile.number >= MOST_PROBLEMS) inFile.last.more++;
    else {
      const entry = { diagnostic, others: 0, more: 0 };
      told.set(`${severity} ${message}`, entry);
      files.set(`${severity} ${file}`, { last: entry, number: (inFile?.number ?? 0) + 1 });
    }
  }
  return [...told.values()];
}
