import { alternativesOf, sourceOf, type ClusterView, type ValueCheck } from '../eks';
import { inWords } from '../text/in-words';
import { onlyText } from './commands';
import type { Task } from './plan';

/** What of the input itself refuses versions of the way: the validation of a variable that the version goes through, or the allowed values of a parameter. */
export function refusedValues({ cluster }: ClusterView, steps: readonly string[]): readonly Task[] {
  if (cluster === undefined) return [];
  const present = onlyText(cluster.version);
  const checks = new Map<string, ValueCheck>();
  for (const { value } of alternativesOf(cluster.version)) {
    for (const check of sourceOf(value).decided?.checks ?? []) {
      const { file, line, column } = check.at.locate();
      if (check.text === present) checks.set(`${file}:${line}:${column}`, check);
    }
  }
  return [...checks.values()].flatMap((check): readonly Task[] => {
    const refused = steps.filter((version) => check.accepts(version) === false);
    if (refused.length === 0) return [];
    const said = check.message === undefined ? '' : ` ("${check.message}")`;
    return [
      {
        phase: 'before',
        level: 'must',
        text: `${inWords(refused, 10)} ${refused.length === 1 ? 'is' : 'are'} refused by ${check.by}${said}: the deployment stops there before it asks EKS for anything.`,
        fix: `Let it take ${refused.length === 1 ? 'that version' : 'these versions'}.`,
        resource: cluster,
        source: check.at,
      },
    ];
  });
}
