import { lazyTable, type Table } from './table';
import { parseMinor } from './versions';

/** A version of an EKS add-on. */
export interface AddonVersion {
  /** `v1.19.0-eksbuild.1` */
  readonly version: string;
  /** Kubernetes versions of the clusters that take it, oldest first. */
  readonly clusterMinors: readonly string[];
  /** Kubernetes versions for which it was the API's default on the day of the table. */
  readonly defaultFor: readonly string[];
}

interface AddonVersionRow {
  readonly version: string;
  readonly first?: string;
  readonly last?: string;
  readonly clusters?: readonly string[];
  readonly defaultFor?: readonly string[];
}

interface AddonVersionTable extends Table {
  readonly addons: Readonly<
    Record<
      string,
      {
        readonly requiresIamPermissions: boolean;
        readonly computeTypesOfNewest: readonly string[];
        readonly versions: readonly AddonVersionRow[];
      }
    >
  >;
}

interface AddonIndex {
  readonly requiresIamPermissions: boolean;
  readonly versions: readonly AddonVersion[];
  readonly byVersion: ReadonlyMap<string, AddonVersion>;
}

const load = lazyTable('addon-versions.json', (table: AddonVersionTable) => ({
  addons: new Map<string, AddonIndex>(
    Object.entries(table.addons).map(([name, addon]) => {
      const versions = addon.versions.map(fromRow);
      return [
        name,
        {
          requiresIamPermissions: addon.requiresIamPermissions,
          versions,
          byVersion: new Map(versions.map((version) => [version.version, version])),
        },
      ];
    }),
  ),
}));

/** Names of the add-ons that the table has. */
export function knownAddons(): readonly string[] {
  return [...load().addons.keys()];
}

/** One version of an add-on; undefined when the table has no such add-on or version. */
export function addonVersion(addon: string, version: string): AddonVersion | undefined {
  return load().addons.get(addon)?.byVersion.get(version);
}

/** All versions of an add-on, newest first; empty for an add-on that the table doesn't have. */
export function addonVersions(addon: string): readonly AddonVersion[] {
  return load().addons.get(addon)?.versions ?? [];
}

/** The newest version that a cluster of this Kubernetes version (`1.33`) takes. */
export function newestAddonVersion(addon: string, minor: string): string | undefined {
  return addonVersions(addon).find((version) => version.clusterMinors.includes(minor))?.version;
}

/** What EKS installed on the day of the table when no version was given. It changes without notice. */
export function defaultAddonVersion(addon: string, minor: string): string | undefined {
  return addonVersions(addon).find((version) => version.defaultFor.includes(minor))?.version;
}

/** The day of the add-on version table, `YYYY-MM-DD`. */
export function addonTableAsOf(): string {
  return load().table.asOf;
}

function fromRow(row: AddonVersionRow): AddonVersion {
  return {
    version: row.version,
    clusterMinors: row.clusters ?? minorsBetween(row.first, row.last),
    defaultFor: row.defaultFor ?? [],
  };
}

function minorsBetween(first: string | undefined, last: string | undefined): string[] {
  const low = parseMinor(first ?? '');
  const high = parseMinor(last ?? '');
  if (low === undefined || high === undefined)
    throw new Error(`add-on version table: "${first ?? ''}" to "${last ?? ''}" is no range`);
  return Array.from({ length: high - low + 1 }, (_, index) => `1.${low + index}`);
}
