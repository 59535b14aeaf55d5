import { parseVersion } from '../../knowledge';
import { CniSettings } from '../networking/cni-settings';
import { alternativesOf, Unknown, type Plain, type Source, type When } from '../../value';
import { isAddon } from './addon';
import { isAwsNode, valuesOfAwsNode } from './aws-node-manifest';
import { cniAddons } from './cni';
import { casesOf } from '../model/existence';
import type { ClusterView } from '../model/model';
import { objectName, resourceName } from '../model/resource-name';
import type { Addon, AddonConfiguration, HelmRelease, KubernetesManifest } from '../model/resources';

/** What installs and configures the VPC CNI of a cluster, under one assumption. */
export interface CniCase {
  /** Where a fix of the configuration goes: the managed add-on, the release of the chart `aws-vpc-cni`, or the DaemonSet `aws-node` as a manifest. */
  readonly resource: Addon | HelmRelease | KubernetesManifest;
  /** Undefined for a Helm release or a manifest, which no schema of the EKS API guards and no update of EKS resets. */
  readonly addon: Addon | undefined;
  /** The add-on's version, `v1.19.0-eksbuild.1`; undefined when it isn't pinned or not known, and for a Helm release. */
  readonly version: string | undefined;
  /** Why the version isn't known, though it is written; undefined when it is known or not pinned. */
  readonly unknownVersion: string | undefined;
  readonly settings: CniSettings;
  /** Where the configuration values stand; the resource if there are none. */
  readonly source: Source;
  /** The assumption; that the resource itself exists is part of it. */
  readonly when: When;
}

/**
 * The ways in which the VPC CNI of a cluster may be configured: one per combination of conditions that its version and configuration
 * values depend on; worked out once. Empty when nothing in the input configures it: then it isn't known how it is.
 */
export function cniCasesOf(view: ClusterView): readonly CniCase[] {
  let found = known.get(view);
  if (found === undefined) {
    found = [...cniAddons(view).flatMap(addonCases), ...view.helmReleases.flatMap(helmCases)];
    // Beside one of those, or what may be one, a manifest changes what is theirs.
    if (found.length === 0 && !view.addons.some((addon) => isAddon(addon, 'vpc-cni') === 'maybe'))
      found = view.manifests.filter(isAwsNode).map(manifestCase);
    known.set(view, found);
  }
  return found;
}

const known = new WeakMap<ClusterView, readonly CniCase[]>();

function addonCases(addon: Addon): readonly CniCase[] {
  return casesOf(addon, { configuration: addon.configuration, version: addon.version }).flatMap(
    ({ when, values }): readonly CniCase[] => {
      const exists = addon.exists.and(when);
      if (exists === undefined) return [];
      const { configuration, version } = values;
      const pinned =
        version.kind === 'known' && parseVersion(version.value)?.build !== undefined ? version.value : undefined;
      return [
        {
          resource: addon,
          addon,
          version: pinned,
          unknownVersion: version.kind === 'unknown' ? version.reason : undefined,
          settings: new CniSettings(dataOf(configuration), pinned),
          source: configuration.source,
          when: exists,
        },
      ];
    },
  );
}

/** What can't be parsed is for the rule about the schema to say; nothing is known of it here. */
function dataOf(configuration: Plain<AddonConfiguration>): CniSettings['data'] {
  if (configuration.kind === 'absent') return undefined;
  if (configuration.kind === 'unknown') return configuration;
  if (configuration.value.kind === 'parsed') return configuration.value.data;
  return new Unknown(`the configuration values can't be parsed: ${configuration.value.reason}`, configuration.source);
}

/** The upstream chart has the same keys as the add-on: both render the same manifest. */
function helmCases(release: HelmRelease): readonly CniCase[] {
  return alternativesOf(release.chart).flatMap(({ when, value }): readonly CniCase[] => {
    const exists = release.exists.and(when);
    if (exists === undefined || value.kind !== 'known' || !isCniChart(value.value)) return [];
    return [
      {
        resource: release,
        addon: undefined,
        version: undefined,
        unknownVersion: undefined,
        settings: new CniSettings(release.values, undefined),
        source: release.source,
        when: exists,
      },
    ];
  });
}

function manifestCase(manifest: KubernetesManifest): CniCase {
  return {
    resource: manifest,
    addon: undefined,
    version: undefined,
    unknownVersion: undefined,
    settings: new CniSettings(valuesOfAwsNode(manifest), undefined, 'by itself'),
    source: manifest.source,
    when: manifest.exists,
  };
}

/** What installs the VPC CNI, for people: `Add-on Cni`, `Helm release Cni`, `DaemonSet aws-node`. */
export function cniTitle(resource: CniCase['resource'], quote = ''): string {
  switch (resource.kind) {
    case 'addon':
      return `Add-on ${quote}${resourceName(resource)}${quote}`;
    case 'helm-release':
      return `Helm release ${quote}${resourceName(resource)}${quote}`;
    case 'manifest':
      return `DaemonSet ${quote}${objectName(resource)}${quote}`;
  }
}

/** The same within a sentence. */
export function cniTitleWithin(resource: CniCase['resource'], quote = ''): string {
  return cniTitle(resource, quote).replace(/^Add-on/, 'add-on');
}

/** Whether a chart, by name or address, is the one of the VPC CNI. */
export function isCniChart(chart: string): boolean {
  return /(?:^|\/)aws-vpc-cni$/.test(chart);
}
