import { serviceAccountSubjects } from '../iam';
import { awsAuthOf } from './aws-auth';
import { cniCasesOf, type CniCase } from './cni-cases';
import { hasNodeGroups, isPureAutoMode } from './cni';
import { clusterOfTrust, webIdentitiesOf } from './identity';
import { karpenterCapacityOf, nodeCapacityOf } from './linux-capacity';
import type { ClusterView, EksModel } from '../model/model';
import { resourceName } from '../model/resource-name';
import type { Role } from '../model/resources';
import { isText } from './addon';
import { alternativesOf, always, except, type Source, type When } from '../../value';

/** Something that shows nodes of a cluster which the input doesn't declare. */
export interface NodesElsewhere {
  /** `access entry "karpenter" is for nodes of another role`. */
  readonly what: string;
  readonly source: Source;
  readonly when: When;
}

/**
 * What lets nodes into a cluster that none of its groups starts, or is made for Karpenter, which may be installed by something that the
 * input doesn't show; worked out once.
 */
export function nodesElsewhereOf(view: ClusterView, model: EksModel): readonly NodesElsewhere[] {
  let found = known.get(view);
  if (found === undefined) {
    found = [...ofAccessEntries(view), ...ofAwsAuth(view, model), ...ofAssociations(view), ...ofTrust(view, model)];
    known.set(view, found);
  }
  return found;
}

const known = new WeakMap<ClusterView, readonly NodesElsewhere[]>();

const KARPENTER = 'karpenter';

/** The roles of a cluster's node groups: of managed ones EKS makes the entry itself. */
function groupRolesOf(view: ClusterView): ReadonlySet<Role | string> {
  return new Set(
    view.nodeGroups.flatMap((group) =>
      alternativesOf(group.nodeRole).flatMap(({ value }): (Role | string)[] => {
        if (value.kind === 'known') return [value.value.target ?? value.value.text];
        return value.kind === 'unknown' && value.symbol !== undefined ? [value.symbol] : [];
      }),
    ),
  );
}

function ofAccessEntries(view: ClusterView): readonly NodesElsewhere[] {
  const own = groupRolesOf(view);
  return view.accessEntries.flatMap((entry): readonly NodesElsewhere[] => {
    const isForNodes = alternativesOf(entry.entryType).some(
      ({ value }) => value.kind === 'known' && value.value === 'EC2_LINUX',
    );
    // Nodes of an Auto Scaling group in the input have a role that only their instance profile tells.
    if (!isForNodes || view.selfManagedNodeGroups.length > 0) return [];
    const isOfGroup = alternativesOf(entry.principal).every(({ value }) => {
      if (value.kind === 'known') return own.has(value.value.target ?? value.value.text);
      return value.kind === 'unknown' && value.symbol !== undefined && own.has(value.symbol);
    });
    return isOfGroup
      ? []
      : [
          {
            what: `access entry "${resourceName(entry)}" lets in nodes with another role`,
            source: entry.source,
            when: entry.exists,
          },
        ];
  });
}

function ofAwsAuth(view: ClusterView, model: EksModel): readonly NodesElsewhere[] {
  const auth = awsAuthOf(view, model);
  const own = new Set(
    view.nodeGroups.flatMap((group) =>
      alternativesOf(group.nodeRole).flatMap(({ value }) => [
        ...auth.mappingsOf(group, value),
        ...auth.possibleMappingsOf(group, value),
      ]),
    ),
  );
  if (view.selfManagedNodeGroups.length > 0) return [];
  return auth.all
    .filter(
      (mapping) =>
        !own.has(mapping) &&
        mapping.groups?.includes('system:nodes') === true &&
        !mapping.groups.includes('system:node-proxier'),
    )
    .map(({ source, manifest }) => ({
      what: '`aws-auth` lets in nodes with another role',
      source,
      when: manifest.exists,
    }));
}

function ofAssociations(view: ClusterView): readonly NodesElsewhere[] {
  return view.podIdentityAssociations
    .filter(({ serviceAccount }) => isText(serviceAccount, KARPENTER) === 'yes')
    .map((association) => ({
      what: `Pod Identity association "${resourceName(association)}" is for Karpenter`,
      source: association.source,
      when: association.exists,
    }));
}

/** With one cluster in the input, a role whose issuer isn't known is meant for it. */
function ofTrust(view: ClusterView, model: EksModel): readonly NodesElsewhere[] {
  return karpenterRolesOf(model).flatMap(({ role, cluster }) => {
    const isOwn = cluster === undefined ? model.clusterViews.length === 1 : cluster === view.cluster;
    return isOwn
      ? [{ what: `role "${resourceName(role)}" is for Karpenter`, source: role.source, when: role.exists }]
      : [];
  });
}

interface KarpenterRole {
  readonly role: Role;
  readonly cluster: ClusterView['cluster'];
}

function karpenterRolesOf(model: EksModel): readonly KarpenterRole[] {
  let found = karpenterRoles.get(model);
  if (found === undefined) {
    found = model.roles.flatMap((role): readonly KarpenterRole[] => {
      const trust = webIdentitiesOf(role).find(({ statement }) =>
        serviceAccountSubjects([statement]).some(({ text }) => text.endsWith(`:${KARPENTER}`)),
      );
      return trust === undefined ? [] : [{ role, cluster: clusterOfTrust(trust.statement) }];
    });
    karpenterRoles.set(model, found);
  }
  return found;
}

const karpenterRoles = new WeakMap<EksModel, readonly KarpenterRole[]>();

/**
 * Where, of an assumption, a cluster may have nodes on which the VPC CNI runs as a pod: everywhere that there is the cluster, except where there is
 * Auto Mode alone, or where Fargate profiles are all that the input shows. Without either, nodes may be declared elsewhere: of a cluster that is
 * known by its name alone, profiles of another stack tell the same.
 */
export function whereOwnNodes(view: ClusterView, model: EksModel, when: When): readonly When[] {
  const exists = view.cluster?.exists ?? always;
  const within = exists.and(when) ?? when;
  const isWithin = (one: { readonly when: When }) => one.when.and(within) !== undefined;
  if (isPureAutoMode(view, within) && !karpenterCapacityOf(view).some(isWithin)) return [];
  const views = view.fargateProfiles.length > 0 ? [view] : model.namesakesOf(view);
  const profiles = views.flatMap(({ fargateProfiles }) => fargateProfiles);
  if (
    profiles.length === 0 ||
    views.some(
      (one) =>
        hasNodeGroups(one, within) ||
        nodeCapacityOf(one, model).some(isWithin) ||
        nodesElsewhereOf(one, model).some(isWithin),
    )
  )
    return [when];
  let rest: readonly When[] = [when];
  for (const { exists: profileExists } of profiles) {
    if (profileExists.and(within) !== undefined) rest = except(rest, profileExists);
    if (rest.length > MOST_CASES) return [when];
  }
  // Without the cluster there are no nodes either.
  return rest.filter((one) => one.and(within) !== undefined);
}

/** More conditions than these aren't told apart. */
const MOST_CASES = 32;

/** The ways in which the VPC CNI of a cluster may be configured ({@link cniCasesOf}) where the cluster may have nodes that it runs on. */
export function cniCasesOnNodes(view: ClusterView, model: EksModel): readonly CniCase[] {
  return cniCasesOf(view).filter(({ when }) => !hasNoOwnNodes(view, model, when));
}

/** Whether a cluster surely has no nodes of its own where an assumption holds, so that the settings of the CNI matter nowhere. */
export function hasNoOwnNodes(view: ClusterView, model: EksModel, when: When): boolean {
  return whereOwnNodes(view, model, when).length === 0;
}
