import type { Finding, Rule } from '../../../lib/engine';
import { share } from '../../share';
import { findingsOf, judge, type TemplateVector } from '../models';
import { expectToReadWell } from '../reads-well';
import { DIFFERENCES, PLAN_KNOWS_MORE } from './differences';
import { jsonModelOf, readEverywhere } from './front-ends';
import { LEFT_OUT } from './left-out';
import type { Translation } from './translate';

/**
 * Declares a test for each vector that Terraform can say, too: the same configuration in JSON, in HCL and in a plan gets the same verdict,
 * but that a plan may know less, because a text with an unknown part is unknown as a whole there.
 */
export function testInTerraform(rule: Rule, vectors: readonly TemplateVector[]): void {
  // To translate all would take as long as to judge a share of them.
  const chosen = share(vectors.map((vector) => [vector.name, vector] as const));
  const translated: [string, TemplateVector, Translation][] = [];
  const leftOut = new Map<string, string>();
  for (const [name, vector] of chosen) {
    const { translation } = vector;
    if (typeof translation === 'string') leftOut.set(`${rule.id}: ${name}`, translation);
    else translated.push([name, vector, translation]);
  }
  describe('Terraform says the same', () => {
    it('but for what left-out.ts lists, because Terraform cannot say it', () => {
      const names = new Set(chosen.map(([name]) => `${rule.id}: ${name}`));
      const listed = Object.entries(LEFT_OUT).flatMap(([reason, all]) => all.map((name) => [name, reason] as const));
      expect(Object.fromEntries(leftOut)).toEqual(Object.fromEntries(listed.filter(([name]) => names.has(name))));
      const known = new Set(vectors.map(({ name }) => `${rule.id}: ${name}`));
      expect(listed.filter(([name]) => name.startsWith(`${rule.id}: `) && !known.has(name))).toEqual([]);
    });
    if (translated.length === 0) return;
    it.each(translated)('messages without names read well: %s', (_, vector, { configuration, ids }) => {
      verdictsOf(judge(jsonModelOf(JSON.stringify(configuration, withoutNames, 2)), rule, vector), ids);
    });
    it.each(translated)('%s', (_, vector, translation) => {
      const wanted = verdictsOf(findingsOf(rule, vector), translation.ids);
      const given = new Map(
        [...readEverywhere(translation)].map(([frontEnd, model]) => [
          frontEnd,
          verdictsOf(judge(model, rule, vector), translation.ids),
        ]),
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
function verdictsOf(findings: readonly Finding[], ids: ReadonlyMap<string, string>): Verdict[] {
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
