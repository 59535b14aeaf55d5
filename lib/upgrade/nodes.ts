import {
  alternativesOf,
  imageOf,
  launchTemplateOf,
  resourceName,
  sourceOf,
  type AnyNodeGroup,
  type ClusterView,
  type NodeGroup,
  type Source,
} from '../eks';
import { parseMinor } from '../knowledge';
import { inWords } from '../text/in-words';
import { THREE_FROM } from './addons';
import { configArgument, eksctlTarget, groupCommand, isOfEksctl, nameArgument, onlyText } from './commands';
import { isNewer } from './changes';
import { decidedPlace, follows, followsCluster } from './decided';
import { keyOf } from './what-if';
import type { Task } from './plan';

/** A step as the nodes see it. */
interface NodeQuestion {
  readonly view: ClusterView;
  readonly from: string;
  readonly to: string;
  /** Keys of the groups that can't be updated, because a new one has to take their place. */
  readonly replaced: ReadonlySet<string>;
  /** Keys of those for which a new one is advised in the same step. */
  readonly better: ReadonlySet<string>;
}

/** How a group gets its new version. */
interface NodeMove {
  readonly group: AnyNodeGroup;
  /** Groups of which the same is said, of the same place, are one task, so it holds for one as for several. */
  readonly how: string;
  readonly source: Source | undefined;
  /** What updates this one. @default - the text says it */
  readonly command?: string | undefined;
  /** The version is written in the group itself. @default - it isn't */
  readonly isWritten?: boolean;
  /** The update is refused without a change of the input. @default - it isn't */
  readonly isRefused?: boolean;
}

/** What there is to do about the nodes in a step, groups of which the same holds together. */
export function nodeTasks({ view, from, to, replaced, better }: NodeQuestion): readonly Task[] {
  const groups: readonly AnyNodeGroup[] = [...view.nodeGroups, ...view.selfManagedNodeGroups];
  const moves = new Map<string, NodeMove[]>();
  for (const group of groups) {
    const move = moveOf(group, view, from, to);
    const isReplaced = replaced.has(keyOf(group));
    const key = JSON.stringify([
      isReplaced ? hasOwnImage(group) : move.how,
      move.source?.locate(),
      better.has(keyOf(group)),
      isReplaced,
    ]);
    const known = moves.get(key);
    if (known === undefined) moves.set(key, [move]);
    else known.push(move);
  }
  return [...moves.values()].map((all): Task => {
    const [first] = all as [NodeMove, ...NodeMove[]];
    const names = all.map(({ group }) => `"${resourceName(group)}"`);
    if (replaced.has(keyOf(first.group)))
      return {
        phase: 'nodes',
        level: 'should',
        text: hasOwnImage(first.group)
          ? `Roll node group${all.length === 1 ? '' : 's'} ${inWords(names, 10)} over to ${to}, with the new AMI and its user data.`
          : `Node group${all.length === 1 ? '' : 's'} ${inWords(names, 10)} can't be updated to ${to}: the new one that takes ${all.length === 1 ? 'its' : 'their'} place starts with ${to}, then the old one is drained and deleted.`,
        ...(first.isWritten === true ? { fix: first.how } : {}),
        resource: first.group,
        source: first.source ?? first.group.source,
      };
    const commands = all.flatMap(({ command }) => command ?? []);
    return {
      phase: 'nodes',
      level: first.isRefused === true ? 'must' : 'should',
      text: `Update node group${all.length === 1 ? '' : 's'} ${inWords(names, 10)} to ${to}${better.has(keyOf(first.group)) ? `, unless ${all.length === 1 ? 'it is' : 'they are'} replaced` : ''}. ${first.how}`,
      ...(commands.length === 0 ? {} : { code: { language: 'sh', text: commands.join('\n') } }),
      resource: first.group,
      source: first.source ?? first.group.source,
    };
  });
}

/** Whether a launch template, and not EKS, says which AMI its nodes start with. */
function hasOwnImage(group: AnyNodeGroup): boolean {
  return alternativesOf(imageOf(group)).some(({ value }) => value.kind !== 'absent');
}

/** How far nodes may lag, and what AWS wants besides. Sources: Kubernetes, version skew policy; EKS user guide, "Update existing cluster to new Kubernetes version". */
export function skewText(from: string, [first = from]: readonly string[]): string | undefined {
  const minor = parseMinor(from);
  if (minor === undefined) return undefined;
  const newest = minor + (minor >= THREE_FROM ? 3 : 2);
  const isLeftBehind = (parseMinor(first) ?? 0) > newest;
  return `The nodes are part of each step: the EKS user guide wants managed nodes and pods on Fargate at the version of the control plane before its next update, and recommends it for others. By the skew policy of Kubernetes nodes of ${from} work with control planes up to 1.${newest}${isLeftBehind ? `, and EKS goes on to ${first} without asking` : ''}.`;
}

function moveOf(group: AnyNodeGroup, view: ClusterView, from: string, to: string): NodeMove {
  return isOfEksctl(group) ? byEksctl(group, view, to) : byDeployment(group, view, from, to);
}

/** eksctl changes no group by the file: it updates managed ones by a command, and those whose AMI EKS doesn't choose not at all. */
function byEksctl(group: AnyNodeGroup, view: ClusterView, to: string): NodeMove {
  const isManaged = group.kind === 'node-group';
  const template = alternativesOf(launchTemplateOf(group));
  if (isManaged && template.some(({ value }) => value.kind === 'unknown'))
    return {
      group,
      how: `The launch template isn't in the input: if it names an AMI, make a version of it with one of ${to}, and write \`--launch-template-version\` in the place of \`--kubernetes-version\`.`,
      source: undefined,
      command: groupCommand(group, view, to),
    };
  if (isManaged && alternativesOf(imageOf(group)).every(({ value }) => value.kind === 'absent'))
    return {
      group,
      how: 'The file changes no group that exists, and without the version the command takes a newer AMI of the present one.',
      source: undefined,
      command: groupCommand(group, view, to),
    };
  const file = configArgument(group);
  return {
    group,
    how: `${isManaged ? "eksctl updates no group whose AMI EKS doesn't choose" : 'eksctl updates no group of `nodeGroups`'}: write one under another name${isManaged ? `, with an AMI of ${to}` : ''}, run \`eksctl create nodegroup ${file}\`, then delete the old one, which drains it.`,
    source: undefined,
    command: `eksctl delete nodegroup ${eksctlTarget(view)} --name ${nameArgument(group)}`,
  };
}

function byDeployment(group: AnyNodeGroup, view: ClusterView, from: string, to: string): NodeMove {
  const image = imageOf(group);
  const known = alternativesOf(image);
  const [only] = known;
  if (known.length === 1 && only?.value.kind === 'known') {
    const { text, kubernetesVersion, resolvedAtLaunch, versionFrom } = only.value.value;
    const { source } = only.value;
    if (followsCluster(only.value.value, view))
      return {
        group,
        how: `The AMI is looked up by the version of the cluster, which moves it, too: nothing else is to be written. Roll the nodes over after the control plane, unless the deployment does.`,
        source,
      };
    const lookup = /^\$\{([^}]*\bdata\.[^}]*)\}$/.exec(text)?.[1];
    if (kubernetesVersion !== undefined)
      return {
        group,
        how: `The launch template names the AMI of ${kubernetesVersion}: write ${to} ${lookup === undefined ? `in \`${text}\`` : `into what \`${lookup}\` looks up`}, and roll the nodes over.`,
        source: versionFrom === undefined ? source : decidedPlace(versionFrom),
      };
    return {
      group,
      how: `The nodes start with an AMI of your own (\`${text}\`)${resolvedAtLaunch === true ? ', looked up at launch' : ''}: take one of ${to}, and roll the nodes over.`,
      source,
    };
  }
  if (known.some(({ value }) => value.kind !== 'absent')) {
    const template = alternativesOf(launchTemplateOf(group));
    const reason = template.find(({ value }) => value.kind === 'unknown')?.value;
    return {
      group,
      how: `Whether the launch template names an AMI isn't known${reason?.kind === 'unknown' ? ` (${reason.reason})` : ''}: if it does, take the AMI of ${to}; if not, update the nodes.`,
      source: undefined,
    };
  }
  if (group.kind === 'self-managed-node-group')
    return { group, how: `Take the AMI of ${to}, and roll the nodes over.`, source: undefined };
  return { group, ...managed(group, view, from, to) };
}

/** A managed group without an AMI of its own. */
function managed(
  group: NodeGroup,
  view: ClusterView,
  from: string,
  to: string,
): Pick<NodeMove, 'how' | 'source' | 'command' | 'isRefused' | 'isWritten'> {
  const { version, releaseVersion } = group;
  const release = onlyText(releaseVersion);
  if (release !== undefined)
    return {
      how: `The AMI is pinned to the release \`${release}\`, which ${
        releaseMinor(release) === undefined
          ? `has to be one that exists for ${to}`
          : `is one for ${releaseMinor(release) ?? from}, and EKS refuses it for another version`
      }: write one for ${to}, or leave it out.`,
      source: decidedPlace(releaseVersion),
      isRefused: isNewer(to, releaseMinor(release) ?? to),
    };
  const own = onlyText(version);
  if (version.kind === 'absent')
    return {
      how: 'No version is written there, so the deployment leaves the nodes as they are.',
      source: undefined,
      command: groupCommand(group, view, to),
    };
  if (own === undefined)
    return { how: `The version isn't known here: make sure that it becomes ${to}.`, source: sourceOf(version) };
  if (view.cluster !== undefined && follows(version, view.cluster))
    return {
      how: 'The version comes from where the cluster has it: the same deployment updates the nodes, after the control plane.',
      source: undefined,
    };
  return {
    how:
      group.dialect.fixes.whyGenerated === undefined
        ? `The version there says ${own}: write ${to}.`
        : `The version is ${own} there: the code has to say ${to}, unless it takes the version of the cluster, which it follows then.`,
    source: decidedPlace(version),
    isWritten: true,
  };
}

/** The Kubernetes version in a release of Amazon Linux or Windows, `1.33.4-20250904`; Bottlerocket has releases of its own. */
function releaseMinor(release: string): string | undefined {
  return /^(1\.\d+)\.\d+-\d{8}$/.exec(release)?.[1] ?? /^(1\.\d+)-\d{4}\.\d{2}\.\d{2}$/.exec(release)?.[1];
}

/** Pods on Fargate, which keep the kubelet with which they were started. Source: EKS user guide, "Update existing cluster to new Kubernetes version". */
export function fargateTasks({ fargateProfiles }: ClusterView, to: string): readonly Task[] {
  const [first] = fargateProfiles;
  if (first === undefined) return [];
  return [
    {
      phase: 'nodes',
      level: 'should',
      text: `Start the pods on Fargate anew: each keeps the kubelet with which it was started, and gets that of ${to} only then.`,
      fix: '`kubectl rollout restart` of what makes the pods of the Fargate profiles, CoreDNS among them if it runs there.',
      resource: first,
      source: first.source,
    },
  ];
}

/** Hybrid nodes, of which an input shows the access entry alone. Source: EKS user guide, "Upgrade hybrid nodes for your cluster". */
export function hybridTasks({ accessEntries }: ClusterView, to: string): readonly Task[] {
  const entry = accessEntries.find(({ entryType }) => onlyText(entryType) === 'HYBRID_LINUX');
  if (entry === undefined) return [];
  return [
    {
      phase: 'nodes',
      level: 'should',
      text: `Bring the hybrid nodes to ${to}: nobody updates them with the cluster, and they may be three minor versions older than the control plane at most. Their CNI has to support ${to} first.`,
      fix: `Connect new ones that \`nodeadm install ${to}\` has set up, and move the pods over; or, with a downtime, cordon and drain each, and run this on it.`,
      code: { language: 'sh', text: `nodeadm upgrade ${to} -c file://nodeConfig.yaml` },
      resource: entry,
      source: entry.source,
    },
  ];
}

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
