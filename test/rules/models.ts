import { AS_OF } from '../as-of';
import { EksModel } from '../../lib/eks';
import { runRules, type Finding, type Rule } from '../../lib/engine';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { looksLikeClusterConfig } from '../../lib/front-ends/eksctl/config-text';
import { EKSCTL } from '../../lib/front-ends/eksctl/dialects';
import { readConfig } from '../../lib/front-ends/eksctl/read';
import { readInstances } from '../../lib/front-ends/terraform/resources';
import { allRules } from '../../lib/rules';
import { looksLikePlan, readPlan } from '../../lib/terraform/plan/plan';
import type { Translation } from './terraform/translate';

/** What is judged in a test of a rule. */
interface Judged {
  readonly template: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly today?: string;
}

/** A vector that is a template. */
export interface TemplateVector extends Judged {
  readonly name: string;
  /** The same in Terraform, or why that can't say it. */
  readonly translation: Translation | string;
}

/** Many tests of a rule look at the same, and none can change it. */
const made = new Map<string, unknown>();

/** What is made for a key until all is forgotten. */
export function once<T>(key: readonly unknown[], make: () => T): T {
  const text = JSON.stringify(key);
  if (!made.has(text)) made.set(text, make());
  return made.get(text) as T;
}

/** Whether a vector is a template, as opposed to a plan or a ClusterConfig. */
export function isTemplate({ template }: { readonly template: string }): boolean {
  return !looksLikePlan(template) && !looksLikeClusterConfig(template);
}

export function forgetModels(): void {
  made.clear();
}

/** The model of a template in YAML or JSON, of a plan of Terraform or of a ClusterConfig of eksctl; it must be readable. */
export function modelOf(template: string): EksModel {
  return once(['model', template], () => read(template));
}

/** What a rule says of a template, with the vector's options. */
export function findingsOf(rule: Rule, judged: Judged): readonly Finding[] {
  return once([rule.id, judged.template, judged.options, judged.today], () =>
    judge(modelOf(judged.template), rule, judged),
  );
}

/** What all rules say of a template, the one that is tested with the vector's options. */
export function allFindingsOf(rule: Rule, judged: Judged): readonly Finding[] {
  return once(['all', rule.id, judged.template, judged.options, judged.today], () =>
    judge(modelOf(judged.template), rule, judged, allRules),
  );
}

/** What rules say of a model, the one that is tested with the options of a vector. */
export function judge(
  model: EksModel,
  rule: Rule,
  { options = {}, today = AS_OF }: Pick<Judged, 'options' | 'today'>,
  rules: readonly Rule[] = [rule],
): Finding[] {
  return runRules(model, rules, { asOf: today, rules: { [rule.id]: { options } } });
}

function read(template: string): EksModel {
  if (looksLikePlan(template)) {
    const { instances, diagnostics } = readPlan(template, 'plan.json');
    expect(diagnostics).toEqual([]);
    return new EksModel(readInstances(instances));
  }
  if (looksLikeClusterConfig(template)) {
    const { resources, diagnostics } = readConfig(template, 'cluster.yaml', EKSCTL, true);
    // What stands beside it in the file is told as that.
    expect(diagnostics.filter(({ skipped }) => skipped === undefined)).toEqual([]);
    return new EksModel(resources);
  }
  const file = template.startsWith('{') ? 'template.json' : 'template.yaml';
  const { resources, diagnostics } = readTemplates([{ file, text: template }]);
  expect(diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([]);
  return new EksModel(resources);
}
