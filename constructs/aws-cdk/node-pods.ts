import { Token } from 'aws-cdk-lib';
import { instanceType } from '../../lib/knowledge';
import { maxPods, type MaxPods, type MaxPodsMode } from '../../lib/networking';
import type { OperatingSystem } from './ami-family';
import type { CniMember } from './cluster-members';
import type { ManagedNodeGroupProps } from './managed-node-group-props';
import { flagsOf } from './node-config-conflicts';

/** What decides how many pods a node of the group gets, and how many it can give addresses to. */
export interface PodCapacityInput {
  readonly os: OperatingSystem;
  readonly instanceTypes: readonly string[];
  readonly ipFamily: 'ipv4' | 'ipv6';
  readonly hasCustomAmi: boolean;
  /** The number that the user sets; undefined if it is left to EKS or the node, set by an expression, or decided at deployment. */
  readonly maxPods: number | undefined;
  readonly setsMaxPods: boolean;
  readonly addonPath: string;
  readonly mode: MaxPodsMode;
}

/** The same for a node group and the add-on of its cluster. */
export function podCapacityInput(props: ManagedNodeGroupProps, os: OperatingSystem, instanceTypes: readonly string[], ipFamily: 'ipv4' | 'ipv6', cni: CniMember): PodCapacityInput {
  const kubelet = props.nodeConfig?.spec.kubelet;
  const given = props.maxPods ?? kubelet?.config?.maxPods ?? props.bottlerocketSettings?.kubernetes('max-pods');
  return {
    os,
    instanceTypes,
    ipFamily,
    hasCustomAmi: props.customAmi !== undefined,
    maxPods: typeof given === 'number' && !Token.isUnresolved(given) ? given : undefined,
    setsMaxPods: given !== undefined || kubelet?.maxPodsExpression !== undefined || (props.nodeConfig !== undefined && flagsOf(props.nodeConfig).some((flag) => flag.name === 'max-pods')),
    addonPath: cni.construct.node.path,
    // A Windows node has one interface, and settings of its own.
    mode: os === 'WINDOWS' ? { windows: true, prefixDelegation: cni.windowsPrefixDelegation } : cni.maxPodsMode,
  };
}

/** The option of the add-on that the node's own bootstrap knows nothing of; undefined if it computes the number of pods rightly. */
function unseenOption({ os, mode, hasCustomAmi, setsMaxPods, instanceTypes }: PodCapacityInput): string | undefined {
  if (!hasCustomAmi || setsMaxPods || os === 'WINDOWS') return undefined;
  if (mode.customNetworking === true) return 'customNetworking';
  if (mode.prefixDelegation === true) return 'prefixDelegation';
  const { maxEnis } = mode;
  return maxEnis !== undefined && instanceTypes.some((name) => (isKnown(name) ? instanceType(name)?.enis ?? 0 : Infinity) > maxEnis) ? 'warmTargets.maxEni' : undefined;
}

/**
 * The number of pods for nodes whose bootstrap would compute another one: what AWS recommends for the smallest instance type.
 * Undefined if the bootstrap is right, and if the number isn't known, which {@link podCapacityProblems} reports.
 */
export function computedMaxPods(input: PodCapacityInput): number | undefined {
  if (unseenOption(input) === undefined) return undefined;
  const numbers = input.instanceTypes.map((name) => recommended(name, input.mode));
  return numbers.reduce((least, number) => (least === undefined || number === undefined ? undefined : Math.min(least, number)));
}

function recommended(name: string, mode: MaxPodsMode): number | undefined {
  if (!isKnown(name)) return undefined;
  try {
    return maxPods(name, mode).recommended;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isKnown(name: string): boolean {
  return !Token.isUnresolved(name) && instanceType(name) !== undefined;
}

/** What doesn't fit between a node group and the vpc-cni add-on of its cluster; each as a sentence. */
export function podCapacityProblems(input: PodCapacityInput): string[] {
  const { addonPath, ipFamily, os } = input;
  const mode = { ...input.mode, ...(ipFamily === 'ipv6' ? { prefixDelegation: true } : {}) };
  const nodes: { name: string; pods: MaxPods }[] = [];
  for (const name of input.instanceTypes.filter(isKnown)) {
    try {
      nodes.push({ name, pods: maxPods(name, mode) });
    } catch (error) {
      if (error instanceof RangeError) return [`instanceTypes has ${name}, which can't run pods with the vpc-cni add-on ${addonPath}: ${error.message}`];
      throw error;
    }
  }
  const smallest = nodes.sort((a, b) => a.pods.capacity - b.pods.capacity)[0];
  const problems: string[] = [];
  const option = unseenOption(input);
  if (option !== undefined && computedMaxPods(input) === undefined) {
    const unknown = input.instanceTypes.find((name) => recommended(name, input.mode) === undefined) ?? '';
    problems.push(
      `customAmi is set without maxPods, and the vpc-cni add-on ${addonPath} has ${option}, of which the bootstrap of ${os} knows nothing when it computes the number of pods; AWS's recommendation isn't known for ${Token.isUnresolved(unknown) ? 'an instance type that is a token' : unknown}: set maxPods`,
    );
  }
  const most = smallest === undefined ? undefined : smallest.pods.capacity + (smallest.pods.branchEnis ?? 0);
  if (input.maxPods !== undefined && smallest !== undefined && most !== undefined && input.maxPods > most) {
    const more = os === 'WINDOWS' ? 'enableWindowsPrefixDelegation in the configurationValues of the add-on' : 'prefixDelegation on the add-on';
    problems.push(
      `maxPods is ${input.maxPods}, but with the vpc-cni add-on ${addonPath} a ${smallest.name} has addresses for ${most} pods; the others would stay in ContainerCreating: set at most ${most}, or ${more}`,
    );
  }
  return problems;
}
