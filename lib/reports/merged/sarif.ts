import { jsonText } from '../../text/json-text';
import { codeBlock, inline } from '../markdown-text';
import { pathUri } from '../places';
import { printable } from '../prose';
import { rulesOf } from '../rule-information';
import { descriptor, FINGERPRINT, HOME, LEVELS, lines, SCHEMA, TOOL, unlinked } from '../sarif';
import type { JsonDiagnostic, JsonLocation } from '../json';
import type { MergedFinding, MergedPart, MergedReport, ReadReport } from './merged-report';

/** Runs of one file that GitHub takes ("SARIF results exceed one or more limits"). */
export const MOST_RUNS = 20;

/**
 * A run for each report, which keeps what it has to say of the check. Its id begins with the name of the part, which GitHub makes a category of. What
 * an earlier run of the part has already found isn't in the later ones.
 */
export function* mergedSarif({ parts }: MergedReport, version: string): Iterable<string> {
  yield `{\n  "$schema": ${jsonText(SCHEMA)},\n  "version": "2.1.0",\n  "runs": `;
  yield* lines(parts.flatMap(runsOf), (run) => run(version), 4);
  yield '\n}\n';
}

function runsOf(part: MergedPart): ((version: string) => object)[] {
  const kept = new Set(part.findings);
  return part.reports.map((report, index) => (version) => ({
    ...(report.run === undefined ? runOf(report, version, kept) : withoutRepeated(report, kept)),
    automationDetails: { id: `${TOOL}/${part.name}${index === 0 ? '' : `#${index + 1}`}/` },
  }));
}

function withoutRepeated({ run, findings }: ReadReport, kept: ReadonlySet<MergedFinding>): object {
  return { ...run, results: run?.results.filter((_, index) => kept.has(findings[index] as MergedFinding)) };
}

function runOf(report: ReadReport, version: string, kept: ReadonlySet<MergedFinding>): object {
  const findings = report.findings.filter((finding) => kept.has(finding));
  const rules = rulesOf(findings);
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  const isSuppressing = findings.some(({ suppressed }) => suppressed !== undefined);
  return {
    tool: {
      driver: {
        name: TOOL,
        semanticVersion: report.version === '' ? version : report.version,
        informationUri: HOME,
        rules: rules.map(descriptor),
      },
    },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: {
      SRCROOT: { description: { text: 'The root of the repository, or the folder that the check ran in' } },
    },
    results: findings.map((finding) => resultOf(finding, indices.get(finding.rule) ?? -1, isSuppressing)),
    invocations: [
      {
        executionSuccessful: report.diagnostics.every(({ severity }) => severity !== 'error'),
        toolExecutionNotifications: report.diagnostics.map((diagnostic) => ({
          level: diagnostic.severity,
          message: { text: printable(diagnostic.message) },
          locations: [{ physicalLocation: physical(diagnostic) }],
        })),
      },
    ],
    artifacts: report.inputs.map(({ path }) => ({ location: address(path), roles: ['analysisTarget'] })),
  };
}

function resultOf(finding: MergedFinding, ruleIndex: number, isSuppressing: boolean): object {
  const { rule, severity, verdict, message, fix, fingerprint, resource, location, related, suppressed } = finding;
  const [words = '', code] = fix.split(/\n\n(?=```)/);
  const [, language = '', body = ''] = /^```(\w*)\n([^]*)\n```$/.exec(code ?? '') ?? [];
  return {
    ruleId: rule,
    ruleIndex,
    ...(verdict === 'unverifiable' ? { kind: 'review', level: 'none' } : { kind: 'fail', level: LEVELS[severity] }),
    message: {
      text: [unlinked(message), ...(words === '' ? [] : [`Fix: ${unlinked(words)}`])].join('\n\n'),
      markdown: [
        inline(message),
        ...(words === '' ? [] : [`**Fix:** ${inline(words)}`]),
        ...(code === undefined ? [] : [codeBlock(language, body)]),
      ].join('\n\n'),
    },
    locations: [
      {
        physicalLocation: physical(location),
        logicalLocations: [
          {
            name: resource.id,
            fullyQualifiedName: resource.path ?? resource.id,
            kind: 'resource',
            properties: {
              type: resource.type,
              ...(location.property === null ? {} : { property: location.property }),
            },
          },
        ],
      },
    ],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((other, index) => ({
            id: index + 1,
            physicalLocation: physical(other.location),
            message: { text: printable(other.message) },
          })),
        }),
    partialFingerprints: { [FINGERPRINT]: fingerprint },
    // Section 3.27.23: on all results of a run, or on none.
    ...(isSuppressing ? { suppressions: suppressed === undefined ? [] : [suppression(suppressed)] } : {}),
  };
}

function suppression({ reason, until }: NonNullable<MergedFinding['suppressed']>): object {
  return {
    // The JSON doesn't tell where the decision stands.
    kind: 'external',
    status: 'accepted',
    justification: reason,
    ...(until === undefined ? {} : { properties: { until } }),
  };
}

function physical({ file, line, column }: JsonLocation | JsonDiagnostic): object {
  return { artifactLocation: address(file), region: { startLine: line, startColumn: column } };
}

function address(path: string): object {
  const { uri, isRelative } = pathUri(path.replaceAll('\\', '/'));
  return isRelative ? { uri, uriBaseId: 'SRCROOT' } : { uri };
}
