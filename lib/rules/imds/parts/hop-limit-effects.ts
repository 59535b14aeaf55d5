import { resourceName, type RelatedPlace } from '../../../engine';
import {
  alternativesOf,
  amiFamilyOf,
  dataAt,
  imdsWorkloadsOf,
  karpenterCapacityOf,
  launchTemplateOf,
  mayRunOn,
  nodesElsewhereOf,
  runsOnFargate,
  Unknown,
  type AnyNodeGroup,
  type ClusterView,
  type EksModel,
  type ImdsWorkload,
  type KubernetesManifest,
} from '../../../eks';
import { listOf } from '../../../text/in-words';

/** The least limit with which an ordinary pod gets an answer. */
export const ENOUGH = 2;

/** What a limit of 1 does to the workloads of a cluster that can be seen. */
export interface HopLimitEffects {
  /** A sentence. */
  readonly effect: string;
  /** The end of a sentence; empty if no workload is concerned. */
  readonly consumers: string;
  /** A sentence for the beginning of a fix; empty if no workload lacks a role. */
  readonly roleFirst: string;
  readonly related: readonly RelatedPlace[];
  /** Whether a workload surely has nowhere else to run. */
  readonly stopsSome: boolean;
  /** Whether workloads can be seen, and all of them are shown to have what they would look up. */
  readonly stopsNone: boolean;
}

/** Nodes with a limit of 1: groups, or what Karpenter starts. */
export interface ShortNodes {
  readonly view: ClusterView;
  readonly groups: readonly AnyNodeGroup[];
}

/** The workloads whose pods certainly have nowhere better to run are told from those that the scheduler may put elsewhere. */
export function effectsOf(nodes: readonly ShortNodes[], model: EksModel): HopLimitEffects {
  const stopped: ImdsWorkload[] = [];
  const atRisk: ImdsWorkload[] = [];
  for (const { view, groups } of nodes) {
    for (const workload of imdsWorkloadsOf(view)) {
      if (workload.lack === undefined) continue;
      const answers = groups.map((group) => mayRun(workload, group, view));
      if (groups.length > 0 && answers.every((answer) => answer === 'no')) continue;
      const isSure =
        (groups.length === 0 || answers.includes('yes')) && !mayRunElsewhere(workload, { view, groups }, model);
      (isSure ? stopped : atRisk).push(workload);
    }
  }
  const all = [...stopped, ...atRisk];
  return {
    effect: effectText(stopped, atRisk, nodes),
    consumers: all.length === 0 ? '' : `, which ${listOf(all.map(nameOf))} can't do without`,
    roleFirst: roleFirst(all),
    related: all.map((workload) => ({ message: `${nameOf(workload)} reads IMDS`, source: workload.resource.source })),
    stopsSome: stopped.length > 0,
    stopsNone: needNone(nodes),
  };
}

/** With enough hops a pod without a role of its own gets the credentials of the node, which hold what nodes need. */
function roleFirst(all: readonly ImdsWorkload[]): string {
  const names = [...new Set(all.flatMap(({ name, lack }) => (lack?.isRole === true ? [name] : [])))];
  return names.length === 0
    ? ''
    : `First give ${listOf(names)} an IAM role by Pod Identity or IRSA: any hop limit leaves it with the node role, which may lack its permissions. `;
}

function effectText(
  stopped: readonly ImdsWorkload[],
  atRisk: readonly ImdsWorkload[],
  nodes: readonly ShortNodes[],
): string {
  const elsewhere = `${listOf(atRisk.map(storyOf))} where pods are scheduled onto these nodes`;
  if (stopped.length > 0)
    return `That stops ${listOf(stopped.map(storyOf))}${atRisk.length === 0 ? '' : `, and ${elsewhere}`}.`;
  if (atRisk.length > 0) return `That stops ${elsewhere}.`;
  const seen = nodes.flatMap(({ view }) => imdsWorkloadsOf(view));
  const others =
    seen.length > 0 && seen.every(({ isOpen }) => isOpen !== true)
      ? "The controllers in sight don't need IMDS here; whatever else"
      : 'Whatever';
  return `${others} reads region, VPC id or the node role's credentials from IMDS fails with timeouts or 401.`;
}

function needNone(nodes: readonly ShortNodes[]): boolean {
  const seen = nodes.flatMap(({ view }) => imdsWorkloadsOf(view));
  return seen.length > 0 && seen.every(({ lack, isOpen }) => lack === undefined && isOpen !== true);
}

/** Whether workloads can be seen, and all that may run on a group have what they need. */
export function doWithoutMetadata(group: AnyNodeGroup, view: ClusterView): boolean {
  const workloads = imdsWorkloadsOf(view);
  return (
    workloads.length > 0 &&
    workloads.every(
      (workload) => (workload.lack === undefined && workload.isOpen !== true) || mayRun(workload, group, view) === 'no',
    )
  );
}

/** Whether a workload can be seen that needs the service and may run on a group. */
export function lacksMetadata(group: AnyNodeGroup, view: ClusterView): boolean {
  return imdsWorkloadsOf(view).some(
    (workload) => workload.lack !== undefined && mayRun(workload, group, view) !== 'no',
  );
}

function mayRun(workload: ImdsWorkload, group: AnyNodeGroup, view: ClusterView): ReturnType<typeof mayRunOn> {
  if (group.exists.and(workload.resource.exists) === undefined) return 'no';
  return mayRunOn(group, view, workload.scheduling);
}

/** Whether there are, or may be, nodes with a sufficient limit for its pods, or none at all. */
function mayRunElsewhere(workload: ImdsWorkload, { view, groups }: ShortNodes, model: EksModel): boolean {
  if (betterGroups(workload, view).some((group) => !groups.includes(group))) return true;
  if (runsOnFargate(view, workload.scheduling, workload.resource.exists) !== 'no') return true;
  const classes = view.manifests.filter(isNodeClass);
  if (classes.length === 0 ? karpenterCapacityOf(view).length > 0 : classes.some((one) => limitOfNodeClass(one) !== 1))
    return true;
  return nodesElsewhereOf(view, model).length > 0;
}

/** The groups on which its pods may run and get answers; worked out once. */
function betterGroups(workload: ImdsWorkload, view: ClusterView): readonly AnyNodeGroup[] {
  let found = better.get(workload);
  if (found === undefined) {
    found = [...view.nodeGroups, ...view.selfManagedNodeGroups].filter(
      (group) => mayHaveEnough(group, view) && mayRun(workload, group, view) !== 'no',
    );
    better.set(workload, found);
  }
  return found;
}

const better = new WeakMap<ImdsWorkload, readonly AnyNodeGroup[]>();

/** Whether pods on the nodes of a group may get answers: only a limit that is 1, or that AL2023 is documented to have, is short. */
function mayHaveEnough(group: AnyNodeGroup, view: ClusterView): boolean {
  return alternativesOf(launchTemplateOf(group)).some(({ value: template }) => {
    if (template.kind === 'unknown') return true;
    const isShortByDefault =
      group.kind === 'node-group' &&
      alternativesOf(amiFamilyOf(group, view)).every(({ value }) => value.kind === 'known' && value.value === 'AL2023');
    if (template.kind === 'absent') return !isShortByDefault;
    const { metadata, imageId } = template.value;
    return alternativesOf(metadata.hopLimit).some(({ value: hop }) => {
      if (hop.kind === 'absent') return !isShortByDefault || imageId.kind !== 'absent';
      return hop.kind === 'unknown' || Number(hop.value) !== 1;
    });
  });
}

/** Whether an object is a node class of Karpenter, in whatever version. */
export function isNodeClass({ object }: KubernetesManifest): boolean {
  return dataAt(object, 'kind') === 'EC2NodeClass';
}

/** Its limit, if it is a number; Karpenter's default, since its v1 API, is 1, and was 2 before. */
function limitOfNodeClass({ object }: KubernetesManifest): number | undefined {
  const limit = dataAt(object, 'spec', 'metadataOptions', 'httpPutResponseHopLimit');
  if (limit === undefined || limit === null)
    return dataAt(object, 'apiVersion') === 'karpenter.k8s.aws/v1' ? 1 : ENOUGH;
  return limit instanceof Unknown || typeof limit !== 'number' ? undefined : limit;
}

function nameOf({ name, lack }: ImdsWorkload): string {
  return `${name} ${lack?.text ?? ''}`.trim();
}

function storyOf(workload: ImdsWorkload): string {
  const { resource, lack } = workload;
  const log = lack?.symptom === undefined ? '' : `, which then logs \`${lack.symptom}\``;
  return `${nameOf(workload)} ("${resourceName(resource)}"${log})`;
}
