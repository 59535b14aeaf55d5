import type { CheckResult } from '../check';
import { LABELS, labelOf, type Label } from './listed';

/** How often a rule speaks, and how. */
export interface RuleCount {
  readonly rule: string;
  readonly label: Label;
  readonly count: number;
}

/** Findings by rule and severity: the worst first, within a severity the most frequent first. */
export function statisticsOf({ findings }: Pick<CheckResult, 'findings'>): readonly RuleCount[] {
  const counts = new Map<string, { readonly rule: string; readonly label: Label; count: number }>();
  for (const finding of findings) {
    const [rule, label] = [finding.rule, labelOf(finding)];
    const known = counts.get(`${label} ${rule}`);
    if (known === undefined) counts.set(`${label} ${rule}`, { rule, label, count: 1 });
    else known.count++;
  }
  return [...counts.values()].sort(
    (a, b) => LABELS.indexOf(a.label) - LABELS.indexOf(b.label) || b.count - a.count || (a.rule < b.rule ? -1 : 1),
  );
}
