import type { Finding } from '../engine';
import {
  alternativesOf,
  imageOf,
  launchTemplateOf,
  resourceName,
  sourceOf,
  type AnyNodeGroup,
  type Cluster,
  type ClusterView,
  type Source,
  type Value,
} from '../eks';
import { parseMinor } from '../knowledge';
import { inWords } from '../text/in-words';
import { onlyText } from './addons';
import { keyOf } from './what-if';
import type { Task } from './plan';

/** A step as the nodes see it. */
interface NodeQuestion {
  readonly view: ClusterView;
  readonly from: string;
  readonly to: string;
  /** Keys of the groups that can't be updated, because a new one has to take their place. */
  readonly replaced: ReadonlySet<string>;
}

/** How a group gets its new version. */
interface NodeMove {
  readonly group: AnyNodeGroup;
  /** Groups of which the same is said, of the same place, are one task. */
  readonly how: string;
  readonly source: Source | undefined;
}

/** What there is to do about the nodes in a step, groups of which the same holds together. */
export function nodeTasks({ view, from, to, replaced }: NodeQuestion): readonly Task[] {
  const groups: readonly AnyNodeGroup[] = [...view.nodeGroups, ...view.selfManagedNodeGroups];
  const moves = new Map<string, NodeMove[]>();
  for (const group of groups) {
    if (replaced.has(keyOf(group))) continue;
    const move = moveOf(group, view, from, to);
    const key = JSON.stringify([move.how, move.source?.locate()]);
    const known = moves.get(key);
    if (known === undefined) moves.set(key, [move]);
    else known.push(move);
  }
  const latest = skewText(from);
  return [...moves.values()].map((all): Task => {
    const [first] = all as [NodeMove, ...NodeMove[]];
    const names = all.map(({ group }) => `"${resourceName(group)}"`);
    return {
      phase: 'nodes',
      level: 'should',
      text: `Update node group${all.length === 1 ? '' : 's'} ${inWords(names, 10)} to ${to}. ${first.how}${latest}`,
      resource: first.group,
      source: first.source ?? first.group.source,
    };
  });
}

/** From this minor version on a kubelet may be three minor versions older than the API server, before it two. */
const THREE_FROM = 25;

/** How long nodes may keep their version. Source: Kubernetes, version skew policy. */
function skewText(from: string): string {
  const minor = parseMinor(from);
  if (minor === undefined) return '';
  const newest = minor + (minor >= THREE_FROM ? 3 : 2);
  return ` Nodes of ${from} work with control planes up to 1.${newest}.`;
}

function moveOf(group: AnyNodeGroup, view: ClusterView, from: string, to: string): NodeMove {
  const image = imageOf(group);
  const known = alternativesOf(image);
  const [only] = known;
  if (known.length === 1 && only?.value.kind === 'known') {
    const { text, kubernetesVersion, resolvedAtLaunch } = only.value.value;
    const { source } = only.value;
    if (kubernetesVersion !== undefined)
      return {
        group,
        how: `The launch template names the AMI of ${kubernetesVersion}: write ${to} in \`${text}\`, and roll the group over.`,
        source,
      };
    return {
      group,
      how: `Its nodes start with an AMI of your own (\`${text}\`)${resolvedAtLaunch === true ? ', looked up at launch' : ''}: take one of ${to}, and roll the group over.`,
      source,
    };
  }
  if (known.some(({ value }) => value.kind !== 'absent')) {
    const template = alternativesOf(launchTemplateOf(group));
    const reason = template.find(({ value }) => value.kind === 'unknown')?.value;
    return {
      group,
      how: `Whether its launch template names an AMI isn't known${reason?.kind === 'unknown' ? ` (${reason.reason})` : ''}: if it does, take the AMI of ${to}; if not, update the group.`,
      source: undefined,
    };
  }
  if (group.kind === 'self-managed-node-group')
    return { group, how: `Take the AMI of ${to}, and roll the group over.`, source: undefined };
  return { group, ...managed(group.version, view, from, to) };
}

/** A managed group without an AMI of its own. */
function managed(
  version: Value<string>,
  view: ClusterView,
  from: string,
  to: string,
): Pick<NodeMove, 'how' | 'source'> {
  const own = onlyText(version);
  if (version.kind === 'absent')
    return {
      how: `No version is written there, so the deployment leaves it as it is: \`aws eks update-nodegroup-version\` updates it; or write its version, where the input has a key for it.`,
      source: undefined,
    };
  if (own === undefined)
    return { how: `Its version isn't known here: make sure that it becomes ${to}.`, source: sourceOf(version) };
  if (view.cluster !== undefined && follows(version, view.cluster))
    return {
      how: 'It takes its version from where the cluster has it, and follows in the same deployment.',
      source: undefined,
    };
  return { how: `Its own version says ${from}: write ${to}.`, source: decidedPlace(version) };
}

/** Whether both are one value: decided at one place, or one of them refers to the other. */
function follows(own: Value<string>, { id, version }: Cluster): boolean {
  const { expression } = sourceOf(own);
  if (expression !== undefined && (expression === `${id}.version` || expression === sourceOf(version).expression))
    return true;
  return isSamePlace(own, version);
}

function isSamePlace(one: Value<string>, other: Value<string>): boolean {
  const [a, b] = [decidedPlace(one).locate(), decidedPlace(other).locate()];
  return a.file !== '' && a.file === b.file && a.line === b.line && a.column === b.column;
}

/** Where a value is to be changed. */
export function decidedPlace(value: Value<string>): Source {
  const source = sourceOf(value);
  return source.decided?.at ?? source;
}

/** The groups that can't be updated in a step, by what the rules say of them: their AMI type, or the AMI that they look up, ends. */
export function replacedGroups(findings: readonly Finding[], view: ClusterView): readonly AnyNodeGroup[] {
  const ended = findings.filter(
    ({ rule, messageId = '', verdict }) =>
      rule === 'ami-type-kubernetes-version' && verdict === 'fail' && ENDED.has(messageId),
  );
  return [...view.nodeGroups, ...view.selfManagedNodeGroups].filter((group) => {
    const templates = alternativesOf(launchTemplateOf(group)).flatMap(({ value }) =>
      value.kind === 'known' ? [value.value] : [],
    );
    return ended.some(({ resource }) => [group, ...templates].some((one) => one === resource));
  });
}

/** What the rule says where a version has no image of the system any more. */
const ENDED: ReadonlySet<string> = new Set(['refused', 'imageMissing', 'bootstrapMissing']);

/** The nodes that an update of a managed group starts besides those that are there. Source: EKS user guide, "Understand each phase of node updates". */
export function surgeTasks(view: ClusterView): readonly Task[] {
  return view.nodeGroups.flatMap((group): readonly Task[] => {
    const [config] = alternativesOf(group.updateConfig);
    const strategy = config?.value.kind === 'known' ? onlyText(config.value.value.strategy) : undefined;
    const zones = zonesOf(group.subnets);
    if (strategy === 'MINIMAL' || zones === undefined) return [];
    const written = config?.value.kind === 'known' ? config.value.value.maxUnavailable : undefined;
    const unavailable = written?.kind === 'known' ? Number(written.value) : 1;
    if (!Number.isInteger(unavailable)) return [];
    const more = Math.max(2 * zones, unavailable);
    return [
      {
        phase: 'before',
        level: 'note',
        text: `While node group "${resourceName(group)}" is updated, EKS starts up to ${more} nodes more (twice its ${zones} zone${zones === 1 ? '' : 's'}, or maxUnavailable): its subnets and the quota of instances need room for them and their pods.`,
        resource: group,
        source: group.source,
      },
    ];
  });
}

/** Undefined if they aren't all known. */
function zonesOf(subnets: ClusterView['nodeGroups'][number]['subnets']): number | undefined {
  if (subnets.kind !== 'known') return undefined;
  const zones = new Set<string>();
  for (const subnet of subnets.value) {
    if (subnet.kind !== 'known' || subnet.value.target === undefined) return undefined;
    const zone = onlyText(subnet.value.target.availabilityZone);
    if (zone === undefined) return undefined;
    zones.add(zone);
  }
  return zones.size === 0 ? undefined : zones.size;
}
