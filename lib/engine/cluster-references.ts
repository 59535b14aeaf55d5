import { bootsByResource, type Cluster, type EksModel, type Resource } from '../eks';

/* Code of fixes calls the cluster `Cluster`. In a template that has it by another logical id, the code refers to that one. */

/** @returns the code for a template with references to the cluster that the resource belongs to, as far as its template has one */
export function withReferences(code: string, resource: Resource, model: EksModel): string {
  const { clusterReference } = resource.dialect.fixes;
  if (clusterReference === undefined || code.search(clusterReference.pattern) < 0) return code;
  const id = clusterOf(resource, model)?.id;
  return id === undefined ? code : code.replaceAll(clusterReference.pattern, (_, before: string) => `${before}${id}`);
}

function clusterOf(resource: Resource, model: EksModel): Cluster | undefined {
  const { byStack, ofLaunches } = clustersIn(model);
  const [first, ...others] = byStack.get(resource.stack) ?? [];
  if (others.length === 0) return first;
  const used = ofLaunches.get(resource) ?? new Set([model.findView(resource)?.cluster]);
  const [own] = used;
  return used.size === 1 && own?.stack === resource.stack ? own : undefined;
}

/** What is asked for each finding, of a model. */
interface Clusters {
  /** Those that code of a template can refer to. */
  readonly byStack: ReadonlyMap<string, readonly Cluster[]>;
  /** Of launch templates, and of groups that have none: whose nodes they start. */
  readonly ofLaunches: ReadonlyMap<Resource, ReadonlySet<Cluster | undefined>>;
}

function clustersIn(model: EksModel): Clusters {
  let clusters = byModel.get(model);
  if (clusters === undefined) {
    const byStack = new Map<string, Cluster[]>();
    for (const cluster of model.clusters)
      if (cluster.type === cluster.dialect.fixes.clusterReference?.type)
        byStack.set(cluster.stack, [...(byStack.get(cluster.stack) ?? []), cluster]);
    const ofLaunches = new Map<Resource, ReadonlySet<Cluster | undefined>>();
    for (const { resource, launches } of bootsByResource(model))
      ofLaunches.set(resource, new Set(launches.map(({ view }) => view.cluster)));
    clusters = { byStack, ofLaunches };
    byModel.set(model, clusters);
  }
  return clusters;
}

const byModel = new WeakMap<EksModel, Clusters>();
