import type { Finding } from '../engine';
import type { ListedFindings } from './format';

/** What a report calls a finding by. */
type LabelledFinding = Pick<Finding, 'severity' | 'verdict' | 'suppressed'>;

/** Whether a report lists a finding by itself; all of them are counted. */
export function isListed(finding: LabelledFinding, list: ListedFindings): boolean {
  if (finding.suppressed !== undefined) return list.suppressed;
  if (finding.verdict === 'unverifiable') return list.unverifiable;
  switch (finding.severity) {
    case 'error':
      return true;
    case 'warning':
      return list.warning !== false;
    case 'info':
      return list.info;
  }
}

/** How a report calls a finding: by its severity, unless it is none. */
export function labelOf(finding: LabelledFinding): Label {
  if (finding.suppressed !== undefined) return 'suppressed';
  return finding.verdict === 'unverifiable' ? 'unverifiable' : finding.severity;
}

/** Worst first. */
export const LABELS = ['error', 'warning', 'info', 'unverifiable', 'suppressed'] as const;
export type Label = (typeof LABELS)[number];
