import { defineRule, resourceName, type Judgement, type RelatedPlace, type Severity } from '../../engine';
import {
  drainedGroupsOf,
  drainsOf,
  placeIn,
  podSpecPath,
  Unknown,
  type ClusterView,
  type Data,
  type DisruptionBudget,
  type DrainBlocker,
  type DrainedGroups,
  type DrainedPods,
  type EksModel,
  type KubernetesObject,
  type NodeGroup,
} from '../../eks';
import { inWords, listOf } from '../../text/in-words';

/*
 * An update of a node group evicts the pods of each node and waits 15 minutes for them. What allows no eviction, or brings the pods back, ends it
 * with PodEvictionFailure, mostly in the night in which the cluster has to be upgraded.
 * Source: Amazon EKS user guide, "Understand each phase of node updates"; Kubernetes, "Specifying a Disruption Budget for your Application".
 */

type Message = 'none-allowed' | 'two-budgets' | 'tolerations' | 'grace-period';

export const drainBlocked = defineRule<Message>({
  id: 'drain-blocked',
  subject: 'node-group',
  title: 'The nodes of a group can be drained',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'none-allowed': {
      text: 'PodDisruptionBudget {{budget}} has `{{setting}}`, which allows no eviction of {{pods}}{{count}}: {{effect}}.',
      fix: {
        summary:
          'Write `maxUnavailable: 1`{{instead}}: one pod goes at a time. Where a single pod must not pause either, run two replicas or more.',
        code: {
          kubernetes: '{{inManifest}}',
          'aws-cdk': '// in the spec of the PodDisruptionBudget:\nmaxUnavailable: 1,{{remark}}',
          terraform: '{{inTerraform}}',
        },
        safety: 'needs-decision',
      },
    },
    'two-budgets': {
      text: 'PodDisruptionBudgets {{first}} and {{budget}} are both for {{pods}}: the eviction API refuses pods with more than one budget, whatever these allow, and {{effect}}.',
      fix: {
        summary: 'Remove one of the two, or let their selectors exclude each other.',
        safety: 'needs-decision',
      },
    },
    tolerations: {
      text: '{{pods}} tolerates the taint of cordoned nodes{{every}}: pods that are evicted may be put back on the same node, and {{effect}}.',
      fix: {
        summary:
          'Name the keys of the taints that it is meant to tolerate, `node.kubernetes.io/unschedulable` not among them.',
        safety: 'needs-decision',
      },
    },
    'grace-period': {
      text: '{{pods}} gives its pods {{seconds}} seconds to stop, longer than the 15 minutes that a node group update waits: if they take that long, {{effect}}.',
      fix: {
        summary: 'Set `terminationGracePeriodSeconds` to 900 or less.',
        code: {
          kubernetes: 'terminationGracePeriodSeconds: 900',
          'aws-cdk': '// in the spec of the pod template:\nterminationGracePeriodSeconds: 900,',
          terraform: '{{inTerraform}}',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      const { blockers, fine, open } = drainsOf(view);
      for (const blocker of blockers) yield judge(blocker, view, model);
      for (const { resource } of fine) yield { resource, verdict: 'pass' };
      for (const { budget, reason } of open)
        yield {
          resource: budget.resource,
          verdict: 'unverifiable',
          reason: `whether PodDisruptionBudget ${budget.name} lets nodes be drained can't be told: ${reason}`,
        };
    }
  },
});

function judge(blocker: DrainBlocker, view: ClusterView, model: EksModel): Judgement<Message> {
  const { kind, pods, when } = blocker;
  const groups = drainedGroupsOf(view, model, blocker);
  const common = { verdict: 'fail', when, message: MESSAGES[kind] } as const;
  const effect = effectOf(groups, blocker.kind);
  switch (kind) {
    case 'budget': {
      const { budget, replicas } = blocker;
      return {
        ...common,
        resource: budget.resource,
        source: placeIn(
          budget.resource,
          'spec',
          budget.maxUnavailable === undefined ? 'minAvailable' : 'maxUnavailable',
        ),
        severity: severityOf(groups, pods.length > 0 && replicas?.isLeast !== true),
        data: {
          budget: budget.name,
          setting: settingOf(budget),
          pods: pods.length === 0 ? 'the pods that it is for' : `the pods of ${listOf(pods.map(({ label }) => label))}`,
          count: countOf(blocker),
          effect,
          ...codeOf(budget),
        },
        about: budget.name,
        related: placesOf(pods, budget, (one) => `${one.label} makes its pods`),
      };
    }
    case 'two-budgets': {
      const [first, second] = blocker.budgets;
      return {
        ...common,
        resource: second.resource,
        source: placeIn(second.resource, 'spec', 'selector'),
        severity: severityOf(groups, true),
        data: {
          first: first.name,
          budget: second.name,
          pods: `the pods of ${listOf(pods.map(({ label }) => label))}`,
          effect,
        },
        about: `${first.name} and ${second.name}`,
        related: placesOf([first], second, () => `PodDisruptionBudget ${first.name}`),
      };
    }
    case 'tolerations': {
      const [one] = blocker.pods;
      return {
        ...common,
        resource: one.resource,
        source: placeIn(one.resource, ...podSpecPath(one), 'tolerations'),
        severity: severityOf(groups, false),
        data: { pods: one.label, every: toleratesAll(one) ? ', as it does every other' : '', effect },
        about: one.label,
      };
    }
    case 'grace-period': {
      const [one] = blocker.pods;
      return {
        ...common,
        resource: one.resource,
        source: placeIn(one.resource, ...podSpecPath(one), 'terminationGracePeriodSeconds'),
        severity: severityOf(groups, false),
        data: {
          pods: one.label,
          seconds: String(blocker.seconds),
          effect,
          inTerraform: writtenIn(one, {
            chart: 'terminationGracePeriodSeconds: 900',
            yaml: 'terminationGracePeriodSeconds: 900',
            hcl: 'terminationGracePeriodSeconds = 900',
            blocks: 'termination_grace_period_seconds = 900',
          }),
        },
        about: one.label,
      };
    }
  }
}

const MESSAGES = {
  budget: 'none-allowed',
  'two-budgets': 'two-budgets',
  tolerations: 'tolerations',
  'grace-period': 'grace-period',
} as const satisfies Record<DrainBlocker['kind'], Message>;

/** Without a managed group whose updates wait nothing fails; whoever drains a node by hand is held up all the same. */
function severityOf({ waiting, maybeWaiting }: DrainedGroups, isCertain: boolean): Severity {
  if (waiting.length > 0 && isCertain) return 'error';
  return waiting.length + maybeWaiting.length > 0 ? 'warning' : 'info';
}

function effectOf({ waiting, maybeWaiting, forced }: DrainedGroups, kind: DrainBlocker['kind']): string {
  if (waiting.length > 0)
    return `an update of ${groupsOf(waiting)} waits 15 minutes for them and fails with PodEvictionFailure`;
  if (maybeWaiting.length > 0)
    return `an update of ${groupsOf(maybeWaiting)} fails with PodEvictionFailure after 15 minutes if they run there`;
  if (forced.length > 0)
    return `an update of ${groupsOf(forced)}, which is forced, waits 15 minutes for them and deletes them then`;
  return BY_HAND[kind];
}

/** Source: kubernetes/kubectl, pkg/drain/drain.go: it tries again where a budget allows no eviction, and a pod that takes another's place isn't the one that it waits for. */
const BY_HAND: Readonly<Record<DrainBlocker['kind'], string>> = {
  budget: 'whoever drains the node that they run on waits in vain',
  'two-budgets': 'whoever drains the node that they run on gets an error for them',
  tolerations: 'whoever drains the node finds such pods there afterwards',
  'grace-period': 'that update fails, while whoever drains the node by hand waits that long',
};

function groupsOf(groups: readonly NodeGroup[]): string {
  const names = inWords(
    groups.map((group) => `"${resourceName(group)}"`),
    3,
  );
  return `${groups.length === 1 ? 'node group' : 'node groups'} ${names}`;
}

function settingOf({ minAvailable, maxUnavailable }: DisruptionBudget): string {
  return maxUnavailable === undefined
    ? `minAvailable: ${textOf(minAvailable)}`
    : `maxUnavailable: ${textOf(maxUnavailable)}`;
}

function textOf(data: Data | undefined): string {
  return data instanceof Unknown || typeof data === 'object' ? '' : String(data);
}

function countOf({ replicas }: Extract<DrainBlocker, { kind: 'budget' }>): string {
  if (replicas === undefined) return '';
  const { count, isLeast } = replicas;
  if (isLeast) return count === 1 ? ' while there is only one' : ` while there are only ${count}`;
  return count === 1 ? ', of which there is one' : `, of which there are ${count}`;
}

function codeOf(budget: DisruptionBudget): Record<'instead' | 'remark' | 'inManifest' | 'inTerraform', string> {
  const isOther = budget.maxUnavailable === undefined;
  const remark = (sign: string) => (isOther ? ` ${sign} in place of minAvailable` : '');
  const place = `# in the spec of the PodDisruptionBudget${isOther ? ', without minAvailable' : ''}:`;
  const inManifest = `${place}\nmaxUnavailable: 1`;
  return {
    instead: isOther ? ' in the place of `minAvailable`' : '',
    remark: remark('//'),
    inManifest,
    inTerraform: writtenIn(budget, {
      chart: `maxUnavailable: 1${remark('#')}`,
      yaml: inManifest,
      hcl: `${place}\nmaxUnavailable = 1`,
      blocks: `max_unavailable = "1"${isOther ? ' # in place of min_available' : ''}`,
    }),
  };
}

function writtenIn({ resource }: KubernetesObject, as: Record<'chart' | 'yaml' | 'hcl' | 'blocks', string>): string {
  if (resource.kind !== 'manifest') return `# in the values of the chart:\n${as.chart}`;
  if (resource.isWrittenInBlocks === true) return as.blocks;
  return resource.isWrittenInHcl === true ? as.hcl : as.yaml;
}

function toleratesAll({ scheduling: { tolerations } }: DrainedPods): boolean {
  return (tolerations as readonly Data[]).some(
    (one) => typeof one === 'object' && one !== null && !(one instanceof Unknown) && !('key' in one),
  );
}

/** Where others stand that take part, unless that is the resource itself. */
function placesOf<T extends KubernetesObject>(
  others: readonly T[],
  { resource }: KubernetesObject,
  message: (other: T) => string,
): readonly RelatedPlace[] {
  return others
    .filter((other) => other.resource !== resource)
    .slice(0, 5)
    .map((other) => ({ message: message(other), source: other.resource.source }));
}
