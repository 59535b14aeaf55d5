import { vpcCni } from '../../knowledge';
import { dataAt, isDataMap, nowhere, Unknown, type Data } from '../../value';
import type { CniNumber, CniSetting, CniSettings } from './cni-settings';

/** One item of `extraEnv`, which adds variables to container aws-node as a Kubernetes list of environment variables. */
export interface ExtraVariable {
  /** Undefined when the item has no name that is text. */
  readonly name: string | Unknown | undefined;
  /** Undefined when it has none; unknown too when it comes from a ConfigMap, a Secret or a field (`valueFrom`). */
  readonly value: Data | undefined;
}

/** Unknown when the list as a whole is. */
export type ExtraVariables = readonly ExtraVariable[] | Unknown;

const NONE: ExtraVariables = [];

/** The variables that `extraEnv` adds; none if it isn't there, or is no list. */
export function extraVariables(settings: CniSettings): ExtraVariables {
  const list = dataAt(settings.data, 'extraEnv');
  if (list instanceof Unknown) return list;
  return Array.isArray(list) ? (list as readonly Data[]).map(extraVariable) : NONE;
}

function extraVariable(item: Data): ExtraVariable {
  if (item instanceof Unknown) return { name: item, value: item };
  if (!isDataMap(item)) return { name: undefined, value: undefined };
  const name = dataAt(item, 'name');
  const isUnknownText = typeof name === 'string' && name.includes('${');
  const elsewhere = dataAt(item, 'valueFrom');
  return {
    name: isUnknownText
      ? new Unknown('the name is decided at deployment', nowhere)
      : name instanceof Unknown || typeof name === 'string'
        ? name
        : undefined,
    value:
      elsewhere === undefined ? dataAt(item, 'value') : new Unknown('extraEnv takes it from another object', nowhere),
  };
}

/**
 * A variable of container aws-node by its name (`WARM_IP_TARGET`), whether `env` or `extraEnv` sets it. Which of two values counts
 * isn't documented, so it is unknown then.
 */
export function awsNodeSetting(settings: CniSettings, name: string): CniSetting {
  const own = settings.setting(`env.${name}`);
  const extra = extraSetting(settings, name);
  if (extra === undefined || own.kind === 'unknown') return own;
  if (extra.kind === 'unknown' || !isOnContainer(own, name) || extra.text === own.text) return extra;
  return { kind: 'unknown', unknown: new Unknown(`extraEnv gives ${name} a second value`, nowhere) };
}

/** A number that container aws-node gets; a text that is none counts as not set, as the CNI has it. */
export function awsNodeNumber(settings: CniSettings, name: string): CniNumber {
  const setting = awsNodeSetting(settings, name);
  if (setting.kind === 'unknown') return setting;
  const { text, kind } = setting;
  return text !== undefined && /^[+-]?\d+$/.test(text)
    ? { kind: 'number', value: Number(text), isConfigured: kind === 'configured' }
    : { kind: 'none' };
}

/** Whether prefix delegation has a warm target, without which aws-node exits at start. */
export type WarmTargets =
  /** Prefix delegation is off, or a target is above 0. */
  | { readonly kind: 'not-needed' | 'set' }
  /** Found: `WARM_PREFIX_TARGET "0"`, as a list for people. */
  | { readonly kind: 'missing'; readonly found: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export const WARM_TARGETS = ['WARM_PREFIX_TARGET', 'WARM_IP_TARGET', 'MINIMUM_IP_TARGET'] as const;

/**
 * Whether prefix delegation, where it is on, has one of the targets that it needs. As in the CNI, texts are compared and not numbers:
 * empty text and `-1` aren't above 0. Source: aws/amazon-vpc-cni-k8s, `cmd/aws-vpc-cni/main.go` (validateEnvVars).
 *
 * @param managed EKS runs the CNI, and so turns prefix delegation on in IPv6 clusters by itself
 */
export function prefixWarmTargets(
  settings: CniSettings,
  ipFamily: 'ipv4' | 'ipv6' | undefined,
  managed: boolean,
): WarmTargets {
  const delegation = settings.switch('env.ENABLE_PREFIX_DELEGATION');
  const byEks = managed && delegation.kind === 'off' && !delegation.isConfigured ? ipFamily : 'ipv4';
  if (delegation.kind === 'off' && byEks === 'ipv4') return { kind: 'not-needed' };
  const targets = WARM_TARGETS.map((name) => ({ name, setting: awsNodeSetting(settings, name) }));
  if (targets.some(({ setting }) => setting.kind !== 'unknown' && (setting.text ?? '0') > '0')) return { kind: 'set' };
  const hidden = targets.find(({ setting }) => setting.kind === 'unknown');
  if (hidden?.setting.kind === 'unknown')
    return { kind: 'unknown', reason: `${hidden.name} is not known (${hidden.setting.unknown.reason})` };
  if (delegation.kind === 'unknown')
    return { kind: 'unknown', reason: `whether prefix delegation is on is not known (${delegation.unknown.reason})` };
  if (byEks === undefined)
    return {
      kind: 'unknown',
      reason: 'the IP family of the cluster is not known, and EKS turns prefix delegation on in IPv6 clusters',
    };
  const written = targets.flatMap(({ name, setting }) =>
    setting.kind !== 'unknown' && setting.text !== undefined
      ? [`${name} ${JSON.stringify(setting.text.slice(0, 20))}`]
      : [],
  );
  return { kind: 'missing', found: written.length === 0 ? 'no WARM_PREFIX_TARGET' : written.join(' and ') };
}

function extraSetting(settings: CniSettings, name: string): Exclude<CniSetting, { kind: 'default' }> | undefined {
  const variables = extraVariables(settings);
  if (variables instanceof Unknown) return { kind: 'unknown', unknown: variables };
  const own = variables.findLast((variable) => variable.name === name);
  if (own === undefined) {
    const hidden = variables.find((variable) => variable.name instanceof Unknown);
    return hidden?.name instanceof Unknown ? { kind: 'unknown', unknown: hidden.name } : undefined;
  }
  const { value } = own;
  if (value instanceof Unknown) return { kind: 'unknown', unknown: value };
  return {
    kind: 'configured',
    text:
      value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value),
  };
}

/** Whether the container has the variable without `extraEnv`. */
function isOnContainer(own: CniSetting, name: string): boolean {
  return own.kind === 'configured' || vpcCni.key(`env.${name}`)?.rendered === true;
}
