import {
  alternativesOf,
  bootsByResource,
  type Cluster,
  type ClusterPlace,
  type EksModel,
  type Reference,
  type Resource,
  type Value,
} from '../eks';

/* Code of fixes calls the cluster `Cluster`. In a template that has it by another logical id, the code refers to that one. */

/** @returns the code for a template with references to the cluster that the resource belongs to, as far as its template has one */
export function withReferences(code: string, resource: Resource, model: EksModel): string {
  const { clusterReference } = resource.dialect.fixes;
  const { pattern } = clusterReference ?? {};
  if (pattern === undefined || code.search(pattern) < 0) return code;
  const id = clusterOf(resource, model)?.id;
  return id === undefined ? code : code.replaceAll(pattern, (_, before: string) => `${before}${id}`);
}

/** The cluster that the resource belongs to, and what its nodes or add-ons call it. */
export function clusterPlace(resource: Resource, model: EksModel): ClusterPlace {
  const cluster = isCluster(resource) ? resource : clusterOf(resource, model);
  const own = [resource, ...(clustersIn(model).namedBy.get(resource) ?? [])];
  const names = new Set(
    own.flatMap((one) => ('cluster' in one ? (writtenName(one.cluster as Value<Reference<Cluster>>) ?? []) : [])),
  );
  const [name] = names;
  return {
    cluster,
    name: names.size === 1 ? name : undefined,
    isShared: (one) => isShared(one, model),
    has: (id, beside) => clustersIn(model).ids.has(idIn(beside.stack, moduleOf(beside.id) + id)),
  };
}

/** The modules of an address; those of what a call makes are not looked into. */
function moduleOf(address: string): string {
  return /^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*/.exec(address)?.[0] ?? '';
}

/** Whether a module that is called more than once makes a resource; instances of one call want the same. */
function isShared(resource: Resource, model: EksModel): boolean {
  const callOf = ({ id }: Resource) => moduleOf(id).replaceAll(/\[[^[\]]*\]/g, '');
  const [call, at] = [callOf(resource), resource.source.locate()];
  if (call === '' || resource.moduleInputs !== undefined) return false;
  return model.resources.some((one) => {
    if (one.type !== resource.type || one.stack !== resource.stack || callOf(one) === call) return false;
    const { file, line } = one.source.locate();
    return file === at.file && line === at.line;
  });
}

function idIn(stack: string, id: string): string {
  return JSON.stringify([stack, id.endsWith(']') ? id.slice(0, id.lastIndexOf('[')) : id]);
}

function isCluster(resource: Resource): resource is Cluster {
  return 'kind' in resource && resource.kind === 'cluster';
}

/** A name as code has it: the user's own reference, or in quotes. */
function writtenName(name: Value<Reference<Cluster>>): string | undefined {
  const [first, ...others] = alternativesOf(name);
  if (first === undefined || others.length > 0 || first.value.kind === 'absent') return undefined;
  const { source } = first.value;
  if (source.expression !== undefined) return source.expression;
  if (first.value.kind === 'known')
    return first.value.value.target === undefined ? JSON.stringify(first.value.value.text) : undefined;
  return /^\$\{((?:var|local|data|aws_eks_cluster|module|each)\.[\w.[\]"-]+)\}$/.exec(first.value.text ?? '')?.[1];
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
  /** All resources, by stack and address. */
  readonly ids: ReadonlySet<string>;
  /** Those that code of a template can refer to. */
  readonly byStack: ReadonlyMap<string, readonly Cluster[]>;
  /** Of launch templates, and of groups that have none: whose nodes they start. */
  readonly ofLaunches: ReadonlyMap<Resource, ReadonlySet<Cluster | undefined>>;
  /** The groups of nodes that they start. */
  readonly namedBy: ReadonlyMap<Resource, readonly Resource[]>;
}

function clustersIn(model: EksModel): Clusters {
  let clusters = byModel.get(model);
  if (clusters === undefined) {
    const byStack = new Map<string, Cluster[]>();
    for (const cluster of model.clusters)
      if (cluster.type === cluster.dialect.fixes.clusterReference?.type)
        byStack.set(cluster.stack, [...(byStack.get(cluster.stack) ?? []), cluster]);
    const ofLaunches = new Map<Resource, ReadonlySet<Cluster | undefined>>();
    const namedBy = new Map<Resource, readonly Resource[]>();
    for (const { resource, launches } of bootsByResource(model)) {
      ofLaunches.set(resource, new Set(launches.map(({ view }) => view.cluster)));
      namedBy.set(
        resource,
        launches.map(({ nodeGroup }) => nodeGroup),
      );
    }
    const ids = new Set(model.resources.map(({ stack, id }) => idIn(stack, id)));
    clusters = { byStack, ofLaunches, namedBy, ids };
    byModel.set(model, clusters);
  }
  return clusters;
}

const byModel = new WeakMap<EksModel, Clusters>();
