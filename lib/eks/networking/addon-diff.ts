import { compareVersions, parseVersion, vpcCni, type AddonDescription, type ConfigurationKey } from '../../knowledge';
import { listOf } from '../../text/in-words';
import { keysTo, pinnedConfiguration } from './addon-pins';
import { updateEffects, type SettingEffect, type UpdateRequest } from './addon-update';
import type { DataMap } from '../../value';

/** A key of the configuration values, as one version has it. */
export interface SchemaKey {
  /** Dotted path, `env.ENABLE_POD_ENI`; `*` stands for a free name and `[]` for the items of a list. */
  readonly path: string;
  /** What holds when the key isn't set; undefined when that isn't known or there is nothing. */
  readonly default: unknown;
  /** Where the default was read; undefined when there is none. */
  readonly defaultFrom: ConfigurationKey['defaultFrom'];
  /** Whether EKS writes the default to the DaemonSet, so that OVERWRITE puts it back. */
  readonly rendered: boolean;
  /** Whether the key holds further keys instead of a value. */
  readonly isBlock: boolean;
}

/** A key that both versions have, with different defaults. */
export interface ChangedDefault {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly defaultFrom: ConfigurationKey['defaultFrom'];
  readonly rendered: boolean;
}

/** How the configuration schemas of two versions of an add-on differ. */
export interface SchemaDiff {
  readonly from: string;
  readonly to: string;
  /** The day of the table of schemas, `YYYY-MM-DD`. */
  readonly asOf: string;
  /** Keys that only the schema of `to` has. */
  readonly added: readonly SchemaKey[];
  /** Keys that only the schema of `from` has: EKS refuses them in `to`. */
  readonly removed: readonly SchemaKey[];
  /** Whether defaults are known: else `changed` is empty, and each `default` undefined. */
  readonly hasDefaults: boolean;
  /** Keys whose default changes. In no version known to the table did a key change its type or its allowed values. */
  readonly changed: readonly ChangedDefault[];
}

/** What an update of an add-on changes. */
export interface AddonDiff extends SchemaDiff {
  readonly mode: UpdateRequest['mode'];
  /** One entry for each setting of the configuration values and of the DaemonSet. */
  readonly effects: readonly SettingEffect[];
  /** Configuration values that keep the cluster as it is now and that EKS accepts for `to`; undefined when the given ones do. */
  readonly pin: DataMap | undefined;
  /** What the result doesn't know, and what else to mind, as sentences. */
  readonly notes: readonly string[];
}

/**
 * What an update of an add-on changes: keys of the configuration values that come and go, settings that it resets or
 * that EKS refuses, when each of these begins to act, and what to pin.
 * @throws RangeError for a version whose schema isn't known; see {@link knowsVpcCniSchema}
 */
export function diffAddonVersions(request: UpdateRequest): AddonDiff {
  const diff = schemaDiff(request.from, request.to, request.addon);
  const effects = updateEffects(request);
  const pin = pinnedConfiguration(request, effects);
  return {
    ...diff,
    mode: request.mode,
    effects,
    pin,
    notes: [...notesOn(request, effects), ...leftOutOf(pin, effects)],
  };
}

/**
 * Compares the configuration schemas of two versions of an add-on, the VPC CNI if none is given.
 * @throws RangeError for a version whose schema isn't known; see {@link knowsVpcCniSchema}
 */
export function schemaDiff(from: string, to: string, addon = vpcCni): SchemaDiff {
  for (const version of [from, to]) {
    if (!addon.hasSchemaOf(version))
      throw new RangeError(`the table of ${addon.name} schemas (${addon.asOf}) has no ${version}`);
  }
  const keys = addon.keys;
  const blocks = new Set(keys.map(({ path }) => parentOf(path)));
  const before = keysOf(addon, from);
  const after = keysOf(addon, to);
  const added: SchemaKey[] = [];
  const removed: SchemaKey[] = [];
  const changed: ChangedDefault[] = [];
  for (const key of keys) {
    const isBefore = before.has(key);
    const isAfter = after.has(key);
    if (isBefore && isAfter) changed.push(...changedDefault(addon, key, from, to));
    else if (isAfter) added.push(schemaKey(addon, key, to, blocks));
    else if (isBefore) removed.push(schemaKey(addon, key, from, blocks));
  }
  return { from, to, asOf: addon.asOf, added, removed, hasDefaults: addon.hasDefaults, changed };
}

/** Whether the table has the configuration schema of a version of the vpc-cni add-on. */
export function knowsVpcCniSchema(version: string): boolean {
  return vpcCni.hasSchemaOf(version);
}

/** Keys by version of the table; who compares many versions asks for the same ones over and over. */
const keysByAddon = new WeakMap<AddonDescription, Map<string, ReadonlySet<ConfigurationKey>>>();

function keysOf(addon: AddonDescription, version: string): ReadonlySet<ConfigurationKey> {
  const keysByVersion = keysByAddon.get(addon) ?? new Map<string, ReadonlySet<ConfigurationKey>>();
  keysByAddon.set(addon, keysByVersion);
  let keys = keysByVersion.get(version);
  if (keys === undefined) {
    keys = new Set(addon.keys.filter((key) => addon.accepts(key, version)));
    keysByVersion.set(version, keys);
  }
  return keys;
}

const MOST_NEAREST = 4;

/** The versions with known schemas that are nearest to one that isn't known, oldest first: its other builds, else its neighbours. */
export function nearestVpcCniVersions(version: string): readonly string[] {
  return nearestVersions(vpcCni, version);
}

/** The same of any add-on. */
export function nearestVersions(addon: AddonDescription, version: string): readonly string[] {
  const all = addon.schemaVersions;
  const wanted = parseVersion(version.trim());
  if (wanted === undefined) return [addon.newestSchema];
  const builds = all.filter((one) => {
    const parsed = parseVersion(one);
    return parsed?.major === wanted.major && parsed.minor === wanted.minor && parsed.patch === wanted.patch;
  });
  if (builds.length > 0) return builds.slice(-MOST_NEAREST);
  const below = all.filter((one) => compareVersions(one, version.trim()) < 0).slice(-2);
  const above = all.filter((one) => compareVersions(one, version.trim()) > 0).slice(0, 2);
  return [...below, ...above];
}

function schemaKey(
  addon: AddonDescription,
  key: ConfigurationKey,
  version: string,
  blocks: ReadonlySet<string>,
): SchemaKey {
  return {
    path: key.path,
    default: addon.defaultOf(key, version),
    defaultFrom: key.defaultFrom,
    rendered: key.rendered === true,
    isBlock: blocks.has(key.path),
  };
}

function changedDefault(addon: AddonDescription, key: ConfigurationKey, from: string, to: string): ChangedDefault[] {
  if (key.defaultHistory === undefined) return [];
  const before = addon.defaultOf(key, from);
  const after = addon.defaultOf(key, to);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path: key.path, from: before, to: after, defaultFrom: key.defaultFrom, rendered: key.rendered === true }];
}

/** `eniConfig.subnets` for `eniConfig.subnets.*`, `tolerations` for `tolerations[]`. */
function parentOf(path: string): string {
  return path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** Which of the given values the ones to pin don't have. */
function leftOutOf(pin: DataMap | undefined, effects: readonly SettingEffect[]): readonly string[] {
  if (pin === undefined) return [];
  const gone = effects.filter(({ path, status }) => status === 'refused' && keysTo(pin, path) === undefined);
  return gone.length === 0
    ? []
    : [`The values to pin leave out what EKS refuses: ${listOf(gone.map(({ path }) => path))}.`];
}

function* notesOn(
  { addon = vpcCni, from, to, configuration, live }: UpdateRequest,
  effects: readonly SettingEffect[],
): Generator<string> {
  if (from === to)
    yield 'FROM and TO are the same version: no version is updated. What is said of settings holds for an update of the configuration values.';
  if (effects.some(({ status }) => status === 'refused')) {
    yield 'EKS checks the configuration values before it changes anything: as long as one of them is refused, the whole update is.';
  }
  if (!addon.hasDefaults) {
    yield `The defaults of ${addon.name} and the settings of the cluster are not known here, so it can't be said which defaults change, nor what the update resets.`;
  } else if (live === undefined) {
    yield "The settings of the cluster are not known, so it can't be said which of them the update resets.";
  } else {
    if (live.init === undefined) {
      yield 'The settings of the init container aws-vpc-cni-init are not known. DISABLE_TCP_EARLY_DEMUX is one of them.';
    }
    yield configuration === undefined
      ? "EKS keeps the configuration values that it has stored when an update names none: what they set isn't reset, but looks as if it were as long as they aren't given here."
      : 'The configuration values of an update replace the stored ones as a whole: what only the stored ones set goes back to the default.';
  }
  if (compareVersions(to, from) < 0) yield `${to} is older than ${from}: this is a downgrade.`;
  if (addon.name !== vpcCni.name) return;
  const minors = Math.abs((parseVersion(to)?.minor ?? 0) - (parseVersion(from)?.minor ?? 0));
  if (minors > 1)
    yield `The update skips ${minors - 1} minor version${minors === 2 ? '' : 's'}; the EKS user guide advises to go one minor version at a time.`;
}
