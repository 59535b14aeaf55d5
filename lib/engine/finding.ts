import type { Resource, Source } from '../eks';

export type { Diagnostic, Skipped } from '../value';
import type { Repair } from './repair';
import type { RelatedPlace, Severity } from './rule';

/** A rule's result that the user should see. */
export interface Finding {
  /** Id of the rule. */
  readonly rule: string;
  readonly severity: Severity;
  readonly verdict: 'fail' | 'unverifiable';
  /** Which of the rule's messages it is; undefined when unverifiable. */
  readonly messageId: string | undefined;
  readonly message: string;
  /** Of an unverifiable one: what keeps the rule from judging, as far as it is one thing. @default - it isn't unverifiable */
  readonly cause?: string;
  /** What to do, in words. */
  readonly fix: string;
  /** What to write, in the user's language, when the rule has it. */
  readonly fixCode: string | undefined;
  /** The rule whose code for the same resource does all of it. @default - none */
  readonly fixedBy?: string;
  /** What `--fix` would do to the resource. @default - nothing */
  readonly repairs?: readonly Repair[];
  /** Of repairs that need a decision, which `--unsafe` makes: what they do to what runs. @default - the repairs are safe */
  readonly repairEffect?: string;
  readonly docs: string;
  readonly resource: Resource;
  readonly source: Source;
  readonly related: readonly RelatedPlace[];
  /** What tells it from others of its message at the same property, and stays the same from run to run. @default - nothing has to */
  readonly about?: string;
  /** Set when the user decided to live with it. */
  readonly suppressed?: { readonly reason: string; readonly until?: string };
  /** Of a suppressed one: the decision stands outside of the input, in the configuration or a baseline. */
  readonly isSuppressedOutside?: true;
}

/** Counts of a run. Suppressed findings count only as suppressed, unverifiable ones only as unverifiable. */
export interface Summary {
  readonly error: number;
  readonly warning: number;
  readonly info: number;
  readonly unverifiable: number;
  readonly suppressed: number;
}

export function summarize(findings: readonly Pick<Finding, 'severity' | 'verdict' | 'suppressed'>[]): Summary {
  const summary = { error: 0, warning: 0, info: 0, unverifiable: 0, suppressed: 0 };
  for (const finding of findings) {
    if (finding.suppressed !== undefined) summary.suppressed++;
    else if (finding.verdict === 'unverifiable') summary.unverifiable++;
    else summary[finding.severity]++;
  }
  return summary;
}
