import { BootstrapScriptError } from '../bootstrap-script';
import { checkedValue, kubeletFlags, type KubeletOptions } from '../bootstrap-script/render';
import { SourceText } from '../source-text';
import { readWindows } from './blocks';
import { readPowerShell } from './powershell';
import { eksBootstrapCallsIn } from './read';

export interface WindowsScriptOptions {
  /** PowerShell of the user, in order. One that is already wrapped in a single `<powershell>` block is unwrapped. */
  readonly scripts?: readonly string[];
  /** Run on every start of the machine, not only on the first. */
  readonly persist?: boolean;
}

export interface WindowsBootstrapOptions extends KubeletOptions, WindowsScriptOptions {
  readonly clusterName: string;
  /** With {@link certificateAuthority}: without both the script asks the EKS API for them. */
  readonly apiServerEndpoint?: string;
  /** As the EKS API gives it, in base64. */
  readonly certificateAuthority?: string;
  /** Needed where the cluster has a service range of its own. */
  readonly serviceCidr?: string;
  /** Address of cluster DNS, where it isn't the tenth of the service range. */
  readonly dnsClusterIp?: string;
  /** Ranges that pods reach without address translation. */
  readonly excludedSnatCidrs?: readonly string[];
  /** Whether a value is a stand-in that is replaced later, such as a CDK token: it is written as it is. */
  readonly isOpaque?: (value: string) => boolean;
}

/**
 * Writes the user data of a Windows node with an AMI of one's own: the user's scripts, then the call of
 * `Start-EKSBootstrap.ps1`, in one block, because EC2Launch doesn't run several.
 * @throws BootstrapScriptError for values that PowerShell would change, and for scripts that can't be put into the block
 */
export function renderWindowsBootstrap(options: WindowsBootstrapOptions): string {
  const { isOpaque = () => false, apiServerEndpoint, certificateAuthority, excludedSnatCidrs = [] } = options;
  if ((apiServerEndpoint === undefined) !== (certificateAuthority === undefined)) {
    throw new BootstrapScriptError(
      apiServerEndpoint === undefined ? 'apiServerEndpoint' : 'certificateAuthority',
      'the endpoint and the certificate authority go together',
    );
  }
  const words: string[] = ['& $EKSBootstrapScriptFile'];
  const add = (parameter: string, option: string, value: string | undefined): void => {
    if (value !== undefined) words.push(`-${parameter} ${quoted(option, value, isOpaque)}`);
  };
  add('EKSClusterName', 'clusterName', options.clusterName);
  add('APIServerEndpoint', 'apiServerEndpoint', apiServerEndpoint);
  add('Base64ClusterCA', 'certificateAuthority', certificateAuthority);
  add('ServiceCIDR', 'serviceCidr', options.serviceCidr);
  add('DNSClusterIP', 'dnsClusterIp', options.dnsClusterIp);
  if (excludedSnatCidrs.length > 0)
    words.push(
      `-ExcludedSnatCIDRs ${excludedSnatCidrs.map((cidr) => quoted('excludedSnatCidrs', cidr, isOpaque)).join(',')}`,
    );
  const kubelet = kubeletFlags(options, isOpaque);
  for (const flag of kubelet) quoted('kubeletArguments', flag, isOpaque);
  if (kubelet.length > 0) words.push(`-KubeletExtraArgs "${kubelet.join(' ')}"`);
  // The other streams, so that EC2Launch's log shows what the bootstrap did.
  words.push('3>&1 4>&1 5>&1 6>&1');
  const scripts = (options.scripts ?? []).map(unwrapped);
  for (const script of scripts) checkEnd(script);
  const text = document(
    [
      ...scripts,
      '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"',
      words.join(' '),
    ],
    options.persist,
  );
  const [call, second] = eksBootstrapCallsIn(readWindows(SourceText.of(text)));
  if (call?.condition !== 'always' || second !== undefined) {
    throw new BootstrapScriptError(
      'scripts',
      "the bootstrap can't be put behind these scripts: they call it themselves, or leave a quote, a comment or a block open",
    );
  }
  return text;
}

/** A script that ends PowerShell would keep the bootstrap from running; CDK's on-exit commands do so with `throw "Success"`. */
function checkEnd(script: string): void {
  const end = readPowerShell(SourceText.of(script)).find(
    ({ words: [word], condition }) => condition === 'always' && /^(?:exit|throw|return|break)$/i.test(word?.text ?? ''),
  );
  if (end !== undefined)
    throw new BootstrapScriptError(
      'scripts',
      `a script ends PowerShell with "${end.words[0]?.text ?? ''}", so that the bootstrap behind it would never run`,
    );
}

/** Writes the user data of a Windows node to which EKS adds the bootstrap itself: the user's scripts alone. */
export function renderWindowsScripts(options: WindowsScriptOptions): string {
  const scripts = (options.scripts ?? []).map(unwrapped).filter((script) => script !== '');
  if (scripts.length === 0) throw new BootstrapScriptError('scripts', 'there is no script');
  if (scripts.some((script) => /start-eksbootstrap/i.test(script)))
    throw new BootstrapScriptError(
      'scripts',
      'a script calls Start-EKSBootstrap.ps1, which EKS does itself where the launch template sets no AMI',
    );
  return document(scripts, options.persist);
}

function quoted(option: string, value: string, isOpaque: (value: string) => boolean): string {
  if (!isOpaque(value) && TAG.test(value))
    throw new BootstrapScriptError(option, `"${value}" holds a tag that EC2Launch acts on`);
  return `"${checkedValue(option, value, isOpaque)}"`;
}

const TAG = /<\/?(?:powershell|script|persist|powershellArguments|runAsLocalSystem|detach)>/i;
const WRAPPED = /^<powershell>([^]*)<\/powershell>$/;

function unwrapped(script: string): string {
  const trimmed = script.trim();
  const text = (WRAPPED.exec(trimmed)?.[1] ?? trimmed).replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd();
  const tag = TAG.exec(text)?.[0];
  if (tag !== undefined)
    throw new BootstrapScriptError(
      'scripts',
      `a script holds ${tag}; it must be PowerShell, with or without one <powershell> block around it`,
    );
  return text;
}

function document(lines: readonly string[], persist: boolean | undefined): string {
  const block = ['<powershell>', ...lines.filter((line) => line !== ''), '</powershell>'];
  return [...block, ...(persist === true ? ['<persist>true</persist>'] : []), ''].join('\n');
}
