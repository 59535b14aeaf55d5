import { isIP } from 'node:net';
import { BootstrapScriptError } from '../../lib/eks/user-data/bootstrap-script';
import { renderWindowsBootstrap, renderWindowsScripts } from '../../lib/eks/user-data/windows';
import { ConstructionError } from './construction-error';
import type { TokenTools } from './tokens';

/** What a Windows node does when it starts, besides what EKS's own bootstrap does. */
export interface WindowsBootstrapProps {
  /**
   * PowerShell that runs once before the bootstrap, in this order; without `<powershell>` tags, or with one pair around each script. All
   * of it and the bootstrap make one script, which has to get to its end: an `exit` that always runs is refused.
   *
   * @default - none
   */
  readonly scripts?: readonly string[];

  /**
   * Flags for kubelet, each as `--flag=value`. Only with `customAmi`: otherwise EKS starts kubelet. Labels, taints and the number of pods
   * are options of the node group.
   *
   * @default - none
   */
  readonly kubeletExtraArgs?: readonly string[];

  /**
   * IPv4 ranges besides the VPC's that pods reach with their own address, without address translation: a peered VPC, for example.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/eks/latest/userguide/eks-optimized-windows-ami.html
   */
  readonly excludedSnatCidrs?: readonly string[];
}

/** Flags that follow from options of the node group. */
const GROUP_FLAGS: Readonly<Record<string, string>> = {
  'max-pods': 'maxPods',
  'node-labels': 'labels',
  'register-with-taints': 'taints',
};

/** Scripts and flags of Windows nodes, checked when they are made, with the tokens of one engine. */
export class WindowsScripts {
  readonly scripts: readonly string[];
  readonly kubeletExtraArgs: readonly string[];
  readonly excludedSnatCidrs: readonly string[];

  /** @throws ConstructionError for scripts, flags and ranges that Windows or kubelet would not take as they are */
  constructor(
    { scripts = [], kubeletExtraArgs = [], excludedSnatCidrs = [] }: WindowsBootstrapProps,
    tokens: TokenTools,
  ) {
    this.scripts = scripts;
    this.kubeletExtraArgs = kubeletExtraArgs;
    this.excludedSnatCidrs = excludedSnatCidrs;
    const problem = problemOf(this, tokens);
    if (problem !== undefined) throw new ConstructionError(undefined, `WindowsBootstrap: ${problem}`);
  }
}

function problemOf(
  { scripts, kubeletExtraArgs, excludedSnatCidrs }: WindowsScripts,
  tokens: TokenTools,
): string | undefined {
  for (const [index, script] of scripts.entries()) {
    if (script.trim() === '') return `scripts[${index}] is empty`;
    if (/start-eksbootstrap/i.test(script))
      return `scripts[${index}] calls Start-EKSBootstrap.ps1, which EKS or the node group does itself; leave the call out`;
  }
  for (const flag of kubeletExtraArgs) {
    const option = GROUP_FLAGS[/^--?([\w-]+)/.exec(flag)?.[1] ?? ''];
    if (option !== undefined) return `kubeletExtraArgs has "${flag}"; use ${option} of the node group`;
  }
  const range = excludedSnatCidrs.find((cidr) => !tokens.isToken(cidr) && !isIpv4Range(cidr));
  if (range !== undefined) return `excludedSnatCidrs has "${range}"; a range looks like 10.20.0.0/16`;
  try {
    if (scripts.length > 0) renderWindowsScripts({ scripts });
    // The bootstrap follows in any case: of EKS, or of the node group.
    renderWindowsBootstrap({
      clusterName: 'any',
      scripts,
      kubeletArguments: kubeletExtraArgs,
      isOpaque: (value) => tokens.isToken(value),
    });
  } catch (error) {
    if (error instanceof BootstrapScriptError)
      return `${error.option === 'kubeletArguments' ? 'kubeletExtraArgs' : error.option}: ${error.message}`;
    throw error;
  }
  return undefined;
}

function isIpv4Range(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/', 3);
  return rest.length === 0 && isIP(address) === 4 && /^\d{1,2}$/.test(prefix) && Number(prefix) <= 32;
}
