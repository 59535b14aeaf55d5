import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import type { ReportContext } from './format';

/** How reports call what a machine can do about findings that are told together: `fix`, `unsafe fix`, `fix 2 of 5`; empty if that is nothing. */
export function repairMark(findings: readonly Finding[], { repairs }: ReportContext): string {
  if (repairs === undefined) return '';
  const safeties = findings.flatMap((finding) => repairs.of(finding)?.safety ?? []);
  const safe = safeties.filter((safety) => safety === 'safe').length;
  const [name, number] = safe > 0 ? ['fix', safe] : ['unsafe fix', safeties.length];
  if (number === 0) return '';
  return number === findings.length ? name : `${name} ${number} of ${findings.length}`;
}

/** `12 fixable with --fix, 31 with --fix --unsafe`; empty if nothing is. */
export function fixableText({ findings }: CheckResult, { repairs }: ReportContext): string {
  if (repairs === undefined) return '';
  const safeties = findings.flatMap((finding) => repairs.of(finding)?.safety ?? []);
  const all = safeties.length;
  const safe = safeties.filter((safety) => safety === 'safe').length;
  if (all === 0) return '';
  if (safe === 0) return `${all} fixable with --fix --unsafe`;
  return `${safe} fixable with --fix${all === safe ? '' : `, ${all} with --fix --unsafe`}`;
}

/** The option that repairs a finding, and what it does to what runs: `--fix`, or `--fix --unsafe, which replaces the nodes`. */
export function repairText(finding: Finding, { repairs }: ReportContext): string {
  const offer = repairs?.of(finding);
  if (offer === undefined) return '';
  if (offer.safety === 'safe') return '--fix makes this change';
  return `--fix --unsafe makes this change${offer.effect === undefined ? '' : `, and that ${offer.effect}`}`;
}
