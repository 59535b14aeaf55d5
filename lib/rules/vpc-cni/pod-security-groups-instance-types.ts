import { defineRule, resourceName, type Judgement, type RelatedPlace, type Severity } from '../../engine';
import {
  cniCasesOf,
  mayRunOn,
  nodesElsewhereOf,
  securityGroupPoliciesOf,
  type ClusterView,
  type EksModel,
  type NodesElsewhere,
  type When,
  eachWith,
  without,
} from '../../eks';
import { named } from '../parts/about';
import { listOf } from '../../text/in-words';
import { GROUP_REPLACED } from '../parts/repair-effects';
import { MOST_PLACES, podSecurityGroupsUsesOf, type PodSecurityGroupsUse } from './parts/pod-security-groups';
import { meets, swappedTypes, trunkNodesOf, type TrunklessGroup, type TrunkNodes } from './parts/trunk-nodes';
import { fitsPods, windowsWorkloadsOf } from './parts/windows-pods';

/*
 * A pod with security groups of its own hangs on a branch of a trunk network interface, which most Nitro instance types can carry, and
 * no type of the t families. Source: Amazon EKS user guide, "Assign security groups to individual pods"; amazon-vpc-resource-controller-k8s.
 */

const CODE = {
  terraform: 'instance_types = ["m6i.large"]',
};

/** What replaces the group also puts it on other prices; where the size is the same, so are processors and memory. */
const LARGER_FAMILY = `${GROUP_REPLACED}, and the instances of the m family cost more`;

const SWAPPED = [{ kind: 'setList', field: 'instanceTypes', to: '{{swapped}}' }] as const;
const IN_TEMPLATES = { cloudformation: SWAPPED, 'aws-cdk': SWAPPED } as const;

export const podSecurityGroupsInstanceTypes = defineRule<Message>({
  id: 'pod-security-groups-instance-types',
  subject: 'vpc-cni',
  title: 'Pods with security groups of their own have nodes that can carry a trunk network interface',
  severity: 'error',
  since: '0.1.0',
  messages: {
    noTrunk: {
      text: 'Node group "{{group}}" starts {{types}}, which can\'t carry a trunk network interface{{others}}. Pods with security groups of their own stay Pending: no such node has the resource vpc.amazonaws.com/pod-eni{{unless}}.',
      fix: {
        summary:
          'Use instance types that can carry one (m5, m6i, c6i, m7g and most other Nitro families, no t family), or add a node group that does.',
        code: CODE,
        safety: 'needs-decision',
        effect: LARGER_FAMILY,
        repairsIn: IN_TEMPLATES,
      },
    },
    defaultType: {
      text: 'Node group "{{group}}" names no instance type, so EKS starts {{types}}, which can\'t carry a trunk network interface{{others}}. Pods with security groups of their own stay Pending: no such node has the resource vpc.amazonaws.com/pod-eni{{unless}}.',
      fix: {
        summary:
          'Name instance types that can carry one (m5, m6i, c6i, m7g and most other Nitro families, no t family), or add a node group that does.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    someTypes: {
      text: 'Some instance types of node group "{{group}}" can\'t carry a trunk network interface: {{types}}. When EC2 starts one of these, pods with security groups of their own stay Pending for want of vpc.amazonaws.com/pod-eni.',
      fix: {
        summary: 'Take {{types}} off the list, or add a node group whose types all can carry one.',
        safety: 'needs-decision',
      },
    },
    autoMode: {
      text: 'SecurityGroupPolicy {{policies}} has no nodes that it works on: cluster "{{cluster}}" has Auto Mode with Kubernetes {{version}}, and its nodes have security groups for pods from 1.36 on. The pods don\'t get the security groups of the policy.',
      fix: {
        summary:
          'Upgrade the cluster to Kubernetes 1.36, give security groups to all pods of a node class (`podSecurityGroupSelectorTerms`), or add a managed node group and the VPC CNI for these pods.',
        safety: 'needs-decision',
      },
    },
    windowsPods: {
      text: 'SecurityGroupPolicy "{{policy}}" selects the pods of {{workloads}}, which run on Windows nodes. Security groups for pods don\'t exist there: the pods start with the security groups of their node, and nothing says so.',
      fix: {
        summary:
          "Take the pods out of the policy's selector, and put what they need into the security groups of the Windows nodes.",
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      yield* judgeWindowsPods(view);
      const uses = podSecurityGroupsUsesOf(view);
      if (uses.length === 0) continue;
      const nodes = trunkNodesOf(view, model);
      yield* perResource(uses.flatMap((use) => judgeUse(use, nodes, view, model)));
    }
  },
});

type Message = 'noTrunk' | 'defaultType' | 'someTypes' | 'autoMode' | 'windowsPods';

/** What comes out in all cases of a resource doesn't depend on the conditions that tell them apart. */
function* perResource(judgements: readonly Judgement<Message>[]): Generator<Judgement<Message>> {
  const byResource = new Map<unknown, Judgement<Message>[]>();
  for (const judgement of judgements) {
    const list = byResource.get(judgement.resource);
    if (list === undefined) byResource.set(judgement.resource, [judgement]);
    else list.push(judgement);
  }
  for (const list of byResource.values()) yield* list;
}

function judgeUse(
  use: PodSecurityGroupsUse,
  nodes: TrunkNodes,
  view: ClusterView,
  model: EksModel,
): readonly Judgement<Message>[] {
  const { resource, when, setting } = use;
  // Policies alone may be meant for pods on Fargate, which need nothing of the nodes.
  const rest = without([when], [...nodes.capable, ...(setting === 'on' ? [] : nodes.fargate)]);
  if (rest?.length === 0) return [{ verdict: 'pass', resource, when }];
  const unverifiable = (reason: string, other?: TrunklessGroup): readonly Judgement<Message>[] => [
    {
      verdict: 'unverifiable',
      resource: other?.types.group ?? resource,
      reason,
      ...(other === undefined ? {} : { source: other.types.source }),
      when,
    },
  ];
  if (rest === undefined) return unverifiable('which nodes it has depends on too many conditions at once');
  const trunkless = [...nodes.incapable, ...nodes.mixed].filter((one) => meets(one.when, rest));
  const doubts = nodes.doubts.filter((doubt) => meets(doubt.when, rest));
  const open = doubts.find(({ group }) => group !== undefined);
  if (open?.group !== undefined) {
    return [
      {
        verdict: 'unverifiable',
        resource: open.group,
        reason: `pods may get security groups of their own, and ${open.reason}`,
        ...(open.source === undefined ? {} : { source: open.source }),
        when,
      },
    ];
  }
  const [first] = trunkless;
  if (first === undefined) return judgeAutoMode(use, nodes, view, rest, doubts[0]?.reason);
  const [doubt] = doubts;
  const because = `its instance types (${listOf(first.without)}) can't carry a trunk interface, and`;
  if (doubt !== undefined) return unverifiable(`${because} ${doubt.reason}`, first);
  if (view.cluster === undefined)
    return unverifiable(`${because} cluster ${view.name}, which may have other nodes, is not part of the input`, first);
  if (setting === 'unknown')
    return unverifiable(`nodes of ${resourceName(first.types.group)} can't carry a trunk interface, and ${use.doubt}`);
  return judgeTrunkless(use, nodes, view, nodesElsewhereOf(view, model), rest);
}

/** What pods say that say nothing of nodes. */
const ANY_POD = { namespace: undefined, nodeSelector: undefined, affinity: undefined, tolerations: undefined };

function judgeTrunkless(
  use: PodSecurityGroupsUse,
  nodes: TrunkNodes,
  view: ClusterView,
  elsewhere: readonly NodesElsewhere[],
  rest: readonly When[],
): readonly Judgement<Message>[] {
  const isTainted = ({ types }: TrunklessGroup): boolean => mayRunOn(types.group, view, ANY_POD) === 'no';
  const judgements: Judgement<Message>[] = [];
  for (const one of nodes.mixed) {
    const held = eachWith(rest, one.when);
    if (held.length > 0)
      judgements.push(...failures(one, { others: [], elsewhere: undefined, areTainted: false }, held, 'warning', use));
  }
  let left =
    without(
      rest,
      nodes.mixed.map(({ when }) => when),
    ) ?? [];
  for (const one of nodes.incapable) {
    const held = eachWith(left, one.when);
    if (held.length === 0) continue;
    // The groups that are there together are one finding: the cluster lacks one that is different.
    const others = nodes.incapable.filter((other) => other.types.group !== one.types.group && meets(other.when, held));
    const unseen = elsewhere.find(({ when }) => meets(when, held));
    // Pods go to the nodes of Karpenter if those that the input declares are for pods that tolerate their taints.
    const areTainted = unseen !== undefined && [one, ...others].every(isTainted);
    const severity = areTainted
      ? 'info'
      : unseen !== undefined || held.some((when) => meets(when, nodes.fargate))
        ? 'warning'
        : 'error';
    judgements.push(...failures(one, { others, elsewhere: unseen, areTainted }, held, severity, use));
    left = without(left, [one.when]) ?? [];
    if (left.length === 0) break;
  }
  return judgements;
}

/** What else a finding speaks of. */
interface Surroundings {
  readonly others: readonly TrunklessGroup[];
  readonly elsewhere: NodesElsewhere | undefined;
  /** Whether taints of all these groups keep pods without tolerations away. */
  readonly areTainted: boolean;
}

function failures(
  one: TrunklessGroup,
  { others, elsewhere, areTainted }: Surroundings,
  held: readonly When[],
  severity: Severity,
  use: PodSecurityGroupsUse,
): readonly Judgement<Message>[] {
  const { types } = one;
  const resource = types.owner;
  const group = resourceName(types.group);
  const message = messageOf(one);
  const otherGroups = [...new Map(others.map((other) => [other.types.group, other])).values()];
  const names = otherGroups.map((other) => `"${resourceName(other.types.group)}" (${listOf(other.without)})`);
  const unless =
    elsewhere === undefined
      ? ''
      : `, unless nodes that the input does not declare can carry one (${elsewhere.what})${areTainted ? '; taints keep pods without tolerations away from these' : ''}`;
  const data = {
    group,
    types: listOf([...new Set(one.without)]),
    swapped: swappedTypes(one),
    unless,
    others: names.length === 0 ? '' : `, and neither can those of ${listOf(names)}`,
  };
  const related: RelatedPlace[] = [
    ...use.places,
    ...(resource === types.group
      ? []
      : [{ message: `node group "${group}" uses this launch template`, source: types.group.source }]),
    ...(elsewhere === undefined ? [] : [{ message: elsewhere.what, source: elsewhere.source }]),
    ...otherGroups.map((other) => ({
      message: `node group "${resourceName(other.types.group)}" starts ${listOf(other.without)}`,
      source: other.types.source,
    })),
  ];
  return held.map((when) => ({
    verdict: 'fail',
    message,
    severity,
    resource,
    source: types.source,
    data,
    about: named(one.without),
    related: related.slice(0, MOST_PLACES * 2),
    when,
  }));
}

function messageOf({ types, without: names }: TrunklessGroup): Message {
  if (types.isDefault) return 'defaultType';
  return names.length < types.types.length || types.doubt !== undefined ? 'someTypes' : 'noTrunk';
}

/** Policies of a cluster that has no node groups, as far as the input shows. */
function judgeAutoMode(
  use: PodSecurityGroupsUse,
  nodes: TrunkNodes,
  view: ClusterView,
  rest: readonly When[],
  doubt: string | undefined,
): readonly Judgement<Message>[] {
  const { resource, policies, setting, places } = use;
  const { cluster } = view;
  const auto = nodes.oldAutoMode.find((one) => meets(one.when, rest));
  if (setting !== 'unseen' || cluster === undefined || auto === undefined) {
    // Part of the cases pass, and in the others there are no nodes to judge.
    return nodes.capable.length > 0 && meets(use.when, nodes.capable)
      ? [{ verdict: 'pass', resource, when: use.when }]
      : [];
  }
  const unseen =
    cniCasesOf(view).length > 0
      ? "the vpc-cni add-on shows that it has other nodes than those of Auto Mode, which aren't part of the input"
      : doubt;
  if (unseen !== undefined)
    return [
      {
        verdict: 'unverifiable',
        resource,
        reason: `nodes of Auto Mode have no security groups for pods with Kubernetes ${auto.version}, and ${unseen}`,
        when: use.when,
      },
    ];
  const data = {
    policies: listOf(policies.map(({ label }) => `"${label}"`)),
    cluster: resourceName(cluster),
    version: auto.version,
  };
  const related = [
    { message: `Auto Mode of cluster "${resourceName(cluster)}"`, source: auto.source },
    ...places.slice(1),
  ];
  return eachWith(rest, auto.when).map((when) => ({
    verdict: 'fail',
    message: 'autoMode',
    resource,
    data,
    related,
    when,
  }));
}

function* judgeWindowsPods(view: ClusterView): Generator<Judgement<Message>> {
  const policies = securityGroupPoliciesOf(view);
  if (policies.length === 0) return;
  const workloads = windowsWorkloadsOf(view);
  if (workloads.size === 0) return;
  for (const policy of policies) {
    const { manifest, namespace } = policy;
    const near = (namespace === undefined ? [] : (workloads.get(namespace) ?? [])).filter(
      (one) => one.manifest.exists.and(manifest.exists) !== undefined,
    );
    const answers = near.map((one) => ({ one, answer: fitsPods(policy, one) }));
    const fitting = answers.filter(({ answer }) => answer === 'yes').map(({ one }) => one);
    const [first] = fitting;
    const maybe = answers.find(({ answer }) => answer === 'maybe');
    if (first !== undefined) {
      const data = { policy: policy.label, workloads: listOf(fitting.map(({ label }) => label)) };
      const related = fitting
        .slice(0, MOST_PLACES)
        .map((one) => ({ message: `${one.label} selects Windows nodes`, source: one.manifest.source }));
      const when = fitting.length === 1 ? first.manifest.exists : manifest.exists;
      yield { verdict: 'fail', message: 'windowsPods', resource: manifest, data, about: policy.label, related, when };
    } else if (maybe !== undefined) {
      yield {
        verdict: 'unverifiable',
        resource: manifest,
        reason: `whether it selects the pods of ${maybe.one.label}, which run on Windows nodes, isn't known`,
      };
    }
  }
}
