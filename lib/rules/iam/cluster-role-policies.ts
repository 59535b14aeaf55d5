import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import { attachesManagedPolicy, permissionCases, RolePermissions, type Match } from '../../eks/iam';
import { awsManagedPolicyName, parseMinor, servicePrincipals } from '../../knowledge';
import {
  alternativesOf,
  casesOf,
  textOf,
  type AttachedPolicy,
  type Cluster,
  type ClusterView,
  type EksModel,
  type Plain,
  type Role,
  type When,
} from '../../eks';
import { isPureAutoMode, isPureFargate } from '../../eks/analysis/cni';
import { listOf } from '../../text/in-words';
import { givenRoles, serviceTrustCases, showsPolicies, withoutIdlePasses } from './parts/given-roles';

/*
 * The control plane works with the cluster role: its cloud controller finds the instances of nodes, and in EKS Auto Mode it starts them. Sources: Amazon
 * EKS user guide, "Amazon EKS cluster IAM role", "Amazon EKS Auto Mode cluster IAM role", and the notes on Kubernetes 1.30.
 */

const CLUSTER_POLICY = 'AmazonEKSClusterPolicy';

/** What AWS documents as the least of a policy that takes the place of {@link CLUSTER_POLICY}. */
const LEAST_ACTIONS = [
  'ec2:DescribeAvailabilityZones',
  'ec2:DescribeDhcpOptions',
  'ec2:DescribeInstanceTopology',
  'ec2:DescribeInstances',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeVpcs',
  'kms:DescribeKey',
];
const TAG_ACTION = 'ec2:CreateTags';
const INSTANCES = 'arn:*:ec2:*:*:instance/*';

/** From this minor version on the control plane asks for the zones of a region. */
const ASKS_FOR_ZONES_FROM = 30;

/** What EKS Auto Mode needs, and the call of each policy by which one of the user's own is told. */
const AUTO_MODE_POLICIES = [
  { name: 'AmazonEKSBlockStoragePolicy', action: 'ec2:CreateVolume', serves: 'make volumes' },
  { name: 'AmazonEKSComputePolicy', action: 'ec2:RunInstances', serves: 'start nodes' },
  {
    name: 'AmazonEKSLoadBalancingPolicy',
    action: 'elasticloadbalancing:CreateLoadBalancer',
    serves: 'make load balancers',
  },
  { name: 'AmazonEKSNetworkingPolicy', action: 'ec2:CreateNetworkInterface', serves: 'give pods addresses' },
] as const;

type MessageId = 'trust' | 'no-principal' | 'permissions' | 'auto-mode' | 'tag-session';

const trusting = (actions: readonly string[]) => ({
  cloudformation: [
    'AssumeRolePolicyDocument:',
    "  Version: '2012-10-17'",
    '  Statement:',
    '    - Effect: Allow',
    '      Principal:',
    '        Service: eks.amazonaws.com',
    '      Action:',
    ...actions.map((action) => `        - ${action}`),
  ].join('\n'),
  'aws-cdk':
    actions.length > 1
      ? "assumedBy: new iam.SessionTagsPrincipal(new iam.ServicePrincipal('eks.amazonaws.com')),"
      : "assumedBy: new iam.ServicePrincipal('eks.amazonaws.com'),",
  terraform: [
    'assume_role_policy = jsonencode({',
    '  Version = "2012-10-17"',
    '  Statement = [{',
    '    Effect    = "Allow"',
    `    Action    = [${actions.map((action) => `"${action}"`).join(', ')}]`,
    '    Principal = { Service = "eks.amazonaws.com" }',
    '  }]',
    '})',
  ].join('\n'),
});

const attaching = (policies: readonly string[]) => ({
  cloudformation: [
    'ManagedPolicyArns:',
    ...policies.map((policy) => `  - !Sub arn:\${AWS::Partition}:iam::aws:policy/${policy}`),
  ].join('\n'),
  'aws-cdk': [
    '// where `role` is the Role that the finding names:',
    ...policies.map((policy) => `role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('${policy}'));`),
  ].join('\n'),
  terraform: policies
    .map((policy) =>
      [
        `resource "aws_iam_role_policy_attachment" "cluster_${policy
          .replace(/^AmazonEKS|Policy$/g, '')
          .replace(/(?!^)[A-Z]/g, '_$&')
          .toLowerCase()}" {`,
        '  role       = aws_iam_role.cluster.name',
        `  policy_arn = "arn:\${data.aws_partition.current.partition}:iam::aws:policy/${policy}"`,
        '}',
      ].join('\n'),
    )
    .join('\n\n'),
});

export const clusterRolePolicies = defineRule<MessageId>({
  id: 'cluster-role-policies',
  subject: 'iam',
  title: 'The role of a cluster can be assumed by EKS and has the permissions of the control plane',
  severity: 'error',
  since: '0.1.0',
  messages: {
    trust: {
      text: 'Cluster role {{role}} trusts {{found}} and not eks.amazonaws.com: {{effect}}.',
      fix: {
        summary: 'Trust the service `eks.amazonaws.com`{{session}}.{{ofNodes}}',
        code: trusting(['sts:AssumeRole']),
        safety: 'needs-decision',
      },
    },
    'no-principal': {
      text: 'The trust policy of cluster role {{role}} has a statement without `Principal`: IAM refuses to make the role ("MalformedPolicyDocument"), and cluster {{cluster}} is never made.',
      fix: {
        summary:
          'Write `Principal` and `Action` into the statement, beside its `Effect`, with the service `eks.amazonaws.com`{{session}}.{{ofNodes}}',
        code: trusting(['sts:AssumeRole']),
        safety: 'needs-decision',
      },
    },
    permissions: {
      text: 'Cluster role {{role}} lacks {{missing}}, which AWS documents as the least that the control plane of {{cluster}} needs: {{effect}}.',
      fix: {
        summary: `Attach \`${CLUSTER_POLICY}\`, or allow \`{{missing}}\` in the policy of your own.`,
        code: attaching([CLUSTER_POLICY]),
        safety: 'needs-decision',
      },
    },
    'auto-mode': {
      text: "Cluster {{cluster}} runs in EKS Auto Mode, but its role {{role}} has neither {{missing}} nor the permissions of it: EKS can't {{serves}}.",
      fix: {
        summary: 'Attach `{{missing}}` to the role of the cluster; Auto Mode needs all four policies.',
        code: attaching(AUTO_MODE_POLICIES.map(({ name }) => name)),
        safety: 'needs-decision',
      },
    },
    'tag-session': {
      text: "Cluster {{cluster}} runs in EKS Auto Mode, but its role {{role}} does not allow sts:TagSession to eks.amazonaws.com: EKS can't assume it with the session tags of Auto Mode, and starts no nodes.",
      fix: {
        summary: 'Allow `sts:AssumeRole` and `sts:TagSession` to `eks.amazonaws.com`.',
        code: trusting(['sts:AssumeRole', 'sts:TagSession']),
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const cluster of model.clusters) yield* judgeCluster(cluster, model.viewOf(cluster));
  },
});

/** A role of a cluster under one assumption. */
interface Use {
  readonly cluster: Cluster;
  readonly view: ClusterView;
  readonly version: Plain<string>;
  readonly autoMode: Plain<boolean>;
  readonly related: readonly RelatedPlace[];
  readonly when: When;
}

function* judgeCluster(cluster: Cluster, view: ClusterView): Generator<Judgement<MessageId>> {
  const byRole = new Map<Role, Judgement<MessageId>[]>();
  const { onOutpost, autoMode, version } = cluster;
  for (const { when: given, values } of casesOf(cluster, { onOutpost, autoMode, version })) {
    // Clusters on Outposts have a role for instances there.
    if (values.onOutpost.kind !== 'absent' && !(values.onOutpost.kind === 'known' && !values.onOutpost.value)) continue;
    for (const { role, doubt, source, when: named } of givenRoles(cluster.role, cluster.exists)) {
      const when = given.and(named);
      if (when === undefined) continue;
      if (role === undefined) {
        yield { verdict: 'unverifiable', resource: cluster, source, reason: doubt, when };
        continue;
      }
      const related = [{ message: `role of cluster ${resourceName(cluster)}`, source }];
      const use = { cluster, view, version: values.version, autoMode: values.autoMode, related, when };
      const list = byRole.get(role) ?? [];
      byRole.set(role, list);
      list.push(...judgeTrust(role, use), ...judgePermissions(role, use), ...judgeAutoMode(role, use));
    }
  }
  for (const judgements of byRole.values()) yield* withoutIdlePasses(judgements);
}

/** Whether IAM takes one of the principals: a service of AWS, or something else than a host. */
function namesSomebody(found: string): boolean {
  return found.split(', ').some((name) => !HOST.test(name) || OF_AWS.test(name));
}

const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/;
const OF_AWS = /\.(?:amazonaws\.com(?:\.cn)?|amazon\.com)$/;

function isOn({ autoMode }: Use): boolean {
  return autoMode.kind === 'known' && autoMode.value;
}

function judgeTrust(role: Role, use: Use): readonly Judgement<MessageId>[] {
  const { clusterPrincipal, autoModeExtraClusterAction: tagSession } = servicePrincipals();
  const data = { role: resourceName(role), cluster: resourceName(use.cluster) };
  const plain = serviceTrustCases(role, [clusterPrincipal]);
  return plain.flatMap((one, index): readonly Judgement<MessageId>[] => {
    const { answer, reason, source, found } = one;
    const when = use.when.and(one.when);
    if (when === undefined) return [];
    const common = { resource: role, source, related: use.related, when };
    if (answer === 'unknown') return [{ ...common, verdict: 'unverifiable', reason }];
    if (answer === 'refused')
      return [
        {
          ...common,
          verdict: 'fail',
          message: one.isRefusedByIam ? 'no-principal' : 'trust',
          data: {
            ...data,
            found,
            effect: namesSomebody(found)
              ? `EKS refuses to create cluster ${data.cluster}, because it could not assume the role`
              : `IAM refuses to make the role ("Invalid principal in policy"), and cluster ${data.cluster} is never made`,
            session: isOn(use) ? ', and allow `sts:TagSession` too' : '',
            ofNodes: isOfNodes(role, use) ? ' Nodes work with the same role: give them one of their own first.' : '',
          },
        },
      ];
    const tagged = isOn(use)
      ? serviceTrustCases(role, [clusterPrincipal], ['sts:AssumeRole', tagSession])[index]
      : undefined;
    if (tagged === undefined || tagged.answer === 'trusted') return [];
    return tagged.answer === 'unknown'
      ? [{ ...common, verdict: 'unverifiable', reason: tagged.reason }]
      : [{ ...common, verdict: 'fail', message: 'tag-session', data }];
  });
}

/** Whether nodes would lose what they start with, were the role the cluster's alone. */
function isOfNodes(role: Role, { view, when }: Use): boolean {
  return view.nodeGroups.some(({ nodeRole, exists }) =>
    givenRoles(nodeRole, exists.and(when) ?? exists).some((given) => given.role === role),
  );
}

function judgePermissions(role: Role, use: Use): readonly Judgement<MessageId>[] {
  return permissionCases(role).flatMap(({ when: given, permissions }): readonly Judgement<MessageId>[] => {
    const when = use.when.and(given);
    if (when === undefined) return [];
    const { missing, unknown, reasons } = permissions.missing(LEAST_ACTIONS);
    const tags = permissions.missing([TAG_ACTION], INSTANCES);
    const lacking = [...tags.missing, ...missing];
    if (lacking.length > 0) {
      const effect = effectOf(lacking, use);
      return [
        {
          verdict: 'fail',
          resource: role,
          message: 'permissions',
          severity: effect === undefined || !showsPolicies(role) ? 'warning' : 'error',
          data: {
            role: resourceName(role),
            cluster: resourceName(use.cluster),
            missing: lacking.length > LEAST_ACTIONS.length ? `the permissions of ${CLUSTER_POLICY}` : listOf(lacking),
            effect: effect ?? 'what needs them fails',
          },
          related: use.related,
          when,
        },
      ];
    }
    const open = [...tags.unknown, ...unknown];
    return open.length > 0
      ? [
          {
            verdict: 'unverifiable',
            resource: role,
            reason: `whether it has ${listOf(open)} isn't known: ${[...new Set([...tags.reasons, ...reasons])].join('; ')}`,
            when,
          },
        ]
      : [{ verdict: 'pass', resource: role, when }];
  });
}

/** What surely fails; undefined where that isn't documented. */
function effectOf(lacking: readonly string[], { version, view }: Use): string | undefined {
  // Without nodes on EC2 nobody asks for instances.
  if (isPureFargate(view) || isPureAutoMode(view)) return undefined;
  if (lacking.includes('ec2:DescribeInstances'))
    return "the cloud controller can't find the instances of nodes, which keep the taint node.cloudprovider.kubernetes.io/uninitialized";
  const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
  if (lacking.includes('ec2:DescribeAvailabilityZones') && (minor === undefined || minor >= ASKS_FOR_ZONES_FROM))
    return `from Kubernetes 1.${ASKS_FOR_ZONES_FROM} on the control plane asks for the zones of its subnets`;
  return undefined;
}

function judgeAutoMode(role: Role, use: Use): readonly Judgement<MessageId>[] {
  if (!isOn(use)) return [];
  const own = new RolePermissions({ ...role, policies: role.policies.filter(mayTakePlace) });
  const lacks = AUTO_MODE_POLICIES.map((policy) => ({ policy, has: hasPolicy(role, own, policy, use.when) }));
  const missing = lacks.filter(({ has }) => has === 'no').map(({ policy }) => policy);
  const common = { resource: role, related: use.related, when: use.when };
  if (missing.length > 0)
    return [
      {
        ...common,
        verdict: 'fail',
        message: 'auto-mode',
        data: {
          role: resourceName(role),
          cluster: resourceName(use.cluster),
          missing: listOf(missing.map(({ name }) => name)),
          serves: listOf(missing.map(({ serves }) => serves)),
        },
      },
    ];
  const open = lacks.filter(({ has }) => has === 'maybe').map(({ policy }) => policy.name);
  return open.length > 0
    ? [{ ...common, verdict: 'unverifiable', reason: `whether it has the permissions of ${listOf(open)} isn't known` }]
    : [];
}

function hasPolicy(
  role: Role,
  own: RolePermissions,
  { name, action }: (typeof AUTO_MODE_POLICIES)[number],
  when: When,
): Match {
  const attached = attachesManagedPolicy(role, name, when);
  if (attached !== 'no') return attached;
  const allowed = own.allows(action);
  return allowed === 'denied' ? 'no' : allowed === 'allowed' ? 'yes' : 'maybe';
}

/** Whether a policy may have what the policies of Auto Mode have: one of the user's own, or a wide one of AWS. */
function mayTakePlace(policy: AttachedPolicy): boolean {
  if (policy.kind === 'document') return true;
  return alternativesOf(policy.arn).some(({ value }) => {
    const name = awsManagedPolicyName(textOf(value) ?? '');
    return value.kind !== 'absent' && name?.startsWith('AmazonEKS') !== true;
  });
}
