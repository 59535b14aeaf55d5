import { codeLanguage } from '../text/code-language';
import type { BaselineEntry } from '../baseline';
import type { CheckResult } from '../check';
import type { Diagnostic, Finding, OfferedRepair, Severity, Summary } from '../engine';
import { typeName, type SourceLocation } from '../eks';
import { jsonText } from '../text/json-text';
import type { Format } from './format';
import { Places } from './places';

/** The JSON report. Keys are never left out, except `suppressed` and `notEnabled`; what doesn't exist is `null`. */
export interface JsonReport {
  /** Version of the tool that wrote it. */
  readonly version: string;
  /** The day that was given for the check, `YYYY-MM-DD`; `null` if it is the day on which it ran. */
  readonly asOf: string | null;
  readonly inputs: readonly JsonInput[];
  readonly findings: readonly JsonFinding[];
  readonly diagnostics: readonly JsonDiagnostic[];
  /** Entries of the baseline that were checked and whose finding isn't there any more; empty without a baseline. */
  readonly gone: readonly BaselineEntry[];
  /** Suppressed findings count only as suppressed, unverifiable ones only as unverifiable. */
  readonly summary: Summary;
}

export interface JsonInput {
  readonly path: string;
  readonly kind: string;
  /** How many resources it declares, of any type. */
  readonly resources: number;
}

export interface JsonFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly verdict: 'fail' | 'unverifiable';
  readonly message: string;
  /** What to do; if there is code to write, it follows after an empty line, fenced as in Markdown. */
  readonly fix: string;
  /** Address of the rule's page. */
  readonly docs: string;
  /** What `--fix` would do about it; `null` if nothing. */
  readonly repair: JsonRepair | null;
  /** What stays the same about it from run to run; no two findings of a report have the same. */
  readonly fingerprint: string;
  readonly resource: {
    readonly type: string;
    /** Logical id. */
    readonly id: string;
    /** Construct path; `null` outside the CDK. */
    readonly path: string | null;
  };
  readonly location: JsonLocation;
  /** Other places that take part, in the order of the story. */
  readonly related: readonly { readonly message: string; readonly location: JsonLocation }[];
  /** Only on findings in modules of Terraform that no root module enables. */
  readonly notEnabled?: true;
  /** Only on findings that the user decided to live with. */
  readonly suppressed?: { readonly reason: string; readonly until?: string };
}

export interface JsonRepair {
  /** `safe`: `--fix` makes it. `unsafe`: only `--fix --unsafe` does, because it needs a decision. */
  readonly safety: 'safe' | 'unsafe';
  /** What an unsafe one does to what runs when it is deployed; `null` of a safe one. */
  readonly effect: string | null;
  /**
   * What changes in files if nothing else does: all of them, or none. Several findings may need the same edits. `null` if they would show a secret.
   */
  readonly edits: readonly JsonEdit[] | null;
}

/** A piece of a file that is replaced. */
export interface JsonEdit {
  readonly file: string;
  readonly start: JsonPosition;
  /** Behind the last character. */
  readonly end: JsonPosition;
  readonly text: string;
}

export interface JsonPosition {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
}

export interface JsonLocation {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** Property path below the resource; `null` for the resource itself. */
  readonly property: string | null;
}

export interface JsonDiagnostic {
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One finding per line: easy to search, and written as it goes. */
export const json: Format = {
  description: 'everything, for programs',
  *render(result, context) {
    const { version, gone = [] } = context;
    const fingerprints = new Places(result, context).fingerprints();
    yield `{\n  "version": ${jsonText(version)},\n  "asOf": ${result.asOf === undefined ? 'null' : jsonText(result.asOf)},\n  "inputs": `;
    yield* list(result.inputs, ({ path, kind, resources }): JsonInput => ({ path, kind, resources }));
    yield ',\n  "findings": ';
    yield* list(result.findings, (finding) =>
      jsonFinding(finding, fingerprints.get(finding) ?? '', context.repairs?.withEdits(finding)),
    );
    yield ',\n  "diagnostics": ';
    yield* list(result.diagnostics, jsonDiagnostic);
    yield ',\n  "gone": ';
    yield* list(
      gone,
      ({ file, resource, rule, fingerprint }): BaselineEntry => ({ file, resource, rule, fingerprint }),
    );
    yield `,\n  "summary": ${jsonText(jsonSummary(result))}\n}\n`;
  },
};

function* list<T>(items: readonly T[], toJson: (item: T) => object): Iterable<string> {
  let separator = '[\n    ';
  for (const item of items) {
    yield separator + jsonText(toJson(item));
    separator = ',\n    ';
  }
  yield items.length === 0 ? '[]' : '\n  ]';
}

function jsonFinding(finding: Finding, fingerprint: string, repair: OfferedRepair | undefined): JsonFinding {
  const { rule, severity, verdict, message, docs, resource, suppressed } = finding;
  return {
    rule,
    severity,
    verdict,
    message,
    fix: fixText(finding),
    docs,
    repair: repair === undefined ? null : jsonRepair(repair),
    fingerprint,
    resource: { type: typeName(resource), id: resource.id, path: resource.path ?? null },
    location: jsonLocation(finding.source.locate()),
    related: finding.related.map((place) => ({
      message: place.message,
      location: jsonLocation(place.source.locate()),
    })),
    ...(resource.isNotEnabled === true ? { notEnabled: true } : {}),
    ...(suppressed === undefined ? {} : { suppressed }),
  };
}

function jsonRepair({ safety, effect, edits }: OfferedRepair): JsonRepair {
  return {
    safety,
    effect: effect ?? null,
    edits: edits?.map(({ file, start, end, text }): JsonEdit => ({ file, start, end, text })) ?? null,
  };
}

function jsonLocation({ file, line, column, property }: SourceLocation): JsonLocation {
  return { file, line, column, property: property ?? null };
}

function jsonDiagnostic({ severity, message, file, line, column }: Diagnostic): JsonDiagnostic {
  return { severity, message, file, line, column };
}

function jsonSummary({ summary }: CheckResult): Summary {
  const { error, warning, info, unverifiable, suppressed } = summary;
  return { error, warning, info, unverifiable, suppressed };
}

function fixText({ fix, fixCode, resource }: Finding): string {
  return fixCode === undefined
    ? fix
    : `${fix}\n\n\`\`\`${codeLanguage(fixCode, resource.dialect.fixes.language)}\n${fixCode.trimEnd()}\n\`\`\``;
}
