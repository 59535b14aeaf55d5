import type { ListedFindings } from '../format';
import { isListed, labelOf, LABELS, type Label } from '../listed';
import { count } from '../prose';
import {
  unreadIn,
  type MergedFinding,
  type MergedPart,
  type MergedReport,
  type ReadReport,
  type ReportProblem,
} from './merged-report';

/** The head of the table of parts. */
export const PART_HEAD = ['Part', 'Errors', 'Warnings', 'Info', 'Unverifiable', 'Accepted', 'Not read'] as const;

/** A number of a part; a report in SARIF tells of some findings only if it was asked to list them. */
interface PartCount {
  readonly known: number;
  /** There may be more. */
  readonly isOpen: boolean;
}

/** What SARIF lists on request alone. */
const ON_REQUEST: ReadonlySet<Label> = new Set(['info', 'unverifiable', 'suppressed']);

/** A row of that table behind its name. */
export function partCounts(part: MergedPart): readonly string[] {
  return countsOf(part).map(countText);
}

/** The last row of it. */
export function totalCounts({ parts }: MergedReport): readonly string[] {
  return parts
    .map(countsOf)
    .reduce(
      (sum, row) => sum.map((one, index) => plus(one, row[index])),
      Array<PartCount>(LABELS.length + 1).fill(NONE),
    )
    .map(countText);
}

const NONE: PartCount = { known: 0, isOpen: false };

function plus(one: PartCount, other = NONE): PartCount {
  return { known: one.known + other.known, isOpen: one.isOpen || other.isOpen };
}

function countsOf(part: MergedPart): readonly PartCount[] {
  return [
    ...LABELS.map((label) => ({
      known: part.summary[label],
      isOpen: part.reports.some((one) => leavesOut(one, label, part)),
    })),
    { known: unreadIn(part), isOpen: false },
  ];
}

/** Whether findings of a kind may be missing in a report: one that lists any of them lists all, and one in JSON that has all that this one has is of the same check. */
function leavesOut({ run, findings }: ReadReport, label: Label, { reports }: MergedPart): boolean {
  if (run === undefined || !ON_REQUEST.has(label) || findings.some((finding) => labelOf(finding) === label))
    return false;
  const whole = new Set(
    reports.flatMap((report) =>
      report.run === undefined ? report.findings.map(({ fingerprint }) => fingerprint) : [],
    ),
  );
  return findings.length === 0 || !findings.every(({ fingerprint }) => whole.has(fingerprint));
}

function countText({ known, isOpen }: PartCount): string {
  if (!isOpen) return String(known);
  return known === 0 ? 'not known' : `${known} or more`;
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
