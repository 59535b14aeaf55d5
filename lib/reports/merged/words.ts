import type { ListedFindings } from '../format';
import { isListed, LABELS } from '../listed';
import { count } from '../prose';
import { unreadIn, type MergedFinding, type MergedPart, type MergedReport, type ReportProblem } from './merged-report';

/** The head of the table of parts. */
export const PART_HEAD = ['Part', 'Errors', 'Warnings', 'Info', 'Unverifiable', 'Accepted', 'Not read'] as const;

/** A row of that table behind its name. */
export function partCounts(part: MergedPart): readonly number[] {
  return [...LABELS.map((label) => part.summary[label]), unreadIn(part)];
}

/** The last row of it. */
export function totalCounts({ parts }: MergedReport): readonly number[] {
  return parts
    .map(partCounts)
    .reduce((sum, row) => sum.map((number, index) => number + (row[index] ?? 0)), [0, 0, 0, 0, 0, 0]);
}

/** `2 errors, 3 unverifiable in 2 parts, 3 reports`. */
export function mergedSummary(report: MergedReport): string {
  const { summary, parts, problems } = report;
  const counts = [
    ...(summary.error > 0 ? [count(summary.error, 'error')] : []),
    ...(summary.warning > 0 ? [count(summary.warning, 'warning')] : []),
    ...(summary.info > 0 ? [`${summary.info} info`] : []),
    ...(summary.unverifiable > 0 ? [`${summary.unverifiable} unverifiable`] : []),
    ...(summary.suppressed > 0 ? [`${summary.suppressed} suppressed`] : []),
  ];
  const scope = `${count(parts.length, 'part')}, ${count(runCount(report), 'report')}`;
  const unread = problems.length === 0 ? '' : `. Not read: ${count(problems.length, 'report')}`;
  return `${counts.length === 0 ? 'No findings' : counts.join(', ')} in ${scope}${unread}`;
}

/** How many reports were read. */
export function runCount({ parts }: MergedReport): number {
  return parts.reduce((sum, { reports }) => sum + reports.length, 0);
}

/** The findings of a part that are listed one by one. */
export function listedOf({ findings }: MergedPart, list: ListedFindings): readonly MergedFinding[] {
  return findings.filter((finding) => isListed(finding, list));
}

/** What has not been read in a part, as sentences with their places. */
export function unreadOf({ diagnostics }: MergedPart): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

/** `reports/a.json:3:7 a list is missing`. */
export function problemText({ file, line, column, message }: ReportProblem): string {
  const at = line === undefined ? '' : `:${line}:${column ?? 1}`;
  return `${file}${at}: ${message}`;
}

/** What a finding is about and where. */
export function placeOf({ location: { file, line, column } }: MergedFinding): string {
  return `${file}:${line}:${column}`;
}

/** The words of a fix, without its code. */
export function fixWords({ fix }: MergedFinding): string {
  return fix.split('\n\n```')[0] ?? '';
}
