import { EksModel } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { looksLikePlan, readPlan } from '../../lib/terraform/plan/plan';
import { readInstances } from '../../lib/front-ends/terraform/resources';

/** Many tests look at the same template, and none can change its model. */
const models = new Map<string, EksModel>();

/** The model of a template in YAML, or of a plan of Terraform; it must be readable. */
export function modelOf(template: string): EksModel {
  const model = models.get(template) ?? read(template);
  models.set(template, model);
  return model;
}

export function forgetModels(): void {
  models.clear();
}

function read(template: string): EksModel {
  if (looksLikePlan(template)) {
    const { instances, diagnostics } = readPlan(template, 'plan.json');
    expect(diagnostics).toEqual([]);
    return new EksModel(readInstances(instances));
  }
  const { resources, diagnostics } = readTemplates([{ file: 'template.yaml', text: template }]);
  expect(diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([]);
  return new EksModel(resources);
}
