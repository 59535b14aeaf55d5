import type { CheckResult } from '../check';

/** What a report needs besides the results. */
export interface ReportContext {
  /** Version of the tool. */
  readonly version: string;
  /** Text of an input file, or undefined if it can't be read any more; called at most once per file. */
  readonly readSource: (file: string) => string | undefined;
  /** Escape sequences for colours. */
  readonly colour: boolean;
  /** Columns to wrap prose at. */
  readonly width: number;
  /** Which findings to list one by one; all of them are always counted. */
  readonly list: ListedFindings;
}

/** Errors and warnings are always listed. */
export interface ListedFindings {
  readonly info: boolean;
  readonly unverifiable: boolean;
  readonly suppressed: boolean;
}

/**
 * One way to print results: a pure function from results to text. The text comes in pieces, because that of a
 * large run is longer than a string may be.
 */
export interface Format {
  /** One line for the help. */
  readonly description: string;
  render(result: CheckResult, context: ReportContext): Iterable<string>;
}
