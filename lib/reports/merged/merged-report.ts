import type { Finding, Summary } from '../../engine';
import { summarize } from '../../engine';
import type { JsonDiagnostic, JsonFinding, JsonInput } from '../json';
import { LABELS, labelOf } from '../listed';

/** A finding without what `--fix` would do about it, in files that aren't here. */
export type MergedFinding = Omit<JsonFinding, 'repair'>;

/** A report of a check, as it was read again. */
export interface ReadReport {
  /** As the user named it, or as it was found in a folder. */
  readonly file: string;
  /** Version of the tool that wrote it. */
  readonly version: string;
  /** The day that was given for the check, `YYYY-MM-DD`. @default - the day on which it ran */
  readonly asOf?: string;
  /** The part that a merged report is of. @default - the report doesn't tell, and its place does */
  readonly name?: string;
  readonly inputs: readonly JsonInput[];
  readonly findings: readonly MergedFinding[];
  readonly diagnostics: readonly JsonDiagnostic[];
  /** Of SARIF: the run as it stood there, so that nothing of it is lost in SARIF. @default - the report was JSON */
  readonly run?: SarifRun;
}

/** A run of SARIF, of which merging changes but the results. */
export interface SarifRun {
  readonly [key: string]: unknown;
  /** One for each finding, in their order. */
  readonly results: readonly unknown[];
}

/** What was found in a repository, or in a part of one. */
export interface MergedPart {
  readonly name: string;
  readonly reports: readonly ReadReport[];
  readonly inputs: readonly JsonInput[];
  /** Each once, the worst first. */
  readonly findings: readonly MergedFinding[];
  readonly diagnostics: readonly JsonDiagnostic[];
  readonly summary: Summary;
}

/** A report that could not be read. */
export interface ReportProblem {
  readonly file: string;
  /** 1-based. @default - it is about the file as a whole */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Several reports as one. */
export interface MergedReport {
  /** By name. */
  readonly parts: readonly MergedPart[];
  readonly problems: readonly ReportProblem[];
  readonly summary: Summary;
}

/** A report and the part that it belongs to. */
export type NamedReport = ReadReport & { readonly name: string };

/**
 * Puts the reports of each part together. What several of them found, as the jobs of a matrix do, is there once: with the fingerprint, of which
 * the worse counts, so that a decision that holds in one job hides nothing of another. Parts have nothing in common, however alike they are:
 * repositories made from one template have the same fingerprints.
 */
export function mergeReports(reports: readonly NamedReport[], problems: readonly ReportProblem[] = []): MergedReport {
  const byName = new Map<string, NamedReport[]>();
  for (const report of reports) {
    const known = byName.get(report.name);
    if (known === undefined) byName.set(report.name, [report]);
    else known.push(report);
  }
  const parts = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => partOf(name, of));
  return { parts, problems, summary: summarize(parts.flatMap(({ findings }) => findings)) };
}

function partOf(name: string, reports: readonly NamedReport[]): MergedPart {
  const findings = once(
    reports.flatMap((report) => report.findings),
    ({ fingerprint }) => fingerprint,
    rankOf,
  ).toSorted((a, b) => rankOf(a) - rankOf(b));
  return {
    name,
    reports,
    inputs: once(
      reports.flatMap(({ inputs }) => inputs),
      ({ path }) => path,
      ({ resources }) => -resources,
    ),
    findings,
    diagnostics: once(
      reports.flatMap(({ diagnostics }) => diagnostics),
      (diagnostic) => JSON.stringify(diagnostic),
      () => 0,
    ),
    summary: summarize(findings),
  };
}

/** Of what has the same key, the first of the lowest rank, where the first stood. */
function once<T>(items: readonly T[], keyOf: (item: T) => string, rank: (item: T) => number): T[] {
  const kept = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = kept.get(key);
    if (known === undefined || rank(item) < rank(known)) kept.set(key, item);
  }
  return [...kept.values()];
}

/** 0 is the worst. */
function rankOf(finding: Pick<Finding, 'severity' | 'verdict' | 'suppressed'>): number {
  return LABELS.indexOf(labelOf(finding));
}

/** Findings of a rule in all parts. */
export interface RuleCount {
  readonly rule: string;
  readonly docs: string;
  /** The worst that it has. */
  readonly severity: MergedFinding['severity'];
  readonly findings: number;
  readonly parts: number;
}

/** The rules that fail, those of the most parts first within a severity: what an organisation mends once and for all. */
export function ruleCounts({ parts }: MergedReport): readonly RuleCount[] {
  const counts = new Map<string, RuleCount & { readonly last: MergedPart }>();
  for (const part of parts)
    for (const finding of part.findings) {
      const { rule, docs, severity, verdict, suppressed } = finding;
      if (verdict !== 'fail' || suppressed !== undefined) continue;
      const known = counts.get(rule);
      counts.set(rule, {
        rule,
        docs: known?.docs ?? docs,
        severity:
          known === undefined || LABELS.indexOf(severity) < LABELS.indexOf(known.severity) ? severity : known.severity,
        findings: (known?.findings ?? 0) + 1,
        parts: (known?.parts ?? 0) + (known?.last === part ? 0 : 1),
        last: part,
      });
    }
  return [...counts.values()].sort(
    (a, b) =>
      LABELS.indexOf(a.severity) - LABELS.indexOf(b.severity) ||
      b.parts - a.parts ||
      b.findings - a.findings ||
      (a.rule < b.rule ? -1 : 1),
  );
}

/** How many errors there are in reading what a part consists of. */
export function unreadIn({ diagnostics }: MergedPart): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length;
}
