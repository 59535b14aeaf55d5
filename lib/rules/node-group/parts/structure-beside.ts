import type { ChangeBeside } from '../../../engine';
import { bootCasesOf, launchesOfGroup, type ClusterView, type NodeGroup } from '../../../eks';
import { correctedLines } from '../../../eks/user-data/correction';

/**
 * Lines of the user data of groups that move to Amazon Linux 2023 whose structure nodeadm, which Amazon Linux 2 doesn't have, can't read: a part without
 * an empty line below its headers, for instance.
 */
export function structureBeside(groups: readonly NodeGroup[], view: ClusterView): readonly ChangeBeside[] {
  const found = new Map<string, ChangeBeside & { readonly first: number }>();
  for (const boot of groups.flatMap((group) => launchesOfGroup(group, view))) {
    const { template } = boot;
    if (template.kind !== 'known') continue;
    for (const { document, userData } of bootCasesOf(boot)) {
      for (const { correction, nodeadm } of document?.defects ?? []) {
        if (document === undefined || correction === undefined || (nodeadm !== 'dies' && nodeadm !== 'lost')) continue;
        const linesToo = correctedLines(document.text, correction);
        if (linesToo === undefined || linesToo.isInValue === true) continue;
        const { file, first } = linesToo;
        const change = { resource: template.value, source: userData.source, code: {}, linesToo, first };
        found.set(`${file}:${first}`, change);
      }
    }
  }
  // From below, so that the lines above stay where they are.
  return [...found.values()].sort((one, other) => other.first - one.first);
}
