import { resourceName, type Finding, type Severity } from '../../lib/engine';
import { variantOf } from '../../lib/reports/variants';

/** What to do about a finding: in words, then in code if there is code, then where to read on. */
export function fixText(finding: Finding): string {
  return lines([finding.fix, finding.fixCode, relatedText(finding), docsText(finding)]);
}

/**
 * The same for findings that are read one after another: what was told before isn't told again, neither the code of a fix nor the page of a rule, and
 * of other places nothing is told, because it would be without them. Findings that people accepted may not be shown at all, so they stand for themselves.
 * @param levelOf those of one level are shown together
 */
export function fixTexts(
  findings: readonly Finding[],
  levelOf: (finding: Finding) => Severity,
): ReadonlyMap<Finding, string> {
  const told = new Map<string, Finding[]>();
  const pages = new Set<string>();
  return new Map(
    findings.map((finding) => {
      if (finding.suppressed !== undefined) return [finding, fixText(finding)];
      const level = levelOf(finding);
      const key = JSON.stringify([level, finding.rule]);
      const known = told.get(key) ?? [];
      const whole = lines([finding.fix, finding.fixCode]);
      const same = known
        .map((other) => sameText(finding, other))
        .find((text) => text !== undefined && (!text.includes('\n') || countOf(text) < countOf(whole)));
      if (same === undefined) told.set(key, [...known, finding]);
      const page = JSON.stringify([level, finding.docs]);
      const docs = pages.has(page) ? undefined : docsText(finding);
      pages.add(page);
      return [finding, lines([same ?? whole, docs])];
    }),
  );
}

function countOf(text: string): number {
  return text.split('\n').length;
}

/** How a fix is told by another one's; undefined if it can't be. */
function sameText(finding: Finding, other: Finding): string | undefined {
  const names = [finding, other].map(({ resource }) => resourceName(resource)).filter((name) => name !== '');
  const variant = variantOf(finding, other, (text) => names.reduce((left, name) => left.replaceAll(name, ''), text));
  if (variant === undefined) return undefined;
  const { words, code } = variant;
  const start = `The same as for ${resourceName(other.resource)}`;
  if (words === '' && code.length === 0) return `${start}.`;
  return lines([words === '' ? `${start}, but with these lines:` : `${start}, but: ${words}`, ...code]);
}

function relatedText({ related }: Finding): string {
  return related.length === 0 ? '' : `Related: ${related.map(({ message }) => message).join('; ')}`;
}

function docsText({ docs }: Finding): string {
  return docs === '' ? '' : `Docs: ${docs}`;
}

function lines(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}

/** A finding as one text, for doors that have no other field. */
export function findingText(finding: Finding, createdAt: string | undefined, fix = fixText(finding)): string {
  return lines([
    `${finding.rule}: ${finding.message}`,
    `Fix: ${fix}`,
    createdAt === undefined ? undefined : `Created at ${createdAt}`,
  ]);
}
