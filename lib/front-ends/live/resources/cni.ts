import type { Addon, AddonConfiguration } from '../../../eks';
import type { LiveEnvironment } from '../../../eks/networking';
import { vpcCni, vpcCniVariable } from '../../../knowledge';
import {
  Absent,
  dataAt,
  decidedBy,
  isDataMap,
  Known,
  Unknown,
  type Data,
  type DataMap,
  type Plain,
  type Source,
} from '../../../value';
import { parseEmbedded } from '../../../value/embedded-text';
import type { AnswerNode } from '../answer-node';

/** An add-on that runs. Its configuration is what the cluster has: for the VPC CNI together with what kubectl changed. */
export interface LiveAddon extends Addon {
  /** The configuration values that EKS has stored. */
  readonly stored: Plain<AddonConfiguration>;
  /** Of the VPC CNI, if the dump has its DaemonSet. */
  readonly live: LiveEnvironment | undefined;
  /** Where a setting of it stands, by its path in the configuration values: `env.ENABLE_POD_ENI`. */
  placeOf(path: string): Source | undefined;
}

export function isLiveAddon(addon: Addon): addon is LiveAddon {
  return 'stored' in addon;
}

export function storedConfiguration(node: AnswerNode): Plain<AddonConfiguration> {
  const { text } = node;
  if (text.kind !== 'known') return text.kind === 'absent' ? new Absent(text.source) : text;
  const parsed = parseEmbedded(text);
  return parsed.kind === 'unknown' ? parsed.unknown : new Known<AddonConfiguration>(parsed, text.source);
}

const CONTAINERS = { env: 'aws-node', init: 'aws-vpc-cni-init' } as const;

export function liveEnvironment(daemonSet: AnswerNode | undefined): LiveEnvironment | undefined {
  if (daemonSet === undefined) return undefined;
  const pod = daemonSet.at('spec', 'template', 'spec');
  const of = (name: string): Readonly<Record<string, string>> | undefined => {
    const container = [...pod.child('containers').items, ...pod.child('initContainers').items].find(
      (one) => one.child('name').label === name,
    );
    return container === undefined
      ? undefined
      : Object.fromEntries(
          container
            .child('env')
            .items.filter((one) => !one.child('valueFrom').isWritten)
            .map((one) => [one.child('name').label, one.child('value').label]),
        );
  };
  const [env, init] = [of(CONTAINERS.env), of(CONTAINERS.init)];
  return env === undefined && init === undefined
    ? undefined
    : { ...(env === undefined ? {} : { env }), ...(init === undefined ? {} : { init }) };
}

/** Where a variable of the DaemonSet stands. */
export function placeInDaemonSet(daemonSet: AnswerNode | undefined, path: string): Source | undefined {
  const [, init, name] = /^(init\.)?env\.([^.]+)$/.exec(path) ?? [];
  const pod = daemonSet?.at('spec', 'template', 'spec');
  return [...(pod?.child('containers').items ?? []), ...(pod?.child('initContainers').items ?? [])]
    .find((one) => one.child('name').label === CONTAINERS[init === undefined ? 'env' : 'init'])
    ?.child('env')
    .items.find((one) => one.child('name').label === name);
}

/** What the VPC CNI of a cluster has: the stored values, and those of its DaemonSet that differ from what EKS writes. */
export function effectiveConfiguration(
  stored: Plain<AddonConfiguration>,
  version: string | undefined,
  live: LiveEnvironment | undefined,
  source: Source,
): Plain<AddonConfiguration> {
  if (stored.kind === 'unknown' || (stored.kind === 'known' && stored.value.kind === 'malformed')) return stored;
  const data: Data = stored.kind === 'known' && stored.value.kind === 'parsed' ? stored.value.data : {};
  if (!isDataMap(data)) return stored;
  const init = dataAt(data, 'init');
  const changed = {
    env: environment(
      'env',
      dataAt(data, 'env'),
      without(live?.env, namesIn(dataAt(data, 'extraEnv'))),
      version,
      source,
    ),
    init: environment('init.env', dataAt(init, 'env'), live?.init, version, source),
  };
  const result: DataMap = {
    ...data,
    ...(Object.keys(changed.env).length === 0 ? {} : { env: changed.env }),
    ...(Object.keys(changed.init).length === 0
      ? {}
      : { init: { ...(isDataMap(init) ? init : {}), env: changed.init } }),
  };
  return Object.keys(result).length === 0
    ? stored
    : new Known<AddonConfiguration>({ kind: 'parsed', data: result }, sourceOf(stored, live, changed, source));
}

/** Where settings stand, with who made those that no configuration value says. */
function sourceOf(
  stored: Plain<AddonConfiguration>,
  live: LiveEnvironment | undefined,
  changed: { readonly env: DataMap; readonly init: DataMap },
  source: Source,
): Source {
  const place = stored.kind === 'known' ? stored.source : source;
  if (live === undefined) return place;
  const data = stored.kind === 'known' && stored.value.kind === 'parsed' ? stored.value.data : {};
  const isMade =
    Object.keys(changed.env).some((name) => !COUNTS_WHEN_OFF.has(name) && dataAt(data, 'env', name) === undefined) ||
    Object.keys(changed.init).some((name) => dataAt(data, 'init', 'env', name) === undefined);
  return isMade ? decidedBy(place, 'set by kubectl, where the configuration values of the add-on say nothing') : place;
}

/** Names of the variables that `extraEnv` adds. */
function namesIn(extra: Data | undefined): readonly string[] {
  return Array.isArray(extra)
    ? (extra as readonly Data[]).flatMap((item) => {
        const name = dataAt(item, 'name');
        return typeof name === 'string' ? [name] : [];
      })
    : [];
}

function without(
  variables: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
): Readonly<Record<string, string>> | undefined {
  return variables === undefined
    ? undefined
    : Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
}

/** Variables of which it counts that they are off, and not only that nobody has set them. */
const COUNTS_WHEN_OFF: ReadonlySet<string> = new Set(['ENABLE_POD_ENI']);

/** Stands among settings for those that nobody has seen. */
const UNSEEN = '${settings made with kubectl}';

function environment(
  path: 'env' | 'init.env',
  stored: Data | undefined,
  live: Readonly<Record<string, string>> | undefined,
  version: string | undefined,
  source: Source,
): DataMap {
  const own = isDataMap(stored) ? stored : {};
  if (live === undefined)
    return {
      ...own,
      [UNSEEN]: new Unknown(
        "the dump doesn't hold the DaemonSet aws-node, whose settings kubectl may have changed",
        source,
        UNSEEN,
      ),
    };
  const changed = Object.entries(live).filter(
    ([name, value]) => Object.hasOwn(own, name) || isChanged(`${path}.${name}`, name, value, version),
  );
  return { ...own, ...Object.fromEntries(changed) };
}

/** Whether a variable is one of the CNI, and not as EKS writes it. */
function isChanged(path: string, name: string, value: string, version: string | undefined): boolean {
  const variable = vpcCniVariable(name);
  const key = vpcCni.key(path);
  if (variable?.serviceManaged === true || vpcCni.neverAccepted(path)?.setByEks === true) return false;
  if (key === undefined && variable === undefined) return false;
  if (COUNTS_WHEN_OFF.has(name)) return true;
  const fallback = key === undefined ? undefined : vpcCni.defaultOf(key, version);
  return fallback === undefined ? variable?.managedDefault !== value : fallback !== value;
}
