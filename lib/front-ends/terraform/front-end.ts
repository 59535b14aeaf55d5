import { mayHoldValues } from '../../terraform/module/value-files';
import type { FrontEnd } from '../front-end';
import { isConfigurationFile } from './configuration-files';
import { configurationSyntax, looksLikeVariables } from './configuration-text';
import { TERRAFORM } from './dialects';
import { terraformReader, type TerraformReader } from './reading';

const VARIABLES_ALONE =
  'values of variables count with the configuration that takes them: give its folder as well, and the name of the file (--stdin-filename terraform.tfvars)';

/** Configuration of Terraform and OpenTofu, in HCL or JSON. */
export const terraform: FrontEnd<TerraformReader> = {
  kinds: { 'terraform-configuration': 'Terraform configuration' },
  sought: 'Terraform configuration',
  dialects: [TERRAFORM],
  detection: {
    isFile: isConfigurationFile,
    wantsFolder: (names) => names.some((name) => isConfigurationFile(name) || mayHoldValues(name)),
    inPipe(text) {
      const syntax = configurationSyntax(text);
      // Files of a configuration are known by their names, so it gets one that says so.
      return syntax === undefined
        ? undefined
        : { name: syntax === 'hcl' ? 'stdin.tf' : 'stdin.tf.json', isSure: syntax === 'hcl' };
    },
    whyPart: (text, name) =>
      /\.tfvars(?:\.json)?$/.test(name) || looksLikeVariables(text) ? VARIABLES_ALONE : undefined,
  },
  reader: terraformReader,
  take({ configurations }, input) {
    if (input.is === 'folder') configurations.addFolder(input.path, input.isNamed, input.names);
    // In a folder they are read with the folder.
    else if (input.is === 'file' && input.isNamed) configurations.addFile(input.path);
    return undefined;
  },
};
