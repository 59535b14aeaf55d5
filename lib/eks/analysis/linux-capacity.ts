import type { ClusterView, EksModel } from '../model/model';
import { casesOf } from '../model/existence';
import { amiFamilyOf, type AnyNodeGroup } from './node-group';
import type { KubernetesManifest } from '../model/resources';
import { alternativesOf, always, dataAt, type Resource, Unknown, type Value, type When } from '../../value';

/** Something that Linux pods of a cluster may run on. */
export interface LinuxCapacity {
  /** Where it exists and is Linux. */
  readonly when: When;
  /** Why it isn't certain that it is Linux capacity of this cluster; undefined if it is. */
  readonly doubt: string | undefined;
}

/** What a cluster shows to run Linux pods on: node groups, Fargate, Auto Mode, Karpenter. */
export function linuxCapacityOf(view: ClusterView, model: EksModel): readonly LinuxCapacity[] {
  return [
    ...view.fargateProfiles.map(({ exists }) => ({ when: exists, doubt: undefined })),
    ...nodeCapacityOf(view, model),
    ...unreadCapacityOf(view),
  ];
}

/** What a module of Terraform that isn't here, or of which only the cluster is read, may have. Nested stacks mostly are for other things. */
function unreadCapacityOf({ cluster }: ClusterView): readonly LinuxCapacity[] {
  return (cluster?.otherInstallers ?? [])
    .filter((reason) => /^module\..* isn't here$/.test(reason))
    .map((doubt) => ({ when: always, doubt }));
}

/** The same without the cluster's own Fargate profiles. */
export function nodeCapacityOf(view: ClusterView, model: EksModel): readonly LinuxCapacity[] {
  return [
    ...[...view.nodeGroups, ...view.selfManagedNodeGroups].flatMap((group) => capacityOfGroup(group, view)),
    ...autoMode(view),
    ...karpenterCapacityOf(view),
    ...outsideCapacityOf(view, model),
  ];
}

function capacityOfGroup(group: AnyNodeGroup, view: ClusterView): readonly LinuxCapacity[] {
  return casesOf(group, { family: amiFamilyOf(group, view) }).flatMap(
    ({ when, values: { family } }): readonly LinuxCapacity[] => {
      if (family.kind === 'known' && family.value === 'WINDOWS') return [];
      const both = group.exists.and(when);
      const doubt = family.kind === 'known' ? undefined : `the operating system of ${group.id} isn't known`;
      return both === undefined ? [] : [{ when: both, doubt }];
    },
  );
}

function autoMode({ cluster }: ClusterView): readonly LinuxCapacity[] {
  if (cluster === undefined) return [];
  return alternativesOf(cluster.autoMode).flatMap(({ when, value }): readonly LinuxCapacity[] => {
    if (value.kind === 'absent' || (value.kind === 'known' && !value.value)) return [];
    return [{ when, doubt: value.kind === 'known' ? undefined : "whether it has Auto Mode isn't known" }];
  });
}

/** Kinds of objects that only a cluster with Karpenter has, in the versions that are in use. */
const KARPENTER_KINDS: ReadonlySet<unknown> = new Set(['NodePool', 'Provisioner', 'EC2NodeClass', 'AWSNodeTemplate']);

/** Nodes that Karpenter starts, told by its chart or the objects that configure it; worked out once. */
export function karpenterCapacityOf(view: ClusterView): readonly LinuxCapacity[] {
  let found = ofKarpenter.get(view);
  if (found === undefined) ofKarpenter.set(view, (found = findKarpenterCapacity(view)));
  return found;
}

const ofKarpenter = new WeakMap<ClusterView, readonly LinuxCapacity[]>();

function findKarpenterCapacity({ helmReleases, manifests }: ClusterView): readonly LinuxCapacity[] {
  return [
    ...helmReleases.flatMap((release) =>
      alternativesOf(release.chart).flatMap(({ when, value }): readonly LinuxCapacity[] => {
        // A chart that comes as a file has no name.
        if (value.kind !== 'known') return present(release, when, `which chart ${release.id} installs isn't known`);
        return /(?:^|\/)karpenter(?:$|[-:@.])/.test(value.value) ? present(release, when, undefined) : [];
      }),
    ),
    ...manifests.flatMap((manifest) => {
      const kind = kindOf(manifest);
      if (kind instanceof Unknown) return present(manifest, always, `what ${manifest.id} applies isn't known`);
      return KARPENTER_KINDS.has(kind) && !isOfAutoMode(manifest) ? present(manifest, always, undefined) : [];
    }),
  ];
}

/** Auto Mode has node pools too, of the same kind: they name a node class of its own. */
function isOfAutoMode({ object }: KubernetesManifest): boolean {
  return dataAt(object, 'spec', 'template', 'spec', 'nodeClassRef', 'group') === 'eks.amazonaws.com';
}

function kindOf({ object }: KubernetesManifest): unknown {
  return dataAt(object, 'kind');
}

function present({ exists }: Resource, when: When, doubt: string | undefined): readonly LinuxCapacity[] {
  const both = exists.and(when);
  return both === undefined ? [] : [{ when: both, doubt }];
}

/** Groups and profiles whose cluster can't be told may be of this one. */
export function outsideCapacityOf({ cluster }: ClusterView, model: EksModel): readonly LinuxCapacity[] {
  const orphans = orphansOf(model);
  if (cluster === undefined || orphans.length === 0) return [];
  const isNamed = isCertain(cluster.name);
  return orphans.flatMap(({ named, capacity }) => (isNamed && named ? [] : capacity));
}

interface Orphan {
  /** It says which cluster it is of, by a name that no cluster of the input is known to have. */
  readonly named: boolean;
  readonly capacity: readonly LinuxCapacity[];
}

function orphansOf(model: EksModel): readonly Orphan[] {
  let found = orphans.get(model);
  if (found === undefined) {
    found = model.clusterViews.flatMap((view): readonly Orphan[] => {
      if (view.cluster !== undefined) return [];
      return [...view.nodeGroups, ...view.selfManagedNodeGroups, ...view.fargateProfiles].map((part) => {
        const capacity = part.kind === 'fargate-profile' ? [{ when: part.exists }] : capacityOfGroup(part, view);
        return {
          named: isCertain(part.cluster),
          capacity: capacity.map(({ when }) => ({ when, doubt: `which cluster ${part.id} belongs to isn't known` })),
        };
      });
    });
    orphans.set(model, found);
  }
  return found;
}

const orphans = new WeakMap<EksModel, readonly Orphan[]>();

function isCertain(value: Value<unknown>): boolean {
  return alternativesOf(value).every((alternative) => alternative.value.kind === 'known');
}
