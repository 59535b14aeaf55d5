import { AL2023_BY_DEFAULT } from '../../knowledge/ami-types';
import { parseMinor } from '../../knowledge/versions';
import { userDataFamily } from '../user-data/detect-bootstrap';
import { whereExists } from '../model/existence';
import type { ClusterView, EksModel } from '../model/model';
import { resourceName } from '../model/resource-name';
import type { Reference } from '../model/reference';
import type { AmiFamily, Image, LaunchTemplate, NodeGroup, Role, SelfManagedNodeGroup } from '../model/resources';
import {
  Absent,
  always,
  alternativesOf,
  Choice,
  choose,
  fewerAssumptions,
  flatMapValue,
  Known,
  Unknown,
  type Alternative,
  type Plain,
  type Value,
  type When,
} from '../../value';

/**
 * What follows from a node group, its launch template and its cluster together. Facts only: what is right or
 * wrong about them is for the rules to say.
 */

/** A group of nodes, whoever manages it. */
export type AnyNodeGroup = NodeGroup | SelfManagedNodeGroup;

/**
 * The Kubernetes version that the nodes of a group run: the group's own if it is written, else its cluster's.
 * Unknown if the cluster isn't part of the input or doesn't declare a version. Versions that the cluster has only
 * where there is no such group are left out.
 */
export function kubernetesVersionOf(nodeGroup: AnyNodeGroup, view: ClusterView): Value<string> {
  const declared = nodeGroup.kind === 'node-group' ? nodeGroup.version : new Absent(nodeGroup.source);
  // Nearly every group: nothing of its own, and a cluster that says it plainly.
  if (declared.kind === 'absent' && view.cluster?.version.kind === 'known') return view.cluster.version;
  const version = flatMapValue(declared, (own): Value<string> => {
    if (own.kind !== 'absent') return own;
    const { cluster } = view;
    if (cluster === undefined) {
      const hints = nodeGroup.cluster.kind === 'unknown' ? nodeGroup.cluster.hints : undefined;
      const reason = `cluster ${view.name} is not part of the input`;
      return new Unknown(reason, own.source, undefined, undefined, undefined, hints);
    }
    return flatMapValue(cluster.version, (version) =>
      version.kind === 'absent'
        ? new Unknown(`cluster ${resourceName(cluster)} declares no Kubernetes version`, version.source)
        : version,
    );
  });
  return whereExists(nodeGroup, version);
}

/**
 * The launch template of a group: absent when the group names none, unknown when the input doesn't hold it.
 * Its source is the place where the group names it.
 */
export function launchTemplateOf(nodeGroup: AnyNodeGroup): Value<LaunchTemplate> {
  return (factsOf(nodeGroup).launchTemplate ??= whereExists(nodeGroup, readLaunchTemplate(nodeGroup)));
}

/** What several rules ask of a node group, worked out once. A group belongs to one view only, so the view needn't be part of the key. */
interface NodeGroupFacts {
  launchTemplate: Value<LaunchTemplate> | undefined;
  amiFamily: Value<AmiFamily> | undefined;
}

const facts = new WeakMap<AnyNodeGroup, NodeGroupFacts>();

function factsOf(nodeGroup: AnyNodeGroup): NodeGroupFacts {
  let known = facts.get(nodeGroup);
  if (known === undefined) {
    known = { launchTemplate: undefined, amiFamily: undefined };
    facts.set(nodeGroup, known);
  }
  return known;
}

function readLaunchTemplate(nodeGroup: AnyNodeGroup): Value<LaunchTemplate> {
  return flatMapValue(nodeGroup.launchTemplate, (use): Value<LaunchTemplate> => {
    if (use.kind !== 'known') return use;
    const { template, source } = use.value;
    if (template.target !== undefined) return new Known(template.target, source);
    return new Unknown(
      template.unknown ?? template.ambiguous ?? `launch template ${template.text} is not part of the input`,
      source,
      template.text,
    );
  });
}

/** The role that the nodes of a group run with. Absent where nothing tells: of nodes that EKS doesn't manage, the instance profile has it. */
export function nodeRoleOf(nodeGroup: AnyNodeGroup): Value<Reference<Role>> {
  if (nodeGroup.kind === 'node-group') return nodeGroup.nodeRole;
  return flatMapValue(launchTemplateOf(nodeGroup), (template): Value<Reference<Role>> => {
    if (template.kind !== 'known') return template;
    return template.value.instanceRole ?? new Absent(template.source);
  });
}

/** The AMI that a group's launch template sets: absent when EKS chooses it, unknown when the template can't be seen. */
export function imageOf(nodeGroup: AnyNodeGroup): Value<Image> {
  return flatMapValue(launchTemplateOf(nodeGroup), (template) =>
    template.kind === 'known' ? template.value.imageId : template,
  );
}

/**
 * The instance types that a group may start: its own list, else the one type of its launch template. Absent when
 * neither says anything; EKS then takes `t3.medium` for a managed group. An empty list counts as absent.
 * @param listed the group's own list, for a caller that has read it already
 */
export function instanceTypesOf(
  nodeGroup: AnyNodeGroup,
  listed = nodeGroup.instanceTypes,
): Value<readonly Value<string>[]> {
  return flatMapValue(listed, (own): Value<readonly Value<string>[]> => {
    if (own.kind === 'unknown' || (own.kind === 'known' && own.value.length > 0)) return own;
    return flatMapValue(launchTemplateOf(nodeGroup), (template): Value<readonly Value<string>[]> => {
      if (template.kind === 'unknown') return template;
      if (template.kind === 'absent') return new Absent(own.source);
      return flatMapValue(template.value.instanceType, (one): Value<readonly Value<string>[]> => {
        if (one.kind === 'absent') return new Absent(own.source);
        return new Known([one], one.source);
      });
    });
  });
}

/** Why the launch template of a group isn't known where one is there, without id and name. */
export const NAMES_NO_TEMPLATE = 'it names no launch template';

/**
 * The operating system of a group's nodes. The AMI type tells it; without one, the launch template's AMI (by the
 * SSM path or name that it is looked up by) or the format of the user data; with neither AMI type nor AMI it is
 * EKS's default: AL2023, unless the Kubernetes version of the group, or of its cluster, is known to be below 1.30. Where a file
 * that isn't read, or the release version, says that it may be, the family is unknown.
 */
export function amiFamilyOf(nodeGroup: AnyNodeGroup, view: ClusterView): Value<AmiFamily> {
  return (factsOf(nodeGroup).amiFamily ??=
    nodeGroup.kind === 'node-group' ? readAmiFamily(nodeGroup, view) : selfManagedFamily(nodeGroup));
}

function selfManagedFamily(nodeGroup: SelfManagedNodeGroup): Value<AmiFamily> {
  const { nodeClass } = nodeGroup;
  if (nodeClass?.isMerged === true) return collapse(whereExists(nodeGroup, nodeClass.family));
  const family = flatMapValue(launchTemplateOf(nodeGroup), (template): Value<AmiFamily> => {
    if (template.kind === 'unknown') return new Unknown(template.reason, template.source);
    if (template.kind === 'absent') return new Unknown(NAMES_NO_TEMPLATE, template.source);
    return flatMapValue(
      template.value.imageId,
      (image): Value<AmiFamily> =>
        image.kind === 'absent'
          ? new Unknown('its launch template names no AMI', image.source)
          : familyOfOwnImage(image, template.value),
    );
  });
  return collapse(whereExists(nodeGroup, family));
}

function readAmiFamily(nodeGroup: NodeGroup, view: ClusterView): Value<AmiFamily> {
  const family = flatMapValue(nodeGroup.amiType, (amiType): Value<AmiFamily> => {
    if (amiType.kind === 'unknown') return new Unknown(amiType.reason, amiType.source);
    if (amiType.kind === 'known' && amiType.value !== 'CUSTOM') {
      const named = familyOfAmiType(amiType.value);
      if (named === undefined) return new Unknown(`AMI type ${amiType.value} tells no family`, amiType.source);
      return new Known(named, amiType.source, `AMI type ${amiType.value}`);
    }
    return flatMapValue(launchTemplateOf(nodeGroup), (template): Value<AmiFamily> => {
      if (template.kind === 'unknown') return new Unknown(template.reason, template.source);
      const image = template.kind === 'known' ? template.value.imageId : template;
      return flatMapValue(image, (plain): Value<AmiFamily> => {
        if (plain.kind !== 'absent' && template.kind === 'known') return familyOfOwnImage(plain, template.value);
        if (amiType.kind === 'known')
          return new Unknown('its AMI type is CUSTOM, and no launch template names the AMI', amiType.source);
        return defaultFamily(nodeGroup, view, amiType);
      });
    });
  });
  return collapse(whereExists(nodeGroup, family));
}

/**
 * The family in an AMI type's name; `undefined` for `CUSTOM` and for names that follow no known pattern.
 * @internal tests ask it for every AMI type
 */
export function familyOfAmiType(amiType: string): AmiFamily | undefined {
  const [, prefix] = /^(AL2|AL2023|BOTTLEROCKET|WINDOWS)_/.exec(amiType) ?? [];
  return prefix as AmiFamily | undefined;
}

function familyOfOwnImage(image: Known<Image> | Unknown, template: LaunchTemplate): Value<AmiFamily> {
  if (image.kind === 'known' && image.value.family !== undefined)
    return new Known(image.value.family, image.source, `AMI ${image.value.text}`);
  const text = image.kind === 'known' ? image.value.text : image.text;
  return flatMapValue(template.userData, (userData): Value<AmiFamily> => {
    const family = userData.kind === 'known' ? userDataFamily(userData.value.text) : undefined;
    if (family !== undefined) return new Known(family, image.source, 'the bootstrap in the user data');
    const called = text === undefined ? `the AMI of launch template ${resourceName(template)}` : `AMI ${text}`;
    return new Unknown(`the operating system of ${called} can't be told`, image.source);
  });
}

/**
 * The family without AMI type and AMI: EKS's default for the Kubernetes version. A release version doesn't choose it: those of all families
 * look alike. Where the default can only be guessed, a release that is looked up for another family is a doubt.
 */
function defaultFamily(nodeGroup: NodeGroup, view: ClusterView, amiType: Absent | Known<string>): Value<AmiFamily> {
  return flatMapValue(kubernetesVersionOf(nodeGroup, view), (version): Value<AmiFamily> => {
    if (version.kind === 'known') return new Known(defaultOf(version), amiType.source, noteOf(version));
    // Nodes are never newer than the control plane.
    return flatMapValue(view.cluster?.version ?? version, (newest): Value<AmiFamily> => {
      const family = defaultOf(newest);
      if (family === 'AL2') return new Known(family, amiType.source, noteOf(newest));
      const doubt = doubtOfDefault(version) ?? doubtOfDefault(newest) ?? doubtOfCandidates(view);
      if (doubt !== undefined) return new Unknown(doubt, amiType.source);
      return flatMapValue(nodeGroup.releaseImage, (release): Value<AmiFamily> => {
        const other = release.kind === 'known' && release.value.family !== family ? release.value.family : undefined;
        if (release.kind !== 'known' || other === undefined)
          return new Known(family, amiType.source, 'the default of EKS');
        return new Unknown(
          `it names no AMI type, and its release version is that of ${amiFamilyName(other)} nodes (${release.value.text})`,
          amiType.source,
        );
      });
    });
  });
}

function defaultOf(version: Plain<string>): AmiFamily {
  return version.kind === 'known' && hasAl2(version.value) ? 'AL2' : 'AL2023';
}

function hasAl2(version: string): boolean {
  const minor = parseMinor(version);
  return minor !== undefined && minor < AL2023_BY_DEFAULT;
}

/** Why the default of EKS may be Amazon Linux 2: the Kubernetes version isn't known, and a file that wasn't read says one below 1.30. */
export function doubtOfDefault(version: Plain<string>): string | undefined {
  const old = version.kind === 'unknown' ? version.hints.values.find(({ value }) => hasAl2(String(value))) : undefined;
  return old === undefined
    ? undefined
    : `the default of EKS depends on the Kubernetes version, and ${old.note ?? 'a file'}, which wasn't read, says ${String(old.value)}`;
}

/** Why a group of a cluster that isn't known may have another default: all clusters that it may be are old. */
function doubtOfCandidates({ candidates }: ClusterView): string | undefined {
  const [first] = candidates;
  const areOld = candidates.every((cluster) =>
    alternativesOf(whereExists(cluster, cluster.version)).every(
      ({ value }) => value.kind === 'known' && hasAl2(value.value),
    ),
  );
  return first === undefined || !areOld
    ? undefined
    : `the default of EKS depends on the Kubernetes version, and cluster ${resourceName(first)}, which may be its own, is older than 1.${AL2023_BY_DEFAULT}`;
}

function noteOf(version: Plain<string>): string {
  const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
  return minor === undefined ? 'the default of EKS' : `the default of EKS for Kubernetes 1.${minor}`;
}

const FAMILY_NAMES: Readonly<Record<AmiFamily, string>> = {
  AL2: 'AL2',
  AL2023: 'AL2023',
  BOTTLEROCKET: 'Bottlerocket',
  WINDOWS: 'Windows',
};

/** An AMI family as messages call it. */
export function amiFamilyName(family: AmiFamily): string {
  return FAMILY_NAMES[family];
}

/** One known value if every alternative leads to it: then it depends on no condition at all. Else each known value under as few conditions as possible. */
function collapse<T>(value: Value<T>): Value<T> {
  if (value.kind !== 'choice') return value;
  const [first, ...others] = value.alternatives;
  if (first?.value.kind !== 'known') return value;
  const { value: known, source, note } = first.value;
  let sameNote = true;
  for (const { value: other } of others) {
    if (other.kind !== 'known' || other.value !== known) return withFewerConditions(value.alternatives);
    sameNote &&= other.note === note;
  }
  return sameNote ? first.value : new Known(known, source);
}

function withFewerConditions<T>(alternatives: readonly Alternative<T>[]): Value<T> {
  const alike = new Map<string, [Alternative<T>, ...Alternative<T>[]]>();
  const others: Alternative<T>[] = [];
  for (const one of alternatives) {
    const { value } = one;
    const key = value.kind === 'known' ? JSON.stringify([value.value, value.note]) : undefined;
    const same = key === undefined ? undefined : alike.get(key);
    if (key === undefined) others.push(one);
    else if (same === undefined) alike.set(key, [one]);
    else same.push(one);
  }
  const known = [...alike.values()].flatMap((same) => {
    const fewer = fewerAssumptions(
      same.map(({ when }) => when),
      always,
    );
    return fewer.length === same.length ? same : fewer.map((when) => ({ ...same[0], when }));
  });
  return new Choice([...known, ...others]);
}

/** One way in which a group may start its nodes. */
export interface Launch<G extends AnyNodeGroup = NodeGroup> {
  readonly nodeGroup: G;
  readonly view: ClusterView;
  /** Absent: the group has no launch template. Unknown: it has one, which the input doesn't hold. */
  readonly template: Plain<LaunchTemplate>;
  /** The assumption under which the group, where it exists, starts its nodes so. */
  readonly when: When;
}

/**
 * Every managed node group with every launch template that it may use, in the order of the input.
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function launchesOf(model: EksModel): readonly Launch[] {
  return model.nodeGroups.flatMap((nodeGroup) => launchesOfGroup(nodeGroup, model.viewOf(nodeGroup)));
}

/** Every launch template that a group may use, each with the assumption under which it does. */
export function launchesOfGroup<G extends AnyNodeGroup>(nodeGroup: G, view: ClusterView): readonly Launch<G>[] {
  const template = launchTemplateOf(nodeGroup);
  if (template.kind !== 'choice') return [{ nodeGroup, view, template, when: always }];
  return template.alternatives.map(({ value, when }) => ({ nodeGroup, view, template: value, when }));
}

/** What starts nodes in a certain way: a launch template, or a node group that has none, or none that can be seen. */
export interface LaunchUser<L extends Launch<AnyNodeGroup> = Launch> {
  readonly resource: LaunchTemplate | AnyNodeGroup;
  readonly launches: readonly L[];
}

/** The launches by the resource that decides how the nodes start, each where it is first used. */
export function launchesByResource(model: EksModel): readonly LaunchUser[] {
  let users = launchUsers.get(model);
  if (users === undefined) {
    users = groupLaunches(launchesOf(model));
    launchUsers.set(model, users);
  }
  return users;
}

const launchUsers = new WeakMap<EksModel, readonly LaunchUser[]>();

export function groupLaunches<L extends Launch<AnyNodeGroup>>(launches: readonly L[]): LaunchUser<L>[] {
  const byResource = new Map<LaunchTemplate | AnyNodeGroup, L[]>();
  for (const launch of launches) {
    const resource = launch.template.kind === 'known' ? launch.template.value : launch.nodeGroup;
    const list = byResource.get(resource);
    if (list === undefined) byResource.set(resource, [launch]);
    else list.push(launch);
  }
  return Array.from(byResource, ([resource, list]) => ({ resource, launches: list }));
}

/** A value under an assumption that was made before: contradictory alternatives drop out. */
export function under<T>(when: When, value: Value<T>): Value<T> {
  if (when === always) return value;
  return choose(
    alternativesOf(value).flatMap((alternative) => {
      const both = when.and(alternative.when);
      return both === undefined ? [] : [{ when: both, value: alternative.value }];
    }),
  );
}
