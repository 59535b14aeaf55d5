import { appendFileSync } from 'node:fs';
import { AS_OF } from '../../as-of';
import { EksModel } from '../../../lib/eks';
import { runRules, type Finding, type Rule } from '../../../lib/engine';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { hclText } from '../terraform/hcl';
import { translate } from '../terraform/translate';
import { outcomeOf } from '../../fixes/obeyed/outcome';
import { checkedHcl } from '../../fixes/obeyed/terraform-findings';
import { AND_THEN } from './and-then';
import { inJson, obeyed, type Language } from './template';

interface ObeyedVector {
  readonly name: string;
  readonly template: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly today?: string;
}

/** A file that gets a line for each fix that was tried: rule, message, language, what came of it, vector. @default - none is written */
const TABLE = process.env['EKS_GUARDRAILS_OBEYED_TABLE'];

/** Declares tests that follow the fixes of a rule's vectors, in YAML and JSON, and judge the outcome by all rules. */
export function testObeyed(rule: Rule, vectors: readonly ObeyedVector[]): void {
  if (vectors.length === 0) return;
  describe('the fix, obeyed literally', () => {
    it.each(vectors.map((vector): [string, ObeyedVector] => [vector.name, vector]))('%s', (_, vector) => {
      const problems: string[] = [];
      for (const language of ['YAML', 'JSON'] as const) {
        const template = language === 'JSON' ? inJson(vector.template) : vector.template;
        const before = judged(rule, vector, template, language);
        const seen = new Set<string>();
        for (const finding of before.filter(
          ({ rule: id, resource }) => id === rule.id && resource.dialect.name === 'cloudformation',
        )) {
          if (seen.has(finding.messageId ?? '')) continue;
          seen.add(finding.messageId ?? '');
          const result = resultOf(rule, vector, { template, language, before, finding });
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

function note(rule: Rule, vector: ObeyedVector, { language, finding, result }: Obeyed & { language: string }): void {
  if (TABLE !== undefined)
    appendFileSync(TABLE, `${JSON.stringify([rule.id, finding.messageId, language, result, vector.name])}\n`);
}

function isProblem(rule: Rule, vector: ObeyedVector, { messageId = '' }: Finding, result: string): boolean {
  if (result === 'works' || result === 'prose') return false;
  return AND_THEN[`${rule.id} ${messageId}: ${vector.name}`]?.test(result) !== true;
}

/** The same for what the vector is in HCL, if that can say it. */
function inTerraform(rule: Rule, vector: ObeyedVector): readonly Obeyed[] {
  const translation = translate(vector.template);
  if (typeof translation === 'string') return [];
  const text = hclText(translation.configuration);
  const how = [vector.today ?? AS_OF, { [rule.id]: { options: vector.options ?? {} } }] as const;
  const own = checkedHcl(text, ...how).findings.filter((finding) => finding.rule === rule.id);
  const first = [...new Map(own.toReversed().map((finding) => [finding.messageId, finding])).values()];
  return first.map((finding) => ({ finding, result: outcomeOf(text, finding, ...how) }));
}

function resultOf(
  rule: Rule,
  vector: ObeyedVector,
  {
    template,
    language,
    before,
    finding,
  }: { template: string; language: Language; before: readonly Finding[]; finding: Finding },
): string {
  if (finding.fixCode === undefined) return 'prose';
  const after = obeyed(template, finding, language);
  if (typeof after !== 'string') return after.problem;
  let findings: readonly Finding[];
  try {
    findings = judged(rule, vector, after, language);
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

function judged(rule: Rule, vector: ObeyedVector, text: string, language: Language): Finding[] {
  const { resources, diagnostics } = readTemplates([{ file: language === 'JSON' ? 'main.json' : 'main.yaml', text }]);
  const problems = diagnostics.filter(({ severity }) => severity === 'error');
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  return runRules(new EksModel(resources), allRules, {
    asOf: vector.today ?? AS_OF,
    rules: { [rule.id]: { options: vector.options ?? {} } },
  }).filter(({ verdict }) => verdict === 'fail');
}
