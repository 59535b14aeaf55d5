import type { Finding } from '../engine';
import type { ListedFindings } from './format';

/** Whether a report lists a finding by itself; all of them are counted. */
export function isListed(finding: Finding, list: ListedFindings): boolean {
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
export function labelOf(finding: Finding): Label {
  if (finding.suppressed !== undefined) return 'suppressed';
  return finding.verdict === 'unverifiable' ? 'unverifiable' : finding.severity;
}

/** Worst first. */
export const LABELS = ['error', 'warning', 'info', 'unverifiable', 'suppressed'] as const;
export type Label = (typeof LABELS)[number];
