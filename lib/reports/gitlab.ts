import { createHash } from 'node:crypto';
import type { Diagnostic, Finding, Severity } from '../engine';
import { jsonText } from '../text/json-text';
import { alikeByPlace, messageOf } from './alike';
import type { Format } from './format';
import { isListed } from './listed';
import { Places } from './places';
import { printableLine } from './prose';
import { unjudged, unjudgedWithRules } from './unjudged';

/*
 * The code quality report of GitLab ("Code Quality report format" in its documentation): it compares the fingerprints of two branches, so these
 * stay the same while lines move. It knows no accepted findings: they are left out.
 */

/** An item of the report, with all that GitLab requires. */
interface CodeQualityIssue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const SEVERITIES: Readonly<Record<Severity, CodeQualityIssue['severity']>> = {
  error: 'critical',
  warning: 'minor',
  info: 'info',
};

export const gitlab: Format = {
  description: 'a code quality report for GitLab',
  *render(result, context) {
    const places = new Places(result, context);
    const identities = places.fingerprints();
    let separator = '[\n  ';
    for (const diagnostic of result.diagnostics) {
      if (diagnostic.severity !== 'error') continue;
      yield separator + jsonText(ofDiagnostic(diagnostic, places));
      separator = ',\n  ';
    }
    const listed = result.findings.filter(
      (finding) => finding.suppressed === undefined && isListed(finding, context.list),
    );
    const told = [
      ...alikeByPlace(
        listed.filter(({ verdict }) => verdict === 'fail'),
        result,
      ).map((alike) => ({ finding: alike.finding, message: messageOf(alike) })),
      ...unjudged(listed).map((one) => ({ finding: one.findings[0], message: unjudgedWithRules(one) })),
    ];
    for (const { finding, message } of told) {
      yield separator + jsonText(ofFinding(finding, message, identities.get(finding) ?? '', places));
      separator = ',\n  ';
    }
    yield separator.startsWith('[') ? '[]\n' : '\n]\n';
  },
};

function ofFinding(finding: Finding, message: string, fingerprint: string, places: Places): CodeQualityIssue {
  const { rule, fix, severity } = finding;
  const { file, line } = places.of(finding);
  return {
    description: printableLine(fix === '' ? message : `${message} Fix: ${fix}`),
    check_name: rule,
    fingerprint,
    severity: SEVERITIES[severity],
    location: { path: file, lines: { begin: line } },
  };
}

/** A diagnostic as an issue, of the highest severity: what could not be read was not checked. */
function ofDiagnostic(diagnostic: Diagnostic, places: Places): CodeQualityIssue {
  const { file, line } = places.ofDiagnostic(diagnostic);
  const description = printableLine(diagnostic.message);
  return {
    description,
    check_name: 'unreadable-input',
    fingerprint: createHash('sha256')
      .update(JSON.stringify([file, description]))
      .digest('hex')
      .slice(0, 32),
    severity: 'blocker',
    location: { path: file, lines: { begin: line } },
  };
}
