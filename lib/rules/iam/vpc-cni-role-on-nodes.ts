import { defineRule, resourceName, type Judgement } from '../../engine';
import { awsManagedPolicyName, cniPermissions } from '../../knowledge';
import {
  alternativesOf,
  otherCniAt,
  textOf,
  type AttachedPolicy,
  type ClusterView,
  type EksModel,
  type PolicyDocument,
  type Role,
  type Source,
  type When,
} from '../../eks';
import {
  chainOf,
  cniIdentities,
  isDedicated,
  isPureAutoMode,
  runsWindows,
  type CniIdentity,
} from '../../eks/analysis/cni';
import { nodeRoleOf, type AnyNodeGroup } from '../../eks/analysis/node-group';
import { keepsPodsOff } from '../../eks/analysis/metadata-reach';
import { orderOf, ORDER_IN_NEWER } from './parts/addon-order';
import { givenRoles } from './parts/given-roles';
import { NO_POLICY_LIST, policyListCode } from './parts/policy-list';

/*
 * What the role of nodes may do, every pod may that reaches the instance metadata. The VPC CNI can have a role of its own, and nodes then need nothing of
 * it. Source: Amazon EKS user guide, "Configure Amazon VPC CNI plugin to use IRSA" and "Amazon EKS node IAM role".
 */

type MessageId = 'besides' | 'alone';

const code = {
  'terraform-module': '{{inModule}}',
  cloudformation: '{{listInTemplate}}',
  'aws-cdk': '{{listInCdk}}',
  terraform: '{{listInTerraform}}',
  eksctl: '{{listInEksctl}}',
} as const;

export const vpcCniRoleOnNodes = defineRule<MessageId>({
  id: 'vpc-cni-role-on-nodes',
  subject: 'iam',
  title: 'Nodes do not have the permissions of a VPC CNI that has a role of its own',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    besides: {
      text: 'Node role {{role}} has {{policy}}, although the VPC CNI of {{cluster}} has a role of its own{{installed}}: every pod that {{reach}} can attach, move and delete network interfaces.',
      fix: {
        summary: '{{advice}}',
        summaryIn: { eksctl: '{{inEksctl}}' },
        code,
        safety: 'needs-decision',
      },
    },
    alone: {
      text: 'The VPC CNI of {{cluster}}{{installed}} works with node role {{role}}, so that every pod that {{reach}} can attach, move and delete network interfaces, too.',
      fix: {
        summary:
          'Give the vpc-cni add-on a role of its own first (Pod Identity, or IRSA), and take `{{policy}}` off the node role once aws-node runs with it.',
        summaryIn: {
          eksctl:
            'Set `iam.withOIDC: true`: eksctl then makes a role for aws-node, and new groups are made without `{{policy}}`.',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const view of model.clusterViews) if (!isPureAutoMode(view)) yield* judgeView(view, model);
  },
});

function* judgeView(view: ClusterView, model: EksModel): Generator<Judgement<MessageId>> {
  const identities = cniIdentities(model, view);
  const seen = new Map<Role, Set<string>>();
  const needed = new Set(identities.flatMap((identity) => (isDedicated(identity) ? [] : [identity.role])));
  const all = [...view.nodeGroups, ...view.selfManagedNodeGroups]
    .filter((nodeGroup) => !runsWindows(nodeGroup, view))
    .flatMap(rolesOf);
  const byRole = new Map<Role | undefined, typeof all>();
  for (const one of all) {
    const before = byRole.get(one.role);
    if (before === undefined) byRole.set(one.role, [one]);
    else before.push(one);
  }
  for (const identity of identities) {
    // The CNI of other nodes has another role.
    for (const { nodeGroup, role, source, when: given } of isDedicated(identity)
      ? all
      : (byRole.get(identity.role) ?? [])) {
      const when = given.and(identity.when);
      if (when === undefined) continue;
      const before = seen.get(role) ?? new Set();
      seen.set(role, before);
      // The groups of a cluster mostly share one role.
      if (before.has(when.text)) continue;
      before.add(when.text);
      const users = all.flatMap((other) => (other.role === role ? [other.nodeGroup] : []));
      yield* judgeRole(role, { identity, nodeGroup, users, view, source, when, isNeeded: needed.has(role) });
    }
  }
}

/** The roles of a node group, as far as the input holds them. */
function rolesOf(
  nodeGroup: AnyNodeGroup,
): readonly (Pick<Use, 'nodeGroup' | 'source' | 'when'> & { readonly role: Role })[] {
  return givenRoles(nodeRoleOf(nodeGroup), nodeGroup.exists).flatMap(({ role, source, when }) =>
    role === undefined ? [] : [{ nodeGroup, role, source, when }],
  );
}

interface Use {
  readonly identity: CniIdentity;
  readonly nodeGroup: AnyNodeGroup;
  /** All groups of the cluster with the role. */
  readonly users: readonly AnyNodeGroup[];
  readonly view: ClusterView;
  readonly source: Source;
  readonly when: When;
  /** Whether the CNI works with the role in another case of the same input. */
  readonly isNeeded: boolean;
}

function* judgeRole(role: Role, use: Use): Generator<Judgement<MessageId>> {
  const { identity, when: used } = use;
  // A role that trusts aws-node, and that nothing gives to it, may be nobody's.
  const isSure = identity.holder !== identity.role && (identity.doubt === undefined || identity.isOutside === true);
  let isClean = true;
  for (const grant of role.policies.flatMap(grantsOf)) {
    const when = used.and(grant.when);
    if (when === undefined) continue;
    isClean = false;
    if (grant.doubt !== undefined) {
      if (isDedicated(identity)) yield { verdict: 'unverifiable', resource: role, reason: grant.doubt, when };
    } else if (!isDedicated(identity)) {
      yield* judgeShared(role, use, grant, when);
    } else if (isSure) {
      // One list of policies for all cases is what people write.
      const isFirst = use.isNeeded || orderOf(role, { ...use, addon: use.identity.addon }) === undefined;
      yield { ...failure(role, use, grant, when, 'besides'), severity: isFirst ? 'info' : 'warning' };
    } else {
      const reason = `it has ${grant.policy}, and whether the VPC CNI has a role of its own isn't known: ${identity.doubt ?? `nothing in the input gives aws-node the role ${identity.role?.id ?? ''}, which trusts it`}`;
      yield { verdict: 'unverifiable', resource: role, reason, when };
    }
  }
  if (isClean && isDedicated(identity)) yield { verdict: 'pass', resource: role, when: used };
}

/** Without an add-on in the input, or with another CNI, nobody knows as whom aws-node calls. */
function* judgeShared(role: Role, use: Use, grant: Grant, when: When): Generator<Judgement<MessageId>> {
  const { identity, view } = use;
  if (identity.role !== role || identity.addon === undefined || identity.doubt !== undefined) return;
  if (otherCniAt(view, when) !== undefined) return;
  yield { ...failure(role, use, grant, when, 'alone'), severity: 'info' };
}

function failure(
  role: Role,
  use: Use,
  { policy, source: attached }: Grant,
  when: When,
  message: MessageId,
): Judgement<MessageId> {
  const { identity, nodeGroup, view, source, isNeeded } = use;
  const order = orderOf(role, { ...use, addon: use.identity.addon });
  return {
    verdict: 'fail',
    resource: role,
    message,
    source: attached,
    data: {
      role: resourceName(role),
      policy,
      cluster: view.cluster === undefined ? view.name : resourceName(view.cluster),
      reach: reachOf(use),
      installed:
        identity.addon?.isImplied === true && identity.addon.dialect.name === 'eksctl'
          ? ' (eksctl installs `vpc-cni` by itself, as the file does not list it)'
          : '',
      advice:
        order === undefined
          ? `Keep \`${policy}\` on the node role as long as nothing creates the add-on before the nodes: the module of the add-on has no setting for that, and nodes without the policy find no addresses until the add-on has its role. ${ORDER_IN_NEWER}`
          : `Once aws-node runs with its own role, take \`${policy}\` off the node role${madeBy(role)}. Nodes that are created without it find no addresses until the add-on has that role: create the add-on before them${order}${/ in `depends_on` of `/.test(order) ? ', in place of what attaches the policy if that is there' : ''}.`,
      inModule: order === undefined ? '' : 'iam_role_attach_cni_policy = false',
      inEksctl: /attachPolicy/.test(attached.locate().property ?? '')
        ? `Take \`${policy}\` out of \`iam.attachPolicyARNs\` of the group.`
        : `Set \`iam.withOIDC: true\`: without it, eksctl attaches \`${policy}\` to the roles that it makes; new groups are then made without it.`,
      // Where the nodes need it in another case, one list can't say both.
      ...(isNeeded || order === undefined
        ? NO_POLICY_LIST
        : policyListCode(role, attached, (arn, place) =>
            place.locate().property === attached.locate().property ? undefined : arn,
          )),
    },
    about: policy,
    related: [
      ...(isDedicated(identity) ? chainOf(identity) : []),
      { message: `${resourceName(nodeGroup)} runs with this role`, source },
    ],
    when,
  };
}

/** Which pods get the credentials of the nodes. */
function reachOf({ nodeGroup, users, view }: Use): string {
  const name = resourceName(nodeGroup);
  return users.every((user) => keepsPodsOff(user, view))
    ? `runs on the network of its node (the hop limit of 1 on ${name} keeps the others off the instance metadata)`
    : `reaches the instance metadata on ${name}`;
}

/** What makes the role, where that isn't seen. */
function madeBy({ dialect }: Role): string {
  return dialect.name === 'aws-cdk'
    ? ' (the node group of the AWS CDK attaches it to the role that it makes: give it a `nodeRole` without it)'
    : '';
}

/** A policy of a role with which it may give addresses, or may be able to. */
interface Grant {
  readonly policy: string;
  /** Why that isn't known. */
  readonly doubt: string | undefined;
  readonly source: Source;
  readonly when: When;
}

function grantsOf(policy: AttachedPolicy): readonly Grant[] {
  if (policy.kind === 'managed')
    return alternativesOf(policy.arn).flatMap(({ when, value }): readonly Grant[] => {
      const name = awsManagedPolicyName(textOf(value) ?? '');
      if (name === cniPermissions.managedPolicyForIpv4)
        return [{ policy: name, doubt: undefined, source: policy.source, when }];
      const doubt =
        value.kind === 'unknown' && !/:policy\/[^$]+$/.test(value.text ?? '')
          ? `an attached policy isn't known: ${value.reason}`
          : undefined;
      return doubt === undefined ? [] : [{ policy: '', doubt, source: policy.source, when }];
    });
  return alternativesOf(policy.document).flatMap(({ when, value }): readonly Grant[] => {
    const common = { policy: policy.name, source: policy.source, when };
    if (value.kind === 'unknown')
      return [{ ...common, doubt: `policy "${policy.name}" can't be read: ${value.reason}` }];
    return value.kind === 'known' && givesAddresses(value.value) ? [{ ...common, doubt: undefined }] : [];
  });
}

/** Whether a policy names the calls that give addresses. A wide one by wildcards has other reasons. */
function givesAddresses({ statements }: PolicyDocument): boolean {
  return statements.some(
    ({ effect, actions }) =>
      effect.kind === 'known' &&
      effect.value === 'Allow' &&
      actions.some((action) => alternativesOf(action).some(({ value }) => ADDRESSES.test(textOf(value) ?? ''))),
  );
}

const ADDRESSES = /^ec2:Assign(?:PrivateIpAddresses|Ipv6Addresses|\*)$/i;
