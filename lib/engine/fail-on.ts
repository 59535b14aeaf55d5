import type { Finding } from './finding';

/** Rule of the finding that another rule could not check everything. */
export const CRASHED = 'rule-crashed';

/** Whether it says that a rule could not check everything. */
export function isCrash({ rule }: Pick<Finding, 'rule'>): boolean {
  return rule === CRASHED;
}

/** What decides whether a finding counts. */
type JudgedFinding = Pick<Finding, 'rule' | 'severity' | 'verdict' | 'suppressed'>;

/** The least that makes a check fail; each value includes the ones before it, except `never`. */
export const FAIL_ON = ['error', 'warning', 'unverifiable', 'never'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** Whether a finding counts against a check. One that the user accepted never does; that a rule could not check everything always does. */
export function fails(finding: JudgedFinding, failOn: FailOn = 'error'): boolean {
  return finding.suppressed === undefined && reaches(finding, failOn);
}

/** Whether a finding would count if nobody had accepted it. */
export function reaches(finding: JudgedFinding, failOn: FailOn = 'error'): boolean {
  if (isCrash(finding)) return true;
  const rank = finding.verdict === 'unverifiable' ? 'unverifiable' : finding.severity;
  switch (failOn) {
    case 'error':
      return rank === 'error';
    case 'warning':
      return rank === 'error' || rank === 'warning';
    case 'unverifiable':
      return rank !== 'info';
    case 'never':
      return false;
  }
}
