import { looksLikePlan, readPlan, whyNoPlan } from '../../terraform/plan/plan';
import type { FrontEnd } from '../front-end';
import { terraformReader, type TerraformReader } from '../terraform/reading';

/** Plans of Terraform in JSON: `terraform show -json`. */
export const plan: FrontEnd<TerraformReader> = {
  kinds: { 'terraform-plan': 'Terraform plan' },
  sought: 'Terraform plan',
  detection: {
    fileNames: /\.json$/i,
    inText: (text, isNamed) =>
      looksLikePlan(text) || (isNamed && whyNoPlan(text) !== undefined) ? 'surely' : undefined,
  },
  reader: terraformReader,
  take(reader, input, run) {
    if (input.is !== 'file' || input.text === undefined) return undefined;
    const { path, text } = input;
    const { instances, diagnostics, summary, isOther, secrets = [] } = readPlan(text, path);
    const tell = (): void => {
      run.tell(...diagnostics);
      reader.addPlan(instances, secrets);
      // What could not be read was still looked at, and is listed with its diagnostic.
      run.list(() => summary ?? { path, kind: 'terraform-plan', resources: 0 });
    };
    if (isOther === true) return tell;
    tell();
    return undefined;
  },
};
