import { Token } from 'aws-cdk-lib';
import { instanceType } from '../../lib/knowledge';
import { maxPods, type MaxPods, type MaxPodsMode } from '../../lib/networking';
import type { OperatingSystem } from './ami-family';

/** What decides how many pods a node of the group gets, and how many it can give addresses to. */
export interface PodCapacityInput {
  readonly os: OperatingSystem;
  readonly instanceTypes: readonly string[];
  readonly ipFamily: 'ipv4' | 'ipv6';
  readonly hasCustomAmi: boolean;
  /** The number that the user sets; undefined if it is left to EKS or nodeadm, or set by an expression. */
  readonly maxPods: number | undefined;
  readonly setsMaxPods: boolean;
  readonly addonPath: string;
  readonly mode: MaxPodsMode;
}

/** What doesn't fit between a node group and the vpc-cni add-on of its cluster; each as a sentence. */
export function podCapacityProblems(input: PodCapacityInput): string[] {
  const { addonPath, hasCustomAmi, ipFamily, os } = input;
  if (os === 'WINDOWS') return [];
  const mode = { ...input.mode, ...(ipFamily === 'ipv6' ? { prefixDelegation: true } : {}) };
  const known = input.instanceTypes.filter((name) => !Token.isUnresolved(name) && instanceType(name) !== undefined);
  const nodes: { name: string; pods: MaxPods }[] = [];
  for (const name of known) {
    try {
      nodes.push({ name, pods: maxPods(name, mode) });
    } catch (error) {
      if (error instanceof RangeError) return [`instanceTypes has ${name}, which can't run pods with the vpc-cni add-on ${addonPath}: ${error.message}`];
      throw error;
    }
  }
  const smallest = nodes.sort((a, b) => a.pods.capacity - b.pods.capacity)[0];
  const problems: string[] = [];
  const option = input.mode.customNetworking === true ? 'customNetworking' : input.mode.prefixDelegation === true ? 'prefixDelegation' : undefined;
  if (hasCustomAmi && option !== undefined && !input.setsMaxPods) {
    const number = smallest?.pods.recommended;
    const hint = number === undefined || nodes.length < input.instanceTypes.length ? '' : `; AWS recommends ${number} for these instance types`;
    problems.push(`customAmi is set without maxPods, and the vpc-cni add-on ${addonPath} has ${option}, of which nodeadm knows nothing when it computes the number of pods: set maxPods${hint}`);
  }
  const most = smallest === undefined ? undefined : smallest.pods.capacity + (smallest.pods.branchEnis ?? 0);
  if (input.maxPods !== undefined && !Token.isUnresolved(input.maxPods) && smallest !== undefined && most !== undefined && input.maxPods > most) {
    problems.push(
      `maxPods is ${input.maxPods}, but with the vpc-cni add-on ${addonPath} a ${smallest.name} has addresses for ${most} pods; the others would stay in ContainerCreating: set at most ${most}, or prefixDelegation on the add-on`,
    );
  }
  return problems;
}
