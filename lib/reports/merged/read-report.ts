import { parseJsonDocument } from '../../languages/json/json-document';
import type { JsonDiagnostic, JsonInput, JsonLocation } from '../json';
import { Field, FieldProblem } from './fields';
import type { MergedFinding, ReadReport, ReportProblem } from './merged-report';
import { readSarif } from './read-sarif';

/** What a file turned out to be. */
export type ReadFile =
  /** A merged report holds several. */
  | { readonly reports: readonly ReadReport[]; readonly problems?: readonly ReportProblem[] }
  /** `isForeign`: it is whole, but something else. */
  | { readonly problem: ReportProblem; readonly isForeign: boolean };

/** Reads a report in JSON or SARIF, or one that was merged from these. Never throws. */
export function readReport(text: string, file: string): ReadFile {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let root: Field;
  try {
    root = new Field(JSON.parse(content));
  } catch {
    return { problem: brokenJson(content, file), isForeign: false };
  }
  try {
    const reports = reportsIn(root, file);
    if (reports !== undefined) return { reports, problems: problemsIn(root, file) };
    const message = 'this is no report of eks-guardrails in JSON or SARIF';
    return { problem: { file, message }, isForeign: true };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const { line, column } = parseJsonDocument(content, file).locate(error.path);
    return { problem: { file, line, column, message: error.message }, isForeign: false };
  }
}

function brokenJson(content: string, file: string): ReportProblem {
  if (content.trim() === '') return { file, message: 'the file is empty' };
  const [broken] = parseJsonDocument(content, file).diagnostics;
  return broken === undefined
    ? { file, message: 'this is no JSON' }
    : { file, line: broken.line, column: broken.column, message: broken.message };
}

/** Undefined for what is something else. */
function reportsIn(root: Field, file: string): readonly ReadReport[] | undefined {
  if (root.at('runs').isThere) return readSarif(root, file);
  if (!root.at('version').isThere || !root.at('summary').isThere) return undefined;
  if (root.at('parts').isThere)
    return root.at('parts').items.map((part) => {
      const [first] = part.at('reports').items;
      return {
        ...contentOf(part),
        file,
        name: part.at('name').text,
        version: first?.at('version').text ?? root.at('version').text,
      };
    });
  if (!root.at('findings').isThere && !root.at('inputs').isThere) return undefined;
  const asOf = root.at('asOf').textIfAny;
  return [{ ...contentOf(root), file, version: root.at('version').text, ...(asOf === undefined ? {} : { asOf }) }];
}

/** What was missing from a merged report is missing from what is merged from it. */
function problemsIn(root: Field, file: string): readonly ReportProblem[] {
  return root.at('problems').itemsIfAny.map((problem) => ({
    file,
    message: `merged without ${problem.at('file').text}: ${problem.at('message').text}`,
  }));
}

function contentOf(report: Field): Pick<ReadReport, 'inputs' | 'findings' | 'diagnostics'> {
  return {
    inputs: report.at('inputs').items.map(inputOf),
    findings: report.at('findings').items.map(findingOf),
    diagnostics: report.at('diagnostics').items.map(diagnosticOf),
  };
}

function inputOf(input: Field): JsonInput {
  return {
    path: input.at('path').text,
    kind: input.at('kind').text,
    resources: input.at('resources').number(0),
  };
}

function findingOf(finding: Field): MergedFinding {
  const resource = finding.at('resource');
  const suppressed = finding.at('suppressed');
  const until = suppressed.at('until').textIfAny;
  return {
    rule: finding.at('rule').text,
    severity: finding.at('severity').oneOf('error', 'warning', 'info'),
    verdict: finding.at('verdict').oneOf('fail', 'unverifiable'),
    message: finding.at('message').text,
    fix: finding.at('fix').text,
    docs: finding.at('docs').text,
    fingerprint: finding.at('fingerprint').text,
    resource: {
      type: resource.at('type').text,
      id: resource.at('id').text,
      path: resource.at('path').textIfAny ?? null,
    },
    location: locationOf(finding.at('location')),
    related: finding.at('related').items.map((related) => ({
      message: related.at('message').text,
      location: locationOf(related.at('location')),
    })),
    ...(finding.at('notEnabled').value === true ? { notEnabled: true } : {}),
    ...(suppressed.isThere
      ? { suppressed: { reason: suppressed.at('reason').text, ...(until === undefined ? {} : { until }) } }
      : {}),
  };
}

function locationOf(location: Field): JsonLocation {
  return { ...placeOf(location), property: location.at('property').textIfAny ?? null };
}

function diagnosticOf(diagnostic: Field): JsonDiagnostic {
  return {
    severity: diagnostic.at('severity').oneOf('error', 'warning'),
    message: diagnostic.at('message').text,
    ...placeOf(diagnostic),
  };
}

function placeOf(place: Field): Pick<JsonLocation, 'file' | 'line' | 'column'> {
  return { file: place.at('file').text, line: place.at('line').number(1), column: place.at('column').number(1) };
}
