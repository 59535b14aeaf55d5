import type { BaselineEntry } from '../baseline';
import type { CheckResult } from '../check';
import type { FailOn, RepairOffers, RuleMetadata } from '../engine';
import type { Repository } from './repository';

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
  /**
   * Findings that the text and the compact report list at most; all of them are counted.
   * @default - all
   */
  readonly most?: number;
  /** The text report counts findings by rule instead of listing them. @default false */
  readonly statistics?: boolean;
  /**
   * What makes the check fail, for formats that say so themselves.
   * @default 'error'
   */
  readonly failOn?: FailOn;
  /** Which findings to list one by one; all of them are always counted. */
  readonly list: ListedFindings;
  /**
   * Day of the check (YYYY-MM-DD), for reports that people keep.
   * @default - no day is named
   */
  readonly date?: string;
  /**
   * Where the repository begins: formats for programs name files from there.
   * @default - files are named as they were given
   */
  readonly repository?: Repository;
  /**
   * Entries of the baseline whose finding is gone, for formats that tell everything.
   * @default - there is no baseline
   */
  readonly gone?: readonly BaselineEntry[];
  /**
   * What a machine can do about findings.
   * @default - no finding is marked as one that can be repaired
   */
  readonly repairs?: RepairOffers;
  /**
   * What is known of the rules, for formats that explain them.
   * @default - the rules of this package
   */
  readonly rules?: readonly RuleMetadata[];
}

/** Errors are always listed. */
export interface ListedFindings {
  /** @default true */
  readonly warning?: boolean;
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
