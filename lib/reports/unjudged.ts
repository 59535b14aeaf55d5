import { resourceName } from '../eks';
import type { Finding } from '../engine';
import { count, printableLine } from './prose';

/** What one thing that isn't known keeps from being judged: a launch template that nobody sees stops many rules. */
export interface Unjudged {
  readonly cause: string;
  readonly findings: readonly [Finding, ...Finding[]];
}

/** Longest part of a cause that a line tells. */
const MOST_OF_CAUSE = 140;

/** Unverifiable findings by what causes them, the cause of the most first. Accepted ones are left out. */
export function unjudged(findings: readonly Finding[]): readonly Unjudged[] {
  const byCause = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    if (finding.verdict !== 'unverifiable' || finding.suppressed !== undefined) continue;
    const cause = finding.cause ?? '';
    const known = byCause.get(cause);
    if (known === undefined) byCause.set(cause, [finding]);
    else known.push(finding);
  }
  return [...byCause]
    .map(([cause, of]) => ({ cause, findings: of }))
    .sort((a, b) => b.findings.length - a.findings.length);
}

/** `23 rules can't judge Workers: its launch template is imported`, without a full stop. What a module makes is called as its call has it. */
export function unjudgedText({ cause, findings }: Unjudged): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const resources = [...new Set(findings.map(({ resource }) => resource))];
  const roots = new Set(resources.map(({ stack }) => stack));
  const { rule, resource: first } = findings[0];
  const subject = rules.length === 1 ? rule : `${rules.length} rules`;
  const named =
    resources.length > 1
      ? `${count(resources.length, 'resource')}${roots.size > 1 ? ` of ${roots.size} ${first.dialect.stacks}` : ''}`
      : (first.moduleInputsAt ?? resourceName(first)) || 'the input';
  const why =
    cause === ''
      ? 'the input does not tell enough'
      : cause.length > MOST_OF_CAUSE
        ? `${cause.slice(0, MOST_OF_CAUSE)}...`
        : cause;
  return printableLine(`${subject} can't judge ${named}: ${why}`);
}

/** The same with all that the rules say of it, for what tells it once; a single finding says it itself. */
export function unjudgedWithRules(one: Unjudged): string {
  if (one.findings.length === 1) return one.findings[0].message;
  const rules = [...new Set(one.findings.map(({ rule }) => rule))];
  return rules.length === 1 ? `${unjudgedText(one)}.` : `${unjudgedText(one)}. Not judged: ${rules.join(', ')}.`;
}
