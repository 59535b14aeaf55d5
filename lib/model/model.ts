import type {
  Addon,
  Cluster,
  EksResource,
  FargateProfile,
  HelmRelease,
  KubernetesManifest,
  KubernetesPatch,
  LaunchTemplate,
  NodeGroup,
  OidcProvider,
  PodIdentityAssociation,
  Reference,
  Resource,
  Role,
} from './resources';
import { alternativesOf, type Value } from './value';

/** A cluster as its parts see it: the resource, if the input has it, and everything that names it. */
export interface ClusterView {
  /** Undefined when the cluster is imported, or lives in a stack that the input doesn't hold. */
  readonly cluster: Cluster | undefined;
  /** How the parts call it. */
  readonly name: string;
  readonly nodeGroups: readonly NodeGroup[];
  readonly addons: readonly Addon[];
  readonly podIdentityAssociations: readonly PodIdentityAssociation[];
  readonly fargateProfiles: readonly FargateProfile[];
  readonly manifests: readonly KubernetesManifest[];
  readonly patches: readonly KubernetesPatch[];
  readonly helmReleases: readonly HelmRelease[];
}

/** A resource that belongs to a cluster. */
export type ClusterPart = Extract<EksResource, { readonly cluster: Value<Reference<Cluster>> }>;

/** All that the rules see of one run: every input together, so that links across stacks resolve. */
export class EksModel {
  readonly clusters: readonly Cluster[];
  readonly nodeGroups: readonly NodeGroup[];
  readonly launchTemplates: readonly LaunchTemplate[];
  readonly addons: readonly Addon[];
  readonly podIdentityAssociations: readonly PodIdentityAssociation[];
  readonly roles: readonly Role[];
  readonly oidcProviders: readonly OidcProvider[];
  /** One view per cluster, imported ones included. */
  readonly clusterViews: readonly ClusterView[];

  private readonly viewByPart = new Map<Resource, ClusterView>();

  constructor(readonly resources: readonly EksResource[]) {
    const byKind = new Map<EksResource['kind'], EksResource[]>();
    for (const resource of resources) {
      const list = byKind.get(resource.kind);
      if (list === undefined) byKind.set(resource.kind, [resource]);
      else list.push(resource);
    }
    const all = <K extends EksResource['kind']>(kind: K) => (byKind.get(kind) ?? []) as Extract<EksResource, { kind: K }>[];
    this.clusters = all('cluster');
    this.nodeGroups = all('node-group');
    this.launchTemplates = all('launch-template');
    this.addons = all('addon');
    this.podIdentityAssociations = all('pod-identity-association');
    this.roles = all('role');
    this.oidcProviders = all('oidc-provider');
    this.clusterViews = this.groupByCluster();
  }

  /** The cluster that a part belongs to, or the view of a cluster itself. */
  viewOf(part: Cluster | ClusterPart): ClusterView {
    const view = this.viewByPart.get(part);
    if (view === undefined) throw new Error(`${part.id} is not part of this model`);
    return view;
  }

  private groupByCluster(): ClusterView[] {
    const views = new Map<unknown, MutableView>();
    const literalNames = new Map<string, Cluster | undefined>();
    for (const cluster of this.clusters) {
      for (const { value } of alternativesOf(cluster.name)) {
        if (value.kind !== 'known') continue;
        // Two clusters of one name (two regions, two accounts): a literal name tells nothing then.
        literalNames.set(value.value, literalNames.has(value.value) ? undefined : cluster);
      }
      const view = emptyView(cluster, cluster.id);
      views.set(cluster, view);
      this.viewByPart.set(cluster, view);
    }
    for (const resource of this.resources) {
      if (!isClusterPart(resource)) continue;
      const { key, name } = clusterKey(resource, literalNames);
      let view = views.get(key);
      if (view === undefined) {
        view = emptyView(undefined, name);
        views.set(key, view);
      }
      addPart(view, resource);
      this.viewByPart.set(resource, view);
    }
    return [...views.values()];
  }
}

type MutableView = { -readonly [K in keyof ClusterView]: ClusterView[K] extends readonly (infer T)[] ? T[] : ClusterView[K] };

function emptyView(cluster: Cluster | undefined, name: string): MutableView {
  return {
    cluster,
    name,
    nodeGroups: [],
    addons: [],
    podIdentityAssociations: [],
    fargateProfiles: [],
    manifests: [],
    patches: [],
    helmReleases: [],
  };
}

function isClusterPart(resource: EksResource): resource is ClusterPart {
  return 'cluster' in resource;
}

function clusterKey(part: ClusterPart, literalNames: ReadonlyMap<string, Cluster | undefined>): { key: unknown; name: string } {
  const reference = part.cluster;
  switch (reference.kind) {
    case 'known': {
      const { target, text } = reference.value;
      if (target !== undefined) return { key: target, name: target.id };
      return { key: literalNames.get(text) ?? `name:${part.stack}:${text}`, name: text };
    }
    case 'unknown':
      if (reference.symbol !== undefined) return { key: `symbol:${reference.symbol}`, name: reference.text ?? reference.symbol };
      return { key: part, name: reference.text ?? 'unknown' };
    case 'absent':
    case 'choice':
      return { key: part, name: 'unknown' };
  }
}

function addPart(view: MutableView, part: ClusterPart): void {
  switch (part.kind) {
    case 'node-group':
      view.nodeGroups.push(part);
      break;
    case 'addon':
      view.addons.push(part);
      break;
    case 'pod-identity-association':
      view.podIdentityAssociations.push(part);
      break;
    case 'fargate-profile':
      view.fargateProfiles.push(part);
      break;
    case 'manifest':
      view.manifests.push(part);
      break;
    case 'kubernetes-patch':
      view.patches.push(part);
      break;
    case 'helm-release':
      view.helmReleases.push(part);
      break;
  }
}
