import { defineRule, resourceName, type Judgement, type RelatedPlace, type Repair, type Severity } from '../../engine';
import { attachesManagedPolicy, permissionCases, type RolePermissions } from '../../eks/iam';
import { cniPermissions, managedPolicy } from '../../knowledge';
import {
  alternativesOf,
  always,
  cniCasesOf,
  cniTitleWithin,
  hasNoOwnNodes,
  isCovered,
  sourceOf,
  windowsIpamObjectsOf,
  type ClusterView,
  type Resource,
  type Role,
  type Source,
  type When,
} from '../../eks';
import { isPureAutoMode, isPureFargate } from '../../eks/analysis/cni';
import { listOf } from '../../text/in-words';
import { WIDENED } from '../parts/repair-effects';
import { hasEmptyWindowsGroupsOnly, windowsGroupsOf } from '../node-bootstrap/parts/windows-groups';
import { MOST_PLACES, podEniOf, TRUNK_ACTIONS } from './parts/pod-security-groups';
import { unverifiable } from '../parts/case-judgements';

/*
 * The VPC resource controller runs in the control plane, so it works with the permissions of the cluster role.
 * Source: Amazon EKS user guide, "Assign security groups to individual pods" and "Deploy Windows nodes on EKS clusters".
 */

const CODE = {
  cloudformation:
    'ManagedPolicyArns:\n  - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonEKSClusterPolicy\n  - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonEKSVPCResourceController',
  'aws-cdk':
    "// behind the cluster:\ncluster.role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonEKSVPCResourceController'));",
  terraform: [
    'resource "aws_iam_role_policy_attachment" "cluster_vpc_resource_controller" {',
    '  role       = aws_iam_role.cluster.name',
    '  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/AmazonEKSVPCResourceController"',
    '}',
  ].join('\n'),
  'terraform-module': [
    'iam_role_additional_policies = {',
    '  AmazonEKSVPCResourceController = "arn:${data.aws_partition.current.partition}:iam::aws:policy/AmazonEKSVPCResourceController"',
    '}',
  ].join('\n'),
};

const ATTACHED: readonly Repair[] = [
  { kind: 'attachPolicy', field: 'managedPolicies', policy: 'AmazonEKSVPCResourceController' },
];

export const podSecurityGroupsClusterRole = defineRule<Message>({
  id: 'pod-security-groups-cluster-role',
  subject: 'vpc-cni',
  title:
    'The cluster role may manage network interfaces where pods have security groups of their own, or run on Windows',
  severity: 'error',
  since: '0.1.0',
  messages: {
    pods: {
      text: 'Cluster role {{role}} lacks {{missing}}, and {{by}} switches on security groups for pods. No node gets a trunk interface, so pods with security groups of their own stay Pending.',
      fix: {
        summary:
          'Attach `AmazonEKSVPCResourceController` to the role of the cluster; on that of the nodes it has no effect.',
        summaryIn: {
          eksctl:
            'Take `iam.vpcResourceControllerPolicy: false` out: eksctl then attaches `AmazonEKSVPCResourceController` to the role of the cluster.',
        },
        code: CODE,
        safety: 'needs-decision',
        repairsIn: { cloudformation: ATTACHED },
        effect: WIDENED,
      },
    },
    'left-behind': {
      text: 'Cluster role {{role}} lacks {{missing}}, and {{by}} switches on security groups for pods. Branch interfaces of pods that are gone stay, with their addresses and their places on the node, until no new pod gets one.',
      fix: {
        summary:
          'Attach `AmazonEKSVPCResourceController` to the role of the cluster; on that of the nodes it has no effect.',
        summaryIn: {
          eksctl:
            'Take `iam.vpcResourceControllerPolicy: false` out: eksctl then attaches `AmazonEKSVPCResourceController` to the role of the cluster.',
        },
        code: CODE,
        safety: 'needs-decision',
        repairsIn: { cloudformation: ATTACHED },
        effect: WIDENED,
      },
    },
    windows: {
      text: 'Cluster role {{role}} lacks {{missing}}, and {{by}} switches on the addresses of Windows pods. {{effect}}',
      fix: {
        summary:
          'Attach `AmazonEKSVPCResourceController` to the role of the cluster; on that of the nodes it has no effect.',
        summaryIn: {
          eksctl:
            'Take `iam.vpcResourceControllerPolicy: false` out: eksctl then attaches `AmazonEKSVPCResourceController` to the role of the cluster.',
        },
        code: CODE,
        safety: 'needs-decision',
        repairsIn: { cloudformation: ATTACHED },
        effect: WIDENED,
      },
    },
  },
  *check(model) {
    // Without nodes of its own no pod of aws-node runs, and no Windows pod.
    for (const view of model.clusterViews)
      if (!hasNoOwnNodes(view, model, view.cluster?.exists ?? always)) yield* judgeView(view);
  },
});

type Feature = 'pods' | 'windows';
type Message = Feature | 'left-behind';

/** What needs the permissions, under one assumption. */
interface Need {
  readonly feature: Feature;
  /** What switches it on, for messages. */
  readonly by: string;
  /** Why it isn't certain that it is on; undefined if it is. */
  readonly doubt: string | undefined;
  readonly resource: Resource;
  readonly source: Source;
  readonly when: When;
}

/** The calls by which Windows pods get addresses; for the others of the policy it isn't documented what they are for on Windows. */
const ADDRESS_ACTIONS: readonly string[] = ['ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses'];

/** The call that removes branch interfaces; interfaces are detached after failures only. */
const REMOVAL_ACTIONS: readonly string[] = ['ec2:DeleteNetworkInterface'];

function actionsFor(feature: Feature): readonly string[] {
  return feature === 'pods' ? [...TRUNK_ACTIONS, ...REMOVAL_ACTIONS] : resourceControllerActions();
}

function needsOf(view: ClusterView): readonly Need[] {
  const ofCni = cniCasesOf(view).flatMap(({ resource, settings, source, when }): readonly Need[] => {
    const name = cniTitleWithin(resource, '"');
    const switches = [
      { feature: 'pods', setting: 'env.ENABLE_POD_ENI', state: podEniOf(settings) },
      { feature: 'windows', setting: 'enableWindowsIpam', state: settings.switch('enableWindowsIpam') },
    ] as const;
    return switches.flatMap(({ feature, setting, state }): readonly Need[] => {
      if (state.kind === 'off') return [];
      const doubt =
        state.kind === 'unknown' ? `whether ${setting} is on isn't known: ${state.unknown.reason}` : undefined;
      return [{ feature, by: `${setting} of ${name}`, doubt, resource, source, when }];
    });
  });
  const ofObjects = windowsIpamObjectsOf(view).flatMap(({ resource, isOn, source, when }): readonly Need[] =>
    isOn === true
      ? [
          {
            feature: 'windows',
            by: `enable-windows-ipam of "${resourceName(resource)}"`,
            doubt: undefined,
            resource,
            source,
            when,
          },
        ]
      : [],
  );
  const withEmpty = [...ofCni, ...ofObjects];
  // Nobody needs addresses for nodes that there are not.
  const all = hasEmptyWindowsGroupsOnly(view) ? withEmpty.filter(({ feature }) => feature !== 'windows') : withEmpty;
  // What is certain, and weighs more, comes first: it is what speaks for a role.
  return all.toSorted((a, b) => weightOf(b) - weightOf(a));
}

function weightOf({ doubt, feature }: Need): number {
  return (doubt === undefined ? 2 : 0) + (feature === 'pods' ? 1 : 0);
}

interface Found {
  readonly judgement: Judgement<Message>;
  readonly when: When;
}

function* judgeView(view: ClusterView): Generator<Judgement<Message>> {
  const needs = needsOf(view);
  const [first] = needs;
  if (first === undefined) return;
  const { cluster } = view;
  if (cluster === undefined) {
    yield {
      verdict: 'unverifiable',
      resource: first.resource,
      reason: `cluster ${view.name} is not part of the input, nor is its role`,
      source: first.source,
    };
    return;
  }
  const byResource = new Map<Resource, Found[]>();
  for (const alternative of alternativesOf(cluster.role)) {
    const { value } = alternative;
    const role = value.kind === 'known' ? value.value.target : undefined;
    const given = cluster.exists.and(alternative.when)?.and(role?.exists ?? always);
    if (given === undefined) continue;
    for (const need of needs) {
      const when = given.and(need.when);
      if (when === undefined) continue;
      if (role !== undefined) {
        for (const found of judgeRole(role, need, view, when)) note(byResource, found);
        continue;
      }
      const reason =
        value.kind === 'known'
          ? (value.value.ambiguous ?? `its role ${value.value.text} is not part of the input`)
          : value.kind === 'unknown'
            ? `its role isn't known: ${value.reason}`
            : 'it names no role';
      note(byResource, {
        judgement: { verdict: 'unverifiable', resource: cluster, reason, source: value.source },
        when,
      });
    }
  }
  for (const found of byResource.values()) {
    yield* found.map(({ judgement, when }) => ({ ...judgement, when }));
  }
}

/** One finding per role and case: what is wrong for one need isn't told again for the next. */
function note(byResource: Map<Resource, Found[]>, found: Found): void {
  const list = byResource.get(found.judgement.resource);
  if (list === undefined) byResource.set(found.judgement.resource, [found]);
  else if (
    !isCovered(
      found.when,
      list.filter(({ judgement }) => judgement.verdict !== 'pass').map(({ when }) => when),
    )
  )
    list.push(found);
}

function judgeRole(role: Role, need: Need, view: ClusterView, given: When): readonly Found[] {
  return permissionCases(role).flatMap((one): readonly Found[] => {
    const when = given.and(one.when);
    return when === undefined ? [] : [{ judgement: judgePermissions(role, one.permissions, need, view), when }];
  });
}

function judgePermissions(role: Role, permissions: RolePermissions, need: Need, view: ClusterView): Judgement<Message> {
  const actions = actionsFor(need.feature);
  const { missing, unknown, reasons } = permissions.missing(actions);
  if (missing.length === 0 && unknown.length === 0) return { verdict: 'pass', resource: role };
  if (missing.length === 0)
    return { ...unverifiable(`whether it has ${listOf(unknown)} isn't known: ${reasons.join('; ')}`), resource: role };
  if (need.doubt !== undefined)
    return { ...unverifiable(`it lacks ${missingText(missing, actions)}, and ${need.doubt}`), resource: role };
  const data = {
    role: resourceName(role),
    missing: missingText(missing, actions),
    by: need.by,
    effect: effectOf(missing),
  };
  const onlyRemoval = need.feature === 'pods' && missing.every((action) => REMOVAL_ACTIONS.includes(action));
  return {
    verdict: 'fail',
    message: onlyRemoval ? 'left-behind' : need.feature,
    severity: onlyRemoval ? 'warning' : severityOf(need, missing, view),
    resource: role,
    data,
    related: [{ message: `${need.by} is on`, source: need.source }, ...linksOf(role, view)],
  };
}

let actionsMemo: readonly string[] | undefined;

function resourceControllerActions(): readonly string[] {
  return (actionsMemo ??=
    managedPolicy(cniPermissions.clusterRoleForSecurityGroupsForPods)?.statements.flatMap(({ actions }) => actions) ??
    []);
}

function missingText(missing: readonly string[], all: readonly string[]): string {
  const policy = cniPermissions.clusterRoleForSecurityGroupsForPods;
  // The cluster policy has one of the actions, under a condition, so a role without the other policy isn't without any of them.
  return missing.length >= all.length - 1 ? `the permissions of ${policy}` : `${listOf(missing)} (of ${policy})`;
}

function effectOf(missing: readonly string[]): string {
  if (ADDRESS_ACTIONS.some((action) => missing.includes(action)))
    return 'Pods on Windows nodes get no address and stay ContainerCreating.';
  return 'It has some of the permissions that AWS asks for there, and pods on Windows nodes may not get addresses.';
}

function severityOf({ feature }: Need, missing: readonly string[], view: ClusterView): Severity {
  if (isPureAutoMode(view) || isPureFargate(view)) return 'warning';
  if (feature === 'pods') return 'error';
  return windowsGroupsOf(view).length > 0 && ADDRESS_ACTIONS.some((action) => missing.includes(action))
    ? 'error'
    : 'warning';
}

/** The cluster that has the role, and roles of nodes that have the policy in vain. */
function linksOf(role: Role, { cluster, nodeGroups }: ClusterView): readonly RelatedPlace[] {
  const policy = cniPermissions.clusterRoleForSecurityGroupsForPods;
  const nodeRoles = new Set(
    nodeGroups.flatMap(({ nodeRole }) =>
      alternativesOf(nodeRole).flatMap(({ value }) =>
        value.kind === 'known' && value.value.target !== undefined ? [value.value.target] : [],
      ),
    ),
  );
  const idle = [...nodeRoles]
    .filter((one) => one !== role && attachesManagedPolicy(one, policy) === 'yes')
    .slice(0, MOST_PLACES);
  return [
    ...(cluster === undefined
      ? []
      : [{ message: `role of cluster "${resourceName(cluster)}"`, source: sourceOf(cluster.role) }]),
    ...idle.map((one) => ({
      message: `node role ${resourceName(one)} has ${policy}, where it has no effect`,
      source: one.source,
    })),
  ];
}
