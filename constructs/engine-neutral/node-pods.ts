import { instanceType } from '../../lib/knowledge';
import { maxPods, type MaxPods, type MaxPodsMode } from '../../lib/eks/networking';
import type { OperatingSystem, ResolvedAmi } from './ami-family';
import type { IpFamily } from './cluster';
import type { CniMember } from './cni-member';
import { flagsOf } from './node-config-conflicts';
import type { NodeOptions } from './node-options';
import type { TokenTools } from './tokens';

/** What decides how many pods a node of the group gets, and how many it can give addresses to. */
export interface PodCapacityInput {
  readonly os: OperatingSystem;
  readonly instanceTypes: readonly string[];
  readonly ipFamily: IpFamily;
  readonly hasCustomAmi: boolean;
  /** The number that the user sets; undefined if it is left to EKS or the node, set by an expression, or decided at deployment. */
  readonly maxPods: number | undefined;
  readonly setsMaxPods: boolean;
  readonly addonPath: string;
  readonly tokens: TokenTools;
  readonly mode: MaxPodsMode;
}

/** The same for a node group and the add-on of its cluster. */
export function podCapacityInput(
  tokens: TokenTools,
  options: NodeOptions,
  { os, instanceTypes }: Pick<ResolvedAmi, 'os' | 'instanceTypes'>,
  ipFamily: IpFamily,
  cni: CniMember,
): PodCapacityInput {
  const kubelet = options.nodeConfig?.spec.kubelet;
  const given = options.maxPods ?? kubelet?.config?.maxPods ?? options.bottlerocketSettings?.kubernetes('max-pods');
  return {
    os,
    instanceTypes,
    ipFamily,
    hasCustomAmi: options.customAmi !== undefined,
    maxPods: typeof given === 'number' && !tokens.isToken(given) ? given : undefined,
    setsMaxPods:
      given !== undefined ||
      kubelet?.maxPodsExpression !== undefined ||
      (options.nodeConfig !== undefined && flagsOf(options.nodeConfig).some((flag) => flag.name === 'max-pods')),
    tokens,
    addonPath: cni.construct.node.path,
    // A Windows node has one interface, and settings of its own.
    mode: os === 'WINDOWS' ? { windows: true, prefixDelegation: cni.windowsPrefixDelegation } : cni.maxPodsMode,
  };
}

/** The option of the add-on that the node's own bootstrap knows nothing of; undefined if it computes the number of pods rightly. */
function unseenOption({
  os,
  mode,
  hasCustomAmi,
  setsMaxPods,
  instanceTypes,
  tokens,
}: PodCapacityInput): string | undefined {
  if (!hasCustomAmi || setsMaxPods || os === 'WINDOWS') return undefined;
  if (mode.customNetworking === true) return 'customNetworking';
  if (mode.prefixDelegation === true) return 'prefixDelegation';
  const { maxEnis } = mode;
  return maxEnis !== undefined &&
    instanceTypes.some((name) => (isKnown(tokens, name) ? (instanceType(name)?.enis ?? 0) : Infinity) > maxEnis)
    ? 'warmTargets.maxEni'
    : undefined;
}

/**
 * The number of pods for nodes whose bootstrap would compute another one: what AWS recommends for the smallest instance type.
 * Undefined if the bootstrap is right, and if the number isn't known, which {@link podCapacityProblems} reports.
 */
export function computedMaxPods(input: PodCapacityInput): number | undefined {
  if (unseenOption(input) === undefined) return undefined;
  const numbers = input.instanceTypes.map((name) => recommended(input, name));
  return numbers.reduce((least, number) =>
    least === undefined || number === undefined ? undefined : Math.min(least, number),
  );
}

function recommended({ tokens, mode }: PodCapacityInput, name: string): number | undefined {
  if (!isKnown(tokens, name)) return undefined;
  try {
    return maxPods(name, mode).recommended;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isKnown(tokens: TokenTools, name: string): boolean {
  return !tokens.isToken(name) && instanceType(name) !== undefined;
}

/** What doesn't fit between a node group and the vpc-cni add-on of its cluster; each as a sentence. */
export function podCapacityProblems(input: PodCapacityInput, wholeBecause?: string): string[] {
  const { addonPath, ipFamily, os, tokens } = input;
  const mode = { ...input.mode, ...(ipFamily === 'ipv6' ? { prefixDelegation: true } : {}) };
  const nodes: { name: string; pods: MaxPods }[] = [];
  for (const name of input.instanceTypes.filter((type) => isKnown(tokens, type))) {
    try {
      nodes.push({ name, pods: maxPods(name, mode) });
    } catch (error) {
      if (error instanceof RangeError)
        return [
          `instanceTypes has ${name}, which can't run pods with the vpc-cni add-on ${addonPath}: ${error.message}`,
        ];
      throw error;
    }
  }
  const smallest = nodes.sort((a, b) => a.pods.capacity - b.pods.capacity)[0];
  const problems: string[] = [];
  const option = unseenOption(input);
  if (option !== undefined && computedMaxPods(input) === undefined) {
    const unknown = input.instanceTypes.find((name) => recommended(input, name) === undefined) ?? '';
    problems.push(
      `${wholeBecause === undefined ? 'customAmi is set without maxPods' : `${wholeBecause}, and maxPods isn't set`}, and the vpc-cni add-on ${addonPath} has ${option}, of which the bootstrap of ${os} knows nothing when it computes the number of pods; AWS's recommendation isn't known for ${tokens.isToken(unknown) ? 'an instance type that is a token' : unknown}: set maxPods`,
    );
  }
  const most = smallest === undefined ? undefined : smallest.pods.capacity + (smallest.pods.branchEnis ?? 0);
  if (input.maxPods !== undefined && smallest !== undefined && most !== undefined && input.maxPods > most) {
    const more =
      os === 'WINDOWS'
        ? 'enableWindowsPrefixDelegation in the configurationValues of the add-on'
        : 'prefixDelegation on the add-on';
    problems.push(
      `maxPods is ${input.maxPods}, but with the vpc-cni add-on ${addonPath} a ${smallest.name} has addresses for ${most} pods; the others would stay in ContainerCreating: set at most ${most}, or ${more}`,
    );
  }
  return problems;
}
