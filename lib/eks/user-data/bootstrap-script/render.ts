import { readShell } from '../shell';
import { SourceText } from '../source-text';
import { BOOTSTRAP_SCRIPT, bootstrapCallsIn } from './read';

/** Thrown for options of which no script can be made that does what they say. */
export class BootstrapScriptError extends Error {
  override readonly name = 'BootstrapScriptError';

  /** @param option the option that is wrong, such as `labels` */
  constructor(
    readonly option: string,
    message: string,
  ) {
    super(message);
  }
}

/** A taint that nodes register with. */
interface RenderedTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** kubelet's settings that Linux's and Windows' bootstrap take as one string of flags. */
export interface KubeletOptions {
  /** The most pods on a node. */
  readonly maxPods?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly RenderedTaint[];
  /** More flags of kubelet, each with its value: `--kube-reserved=cpu=100m`. */
  readonly kubeletArguments?: readonly string[];
}

interface BootstrapScriptOptions extends KubeletOptions {
  readonly clusterName: string;
  /** With {@link certificateAuthority}: without both the script asks the EKS API for them. */
  readonly apiServerEndpoint?: string;
  /** As the EKS API gives it, in base64. */
  readonly certificateAuthority?: string;
  readonly ipFamily?: 'ipv4' | 'ipv6';
  readonly serviceIpv4Cidr?: string;
  readonly serviceIpv6Cidr?: string;
  /** Address of cluster DNS, where it isn't the tenth of the service range. */
  readonly dnsClusterIp?: string;
  /** Commands of the user, before the bootstrap. */
  readonly before?: readonly string[];
  /** Commands of the user, after the bootstrap. */
  readonly after?: readonly string[];
  /** Whether a value is a stand-in that is replaced later, such as a CDK token: it is written as it is. */
  readonly isOpaque?: (value: string) => boolean;
}

/**
 * Writes a script that joins an AL2 node to its cluster.
 * @throws BootstrapScriptError for values that a shell or systemd would change, and for options that the bootstrap refuses
 */
export function renderBootstrapScript(options: BootstrapScriptOptions): string {
  checkCombination(options);
  const { isOpaque = () => false } = options;
  const written: string[] = [];
  const add = (flag: string, option: string, value: string | undefined): void => {
    if (value !== undefined) written.push(`${flag} "${checkedValue(option, value, isOpaque)}"`);
  };
  if (options.clusterName.startsWith('-'))
    throw new BootstrapScriptError(
      'clusterName',
      `"${options.clusterName}" begins with a dash, so that bootstrap.sh would take it for an option`,
    );
  written.push(`"${checkedValue('clusterName', options.clusterName, isOpaque)}"`);
  add('--apiserver-endpoint', 'apiServerEndpoint', options.apiServerEndpoint);
  add('--b64-cluster-ca', 'certificateAuthority', options.certificateAuthority);
  add('--ip-family', 'ipFamily', options.ipFamily);
  add('--service-ipv4-cidr', 'serviceIpv4Cidr', options.serviceIpv4Cidr);
  add('--service-ipv6-cidr', 'serviceIpv6Cidr', options.serviceIpv6Cidr);
  add('--dns-cluster-ip', 'dnsClusterIp', options.dnsClusterIp);
  const kubelet = kubeletFlags(options, isOpaque);
  if (kubelet.some((flag) => /^--?max-pods(?:=|$)/.test(flag))) written.push('--use-max-pods false');
  if (kubelet.length > 0) written.push(`--kubelet-extra-args "${kubelet.join(' ')}"`);
  const call = `${BOOTSTRAP_SCRIPT} ${written.join(' \\\n  ')}`;
  const script = ['#!/bin/bash', 'set -ex', ...(options.before ?? []), call, ...(options.after ?? []), ''].join('\n');
  checkCall(script, script.length - [call, ...(options.after ?? []), ''].join('\n').length);
  return script;
}

/** Commands of the user must let the call be reached, once, outside of what they leave open. */
function checkCall(script: string, offset: number): void {
  const [first, second] = bootstrapCallsIn(readShell(SourceText.of(script)));
  if (first?.offset === offset && first.condition === 'always' && second === undefined) return;
  const isDouble = first !== undefined && (second !== undefined || first.offset !== offset);
  const isAfter = second !== undefined && first?.offset === offset;
  const reason = isDouble
    ? `they call ${BOOTSTRAP_SCRIPT} themselves`
    : 'they end the script, or leave a quote, a here-document or an "if" open';
  throw new BootstrapScriptError(
    isAfter ? 'after' : 'before',
    `the bootstrap can't be put between these commands: ${reason}`,
  );
}

function checkCombination(options: BootstrapScriptOptions): void {
  const { apiServerEndpoint, certificateAuthority, ipFamily, serviceIpv6Cidr, serviceIpv4Cidr, dnsClusterIp } = options;
  if ((apiServerEndpoint === undefined) !== (certificateAuthority === undefined)) {
    throw new BootstrapScriptError(
      apiServerEndpoint === undefined ? 'apiServerEndpoint' : 'certificateAuthority',
      'the endpoint and the certificate authority go together: with one of them bootstrap.sh ignores it',
    );
  }
  if (ipFamily !== 'ipv6' && serviceIpv6Cidr !== undefined)
    throw new BootstrapScriptError('serviceIpv6Cidr', 'an IPv6 service range needs the IP family ipv6');
  if (ipFamily !== 'ipv6') return;
  if (serviceIpv4Cidr !== undefined)
    throw new BootstrapScriptError(
      'serviceIpv4Cidr',
      'bootstrap.sh has no use for an IPv4 service range with the IP family ipv6',
    );
  if (apiServerEndpoint !== undefined && serviceIpv6Cidr === undefined && dnsClusterIp === undefined) {
    throw new BootstrapScriptError(
      'serviceIpv6Cidr',
      'with the endpoint given, the IP family ipv6 needs the IPv6 service range or the address of cluster DNS',
    );
  }
}

/**
 * The flags for `--kubelet-extra-args` and `-KubeletExtraArgs`, checked so that they survive double quotes of a shell and of
 * PowerShell and, on Linux, single quotes of systemd.
 */
export function kubeletFlags(options: KubeletOptions, isOpaque: (value: string) => boolean): string[] {
  const { maxPods, labels = {}, taints = [], kubeletArguments = [] } = options;
  const flags: string[] = [];
  if (maxPods !== undefined) {
    if (!isOpaque(String(maxPods)) && !(Number.isInteger(maxPods) && maxPods > 0))
      throw new BootstrapScriptError('maxPods', `${maxPods} is no number of pods`);
    flags.push(`--max-pods=${maxPods}`);
  }
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${item('labels', key, isOpaque)}=${item('labels', value, isOpaque)}`,
  );
  if (pairs.length > 0) flags.push(`--node-labels=${pairs.join(',')}`);
  const written = taints.map(
    ({ key, value, effect }) =>
      `${item('taints', key, isOpaque)}${value === undefined ? '' : `=${item('taints', value, isOpaque)}`}:${effect}`,
  );
  if (written.length > 0) flags.push(`--register-with-taints=${written.join(',')}`);
  for (const flag of kubeletArguments) {
    if (!isOpaque(flag) && !flag.startsWith('-'))
      throw new BootstrapScriptError('kubeletArguments', `"${flag}" is no flag: it must begin with "--"`);
    if (maxPods !== undefined && /^--?max-pods(?:=|$)/.test(flag))
      throw new BootstrapScriptError('kubeletArguments', 'max pods is set twice');
    flags.push(word('kubeletArguments', flag, isOpaque));
  }
  return flags;
}

/** A key or value of a list: what separates items must not be in it. */
function item(option: string, value: string, isOpaque: (value: string) => boolean): string {
  if (!isOpaque(value) && /[,=:]/.test(value))
    throw new BootstrapScriptError(
      option,
      `"${value}" holds a comma, colon or equals sign, which separate the items of the list`,
    );
  return value === '' ? '' : word(option, value, isOpaque);
}

/** A value among flags that blanks separate. systemd expands "%" and reads backslashes. */
function word(option: string, value: string, isOpaque: (value: string) => boolean): string {
  if (!isOpaque(value) && /[\s%]/.test(value))
    throw new BootstrapScriptError(
      option,
      `"${value}" holds a blank or "%", which kubelet's service would not pass on as it is`,
    );
  return checkedValue(option, value, isOpaque);
}

/** Characters that a shell or PowerShell acts on inside of double quotes, and the quotes that PowerShell knows. */
const UNSAFE = /["'`$\\\u2018-\u201F\p{Cc}]/u;

/** A value that may stand in double quotes. */
export function checkedValue(option: string, value: string, isOpaque: (value: string) => boolean): string {
  if (isOpaque(value)) return value;
  if (value === '') throw new BootstrapScriptError(option, 'the value is empty');
  const unsafe = UNSAFE.exec(value)?.[0];
  if (unsafe !== undefined)
    throw new BootstrapScriptError(
      option,
      `${JSON.stringify(value)} holds ${JSON.stringify(unsafe)}, which the script would not pass on as it is`,
    );
  return value;
}
