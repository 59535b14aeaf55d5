import { alternativesOf, type Resource, type Value } from '../../../value';

/*
 * The AMI type of a group that a condition chooses: one in the place of all would take the choice away, so each one that is written there changes.
 */

/** What Amazon Linux 2023 has in the place of a type of Amazon Linux 2. Source: EKS API, Nodegroup, amiType. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  AL2_x86_64: 'AL2023_x86_64_STANDARD',
  AL2_ARM_64: 'AL2023_ARM_64_STANDARD',
  AL2_x86_64_GPU: 'AL2023_x86_64_NVIDIA',
};

const SETTING = /^ami_type = "[^"$\n]+"$/m;

/** Undefined where the condition is the user's and nothing of it says what becomes of the others. */
export function withOwnChoice(code: string, resource: Resource): string | undefined {
  if (!SETTING.test(code) || !('amiType' in resource)) return code;
  const all = alternativesOf(resource.amiType as Value<unknown>).map(({ value }) => value.source);
  const [expression, ...others] = new Set(all.map((source) => source.wholeExpression));
  // What is decided elsewhere changes there.
  if (expression === undefined || !isChoice(expression) || all.some(({ decided }) => decided !== undefined))
    return code;
  const changed = expression.replaceAll(/"(\w+)"/g, (text, name: string) => {
    const successor =
      name === 'AL2_x86_64_GPU' && code.includes('_NEURON"') ? 'AL2023_x86_64_NEURON' : SUCCESSORS[name];
    return successor === undefined ? text : JSON.stringify(successor);
  });
  if (others.length > 0 || changed === expression) return undefined;
  return code.replace(SETTING, () => `ami_type = ${changed}`);
}

function isChoice(expression: string): boolean {
  return expression.replaceAll(/"[^"]*"/g, '').includes('?');
}
