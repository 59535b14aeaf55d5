import type { CheckResult } from '../check';
import type { Diagnostic, Finding } from '../engine';
import type { SourceLocation } from '../eks';
import { withoutCommandsInMarkup } from '../text/workflow-commands';
import type { Format, ReportContext } from './format';
import { isListed, labelOf } from './listed';
import { Places } from './places';
import { printable } from './prose';

/*
 * JUnit's XML as Jenkins, GitLab and others read it. There is no standard; this keeps to the elements and attributes that all of them know.
 *
 * A suite is a file. Its first case is that the file can be read: a clean check has passed cases then, where Jenkins takes a report without
 * cases for a failure. Each finding is a case of its own. GitLab drops all but the first of the cases with equal class and name, and compares
 * them with those of the target branch by these two, so names are unique and hold no lines.
 */

export const junit: Format = {
  description: 'JUnit XML, for the test reports of Jenkins, GitLab and others',
  *render(result, context) {
    yield* new JUnitReport(result, context).pieces();
  },
};

/** What one file has. */
interface Suite {
  readonly file: string;
  readonly isInput: boolean;
  readonly problems: Diagnostic[];
  readonly findings: { readonly finding: Finding; readonly place: SourceLocation }[];
}

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

class JUnitReport {
  private readonly places: Places;

  constructor(
    private readonly result: CheckResult,
    private readonly context: ReportContext,
  ) {
    this.places = new Places(result, context);
  }

  *pieces(): Iterable<string> {
    const suites = this.suites();
    const counts = suites.map((suite) => this.countsOf(suite));
    const total = (key: keyof Counts) => counts.reduce((sum, count) => sum + count[key], 0);
    yield '<?xml version="1.0" encoding="UTF-8"?>\n';
    yield `<testsuites${attributes({ name: 'eks-guardrails', tests: total('tests'), failures: total('failures'), errors: total('errors'), skipped: total('skipped'), time: 0 })}>\n`;
    for (const suite of suites) yield* this.suite(suite);
    yield '</testsuites>\n';
  }

  /** Inputs first, then other files that findings and problems are in. */
  private suites(): Suite[] {
    const suites = new Map<string, Suite>();
    const suiteOf = (file: string, isInput: boolean): Suite => {
      const suite = suites.get(file) ?? { file, isInput, problems: [], findings: [] };
      suites.set(file, suite);
      return suite;
    };
    for (const { path } of this.result.inputs)
      suiteOf(this.places.inRepository({ file: path, line: 1, column: 1 }).file, true);
    for (const diagnostic of this.result.diagnostics) {
      if (diagnostic.severity === 'error')
        suiteOf(this.places.ofDiagnostic(diagnostic).file, true).problems.push(diagnostic);
    }
    for (const finding of this.result.findings) {
      const place = this.places.of(finding);
      if (this.isCase(finding)) suiteOf(place.file, false).findings.push({ finding, place });
    }
    return [...suites.values()];
  }

  /** Suppressed and unverifiable findings are always listed: they become skipped tests, which don't fail the report. */
  private isCase(finding: Finding): boolean {
    return (
      finding.suppressed !== undefined || finding.verdict === 'unverifiable' || isListed(finding, this.context.list)
    );
  }

  private countsOf({ isInput, problems, findings }: Suite): Counts {
    const skipped = findings.filter(({ finding }) => isSkipped(finding)).length;
    const passed = findings.filter(({ finding }) => !isSkipped(finding) && finding.severity === 'info').length;
    return {
      tests: findings.length + (isInput ? 1 : 0),
      failures: findings.length - skipped - passed,
      errors: problems.length > 0 ? 1 : 0,
      skipped,
    };
  }

  private *suite(suite: Suite): Iterable<string> {
    const { file, isInput, problems, findings } = suite;
    yield `  <testsuite${attributes({ name: file, ...this.countsOf(suite), time: 0 })}>\n`;
    if (isInput)
      yield* testCase(
        'eks-guardrails.input',
        `${file} can be read`,
        file,
        problems.length === 0 ? '' : problem(problems, this.places),
      );
    const met = new Map<string, number>();
    for (const { finding, place } of findings) {
      const name = nameOf(finding, place);
      const key = `${finding.rule} ${name}`;
      const number = (met.get(key) ?? 0) + 1;
      met.set(key, number);
      yield* testCase(
        `eks-guardrails.${finding.rule}`,
        number === 1 ? name : `${name} (${number})`,
        file,
        outcome(finding, place, this.places),
      );
    }
    yield '  </testsuite>\n';
  }
}

function isSkipped({ suppressed, verdict }: Finding): boolean {
  return suppressed !== undefined || verdict === 'unverifiable';
}

/** The file is part of the name: two stacks may have resources of one name. */
function nameOf({ resource }: Finding, { file, property }: SourceLocation): string {
  return `${resource.path ?? resource.id}${property === undefined ? '' : ` ${property}`} in ${file}`;
}

function* testCase(className: string, name: string, file: string, content: string): Iterable<string> {
  const tag = `    <testcase${attributes({ classname: className, name, file, time: 0 })}`;
  yield content === '' ? `${tag}/>\n` : `${tag}>\n${content}    </testcase>\n`;
}

function outcome(finding: Finding, place: SourceLocation, places: Places): string {
  const { message, suppressed, severity } = finding;
  if (suppressed !== undefined) {
    const { reason, until } = suppressed;
    return `      <skipped${attributes({ message: `accepted${until === undefined ? '' : ` until ${until}`}: ${reason}` })}/>\n`;
  }
  if (isSkipped(finding)) return `      <skipped${attributes({ message })}/>\n`;
  const details = content(detailsOf(finding, place, places));
  if (severity === 'info') return `      <system-out>${details}</system-out>\n`;
  return `      <failure${attributes({ message, type: severity })}>${details}</failure>\n`;
}

/** GitLab shows this text alone, not the message beside it. */
function detailsOf(finding: Finding, place: SourceLocation, places: Places): string {
  const { rule, message, fix, fixCode, docs, related } = finding;
  return [
    `${labelOf(finding)} ${rule} ${positionOf(place)}`,
    message,
    ...(fix === '' ? [] : ['', `Fix: ${fix}`]),
    ...(fixCode === undefined ? [] : ['', fixCode.trimEnd()]),
    ...(related.length === 0 ? [] : ['']),
    ...related.map((other) => `Also: ${positionOf(places.inRepository(other.source.locate()))} ${other.message}`),
    ...(docs === '' ? [] : ['', docs]),
  ].join('\n');
}

function positionOf({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`;
}

function problem(problems: readonly Diagnostic[], places: Places): string {
  const text = problems
    .map((diagnostic) => `${positionOf(places.ofDiagnostic(diagnostic))} ${diagnostic.message}`)
    .join('\n');
  return `      <error${attributes({ message: problems[0]?.message ?? '', type: 'unreadable input' })}>${content(text)}</error>\n`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${content(String(value)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`)
    .join('');
}

/** Text as XML 1.0 may hold it: it has no way to write most control characters. */
function content(text: string): string {
  return withoutCommandsInMarkup(
    printable(text)
      .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;'),
  );
}
