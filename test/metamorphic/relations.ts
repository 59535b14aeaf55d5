import { stringify } from 'yaml';
import { AS_OF } from '../as-of';
import { runRules } from '../../lib/engine';
import { EksModel, type EksResource } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { parseJsonConfiguration } from '../../lib/terraform/json';
import { hclFile } from '../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../lib/terraform/module/root-modules';
import { readPlan } from '../../lib/terraform/plan/plan';
import { readInstances } from '../../lib/front-ends/terraform/resources';
import type { ConfigurationFile } from '../../lib/terraform/configuration-file';
import { allRules } from '../../lib/rules';
import type { CollectedVector } from '../rules/rule-tester';
import { hclText } from '../rules/terraform/hcl';
import { plannable, planText } from '../rules/terraform/plan';
import { translate, type Translation } from '../rules/terraform/translate';
import { isMap, Untranslatable, type JsonMap } from '../rules/terraform/untranslatable';
import { Random } from './random';
import { parsed, renamed, shuffled, split, withUnrelated } from './templates';

/** What a change that means nothing makes of a configuration, beside what was there. */
export interface Comparison {
  readonly relation: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** All comparisons of a vector, with changes that depend on the seed. */
export function* comparisons(vector: CollectedVector, seed: number): Generator<Comparison> {
  yield* ofTemplate(vector, new Random(seed));
  yield* ofTerraform(vector, new Random(seed));
}

function* ofTemplate(vector: CollectedVector, random: Random): Generator<Comparison> {
  const root = parsed(vector.template);
  if (root === undefined) return;
  const judge = (roots: readonly unknown[], ids?: ReadonlyMap<string, string>) =>
    verdictsOf(
      vector,
      readTemplates(roots.map((one, index) => ({ file: `template-${index}.json`, text: JSON.stringify(one) })))
        .resources,
      ids,
    );
  const before = verdictsOf(vector, readTemplates([{ file: 'template.yaml', text: vector.template }]).resources);
  yield { relation: 'YAML to JSON', before, after: judge([root]) };
  yield {
    relation: 'JSON to YAML',
    before,
    after: verdictsOf(vector, readTemplates([{ file: 'template.yaml', text: stringify(root) }]).resources),
  };
  yield { relation: 'another order', before, after: judge([shuffled(root, random)]) };
  const { root: other, ids } = renamed(root, random);
  yield { relation: 'other names', before, after: judge([shuffled(other, random)], ids) };
  yield {
    relation: 'unrelated resources',
    before,
    after: judge([withUnrelated(root, random)]).filter((verdict) => !verdict.includes(' Unrelated')),
  };
  const parts = split(root, random);
  if (parts === undefined) return;
  const [one, two] = [judge(parts), judge([...parts].reverse())];
  yield { relation: 'another order of files', before: one, after: two };
  yield { relation: 'two stacks', before: [], after: one.filter((verdict) => isNewFailure(verdict, before)) };
}

/** Rules that say something else of two stacks by right: one is about stacks, one looks for what may install a CNI in that of the cluster. */
const OF_ONE_STACK = ['addon-preserve-on-delete', 'cluster-network-addons'];

const RANK = ['info', 'warning', 'error'];

/** What stands in another stack may be unknown: a failure can be less grave then, or worded otherwise, but there can be no other. */
function isNewFailure(failure: string, before: readonly string[]): boolean {
  const [rule = '', verdict, severity = '', , resource] = failure.split(' ');
  if (verdict !== 'fail' || OF_ONE_STACK.includes(rule)) return false;
  return !before.some((other) => {
    const [sameRule, otherVerdict, otherSeverity = '', , sameResource] = other.split(' ');
    return (
      sameRule === rule &&
      otherVerdict === 'fail' &&
      sameResource === resource &&
      RANK.indexOf(otherSeverity) >= RANK.indexOf(severity)
    );
  });
}

function* ofTerraform(vector: CollectedVector, random: Random): Generator<Comparison> {
  const translation = translate(vector.template);
  if (typeof translation === 'string') return;
  const { configuration, ids, hasConditions } = translation;
  const json = (one: JsonMap, name = 'main.tf.json') => parseJsonConfiguration(JSON.stringify(one), name);
  const judge = (files: readonly ConfigurationFile[]) => verdictsOf(vector, readInstances(instancesOf(files)), ids);
  const before = judge([json(configuration)]);
  const other = shuffled(configuration, random) as JsonMap;
  yield { relation: 'JSON to HCL', before, after: judge([hclFile(hclText(configuration), 'main.tf')]) };
  yield { relation: 'another order of blocks', before, after: judge([hclFile(hclText(other), 'main.tf')]) };
  const { resource = {}, ...rest } = other;
  const blocks = Object.entries(resource as JsonMap).flatMap(([type, named]) =>
    Object.entries(isMap(named) ? named : {}).map(([name, body]) => ({ resource: { [type]: { [name]: body } } })),
  );
  const files = [
    hclFile(hclText(rest), 'z.tf'),
    ...blocks.map((block, index) =>
      random.below(2) === 0 ? json(block, `${index}.tf.json`) : hclFile(hclText(block), `${index}.tf`),
    ),
  ];
  yield { relation: 'a file for each block', before, after: judge(random.shuffled(files)) };
  if (hasConditions) return;
  const plan = planOf(plannable(configuration));
  if (plan === undefined) return;
  const judgePlan = (one: unknown) =>
    verdictsOf(vector, readInstances(readPlan(JSON.stringify(one), 'plan.json').instances), ids);
  const { resource_changes: changes, ...others } = plan;
  // Lists of a plan stay as they are: values, marks and references go together by their index.
  const reordered = random.shuffled(changes as unknown[]).map((change) => shuffled(change, random, new Set()));
  yield {
    relation: 'another order of a plan',
    before: judgePlan(plan),
    after: judgePlan({ ...others, resource_changes: reordered }),
  };
}

function instancesOf(files: readonly ConfigurationFile[]) {
  const access = { files: () => undefined, read: () => ({ problem: 'there are no files' }) };
  const [read] = readRootModules([{ folder: '.', files, variableFiles: [], stack: 'main', frontEnd: 'terraform' }], {
    access,
  });
  return read?.instances ?? [];
}

function planOf(configuration: Translation['configuration']): JsonMap | undefined {
  try {
    return JSON.parse(
      planText(configuration, instancesOf([parseJsonConfiguration(JSON.stringify(configuration), 'main.tf.json')])),
    ) as JsonMap;
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

/** Of two that are at odds with each other, which of them is named first is nobody's business. */
const SYMMETRIC: ReadonlySet<string> = new Set(['drain-blocked two-budgets']);

/** What all rules say of resources, without words and places. */
function verdictsOf(
  { rule, today = AS_OF, options = {} }: CollectedVector,
  resources: readonly EksResource[],
  ids: ReadonlyMap<string, string> = new Map(),
): readonly string[] {
  const findings = runRules(new EksModel(resources), allRules, {
    asOf: today,
    preset: 'strict',
    rules: { [rule]: { options } },
  });
  return findings
    .map(
      ({ rule: id, verdict, severity, messageId = '', resource }) =>
        `${id} ${verdict} ${severity} ${messageId} ${SYMMETRIC.has(`${id} ${messageId}`) ? 'one of them' : (ids.get(resource.id) ?? resource.id)}`,
    )
    .sort();
}
