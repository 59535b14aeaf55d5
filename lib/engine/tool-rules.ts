import { ENGINE_RULES } from './engine-findings';
import { docsUrl, type Severity } from './rule';

/** A finding about the check itself; these rules have no options. */
export interface ToolRule {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  /** Markdown. */
  readonly meaning: string;
  /** Markdown. */
  readonly remedy: string;
  readonly docs: string;
}

export const toolRules: readonly ToolRule[] = [
  {
    id: ENGINE_RULES.crashed,
    severity: 'error',
    title: 'A rule must judge every input without an internal error',
    meaning:
      'A rule stopped with an internal error, or a custom rule gave a judgement that is not whole. The other rules ran, and this one ran again as if nothing were known of the resource that it had looked at, so that what it finds elsewhere is reported, too. But what it would have found there is missing. So the exit code is 2, whatever `--fail-on` says, and the finding can neither be accepted nor stand in a baseline. It stands at that resource; where nothing tells which one it was, at the first of the input, and more may be missing.',
    remedy:
      'Correct the rule, if it is one of your own. Else this is a defect of eks-guardrails, not of the template: report it with the smallest input that causes it. Until it is repaired, run with `--rule RULE=off` for the rule that the message names.',
  },
  {
    id: ENGINE_RULES.suppressionWithoutReason,
    severity: 'warning',
    title: 'A suppression gives a reason',
    meaning:
      'A resource suppresses a rule, but gives no reason or a blank one. The suppression has no effect, and the finding that it was meant for is reported.',
    remedy:
      'Write down why the finding is acceptable, in words that somebody who reviews the template a year later can check.',
  },
  {
    id: ENGINE_RULES.suppressionExpired,
    severity: 'warning',
    title: 'A suppression is renewed or removed when its date has passed',
    meaning:
      'The last day (`until`) of a suppression has passed, in UTC. It has no effect any more, and the finding that it covered is reported again. So it is where the last day is no day of the calendar, written as in 2027-01-31: nobody can tell when that ends.',
    remedy: 'Fix the finding. If the reason still holds, decide again and set a later date, in the form YYYY-MM-DD.',
  },
  {
    id: ENGINE_RULES.suppressionUnused,
    severity: 'warning',
    title: 'A suppression matches a finding',
    meaning:
      'A resource suppresses a rule that reports nothing on it. Most often the finding was fixed and the suppression stayed behind, where it would hide the same defect if it came back.',
    remedy: 'Remove the suppression.',
  },
  {
    id: ENGINE_RULES.suppressionUnknownRule,
    severity: 'warning',
    title: 'A suppression names a rule that exists',
    meaning:
      'A suppression names a rule that this version does not have, usually because of a typing error, or `rule-crashed`, which nobody can accept. It has no effect.',
    remedy: 'Correct the id; the message proposes the nearest one. `eks-guardrails rules` lists all of them.',
  },
].map((rule) => ({ ...rule, severity: rule.severity as Severity, docs: docsUrl(rule.id) }));
