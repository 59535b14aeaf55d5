import { allowanceOf, disruptionBudgetsOf, type DisruptionBudget } from './disruption-budgets';
import { isStandIn, objectsOf, standInFor, type KubernetesObject } from './kubernetes-objects';
import { LabelIndex } from './label-index';
import { isForWindows, podTemplateOf, type PodTemplate } from './workloads';
import { karpenterCapacityOf } from './linux-capacity';
import { nodesElsewhereOf } from './own-nodes';
import { mayRunOn, type PodScheduling } from './pod-placement';
import { whereExists } from '../model/existence';
import { compareVersions, removedApi } from '../../knowledge';
import type { ClusterView, EksModel } from '../model/model';
import type { NodeGroup } from '../model/resources';
import { alternativesOf, always, dataAt, isCovered, isDataMap, Unknown, type Data, type When } from '../../value';

/**
 * What of a cluster's objects keeps nodes from being drained: an update of a managed node group waits 15 minutes for the pods of a node, and
 * then fails with `PodEvictionFailure` unless it is forced.
 * Source: Amazon EKS user guide, "Understand each phase of node updates"; Kubernetes, "Specifying a Disruption Budget" and "API-initiated Eviction".
 */

/** An object that makes pods, as a drain meets them. */
export interface DrainedPods extends KubernetesObject, PodTemplate {
  /** For people: `Deployment web`. */
  readonly label: string;
  readonly scheduling: PodScheduling;
  readonly isForWindows: boolean;
}

/** How many pods of an object there should be. */
interface Replicas {
  readonly count: number;
  /** There may be more: something scales them, or nobody says how many there are. */
  readonly isLeast: boolean;
}

export type DrainBlocker =
  /** A budget that allows no eviction. */
  | {
      readonly kind: 'budget';
      readonly budget: DisruptionBudget;
      /** None: the input doesn't show which pods it is for. */
      readonly pods: readonly DrainedPods[];
      /** Undefined: it blocks however many there are. */
      readonly replicas: Replicas | undefined;
      readonly when: When;
    }
  /** Two budgets for the same pods, which the eviction API answers with an error whatever they allow. */
  | {
      readonly kind: 'two-budgets';
      readonly budgets: readonly [first: DisruptionBudget, second: DisruptionBudget];
      readonly pods: readonly DrainedPods[];
      readonly when: When;
    }
  /** Pods that may be put back on the node that they are evicted from. */
  | { readonly kind: 'tolerations'; readonly pods: readonly [DrainedPods]; readonly when: When }
  /** Pods that may take longer to stop than a drain waits. */
  | {
      readonly kind: 'grace-period';
      readonly pods: readonly [DrainedPods];
      readonly seconds: number;
      readonly when: When;
    };

export interface DrainJudgement {
  readonly blockers: readonly DrainBlocker[];
  /** Budgets that allow some evictions. */
  readonly fine: readonly DisruptionBudget[];
  /** Budgets of which that can't be told. */
  readonly open: readonly { readonly budget: DisruptionBudget; readonly reason: string }[];
}

/** What keeps the nodes of a cluster from being drained; worked out once. */
export function drainsOf(view: ClusterView): DrainJudgement {
  let judgement = known.get(view);
  if (judgement === undefined) known.set(view, (judgement = judge(view)));
  return judgement;
}

const known = new WeakMap<ClusterView, DrainJudgement>();

/** How long an update waits for the pods of a node. */
const DRAIN_SECONDS = 900;

function judge(view: ClusterView): DrainJudgement {
  const all = objectsOf(view).flatMap(podsIn);
  const index = new LabelIndex(all);
  const scalers = new Scalers(objectsOf(view));
  const blockers: DrainBlocker[] = [];
  const fine: DisruptionBudget[] = [];
  const open: { budget: DisruptionBudget; reason: string }[] = [];
  const seen = new Map<DrainedPods, DisruptionBudget>();
  for (const budget of disruptionBudgetsOf(view)) {
    if (budget.selector === undefined) continue;
    const gone = whyGone(budget, view);
    if (gone !== undefined) {
      open.push({ budget, reason: gone });
      continue;
    }
    const { sure: selected, possible } = index.select(budget.namespace, budget.selector);
    const sure = selected.filter(isDrained);
    // What is for DaemonSets alone concerns no drain.
    if (sure.length < selected.length && sure.length + possible.length === 0) continue;
    const found = judgeBudget(budget, sure, possible.some(isDrained), scalers);
    if (found === 'fine') fine.push(budget);
    else if (typeof found === 'string') open.push({ budget, reason: found });
    else if (found !== undefined) blockers.push(found);
    blockers.push(...secondBudgets(budget, sure, seen));
  }
  for (const pods of all) blockers.push(...judgePods(pods));
  return { blockers, fine, open };
}

function podsIn(one: KubernetesObject): readonly DrainedPods[] {
  const template = podTemplateOf(one.object) ?? templateOfOthers(one.object);
  if (template === undefined) return [];
  const { kind, spec } = template;
  return [
    {
      ...one,
      ...template,
      label: `${kind} ${one.name}`,
      scheduling: {
        namespace: isStandIn(one.namespace) ? undefined : one.namespace,
        nodeSelector: dataAt(spec, 'nodeSelector'),
        affinity: dataAt(spec, 'affinity'),
        tolerations: dataAt(spec, 'tolerations'),
      },
      isForWindows: isForWindows(spec),
    },
  ];
}

/** Other software makes pods of its own objects, most of which have a template as Deployments have it: a `Rollout`, a `CloneSet`. */
function templateOfOthers(object: Data): PodTemplate | undefined {
  const kind = dataAt(object, 'kind');
  const template = dataAt(object, 'spec', 'template');
  const spec = dataAt(template, 'spec');
  return typeof kind === 'string' && Array.isArray(dataAt(spec, 'containers'))
    ? { kind, labels: dataAt(template, 'metadata', 'labels') ?? undefined, spec: spec ?? null }
    : undefined;
}

/** Pods of DaemonSets stay on a node that is drained. */
function isDrained({ kind }: DrainedPods): boolean {
  return kind !== 'DaemonSet';
}

/** Why a budget may not be there: the API server takes it no longer, but keeps what it took before the cluster was updated. */
function whyGone({ object }: DisruptionBudget, { cluster }: ClusterView): string | undefined {
  const apiVersion = dataAt(object, 'apiVersion');
  const removed = typeof apiVersion === 'string' ? removedApi(apiVersion, 'PodDisruptionBudget') : undefined;
  const version = cluster?.version;
  return removed !== undefined && version?.kind === 'known' && compareVersions(version.value, removed.removedIn) >= 0
    ? `Kubernetes ${version.value} doesn't take it as \`${removed.apiVersion}\`, which is gone since ${removed.removedIn}; only a budget from before is there`
    : undefined;
}

/** Controllers whose number of pods a budget can ask for. Jobs end by themselves. */
const SCALED = new Set(['Deployment', 'StatefulSet', 'ReplicaSet']);

/** What may well be held until it is done. */
const HELD = new Set(['CronJob', 'Job', 'Pod']);

/** A blocker, that it blocks nothing, why that can't be told, or nothing where there is nothing to be drained. */
function judgeBudget(
  budget: DisruptionBudget,
  sure: readonly DrainedPods[],
  mayHaveMore: boolean,
  scalers: Scalers,
): DrainBlocker | string | undefined {
  const anyway = allowanceOf(budget, undefined);
  if (anyway.kind === 'refused') return undefined;
  const pods = sure.filter(({ kind }) => SCALED.has(kind));
  const isElse = sure.length > pods.length;
  if (anyway.kind === 'some') return 'fine';
  if (!mayHaveMore && sure.length > 0 && sure.every(({ kind }) => HELD.has(kind))) return undefined;
  const when = together([budget, ...pods]);
  if (when === undefined) return undefined;
  if (anyway.kind === 'pods') {
    const counts = pods.map((one) => scalers.replicasOf(one));
    const isNone =
      counts.length > 0 && counts.every((one) => typeof one !== 'string' && one.count === 0 && !one.isLeast);
    return isNone ? 'fine' : { kind: 'budget', budget, pods, replicas: undefined, when };
  }
  if (budget.minAvailable instanceof Unknown || budget.maxUnavailable instanceof Unknown)
    return `what it allows is not known (${anyway.reason})`;
  if (pods.length === 0)
    return mayHaveMore ? 'which pods it is for is not known' : 'the pods that it is for are not part of the input';
  if (mayHaveMore || isElse) return 'whether it is for other pods too is not known';
  let total: Replicas = { count: 0, isLeast: false };
  for (const one of pods) {
    const replicas = scalers.replicasOf(one);
    if (typeof replicas === 'string') return replicas;
    total = { count: total.count + replicas.count, isLeast: total.isLeast || replicas.isLeast };
  }
  const allowance = allowanceOf(budget, total.count);
  return allowance.kind === 'pods' && allowance.count === 0 && total.count > 0
    ? { kind: 'budget', budget, pods, replicas: total, when }
    : 'fine';
}

/** Pods that an earlier budget is for, too. */
function secondBudgets(
  budget: DisruptionBudget,
  sure: readonly DrainedPods[],
  seen: Map<DrainedPods, DisruptionBudget>,
): readonly DrainBlocker[] {
  const byFirst = new Map<DisruptionBudget, DrainedPods[]>();
  for (const pods of sure) {
    const first = seen.get(pods);
    const others = first === undefined ? undefined : byFirst.get(first);
    if (first === undefined) seen.set(pods, budget);
    else if (others !== undefined) others.push(pods);
    else if (together([first, budget, pods]) !== undefined) byFirst.set(first, [pods]);
  }
  return [...byFirst].flatMap(([first, pods]): readonly DrainBlocker[] => {
    const when = together([first, budget, ...pods.slice(0, 1)]);
    return when === undefined ? [] : [{ kind: 'two-budgets', budgets: [first, budget], pods, when }];
  });
}

function judgePods(pods: DrainedPods): readonly DrainBlocker[] {
  const { kind, spec, resource } = pods;
  if (!SCALED.has(kind)) return [];
  const blockers: DrainBlocker[] = [];
  const when = resource.exists;
  const tolerations = dataAt(spec, 'tolerations');
  const isPinned = dataAt(spec, 'nodeSelector', 'kubernetes.io/hostname') !== undefined;
  if (!isPinned && Array.isArray(tolerations) && (tolerations as readonly Data[]).some(toleratesCordon))
    blockers.push({ kind: 'tolerations', pods: [pods], when });
  const seconds = dataAt(spec, 'terminationGracePeriodSeconds');
  if (typeof seconds === 'number' && seconds > DRAIN_SECONDS)
    blockers.push({ kind: 'grace-period', pods: [pods], seconds, when });
  return blockers;
}

/** Whether a toleration is for the taint of a cordoned node, `node.kubernetes.io/unschedulable:NoSchedule`. */
function toleratesCordon(toleration: Data): boolean {
  if (!isDataMap(toleration) || dataAt(toleration, 'operator') !== 'Exists') return false;
  const key = dataAt(toleration, 'key') ?? '';
  const effect = dataAt(toleration, 'effect') ?? '';
  return (key === '' || key === 'node.kubernetes.io/unschedulable') && (effect === '' || effect === 'NoSchedule');
}

/** Where all of them exist. */
function together(objects: readonly KubernetesObject[]): When | undefined {
  let when: When | undefined = always;
  for (const { resource } of objects) when = when?.and(resource.exists);
  return when;
}

/**
 * Kinds that have pods of their own made in the place of those of a Deployment, or beside them, and where they name it.
 * Source: argoproj/argo-rollouts, docs/migrating.md; fluxcd/flagger, docs/gitbook/usage/how-it-works.md.
 */
const STAND_INS: Readonly<Record<string, string>> = { Rollout: 'workloadRef', Canary: 'targetRef' };

/** What sets how many pods there are in the place of `spec.replicas`: a HorizontalPodAutoscaler, or KEDA. */
class Scalers {
  private readonly least = new Map<string, Data>();
  /** Namespaces with one of which it isn't known what it scales. */
  private readonly open = new Set<string | undefined>();

  constructor(objects: readonly KubernetesObject[]) {
    for (const { object, namespace } of objects) {
      const kind = dataAt(object, 'kind');
      const standIn = typeof kind === 'string' && Object.hasOwn(STAND_INS, kind) ? STAND_INS[kind] : undefined;
      if (kind !== 'HorizontalPodAutoscaler' && kind !== 'ScaledObject' && standIn === undefined) continue;
      const target = dataAt(object, 'spec', standIn ?? 'scaleTargetRef');
      if (standIn !== undefined && target === undefined) continue;
      const name = nameIn(dataAt(target, 'name'));
      const targetKind = dataAt(target, 'kind') ?? 'Deployment';
      if (namespace === undefined || name === undefined || typeof targetKind !== 'string') {
        this.open.add(namespace);
        continue;
      }
      if (isStandIn(name)) this.open.add(namespace);
      const least =
        standIn === undefined
          ? (dataAt(object, 'spec', kind === 'ScaledObject' ? 'minReplicaCount' : 'minReplicas') ?? 1)
          : null;
      // KEDA goes down to no pod at all, of which there is nothing to drain.
      this.least.set(keyOf(namespace, targetKind, name), typeof least === 'number' ? Math.max(1, least) : least);
    }
  }

  /** How many pods there should be, or why that isn't known. */
  replicasOf({ kind, name, namespace, object }: DrainedPods): Replicas | string {
    const own = nameIn(dataAt(object, 'metadata', 'name'));
    const least = own === undefined ? undefined : this.least.get(keyOf(namespace, kind, own));
    if (typeof least === 'number') return { count: least, isLeast: true };
    if (least !== undefined) return `how many pods ${kind} ${name} has at least is not known`;
    if (this.open.has(namespace) || this.open.has(undefined))
      return `whether an autoscaler is for ${kind} ${name} is not known`;
    const written = dataAt(object, 'spec', 'replicas') ?? undefined;
    if (written === undefined) return { count: 1, isLeast: true };
    return typeof written === 'number'
      ? { count: written, isLeast: false }
      : `how many pods ${kind} ${name} has is not known${written instanceof Unknown ? ` (${written.reason})` : ''}`;
  }
}

function nameIn(data: Data | undefined): string | undefined {
  return data instanceof Unknown ? standInFor(data) : typeof data === 'string' ? data : undefined;
}

function keyOf(namespace: string | undefined, kind: string, name: string): string {
  return JSON.stringify([namespace ?? null, kind, name]);
}

/** The managed node groups of a cluster on which pods may run, by what their updates do. */
export interface DrainedGroups {
  /** Updates wait for the pods, which run there unless another of these groups has them. */
  readonly waiting: readonly NodeGroup[];
  /** The same, if the pods run there, or if updates aren't forced. */
  readonly maybeWaiting: readonly NodeGroup[];
  /** Updates are forced. */
  readonly forced: readonly NodeGroup[];
}

/** @param pods none: the input doesn't show them */
export function drainedGroupsOf(
  view: ClusterView,
  model: EksModel,
  { pods, when }: Pick<DrainBlocker, 'when'> & { readonly pods: readonly DrainedPods[] },
): DrainedGroups {
  const groups = { waiting: new Set<NodeGroup>(), maybeWaiting: new Set<NodeGroup>(), forced: new Set<NodeGroup>() };
  const isElsewhere =
    view.selfManagedNodeGroups.length + karpenterCapacityOf(view).length + nodesElsewhereOf(view, model).length > 0 ||
    mayBeAutoMode(view);
  for (const group of view.nodeGroups) {
    if (group.exists.and(when) === undefined) continue;
    const places = pods.map((one) => (one.isForWindows ? 'maybe' : mayRunOn(group, view, one.scheduling)));
    if (places.length > 0 && places.every((place) => place === 'no')) continue;
    const isSure = !isElsewhere && places.includes('yes') && isCovered(when, [group.exists]);
    for (const { value: force } of alternativesOf(whereExists(group, group.forceUpdate))) {
      if (force.kind === 'known' && force.value) groups.forced.add(group);
      else (isSure && force.kind !== 'unknown' ? groups.waiting : groups.maybeWaiting).add(group);
    }
  }
  return { waiting: [...groups.waiting], maybeWaiting: [...groups.maybeWaiting], forced: [...groups.forced] };
}

function mayBeAutoMode({ cluster }: ClusterView): boolean {
  if (cluster === undefined) return false;
  return alternativesOf(cluster.autoMode).some(
    ({ value }) => value.kind === 'unknown' || (value.kind === 'known' && value.value),
  );
}
