import { codeLanguage } from '../text/code-language';
import type { CheckResult } from '../check';
import { isCrash, type Diagnostic, type Finding, type OfferedEdit, type RelatedPlace, type Severity } from '../engine';
import type { Resource, SourceLocation } from '../eks';
import { jsonText } from '../text/json-text';
import { alikeByPlace, messageOf as messageText, type Alike } from './alike';
import type { Format, ReportContext } from './format';
import { isListed } from './listed';
import { codeBlock, inline } from './markdown-text';
import { Places, pathUri } from './places';
import { printable } from './prose';
import { repairText } from './repairs';
import { rulesOf, type RuleInformation } from './rule-information';
import { webAddress } from './web-address';

/*
 * Static Analysis Results Interchange Format, version 2.1.0 (OASIS). Section numbers below are those of its text with errata 01.
 *
 * GitHub code scanning shows every result as an open alert: it knows neither kinds (what can't be told is no failure) nor suppressions.
 * So both are written only when they are asked for. Of the related places it shows those that the message links to.
 */

export const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
export const HOME = 'https://github.com/eks-guardrails/eks-guardrails';

/** What the tool is called in a run. */
export const TOOL = 'eks-guardrails';

/** Stands for the folder that relative addresses begin at. */
const ROOT = 'SRCROOT';

/** Name and version of our fingerprints; see `fingerprints`. */
export const FINGERPRINT = 'eksGuardrails/v1';

/**
 * The only one that GitHub reads. Its `upload-sarif` computes it from the line of the result and warns of one that is there with another value, but
 * keeps it (github/codeql-action, src/fingerprints.ts). So it is given only where the line is the whole file, and all results of a rule would be one alert.
 */
const LINE_HASH = 'primaryLocationLineHash';

export const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** How GitHub calls the severity of what is no security alert. */
const PROBLEM_SEVERITIES: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'recommendation',
};

export const sarif: Format = {
  description: 'for GitHub code scanning and other viewers of SARIF 2.1.0',
  *render(result, context) {
    yield* new SarifReport(result, context).pieces();
  },
};

class SarifReport {
  private readonly places: Places;
  /** Numbers of the files that were named so far, by path. */
  private readonly artifacts = new Map<string, number>();

  constructor(
    private readonly result: CheckResult,
    private readonly context: ReportContext,
  ) {
    this.places = new Places(result, context);
  }

  /** One rule, and one result, per line. Files are listed last: they are known when everything else is written. */
  *pieces(): Iterable<string> {
    const { version, list, rules: known } = this.context;
    const findings = this.result.findings.filter((finding) => isListed(finding, list));
    const rules = rulesOf(findings, known);
    const indices = new Map(rules.map(({ id }, index) => [id, index]));
    const identities = this.places.fingerprints();

    yield `{\n  "$schema": ${jsonText(SCHEMA)},\n  "version": "2.1.0",\n  "runs": [{\n    "tool": { "driver": {\n`;
    yield `      "name": ${jsonText(TOOL)},\n      "semanticVersion": ${jsonText(version)},\n      "informationUri": ${jsonText(HOME)},\n      "rules": `;
    yield* lines(rules, descriptor, 8);
    yield `\n    } },\n    "columnKind": "utf16CodeUnits",\n    "originalUriBaseIds": `;
    yield jsonText({
      [ROOT]: { description: { text: 'The root of the repository, or the folder that the check ran in' } },
    });
    yield ',\n    "results": ';
    // Viewers show a result at its place, where those of other resources would say it again.
    yield* lines(
      alikeByPlace(findings, this.result),
      (alike) => this.sarifResult(alike, indices.get(alike.finding.rule) ?? -1, identities.get(alike.finding) ?? ''),
      6,
    );
    yield ',\n    "invocations": [';
    yield jsonText({
      executionSuccessful:
        this.result.diagnostics.every(({ severity }) => severity !== 'error') && !this.result.findings.some(isCrash),
      toolExecutionNotifications: this.result.diagnostics.map((diagnostic) => this.notification(diagnostic)),
    });
    yield '],\n    "artifacts": ';
    for (const { path } of this.result.inputs)
      this.artifact(this.places.inRepository({ file: path, line: 1, column: 1 }).file);
    yield* lines([...this.artifacts.keys()], (path) => ({ location: address(path), roles: ['analysisTarget'] }), 6);
    yield '\n  }]\n}\n';
  }

  private sarifResult(alike: Alike, ruleIndex: number, fingerprint: string): object {
    const { finding, place, others } = alike;
    const { rule, verdict, severity, related, suppressed } = finding;
    const fixes = this.fixes(finding);
    return {
      ruleId: rule,
      ruleIndex,
      // Section 3.27.10: what is no failure has no level.
      ...(verdict === 'unverifiable' ? { kind: 'review', level: 'none' } : { kind: 'fail', level: LEVELS[severity] }),
      message: messageOf(alike, this.context),
      locations: [
        {
          physicalLocation: this.physicalLocation(place),
          logicalLocations: [finding, ...others].map(({ resource }) => logicalLocation(resource, place)),
        },
      ],
      ...(related.length === 0
        ? {}
        : { relatedLocations: related.map((other, index) => this.relatedLocation(other, index + 1)) }),
      ...fixes,
      partialFingerprints: {
        [FINGERPRINT]: fingerprint,
        ...(this.places.isOneLine(place) ? { [LINE_HASH]: fingerprint } : {}),
      },
      // Section 3.27.23: on all results of a run, or on none.
      ...(this.context.list.suppressed
        ? {
            suppressions:
              suppressed === undefined ? [] : [suppression(suppressed, finding.isSuppressedOutside === true)],
          }
        : {}),
    };
  }

  /** Section 3.55. */
  private fixes(finding: Finding): { fixes?: readonly object[] } {
    const { safety, effect, edits = [] } = this.context.repairs?.withEdits(finding) ?? {};
    if (edits.length === 0) return {};
    const { file } = this.places.inRepository(finding.resource.source.locate());
    const artifactChanges = [
      {
        artifactLocation: { ...address(file), index: this.artifact(file) },
        replacements: edits.map(replacement),
      },
    ];
    const fix = unlinked(finding.fix);
    const text = safety === 'unsafe' ? `Unsafe, because it ${effect ?? 'needs a decision'}: ${fix}` : fix;
    return { fixes: [{ description: { text }, artifactChanges }] };
  }

  private relatedLocation({ message, source }: RelatedPlace, id: number): object {
    return { id, physicalLocation: this.physicalLocation(source.locate()), message: { text: printable(message) } };
  }

  private physicalLocation(place: SourceLocation): object {
    const { file, line, column } = this.places.inRepository(place);
    const endColumn = this.places.endColumn(place);
    return {
      artifactLocation: { ...address(file), index: this.artifact(file) },
      region: { startLine: line, startColumn: column, ...(endColumn === undefined ? {} : { endColumn }) },
    };
  }

  private notification(diagnostic: Diagnostic): object {
    const { file, line, column } = diagnostic;
    return {
      level: diagnostic.severity,
      message: { text: printable(diagnostic.message) },
      locations: [{ physicalLocation: this.physicalLocation({ file, line, column }) }],
    };
  }

  private artifact(path: string): number {
    const known = this.artifacts.get(path);
    if (known !== undefined) return known;
    const index = this.artifacts.size;
    this.artifacts.set(path, index);
    return index;
  }
}

export function descriptor({ id, severity, title, docs, subject, help }: RuleInformation): object {
  const address = webAddress(docs);
  const link =
    docs === ''
      ? []
      : [address === undefined ? `Documentation: ${inline(docs)}` : `[Documentation of ${id}](${address})`];
  const markdown = [...(help === '' ? [] : [help]), ...link].join('\n\n');
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: `${title}.` },
    ...(address === undefined ? {} : { helpUri: address }),
    help: {
      text: docs === '' ? `${title}.` : `${title}. Documentation: ${docs}`,
      ...(markdown === '' ? {} : { markdown }),
    },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['eks', 'kubernetes', subject], 'problem.severity': PROBLEM_SEVERITIES[severity] },
  };
}

/** The first sentence tells what is wrong; the fix and links to the related places follow. */
function messageOf(alike: Alike, context: ReportContext): object {
  const { fix, fixCode, related, resource } = alike.finding;
  const repair = repairText(alike.finding, context);
  const message = messageText(alike);
  const links = related.map(
    (other, index) => `[${printable(other.message).replaceAll(/[\\[\]]/g, '\\$&')}](${index + 1})`,
  );
  const markdownLinks = related.map((other, index) => `- [${inline(other.message)}](${index + 1})`);
  return {
    text: [
      unlinked(message),
      ...(fix === '' ? [] : [`Fix: ${unlinked(fix)}`]),
      ...(repair === '' ? [] : [`${repair}.`]),
      ...(links.length === 0 ? [] : [`See: ${links.join(', ')}`]),
    ].join('\n\n'),
    markdown: [
      inline(message),
      ...(fix === '' ? [] : [`**Fix:** ${inline(fix)}`]),
      ...(repair === '' ? [] : [inline(`${repair}.`)]),
      ...(fixCode === undefined ? [] : [codeBlock(codeLanguage(fixCode, resource.dialect.fixes.language), fixCode)]),
      ...(markdownLinks.length === 0 ? [] : [markdownLinks.join('\n')]),
    ].join('\n\n'),
  };
}

/** Names come from templates: what looks like a link in plain text (section 3.11.6) must not become one. */
export function unlinked(text: string): string {
  return printable(text).replaceAll('](', '] (');
}

function logicalLocation({ id, path, stack, type }: Resource, { property }: SourceLocation): object {
  return {
    name: id,
    fullyQualifiedName: path ?? (stack === '' ? id : `${stack}/${id}`),
    kind: 'resource',
    properties: { type, ...(property === undefined ? {} : { property }) },
  };
}

function suppression({ reason, until }: NonNullable<Finding['suppressed']>, isOutside: boolean): object {
  return {
    kind: isOutside ? 'external' : 'inSource',
    status: 'accepted',
    justification: reason,
    ...(until === undefined ? {} : { properties: { until } }),
  };
}

/** Whole lines have no columns, so that whoever counts these in bytes reads the same. */
function replacement({ start, end, isWhole, text }: OfferedEdit): object {
  const lines = { startLine: start.line, ...(isWhole && start.line === end.line ? {} : { endLine: end.line }) };
  return {
    deletedRegion: isWhole ? lines : { ...lines, startColumn: start.column, endColumn: end.column },
    insertedContent: { text },
  };
}

/** Section 3.4.4: only a relative address has a base. */
function address(path: string): { uri: string; uriBaseId?: string } {
  const { uri, isRelative } = pathUri(path);
  return isRelative ? { uri, uriBaseId: ROOT } : { uri };
}

export function* lines<T>(items: readonly T[], toJson: (item: T) => object, indent: number): Iterable<string> {
  let separator = `[\n${' '.repeat(indent)}`;
  for (const item of items) {
    yield separator + jsonText(toJson(item));
    separator = `,\n${' '.repeat(indent)}`;
  }
  yield items.length === 0 ? '[]' : `\n${' '.repeat(indent - 2)}]`;
}
