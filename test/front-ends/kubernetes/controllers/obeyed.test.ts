import { parse } from 'yaml';
import { AS_OF } from '../../../as-of';
import { EksModel } from '../../../../lib/eks';
import { runRules, type Finding, type Rule } from '../../../../lib/engine';
import type { EngineName } from '../../../../lib/front-ends/kubernetes/controllers/engines';
import { allRules } from '../../../../lib/rules';
import { allVectors } from '../../../metamorphic/vectors';
import { isTemplate } from '../../../rules/models';
import { AND_THEN } from '../../../rules/obeyed/and-then';
import type { CollectedVector } from '../../../rules/rule-tester';
import { isMap, type JsonMap } from '../../../rules/terraform/untranslatable';
import { IS_SHARED, share } from '../../../share';
import { resourcesOf } from './objects';
import { translateToObjects } from './translate';

/*
 * The code of a fix is put into the object that it is for, as it stands: then the finding is gone, and nothing new is found.
 */

interface Advised {
  readonly name: string;
  readonly vector: CollectedVector;
  readonly objects: readonly JsonMap[];
}

const vectors = share(
  allVectors()
    .filter(isTemplate)
    .map((vector) => [`${vector.rule}: ${vector.name}`, vector] as const),
);

describe.each(['ack', 'crossplane'] as const)('the fix for an object of %s, obeyed literally', (engine) => {
  const advised = vectors.flatMap(([name, vector]): readonly Advised[] => {
    const twin = translateToObjects(engine, vector.template);
    if (typeof twin === 'string') return [];
    // All rules are asked of what one of them advises on.
    const own = failuresOf(
      twin.objects,
      vector,
      allRules.filter(({ id }) => id === vector.rule),
    );
    return own.some(({ fixCode }) => fixCode !== undefined) ? [{ name, vector, ...twin }] : [];
  });
  const tried = new Set<string>();

  it.each(advised.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const before = failuresOf(one.objects, one.vector);
    const own = before.filter(({ rule, fixCode }) => rule === one.vector.rule && fixCode !== undefined);
    const problems = firstOfEach(own).flatMap((finding) => {
      tried.add(`${finding.rule} ${finding.messageId ?? ''}`);
      const after = failuresOf(obeyed(engine, one.objects, finding), one.vector);
      const next = AND_THEN[`${finding.rule} ${finding.messageId ?? ''}: ${one.vector.name}`];
      return leftBy(finding, before, after)
        .filter((problem) => next?.test(problem) !== true)
        .map((problem) => `${problem}\n${finding.fixCode ?? ''}`);
    });
    expect(problems).toEqual([]);
  });

  it('was of many messages', () => {
    expect(tried.size).toBeGreaterThan(IS_SHARED ? 10 : 25);
  });
});

function failuresOf(
  objects: readonly JsonMap[],
  { rule, options = {}, today = AS_OF }: CollectedVector,
  rules: readonly Rule[] = allRules,
): readonly Finding[] {
  return runRules(new EksModel(resourcesOf(objects)), rules, { asOf: today, rules: { [rule]: { options } } }).filter(
    ({ verdict }) => verdict === 'fail',
  );
}

/** The objects, with the settings of a fix in place of their own. */
function obeyed(
  engine: EngineName,
  objects: readonly JsonMap[],
  { fixCode = '', resource }: Finding,
): readonly JsonMap[] {
  const [own = '', ...others] = fixCode.split(/^# in the (\w+) "(.+)":\n/m);
  let result = objects;
  const put = (type: string, id: string, text: string): void => {
    const code: unknown = parse(text);
    if (!isMap(code) || Object.keys(code).some((key) => key !== 'spec'))
      throw new Error(`no spec for ${engine}: ${fixCode}`);
    const holders = result.filter(({ kind, metadata }) => kind === type && isMap(metadata) && metadata['name'] === id);
    if (holders.length !== 1) throw new Error(`${holders.length} objects ${type} ${id}`);
    result = result.map((one) => (one === holders[0] ? merged(one, code) : one));
  };
  if (own !== '') put(resource.type, resource.id, own);
  while (others.length > 0) {
    const [type = '', id = '', text = ''] = others.splice(0, 3);
    put(type, id, text);
  }
  return result;
}

/** What code has as a whole: of both settings of an update, a fix keeps one, and of labels the good ones. */
const WHOLE: ReadonlySet<string> = new Set(['updateConfig', 'labels']);

function merged(map: JsonMap, code: JsonMap): JsonMap {
  const result: Record<string, unknown> = { ...map };
  for (const [key, value] of Object.entries(code)) {
    const old = result[key];
    result[key] = isMap(old) && isMap(value) && !WHOLE.has(key) ? merged(old, value) : value;
  }
  return result;
}

/** One finding of each message: of two settings that exclude each other, each fix keeps one. */
function firstOfEach(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.messageId, finding])).values()];
}

function leftBy(finding: Finding, before: readonly Finding[], after: readonly Finding[]): readonly string[] {
  const known = new Set(before.map(({ rule, resource }) => `${rule} ${resource.id}`));
  return after.flatMap(({ rule, message, messageId, severity, resource, about }) => {
    if (
      rule === finding.rule &&
      resource.id === finding.resource.id &&
      messageId === finding.messageId &&
      about === finding.about
    )
      return [`stays: ${message}`];
    return severity === 'info' || known.has(`${rule} ${resource.id}`) ? [] : [`new: ${rule}: ${message}`];
  });
}
