import { MAX_PODS_IN_CONFIG } from '../parts/eksctl-advice';
import { defineRule } from '../../engine';
import type { InstanceType } from '../../knowledge';
import { podsOn, isDataMap, type EksModel } from '../../eks';
import { CAPACITY_SETTINGS, nodeCapacity, podCeiling, type NodeCapacity } from '../../eks/networking/node-capacity';
import { named } from '../parts/about';
import { listOf } from '../../text/in-words';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import {
  cniPlace,
  hasPrefixesByPatch,
  judgeMaxPods,
  maxPodsCode,
  namesOf,
  typesPlace,
  type MaxPodsCase,
} from './parts/max-pods-judgements';
import { hasSameNumber } from './prefix-delegation-max-pods';

/*
 * kubelet takes as many pods as it is told, whether or not the CNI has addresses for them.
 * Sources: EKS user guide, "Choose an optimal Amazon EC2 node instance type"; aws/amazon-vpc-cni-k8s, pkg/ipamd.
 */

const CODE = {
  cloudformation: '# in the user data\n{{setting}}',
  'aws-cdk':
    "// ManagedNodeGroup from 'eks-guardrails/aws-cdk' writes it for every operating system, and refuses more than there are addresses for\nnew ManagedNodeGroup(this, 'Workers', { cluster, customAmi, maxPods: {{pods}} });",
  terraform: '# in user_data\n{{setting}}',
};

type Message = 'tooMany' | 'formula';

export const maxPodsCapacity = defineRule<Message>({
  id: 'max-pods-capacity',
  subject: 'vpc-cni',
  title: 'Nodes take no more pods than the VPC CNI has addresses for',
  severity: 'error',
  since: '0.1.0',
  messages: {
    tooMany: {
      text: '{{where}} runs up to {{found}} pods on {{types}} ({{by}}, line {{line}} of the user data), but the VPC CNI has addresses for {{capacity}} there ({{mode}}). All others stay ContainerCreating: "failed to assign an IP address to container".',
      fix: {
        summary: 'Set max pods to {{pods}}{{alternative}}.',
        summaryIn: MAX_PODS_IN_CONFIG,
        code: CODE,
        safety: 'needs-decision',
      },
    },
    formula: {
      text: '{{where}} leaves the number of pods to {{by}}, which makes {{found}} on {{types}}, but the VPC CNI has addresses for {{capacity}} there ({{mode}}). All others stay ContainerCreating: "failed to assign an IP address to container".',
      fix: {
        summary: 'Set max pods to {{pods}} in the user data{{alternative}}.',
        summaryIn: MAX_PODS_IN_CONFIG,
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  check: (model: EksModel) => judgeMaxPods(model, () => true, judge),
});

/** An instance type with more pods than it has room for. */
interface Overfull {
  readonly type: InstanceType;
  readonly pods: number;
  readonly capacity: NodeCapacity;
}

/** So many more than the capacity may well be pods on the host network. */
const MOST_HOST_PODS = 5;

function judge(one: MaxPodsCase): readonly LaunchOutcome<Message>[] {
  const {
    setting,
    types: { types, doubt, source },
    cni: { settings },
    ipFamily,
    when,
    boot,
  } = one;
  if (ipFamily === 'ipv6') return [];
  if (setting.kind === 'eks') return passing(when);
  // Without anything that takes interfaces away the formula is what the CNI has, on every instance type.
  if (setting.kind === 'formula' && !isReduced(one)) return passing(when);
  const unverifiable = (reason: string, at = source): readonly LaunchOutcome<Message>[] => [
    { verdict: 'unverifiable', reason, source: at, when },
  ];
  if (setting.kind === 'unknown') return unverifiable(setting.reason, setting.source);
  const byPatch =
    settings.switch(CAPACITY_SETTINGS.prefixDelegation).kind === 'off' && hasPrefixesByPatch(boot.boot.view);
  const over: Overfull[] = [];
  let open: string | undefined = doubt;
  for (const type of types) {
    const capacity = nodeCapacity(type.name, settings, 'ipv4');
    const pods = podsOn(type.name, setting);
    // No interface is left for pods at all: `custom-networking-conflicts` says so.
    if (capacity === undefined) return [];
    if (setting.kind === 'formula' && !isReduced(one, type)) continue;
    if (pods === undefined)
      return unverifiable(`what the expression makes on ${type.name} can't be told`, setting.source);
    const most = byPatch
      ? (nodeCapacity(type.name, settings, 'ipv4', { prefixDelegation: true })?.most ?? capacity.most)
      : capacity.most;
    if (pods > most) over.push({ type, pods, capacity });
    else if (pods > capacity.most)
      open ??= 'a patch of aws-node turns prefix delegation on, which the next update of the add-on may turn off';
    else if (pods > capacity.least)
      open ??= `what the CNI gives to ${type.name} isn't known: ${capacity.doubt?.reason ?? 'a setting is decided at deployment'}`;
  }
  const [first] = over;
  if (first === undefined) return open === undefined ? passing(when) : unverifiable(open);
  // Of some types too many pods, of others no more than without prefixes: the fix of the latter is one for both.
  if (hasSameNumber(one)) return [];
  if (ipFamily === undefined)
    return unverifiable(
      `an IPv4 cluster hasn't the addresses for its pods, and the IP family isn't known: ${one.ipFamilyReason}`,
    );
  return [failure(one, over, first)];
}

/** Whether something takes interfaces away from those that every bootstrap counts with. */
function isReduced({ cni: { settings } }: MaxPodsCase, type?: InstanceType): boolean {
  const limit = settings.number(CAPACITY_SETTINGS.maxEnis);
  if (settings.switch(CAPACITY_SETTINGS.customNetworking).kind !== 'off' || limit.kind === 'unknown') return true;
  return limit.kind === 'number' && limit.value >= 1 && (type === undefined || limit.value < type.enis);
}

function failure(one: MaxPodsCase, over: readonly Overfull[], first: Overfull): LaunchOutcome<Message> {
  const { setting, types, cni, when, family } = one;
  if (setting.kind === 'eks' || setting.kind === 'unknown') throw new Error('only a number can be too high');
  const smallest = over.reduce((least, other) => (other.capacity.most < least.capacity.most ? other : least), first);
  const isSame = over.every(({ pods }) => pods === smallest.pods);
  const shown = isSame && over.every(({ capacity }) => capacity.most === smallest.capacity.most) ? over : [smallest];
  const prefixed = nodeCapacity(smallest.type.name, cni.settings, 'ipv4', { prefixDelegation: true });
  const withPrefixes =
    prefixed !== undefined && prefixed.least > smallest.capacity.most && smallest.pods <= prefixed.least;
  const pods = Math.min(smallest.capacity.most, podCeiling(smallest.type.name) ?? 110);
  const excess = Math.max(...over.map(({ pods: found, capacity }) => found - capacity.most));
  const isCertain =
    over.length === types.types.length &&
    types.doubt === undefined &&
    excess > MOST_HOST_PODS &&
    !(withPrefixes && mayBeSetByHand(one));
  return {
    verdict: 'fail',
    message: setting.kind === 'number' || setting.kind === 'expression' ? 'tooMany' : 'formula',
    severity: isCertain ? 'error' : 'warning',
    source: setting.source,
    about: named(namesOf(shown.map(({ type }) => type))),
    when,
    data: {
      found: String(smallest.pods),
      types: listOf(namesOf(shown.map(({ type }) => type))),
      by: setting.by,
      line: String(setting.line),
      capacity: String(smallest.capacity.most),
      mode: modeText(one, smallest),
      pods: String(pods),
      alternative: withPrefixes
        ? ', or turn prefix delegation on (`env.ENABLE_PREFIX_DELEGATION: "true"`), which gives addresses to more'
        : '',
      setting: maxPodsCode(family, pods),
    },
    related: [cniPlace(cni, 'gives pods their addresses'), ...typesPlace(types)],
  };
}

/** Nothing is configured in the code, so that what is in force may be what somebody set with kubectl. A chart resets that. */
function mayBeSetByHand({
  cni: {
    addon,
    settings: { data },
  },
}: MaxPodsCase): boolean {
  return addon !== undefined && (data === undefined || (isDataMap(data) && Object.keys(data).length === 0));
}

function modeText({ cni: { settings } }: MaxPodsCase, { type, capacity: { branchEnis } }: Overfull): string {
  const prefixes = settings.switch(CAPACITY_SETTINGS.prefixDelegation).kind === 'on';
  const enis = settings.number(CAPACITY_SETTINGS.maxEnis);
  const trunk = settings.switch(CAPACITY_SETTINGS.podSecurityGroups).kind === 'on' && type.trunk;
  const parts = [
    prefixes
      ? type.nitro
        ? 'with prefix delegation'
        : 'which has no prefix delegation'
      : 'single addresses, without prefix delegation',
    ...(settings.switch(CAPACITY_SETTINGS.customNetworking).kind === 'on' ? ['with custom networking'] : []),
    ...(enis.kind === 'number' && enis.value < type.enis ? [`with MAX_ENI ${enis.value}`] : []),
    ...(trunk ? [`with a trunk interface, ${branchEnis} pods with security groups of their own included`] : []),
  ];
  return parts.join(', ');
}
