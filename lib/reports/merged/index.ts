import type { ListedFindings } from '../format';
import { mergedHtml } from './html';
import { mergedJson } from './json';
import { mergedMarkdown } from './markdown';
import type { MergedReport } from './merged-report';
import { mergedSarif } from './sarif';
import { mergedText } from './text';

export {
  mergeReports,
  type MergedReport,
  type NamedReport,
  type ReadReport,
  type ReportProblem,
} from './merged-report';
export { readReport } from './read-report';
export { MOST_RUNS } from './sarif';
export { mergedSummary, problemText, runCount } from './words';

/** What a merged report is printed with. */
export interface MergedContext {
  /** Version of the tool. */
  readonly version: string;
  /** Day of the merging, `YYYY-MM-DD`. */
  readonly date: string;
  /** Escape sequences for colours, of the text. */
  readonly colour: boolean;
  /** Columns to wrap the text at. */
  readonly width: number;
  /** What text and Markdown list one by one; the others have everything. */
  readonly list: ListedFindings;
}

/** The formats of merged reports, by the names that users call them. */
export const MERGED_FORMATS = {
  text: (report, context) => mergedText(report, context),
  json: (report, { version }) => mergedJson(report, version),
  sarif: (report, { version }) => mergedSarif(report, version),
  markdown: (report, { version, list }) => mergedMarkdown(report, list, version),
  html: (report, { version, date }) => mergedHtml(report, version, date),
} as const satisfies Record<string, (report: MergedReport, context: MergedContext) => Iterable<string>>;

export type MergedFormat = keyof typeof MERGED_FORMATS;
