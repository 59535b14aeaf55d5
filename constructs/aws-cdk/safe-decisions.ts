import { Annotations } from 'aws-cdk-lib';
import type { SafeDefaultDecision } from './safe-defaults-props';

/** Id of the annotations, for `Annotations.of(scope).acknowledgeInfo()`. */
const ANNOTATION = 'eks-guardrails:SafeDefaults';

/** What was changed, and what was left with a reason, which the constructs tell as well. */
export class SafeDecisions {
  readonly changes: SafeDefaultDecision[] = [];
  readonly leftAlone: SafeDefaultDecision[] = [];

  changed(decision: SafeDefaultDecision): void {
    note(this.changes, decision, 'sets');
  }

  left(decision: SafeDefaultDecision): void {
    note(this.leftAlone, decision, "doesn't set");
  }
}

function note(list: SafeDefaultDecision[], decision: SafeDefaultDecision, verb: string): void {
  const { construct, setting, reason } = decision;
  if (list.some((other) => other.construct === construct && other.setting === setting)) return;
  list.push(decision);
  Annotations.of(construct).addInfoV2(ANNOTATION, `SafeDefaults ${verb} ${setting}: ${reason}`);
}
