import { resourceName, type ChangeBeside } from '../../../engine';
import {
  alternativesOf,
  always,
  clusterCoordinates,
  launchesOfGroup,
  launchTemplateOf,
  whereExists,
  type Addon,
  type Cluster,
  type ClusterView,
  type EksModel,
  type Image,
  Known,
  type LaunchTemplate,
  type NodeBoot,
  type NodeGroup,
  type Source,
  type Value,
} from '../../../eks';
import {
  addonVersion,
  AL2023_BY_DEFAULT,
  amiType,
  kubernetesMinors,
  LAST_AL2,
  parseMinor,
  parseVersion,
} from '../../../knowledge';
import { inWords } from '../../../text/in-words';
import { offeredFor } from '../../addon/parts/offered-versions';
import { al2023InPlaceOf } from './amazon-linux-2-image';
import { movedImage } from './moved-image';
import { amiTypesBeside } from './moved-to-al2023';
import { structureBeside } from './structure-beside';
import { suggestion } from './suggested-ami-type';

/* Versions that follow that of the cluster: EKS updates none of them with it, and doesn't offer every version of an add-on for every cluster. */

/** A newer version of a cluster, where a fix is about something else, and what changes with it. Nothing where the version depends on conditions. */
export function raisedVersion(view: ClusterView, cluster: Cluster, target: string): readonly ChangeBeside[] {
  const { version } = cluster;
  if (version.kind !== 'known') return [];
  const code = {
    cloudformation: `Version: '${target}' # in the end; one minor version at a time`,
    'aws-cdk': `version: eks.KubernetesVersion.of('${target}'), // in the end; one minor version at a time`,
    terraform: `version = "${target}" # in the end; one minor version at a time`,
  };
  return [{ resource: cluster, source: version.source, code }, ...versionsBeside(view, cluster, target)];
}

/** What changes with the version of a cluster: pinned add-ons that aren't offered for it, kube-proxy, groups that name a version, and AMIs of one. */
export function versionsBeside(view: ClusterView, cluster: Cluster, target: string): readonly ChangeBeside[] {
  const { addons, nodeGroups, selfManagedNodeGroups } = view;
  const own = cluster.version;
  const images = new Map(
    [...nodeGroups, ...selfManagedNodeGroups]
      .flatMap((group): readonly NodeBoot[] => launchesOfGroup(group, view))
      .flatMap((boot) => imageBeside(boot, own, target)),
  );
  return [
    // Lines of one file change from below, so that the others stay where they are.
    ...sharedLinesOnce(
      [...images.values()].toSorted((one, other) => (other.linesToo?.first ?? 0) - (one.linesToo?.first ?? 0)),
    ),
    ...addons.flatMap((addon) => addonBeside(addon, own, target)),
    ...nodeGroups.flatMap((group) => groupBeside(group, own, target)),
    ...systemsBeside(view, own, target),
  ];
}

/** Lines of user data that several launch templates have, once, in front of what each of these changes. */
function sharedLinesOnce(changes: readonly ChangeBeside[]): readonly ChangeBeside[] {
  const placeOf = ({ linesToo }: ChangeBeside): string | undefined =>
    linesToo === undefined || linesToo.isInValue === true ? undefined : JSON.stringify(linesToo);
  const counts = new Map<string, number>();
  for (const place of changes.flatMap((one) => placeOf(one) ?? [])) counts.set(place, (counts.get(place) ?? 0) + 1);
  const told = new Set<string>();
  return changes.flatMap((change): readonly ChangeBeside[] => {
    const place = placeOf(change);
    if (place === undefined || (counts.get(place) ?? 0) < 2) return [change];
    const { linesToo, ...alone } = change;
    if (told.has(place)) return [alone];
    told.add(place);
    return [{ ...alone, code: {}, linesToo }, alone];
  });
}

/** The same of other clusters whose version stands where that of a cluster does, and changes with it. */
export function versionsOfSharers(model: EksModel, cluster: Cluster, target: string): readonly ChangeBeside[] {
  const { version, stack } = cluster;
  if (version.kind !== 'known') return [];
  return model.clusters.flatMap((other) =>
    other !== cluster &&
    other.stack === stack &&
    other.version.kind === 'known' &&
    isSamePlace(other.version.source, version.source)
      ? versionsBeside(model.viewOf(other), other, target)
      : [],
  );
}

function addonBeside(addon: Addon, ofCluster: Value<string>, target: string): readonly ChangeBeside[] {
  const { name, version, isImplied } = addon;
  if (isImplied === true || name.kind !== 'known' || version.kind !== 'known') return [];
  if (fits(name.value, version.value, target) || !isOwn(version, ofCluster)) return [];
  const to = offeredFor(name.value, target);
  if (to === undefined) return [];
  return [
    {
      resource: addon,
      source: version.source,
      code: {
        cloudformation: `AddonVersion: ${to}`,
        'aws-cdk': `addonVersion: '${to}',`,
        terraform: `addon_version = "${to}"`,
      },
    },
  ];
}

/** Whether a version of an add-on may stay. A kube-proxy is of the version of its cluster, though EKS offers it for later ones. */
function fits(addon: string, version: string, target: string): boolean {
  return addon === 'kube-proxy'
    ? parseVersion(version)?.minor === parseMinor(target)
    : // What the table doesn't have may be newer.
      addonVersion(addon, version)?.clusterMinors.includes(target) !== false;
}

function groupBeside(group: NodeGroup, ofCluster: Value<string>, target: string): readonly ChangeBeside[] {
  const { version } = group;
  if (version.kind !== 'known' || version.value === target || !isMinor(version.value)) return [];
  if (!isOwn(version, ofCluster)) return [];
  return [
    {
      resource: group,
      source: version.source,
      code: {
        cloudformation: `Version: '${target}'`,
        'aws-cdk': `version: '${target}',`,
        terraform: `version = "${target}"`,
      },
    },
  ];
}

/** Launch templates of more groups than these would bury the version: words tell of them. */
const MOST_GROUPS = 3;

/** More groups may change by so many lines, such as those that have their launch templates already. */
const MOST_LINES = 40;

/** Groups that can't stay with AL2. */
function systemsBeside(view: ClusterView, ofCluster: Value<string>, target: string): readonly ChangeBeside[] {
  const leaving = view.nodeGroups.filter((group) => hasToLeaveAl2(group, ofCluster, target));
  const types = typesOf(leaving);
  return types === undefined ? [] : [...types, ...structureBeside(leaving, view)];
}

/** What becomes of groups that leave AL2; undefined where it is too much to be shown. */
function typesOf(leaving: readonly NodeGroup[]): readonly ChangeBeside[] | undefined {
  const types = amiTypesBeside(
    leaving.map((group) => {
      const type = group.amiType.kind === 'known' ? amiType(group.amiType.value) : undefined;
      return [group, suggestion(group, type, always).suggested];
    }),
  );
  const lines = types.flatMap(({ resource, code }) => {
    const shown = resource.dialect.fixes.codes.map((name) => code[name]).find((one) => one !== undefined);
    return shown?.split('\n') ?? [];
  });
  return blocksOf(leaving).size > MOST_GROUPS && lines.length > MOST_LINES ? undefined : types;
}

/** What a summary says of groups that can't stay with AL2 where they are too many for code; nothing else. */
export function manyGroupsBeside({ nodeGroups }: ClusterView, { version }: Cluster, target: string): string {
  const leaving = nodeGroups.filter((group) => hasToLeaveAl2(group, version, target));
  if (typesOf(leaving) !== undefined) return '';
  const names = leaving.map((group) => `"${resourceName(group)}"`);
  return ` Node groups ${inWords(names, MOST_GROUPS)} can't stay with Amazon Linux 2: \`eks-guardrails check --only ami-type-kubernetes-version --verbose\` prints what each becomes, which goes with this change.`;
}

/** The blocks that make groups: those of a loop are one. */
function blocksOf(groups: readonly NodeGroup[]): ReadonlySet<string> {
  return new Set(groups.map(({ id }) => id.replace(/\[[^[\]]*\]$/, '')));
}

/** Whether a group has AL2, by its AMI type or by the default of EKS, which ends with Kubernetes 1.32 and is no default from 1.30 on. */
function hasToLeaveAl2(group: NodeGroup, ofCluster: Value<string>, target: string): boolean {
  const { amiType: own } = group;
  const minor = minorOf(ofCluster);
  // From 1.33 on it is wrong already, which a finding of its own tells.
  if ((minor ?? 0) > LAST_AL2 || (parseMinor(target) ?? 0) <= LAST_AL2) return false;
  if (own.kind === 'known') return amiType(own.value)?.family === 'AL2';
  const isByDefault = alternativesOf(launchTemplateOf(group)).every(
    ({ value }) => value.kind === 'absent' || (value.kind === 'known' && value.value.imageId.kind === 'absent'),
  );
  return own.kind === 'absent' && isByDefault && (minor ?? AL2023_BY_DEFAULT) < AL2023_BY_DEFAULT;
}

/** The AMI of a launch template, where it is one of AWS for another version; of AL2 there is none for versions from 1.33 on. */
function imageBeside(
  boot: NodeBoot,
  ofCluster: Value<string>,
  target: string,
): readonly (readonly [template: LaunchTemplate, change: ChangeBeside])[] {
  const { nodeGroup, template, when } = boot;
  const image = template.kind === 'known' ? whereExists(nodeGroup, template.value.imageId) : undefined;
  if (template.kind !== 'known' || image?.kind !== 'known' || image.value.isPublished !== true) return [];
  const { family, text, versionFrom, kubernetesVersion, architecture = 'x86_64', ...rest } = image.value;
  const isPinned = versionFrom === undefined || isOwn(versionFrom, ofCluster);
  const isEnding = family === 'AL2' && (parseMinor(target) ?? 0) > LAST_AL2;
  const isByFamily = isEnding && OF_EKSCTL.test(text) && (minorOf(ofCluster) ?? 0) <= LAST_AL2;
  if (isByFamily) {
    const code = { eksctl: 'amiFamily: AmazonLinux2023' };
    return [[template.value, { resource: template.value, source: image.source, code }]];
  }
  // That of a cluster which names no version follows it.
  const isOpen = kubernetesVersion === undefined && ofCluster.kind === 'absent' && isEnding;
  if (!isOpen && (kubernetesVersion === undefined || kubernetesVersion === target || !(isPinned || isEnding)))
    return [];
  const path = isEnding
    ? al2023InPlaceOf(text, target, architecture, boot)
    : text.replace(`/${kubernetesVersion ?? ''}/`, `/${target}/`);
  if (!path.startsWith('/aws/service/')) return [];
  const version = isOpen ? versionOfClusterIn(boot, target) : isPinned ? {} : { versionFrom };
  const value = { ...rest, ...version, family, text, architecture, kubernetesVersion: target };
  const { data, linesToo } = movedImage(boot, { value, source: image.source }, path, when, true);
  const code = { cloudformation: data.imageInTemplate, terraform: data.imageInTerraform };
  // Lines that others have, too, say nothing without it.
  if ((template.value.dialect.name === 'terraform' ? code.terraform : code.cloudformation) === '') return [];
  return [[template.value, { resource: template.value, source: image.source, code, linesToo }]];
}

/** The AMI of a self-managed group of eksctl, which a family stands for. */
const OF_EKSCTL = / that eksctl looks up$/;

function minorOf(version: Value<string>): number | undefined {
  return version.kind === 'known' ? parseMinor(version.value) : undefined;
}

/** The version that a launch template takes from its cluster, where that has a name there. */
function versionOfClusterIn({ template, view }: NodeBoot, target: string): Pick<Image, 'versionFrom'> {
  const name = template.kind === 'known' ? clusterCoordinates(view.cluster, template.value)?.name : undefined;
  const address = /^\$\{(aws_eks_cluster\..+)\.name\}$/.exec(name ?? '')?.[1];
  if (address === undefined || view.cluster === undefined) return {};
  const { source } = view.cluster;
  return { versionFrom: new Known(target, { locate: () => source.locate(), expression: `${address}.version` }) };
}

function isMinor(version: string): boolean {
  return kubernetesMinors().some((one) => one.version === version);
}

/** Whether a version is written by itself: what refers to that of the cluster, or stands at the same place, changes with it. */
function isOwn(version: Value<string>, ofCluster: Value<string>): version is Known<string> {
  if (version.kind !== 'known') return false;
  const { expression, decided } = version.source;
  return (
    (expression === undefined || decided !== undefined) &&
    (ofCluster.kind !== 'known' || !isSamePlace(version.source, ofCluster.source))
  );
}

function isSamePlace(one: Source, other: Source): boolean {
  const a = (one.decided?.at ?? one).locate();
  const b = (other.decided?.at ?? other).locate();
  if (a.file !== b.file || a.line !== b.line || a.column !== b.column) return false;
  // What never was a file has all its places at the begin: there, what nothing else decides stands at its own resource.
  return a.line > 1 || a.column > 1 || (one.decided !== undefined && a.property === b.property);
}
