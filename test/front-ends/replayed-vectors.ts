import { AS_OF } from '../as-of';
import { EksModel, type EksResource } from '../../lib/eks';
import { runRules } from '../../lib/engine';
import { allRules } from '../../lib/rules';
import { modelOf } from '../rules/models';
import type { CollectedVector } from '../rules/rule-tester';
import { IS_SHARED, share } from '../share';

/** What a template of CloudFormation becomes in another input. */
interface Twin {
  /** Logical ids of what is called otherwise there, by type and id, or by type alone. */
  readonly ids: ReadonlyMap<string, string>;
}

interface Replay<T extends Twin> {
  readonly vectors: readonly CollectedVector[];
  /** Gives the reason if the other input can't say the same. */
  readonly translate: (template: string, rule: string) => T | string;
  readonly read: (twin: T) => readonly EksResource[];
  /** Vectors of which something else is so by right there, by the reason. */
  readonly differences: Readonly<Record<string, readonly string[]>>;
  /** Reasons for which vectors may be left out. */
  readonly leftOut: readonly string[];
}

/**
 * Tests that the rules say the same of vectors in another input, except for the differences, which must differ.
 *
 * @returns the vectors that were translated, by name: a share of them in a whole run
 */
export function replay<T extends Twin>(
  title: string,
  { vectors, translate, read, differences, leftOut }: Replay<T>,
): readonly (readonly [name: string, vector: CollectedVector, twin: T])[] {
  const named = vectors.map((vector) => [`${vector.rule}: ${vector.name}`, vector] as const);
  // To say a vector again takes as long as to judge it.
  const chosen = share(named);
  const translated: [string, CollectedVector, T][] = [];
  const leftOutFor = new Map<string, string>();
  for (const [name, vector] of chosen) {
    const twin = translate(vector.template, vector.rule);
    if (typeof twin === 'string') leftOutFor.set(name, twin);
    else translated.push([name, vector, twin]);
  }
  const differing = new Set(Object.values(differences).flat());

  describe(title, () => {
    it('are many, and the others are left out for a reason that is listed', () => {
      expect(translated.length).toBeGreaterThan(IS_SHARED ? 30 : 300);
      expect([...leftOutFor].filter(([, reason]) => !leftOut.includes(reason))).toEqual([]);
      const names = new Set<string>(named.map(([name]) => name));
      expect([...differing].filter((name) => !names.has(name) || leftOutFor.has(name))).toEqual([]);
    });

    it.each(translated)('%s', (name, vector, twin) => {
      const given = verdicts(vector, new EksModel(read(twin)), twin.ids);
      const wanted = verdicts(vector, modelOf(vector.template), new Map());
      if (differing.has(name)) expect(given).not.toEqual(wanted);
      else expect(given).toEqual(wanted);
    });
  });
  return translated;
}

function verdicts(
  { rule, options = {}, today = AS_OF }: CollectedVector,
  model: EksModel,
  ids: ReadonlyMap<string, string>,
): readonly string[] {
  const rules = allRules.filter(({ id }) => id === rule);
  return runRules(model, rules, { asOf: today, rules: { [rule]: { options } } })
    .map(({ verdict, messageId = '', severity, resource }) => {
      const id = ids.get(`${resource.type} ${resource.id}`) ?? ids.get(resource.type) ?? resource.id;
      return `${verdict} ${messageId} ${severity} ${id}`;
    })
    .toSorted();
}
