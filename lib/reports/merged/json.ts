import type { Summary } from '../../engine';
import { jsonText } from '../../text/json-text';
import type { JsonDiagnostic, JsonInput } from '../json';
import type { MergedFinding, MergedPart, MergedReport } from './merged-report';

/**
 * What `merge --format json` prints, and `merge` reads again.
 * @internal tests read it
 */
export interface JsonMergedReport {
  /** Version of the tool that merged it. */
  readonly version: string;
  /** By name. */
  readonly parts: readonly JsonMergedPart[];
  /** Reports that could not be read. */
  readonly problems: readonly {
    readonly file: string;
    readonly line: number | null;
    readonly column: number | null;
    readonly message: string;
  }[];
  /** Of all parts together. */
  readonly summary: Summary;
}

/** A repository, or a part of one. */
interface JsonMergedPart {
  readonly name: string;
  /** Where it is from; `asOf` is the day that was given for that check, or `null`. */
  readonly reports: readonly { readonly file: string; readonly version: string; readonly asOf: string | null }[];
  /** Of a report in SARIF, which tells neither: the kind `unknown`, and 0 resources. */
  readonly inputs: readonly JsonInput[];
  /** As those of a check, without `repair`; the worst first. */
  readonly findings: readonly MergedFinding[];
  readonly diagnostics: readonly JsonDiagnostic[];
  readonly summary: Summary;
}

/** For programs, and to be merged again. */
export function* mergedJson({ parts, problems, summary }: MergedReport, version: string): Iterable<string> {
  const head: Pick<JsonMergedReport, 'version'> = { version };
  yield `${jsonText(head).slice(0, -1)},\n"parts": [`;
  let separator = '\n';
  for (const part of parts) {
    yield separator + jsonText(jsonPart(part), 1);
    separator = ',\n';
  }
  const rest: Pick<JsonMergedReport, 'problems' | 'summary'> = {
    problems: problems.map(({ file, line, column, message }) => ({
      file,
      line: line ?? null,
      column: column ?? null,
      message,
    })),
    summary,
  };
  yield `],\n${jsonText(rest, 1).slice(2)}\n`;
}

function jsonPart({ name, reports, inputs, findings, diagnostics, summary }: MergedPart): JsonMergedPart {
  return {
    name,
    reports: reports.map(({ file, version, asOf }) => ({ file, version, asOf: asOf ?? null })),
    inputs,
    findings,
    diagnostics,
    summary,
  };
}
