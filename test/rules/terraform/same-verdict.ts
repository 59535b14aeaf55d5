import { runRules, type Rule } from '../../../lib/engine';
import { EksModel, type EksResource } from '../../../lib/model';
import { readTemplates } from '../../../lib/readers/cloudformation';
import { DIFFERENCES, PLAN_KNOWS_MORE } from './differences';
import { readEverywhere } from './front-ends';
import { translate, type Translation } from './translate';

/** What a test of a rule needs to be said again in Terraform. */
interface TranslatableVector {
  readonly name: string;
  readonly template: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly today?: string;
}

/**
 * Declares a test for each vector that Terraform can say, too: the same configuration in JSON, in HCL and in a plan gets the same verdict,
 * but that a plan may know less, because a text with an unknown part is unknown as a whole there.
 */
export function testInTerraform(rule: Rule, vectors: readonly TranslatableVector[]): void {
  const translated = vectors.flatMap((vector): [string, TranslatableVector, Translation][] => {
    const translation = translate(vector.template);
    return typeof translation === 'string' ? [] : [[vector.name, vector, translation]];
  });
  if (translated.length === 0) return;
  describe('Terraform says the same', () => {
    it.each(translated)('%s', (_, vector, translation) => {
      const judge = (resources: readonly EksResource[]) => verdictsOf(rule, vector, resources, translation.ids);
      const wanted = judge(readTemplates([{ file: 'template.yaml', text: vector.template }]).resources);
      const given = new Map([...readEverywhere(translation)].map(([frontEnd, resources]) => [frontEnd, judge(resources)]));
      const differs = DIFFERENCES.has(`${rule.id}: ${vector.name}`);
      for (const frontEnd of ['JSON', 'HCL']) {
        if (differs) expect(given.get(frontEnd)).not.toEqual(wanted);
        else expect([frontEnd, given.get(frontEnd)]).toEqual([frontEnd, wanted]);
      }
      const planned = given.get('plan');
      if (planned === undefined || differs) return;
      if (PLAN_KNOWS_MORE.has(`${rule.id}: ${vector.name}`)) expect(contradictions(planned, wanted)).not.toEqual([]);
      else expect(contradictions(planned, wanted)).toEqual([]);
    });
  });
}

interface Verdict {
  readonly verdict: string;
  readonly message: string | undefined;
  readonly severity: string;
  readonly resource: string;
}

/** What a rule says of resources, without words and places: those differ from language to language. */
function verdictsOf(rule: Rule, { today = '2026-11-21', options = {} }: TranslatableVector, resources: readonly EksResource[], ids: ReadonlyMap<string, string>): Verdict[] {
  const findings = runRules(new EksModel(resources), [rule], { today, rules: { [rule.id]: { options } } });
  return findings
    .map(({ verdict, messageId, severity, resource }): Verdict => ({ verdict, message: messageId, severity, resource: ids.get(resource.id) ?? resource.id }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const RANK: Readonly<Record<string, number>> = { info: 1, warning: 2, error: 3 };

/** What a plan says that can't be right if the configuration is judged rightly: a failure where there is none, or a graver one. */
function contradictions(planned: readonly Verdict[], wanted: readonly Verdict[]): Verdict[] {
  const gravest = Math.max(0, ...wanted.filter(({ verdict }) => verdict === 'fail').map(({ severity }) => RANK[severity] ?? 0));
  return planned.filter(({ verdict, severity }) => verdict === 'fail' && (RANK[severity] ?? 0) > gravest);
}
