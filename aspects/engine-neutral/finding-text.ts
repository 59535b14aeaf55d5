import { resourceName, withCommonNames, type Finding, type Severity } from '../../lib/engine';

/** What to do about a finding: in words, then in code if there is code, then where to read on. */
export function fixText(finding: Finding): string {
  return lines([finding.fix, finding.fixCode, relatedText(finding), docsText(finding)]);
}

/**
 * The same for findings that are read one after another: what was told before isn't told again, neither the code of a fix nor the page of a rule.
 * Findings that people accepted may not be shown at all, so they stand for themselves.
 * @param levelOf those of one level are shown together
 */
export function fixTexts(
  findings: readonly Finding[],
  levelOf: (finding: Finding) => Severity,
): ReadonlyMap<Finding, string> {
  const first = new Map<string, Finding>();
  const told = (key: string, finding: Finding): Finding | undefined => {
    const known = first.get(key);
    if (known === undefined) first.set(key, finding);
    return known;
  };
  return new Map(
    findings.map((finding) => {
      if (finding.suppressed !== undefined) return [finding, fixText(finding)];
      const { rule, fix, fixCode = '', docs } = finding;
      const level = levelOf(finding);
      const same = told(JSON.stringify([level, rule, fix, withCommonNames(fixCode)]), finding);
      const page = told(JSON.stringify([level, docs]), finding) === undefined ? docsText(finding) : undefined;
      const words = same === undefined ? lines([fix, fixCode]) : `The same as for ${resourceName(same.resource)}.`;
      return [finding, lines([words, relatedText(finding), page])];
    }),
  );
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
