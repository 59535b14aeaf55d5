import type { CheckResult } from '../../check';
import { fails, isCrash, type FailOn } from '../../engine/fail-on';

export const EXIT_CLEAN = 0;
export const EXIT_FINDINGS = 1;
/** Something could not be read, checked or written, or the command line makes no sense. Wins over findings. */
export const EXIT_UNUSABLE = 2;

/** Exit code of a check. Suppressed findings never fail it, nor do diagnostics of severity `warning`. */
export function exitCodeOf({ findings, diagnostics }: CheckResult, failOn: FailOn): number {
  if (diagnostics.some((diagnostic) => diagnostic.severity === 'error') || findings.some(isCrash)) return EXIT_UNUSABLE;
  return findings.some((finding) => fails(finding, failOn)) ? EXIT_FINDINGS : EXIT_CLEAN;
}
