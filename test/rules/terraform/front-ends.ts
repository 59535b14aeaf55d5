import { EksModel } from '../../../lib/eks';
import type { ConfigurationFile } from '../../../lib/terraform/configuration-file';
import type { TerraformInstance } from '../../../lib/terraform/instance';
import { parseJsonConfiguration } from '../../../lib/terraform/json';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../../lib/terraform/module/root-modules';
import { readPlan } from '../../../lib/terraform/plan/plan';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { once } from '../models';
import { hclText } from './hcl';
import { plannable, planText } from './plan';
import type { Translation } from './translate';
import { Untranslatable } from './untranslatable';

/** What the front ends of Terraform make of one configuration. */
export function readEverywhere({ configuration, hasConditions }: Translation): ReadonlyMap<string, EksModel> {
  const all = new Map([
    ['JSON', jsonModelOf(JSON.stringify(configuration, undefined, 2))],
    ['HCL', hclModelOf(hclText(configuration))],
  ]);
  const plan = hasConditions ? undefined : planOf(plannable(configuration));
  if (plan !== undefined) all.set('plan', plan);
  return all;
}

/** The model of a configuration in the JSON syntax; it must be readable. */
export function jsonModelOf(text: string): EksModel {
  return once(['main.tf.json', text], () => modelOf(parseJsonConfiguration(text, 'main.tf.json')));
}

/** The model of a configuration in HCL; it must be readable. */
export function hclModelOf(text: string): EksModel {
  return once(['main.tf', text], () => modelOf(hclFile(text, 'main.tf')));
}

function modelOf(file: ConfigurationFile): EksModel {
  return new EksModel(readInstances(instancesOf(file)));
}

export function instancesOf(file: ConfigurationFile): readonly TerraformInstance[] {
  expect(file.diagnostics).toEqual([]);
  const access = { files: () => undefined, read: () => ({ problem: 'there are no files' }) };
  const [read] = readRootModules(
    [{ folder: '.', files: [file], variableFiles: [], stack: 'main', frontEnd: 'terraform' }],
    { access },
  );
  expect(read?.diagnostics).toEqual([]);
  return read?.instances ?? [];
}

/** Undefined where a plan can't say it. */
function planOf(configuration: Translation['configuration']): EksModel | undefined {
  const instances = instancesOf(parseJsonConfiguration(JSON.stringify(configuration), 'main.tf.json'));
  let text: string;
  try {
    text = planText(configuration, instances);
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
  const plan = readPlan(text, 'plan.json');
  expect(plan.diagnostics).toEqual([]);
  return new EksModel(readInstances(plan.instances));
}
