import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import { permissionCases } from '../../eks/iam';
import {
  Absent,
  alternativesOf,
  always,
  except,
  inNameOrder,
  isCovered,
  mayRunOn,
  nowhere,
  type Addon,
  type Alternative,
  type Cluster,
  type ClusterView,
  type EksModel,
  type NodeGroup,
  type Plain,
  type PodIdentityAssociation,
  type Resource,
  type Role,
  type When,
} from '../../eks';
import { defaultAddonVersion, kubernetesMinors } from '../../knowledge';
import { imageOf } from '../../eks/analysis/node-group';
import { isPureFargate, runsWindows } from '../../eks/analysis/cni';
import { listOf } from '../../text/in-words';
import { unverifiable } from '../parts/case-judgements';
import { idleAssociations } from './parts/idle-associations';
import { AGENT, agentsOf, misspeltAgents, unseenAgent } from './parts/identity-agents';

/*
 * An association only says who may have which role; the credentials come from an agent on every node, which is an add-on of its
 * own, and which needs one permission on the node role. Source: Amazon EKS user guide, "Set up the Amazon EKS Pod Identity Agent".
 */

const ACTION = 'eks-auth:AssumeRoleForPodIdentity';

type MessageId = 'no-agent' | 'misspelt' | 'not-on-nodes' | 'node-role';

const agentCode = {
  cloudformation: [
    'PodIdentityAgent:',
    '  Type: AWS::EKS::Addon',
    '  Properties:',
    '    ClusterName: !Ref {{id}}',
    '    AddonName: eks-pod-identity-agent',
    '    AddonVersion: {{version}}',
  ].join('\n'),
  'aws-cdk':
    "// behind the cluster:\nnew eks.Addon(this, 'PodIdentityAgent', { cluster, addonName: 'eks-pod-identity-agent', addonVersion: '{{version}}' });",
  terraform: [
    'resource "aws_eks_addon" "pod_identity_agent" {',
    '  cluster_name  = aws_eks_cluster.main.name',
    '  addon_name    = "eks-pod-identity-agent"',
    '  addon_version = "{{version}}"',
    '}',
  ].join('\n'),
  'terraform-module': 'addons = { eks-pod-identity-agent = { addon_version = "{{version}}" } }',
} as const;

export const podIdentityAgent = defineRule<MessageId>({
  id: 'pod-identity-agent',
  subject: 'iam',
  title: 'A cluster with Pod Identity associations runs the Pod Identity agent',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'no-agent': {
      text: 'Cluster {{cluster}} has Pod Identity associations ({{association}}), but nothing installs the add-on eks-pod-identity-agent: the pods get no credentials, or those of the node.',
      fix: {
        summary: 'Install the add-on `eks-pod-identity-agent`.',
        summaryIn: { eksctl: 'Add `- name: eks-pod-identity-agent` to `addons`.' },
        code: agentCode,
        safety: 'safe',
      },
    },
    misspelt: {
      text: 'The Pod Identity associations of cluster {{cluster}} ({{association}}) need the add-on eks-pod-identity-agent, and {{found}} is written in its place: EKS has no such add-on and refuses it, and the pods get no credentials, or those of the node.',
      fix: {
        summary: 'Write `eks-pod-identity-agent`, with a version of that add-on.',
        summaryIn: { eksctl: 'Write `- name: eks-pod-identity-agent` in `addons`.' },
        code: {
          cloudformation: 'AddonName: eks-pod-identity-agent',
          'aws-cdk': "addonName: 'eks-pod-identity-agent',",
          terraform: 'addon_name = "eks-pod-identity-agent"',
          'terraform-module': 'addons = { eks-pod-identity-agent = { addon_version = "{{version}}" } }',
        },
        safety: 'needs-decision',
      },
    },
    'not-on-nodes': {
      text: 'Cluster {{cluster}} runs in EKS Auto Mode, but the Pod Identity agent is only built into the nodes of Auto Mode, and nothing installs it on {{nodeGroups}}: pods with an association ({{association}}) get no credentials there, or those of the node.',
      fix: {
        summary: 'Install the add-on `eks-pod-identity-agent`, or let only Auto Mode run these pods.',
        summaryIn: { eksctl: 'Add `- name: eks-pod-identity-agent` to `addons`.' },
        code: agentCode,
        safety: 'needs-decision',
      },
    },
    'node-role': {
      text: 'Node role {{role}} lacks eks-auth:AssumeRoleForPodIdentity: on the nodes of {{nodeGroup}} the Pod Identity agent gets AccessDeniedException, and pods with an association ({{association}}) get no credentials.',
      fix: {
        summary: 'Attach `AmazonEKSWorkerNodePolicy`, or allow `eks-auth:AssumeRoleForPodIdentity`.',
        summaryIn: { eksctl: 'Add `AmazonEKSWorkerNodePolicy` to `iam.attachPolicyARNs` of the group.' },
        code: {
          cloudformation:
            'ManagedPolicyArns:\n  - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonEKSWorkerNodePolicy',
          'aws-cdk':
            "// where `role` is the Role that the finding names:\nrole.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonEKSWorkerNodePolicy'));",
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const view of model.clusterViews) {
      const idle = idleAssociations(view, model);
      const needed = needsOf(view, (association) => !idle.has(association));
      const needs = needed.length > 0 ? needed : needsOf(view, (association) => idle.has(association));
      if (needs.length === 0 || isPureFargate(view)) continue;
      const judgements = agentCases(view, needs, idle);
      if (!isRefused(model, view)) yield* judgements;
      if (judgements.length > 0 && needs === needed) yield* judgeNodeRoles(view, needs);
    }
  },
});

/** Whether the tool that would make the cluster refuses what this rule would tell. */
function isRefused({ configurationFiles }: EksModel, { cluster }: ClusterView): boolean {
  return configurationFiles.some(
    ({ stack, problems }) =>
      stack === cluster?.stack &&
      problems.some((problem) => problem.kind === 'refused' && problem.insteadOf === podIdentityAgent.id),
  );
}

/** What gives pods a role by Pod Identity: an association of its own, or an add-on that has one. */
type Association = PodIdentityAssociation | Addon;

/** The associations that exist under one assumption. */
interface Need {
  readonly when: When;
  readonly associations: readonly [Association, ...Association[]];
}

/** The assumptions under which there are associations, widest first, without those that another one takes in. */
function needsOf(view: ClusterView, isOne: (association: Association) => boolean): readonly Need[] {
  const places: { readonly when: When; readonly association: Association }[] = view.podIdentityAssociations.map(
    (association) => ({ when: association.exists, association }),
  );
  for (const addon of view.addons) {
    for (const { when, value } of alternativesOf(addon.podIdentityAssociations)) {
      const both = value.kind === 'known' && value.value.length > 0 ? addon.exists.and(when) : undefined;
      if (both !== undefined) places.push({ when: both, association: addon });
    }
  }
  const byAssumption = new Map<
    string,
    { readonly when: When; readonly associations: [Association, ...Association[]] }
  >();
  for (const { when, association } of inNameOrder(places, (place) => place.association)) {
    if (!isOne(association)) continue;
    const need = byAssumption.get(when.text);
    if (need === undefined) byAssumption.set(when.text, { when, associations: [association] });
    else need.associations.push(association);
  }
  const needs = [...byAssumption.values()];
  return needs.filter(
    ({ when }, index) =>
      !needs.some(
        (other, place) =>
          place !== index && isCovered(when, [other.when]) && (place < index || !isCovered(other.when, [when])),
      ),
  );
}

function placeOf(association: Association): RelatedPlace {
  const message = `${resourceName(association)} needs the agent${association.kind === 'addon' ? ' for its association' : ''}`;
  return { message, source: association.source };
}

/**
 * One judgement per assumption that makes a difference: which associations there are, whether the agent is, and Auto Mode.
 * @param idle why perhaps no pod uses an association
 */
function agentCases(
  view: ClusterView,
  needs: readonly Need[],
  idle: ReadonlyMap<Resource, string>,
): Judgement<MessageId>[] {
  const agents = agentsOf(view);
  const modes: readonly Alternative<boolean>[] =
    view.cluster === undefined ? [{ when: always, value: new Absent(nowhere) }] : alternativesOf(view.cluster.autoMode);
  const judgements: Judgement<MessageId>[] = [];
  for (const need of needs) {
    for (const mode of modes) {
      const when = need.when.and(mode.when)?.and(view.cluster?.exists ?? always);
      if (when === undefined) continue;
      const groups = autoModeGroups(view, mode.value, when);
      // Auto Mode alone: the agent is everywhere.
      if (groups?.length === 0) continue;
      const resource = view.cluster ?? need.associations[0];
      for (const agent of agents.certain) {
        const both = when.and(agent);
        if (both !== undefined) judgements.push({ verdict: 'pass', resource, when: both });
      }
      let rest: readonly When[] = [when];
      for (const agent of agents.certain) rest = except(rest, agent);
      const reason = idle.get(need.associations[0]);
      judgements.push(
        ...rest.flatMap((one): Judgement<MessageId>[] =>
          reason === undefined
            ? withoutAgent(view, need, mode.value, groups, agents.possible, one)
            : [{ ...unverifiable(reason), resource, when: one }],
        ),
      );
    }
  }
  return judgements;
}

/** The version that EKS would choose for the cluster; for one whose version the table doesn't have, that for the newest. */
function versionFor({ version }: Cluster): string {
  const minors = [...kubernetesMinors().map((minor) => minor.version), version.kind === 'known' ? version.value : ''];
  return minors.toReversed().flatMap((minor) => defaultAddonVersion(AGENT, minor) ?? [])[0] ?? '';
}

/** The Linux node groups beside EKS Auto Mode; undefined when the cluster isn't known to run in Auto Mode. */
function autoModeGroups(view: ClusterView, mode: Plain<boolean>, when: When): readonly NodeGroup[] | undefined {
  if (mode.kind !== 'known' || !mode.value) return undefined;
  return view.nodeGroups.filter(
    (nodeGroup) => when.and(nodeGroup.exists) !== undefined && !runsWindows(nodeGroup, view),
  );
}

function withoutAgent(
  view: ClusterView,
  need: Need,
  mode: Plain<boolean>,
  groups: readonly NodeGroup[] | undefined,
  maybe: boolean,
  when: When,
): Judgement<MessageId>[] {
  const { cluster } = view;
  const [first] = need.associations;
  const resource = cluster ?? first;
  if (maybe)
    return [{ ...unverifiable('an add-on whose name is not known may be the Pod Identity agent'), resource, when }];
  if (cluster === undefined) {
    return [
      {
        verdict: 'unverifiable',
        resource,
        reason: `cluster ${view.name} is not part of the input, and may have the Pod Identity agent`,
        when,
      },
    ];
  }
  if (mode.kind === 'unknown') {
    return [
      {
        verdict: 'unverifiable',
        resource,
        reason: 'whether the cluster runs in EKS Auto Mode, which has the agent built in, is not known',
        when,
      },
    ];
  }
  const data = {
    cluster: resourceName(cluster),
    id: cluster.id,
    association: resourceName(first),
    version: versionFor(cluster),
  };
  const related = need.associations.map(placeOf);
  const unseen = unseenAgent(view);
  if (groups === undefined) {
    const severity = showsAllOf(view) ? 'error' : 'warning';
    const misspelt = misspeltAgents(view, when);
    let rest: readonly When[] = [when];
    for (const one of misspelt) rest = except(rest, one.when);
    return [
      ...misspelt.map(({ addon, found, source, when: given }): Judgement<MessageId> => {
        const own = { ...data, found };
        return { verdict: 'fail', message: 'misspelt', resource: addon, source, data: own, related, when: given };
      }),
      ...rest.map((one): Judgement<MessageId> => {
        if (unseen !== undefined) return { ...unverifiable(unseen), resource, when: one };
        return { verdict: 'fail', message: 'no-agent', severity, resource, data, related, when: one };
      }),
    ];
  }
  if (unseen !== undefined) return [{ ...unverifiable(unseen), resource, when }];
  const open = groups.filter((group) => mayRunOn(group, view, ANY_POD) !== 'no');
  if (open.length === 0) {
    const names = listOf(groups.map(resourceName));
    const reason = `the pods that tolerate the taints of ${names}, whose nodes have no agent, are not known`;
    return [{ ...unverifiable(reason), resource, when }];
  }
  const byAssumption = new Map<
    string,
    { readonly when: When; readonly names: string[]; readonly places: RelatedPlace[] }
  >();
  for (const group of open) {
    const both = when.and(group.exists);
    if (both === undefined) continue;
    const entry = byAssumption.get(both.text) ?? { when: both, names: [], places: [] };
    entry.names.push(resourceName(group));
    entry.places.push({ message: `${resourceName(group)} has nodes without the agent`, source: group.source });
    byAssumption.set(both.text, entry);
  }
  return [...byAssumption.values()].map((entry) => ({
    verdict: 'fail',
    severity: 'warning',
    resource,
    message: 'not-on-nodes',
    data: { ...data, nodeGroups: entry.names.join(', ') },
    related: [...related, ...entry.places],
    when: entry.when,
  }));
}

/** Pods that say nothing of where they run, so that taints keep them away. */
const ANY_POD = { namespace: undefined, nodeSelector: undefined, affinity: undefined, tolerations: undefined };

/**
 * Whether the input has what would hold the agent if there were one: the nodes, with EKS's own images, and the cluster's add-ons.
 * Otherwise it may be in an image, or come from elsewhere.
 */
function showsAllOf({ addons, nodeGroups, selfManagedNodeGroups }: ClusterView): boolean {
  const groups = [...nodeGroups, ...selfManagedNodeGroups];
  return (
    addons.length > 0 &&
    groups.length > 0 &&
    groups.every((group) => alternativesOf(imageOf(group)).every(({ value }) => value.kind === 'absent'))
  );
}

function* judgeNodeRoles(view: ClusterView, needs: readonly Need[]): Generator<Judgement<MessageId>> {
  const seen = new Map<Role, When[]>();
  for (const nodeGroup of view.nodeGroups) {
    // The agent runs on Linux only.
    if (runsWindows(nodeGroup, view)) continue;
    for (const need of needs) {
      const exists = nodeGroup.exists.and(need.when);
      if (exists !== undefined) yield* judgeNodeRole(nodeGroup, need.associations[0], exists, seen);
    }
  }
}

/** @param seen when each role has been judged: the groups of a cluster mostly share one */
function* judgeNodeRole(
  nodeGroup: NodeGroup,
  association: Association,
  exists: When,
  seen: Map<Role, When[]>,
): Generator<Judgement<MessageId>> {
  for (const { when: alternative, value } of alternativesOf(nodeGroup.nodeRole)) {
    const role = value.kind === 'known' ? value.value.target : undefined;
    const when = exists.and(alternative)?.and(role?.exists ?? always);
    if (when === undefined) continue;
    if (role === undefined) {
      const reason =
        value.kind === 'known'
          ? (value.value.ambiguous ?? `role ${value.value.text} is not part of the input`)
          : value.kind === 'unknown'
            ? `its node role is not known (${value.reason})`
            : 'it names no role';
      yield {
        verdict: 'unverifiable',
        resource: nodeGroup,
        source: value.source,
        reason: `${reason}, so nobody can say whether it has ${ACTION}`,
        when,
      };
      continue;
    }
    const before = seen.get(role) ?? [];
    if (isCovered(when, before)) continue;
    seen.set(role, [...before, when]);
    yield* permissionCases(role).flatMap(({ when: permissionWhen, permissions }): Judgement<MessageId>[] => {
      const both = when.and(permissionWhen);
      if (both === undefined) return [];
      const { missing, unknown, reasons } = permissions.missing([ACTION]);
      // The same policy is missing then, and node-role-policies says so.
      if (missing.length > 0 && permissions.allows('ec2:DescribeInstances') === 'denied') return [];
      if (missing.length > 0) {
        const data = {
          role: resourceName(role),
          nodeGroup: resourceName(nodeGroup),
          association: resourceName(association),
        };
        const related = [
          { message: `${resourceName(nodeGroup)} runs with this role`, source: value.source },
          placeOf(association),
        ];
        return [{ verdict: 'fail', resource: role, message: 'node-role', data, related, when: both }];
      }
      if (unknown.length > 0)
        return [
          {
            verdict: 'unverifiable',
            resource: role,
            reason: `whether it has ${ACTION} is not known (${reasons.join('; ')})`,
            when: both,
          },
        ];
      return [{ verdict: 'pass', resource: role, when: both }];
    });
  }
}
