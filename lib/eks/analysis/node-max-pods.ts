import { instanceType } from '../../knowledge';
import { maxPods } from '../networking/max-pods';
import { evaluateMaxPodsExpression } from '../networking/max-pods-expression';
import { kubeletArguments, nodeConfigDropIns, type BootstrapCall } from '../user-data/bootstrap-script';
import { maxPodsOf } from '../user-data/bottlerocket';
import type { UserDataDocument, UserDataPart } from '../user-data/document';
import { effectiveMaxPods } from '../user-data/node-config';
import { nodeScriptOf } from '../user-data/scripts';
import { mentionIn } from '../user-data/shell';
import type { SourceText } from '../user-data/source-text';
import { eksBootstrapCallsIn, readWindows } from '../user-data/windows';
import { dataAt, Unknown, type Source } from '../../value';
import { bottlerocketSettingsOf } from './bottlerocket-settings';
import type { BootCase } from './node-boot';
import { nodeConfigsOf, type NodeConfigs } from './node-configs';

/** Who tells kubelet how many pods a node takes, and how many. Source: EKS user guide, "How maxPods is determined"; awslabs/amazon-eks-ami. */
export type NodeMaxPods =
  /** EKS, which knows the settings of the CNI and the instance types of the group. */
  | { readonly kind: 'eks' }
  /** The user. `by` is how messages call the place: "`maxPods` of its NodeConfig". */
  | {
      readonly kind: 'number';
      readonly value: number;
      readonly by: string;
      readonly isNodeConfig: boolean;
      readonly source: Source;
      readonly line: number;
    }
  /** `maxPodsExpression` of a NodeConfig. */
  | {
      readonly kind: 'expression';
      readonly text: string;
      readonly by: string;
      readonly source: Source;
      readonly line: number;
    }
  /** The bootstrap, by the formula of single addresses, whatever the CNI does. */
  | { readonly kind: 'formula'; readonly by: string; readonly source: Source; readonly line: number }
  /** kubelet itself: {@link KUBELET_MAX_PODS}. */
  | { readonly kind: 'kubelet'; readonly by: string; readonly source: Source; readonly line: number }
  | { readonly kind: 'unknown'; readonly reason: string; readonly source: Source };

/** What kubelet takes when nobody says anything. Source: KubeletConfiguration v1beta1. */
const KUBELET_MAX_PODS = 110;

/**
 * Who sets the max pods of the nodes of a boot. Only for boots that are sound: that something is missing or malformed is what other
 * rules are about, and undefined here where it shows. Worked out once.
 */
export function nodeMaxPodsOf(boot: BootCase): NodeMaxPods | undefined {
  let found = known.get(boot);
  if (found === undefined) {
    found = { maxPods: read(boot) };
    known.set(boot, found);
  }
  return found.maxPods;
}

const known = new WeakMap<BootCase, { readonly maxPods: NodeMaxPods | undefined }>();

/** How many pods that makes on an instance type; undefined if it can't be told. */
export function podsOn(type: string, setting: NodeMaxPods): number | undefined {
  const found = instanceType(type);
  switch (setting.kind) {
    case 'number':
      return setting.value;
    case 'kubelet':
      return KUBELET_MAX_PODS;
    case 'formula':
      return found === undefined ? undefined : maxPods(type).capacity;
    case 'expression':
      return found === undefined
        ? undefined
        : evaluateMaxPodsExpression(setting.text, {
            default_enis: found.enis,
            ips_per_eni: found.ipv4PerEni,
            max_pods: maxPods(type).capacity,
          });
    case 'eks':
    case 'unknown':
      return undefined;
  }
}

function read(boot: BootCase): NodeMaxPods | undefined {
  const {
    family,
    bootstrapBy,
    document,
    userData,
    boot: { nodeGroup },
  } = boot;
  if (userData.kind === 'unknown')
    return { kind: 'unknown', reason: `its user data isn't known: ${userData.reason}`, source: userData.source };
  if (bootstrapBy === 'unknown')
    return { kind: 'unknown', reason: "whether EKS sets it isn't known", source: nodeGroup.source };
  if (document === undefined || document.format === 'empty') return bootstrapBy === 'eks' ? EKS : undefined;
  if (family.kind !== 'known')
    return {
      kind: 'unknown',
      reason: family.kind === 'unknown' ? family.reason : "the operating system isn't known",
      source: family.source,
    };
  const isByEks = bootstrapBy === 'eks';
  switch (family.value) {
    case 'AL2023':
      return changedOutOfSight(document, AL2023_MENTIONS) ?? fromNodeConfigs(document, isByEks);
    case 'AL2':
      return changedOutOfSight(document, AL2_MENTIONS) ?? (isByEks ? EKS : fromBootstrapScript(document));
    case 'BOTTLEROCKET':
      return fromBottlerocket(document, isByEks);
    case 'WINDOWS':
      return isByEks ? EKS : fromWindows(document);
  }
}

const EKS: NodeMaxPods = { kind: 'eks' };

/** Where kubelet's settings lie, and what they are called: a script that mentions one may change the number of pods. */
const AL2023_MENTIONS: readonly string[] = [
  'maxPods',
  'max-pods',
  '/etc/kubernetes/kubelet',
  '/etc/eks/kubelet',
  'kubelet.service',
];
const AL2_MENTIONS: readonly string[] = [
  'maxPods',
  'eni-max-pods',
  '/etc/kubernetes/kubelet',
  '/etc/sysconfig/kubelet',
  'kubelet.service',
  'kubelet-config.json',
];

function changedOutOfSight({ parts }: UserDataDocument, mentions: readonly string[]): NodeMaxPods | undefined {
  for (const part of parts) {
    if (!part.readByCloudInit) continue;
    const offset = mentionOf(part, mentions);
    if (offset !== undefined)
      return {
        kind: 'unknown',
        reason: `line ${part.body.positionAt(offset).line} of its user data may change it`,
        source: part.body.sourceAt(offset),
      };
  }
  return undefined;
}

function mentionOf(part: UserDataPart, mentions: readonly string[]): number | undefined {
  const { body, kind } = part;
  if (kind === 'unknown') return 0;
  const script = nodeScriptOf(part)?.script;
  for (const text of mentions) {
    const offset = script === undefined ? body.text.indexOf(text) : (mentionIn(script, text) ?? -1);
    if (offset >= 0) return offset;
  }
  // What a drop-in holds that isn't shown may be anything.
  return script === undefined
    ? undefined
    : nodeConfigDropIns(script).find(({ content }) => content?.isKnown !== true)?.offset;
}

function at(text: SourceText, offset: number): { readonly source: Source; readonly line: number } {
  return { source: text.sourceAt(offset), line: text.positionAt(offset).line };
}

function fromNodeConfigs(document: UserDataDocument, isByEks: boolean): NodeMaxPods | undefined {
  const configs = nodeConfigsOf(document);
  if (configs === undefined) return isByEks ? EKS : undefined;
  const { merged } = configs;
  if (merged.unreadable.length > 0) return undefined;
  const setting = effectiveMaxPods(merged);
  if (isByEks) {
    // EKS's NodeConfig comes later and overrides all but flags; what it does with those isn't documented.
    if (setting?.from === 'flag' || setting?.from === 'unknown')
      return {
        kind: 'unknown',
        reason: 'its NodeConfig has flags for kubelet besides the number that EKS sets',
        source: placeIn(configs, 'spec.kubelet.flags').source,
      };
    return EKS;
  }
  if (setting === undefined)
    return { kind: 'formula', by: 'nodeadm', ...placeIn(configs, 'spec.kubelet.config', 'spec.kubelet', 'spec') };
  const { value, from, origin } = setting;
  const place = origin === undefined ? placeIn(configs, 'spec.kubelet') : at(origin.reading.body, origin.offset);
  if (value instanceof Unknown)
    return {
      kind: 'unknown',
      reason: `the max pods of its NodeConfig aren't known: ${value.reason}`,
      source: place.source,
    };
  if (from === 'expression')
    return typeof value === 'string'
      ? { kind: 'expression', text: value, by: '`maxPodsExpression` of its NodeConfig', ...place }
      : undefined;
  if (!isCount(value)) return undefined;
  return {
    kind: 'number',
    value,
    by: from === 'flag' ? '`--max-pods` in its NodeConfig' : '`maxPods` of its NodeConfig',
    isNodeConfig: from === 'config',
    ...place,
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}

/** The first of the paths that is there. */
function placeIn(
  { parts: [{ reading }], merged }: NodeConfigs,
  ...paths: readonly string[]
): { readonly source: Source; readonly line: number } {
  for (const path of paths) {
    const origin = dataAt(merged.data, ...path.split('.')) === undefined ? undefined : merged.origin(path);
    if (origin !== undefined) return at(origin.reading.body, origin.offset);
  }
  return at(reading.body, Math.max(0, reading.body.text.search(/\S/)));
}

function fromBootstrapScript({ parts }: UserDataDocument): NodeMaxPods | undefined {
  const calls = parts.flatMap((part) =>
    (part.readByCloudInit ? (nodeScriptOf(part)?.bootstrapCalls ?? []) : []).map((call) => fromCall(call, part.body)),
  );
  const [first, ...others] = calls;
  if (first === undefined) return undefined;
  const differing = others.find((other) => JSON.stringify(keyOf(other)) !== JSON.stringify(keyOf(first)));
  if (differing === undefined || first.kind === 'unknown' || first.kind === 'eks') return first;
  return { kind: 'unknown', reason: 'its user data calls bootstrap.sh in several ways', source: first.source };
}

function keyOf(setting: NodeMaxPods): readonly unknown[] {
  return [setting.kind, setting.kind === 'number' ? setting.value : undefined];
}

/** bootstrap.sh writes the number of its table unless `--use-max-pods` is anything but `true`; a flag of kubelet beats it. */
function fromCall(call: BootstrapCall, text: SourceText): NodeMaxPods {
  const place = at(text, call.offset);
  const unknown = (reason: string): NodeMaxPods => ({ kind: 'unknown', reason, source: place.source });
  if (call.isPatched) return unknown('the user data changes bootstrap.sh before it calls it');
  const isOpen = (option: string): boolean =>
    !call.options.has(option) && (call.hasUnknownWords || call.possibleOptions.has(option));
  if (isOpen('--kubelet-extra-args') || isOpen('--use-max-pods'))
    return unknown('not all arguments of bootstrap.sh are known');
  const extra = call.options.get('--kubelet-extra-args')?.value;
  const flags = extra === undefined ? undefined : kubeletArguments(extra);
  if (flags?.hasUnknownFlags === true) return unknown('not all flags that bootstrap.sh gives to kubelet are known');
  if (flags?.maxPods !== undefined) {
    const { text: written, offset } = flags.maxPods;
    if (written === undefined) return unknown('the number that bootstrap.sh gives to kubelet is not known');
    const value = Number(written.replace(/^["']|["']$/g, ''));
    return isCount(value)
      ? { kind: 'number', value, by: '`--max-pods` behind bootstrap.sh', isNodeConfig: false, ...at(text, offset) }
      : unknown(`${written} is no number of pods`);
  }
  const use = call.options.get('--use-max-pods')?.value;
  if (use === undefined) return { kind: 'formula', by: 'bootstrap.sh', ...place };
  if (use.text === undefined) return unknown('the value of --use-max-pods is not known');
  return use.text === 'true'
    ? { kind: 'formula', by: 'bootstrap.sh', ...place }
    : { kind: 'kubelet', by: `kubelet itself, as bootstrap.sh runs with \`--use-max-pods ${use.text}\``, ...place };
}

/** Bottlerocket takes the user's number, whoever brings the rest. Source: EKS user guide, "Customize managed nodes with launch templates"; Bottlerocket, settings.kubernetes.max-pods. */
function fromBottlerocket(document: UserDataDocument, isByEks: boolean): NodeMaxPods | undefined {
  const reading = bottlerocketSettingsOf(document);
  if (reading.document === undefined) {
    return reading.data instanceof Unknown && !reading.text.isKnown
      ? { kind: 'unknown', reason: reading.data.reason, source: reading.data.source }
      : undefined;
  }
  if (reading.problems.some(({ level }) => level === 'error')) return undefined;
  const setting = maxPodsOf(reading);
  const written = reading.valueAt('settings', 'kubernetes', 'max-pods');
  // Another type than a number is what `bottlerocket-settings` is about.
  if (setting === undefined && written !== undefined) return undefined;
  if (setting === undefined)
    return isByEks
      ? EKS
      : { kind: 'formula', by: 'Bottlerocket', ...at(reading.text, reading.offsetOf(['settings', 'kubernetes'])) };
  const { value, offset } = setting;
  if (value instanceof Unknown)
    return {
      kind: 'unknown',
      reason: `its max-pods isn't known: ${value.reason}`,
      source: reading.text.sourceAt(offset),
    };
  return {
    kind: 'number',
    value,
    by: '`max-pods` of its Bottlerocket settings',
    isNodeConfig: false,
    ...at(reading.text, offset),
  };
}

/** The bootstrap of Windows AMIs says nothing about pods unless it is told to. */
function fromWindows(document: UserDataDocument): NodeMaxPods | undefined {
  const [call, ...others] = eksBootstrapCallsIn(readWindows(document.text));
  if (call === undefined) return undefined;
  const { text } = document;
  const place = at(text, call.offset);
  const extra = call.parameters.get('KubeletExtraArgs')?.value;
  const flags = extra === undefined ? undefined : kubeletArguments(extra);
  const isOpen = others.length > 0 || flags?.hasUnknownFlags === true || (extra === undefined && call.hasUnknownWords);
  if (isOpen || (flags?.maxPods !== undefined && flags.maxPods.text === undefined))
    return { kind: 'unknown', reason: 'not all arguments of Start-EKSBootstrap are known', source: place.source };
  if (flags?.maxPods === undefined) return { kind: 'kubelet', by: 'kubelet itself', ...place };
  const value = Number(flags.maxPods.text);
  return isCount(value)
    ? {
        kind: 'number',
        value,
        by: '`--max-pods` behind Start-EKSBootstrap',
        isNodeConfig: false,
        ...at(text, flags.maxPods.offset),
      }
    : undefined;
}
