import type { Printed, Workspace } from '../workspace';
import { textOf, textsOf, ToolError, type Given, type ObjectSchema } from '../tool';

/** What a tool looks at: paths, or text that isn't in a file yet. */
export const INPUT: ObjectSchema['properties'] = {
  paths: {
    type: 'array',
    items: { type: 'string' },
    description:
      'Files and folders of the workspace, judged together: CloudFormation templates, cdk.out, Terraform folders and plans (JSON), ClusterConfigs of eksctl, Kubernetes manifests. Default: the whole workspace.',
  },
  text: {
    type: 'string',
    description: 'Instead of paths: one template, plan, ClusterConfig or manifest that is not in a file.',
  },
  filename: {
    type: 'string',
    description: 'What text is called, such as main.tf or template.yaml; tells what it is where the text does not.',
  },
};

/** What is given of it: arguments for the command, and its standard input. */
export function inputOf(
  given: Given,
  workspace: Workspace,
): { readonly args: readonly string[]; readonly input?: string } {
  const [text, name, paths] = [textOf(given, 'text'), textOf(given, 'filename'), textsOf(given, 'paths')];
  if (text === undefined) {
    if (name !== undefined) throw new ToolError('filename names text; give both of them, or paths');
    return { args: ['--', ...workspace.paths(paths.length === 0 ? ['.'] : paths)] };
  }
  if (paths.length > 0) throw new ToolError('give paths or text, not both');
  return { args: [...(name === undefined ? [] : [`--stdin-filename=${name}`]), '--', '-'], input: text };
}

/**
 * The JSON that a command printed.
 * @throws ToolError with what it said instead
 */
export function jsonOf({ stdout, stderr }: Printed): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new ToolError(saidOf(stderr));
  }
}

/** What a command said when it gave no answer. */
export function saidOf(stderr: string): string {
  return stderr.replace(/^error: /, '').trim() || 'the command gave no answer';
}

/** More than a model can use; the whole fits into a file. */
const LONGEST = 60_000;

/** Text that isn't longer than what a model can use, and says so if it was. */
export function readable(text: string): string {
  return text.length <= LONGEST
    ? text
    : `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters are left out; ask about fewer files.`;
}
