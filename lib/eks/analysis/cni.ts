import { isAddon, isText, type Certainty } from './addon';
import { annotatedAccount } from './annotated-accounts';
import { clusterOfTrust, namesServiceAccount, webIdentitiesOf, type ServiceAccount } from './identity';
import { strayAssociations, strayDoubt } from './unseen';
import type { ClusterView, EksModel } from '../model/model';
import { resourceName } from '../model/resource-name';
import { amiFamilyOf, nodeRoleOf, type AnyNodeGroup } from './node-group';
import type { Addon, AmiFamily, Cluster, Reference, Role } from '../model/resources';
import {
  alternativesOf,
  always,
  beyondLimit,
  cases,
  except,
  isCovered,
  type Plain,
  type Resource,
  type Source,
  Steps,
  Unknown,
  type Value,
  type When,
} from '../../value';

export const AWS_NODE: ServiceAccount = { namespace: 'kube-system', name: 'aws-node' };
const VPC_CNI = 'vpc-cni';

/** As whom the VPC CNI (aws-node) of a cluster calls EC2, under one assumption. */
export interface CniIdentity {
  /**
   * - `pod-identity`: a Pod Identity association, of the add-on or on its own.
   * - `irsa`: a role that the service account assumes with a web identity token.
   * - `node-role`: nothing of its own, so the role of the nodes.
   */
  readonly kind: 'pod-identity' | 'irsa' | 'node-role';
  /** Undefined when the role isn't part of the input. */
  readonly role: Role | undefined;
  /** The vpc-cni add-on that then runs the CNI; undefined without one in the input. */
  readonly addon: Addon | undefined;
  /** Why the role, or its being the identity, can't be known; undefined when it is certain. */
  readonly doubt: string | undefined;
  /** The role is named, so that it is the identity, and only isn't part of the input. @default - it is, or nothing is known of it */
  readonly isOutside?: true;
  /** What gives the identity: the add-on, the association, the role itself, or the node group. */
  readonly holder: Addon | AnyNodeGroup | Resource;
  /** Where the role is named. */
  readonly source: Source;
  readonly when: When;
}

/** Whether the CNI has a role of its own. */
export function isDedicated(identity: CniIdentity): boolean {
  return identity.kind !== 'node-role';
}

/** What several rules ask of a cluster, worked out once. A view belongs to one model only, so the model needn't be part of the key. */
interface CniFacts {
  readonly addons: readonly Addon[];
  /** An add-on that may be another vpc-cni. */
  readonly unnamed: Addon | undefined;
  identities: readonly CniIdentity[] | undefined;
  readonly steps: Steps;
  rolesForAwsNode: readonly Role[] | undefined;
}

const facts = new WeakMap<ClusterView, CniFacts>();

function factsOf(view: ClusterView): CniFacts {
  let known = facts.get(view);
  if (known === undefined) {
    const answers = view.addons.map((addon) => [addon, isAddon(addon, VPC_CNI)] as const);
    known = {
      addons: answers.flatMap(([addon, answer]) => (answer === 'yes' ? [addon] : [])),
      unnamed: answers.find(([, answer]) => answer === 'maybe')?.[0],
      identities: undefined,
      steps: new Steps(),
      rolesForAwsNode: undefined,
    };
    facts.set(view, known);
  }
  return known;
}

/** The vpc-cni add-ons of a cluster: in a deployable input at most one that exists at a time. */
export function cniAddons(view: ClusterView): readonly Addon[] {
  return factsOf(view).addons;
}

/**
 * The identities of a cluster's VPC CNI: the add-on's Pod Identity association, else its service account role, else a
 * Pod Identity association for kube-system/aws-node, else, without a vpc-cni add-on in the input, a role that is trusted for
 * that service account, else the role of every node group that runs Linux nodes.
 */
export function cniIdentities(model: EksModel, view: ClusterView): readonly CniIdentity[] {
  return (factsOf(view).identities ??= findIdentities(model, view));
}

function findIdentities(model: EksModel, view: ClusterView): readonly CniIdentity[] {
  const addons = cniAddons(view);
  const from = view.cluster?.exists ?? always;
  const identities = addons.flatMap((addon) => {
    const exists = from.and(addon.exists);
    if (exists === undefined) return [];
    return cases({ pods: addon.podIdentityAssociations, irsa: addon.serviceAccountRole }).flatMap(
      ({ when, values }) => {
        const both = exists.and(when);
        return both === undefined ? [] : addonIdentity(model, view, addon, both, values.pods, values.irsa);
      },
    );
  });
  let rest: readonly When[] = [from];
  for (const addon of addons) rest = except(rest, addon.exists);
  return [...identities, ...rest.flatMap((when) => withoutAddonRole(model, view, undefined, when))];
}

function addonIdentity(
  model: EksModel,
  view: ClusterView,
  addon: Addon,
  when: When,
  pods: Plain<
    readonly {
      readonly serviceAccount: Value<string>;
      readonly role: Value<Reference<Role>>;
      readonly source: Source;
    }[]
  >,
  irsa: Plain<Reference<Role>>,
): CniIdentity[] {
  if (pods.kind === 'unknown') return [unknownIdentity('pod-identity', addon, addon, pods, when)];
  const own =
    pods.kind === 'known' ? pods.value.find((item) => isText(item.serviceAccount, AWS_NODE.name) !== 'no') : undefined;
  if (own !== undefined) return identitiesOf('pod-identity', addon, addon, own.role, when);
  if (irsa.kind !== 'absent') return identitiesOf('irsa', addon, addon, irsa, when);
  return withoutAddonRole(model, view, addon, when);
}

function withoutAddonRole(model: EksModel, view: ClusterView, addon: Addon | undefined, when: When): CniIdentity[] {
  const { unnamed } = factsOf(view);
  let doubt =
    unnamed === undefined
      ? undefined
      : `add-on ${unnamed.id}, whose name is not known, may be vpc-cni and have a role of its own`;
  doubt ??= annotationDoubt(view);
  const identities: CniIdentity[] = [];
  let rest: readonly When[] = [when];
  for (const association of view.podIdentityAssociations) {
    const answer = both(
      isText(association.namespace, AWS_NODE.namespace),
      isText(association.serviceAccount, AWS_NODE.name),
    );
    if (answer === 'maybe') doubt = `association ${association.id} may be for kube-system/aws-node`;
    if (answer !== 'yes') continue;
    identities.push(
      ...within(rest, association.exists).flatMap((exists) =>
        identitiesOf('pod-identity', association, addon, association.role, exists),
      ),
    );
    rest = except(rest, association.exists);
  }
  doubt ??= strayOfAwsNode(view);
  const trusted = rolesFor(model, view);
  for (const role of trusted) {
    if (addon !== undefined) {
      // The trust policy alone gives the add-on no role: EKS annotates the service account with what the add-on names.
      if (within(rest, role.exists).length > 0)
        doubt ??= `role ${role.id} trusts aws-node, but add-on ${addon.id} doesn't name it: aws-node uses the node role unless its service account is annotated otherwise`;
      continue;
    }
    identities.push(
      ...within(rest, role.exists).map(
        (exists): CniIdentity => ({
          kind: 'irsa',
          role,
          addon,
          doubt,
          holder: role,
          source: role.source,
          when: exists,
        }),
      ),
    );
  }
  if (addon === undefined) for (const role of trusted) rest = except(rest, role.exists);
  return [...identities, ...rest.flatMap((one) => nodeRoles(view, addon, one, doubt))];
}

/** Why aws-node may have a role by the annotation of its service account, which nothing but the objects of the cluster tells. */
function annotationDoubt(view: ClusterView): string | undefined {
  const manifest = annotatedAccount(AWS_NODE, view);
  return manifest === undefined ? undefined : `${resourceName(manifest)} gives the service account aws-node a role`;
}

/** Why aws-node may have a role by an association of which it isn't known whether it is of this cluster. */
function strayOfAwsNode(view: ClusterView): string | undefined {
  const stray = strayAssociations(view).find(
    ({ namespace, serviceAccount }) =>
      both(isText(namespace, AWS_NODE.namespace), isText(serviceAccount, AWS_NODE.name)) === 'yes',
  );
  return stray === undefined ? undefined : strayDoubt(stray);
}

/** A node group as one of an add-on costs so many steps: of several add-ons, each is looked at with all node groups. */
const STEPS = 40;

/** The assumptions, each together with another one; those that contradict it drop out. */
function within(assumptions: readonly When[], other: When): readonly When[] {
  return assumptions.flatMap((when) => when.and(other) ?? []);
}

/**
 * The roles that trust the aws-node of this cluster and that no add-on names: one that an add-on does name is its role, and
 * not meant for the time when the add-on isn't there. With one cluster in the input, a role whose issuer isn't known is meant for it.
 */
function rolesFor(model: EksModel, view: ClusterView): readonly Role[] {
  return (factsOf(view).rolesForAwsNode ??= findRoles(model, view));
}

function findRoles(model: EksModel, view: ClusterView): readonly Role[] {
  const byCluster = rolesOfAwsNode(model);
  const trusted = [
    ...(view.cluster === undefined ? [] : (byCluster.get(view.cluster) ?? [])),
    ...(model.clusterViews.length === 1 ? (byCluster.get(undefined) ?? []) : []),
  ];
  if (trusted.length === 0) return trusted;
  const named = new Set(
    cniAddons(view).flatMap((addon) =>
      alternativesOf(addon.serviceAccountRole).map(({ value }) =>
        value.kind === 'known' ? value.value.target : undefined,
      ),
    ),
  );
  return trusted.filter((role) => !named.has(role));
}

function both(a: Certainty, b: Certainty): Certainty {
  if (a === 'no' || b === 'no') return 'no';
  return a === 'yes' && b === 'yes' ? 'yes' : 'maybe';
}

function nodeRoles(view: ClusterView, addon: Addon | undefined, when: When, doubt: string | undefined): CniIdentity[] {
  const seen = new Map<Role, When[]>();
  const identities: CniIdentity[] = [];
  const groups = [...view.nodeGroups, ...view.selfManagedNodeGroups.filter(showsRole)];
  if (addon !== undefined && !factsOf(view).steps.take(groups.length * STEPS)) {
    return [
      unknownIdentity(
        'node-role',
        addon,
        addon,
        beyondLimit('there are too many add-ons and node groups in one cluster', addon.source),
        when,
      ),
    ];
  }
  for (const nodeGroup of groups) {
    const exists = when.and(nodeGroup.exists);
    if (exists === undefined || runsWindows(nodeGroup, view)) continue;
    for (const identity of identitiesOf('node-role', nodeGroup, addon, nodeRoleOf(nodeGroup), exists, doubt)) {
      if (identity.role !== undefined) {
        const before = seen.get(identity.role) ?? [];
        if (isCovered(identity.when, before)) continue;
        seen.set(identity.role, [...before, identity.when]);
      }
      identities.push(identity);
    }
  }
  return identities;
}

/** Whether the input has the role of nodes that EKS doesn't manage. Most of them have a profile from elsewhere, of which there is nothing to say. */
function showsRole(nodeGroup: AnyNodeGroup): boolean {
  return alternativesOf(nodeRoleOf(nodeGroup)).every(
    ({ value }) => value.kind === 'known' && value.value.target !== undefined,
  );
}

/** Whether the nodes certainly run Windows, where aws-node doesn't run. */
export function runsWindows(nodeGroup: AnyNodeGroup, view: ClusterView): boolean {
  const family = amiFamilyOf(nodeGroup, view);
  return family.kind === 'choice' ? family.alternatives.every(({ value }) => isWindows(value)) : isWindows(family);
}

function isWindows(family: Plain<AmiFamily>): boolean {
  return family.kind === 'known' && family.value === 'WINDOWS';
}

function identitiesOf(
  kind: CniIdentity['kind'],
  holder: CniIdentity['holder'],
  addon: Addon | undefined,
  role: Value<Reference<Role>>,
  when: When,
  doubt?: string,
): CniIdentity[] {
  return alternativesOf(role).flatMap((alternative): CniIdentity[] => {
    const { value } = alternative;
    const target = value.kind === 'known' ? value.value.target : undefined;
    const assumption = when.and(alternative.when)?.and(target?.exists ?? always);
    if (assumption === undefined) return [];
    const common = { kind, holder, addon, source: value.source, when: assumption };
    switch (value.kind) {
      case 'known':
        if (target !== undefined) return [{ ...common, role: target, doubt }];
        return [
          {
            ...common,
            role: undefined,
            ...(value.value.ambiguous === undefined && value.value.text !== '' ? { isOutside: true as const } : {}),
            doubt:
              value.value.ambiguous ??
              `role ${value.value.text === '' ? 'without a name' : value.value.text} is not part of the input`,
          },
        ];
      case 'unknown':
        return [unknownIdentity(kind, holder, addon, value, assumption)];
      case 'absent':
        return [{ ...common, role: undefined, doubt: `${holder.id} names no role` }];
    }
  });
}

function unknownIdentity(
  kind: CniIdentity['kind'],
  holder: CniIdentity['holder'],
  addon: Addon | undefined,
  value: Unknown,
  when: When,
): CniIdentity {
  return {
    kind,
    role: undefined,
    addon,
    doubt: `the role that ${holder.id} names is not known (${value.reason})`,
    holder,
    source: value.source,
    when,
  };
}

const awsNodeRoles = new WeakMap<EksModel, ReadonlyMap<Cluster | undefined, readonly Role[]>>();

/** The roles that trust aws-node by name, by cluster; under `undefined` those whose issuer is no cluster of the input. */
function rolesOfAwsNode(model: EksModel): ReadonlyMap<Cluster | undefined, readonly Role[]> {
  const cached = awsNodeRoles.get(model);
  if (cached !== undefined) return cached;
  const roles = new Map<Cluster | undefined, Role[]>();
  for (const role of model.roles) {
    const trust = webIdentitiesOf(role).find(({ statement }) => namesServiceAccount(statement, AWS_NODE));
    if (trust === undefined) continue;
    const cluster = clusterOfTrust(trust.statement);
    const list = roles.get(cluster);
    if (list === undefined) roles.set(cluster, [role]);
    else list.push(role);
  }
  awsNodeRoles.set(model, roles);
  return roles;
}

/** One place on the way from the cluster to a permission. */
export interface ChainLink {
  readonly message: string;
  readonly source: Source;
}

/** How the CNI comes to its role, for the related places of a finding. */
export function chainOf(identity: CniIdentity): ChainLink[] {
  const { holder, role, source } = identity;
  const name = role === undefined ? 'a role' : (role.path ?? role.id);
  const holderName = holder.path ?? holder.id;
  if (holder === role) return [];
  switch (identity.kind) {
    case 'pod-identity':
      return [{ message: `${holderName} gives aws-node the role ${name} (Pod Identity)`, source }];
    case 'irsa':
      return [{ message: `${holderName} gives aws-node the role ${name} (IRSA)`, source }];
    case 'node-role':
      return [{ message: `aws-node has no role of its own, so on the nodes of ${holderName} it uses ${name}`, source }];
  }
}

/** EKS Auto Mode without node groups of its own: EKS runs the CNI, and nothing here configures it. */
export function isPureAutoMode(view: ClusterView, within = view.cluster?.exists ?? always): boolean {
  if (view.cluster === undefined || hasNodeGroups(view, within)) return false;
  return alternativesOf(view.cluster.autoMode).every(
    ({ when, value }) => (value.kind === 'known' && value.value) || when.and(within) === undefined,
  );
}

/** Pods only on Fargate, where AWS runs the network itself. */
export function isPureFargate(view: ClusterView): boolean {
  return view.fargateProfiles.length > 0 && !hasNodeGroups(view, view.cluster?.exists ?? always);
}

/** Whether a cluster may have node groups where an assumption holds. */
export function hasNodeGroups({ nodeGroups, selfManagedNodeGroups }: ClusterView, within: When): boolean {
  return [nodeGroups, selfManagedNodeGroups].some((groups) =>
    groups.some(({ exists }) => exists.and(within) !== undefined),
  );
}
