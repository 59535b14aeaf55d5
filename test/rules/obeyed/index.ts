import { appendFileSync } from 'node:fs';
import { AS_OF } from '../../as-of';
import type { Finding, Rule } from '../../../lib/engine';
import { allFindingsOf, findingsOf, once, type TemplateVector } from '../models';
import { hclText } from '../terraform/hcl';
import { outcomeOf } from '../../fixes/obeyed/outcome';
import { checkedHcl } from '../../fixes/obeyed/terraform-findings';
import { share } from '../../share';
import { AND_THEN } from './and-then';
import { inJson, obeyed, type Language } from './template';

/** A file that gets a line for each fix that was tried: rule, message, language, what came of it, vector. @default - none is written */
const TABLE = process.env['EKS_GUARDRAILS_OBEYED_TABLE'];

/** Declares tests that follow the fixes of a rule's vectors, in YAML and JSON, and judge the outcome by all rules. */
export function testObeyed(rule: Rule, vectors: readonly TemplateVector[]): void {
  if (vectors.length === 0) return;
  describe('the fix, obeyed literally', () => {
    it.each(share(vectors.map((vector): [string, TemplateVector] => [vector.name, vector])))('%s', (_, vector) => {
      const problems: string[] = [];
      for (const language of ['YAML', 'JSON'] as const) {
        const template = language === 'JSON' ? inJson(vector.template) : vector.template;
        const own = findingsOf(rule, { ...vector, template }).filter(
          ({ verdict, resource }) => verdict === 'fail' && resource.dialect.name === 'cloudformation',
        );
        for (const finding of firstOfEach(own)) {
          const result = resultOf(rule, vector, { template, language, finding });
          note(rule, vector, { language, finding, result });
          if (isProblem(rule, vector, finding, result))
            problems.push(`${language} ${finding.messageId}: ${result}\n${finding.fixCode}`);
        }
      }
      for (const { finding, result } of inTerraform(rule, vector)) {
        note(rule, vector, { language: 'HCL', finding, result });
        if (isProblem(rule, vector, finding, result))
          problems.push(`HCL ${finding.messageId}: ${result}\n${finding.fixCode}`);
      }
      expect(problems).toEqual([]);
    });
  });
}

interface Obeyed {
  readonly finding: Finding;
  readonly result: string;
}

function note(rule: Rule, vector: TemplateVector, { language, finding, result }: Obeyed & { language: string }): void {
  if (TABLE !== undefined)
    appendFileSync(TABLE, `${JSON.stringify([rule.id, finding.messageId, language, result, vector.name])}\n`);
}

function isProblem(rule: Rule, vector: TemplateVector, { messageId = '' }: Finding, result: string): boolean {
  if (result === 'works' || result === 'prose') return false;
  return AND_THEN[`${rule.id} ${messageId}: ${vector.name}`]?.test(result) !== true;
}

/** The same for what the vector is in HCL, if that can say it. */
function inTerraform(rule: Rule, vector: TemplateVector): readonly Obeyed[] {
  const { translation } = vector;
  if (typeof translation === 'string') return [];
  const text = hclText(translation.configuration);
  const how = [vector.today ?? AS_OF, { [rule.id]: { options: vector.options ?? {} } }] as const;
  const own = checkedHcl(text, ...how).findings.filter((finding) => finding.rule === rule.id);
  return firstOfEach(own).map((finding) => ({ finding, result: outcomeOf(text, finding, ...how) }));
}

/** One finding of each message. */
function firstOfEach(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.messageId, finding])).values()];
}

function resultOf(
  rule: Rule,
  vector: TemplateVector,
  { template, language, finding }: { template: string; language: Language; finding: Finding },
): string {
  if (finding.fixCode === undefined) return 'prose';
  const after = obeyed(template, finding, language);
  if (typeof after !== 'string') return after.problem;
  const before = failuresIn(rule, vector);
  let findings: readonly Finding[];
  try {
    // Most fixes lead to the same in both languages.
    const content = language === 'JSON' ? after : inJson(after);
    findings = once(['obeyed', rule.id, vector.options, vector.today, content], () =>
      failuresIn(rule, { ...vector, template: after }),
    );
  } catch (error) {
    return String(error).slice(0, 300);
  }
  const own = (all: readonly Finding[]) => all.filter((one) => one.rule === rule.id).length;
  if (own(findings) >= own(before)) return 'the finding stays';
  const known = new Set(before.map(keyOf));
  const fresh = findings.filter((one) => one.severity !== 'info' && !known.has(keyOf(one)));
  return fresh.length === 0
    ? 'works'
    : `new: ${fresh.map((one) => `${one.rule}/${one.messageId}: ${one.message}`).join(' | ')}`;
}

function keyOf({ rule, resource }: Finding): string {
  return `${rule} ${resource.id.replace(/Anew$/, '')}`;
}

function failuresIn(rule: Rule, vector: TemplateVector): readonly Finding[] {
  return allFindingsOf(rule, vector).filter(({ verdict }) => verdict === 'fail');
}
