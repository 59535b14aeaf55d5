import type { Finding } from '../engine';
import {
  alternativesOf,
  beforeOf,
  imageOf,
  launchTemplateOf,
  resourceName,
  type AnyNodeGroup,
  type ClusterView,
  type LaunchTemplate,
  type NodeGroup,
} from '../eks';
import { LAST_AL2, parseMinor } from '../knowledge';
import { inWords } from '../text/in-words';
import { isKept } from './changes';
import { clusterArgument, isOfEksctl, nameArgument } from './commands';
import { followsCluster } from './decided';
import type { Task } from './plan';
import { isSame } from './what-if';

/* Nodes of a system that ends on the way. */

/**
 * Groups that don't say which system they start: each keeps what it was created with, which was Amazon Linux 2 before 1.30 and with older releases
 * of eksctl. Sources: EKS user guide, "Kubernetes versions"; eksctl-io/eksctl, releases 0.209 and 0.219.
 */
export function familyTasks(view: ClusterView, from: string, to: string): readonly Task[] {
  if (!endsBetween(from, to)) return [];
  const groups = view.nodeGroups.filter(mayBeAl2);
  const [first] = groups;
  if (first === undefined) return [];
  const names = inWords(
    groups.map((group) => `"${resourceName(group)}"`),
    10,
  );
  const byFile = isOfEksctl(first);
  return [
    {
      phase: 'before',
      level: 'should',
      text: `Look which system node group${groups.length === 1 ? '' : 's'} ${names} ${groups.length === 1 ? 'has' : 'have'}: the input doesn't say it, and a group keeps what it was created with, which was Amazon Linux 2 ${byFile ? 'with eksctl before 0.209, and below Kubernetes 1.33 before 0.219' : 'on clusters below Kubernetes 1.30'}.`,
      fix: `If the answer begins with \`AL2_\`, replace the group before the first step: create one of AL2023 beside it, and drain the old one. Kubernetes 1.${LAST_AL2 + 1} has no Amazon Linux 2, and each step before would roll it over once more.`,
      code: {
        language: 'sh',
        text: groups
          .map(
            (group) =>
              `aws eks describe-nodegroup --cluster-name ${clusterArgument(view)} --nodegroup-name ${nameArgument(group)} --query nodegroup.amiType`,
          )
          .join('\n'),
      },
      resource: first,
      source: first.source,
    },
  ];
}

/** A managed group of which neither AMI type nor AMI is written, and no plan tells what it has. */
function mayBeAl2(group: NodeGroup): boolean {
  if (isKept(group.amiType)) return alternativesOf(imageOf(group)).some(({ value }) => value.kind === 'absent');
  const types = alternativesOf(beforeOf(group)?.amiType ?? group.amiType);
  const isOpen = types.some(
    ({ value }) =>
      value.kind === 'absent' ||
      (isOfEksctl(group) && value.kind === 'known' && value.note === 'the default of eksctl'),
  );
  return isOpen && alternativesOf(imageOf(group)).some(({ value }) => value.kind === 'absent');
}

/** Whether Amazon Linux 2 ends on the way from one version to another. */
function endsBetween(from: string, to: string): boolean {
  return (parseMinor(from) ?? 0) <= LAST_AL2 && (parseMinor(to) ?? 0) > LAST_AL2;
}

/**
 * Groups of Amazon Linux 2 on a version that EKS no longer supports, of which no rule says that their system ends: those that move early are
 * rolled over less often.
 */
export function earlyMoves(findings: readonly Finding[], view: ClusterView, from: string, to: string): readonly Task[] {
  if (!endsBetween(from, to)) return [];
  const groups = groupsOf(findings, OF_OLD_VERSIONS, view);
  const [first] = groups;
  if (first === undefined) return [];
  const one = groups.length === 1;
  const names = inWords(
    groups.map((group) => `"${resourceName(group)}"`),
    10,
  );
  return [
    {
      phase: 'before',
      level: 'should',
      text: `Move node group${one ? '' : 's'} ${names} from Amazon Linux 2 to Amazon Linux 2023 before the first step: there is no Amazon Linux 2 for Kubernetes 1.${LAST_AL2 + 1}, so ${one ? 'it' : 'they'} would be rolled over in each step up to 1.${LAST_AL2}, and then replaced after all.`,
      fix: `What to change is told in the first step that speaks of it; the AMI is that of the version that the cluster has.`,
      resource: first,
      source: first.source,
    },
  ];
}

/** What the rule says of Amazon Linux 2 on a version that EKS no longer supports. */
const OF_OLD_VERSIONS: ReadonlySet<string> = new Set(['ended', 'imageEnded']);

/** The groups that can't be updated in a step, by what the rules say of them: their AMI type, or the AMI that they look up, ends. */
export function replacedGroups(findings: readonly Finding[], view: ClusterView): readonly AnyNodeGroup[] {
  return groupsOf(findings, ENDED, view);
}

function groupsOf(
  findings: readonly Finding[],
  messages: ReadonlySet<string>,
  view: ClusterView,
): readonly AnyNodeGroup[] {
  const ended = findings.filter(
    ({ rule, messageId = '', verdict }) =>
      rule === 'ami-type-kubernetes-version' && verdict === 'fail' && messages.has(messageId),
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

/**
 * An AMI that the deployment looks up by the version of the cluster: where there is none for the new version, the deployment fails as a whole,
 * before it changes the control plane. So what takes its place comes first.
 * @param tasks of the step
 */
export function withLookupsFirst(tasks: readonly Task[], view: ClusterView): readonly Task[] {
  const templates = [...view.nodeGroups, ...view.selfManagedNodeGroups].flatMap((group) =>
    alternativesOf(launchTemplateOf(group)).flatMap(({ value }) =>
      value.kind === 'known' && isLookedUpWithCluster(value.value.imageId, view) ? [value.value] : [],
    ),
  );
  const isOfThem = ({ resource }: Task) => templates.some((template) => isSame(template, resource));
  const isMissing = (task: Task) =>
    task.rule?.id === 'ami-type-kubernetes-version' && task.level === 'must' && isOfThem(task);
  if (!tasks.some(isMissing)) return tasks;
  return tasks.map((task) => {
    if (isMissing(task))
      return {
        ...task,
        phase: 'before',
        text: `${task.text} The version of the cluster decides which one is looked up, so that the deployment of the new version fails before it begins.`,
      };
    return isOfThem(task) && task.code?.language === 'yaml' ? { ...task, phase: 'before' } : task;
  });
}

function isLookedUpWithCluster(image: LaunchTemplate['imageId'], view: ClusterView): boolean {
  return alternativesOf(image).some(
    ({ value }) => value.kind === 'known' && value.value.resolvedAtLaunch !== true && followsCluster(value.value, view),
  );
}
