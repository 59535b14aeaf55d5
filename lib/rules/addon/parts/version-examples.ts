import { addonVersion, knownAddons, newestAddonVersion } from '../../../knowledge';
import type { AddonVersionLookup, Known, Plain, Unknown } from '../../../eks';
import { newestSupported, oldestSupported } from '../../parts/version-support';
import { isRetired, offeredFor, rangeOf, suggestionFor } from './offered-versions';

/* Versions that messages propose. */

/** Code with a hole isn't shown. */
export function exampleOf(suggestion: string | undefined): { readonly example: string; readonly suggestion: string } {
  return suggestion === undefined
    ? { example: '', suggestion: '<version>' }
    : { example: `, for instance \`${suggestion}\``, suggestion };
}

/** What a lookup gave on the day of the table, or for the version to which EKS has updated the cluster since. */
export function newestKnown(
  addon: string | undefined,
  lookup: Known<AddonVersionLookup> | Unknown,
  clusterVersion: Plain<string> | undefined,
  today: string,
): string | undefined {
  if (addon === undefined || !knownAddons().includes(addon)) return undefined;
  if (clusterVersion?.kind !== 'known') return offeredForAll(addon, today);
  const minor = isRetired(clusterVersion.value, today) ? oldestSupported(today) : clusterVersion.value;
  if (minor === undefined) return undefined;
  const isNewest = lookup.kind === 'unknown' || lookup.value.wanted === 'newest';
  return isNewest ? newestAddonVersion(addon, minor) : offeredFor(addon, minor);
}

/** A version that EKS offers for whatever Kubernetes version it supports that day; undefined if there is none. */
function offeredForAll(addon: string, today: string): string | undefined {
  const version = suggestionFor(addon, undefined);
  const minors = addonVersion(addon, version)?.clusterMinors ?? [];
  const isForAll = [oldestSupported(today), newestSupported(today)].every(
    (minor) => minor !== undefined && minors.includes(minor),
  );
  return isForAll ? version : undefined;
}

/** Of a cluster whose version EKS no longer supports, it makes the oldest that it does. Source: EKS user guide, "Kubernetes versions", automatic upgrades. */
function exampleOfOldest(addon: string, today: string): ReturnType<typeof exampleOf> {
  const oldest = oldestSupported(today);
  const suggestion = oldest === undefined ? undefined : offeredFor(addon, oldest);
  const { example, ...code } = exampleOf(suggestion);
  return {
    ...code,
    example:
      suggestion === undefined
        ? ''
        : `${example}, of Kubernetes ${oldest}, the oldest version that EKS supports and to which it updates older clusters`,
  };
}

export function exampleOfCni(
  minor: string | undefined,
  current: string | undefined,
  today: string,
): ReturnType<typeof exampleOf> {
  if (minor === undefined) return openExample('vpc-cni');
  return current === undefined ? exampleOfOldest('vpc-cni', today) : exampleOf(offeredFor('vpc-cni', current));
}

/** For a cluster whose Kubernetes version isn't known. */
function openExample(addon: string): ReturnType<typeof exampleOf> {
  const suggestion = suggestionFor(addon, undefined);
  const minors = addonVersion(addon, suggestion)?.clusterMinors;
  const { example, ...code } = exampleOf(minors === undefined ? undefined : suggestion);
  return { ...code, example: minors === undefined ? '' : `${example} for Kubernetes ${rangeOf(minors)}` };
}
