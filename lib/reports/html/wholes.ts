import type { Cluster, ClusterView, EksResource } from '../../eks';

/** A cluster with the parts of all views that name it. */
export interface Whole {
  readonly cluster: Cluster | undefined;
  readonly name: string;
  readonly views: readonly ClusterView[];
}

/** Views with the names of the input's clusters; parts of one app or folder whose cluster has the same name, or none that is known, are drawn together. */
export function wholes(views: readonly ClusterView[]): readonly Whole[] {
  const byName = new Map<object | string, ClusterView[]>();
  for (const view of views) {
    const parts = resourcesOf({ cluster: undefined, name: view.name, views: [view] });
    if (view.cluster === undefined && parts.every(({ isImplied }) => isImplied === true)) continue;
    const key = view.cluster ?? JSON.stringify([view.name, ...parts.slice(0, 1).map(homeOf)]);
    const known = byName.get(key);
    if (known === undefined) byName.set(key, [view]);
    else known.push(view);
  }
  return [...byName.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ cluster: first.cluster, name: first.name, views: same }];
  });
}

/** Where a name means one cluster: a root module or a plan, or the folder of templates that are deployed together. In other places, other clusters may have that name. */
function homeOf({ dialect, stack, source }: EksResource): string {
  return dialect.scopeOfNames === 'stack' ? stack : source.locate().file.replace(/(?<![^/\\])[^/\\]*$/, '');
}

export function resourcesOf({ cluster, views }: Whole): readonly EksResource[] {
  const parts = views.flatMap((view): EksResource[] => [
    ...view.nodeGroups,
    ...view.selfManagedNodeGroups,
    ...view.addons,
    ...view.podIdentityAssociations,
    ...view.fargateProfiles,
    ...view.accessEntries,
    ...view.manifests,
    ...view.patches,
    ...view.helmReleases,
  ]);
  return cluster === undefined ? parts : [cluster, ...parts];
}
