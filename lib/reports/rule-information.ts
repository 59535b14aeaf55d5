import { toolRules } from '../engine/tool-rules';
import { bulleted, type Finding, type RuleMetadata, type Severity } from '../engine';
import { allRules } from '../rules';

/** What a report tells about a rule itself. */
export interface RuleInformation {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly docs: string;
  /** Section of the catalogue. */
  readonly subject: string;
  /** What happens, why, and when to ignore it. Markdown. */
  readonly help: string;
}

/** What a finding itself tells about its rule. */
type RuleOfFinding = Pick<Finding, 'rule' | 'docs' | 'severity'>;

/** The rules that findings are of, in the order in which findings name them first. */
export function rulesOf(
  findings: Iterable<RuleOfFinding>,
  rules: readonly RuleMetadata[] = allRules,
): RuleInformation[] {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const result = new Map<string, RuleInformation>();
  for (const finding of findings) {
    if (!result.has(finding.rule)) result.set(finding.rule, informationOf(finding, known.get(finding.rule)));
  }
  return [...result.values()];
}

function informationOf({ rule: id, docs, severity }: RuleOfFinding, rule: RuleMetadata | undefined): RuleInformation {
  if (rule !== undefined) {
    const help = sections(
      ['What happens', rule.symptom],
      ['How to recognise it', bulleted(rule.signs)],
      ['Why', rule.why],
      ["What the rule can't see", rule.limits],
      ['When to ignore it', rule.ignore],
    );
    return { id, severity: rule.severity, title: rule.title, docs, subject: rule.subject, help };
  }
  const own = toolRules.find((toolRule) => toolRule.id === id);
  if (own !== undefined)
    return {
      id,
      severity: own.severity,
      title: own.title,
      docs,
      subject: 'check',
      help: sections(['What it means', own.meaning], ['What to do', own.remedy]),
    };
  // A rule of the user's that nobody told us more of.
  return { id, severity, title: id, docs, subject: 'custom', help: '' };
}

function sections(...parts: readonly (readonly [title: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text.trim() !== '')
    .map(([title, text]) => `## ${title}\n\n${text.trim()}`)
    .join('\n\n');
}
