import { MAX_PODS_IN_CONFIG } from '../parts/eksctl-advice';
import { defineRule } from '../../engine';
import type { InstanceType } from '../../knowledge';
import { podsOn, type CniCase, type EksModel } from '../../eks';
import { maxPods } from '../../eks/networking/max-pods';
import { CAPACITY_SETTINGS, nodeCapacity, podCeiling } from '../../eks/networking/node-capacity';
import { named } from '../parts/about';
import { listOf } from '../../text/in-words';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import {
  cniPlace,
  judgeMaxPods,
  maxPodsCode,
  namesOf,
  typesPlace,
  type MaxPodsCase,
} from './parts/max-pods-judgements';

/*
 * Prefix delegation gives a node addresses for more pods, and kubelet goes on with the number that it has.
 * Sources: EKS user guide, "Assign more IP addresses to Amazon EKS nodes with prefixes"; awslabs/amazon-eks-ami, nodeadm/internal/kubelet.
 */

const CODE = {
  cloudformation: '# in the user data\n{{setting}}',
  'aws-cdk':
    "// ManagedNodeGroup from 'eks-guardrails/aws-cdk' writes it for every operating system\nnew ManagedNodeGroup(this, 'Workers', { cluster, customAmi, maxPods: {{pods}} });",
  terraform: '# in user_data\n{{setting}}',
};

type Message = 'notSet' | 'unchanged' | 'ceiling';
type SameNumber = 'error' | 'warning' | 'allow';

export const prefixDelegationMaxPods = defineRule<Message>({
  id: 'prefix-delegation-max-pods',
  subject: 'vpc-cni',
  title: 'Nodes of a cluster with prefix delegation take more pods than they have single addresses for',
  severity: 'warning',
  since: '0.1.0',
  options: {
    sameNumber: {
      description: 'What to make of nodes that take as many pods as without prefix delegation.',
      allowed: ['error', 'warning', 'allow'],
      default: 'warning',
    },
  },
  messages: {
    notSet: {
      text: '{{where}} leaves the number of pods to {{by}}, which knows nothing of prefix delegation: {{found}} pods on {{types}}, where there are addresses for {{capacity}}. Fewer EC2 calls and faster starts are all that prefixes then bring.',
      fix: {
        summary:
          "Set max pods in the user data: AWS recommends {{pods}} here. Or set the option `sameNumber` to `allow` if more pods aren't the aim.",
        summaryIn: MAX_PODS_IN_CONFIG,
        code: CODE,
        safety: 'needs-decision',
      },
    },
    unchanged: {
      text: '{{where}} sets {{found}} pods ({{by}}, line {{line}} of the user data), the number for {{types}} without prefix delegation, which is on and gives addresses for {{capacity}}. Fewer EC2 calls and faster starts are all that prefixes then bring.',
      fix: {
        summary:
          'Set max pods to what AWS recommends, {{pods}}; or set the option `sameNumber` to `allow` if the number is meant.',
        summaryIn: MAX_PODS_IN_CONFIG,
        code: CODE,
        safety: 'needs-decision',
      },
    },
    ceiling: {
      text: '{{where}} sets {{found}} pods ({{by}}, line {{line}} of the user data) for {{types}}. There are addresses for them, but AWS recommends no more than {{pods}} on that many vCPUs: kubelet and the node agents fall behind.',
      fix: {
        summary: 'Set max pods to {{pods}}, or test the nodes under that load and suppress this.',
        summaryIn: MAX_PODS_IN_CONFIG,
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  check: (model: EksModel, { options }) =>
    judgeMaxPods(model, mayHavePrefixes, (one) => judge(one, options['sameNumber'] as SameNumber)),
});

function mayHavePrefixes({ settings }: CniCase): boolean {
  return settings.switch(CAPACITY_SETTINGS.prefixDelegation).kind !== 'off';
}

/** An instance type that can run more pods with prefixes than without them. */
interface Gaining {
  readonly type: InstanceType;
  /** What kubelet takes. */
  readonly pods: number;
  /** What there are single addresses for. */
  readonly single: number;
  readonly capacity: number;
  readonly recommended: number;
}

function judge(one: MaxPodsCase, sameNumber: SameNumber): readonly LaunchOutcome<Message>[] {
  const {
    setting,
    ipFamily,
    when,
    cni: { settings },
    types: { types, doubt, source },
  } = one;
  if (ipFamily === 'ipv6') return [];
  if (setting.kind === 'eks' || setting.kind === 'kubelet') return passing(when);
  const unverifiable = (reason: string, at = source): readonly LaunchOutcome<Message>[] => [
    { verdict: 'unverifiable', reason, source: at, when },
  ];
  if (setting.kind === 'unknown') return unverifiable(setting.reason, setting.source);
  // Where no interface is left for pods, `custom-networking-conflicts` says so.
  if (types.some(({ name }) => nodeCapacity(name, settings, 'ipv4') === undefined)) return [];
  const opaque = types.find(({ name }) => podsOn(name, setting) === undefined);
  if (opaque !== undefined)
    return unverifiable(`what the expression makes on ${opaque.name} can't be told`, setting.source);
  const gaining = gainingOf(one);
  const failure = sameNumberOf(one, gaining, sameNumber) ?? ceilingOf(one, gaining);
  if (failure === undefined)
    return doubt === undefined || (setting.kind === 'number' && types.length > 0) ? passing(when) : unverifiable(doubt);
  const prefixes = settings.switch(CAPACITY_SETTINGS.prefixDelegation);
  if (prefixes.kind === 'unknown')
    return unverifiable(
      `whether prefix delegation is on isn't known: ${prefixes.unknown.reason}`,
      prefixes.unknown.source,
    );
  if (ipFamily === undefined)
    return unverifiable(`${one.ipFamilyReason}; in an IPv6 cluster prefixes serve another end`);
  return [failure];
}

/** Whether the rule objects to the number by itself, so that nothing else needs to be said about it. */
export function hasSameNumber(one: MaxPodsCase): boolean {
  return (
    one.cni.settings.switch(CAPACITY_SETTINGS.prefixDelegation).kind === 'on' &&
    sameNumberOf(one, gainingOf(one), 'error') !== undefined
  );
}

function gainingOf(one: MaxPodsCase): readonly Gaining[] {
  return one.types.types.flatMap((type) => {
    const pods = podsOn(type.name, one.setting);
    return pods === undefined ? [] : (gainOf(one, type, pods) ?? []);
  });
}

function gainOf({ cni: { settings } }: MaxPodsCase, type: InstanceType, pods: number): Gaining | undefined {
  if (!type.nitro) return undefined;
  const prefixed = nodeCapacity(type.name, settings, 'ipv4', { prefixDelegation: true });
  const plain = nodeCapacity(type.name, settings, 'ipv4', { prefixDelegation: false });
  if (prefixed === undefined || plain === undefined) return undefined;
  const recommended = Math.min(prefixed.least, podCeiling(type.name) ?? 110);
  return plain.most < recommended && maxPods(type.name).capacity < recommended
    ? { type, pods, single: plain.most, capacity: prefixed.least, recommended }
    : undefined;
}

/** Nodes that run no pod more than without prefixes. A number that is smaller than that is somebody's choice. */
function sameNumberOf(
  one: MaxPodsCase,
  gaining: readonly Gaining[],
  sameNumber: SameNumber,
): LaunchOutcome<Message> | undefined {
  const { setting, cni, types } = one;
  if (sameNumber === 'allow') return undefined;
  if (setting.kind === 'formula') return failureOf(one, gaining, 'notSet', sameNumber);
  // With several instance types the number of the smallest one may be what counts for all.
  const isBeyond = types.types.some(({ name }) => (podsOn(name, setting) ?? 0) > Math.max(maxPods(name).capacity, 0));
  const same = gaining.filter(
    ({ type, pods, single }) =>
      pods <= single && (pods === maxPods(type.name).capacity || pods === ownAddresses(cni, type)),
  );
  return isBeyond ? undefined : failureOf(one, same, 'unchanged', sameNumber);
}

/** Single addresses without the branch interfaces of pods with security groups of their own. */
function ownAddresses({ settings }: CniCase, { name }: InstanceType): number | undefined {
  const capacity = nodeCapacity(name, settings, 'ipv4', { prefixDelegation: false });
  return capacity === undefined ? undefined : capacity.most - capacity.branchEnis;
}

function ceilingOf(one: MaxPodsCase, gaining: readonly Gaining[]): LaunchOutcome<Message> | undefined {
  const {
    setting,
    types: { types },
    cni: { settings },
  } = one;
  // An expression may be meant to; and `node-config-value` has its say about more than 250.
  if (setting.kind !== 'number' || (setting.isNodeConfig && setting.value > 250)) return undefined;
  // Where there are no addresses for so many, `max-pods-capacity` says more.
  if (types.some(({ name }) => setting.value > (nodeCapacity(name, settings, 'ipv4')?.most ?? 0))) return undefined;
  const above = gaining.filter(
    ({ type, pods, capacity }) => pods <= capacity && pods > (podCeiling(type.name) ?? Infinity),
  );
  return failureOf(one, above, 'ceiling', 'warning');
}

function failureOf(
  one: MaxPodsCase,
  found: readonly Gaining[],
  message: Message,
  severity: 'error' | 'warning',
): LaunchOutcome<Message> | undefined {
  const { setting, cni, when, family, types } = one;
  const [first] = found;
  if (first === undefined || setting.kind === 'eks' || setting.kind === 'unknown') return undefined;
  const smallest = found.reduce(
    (least, other) =>
      other.recommended < least.recommended || (other.recommended === least.recommended && other.pods < least.pods)
        ? other
        : least,
    first,
  );
  const alike = found.filter(({ pods, capacity }) => pods === smallest.pods && capacity === smallest.capacity);
  return {
    verdict: 'fail',
    message,
    severity,
    source: setting.source,
    about: named(namesOf(alike.map(({ type }) => type))),
    when,
    data: {
      by: setting.by,
      line: String(setting.line),
      types: listOf(namesOf(alike.map(({ type }) => type))),
      found: String(smallest.pods),
      capacity: String(smallest.capacity),
      pods: String(smallest.recommended),
      setting: maxPodsCode(family, smallest.recommended),
    },
    related: [cniPlace(cni, 'turns prefix delegation on'), ...typesPlace(types)],
  };
}
