import type { ClusterView, EksModel, HelmRelease, KubernetesManifest } from '../eks';
import { goneApiTasks, karpenterPreparations, nodeClassTasks, removedApiTasks } from './kubernetes-objects';
import type { Task } from './plan';

/* Kubernetes objects and charts that don't say which cluster of the input they are for. */

/** A cluster with nothing in it but what may be for it. */
export function unplacedOf(view: ClusterView, model: EksModel): ClusterView {
  const manifests: KubernetesManifest[] = [];
  const helmReleases: HelmRelease[] = [];
  for (const other of model.clusterViews) {
    if (other.cluster !== undefined || view.cluster === undefined || !other.candidates.includes(view.cluster)) continue;
    manifests.push(...other.manifests);
    helmReleases.push(...other.helmReleases);
  }
  return { ...view, manifests, helmReleases };
}

/** What they need before the first step, if they are for this cluster. */
export function unplacedPreparations(unplaced: ClusterView, from: string, steps: readonly string[]): readonly Task[] {
  return ifForIt([...goneApiTasks(unplaced, from), ...karpenterPreparations(unplaced, from, steps)]);
}

/** What they need in a step, if they are for this cluster. */
export function unplacedTasks(unplaced: ClusterView, from: string, to: string): readonly Task[] {
  return ifForIt([...removedApiTasks(unplaced, from, to), ...nodeClassTasks(unplaced, from, to)]);
}

function ifForIt(tasks: readonly Task[]): readonly Task[] {
  return tasks.flatMap((task) =>
    task.level === 'must'
      ? [{ ...task, level: 'should', text: `${task.text} The input doesn't tell which cluster it is for.` }]
      : [],
  );
}
