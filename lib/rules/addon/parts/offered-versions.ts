import {
  addonTableAsOf,
  addonVersions,
  compareVersions,
  defaultAddonVersion,
  knownAddons,
  newestAddonVersion,
  parseMinor,
  parseVersion,
} from '../../../knowledge';
import { supportOf } from '../../parts/version-support';

/*
 * What the table of add-on versions says, and what it can't say: EKS publishes builds of old lines after its day, and takes versions away in time.
 * Source: EKS API, DescribeAddonVersions.
 */

/** CNI v1.16.0 and v1.16.1 don't work with container runtimes of Kubernetes 1.23 and older. */
export function isBeforeCniSpec(addon: string, version: string, minor: string | undefined): boolean {
  const parsed = parseVersion(version);
  const cluster = minor === undefined ? undefined : parseMinor(minor);
  if (addon !== 'vpc-cni' || parsed === undefined || cluster === undefined) return false;
  return parsed.major === 1 && parsed.minor === 16 && parsed.patch <= 1 && cluster <= 23;
}

/**
 * What a version is that the table doesn't have. EKS goes on publishing builds of old lines, so only a version that
 * the table's own line has overtaken is certain not to be offered.
 */
export function standingOf(addon: string, version: string): 'malformed' | 'gap' | 'newer' {
  const parsed = parseVersion(version);
  if (parsed === undefined) return 'malformed';
  const listed = addonVersions(addon);
  const [newest] = listed;
  if (newest === undefined || compareVersions(version, newest.version) > 0) return 'newer';
  if (parsed.build === undefined) return 'malformed';
  const overtaken = listed.some((one) => {
    const other = parseVersion(one.version);
    return other?.major === parsed.major && other.minor === parsed.minor && compareVersions(one.version, version) > 0;
  });
  if (!overtaken) return 'newer';
  const sameRelease = listed
    .map((one) => parseVersion(one.version))
    .filter((other) => other?.major === parsed.major && other.minor === parsed.minor && other.patch === parsed.patch);
  const { build } = parsed;
  return sameRelease.length > 0 && sameRelease.every((other) => (other?.build ?? 0) < build) ? 'newer' : 'gap';
}

export function isInTable(addon: string, minor: string): boolean {
  return addonVersions(addon).some((version) => version.clusterMinors.includes(minor));
}

/** EKS takes versions of add-ons away in time, so for a Kubernetes version that it no longer supports the table only has what is left. */
export function isRetired(minor: string, today: string): boolean {
  return supportOf(minor, today).kind === 'ended';
}

/** Whether EKS supports none of a version's Kubernetes versions, but others that the table has: an add-on's newest versions may come to fit what is newer than the table. */
export function isOutlived(addon: string, minors: readonly string[], today: string): boolean {
  const isSupported = (minor: string): boolean => !isRetired(minor, today);
  return !minors.some(isSupported) && addonVersions(addon).some(({ clusterMinors }) => clusterMinors.some(isSupported));
}

export function retiredReason(addon: string, version: string, minor: string): string {
  return `EKS supports Kubernetes ${minor} no longer, and the version table of ${addonTableAsOf()} may lack what it offered for it (${addon} ${version})`;
}

export function rangeOf(minors: readonly string[]): string {
  const first = minors[0] ?? '';
  const last = minors.at(-1) ?? '';
  return first === last ? first : `${first} to ${last}`;
}

/** What EKS installs by default on a cluster, which has been out longest among the current versions; undefined if the table has nothing for its Kubernetes version. */
export function offeredFor(addon: string, minor: string): string | undefined {
  return knownAddons().includes(addon)
    ? (defaultAddonVersion(addon, minor) ?? newestAddonVersion(addon, minor))
    : undefined;
}

/** A version to propose, at least as an example of one. */
export function suggestionFor(addon: string, minor: string | undefined): string {
  const fitting = minor === undefined ? undefined : offeredFor(addon, minor);
  return (
    fitting ??
    addonVersions(addon).find((version) => version.defaultFor.length > 0)?.version ??
    addonVersions(addon)[0]?.version ??
    ''
  );
}
