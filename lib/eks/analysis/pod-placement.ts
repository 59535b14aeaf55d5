import { globMatcher } from '../../text/glob';
import type { Certainty } from './addon';
import { casesOf } from '../model/existence';
import type { ClusterView } from '../model/model';
import { amiFamilyOf, launchTemplateOf, type AnyNodeGroup } from './node-group';
import type { NodeGroup, NodeLabel, NodeTaint } from '../model/resources';
import { selects } from './security-group-policies';
import {
  alternativesOf,
  always,
  dataAt,
  isCovered,
  isDataMap,
  nowhere,
  textOf,
  Unknown,
  type Data,
  type Plain,
  type Value,
  type When,
} from '../../value';

/** What pods say about the nodes that they may run on. Undefined: nothing. */
export interface PodScheduling {
  /** Undefined if it isn't known. */
  readonly namespace: string | undefined;
  readonly nodeSelector: Data | undefined;
  readonly affinity: Data | undefined;
  readonly tolerations: Data | undefined;
}

/**
 * Whether Linux pods may be scheduled onto the nodes of a group, as far as its labels and taints tell.
 * Source: Kubernetes, "Assigning Pods to Nodes" and "Taints and Tolerations".
 */
export function mayRunOn(group: AnyNodeGroup, view: ClusterView, pods: PodScheduling): Certainty {
  const values = {
    family: amiFamilyOf(group, view),
    ...(group.kind === 'node-group' ? { labels: group.labels, taints: group.taints } : {}),
  };
  const answers = casesOf<Record<string, Value<unknown>>>(group, values).map(({ values: one }): Certainty => {
    const { family, labels, taints } = one as {
      family: Plain<string>;
      labels?: Plain<readonly NodeLabel[]>;
      taints?: Plain<readonly NodeTaint[]>;
    };
    if (family.kind === 'known' && family.value === 'WINDOWS') return 'no';
    return least([isSelected(labelsOf(group, labels), pods), isTolerated(group, taints, pods.tolerations)]);
  });
  return least([mostAlike(answers), opposite(runsOnFargate(view, pods, group.exists))]);
}

/** Whether a Fargate profile takes the pods away from all nodes, wherever an assumption holds. */
export function runsOnFargate(
  { fargateProfiles, cluster }: ClusterView,
  { namespace }: PodScheduling,
  when: When,
): Certainty {
  const within = when.and(cluster?.exists ?? always) ?? when;
  const answers = fargateProfiles.flatMap((profile): readonly Certainty[] => {
    const { selectors, exists } = profile;
    if (selectors.kind === 'absent' || exists.and(within) === undefined) return [];
    if (selectors.kind !== 'known') return ['maybe'];
    return selectors.value.map((selector): Certainty => {
      const fits = mostAlike(alternativesOf(selector.namespace).map(({ value }) => isNamed(value, namespace)));
      return fits === 'yes' && (selector.hasLabels || !isCovered(within, [exists])) ? 'maybe' : fits;
    });
  });
  if (answers.includes('yes')) return 'yes';
  return answers.includes('maybe') ? 'maybe' : 'no';
}

function isNamed(pattern: Plain<string>, namespace: string | undefined): Certainty {
  if (pattern.kind === 'absent') return 'no';
  if (pattern.kind === 'unknown' || namespace === undefined) return 'maybe';
  return globMatcher(pattern.value)(namespace) ? 'yes' : 'no';
}

/** Labels that a kubelet or the cloud provider gives to every node; their values don't follow from the group. */
const ALWAYS_THERE = [
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'topology.k8s.aws/zone-id',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.ebs.csi.aws.com/zone',
];
/** Labels that EKS gives to the nodes of managed groups. */
const BY_EKS = [
  'eks.amazonaws.com/nodegroup-image',
  'eks.amazonaws.com/sourceLaunchTemplateId',
  'eks.amazonaws.com/sourceLaunchTemplateVersion',
];

/** All labels of a group's nodes, with what isn't known of them. */
function labelsOf(group: AnyNodeGroup, own: Plain<readonly NodeLabel[]> | undefined): Data {
  if (own?.kind === 'unknown') return own;
  const open = new Unknown('it is decided when the node starts', nowhere);
  const labels = new Map<string, Data>([
    ...ALWAYS_THERE.map((key): [string, Data] => [key, open]),
    ['kubernetes.io/os', 'linux'],
    ['beta.kubernetes.io/os', 'linux'],
  ]);
  if (group.kind === 'node-group') for (const [key, value] of labelsByEks(group)) labels.set(key, value);
  for (const { key, value } of own?.kind === 'known' ? own.value : []) {
    // A key that is decided at deployment may be any.
    labels.set(key.kind === 'known' ? key.value : '${key}', value.kind === 'known' ? value.value : open);
  }
  if (mayBeInUserData(group, 'label')) labels.set('${user data}', open);
  return Object.fromEntries(labels);
}

function labelsByEks({ name, capacityType }: NodeGroup): readonly [string, Data][] {
  const open = new Unknown('EKS decides it', nowhere);
  const capacity =
    capacityType.kind === 'absent' ? 'ON_DEMAND' : capacityType.kind === 'known' ? capacityType.value : open;
  return [
    ...BY_EKS.map((key): [string, Data] => [key, open]),
    ['eks.amazonaws.com/nodegroup', name.kind === 'known' ? name.value : open],
    ['eks.amazonaws.com/capacityType', capacity],
  ];
}

/** Whether the user data, or what the input doesn't show of it, may give the kubelet labels or taints. */
function mayBeInUserData(group: AnyNodeGroup, word: string): boolean {
  return alternativesOf(launchTemplateOf(group)).some(({ value: template }) => {
    if (template.kind !== 'known') return template.kind === 'unknown' || group.kind === 'self-managed-node-group';
    return alternativesOf(template.value.userData).some(
      ({ value }) => value.kind === 'unknown' || (value.kind === 'known' && value.value.text.text.includes(word)),
    );
  });
}

function isSelected(labels: Data, { nodeSelector, affinity }: PodScheduling): Certainty {
  const bySelector =
    nodeSelector === undefined || nodeSelector === null ? 'yes' : selects({ matchLabels: nodeSelector }, labels);
  const terms = dataAt(affinity, 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  if (isNothing(terms)) return bySelector;
  if (!Array.isArray(terms)) return least([bySelector, 'maybe']);
  const answers = (terms as readonly Data[]).map((term) => fitsTerm(term, labels));
  return least([bySelector, answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no']);
}

const COMPARISONS: ReadonlySet<unknown> = new Set(['Gt', 'Lt']);

/** What is compared, and fields of the node, are for nobody to foresee. */
function fitsTerm(term: Data, labels: Data): Certainty {
  if (term instanceof Unknown) return 'maybe';
  const expressions = dataAt(term, 'matchExpressions');
  const compares =
    Array.isArray(expressions) &&
    (expressions as readonly Data[]).some((one) => COMPARISONS.has(dataAt(one, 'operator')));
  if (compares || !isNothing(dataAt(term, 'matchFields'))) return 'maybe';
  // An empty term fits nothing.
  return expressions === undefined || isNothing(expressions)
    ? 'no'
    : selects({ matchExpressions: expressions }, labels);
}

function isTolerated(
  group: AnyNodeGroup,
  taints: Plain<readonly NodeTaint[]> | undefined,
  tolerations: Data | undefined,
): Certainty {
  if (taints?.kind === 'unknown') return 'maybe';
  const answers = (taints?.kind === 'known' ? taints.value : []).map((taint) => toleratesTaint(taint, tolerations));
  return least([...answers, mayBeInUserData(group, 'taint') ? 'maybe' : 'yes']);
}

const SOFT = new Set(['PREFER_NO_SCHEDULE', 'PreferNoSchedule']);

function toleratesTaint(taint: NodeTaint, tolerations: Data | undefined): Certainty {
  if (taint.effect.kind === 'known' && SOFT.has(taint.effect.value)) return 'yes';
  if (tolerations instanceof Unknown) return 'maybe';
  const answers = (Array.isArray(tolerations) ? (tolerations as readonly Data[]) : []).map((one) =>
    tolerates(one, taint),
  );
  if (answers.includes('yes')) return 'yes';
  // A taint whose effect isn't known may be a mere preference.
  return answers.includes('maybe') || taint.effect.kind !== 'known' ? 'maybe' : 'no';
}

function tolerates(toleration: Data, { key, value, effect }: NodeTaint): Certainty {
  if (!isDataMap(toleration)) return 'maybe';
  const operator = dataAt(toleration, 'operator') ?? 'Equal';
  const wanted = dataAt(toleration, 'key') ?? '';
  if (operator === 'Exists' && wanted === '') return isEffect(dataAt(toleration, 'effect'), effect);
  const answers = [isSame(wanted, key), isEffect(dataAt(toleration, 'effect'), effect)];
  if (operator === 'Equal') answers.push(isSame(dataAt(toleration, 'value') ?? '', value));
  else if (operator !== 'Exists') answers.push('maybe');
  return least(answers);
}

function isSame(wanted: Data, value: Value<string>): Certainty {
  if (wanted instanceof Unknown || value.kind === 'choice' || value.kind === 'unknown') return 'maybe';
  return wanted === (textOf(value) ?? '') ? 'yes' : 'no';
}

/** EKS writes effects in its own way; a toleration without one is for all of them. */
function isEffect(wanted: Data | undefined, effect: Value<string>): Certainty {
  if (isNothing(wanted) || wanted === '') return 'yes';
  if (wanted instanceof Unknown || effect.kind !== 'known') return 'maybe';
  const plain = (text: string) => text.replaceAll('_', '').toLowerCase();
  return typeof wanted === 'string' && plain(wanted) === plain(effect.value) ? 'yes' : 'no';
}

function isNothing(data: Data | undefined): boolean {
  return (
    data === undefined ||
    data === null ||
    (isDataMap(data) && Object.keys(data).length === 0) ||
    (Array.isArray(data) && data.length === 0)
  );
}

function least(answers: readonly Certainty[]): Certainty {
  if (answers.includes('no')) return 'no';
  return answers.includes('maybe') ? 'maybe' : 'yes';
}

function mostAlike(answers: readonly Certainty[]): Certainty {
  return new Set(answers).size === 1 ? (answers[0] ?? 'maybe') : 'maybe';
}

function opposite(answer: Certainty): Certainty {
  return answer === 'maybe' ? 'maybe' : answer === 'yes' ? 'no' : 'yes';
}
