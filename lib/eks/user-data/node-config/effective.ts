import { dataAt, isDataMap, Unknown, type Data } from '../../../value';
import { pairsOf, parseFlags, type KubeletFlag } from './flags';
import type { MergedNodeConfig, NodeConfigOrigin } from './merge';
import type { ClusterDetails } from './types';

/** The fields without which nodeadm refuses to start, when nobody else supplies them. */
const REQUIRED_CLUSTER_FIELDS = ['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr'] as const;

/** The required cluster fields that are missing or empty. What isn't known yet counts as set. */
export function missingClusterFields(cluster: ClusterDetails | Data | undefined): string[] {
  if (cluster instanceof Unknown) return [];
  const fields = new Map<string, unknown>(
    typeof cluster === 'object' && cluster !== null ? Object.entries(cluster) : [],
  );
  const isMissing = (field: string): boolean => (fields.get(field) ?? '') === '';
  const missing: string[] = REQUIRED_CLUSTER_FIELDS.filter(isMissing);
  if (fields.get('enableOutpost') === true && isMissing('id')) missing.push('id');
  return missing;
}

/** What decides how many pods a node takes. */
export interface MaxPodsSetting {
  /** The flag beats kubelet's configuration, which beats the expression. `unknown`: what isn't known may hold any of them. */
  readonly from: 'flag' | 'config' | 'expression' | 'unknown';
  /** The number, or what is written instead of one; the text of an expression. */
  readonly value: Data;
  readonly origin: NodeConfigOrigin | undefined;
}

/** The setting of max pods that counts on the node; undefined when nodeadm computes it for the instance type. */
export function effectiveMaxPods(merged: MergedNodeConfig): MaxPodsSetting | undefined {
  const { flags, unknown } = kubeletFlags(merged);
  const hidden = merged.unknown ?? unknown;
  if (hidden !== undefined) return { from: 'unknown', value: hidden, origin: undefined };
  const flag = flags.findLast(({ name }) => name === 'max-pods');
  if (flag !== undefined)
    return { from: 'flag', value: flag.unknown ?? numberIn(flag.value), origin: flagOrigin(merged, flag) };
  for (const [from, ...keys] of [
    ['config', 'config', 'maxPods'],
    ['expression', 'maxPodsExpression'],
  ] as const) {
    const path = ['spec', 'kubelet', ...keys];
    const value = dataAt(merged.data, ...path);
    if (value !== undefined && value !== null && value !== '') return { from, value, origin: merged.origin(path) };
  }
  return undefined;
}

function numberIn(text: string | undefined): Data {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : (text ?? null);
}

/** A feature gate of kubelet that a node sets. */
interface KubeletFeatureGate {
  readonly name: string;
  /** What it is set to, as written. */
  readonly value: Data;
  readonly origin: NodeConfigOrigin | undefined;
}

export interface KubeletFeatureGates {
  readonly gates: readonly KubeletFeatureGate[];
  /** Set when there may be others. */
  readonly unknown: Unknown | undefined;
}

/** kubelet's feature gates, of its configuration and of `--feature-gates`; not nodeadm's own (`spec.featureGates`). */
export function kubeletFeatureGatesOf(merged: MergedNodeConfig): KubeletFeatureGates {
  const path = ['spec', 'kubelet', 'config', 'featureGates'];
  const configured = dataAt(merged.data, ...path);
  const entries = isDataMap(configured) ? Object.entries(configured) : [];
  const { flags, unknown } = kubeletFlags(merged);
  return {
    gates: [
      ...entries.map(([name, value]) => ({ name, value, origin: merged.origin([...path, name]) })),
      ...pairsOf(flags, 'feature-gates').map(({ key, value, flag }) => ({
        name: key,
        value: gateValue(value, flag),
        origin: flagOrigin(merged, flag),
      })),
    ],
    unknown:
      merged.unknown ??
      (configured instanceof Unknown ? configured : undefined) ??
      unknown ??
      cutOff(flags, 'feature-gates'),
  };
}

function gateValue(value: string | undefined, flag: KubeletFlag): Data {
  if (value === undefined) return flag.unknown ?? null;
  const lower = value.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : value;
}

/** A setting that the NodeConfig sets again which EKS or Karpenter adds to the user's. */
export interface OverriddenSetting {
  readonly path: string;
  /**
   * `order`: whichever NodeConfig comes last decides. `other-field`: nodeadm lets the other's `maxPods` win in any order. `flag`: in nodeadm the
   * flag wins in any order. `unknown`: flags that aren't known may beat it.
   */
  readonly decides: 'order' | 'other-field' | 'flag' | 'unknown';
}

const KUBELET = 'spec.kubelet';

/** The settings of the user that EKS's own NodeConfig sets again. Only what is certainly set counts, and no number of pods that a flag beats. */
export function overriddenByEks(merged: MergedNodeConfig): readonly OverriddenSetting[] {
  const { flags, unknown } = kubeletFlags(merged);
  const flag = flags.findLast(({ name }) => name === 'max-pods');
  const settings: OverriddenSetting[] = [];
  const add = (setting: string, decides: OverriddenSetting['decides']): void => {
    const path = `${KUBELET}.${setting}`;
    if (isSet(merged.data, path.split('.'))) settings.push({ path, decides });
  };
  if (flag === undefined) {
    add('config.maxPods', unknown === undefined ? 'order' : 'unknown');
    add('maxPodsExpression', unknown === undefined ? 'other-field' : 'unknown');
  }
  add('config.clusterDNS', 'order');
  return flag === undefined ? settings : [...settings, { path: `${KUBELET}.flags.${flag.index}`, decides: 'flag' }];
}

function isSet(data: Data, keys: readonly string[]): boolean {
  const parent = dataAt(data, ...keys.slice(0, -1));
  if (!isDataMap(parent)) return false;
  const value = dataAt(parent, ...keys.slice(-1));
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function kubeletFlags(merged: MergedNodeConfig): ReturnType<typeof parseFlags> {
  return parseFlags(dataAt(merged.data, 'spec', 'kubelet', 'flags'));
}

function flagOrigin(merged: MergedNodeConfig, flag: KubeletFlag): NodeConfigOrigin | undefined {
  return merged.origin(['spec', 'kubelet', 'flags', String(flag.index)]);
}

function cutOff(flags: readonly KubeletFlag[], name: string): Unknown | undefined {
  return flags.find((flag) => flag.name === name && flag.unknown !== undefined)?.unknown;
}
