import type { Finding } from '../../lib/engine';

/** What to do about a finding: in words, then in code if there is code, then where to read on. */
export function fixText(finding: Finding): string {
  const related = finding.related.map(({ message }) => `Related: ${message}`);
  return [finding.fix, finding.fixCode, ...related, finding.docs === '' ? '' : `Docs: ${finding.docs}`]
    .filter((line) => line !== undefined && line !== '')
    .join('\n');
}

/** A finding as one text, for doors that have no other field. */
export function findingText(finding: Finding, createdAt: string | undefined): string {
  const lines = [`${finding.rule}: ${finding.message}`, `Fix: ${fixText(finding)}`];
  if (createdAt !== undefined) lines.push(`Created at ${createdAt}`);
  return lines.join('\n');
}
