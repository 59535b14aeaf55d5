import {
  beforeOf,
  dataAt,
  entriesOf,
  isDataMap,
  type Addon,
  type AddonConfiguration,
  type Data,
  type Value,
} from '../../../eks';
import { knowsVpcCniSchema, schemaDiff, updateEffects, type SettingEffect } from '../../../eks/networking';

/** Configuration values, as far as they are texts. */
export type Values = { [key: string]: string | Values };

/** An update of the vpc-cni add-on that is about to happen, with the conflict mode OVERWRITE. */
export interface PlannedUpdate {
  /** ` from v1.18.1-eksbuild.1 to v1.19.0-eksbuild.1`, with the space; empty if the version stays or isn't known. */
  readonly versions: string;
  /** Settings that the configuration values of now make, and that go back to the default. */
  readonly resets: readonly SettingEffect[];
  /** The values of now that keep them. */
  readonly kept: Values;
  /** Variables that the new version writes and the version of now doesn't, and that the configuration values don't set. */
  readonly begins: readonly string[];
}

/** Undefined if EKS isn't about to update the add-on, or that isn't known. */
export function plannedUpdate(addon: Addon): PlannedUpdate | undefined {
  const before = beforeOf(addon);
  if (before === undefined || addon.planned?.action !== 'update') return undefined;
  const [from, to] = [textOf(before.version), textOf(addon.version)];
  const [now, then] = [dataOf(before.configuration), dataOf(addon.configuration)];
  const isOther = from !== undefined && to !== undefined && from !== to;
  const isConfigured = now !== undefined && then !== undefined && !isSame(now, then);
  // A new conflict mode alone isn't sent to EKS: AWS provider, internal/service/eks/addon.go.
  if (!isOther && !isConfigured && !hasOtherRole(before, addon)) return undefined;
  const resets = isConfigured && to !== undefined && knowsVpcCniSchema(to) ? resetsOf(now, then, from ?? to, to) : [];
  return {
    versions: isOther ? ` from ${from} to ${to}` : '',
    resets,
    kept: keptOf(resets),
    begins:
      isOther && then !== undefined && knowsVpcCniSchema(from) && knowsVpcCniSchema(to) ? beginsOf(then, from, to) : [],
  };
}

function hasOtherRole(before: Addon, addon: Addon): boolean {
  const [now, then] = [before.serviceAccountRole, addon.serviceAccountRole];
  return now.kind === 'known' && then.kind === 'known' && now.value.text !== then.value.text;
}

/** A setting of the configuration values is surely one that EKS has made in the cluster. */
function resetsOf(now: Data, then: Data, from: string, to: string): readonly SettingEffect[] {
  const live = { env: textsOf(dataAt(now, 'env')), init: textsOf(dataAt(now, 'init', 'env')) };
  return updateEffects({ from, to, mode: 'OVERWRITE', configuration: then, live }).filter(
    ({ status }) => status === 'reset',
  );
}

function keptOf(resets: readonly SettingEffect[]): Values {
  const of = (prefix: string): Values =>
    Object.fromEntries(
      resets.flatMap(({ path, live = '' }) => (path.startsWith(prefix) ? [[path.slice(prefix.length), live]] : [])),
    );
  const [env, init] = [of('env.'), of('init.env.')];
  return {
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(Object.keys(init).length === 0 ? {} : { init: { env: init } }),
  };
}

function beginsOf(then: Data, from: string, to: string): readonly string[] {
  const added = schemaDiff(from, to).added.filter(
    ({ path, rendered, isBlock }) =>
      rendered && !isBlock && /^(?:init\.)?env\./.test(path) && dataAt(then, ...path.split('.')) === undefined,
  );
  return added.map(({ path }) => path.slice(path.lastIndexOf('.') + 1));
}

function textsOf(data: Data | undefined): Readonly<Record<string, string>> {
  if (!isDataMap(data)) return {};
  return Object.fromEntries(
    entriesOf(data).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
        ? [[name, String(value)]]
        : [],
    ),
  );
}

function textOf(value: Value<string>): string | undefined {
  return value.kind === 'known' ? value.value : undefined;
}

/** What configuration values say; undefined if that isn't known as a whole. */
function dataOf(value: Value<AddonConfiguration>): Data | undefined {
  if (value.kind === 'absent') return {};
  return value.kind === 'known' && value.value.kind === 'parsed' ? value.value.data : undefined;
}

/** Whether two configurations say the same, in whatever order. What isn't known is the same as nothing else. */
function isSame(a: Data, b: Data): boolean {
  if (!isDataMap(a) || !isDataMap(b)) return JSON.stringify(a) === JSON.stringify(b);
  const others = new Map(entriesOf(b));
  const all = entriesOf(a);
  return (
    all.length === others.size &&
    all.every(([key, value]) => {
      const other = others.get(key);
      return other !== undefined && isSame(value, other);
    })
  );
}

/** Names in a sentence, not too many of them: "A, B, C and 4 more". */
export function listed(names: readonly string[], most = 3): string {
  if (names.length <= 1) return names.join('');
  if (names.length > most + 1) return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
