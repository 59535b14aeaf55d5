import { permissionCases, type RolePermissions } from '../../../eks/iam';
import type { Judgement } from '../../../engine';
import {
  alternativesOf,
  nodeRoleOf,
  otherCniAt,
  type Addon,
  type AnyNodeGroup,
  type ClusterView,
  type EksModel,
  type Resource,
  type Role,
  type When,
} from '../../../eks';
import {
  AWS_NODE,
  chainOf,
  cniIdentities,
  isPureAutoMode,
  isPureFargate,
  type CniIdentity,
} from '../../../eks/analysis/cni';
import { ipFamilyOf, type IpFamily } from '../../../eks/analysis/ip-family';
import { switchAt } from '../../../eks/analysis/addon';
import { whereOwnNodes } from '../../../eks/analysis/own-nodes';
import { hasCniPermissions, lackOfCore } from '../../../eks/analysis/cni-permissions';
import { roleUsesOf } from '../../../eks/analysis/role-uses';

/** One case of what a cluster's CNI may do: its role, the permissions and the IP family under one assumption. */
export interface CniCase {
  readonly identity: CniIdentity;
  readonly role: Role;
  readonly permissions: RolePermissions;
  /** Undefined when it isn't known. */
  readonly family: IpFamily | undefined;
  /** Why the family isn't known; empty when it is. */
  readonly familyDoubt: string;
  readonly when: When;
}

/** What a rule makes of a case; `when` is a further assumption, beyond the case's own. */
export type CniOutcome<M extends string> = Omit<Judgement<M>, 'resource'>;
type CniJudge<M extends string> = (
  one: CniCase,
  view: ClusterView,
) => CniOutcome<M> | readonly CniOutcome<M>[] | undefined;

/**
 * Judges the roles as which the CNI of each cluster runs. Clusters whose CNI AWS runs (Auto Mode, only Fargate) are left
 * out. A role outside the input is unverifiable; so is a failure of a role that may not be the CNI's after all.
 *
 * @param judge undefined when the rule doesn't concern the case
 * @param whenUnseen what to say of a role that the input doesn't hold: nothing (`skip`), or unverifiable if undefined
 */
export function* judgeCniRoles<M extends string>(
  model: EksModel,
  judge: CniJudge<M>,
  whenUnseen?: (identity: CniIdentity, view: ClusterView) => CniOutcome<M> | 'skip' | undefined,
): Generator<Judgement<M>> {
  for (const view of model.clusterViews) {
    if (isPureAutoMode(view)) continue;
    const byResource = new Map<Resource, Judgement<M>[]>();
    for (const identity of cniIdentities(model, view).flatMap((one) => onNodes(one, view, model)))
      for (const judgement of judgeIdentity(doubtIfIdle(identity, view, model), view, judge, whenUnseen)) {
        const list = byResource.get(judgement.resource);
        if (list === undefined) byResource.set(judgement.resource, [judgement]);
        else list.push(judgement);
      }
    for (const judgements of byResource.values()) yield* judgements;
  }
}

/**
 * An identity where there are, or may be, nodes on which aws-node runs at all: Fargate has none of it, nor has a cluster that is made without add-ons and
 * gets another CNI.
 */
function onNodes(identity: CniIdentity, view: ClusterView, model: EksModel): readonly CniIdentity[] {
  if (identity.kind === 'node-role' && (isPureFargate(view) || isWithoutAwsNode(identity, view))) return [];
  return whereOwnNodes(view, model, identity.when).map((when) => ({ ...identity, when }));
}

function isWithoutAwsNode({ addon, when }: CniIdentity, view: ClusterView): boolean {
  return addon === undefined && otherCniAt(view, when) !== undefined;
}

function judgeIdentity<M extends string>(
  identity: CniIdentity,
  view: ClusterView,
  judge: CniJudge<M>,
  whenUnseen: ((identity: CniIdentity, view: ClusterView) => CniOutcome<M> | 'skip' | undefined) | undefined,
): Judgement<M>[] {
  const { role, doubt } = identity;
  if (role === undefined) {
    const outcome =
      whenUnseen?.(identity, view) ?? ({ verdict: 'unverifiable', reason: doubt ?? 'its role is not known' } as const);
    if (outcome === 'skip') return [];
    return [{ source: identity.source, ...outcome, resource: identity.holder, when: identity.when }];
  }
  const judgements: Judgement<M>[] = [];
  for (const permissionCase of permissionCases(role)) {
    for (const family of alternativesOf(ipFamilyOf(view))) {
      const when = identity.when.and(permissionCase.when)?.and(family.when);
      if (when === undefined) continue;
      const one: CniCase = {
        identity,
        role,
        permissions: permissionCase.permissions,
        family: family.value.kind === 'known' ? family.value.value : undefined,
        familyDoubt: family.value.kind === 'unknown' ? family.value.reason : '',
        when,
      };
      const outcomes = judge(one, view) ?? [];
      for (const outcome of Array.isArray(outcomes)
        ? (outcomes as readonly CniOutcome<M>[])
        : [outcomes as CniOutcome<M>]) {
        const both = outcome.when === undefined ? when : when.and(outcome.when);
        if (both === undefined) continue;
        if (outcome.verdict === 'fail' && doubt !== undefined) {
          judgements.push({ verdict: 'unverifiable', resource: role, reason: doubt, when: both });
        } else {
          // Nobody reads the way to a role of which there is nothing to say.
          const related = outcome.verdict === 'pass' ? [] : [...chainOf(identity), ...(outcome.related ?? [])];
          judgements.push({ ...outcome, resource: role, when: both, ...(related.length === 0 ? {} : { related }) });
        }
      }
    }
  }
  return judgements;
}

/**
 * A role that trusts aws-node and that nothing gives to it is hardly its role where the nodes' own does: their pods get addresses either way. Nor is one
 * with nothing that a CNI does, as an example of the AWS provider has it, where the input shows no nodes: these have what they need, or none works.
 */
function doubtIfIdle(identity: CniIdentity, view: ClusterView, model: EksModel): CniIdentity {
  const { role, holder, doubt } = identity;
  if (
    role === undefined ||
    holder !== role ||
    doubt !== undefined ||
    isAnnotated(role, model) ||
    !(nodesMayDo(view, identity.when) || (!hasNodes(view) && doesNothing(role)))
  )
    return identity;
  return {
    ...identity,
    doubt: 'nothing in the input gives it to aws-node, which may use the role of the nodes instead',
  };
}

function hasNodes({ nodeGroups, selfManagedNodeGroups }: ClusterView): boolean {
  return nodeGroups.length + selfManagedNodeGroups.length > 0;
}

function doesNothing(role: Role): boolean {
  return permissionCases(role).every(({ permissions }) => hasCniPermissions(permissions) === 'denied');
}

const annotated = new WeakMap<EksModel, ReadonlySet<Role | undefined>>();

/** Whether the service account in the input names the role. */
function isAnnotated(role: Role, model: EksModel): boolean {
  let roles = annotated.get(model);
  if (roles === undefined) {
    const isAwsNode = ({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean =>
      namespace === AWS_NODE.namespace && name === AWS_NODE.name;
    roles = new Set([...roleUsesOf(model)].filter(({ accounts }) => accounts.some(isAwsNode)).map((use) => use.role));
    annotated.set(model, roles);
  }
  return roles.has(role);
}

const ableNodes = new WeakMap<ClusterView, readonly AnyNodeGroup[]>();

/** Whether the role of some nodes has, or may have, the permissions of the CNI. */
function nodesMayDo(view: ClusterView, when: When): boolean {
  const able = ableNodes.get(view) ?? nodesThatMayDo(view);
  ableNodes.set(view, able);
  return able.some(({ exists }) => when.and(exists) !== undefined);
}

function nodesThatMayDo(view: ClusterView): readonly AnyNodeGroup[] {
  return [...view.nodeGroups, ...view.selfManagedNodeGroups].filter((nodeGroup) => {
    return alternativesOf(nodeRoleOf(nodeGroup)).some(({ value }) => {
      if (value.kind !== 'known') return value.kind === 'unknown';
      const { target } = value.value;
      return target === undefined || permissionCases(target).some(({ permissions }) => mayRunCni(permissions, view));
    });
  });
}

function mayRunCni(permissions: RolePermissions, view: ClusterView): boolean {
  return alternativesOf(ipFamilyOf(view)).some(({ value }) => {
    const families: readonly IpFamily[] = value.kind === 'known' ? [value.value] : ['ipv4', 'ipv6'];
    return families.some((family) => lackOfCore(permissions, family).missing.length === 0);
  });
}

/**
 * Why permissions can't be judged although they are known: settings with which the CNI leaves EC2 alone. Undefined when
 * no such setting is, or may be, on.
 */
export function withoutEc2Calls(addon: Addon | undefined): string | undefined {
  if (addon === undefined) return undefined;
  for (const name of ['ENABLE_IMDS_ONLY_MODE', 'DISABLE_NETWORK_RESOURCE_PROVISIONING']) {
    const states = alternativesOf(switchAt(addon, name, false));
    if (states.some(({ value }) => value.kind === 'known' && value.value))
      return `${addon.id} sets ${name}, with which the CNI makes fewer calls to EC2`;
  }
  return undefined;
}

/** How messages call the role's task: "the VPC CNI role CniRole", "node role NodeRole, which is also the VPC CNI's". */
export function roleText(identity: CniIdentity, name: string): string {
  return identity.kind === 'node-role' ? `Node role ${name}, with which the VPC CNI works,` : `VPC CNI role ${name}`;
}
