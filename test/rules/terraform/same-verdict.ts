import { AS_OF } from '../../as-of';
import { runRules, type Rule } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { modelOf } from '../models';
import { expectToReadWell } from '../reads-well';
import { DIFFERENCES, PLAN_KNOWS_MORE } from './differences';
import { readEverywhere, readJson } from './front-ends';
import { LEFT_OUT } from './left-out';
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
  const translated: [string, TranslatableVector, Translation][] = [];
  const leftOut: string[] = [];
  for (const vector of vectors) {
    const translation = translate(vector.template);
    if (typeof translation === 'string') leftOut.push(`${rule.id}: ${vector.name} (${translation})`);
    else translated.push([vector.name, vector, translation]);
  }
  describe('Terraform says the same', () => {
    it('but for what left-out.ts lists, because Terraform cannot say it', () => {
      const listed = Object.entries(LEFT_OUT).flatMap(([reason, names]) => names.map((name) => `${name} (${reason})`));
      expect(leftOut.toSorted()).toEqual(listed.filter((name) => name.startsWith(`${rule.id}: `)).toSorted());
    });
    if (translated.length === 0) return;
    it.each(translated)('messages without names read well: %s', (_, vector, { configuration, ids }) => {
      verdictsOf(
        rule,
        vector,
        new EksModel(readJson(JSON.parse(JSON.stringify(configuration, withoutNames)) as Translation['configuration'])),
        ids,
      );
    });
    it.each(translated)('%s', (_, vector, translation) => {
      const judge = (model: EksModel) => verdictsOf(rule, vector, model, translation.ids);
      const wanted = judge(modelOf(vector.template));
      const given = new Map(
        [...readEverywhere(translation)].map(([frontEnd, resources]) => [frontEnd, judge(new EksModel(resources))]),
      );
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

/** Empty texts in the place of names, as the defaults of variables have them. */
function withoutNames(key: string, value: unknown): unknown {
  return typeof value === 'string' && /^(?:cluster_name|name|node_group_name)$/.test(key) ? '' : value;
}

interface Verdict {
  readonly verdict: string;
  readonly message: string | undefined;
  readonly severity: string;
  readonly resource: string;
}

/** What a rule says of resources, without words and places: those differ from language to language. */
function verdictsOf(
  rule: Rule,
  { today = AS_OF, options = {} }: TranslatableVector,
  model: EksModel,
  ids: ReadonlyMap<string, string>,
): Verdict[] {
  const findings = runRules(model, [rule], { asOf: today, rules: { [rule.id]: { options } } });
  expectToReadWell(findings);
  return findings
    .map(
      ({ verdict, messageId, severity, resource }): Verdict => ({
        verdict,
        message: messageId,
        severity,
        resource: ids.get(resource.id) ?? resource.id,
      }),
    )
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const RANK: Readonly<Record<string, number>> = { info: 1, warning: 2, error: 3 };

/** What a plan says that can't be right if the configuration is judged rightly: a failure where there is none, or a graver one. */
function contradictions(planned: readonly Verdict[], wanted: readonly Verdict[]): Verdict[] {
  const gravest = Math.max(
    0,
    ...wanted.filter(({ verdict }) => verdict === 'fail').map(({ severity }) => RANK[severity] ?? 0),
  );
  return planned.filter(({ verdict, severity }) => verdict === 'fail' && (RANK[severity] ?? 0) > gravest);
}
