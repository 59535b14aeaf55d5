import { lazyTable, type Table } from './table';
import { compareVersions } from './versions';

export type ConfigurationType = 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'null' | 'any';

/** One key of the vpc-cni add-on's configuration values. */
export interface ConfigurationKey {
  /** Dotted path, `env.ENABLE_POD_ENI`; `*` stands for a free name and `[]` for the items of a list. */
  readonly path: string;
  /** First add-on version from which every later one has the key; undefined when it was removed. */
  readonly since: string | undefined;
  /** Earlier versions (rebuilds of old lines) that have it too. */
  readonly alsoIn: readonly string[];
  /** For a removed key: all versions that have it. */
  readonly onlyIn: readonly string[];
  /** For a removed key: the first version without it. */
  readonly removedIn: string | undefined;
  /** The types that the schema accepts. Values of environment variables are always strings. */
  readonly type: readonly ConfigurationType[];
  /** What a string should contain; no JSON Schema format, and it isn't known whether EKS enforces it. */
  readonly format?: 'boolean' | 'integer';
  readonly enum?: readonly string[];
  /** Keys that an object must have. */
  readonly required?: readonly string[];
  readonly minProperties?: number;
  /** For objects: other keys than the listed ones are refused. */
  readonly closed?: boolean;
  /** What holds when the key isn't set. The schema has no defaults; see `defaultFrom`. */
  readonly default?: unknown;
  /** Where the default was read: a DaemonSet that EKS manages, the Helm chart, or the program itself. */
  readonly defaultFrom?: 'managed-daemonset' | 'chart' | 'binary';
  /** `[version, default]` of the versions in which the default changed. */
  readonly defaultHistory?: readonly (readonly [string, unknown])[];
  /** True: EKS writes this default to the DaemonSet, so OVERWRITE puts it back. False: only written when configured. */
  readonly rendered?: boolean;
  /** Where the value ends up. */
  readonly renders?: string;
  readonly note?: string;
}

/** A key that people try and that no version of the add-on accepts. */
export interface NeverAcceptedKey {
  readonly path: string;
  readonly why: string;
  /** EKS writes it into the manifest by itself. */
  readonly setByEks?: true;
}

interface SchemaRow extends Omit<ConfigurationKey, 'since' | 'alsoIn' | 'onlyIn' | 'removedIn' | 'type'> {
  readonly since?: string;
  readonly alsoIn?: readonly string[];
  readonly onlyIn?: readonly string[];
  readonly removedIn?: string;
  readonly type: ConfigurationType | readonly ConfigurationType[];
}

interface SchemaTable extends Table {
  /** Oldest first. */
  readonly versions: readonly string[];
  readonly keys: readonly SchemaRow[];
  readonly neverAccepted: readonly NeverAcceptedKey[];
}

const load = lazyTable('vpc-cni-schema.json', (table: SchemaTable) => {
  const keys = table.keys.map(fromRow);
  return {
    keys,
    byPath: new Map(keys.map((key) => [key.path, key])),
    neverAccepted: new Map(table.neverAccepted.map((key) => [key.path, key])),
    versions: new Set(table.versions),
  };
});

/** A key by its path (`env.ENABLE_POD_ENI`); undefined when no version of the table has it. */
export function vpcCniConfigurationKey(path: string): ConfigurationKey | undefined {
  return load().byPath.get(path);
}

export function vpcCniConfigurationKeys(): readonly ConfigurationKey[] {
  return load().keys;
}

/** Why no version accepts a key that looks right (`env.ENABLE_IPv6`); undefined for keys that nobody listed. */
export function vpcCniNeverAccepted(path: string): NeverAcceptedKey | undefined {
  return load().neverAccepted.get(path);
}

/**
 * Whether the schema of an add-on version has the key. For a version that isn't in the table this is an inference
 * from its neighbours: check {@link vpcCniSchemaHas} first when that matters.
 */
export function vpcCniKeyAccepted(key: ConfigurationKey, addonVersion: string): boolean {
  if (key.since !== undefined && compareVersions(addonVersion, key.since) >= 0) return true;
  return key.alsoIn.includes(addonVersion) || key.onlyIn.includes(addonVersion);
}

/** What holds when the key isn't set, in an add-on version; the current default when the version isn't known. */
export function vpcCniDefault(
  { default: current, defaultHistory = [] }: ConfigurationKey,
  addonVersion: string | undefined,
): unknown {
  const [oldest] = defaultHistory;
  if (addonVersion === undefined || oldest === undefined) return current;
  return (defaultHistory.filter(([since]) => compareVersions(addonVersion, since) >= 0).at(-1) ?? oldest)[1];
}

/** Whether the table has the schema of this add-on version. */
export function vpcCniSchemaHas(addonVersion: string): boolean {
  return load().versions.has(addonVersion);
}

/** The add-on versions whose schemas the table has, oldest first. */
export function vpcCniSchemaVersions(): readonly string[] {
  return load().table.versions;
}

/** The newest add-on version whose schema the table has. */
export function vpcCniSchemaNewest(): string {
  const newest = load().table.versions.at(-1);
  if (newest === undefined) throw new Error('the vpc-cni schema table is empty');
  return newest;
}

/** The day of the schema table, `YYYY-MM-DD`. */
export function vpcCniSchemaAsOf(): string {
  return load().table.asOf;
}

function fromRow(row: SchemaRow): ConfigurationKey {
  return {
    ...row,
    since: row.since,
    alsoIn: row.alsoIn ?? [],
    onlyIn: row.onlyIn ?? [],
    removedIn: row.removedIn,
    type: typeof row.type === 'string' ? [row.type] : row.type,
  };
}
