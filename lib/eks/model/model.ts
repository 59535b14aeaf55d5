import type {
  AccessEntry,
  Addon,
  Cluster,
  ConfigurationFile,
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
  Role,
  SecurityGroup,
  SelfManagedNodeGroup,
} from './resources';
import { whereExists } from './existence';
import { isAllHoles, mayBeEqual } from '../../text/may-equal';
import { alternativesOf, textOf, type PlacedSuppression, type Plain, type Resource, type Value } from '../../value';

/** A cluster as its parts see it: the resource, if the input has it, and everything that names it. */
export interface ClusterView {
  /** Undefined when the cluster is imported, or lives in a stack that the input doesn't hold. */
  readonly cluster: Cluster | undefined;
  /** How the parts call it. */
  readonly name: string;
  /** Where it isn't known which cluster it is: those of the input, of which it may be one. */
  readonly candidates: readonly Cluster[];
  /** Of a cluster of the input: the views of parts of which it isn't known whose they are, so that they may be its own. */
  readonly strays: readonly ClusterView[];
  readonly nodeGroups: readonly NodeGroup[];
  readonly selfManagedNodeGroups: readonly SelfManagedNodeGroup[];
  readonly addons: readonly Addon[];
  readonly podIdentityAssociations: readonly PodIdentityAssociation[];
  readonly fargateProfiles: readonly FargateProfile[];
  readonly accessEntries: readonly AccessEntry[];
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
  readonly selfManagedNodeGroups: readonly SelfManagedNodeGroup[];
  readonly launchTemplates: readonly LaunchTemplate[];
  readonly addons: readonly Addon[];
  readonly podIdentityAssociations: readonly PodIdentityAssociation[];
  readonly roles: readonly Role[];
  readonly securityGroups: readonly SecurityGroup[];
  readonly oidcProviders: readonly OidcProvider[];
  /** Files that their tool checks before it deploys anything. */
  readonly configurationFiles: readonly ConfigurationFile[];
  /** One view per cluster, imported ones included. */
  readonly clusterViews: readonly ClusterView[];

  private readonly viewByPart = new Map<Resource, ClusterView>();
  private readonly namesakes = new Map<ClusterView, readonly ClusterView[]>();

  /** @param suppressions decisions in comments of the input, each for what it covers */
  constructor(
    readonly resources: readonly EksResource[],
    readonly suppressions: readonly PlacedSuppression[] = [],
  ) {
    const byKind = new Map<EksResource['kind'], EksResource[]>();
    for (const resource of resources) {
      const list = byKind.get(resource.kind);
      if (list === undefined) byKind.set(resource.kind, [resource]);
      else list.push(resource);
    }
    const all = <K extends EksResource['kind']>(kind: K) =>
      (byKind.get(kind) ?? []) as Extract<EksResource, { kind: K }>[];
    this.clusters = withoutTwins(all('cluster'));
    this.nodeGroups = all('node-group');
    this.selfManagedNodeGroups = all('self-managed-node-group');
    this.launchTemplates = all('launch-template');
    this.addons = all('addon');
    this.podIdentityAssociations = all('pod-identity-association');
    this.roles = all('role');
    this.securityGroups = all('security-group');
    this.oidcProviders = all('oidc-provider');
    this.configurationFiles = all('configuration-file');
    this.clusterViews = this.groupByCluster();
  }

  /** The cluster that a part belongs to, or the view of a cluster itself. */
  viewOf(part: Cluster | ClusterPart): ClusterView {
    const view = this.viewByPart.get(part);
    if (view === undefined) throw new Error(`${part.id} is not part of this model`);
    return view;
  }

  /** The view of whatever belongs to a cluster. */
  findView(resource: Resource): ClusterView | undefined {
    return this.viewByPart.get(resource);
  }

  /** A view, and those that other stacks have of what may be the same cluster: it has the same literal name, and isn't part of the input. */
  namesakesOf(view: ClusterView): readonly ClusterView[] {
    return this.namesakes.get(view) ?? [view];
  }

  private groupByCluster(): ClusterView[] {
    const views = new Map<unknown, MutableView>();
    const byName = new Map<string, ClusterView[]>();
    const names = new ClusterNames();
    for (const cluster of this.clusters) {
      names.add(cluster);
      const view = emptyView(cluster, cluster.id);
      views.set(cluster, view);
      this.viewByPart.set(cluster, view);
    }
    for (const resource of this.resources) {
      if (!isClusterPart(resource)) continue;
      const { key, name } = clusterKey(resource, names);
      let view = views.get(key);
      if (view === undefined) {
        view = emptyView(undefined, name, candidatesOf(resource, this.clusters));
        views.set(key, view);
        if (resource.cluster.kind === 'known' && resource.cluster.value.text !== '') {
          const literal = `${folderOf(resource)}:${resource.cluster.value.text}`;
          const namesakes = byName.get(literal) ?? [];
          byName.set(literal, namesakes);
          namesakes.push(view);
          this.namesakes.set(view, namesakes);
        }
      }
      addPart(view, resource);
      this.viewByPart.set(resource, view);
    }
    const all = [...views.values()];
    for (const stray of all) for (const cluster of stray.candidates) views.get(cluster)?.strays.push(stray);
    return all;
  }
}

type MutableView = {
  -readonly [K in keyof ClusterView]: ClusterView[K] extends readonly (infer T)[] ? T[] : ClusterView[K];
};

function emptyView(cluster: Cluster | undefined, name: string, candidates: readonly Cluster[] = []): MutableView {
  return {
    cluster,
    name,
    candidates: [...candidates],
    strays: [],
    nodeGroups: [],
    selfManagedNodeGroups: [],
    addons: [],
    podIdentityAssociations: [],
    fargateProfiles: [],
    accessEntries: [],
    manifests: [],
    patches: [],
    helmReleases: [],
  };
}

/** Clusters without those of which another input has the whole: one of the same name, and of no other region. */
function withoutTwins(clusters: readonly Cluster[]): readonly Cluster[] {
  if (!clusters.some(({ isPartial }) => isPartial === true)) return clusters;
  const whole = new ClusterNames();
  for (const cluster of clusters) if (cluster.isPartial !== true) whole.add(cluster);
  return clusters.filter((cluster) => {
    const twin = cluster.isPartial === true ? whole.namesakeOf(cluster) : undefined;
    const [own, other] = [cluster.environment.region, twin?.environment.region];
    return twin === undefined || (own !== undefined && other !== undefined && own !== other);
  });
}

/** The clusters that a part may be of, where its own isn't known: not those that are called otherwise, as far as it is known what it is called. */
function candidatesOf({ cluster }: ClusterPart, clusters: readonly Cluster[]): readonly Cluster[] {
  const texts = alternativesOf(cluster).flatMap(({ value }) =>
    value.kind === 'unknown' ? [HOLE.test(value.text ?? '') ? (value.text ?? '') : UNKNOWN_NAME] : [],
  );
  if (texts.length === 0 || texts.some(isAllHoles)) return texts.length === 0 ? [] : clusters;
  return clusters.filter((one) =>
    alternativesOf(one.name).some(({ value }) => {
      const name = textOf(value);
      return name === undefined || texts.some((text) => mayBeEqual(name, text));
    }),
  );
}

const UNKNOWN_NAME = '${?}';

/** Without one, an unknown text isn't the name but tells where the part stands. */
const HOLE = /\$\{|\{\{resolve:/;

function isClusterPart(resource: EksResource): resource is ClusterPart {
  return 'cluster' in resource;
}

/** Finds clusters by what they are called. */
class ClusterNames {
  /** Several clusters have one name where each environment, region or account has its own. */
  private readonly literals = new Map<string, Set<Cluster>>();
  /** The same for names that aren't known; equal symbols mean equal names. */
  private readonly symbols = new Map<string, Set<Cluster>>();
  /** By the reference to the name of the cluster itself. */
  private readonly references = new Map<string, Set<Cluster>>();

  add(cluster: Cluster): void {
    addName(this.references, symbolIn(cluster.stack, `\${${cluster.id}.name}`), cluster);
    for (const { value } of alternativesOf(cluster.name)) {
      if (value.kind === 'known') addName(this.literals, value.value, cluster);
      else if (value.kind === 'unknown' && value.symbol !== undefined)
        addName(this.symbols, symbolIn(cluster.stack, value.symbol), cluster);
    }
  }

  /** The cluster that is known by the same literal name. */
  namesakeOf(cluster: Cluster): Cluster | undefined {
    return cluster.name.kind === 'known' ? nearest(this.literals.get(cluster.name.value), cluster) : undefined;
  }

  find(reference: Plain<Reference<Cluster>>, part: ClusterPart): Cluster | undefined {
    if (reference.kind === 'known')
      return reference.value.target ?? nearest(this.literals.get(reference.value.text), part);
    if (reference.kind !== 'unknown') return undefined;
    const { symbol, text } = reference;
    const named = symbol === undefined ? undefined : onlyOf(this.symbols.get(symbolIn(part.stack, symbol)));
    // The text of another unknown name doesn't do: two lookups that read alike may give different names.
    return named ?? (text === undefined ? undefined : onlyOf(this.references.get(symbolIn(part.stack, text))));
  }

  /** The one cluster that all alternatives lead to. Those that lead out of the input, to a name that isn't known or empty, don't count. */
  findOnly(part: ClusterPart): Cluster | undefined {
    let only: Cluster | undefined;
    for (const { value } of alternativesOf(whereExists(part, part.cluster))) {
      const cluster = this.find(value, part);
      if (cluster === undefined && value.kind === 'known' && value.value.text !== '') return undefined;
      if (cluster !== undefined && only !== undefined && cluster !== only) return undefined;
      only ??= cluster;
    }
    return only;
  }
}

function addName(names: Map<string, Set<Cluster>>, name: string, cluster: Cluster): void {
  const clusters = names.get(name);
  if (clusters === undefined) names.set(name, new Set([cluster]));
  else clusters.add(cluster);
}

/** Of clusters of one name the only one; else the only one of the part's own stack, else that of its folder. */
function nearest(clusters: ReadonlySet<Cluster> | undefined, part: Resource): Cluster | undefined {
  if (clusters === undefined || clusters.size === 1) return onlyOf(clusters);
  const near = [...clusters].filter((cluster) => folderOf(cluster) === folderOf(part));
  const own = near.filter(({ stack }) => stack === part.stack);
  return onlyOf(own.length > 0 || part.dialect.scopeOfNames === 'stack' ? own : near);
}

function onlyOf(clusters: Iterable<Cluster> | undefined): Cluster | undefined {
  const [only, other] = clusters ?? [];
  return other === undefined ? only : undefined;
}

/** What is looked up at deployment (an import, an SSM parameter) may differ from stack to stack. */
function symbolIn(stack: string, symbol: string): string {
  return `${stack}\n${symbol}`;
}

/** How messages call a cluster that nothing names, in its name's place. */
const NAMELESS = '(name not known)';

/** How messages call a cluster after what is known of its name: "of module.eks" for what a module hands out that isn't here. */
function clusterText(text: string): string {
  const module = moduleIn(text);
  return module === undefined ? text : `of ${module}`;
}

/** The module that hands out a text: `module.eks` of `${module.eks.cluster_name}`. */
export function moduleIn(text: string): string | undefined {
  return /^\$\{((?:module\.[\w-]+(?:\[[^\]]*\])?\.)+)[\w-]+\}$/.exec(text)?.[1]?.slice(0, -1);
}

function clusterKey(part: ClusterPart, names: ClusterNames): { key: unknown; name: string } {
  const reference = part.cluster;
  const cluster = reference.kind === 'choice' ? names.findOnly(part) : names.find(reference, part);
  if (cluster !== undefined) return { key: cluster, name: cluster.id };
  switch (reference.kind) {
    case 'known': {
      const { text } = reference.value;
      return { key: `name:${part.stack}:${folderOf(part)}:${text}`, name: text === '' ? NAMELESS : clusterText(text) };
    }
    case 'unknown':
      if (reference.symbol !== undefined)
        return {
          key: `symbol:${folderOf(part)}:${reference.symbol}`,
          name: clusterText(reference.text ?? reference.symbol),
        };
      return { key: part, name: reference.text === undefined ? NAMELESS : clusterText(reference.text) };
    case 'absent':
    case 'choice':
      return { key: part, name: NAMELESS };
  }
}

/** Templates of several environments are often called the same: `dev/eks.yaml`, `prod/eks.yaml`. Of a CDK app, all are in one folder. */
function folderOf(resource: Resource): string {
  return resource.dialect.scopeOfNames === 'stack'
    ? ''
    : resource.source.locate().file.replace(/(?<![^\\/])[^\\/]*$/, '');
}

function addPart(view: MutableView, part: ClusterPart): void {
  switch (part.kind) {
    case 'node-group':
      view.nodeGroups.push(part);
      break;
    case 'self-managed-node-group':
      view.selfManagedNodeGroups.push(part);
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
    case 'access-entry':
      view.accessEntries.push(part);
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
