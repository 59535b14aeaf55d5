import { EksModel } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { expandKnownModule } from '../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { allRules } from '../../../lib/rules';
import { parseJsonConfiguration } from '../../../lib/terraform/json';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../../lib/terraform/module/root-modules';
import { AS_OF } from '../../as-of';

export interface Checked {
  readonly findings: readonly Finding[];
  readonly problems: readonly string[];
}

export function checkedHcl(text: string, today = AS_OF): Checked {
  return checked(hclFile(text, 'main.tf'), 'terraform', today);
}

export function checkedCdktf(text: string, today = AS_OF): Checked {
  return checked(parseJsonConfiguration(text, 'cdk.tf.json'), 'cdktf', today);
}

function checked(file: ReturnType<typeof hclFile>, frontEnd: 'terraform' | 'cdktf', today: string): Checked {
  const access = { files: () => undefined, read: () => ({ problem: 'there are no files' }) };
  const [root] = readRootModules([{ folder: '.', files: [file], variableFiles: [], stack: 'main', frontEnd }], {
    access,
    knownModule: expandKnownModule,
  });
  return {
    findings: runRules(new EksModel(readInstances(root?.instances ?? [])), allRules, { asOf: today }).filter(
      ({ verdict }) => verdict === 'fail',
    ),
    problems: [...file.diagnostics, ...(root?.diagnostics ?? [])].map(({ message }) => message),
  };
}
