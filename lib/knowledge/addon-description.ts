import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addonVersions, knownAddons } from './addon-versions';
import { lazyTable, type Table, type TableSource } from './table';
import { compareVersions } from './versions';
import { vpcCniVariable, type VpcCniVariable } from './vpc-cni-environment';

export type ConfigurationType = 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'null' | 'any';

/** One key of the configuration values of an add-on. */
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
  /** Versions whose schema accepts every value of the type, whatever `enum` says. */
  readonly freeIn?: readonly string[];
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
  /** True: EKS writes this default to what it manages, so OVERWRITE puts it back. False: only written when configured. */
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

/**
 * What `<add-on>-schema.json` has: the configuration schemas of all versions.
 * @internal tests make up tables
 */
export interface SchemaTable extends Table {
  /** Oldest first. */
  readonly versions: readonly string[];
  readonly keys: readonly SchemaRow[];
  readonly neverAccepted: readonly NeverAcceptedKey[];
}

/**
 * When a changed setting begins to act: as soon as the add-on's pods restart (which an update causes by itself), for pods that start
 * afterwards, or for nodes that are launched afterwards.
 */
export type EffectTime = 'restart' | 'new-pod' | 'new-node';

/** When a changed setting begins to act, as a source says it. */
export interface AddonEffect {
  /** Path of the configuration key, `env.ENABLE_POD_ENI`. */
  readonly path: string;
  /** The change to which this applies, as the new value; undefined for every change. */
  readonly to?: 'true' | 'false';
  readonly when: EffectTime;
  /** Where it acts, if it is more than what the setting is about: "on the whole node". */
  readonly scope?: string;
  /** What then happens, as a sentence without capital and full stop. */
  readonly effect?: string;
  readonly source: TableSource;
}

interface EffectRow extends Omit<AddonEffect, 'source'> {
  /** Path or page of a source of the table. */
  readonly source: string;
}

/** What `<add-on>-effects.json` has. */
interface EffectTable extends Table {
  readonly effects: readonly EffectRow[];
}

/** The tables of an add-on; only the first one has to be there. */
export interface AddonTables {
  readonly schema: () => SchemaTable;
  readonly effects?: () => EffectTable | undefined;
  /** What its programs read from their environment. */
  readonly variable?: (name: string) => VpcCniVariable | undefined;
}

/** An add-on as its tables describe it: what its configuration values may be, version by version, and what they do. */
export class AddonDescription {
  private read: Indexed | undefined;
  private rows: readonly AddonEffect[] | undefined;

  constructor(
    readonly name: string,
    private readonly tables: AddonTables,
  ) {}

  /** A key by its path (`env.ENABLE_POD_ENI`); undefined when no version of the table has it. */
  key(path: string): ConfigurationKey | undefined {
    return this.schema.byPath.get(path);
  }

  get keys(): readonly ConfigurationKey[] {
    return this.schema.keys;
  }

  /** Why no version accepts a key that looks right (`env.ENABLE_IPv6`); undefined for keys that nobody listed. */
  neverAccepted(path: string): NeverAcceptedKey | undefined {
    return this.schema.neverAccepted.get(path);
  }

  /**
   * Whether the schema of a version has the key. For a version that isn't in the table this is an inference from its neighbours: check
   * {@link hasSchemaOf} first when that matters.
   */
  accepts(key: ConfigurationKey, version: string): boolean {
    if (key.since !== undefined && compareVersions(version, key.since) >= 0) return true;
    return key.alsoIn.includes(version) || key.onlyIn.includes(version);
  }

  /** What holds when the key isn't set, in a version; the current default when the version isn't known. */
  defaultOf({ default: current, defaultHistory = [] }: ConfigurationKey, version: string | undefined): unknown {
    const [oldest] = defaultHistory;
    if (version === undefined || oldest === undefined) return current;
    return (defaultHistory.filter(([since]) => compareVersions(version, since) >= 0).at(-1) ?? oldest)[1];
  }

  /** Whether the table has the schema of this version. */
  hasSchemaOf(version: string): boolean {
    return this.schema.versions.has(version);
  }

  /** The versions whose schemas the table has, oldest first. */
  get schemaVersions(): readonly string[] {
    return this.schema.table.versions;
  }

  /** The newest version whose schema the table has. */
  get newestSchema(): string {
    const newest = this.schemaVersions.at(-1);
    if (newest === undefined) throw new Error(`the table of ${this.name} schemas is empty`);
    return newest;
  }

  /** The day of the table of schemas, `YYYY-MM-DD`. */
  get asOf(): string {
    return this.schema.table.asOf;
  }

  /** The versions that clusters of this Kubernetes version take; all that are known if it isn't known or none does. */
  versionsFor(clusterMinor: string | undefined): readonly string[] {
    const all = addonVersions(this.name);
    if (all.length === 0) return this.schemaVersions;
    const fitting =
      clusterMinor === undefined ? [] : all.filter((version) => version.clusterMinors.includes(clusterMinor));
    return (fitting.length > 0 ? fitting : all).map(({ version }) => version);
  }

  /** All rows of the table of effects. */
  get effects(): readonly AddonEffect[] {
    return (this.rows ??= effectsIn(this.tables.effects?.(), this.name));
  }

  /**
   * When a change of a setting begins to act; undefined if no source says it.
   * @param path path of the configuration key
   * @param to whether the new value switches it on; undefined for what is no switch
   */
  effect(path: string, to: boolean | undefined): AddonEffect | undefined {
    return this.effects.find((effect) => effect.path === path && (effect.to === undefined || effect.to === String(to)));
  }

  /** Whether the table says what holds where keys aren't set. */
  get hasDefaults(): boolean {
    return this.keys.some(({ defaultFrom }) => defaultFrom !== undefined);
  }

  /** Whether it is known what its programs read from their environment. */
  get hasVariables(): boolean {
    return this.tables.variable !== undefined;
  }

  /** A variable by name (`ENABLE_POD_ENI`); undefined when its programs aren't known to read it. */
  variable(name: string): VpcCniVariable | undefined {
    return this.tables.variable?.(name);
  }

  private get schema(): Indexed {
    return (this.read ??= indexed(this.tables.schema()));
  }
}

interface Indexed {
  readonly table: SchemaTable;
  readonly keys: readonly ConfigurationKey[];
  readonly byPath: ReadonlyMap<string, ConfigurationKey>;
  readonly neverAccepted: ReadonlyMap<string, NeverAcceptedKey>;
  readonly versions: ReadonlySet<string>;
}

function indexed(table: SchemaTable): Indexed {
  const keys = table.keys.map(fromRow);
  return {
    table,
    keys,
    byPath: new Map(keys.map((key) => [key.path, key])),
    neverAccepted: new Map(table.neverAccepted.map((key) => [key.path, key])),
    versions: new Set(table.versions),
  };
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

function effectsIn(table: EffectTable | undefined, addon: string): readonly AddonEffect[] {
  const sources = new Map(table?.sources.map((source) => [source.path ?? source.page ?? '', source]));
  return (table?.effects ?? []).map((row) => {
    const source = sources.get(row.source);
    if (source === undefined)
      throw new Error(
        `${addon} effects table: ${row.path} names the source "${row.source}", which the table doesn't list`,
      );
    return { ...row, source };
  });
}

/** What the programs of add-ons read from their environment, as far as there are tables of it. */
const VARIABLES: ReadonlyMap<string, AddonTables['variable']> = new Map([['vpc-cni', vpcCniVariable]]);

const described = new Map<string, AddonDescription>();

/** An add-on that has a table of schemas, `<name>-schema.json`; undefined for others. */
export function describedAddon(name: string): AddonDescription | undefined {
  return knownAddons().includes(name) && existsSync(fileOf(name, 'schema')) ? fromFiles(name) : undefined;
}

/** The names of the add-ons that have a table of schemas. */
export function describedAddons(): readonly string[] {
  return knownAddons().filter((name) => describedAddon(name) !== undefined);
}

function fromFiles(name: string): AddonDescription {
  let addon = described.get(name);
  if (addon === undefined) {
    const schema = lazyTable(`${name}-schema.json`, () => ({}));
    const effects = lazyTable(`${name}-effects.json`, () => ({}));
    const variable = VARIABLES.get(name);
    addon = new AddonDescription(name, {
      schema: () => schema().table as SchemaTable,
      effects: () => (existsSync(fileOf(name, 'effects')) ? (effects().table as EffectTable) : undefined),
      ...(variable === undefined ? {} : { variable }),
    });
    described.set(name, addon);
  }
  return addon;
}

function fileOf(name: string, table: 'schema' | 'effects'): string {
  return join(__dirname, 'data', `${name}-${table}.json`);
}

/** The Amazon VPC CNI. */
export const vpcCni = fromFiles('vpc-cni');
