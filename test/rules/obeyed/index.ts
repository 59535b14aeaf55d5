import { appendFileSync } from 'node:fs';
import { AS_OF } from '../../as-of';
import { EksModel } from '../../../lib/eks';
import { runRules, type Finding, type Rule } from '../../../lib/engine';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { inJson, obeyed, type Language } from './template';

interface ObeyedVector {
  readonly name: string;
  readonly template: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly today?: string;
}

/** What following a fix literally leads to, where that is no defect of the fix: vectors by rule and message. */
const AND_THEN: ReadonlyMap<string, RegExp> = new Map([
  // What is wrong besides was hidden by a value that nobody could judge.
  ['ami-type-kubernetes-version misspelled', /^new: imds-hop-limit/],
  ['ami-type-kubernetes-version noType', /^new: imds-hop-limit/],
  ['ami-type-architecture mismatch', /^new: imds-hop-limit/],
  ['cluster-network-addons no-cni', /^new: vpc-cni-windows-ipam/],
  ['vpc-cni-resolve-conflicts no-configuration', /^new: security-group-policy/],
  ['vpc-cni-resolve-conflicts settings-elsewhere', /^new: custom-networking-eni-config/],
  // The version of the add-on has to be a newer one, as the message says.
  ['vpc-cni-tcp-early-demux probes', /^new: vpc-cni-(?:configuration-schema|extra-env)/],
  ['vpc-cni-tcp-early-demux pods-not-visible', /^new: vpc-cni-extra-env/],
  ['vpc-cni-windows-ipam off', /^new: vpc-cni-configuration-schema/],
  // Something else in the template says otherwise in one case, or to one of several.
  ['vpc-cni-role-ip-family interfaces', /^the finding stays/],
  ['kube-proxy-version-skew behind', /^the finding stays/],
  ['ami-type-accelerator noDriver', /^the finding stays/],
  ['ami-type-accelerator noDevice', /^the finding stays/],
  ['custom-networking-eni-config nothing-selects', /^the finding stays/],
  ['windows-node-prerequisites accessEntry', /^the finding stays/],
]);

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
          if (TABLE !== undefined)
            appendFileSync(TABLE, `${JSON.stringify([rule.id, finding.messageId, language, result, vector.name])}\n`);
          const then = AND_THEN.get(`${rule.id} ${finding.messageId ?? ''}`);
          if (result !== 'works' && result !== 'prose' && then?.test(result) !== true)
            problems.push(`${language} ${finding.messageId}: ${result}\n${finding.fixCode}`);
        }
      }
      expect(problems).toEqual([]);
    });
  });
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
