import { objectName, type ClusterView } from '../../../eks';
import { oldestKarpenter } from '../../../knowledge';
import { compareVersions } from '../../../knowledge/versions';
import { inWords } from '../../../text/in-words';
import type { ChangeBeside } from '../../../engine';
import { apiOf, karpenterOf } from './karpenter-objects';
import { rewrittenLines } from './rewritten-object';

/**
 * What a summary says of Karpenter's objects of APIs that no Karpenter for a newer Kubernetes version has: they are written anew before the cluster
 * becomes that. Nothing where there are none.
 */
export function objectsToMigrate({ manifests }: ClusterView, target: string): string {
  const oldest = oldestKarpenter(target);
  if (oldest === undefined) return '';
  const old = goneFor(manifests, oldest).map((manifest) => {
    const { kind = '', version = '' } = apiOf(manifest) ?? {};
    return { name: `${kind} "${objectName(manifest)}"`, api: version };
  });
  if (old.length === 0) return '';
  const names = inWords([...new Set(old.map(({ name }) => name))], MOST_NAMES);
  const apis = inWords([...new Set(old.map(({ api }) => `\`${api}\``))]);
  return ` Write ${names} of ${apis} anew in \`v1\` before, and update Karpenter to ${oldest} or later, which Kubernetes ${target} needs.`;
}

const MOST_NAMES = 20;

/** Nobody reads more lines below a version. */
const MOST_LINES = 200;

/** The same objects as they are written anew, each where it stands; none where these are too many lines, or somebody has to decide on one of them. */
export function objectsInV1(view: ClusterView, target: string): readonly ChangeBeside[] {
  const oldest = oldestKarpenter(target);
  const old = oldest === undefined || runsOlder(view) ? [] : goneFor(view.manifests, oldest);
  const written = old.flatMap((manifest) => {
    const lines = rewrittenLines(manifest, view, target);
    return lines === undefined ? [] : [{ manifest, lines }];
  });
  const count = written.reduce((sum, { lines }) => sum + lines.after.length, 0);
  if (written.length < old.length || count > MOST_LINES) return [];
  return written
    .toSorted((one, other) => other.lines.first - one.lines.first)
    .map(({ manifest, lines }) => ({ resource: manifest, source: manifest.source, code: {}, linesToo: lines }));
}

/** Objects whose API ended with a version of Karpenter, or before it. */
function goneFor(manifests: ClusterView['manifests'], oldest: string): ClusterView['manifests'] {
  return manifests.filter((manifest) => {
    const before = apiOf(manifest)?.before;
    return before !== undefined && compareVersions(oldest, before) >= 0;
  });
}

/** Whether the input has a Karpenter without v1, which is updated first. */
function runsOlder(view: ClusterView): boolean {
  const running = karpenterOf(view);
  return running !== undefined && compareVersions(running.version, '1.0') < 0;
}
