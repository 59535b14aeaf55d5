import { objectName, type ClusterView } from '../../../eks';
import { oldestKarpenter } from '../../../knowledge';
import { compareVersions } from '../../../knowledge/versions';
import { inWords } from '../../../text/in-words';
import { apiOf } from './karpenter-objects';

/**
 * What a summary says of Karpenter's objects of APIs that no Karpenter for a newer Kubernetes version has: they are written anew before the cluster
 * becomes that. Nothing where there are none.
 */
export function objectsToMigrate({ manifests }: ClusterView, target: string): string {
  const oldest = oldestKarpenter(target);
  if (oldest === undefined) return '';
  const old = manifests.flatMap((manifest) => {
    const api = apiOf(manifest);
    const isGone = api?.before !== undefined && compareVersions(oldest, api.before) >= 0;
    return api !== undefined && isGone ? [{ name: `${api.kind} "${objectName(manifest)}"`, api: api.version }] : [];
  });
  if (old.length === 0) return '';
  const names = inWords([...new Set(old.map(({ name }) => name))], 3);
  const apis = inWords([...new Set(old.map(({ api }) => `\`${api}\``))]);
  return ` Write ${names} of ${apis} anew in \`v1\` before, and update Karpenter to ${oldest} or later, which Kubernetes ${target} needs.`;
}
