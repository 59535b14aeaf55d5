import type { ChangeBeside } from '../../../engine';
import type { Addon, Cluster, ClusterView, Known, NodeGroup, Source, Value } from '../../../eks';
import { addonVersion, kubernetesMinors, parseMinor, parseVersion } from '../../../knowledge';
import { offeredFor } from '../../addon/parts/offered-versions';

/* Versions that follow that of the cluster: EKS updates none of them with it, and doesn't offer every version of an add-on for every cluster. */

/** A newer version of a cluster, where a fix is about something else, and what changes with it. Nothing where the version depends on conditions. */
export function raisedVersion(
  view: Pick<ClusterView, 'addons' | 'nodeGroups'>,
  cluster: Cluster,
  target: string,
): readonly ChangeBeside[] {
  const { version } = cluster;
  if (version.kind !== 'known') return [];
  const code = {
    cloudformation: `Version: '${target}' # in the end; one minor version at a time`,
    'aws-cdk': `version: eks.KubernetesVersion.of('${target}'), // in the end; one minor version at a time`,
    terraform: `version = "${target}" # in the end; one minor version at a time`,
  };
  return [{ resource: cluster, source: version.source, code }, ...versionsBeside(view, cluster, target)];
}

/** What changes with the version of a cluster: pinned add-ons that aren't offered for it, kube-proxy, and groups that name a version. */
export function versionsBeside(
  { addons, nodeGroups }: Pick<ClusterView, 'addons' | 'nodeGroups'>,
  cluster: Cluster,
  target: string,
): readonly ChangeBeside[] {
  const own = cluster.version;
  return [
    ...addons.flatMap((addon) => addonBeside(addon, own, target)),
    ...nodeGroups.flatMap((group) => groupBeside(group, own, target)),
  ];
}

function addonBeside(addon: Addon, ofCluster: Value<string>, target: string): readonly ChangeBeside[] {
  const { name, version, isImplied } = addon;
  if (isImplied === true || name.kind !== 'known' || !isOwn(version, ofCluster)) return [];
  const to = offeredFor(name.value, target);
  if (to === undefined || fits(name.value, version.value, target)) return [];
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
  if (!isOwn(version, ofCluster) || version.value === target || !isMinor(version.value)) return [];
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
