import type { Finding, Rule } from '../../lib/engine';
import { EksModel } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { parsed } from '../metamorphic/templates';
import { share } from '../share';
import { findingsOf, judge, type TemplateVector } from './models';
import { hclModelOf } from './terraform/front-ends';
import { hclText } from './terraform/hcl';
import { translateRoot, type Translation } from './terraform/translate';
import { isMap, type JsonMap } from './terraform/untranslatable';

/**
 * Declares a test for each template without conditions: where all of it is made under one condition, and each value is another one where the
 * condition doesn't hold, the rule says the same. In Terraform too, as far as it can say that: there everything has a `count`.
 */
export function testUnderCondition(rule: Rule, vectors: readonly TemplateVector[]): void {
  const chosen = share(vectors.map((vector) => [vector.name, vector] as const));
  const conditionable = chosen.flatMap(([, vector]): [string, TemplateVector, JsonMap][] => {
    const root = parsed(vector.template);
    return root === undefined || HAS_CASES.test(JSON.stringify(root)) ? [] : [[vector.name, vector, root]];
  });
  if (conditionable.length === 0) return;
  describe('the same under a condition', () => {
    it.each(conditionable)('%s', (_, vector, root) => {
      const wanted = verdictsOf(findingsOf(rule, vector));
      const given = [false, true].map((isNested) => {
        const { resources, diagnostics } = readTemplates([
          { file: 'template.json', text: JSON.stringify(underCondition(root, isNested)) },
        ]);
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        return verdictsOf(judge(new EksModel(resources), rule, vector));
      });
      expect(given).toEqual([wanted, wanted]);
    });
    const translated = conditionable.flatMap(([name, vector, root]): [string, TemplateVector, Translation[]][] => {
      const { translation: plain } = vector;
      if (typeof plain === 'string') return [];
      const conditional = [false, true].map((isNested) => translateRoot(underCondition(root, isNested)));
      const possible = conditional.filter((translation) => typeof translation !== 'string');
      return possible.length === 0 ? [] : [[name, vector, [plain, ...possible]]];
    });
    if (translated.length === 0) return;
    it.each(translated)('with a count in Terraform: %s', (_, vector, translations) => {
      const [wanted, ...given] = translations.map(({ configuration, ids }) =>
        verdictsOf(judge(hclModelOf(hclText(configuration)), rule, vector), ids),
      );
      for (const verdicts of given) expect(verdicts).toEqual(wanted);
    });
  });
}

/** Templates with conditions of their own, or whose conditions only the processor of a transform would see. */
const HAS_CASES = /"(?:Condition|Conditions|Fn::If|Transform|Fn::Transform|Fn::ForEach[^"]*)":/;
const FUNCTION = /^(?:Ref|Condition|Fn::.*)$/;

/** All resources exist where a condition holds, and only there they are what they were. @param isNested the members of properties and the items of lists, one by one */
function underCondition(root: JsonMap, isNested: boolean): JsonMap {
  const chosen = (value: unknown, other: string) => ({ 'Fn::If': ['IsMade', value, { Ref: other }] });
  const property = (value: unknown): unknown => {
    const ifMade = (member: unknown): unknown => chosen(member, 'AWS::NoValue');
    if (isNested && Array.isArray(value)) return value.map(ifMade);
    return isNested && isMap(value) && !Object.keys(value).some((key) => FUNCTION.test(key))
      ? mapMembers(value, ifMade)
      : chosen(value, 'Elsewhere');
  };
  const resource = (body: unknown): unknown => {
    if (!isMap(body)) return body;
    const { Properties: properties } = body;
    return {
      ...body,
      Condition: 'IsMade',
      ...(isMap(properties) ? { Properties: mapMembers(properties, property) } : {}),
    };
  };
  return {
    ...root,
    Parameters: { ...asMap(root['Parameters']), Make: { Type: 'String' }, Elsewhere: { Type: 'String' } },
    Conditions: { IsMade: { 'Fn::Equals': [{ Ref: 'Make' }, 'yes'] } },
    Resources: mapMembers(asMap(root['Resources']), resource),
  };
}

function asMap(value: unknown): JsonMap {
  return isMap(value) ? value : {};
}

function mapMembers(map: JsonMap, fn: (member: unknown) => unknown): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, member]) => [key, fn(member)]));
}

/**
 * What a rule says of resources, without places; something that is said of several cases counts once.
 * @param ids of resources by address, for Terraform, where the translation of a choice may say more, so that words differ
 */
function verdictsOf(findings: readonly Finding[], ids?: ReadonlyMap<string, string>): string[] {
  const verdicts = findings.map(
    ({ verdict, severity, messageId = '', resource, message }) =>
      `${verdict} ${severity} ${messageId} ${ids === undefined ? `${resource.id} ${message}` : (ids.get(resource.id) ?? resource.id)}`,
  );
  return [...new Set(verdicts)].sort();
}
