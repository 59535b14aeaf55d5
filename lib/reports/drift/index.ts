import type { DriftReport } from '../../drift/drift';
import { driftJson } from './json';
import { driftMarkdown } from './markdown';
import { driftText, type DriftTerminal } from './text';

/** What a comparison is printed with. */
interface DriftContext extends DriftTerminal {
  /** Version of the tool. */
  readonly version: string;
}

/** The formats of comparisons, by the names that users call them. */
export const DRIFT_FORMATS = {
  text: (report, context) => driftText(report, context),
  json: (report, { version }) => [driftJson(report, version)],
  markdown: (report, { version }) => driftMarkdown(report, version),
} as const satisfies Record<string, (report: DriftReport, context: DriftContext) => Iterable<string>>;

export type DriftFormat = keyof typeof DRIFT_FORMATS;
