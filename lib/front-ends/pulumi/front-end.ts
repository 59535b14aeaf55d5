import type { FrontEnd } from '../front-end';
import { PULUMI } from '../terraform/dialects';
import { terraformReader, type TerraformReader } from '../terraform/reading';
import { readPulumi } from './reading';
import { looksLikePulumi, whyNoPulumi } from './recognition';

declare module '../../value/input-summary' {
  interface InputKinds {
    readonly 'pulumi-preview': true;
    readonly 'pulumi-state': true;
  }
}

/** Previews and states of Pulumi: `pulumi preview --json`, `pulumi stack export`. Their resources of AWS are those of Terraform's provider. */
export const pulumi: FrontEnd<TerraformReader> = {
  kinds: { 'pulumi-preview': 'Pulumi preview', 'pulumi-state': 'Pulumi state' },
  sought: 'Pulumi preview',
  dialects: [PULUMI],
  detection: {
    fileNames: /\.json$/i,
    inText: (text, isNamed) =>
      looksLikePulumi(text) || (isNamed && whyNoPulumi(text) !== undefined) ? 'surely' : undefined,
  },
  reader: terraformReader,
  take(reader, input, run) {
    if (input.is !== 'file' || input.text === undefined) return undefined;
    const { path, text } = input;
    const { instances, diagnostics, summary, isOther, secrets } = readPulumi(text, path);
    const tell = (): void => {
      run.tell(...diagnostics);
      reader.addPlan(instances, secrets);
      run.list(() => summary ?? { path, kind: 'pulumi-preview', resources: 0 });
    };
    if (isOther === true) return tell;
    tell();
    return undefined;
  },
};
