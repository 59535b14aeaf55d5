import { EksModel } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { expandKnownModule } from '../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { allRules } from '../../../lib/rules';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../../lib/terraform/module/root-modules';
import { AS_OF } from '../../as-of';
import { once } from '../../rules/models';

type RuleOptions = Readonly<Record<string, { readonly options: Readonly<Record<string, string>> }>>;

export interface Checked {
  readonly findings: readonly Finding[];
  readonly problems: readonly string[];
}

/** @param options those of the rule that is looked at, by its id */
export function checkedHcl(text: string, today = AS_OF, options: RuleOptions = {}): Checked {
  // A text with several findings is asked for before each of their fixes.
  return once(['checkedHcl', text, today, options], () => check(text, today, options));
}

function check(text: string, today: string, options: RuleOptions): Checked {
  const file = hclFile(text, 'main.tf');
  const access = { files: () => undefined, read: () => ({ problem: 'there are no files' }) };
  const [root] = readRootModules(
    [{ folder: '.', files: [file], variableFiles: [], stack: 'main', frontEnd: 'terraform' }],
    {
      access,
      knownModule: expandKnownModule,
    },
  );
  return {
    findings: runRules(new EksModel(readInstances(root?.instances ?? [])), allRules, {
      asOf: today,
      rules: options,
    }).filter(({ verdict }) => verdict === 'fail'),
    problems: [...file.diagnostics, ...(root?.diagnostics ?? [])].map(({ message }) => message),
  };
}
