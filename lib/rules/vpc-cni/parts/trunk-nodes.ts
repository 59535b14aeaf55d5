import { parseMinor } from '../../../knowledge';
import {
  amiFamilyOf,
  casesOf,
  inNameOrder,
  karpenterCapacityOf,
  nodeTypesOf,
  outsideCapacityOf,
  type AnyNodeGroup,
  type ClusterView,
  type EksModel,
  type NodeTypes,
  type Source,
  type When,
} from '../../../eks';

/*
 * Which nodes of a cluster can carry a trunk network interface, through which pods get security groups of their own.
 * Source: aws/amazon-vpc-resource-controller-k8s, pkg/aws/vpc/limits.go.
 */

/** A group with instance types that can't carry a trunk interface, in one case of its conditions. */
export interface TrunklessGroup {
  readonly types: NodeTypes;
  /** Names of those that can't. */
  readonly without: readonly string[];
  readonly when: When;
}

/** Why it isn't certain whether there are nodes with a trunk interface. */
interface TrunkDoubt {
  readonly reason: string;
  /** Undefined if it isn't the doubt of a group. */
  readonly group: AnyNodeGroup | undefined;
  readonly source: Source | undefined;
  readonly when: When;
}

/** The nodes of a cluster, by what they can do. Windows nodes are left out: pods on them have no security groups of their own. */
export interface TrunkNodes {
  /** Where some nodes surely can carry a trunk interface. */
  readonly capable: readonly When[];
  /** Groups some of whose types can't, while others can or may. */
  readonly mixed: readonly TrunklessGroup[];
  /** Groups of whose types none can. */
  readonly incapable: readonly TrunklessGroup[];
  readonly doubts: readonly TrunkDoubt[];
  /** Where pods may run on Fargate, which has security groups for pods by itself. */
  readonly fargate: readonly When[];
  /** Where the cluster has Auto Mode of a version without security groups for pods. */
  readonly oldAutoMode: readonly { readonly when: When; readonly source: Source; readonly version: string }[];
}

export function trunkNodesOf(view: ClusterView, model: EksModel): TrunkNodes {
  const nodes = {
    capable: [] as When[],
    mixed: [] as TrunklessGroup[],
    incapable: [] as TrunklessGroup[],
    doubts: [] as TrunkDoubt[],
    fargate: view.fargateProfiles.map(({ exists }) => exists),
    oldAutoMode: [] as TrunkNodes['oldAutoMode'][number][],
  };
  for (const group of inNameOrder<AnyNodeGroup>([...view.nodeGroups, ...view.selfManagedNodeGroups], (one) => one))
    for (const types of nodeTypesOf(group)) sort(types, view, nodes);
  for (const { when, doubt } of karpenterCapacityOf(view)) {
    // Karpenter knows the resource that such pods ask for, and starts instances that have it.
    if (doubt === undefined) nodes.capable.push(when);
    else nodes.doubts.push({ reason: doubt, group: undefined, source: undefined, when });
  }
  for (const { when, doubt } of outsideCapacityOf(view, model))
    nodes.doubts.push({ reason: doubt ?? '', group: undefined, source: undefined, when });
  sortAutoMode(view, nodes);
  return nodes;
}

type Mutable = { -readonly [K in keyof TrunkNodes]: TrunkNodes[K][number][] };

function sort(types: NodeTypes, view: ClusterView, nodes: Mutable): void {
  const { group, source } = types;
  const without = types.types.filter(({ trunk, trunkKnown }) => trunkKnown && !trunk).map(({ name }) => name);
  const able = types.types.some(({ trunk, trunkKnown }) => trunkKnown && trunk);
  const open = types.types.find(({ trunkKnown }) => !trunkKnown);
  const doubt =
    types.doubt ?? (open === undefined ? undefined : `whether ${open.name} can carry a trunk interface isn't known`);
  for (const { when, values } of casesOf(group, { family: amiFamilyOf(group, view) }, types.when)) {
    const { family } = values;
    if (family.kind === 'known' && family.value === 'WINDOWS') continue;
    if (without.length > 0)
      (able || doubt !== undefined ? nodes.mixed : nodes.incapable).push({ types, without, when });
    else if (doubt !== undefined) nodes.doubts.push({ reason: doubt, group, source, when });
    else if (family.kind === 'unknown')
      nodes.doubts.push({
        reason: `the operating system of its nodes isn't known: ${family.reason}`,
        group,
        source: family.source,
        when,
      });
    else nodes.capable.push(when);
  }
}

/** From this minor version of Kubernetes on, Auto Mode has security groups for pods. Source: Amazon EKS user guide, "Assign security groups to individual Pods in EKS Auto Mode". */
const AUTO_MODE_FROM = 36;

function sortAutoMode({ cluster }: ClusterView, nodes: Mutable): void {
  if (cluster === undefined) return;
  for (const { when, values } of casesOf(cluster, { autoMode: cluster.autoMode, version: cluster.version })) {
    const { autoMode, version } = values;
    const both = cluster.exists.and(when);
    if (both === undefined || autoMode.kind === 'absent' || (autoMode.kind === 'known' && !autoMode.value)) continue;
    const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
    const isOld = minor !== undefined && minor < AUTO_MODE_FROM;
    if (minor === undefined)
      nodes.doubts.push({
        reason:
          "security groups for pods on nodes of Auto Mode depend on the Kubernetes version of the cluster, which isn't known",
        group: undefined,
        source: undefined,
        when: both,
      });
    else if (autoMode.kind === 'unknown' && !isOld)
      nodes.doubts.push({
        reason: `whether the cluster has Auto Mode isn't known: ${autoMode.reason}`,
        group: undefined,
        source: undefined,
        when: both,
      });
    else if (isOld && autoMode.kind === 'known')
      nodes.oldAutoMode.push({ when: both, source: autoMode.source, version: `1.${minor}` });
    else if (!isOld) nodes.capable.push(both);
  }
}

/** Whether the assumption can hold together with one of the others. */
export function meets(when: When, others: readonly When[]): boolean {
  return others.some((other) => other.and(when) !== undefined);
}

/** Families with the processors and the memory of a t family in each of these sizes, and a trunk interface. Source: the table of instance types. */
const LIKE_T: Readonly<Record<string, string>> = { t2: 'm5', t3: 'm5', t3a: 'm5a', t4g: 'm6g' };
const LIKE_SIZES: ReadonlySet<string> = new Set(['large', 'xlarge', '2xlarge']);

/** The instance types of a group as a list of JSON, each with one of the same size that can carry a trunk interface. Empty if there isn't one for all. */
export function swappedTypes({ types: { types, group, owner, isDefault, doubt } }: TrunklessGroup): string {
  if (owner !== group || isDefault || doubt !== undefined) return '';
  const swapped = types.map(({ name, trunk }) => (trunk ? name : likeT(name)));
  return swapped.includes(undefined) || new Set(swapped).size < swapped.length ? '' : JSON.stringify(swapped);
}

function likeT(name: string): string | undefined {
  const [family = '', size = ''] = name.split('.');
  const like = LIKE_SIZES.has(size) ? LIKE_T[family] : undefined;
  return like === undefined ? undefined : `${like}.${size}`;
}
