import { existsSync, statSync } from 'node:fs';
import { readText } from '../../files/read';
import { expandPattern, isPattern } from '../../front-ends/path-pattern';
import { readReport, type ReadReport, type ReportProblem } from '../../reports/merged';
import { printableLine } from '../../reports/prose';

/** A report, and what the user says of it. */
export interface GivenReport {
  readonly report: ReadReport;
  /** The part that the command line names. @default - it names none */
  readonly part?: string;
}

interface FoundReports {
  readonly reports: readonly GivenReport[];
  readonly problems: readonly ReportProblem[];
  /** All files that were read. */
  readonly files: readonly string[];
  /** What there is to say beside the reports. */
  readonly notes: readonly string[];
}

/** What a report in a folder may be called. */
const REPORTS = '**/*.{json,sarif}';

/** Reads what the command line names: files, folders and patterns, each with the name of its part in front where it has one. Never throws. */
export function readReports(given: readonly string[]): FoundReports {
  const reports: GivenReport[] = [];
  const problems: ReportProblem[] = [];
  const files = new Set<string>();
  let passedBy = 0;
  for (const argument of given) {
    const { part, path } = partIn(argument);
    const places = placesIn(path);
    for (const { file, isNamed } of places) {
      if (files.has(file)) continue;
      files.add(file);
      const read = readText(file);
      const result =
        'problem' in read
          ? { problem: { file, message: read.problem }, isForeign: false }
          : readReport(read.text, file);
      if ('reports' in result) {
        reports.push(...result.reports.map((report) => ({ report, ...(part === undefined ? {} : { part }) })));
        problems.push(...(result.problems ?? []));
      } else if (isNamed || !result.isForeign) problems.push(result.problem);
      else passedBy++;
    }
    if (places.length === 0)
      problems.push({ file: path, message: isFolder(path) ? 'the folder holds no report' : whyNothing(path) });
  }
  const notes =
    passedBy === 0
      ? []
      : [
          passedBy === 1
            ? 'note: 1 file in the folders is no report, and was passed by'
            : `note: ${passedBy} files in the folders are no reports, and were passed by`,
        ];
  if (reports.length === 0 && problems.length === 0)
    problems.push({ file: given.map(printableLine).join(', '), message: 'there is no report of eks-guardrails' });
  return { reports, problems, files: [...files], notes };
}

/** `NAME=REPORT`, unless a file is called so. */
function partIn(argument: string): { readonly part?: string; readonly path: string } {
  const at = argument.indexOf('=');
  if (at < 1 || at === argument.length - 1 || existsSync(argument)) return { path: argument };
  return { part: argument.slice(0, at), path: argument.slice(at + 1) };
}

interface Place {
  readonly file: string;
  /** By itself or by a pattern; false for what a folder holds. */
  readonly isNamed: boolean;
}

function placesIn(path: string): readonly Place[] {
  if (isFolder(path)) return inFolder(path);
  if (existsSync(path) || !isPattern(path)) return [{ file: path, isNamed: true }];
  return expandPattern(path).paths.flatMap((found) =>
    isFolder(found) ? inFolder(found) : [{ file: found, isNamed: true }],
  );
}

function inFolder(folder: string): readonly Place[] {
  const below = folder.replaceAll(/[*?{}[\]\\]/g, '\\$&');
  return expandPattern(`${below}/${REPORTS}`)
    .paths.filter((file) => !isFolder(file))
    .map((file) => ({ file, isNamed: false }));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function whyNothing(pattern: string): string {
  return `nothing matches ${pattern}`;
}
