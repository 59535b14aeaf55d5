import type { TextCorrection } from '../correction';
import { cidrFamily, clusterDnsAddressOf } from '../service-cidr';
import type { ShellWord } from '../shell';
import { inTwoWords, replacing, withMore, withoutOption, withoutWord } from './corrections';
import { kubeletArguments } from './kubelet-arguments';
import { BOOTSTRAP_OPTIONS, type BootstrapCall } from './read';

/** `unverifiable`: it can't be seen whether the call is right. */
export type ScriptProblemLevel = 'error' | 'warning' | 'info' | 'unverifiable';

export type BootstrapProblemKind =
  | 'cluster-name-missing'
  | 'flag-as-cluster-name'
  | 'option-without-value'
  | 'help'
  | 'argument-ignored'
  | 'endpoint-and-certificate-authority'
  | 'ip-family'
  | 'ip-family-differs'
  | 'ipv6-without-service-range'
  | 'ipv6-range-on-ipv4'
  | 'service-cidr-differs'
  | 'dns-cluster-ip-guessed'
  | 'container-runtime'
  | 'local-disks'
  | 'use-max-pods'
  | 'max-pods-twice'
  | 'quote-in-kubelet-arguments'
  | 'unknown-arguments';

/** Something wrong with a call of `/etc/eks/bootstrap.sh`. */
export interface BootstrapProblem {
  readonly kind: BootstrapProblemKind;
  readonly level: ScriptProblemLevel;
  /** Offset in the script of what causes it. */
  readonly offset: number;
  /** A sentence without the full stop: what is wrong and what it does. */
  readonly message: string;
  /** What to write instead, as an imperative sentence. */
  readonly fix: string;
  /** The same as a change of the script. @default - somebody has to decide */
  readonly correction?: TextCorrection;
}

/** What is known of the cluster that a call joins. */
export interface BootstrapContext {
  /** 33 for Kubernetes 1.33; undefined if it isn't known. */
  readonly kubernetesMinor?: number | undefined;
  /** The IPv4 service range; `default` if the cluster leaves it to EKS, `custom` if it sets one that isn't known. */
  readonly serviceCidr?: { readonly known: string } | 'default' | 'custom' | undefined;
  readonly ipFamily?: 'ipv4' | 'ipv6' | undefined;
}

/** What the script takes for the address of cluster DNS when it knows no service range, by the address of the VPC. */
const GUESSES: readonly string[] = ['10.100.0.10', '172.20.0.10'];

/** From this minor on containerd is the only runtime. Source: bootstrap.sh (see {@link BOOTSTRAP_OPTIONS}). */
const CONTAINERD_ONLY = 24;

/**
 * What is wrong with a call: what holds for any cluster, and what follows from what is known of this one. A message tells
 * what the script does, out of its source.
 */
export function bootstrapProblems(call: BootstrapCall, context: BootstrapContext = {}): readonly BootstrapProblem[] {
  const known = new CallOptions(call);
  if (call.help !== undefined) {
    return [
      problem(
        'help',
        'error',
        call.help.start,
        'With --help bootstrap.sh prints its options and fails',
        'Remove --help.',
        withoutWord(call, call.help),
      ),
    ];
  }
  const problems = [
    ...names(call),
    ...values(call),
    ...ignored(call),
    ...endpoint(call, known),
    ...families(call, known, context),
    ...serviceRange(call, known, context),
    ...runtime(call, known, context),
    ...maxPods(call, known),
    ...quotes(known),
    ...unknown(call),
  ];
  problems.sort((one, other) => one.offset - other.offset);
  // The messages tell what the script of the AMI does.
  return call.isPatched ? problems.map((one) => ({ ...one, level: 'unverifiable' })) : problems;
}

function problem(
  kind: BootstrapProblemKind,
  level: ScriptProblemLevel,
  offset: number,
  message: string,
  fix: string,
  correction?: TextCorrection,
): BootstrapProblem {
  return { kind, level, offset, message, fix, ...(correction === undefined ? {} : { correction }) };
}

/** `maybe`: it may come from the environment, by a word that isn't known, or have an empty value. */
type Certainty = 'yes' | 'maybe' | 'no';

/** The options of a call, with "given" told from "has this value". */
class CallOptions {
  constructor(private readonly call: BootstrapCall) {}

  /** Given, or possibly given, with a value that isn't known to be empty: the script treats an empty one as none. */
  has(name: string): boolean {
    return this.given(name) !== 'no';
  }

  given(name: string): Certainty {
    const value = this.call.options.get(name)?.value;
    if (value === undefined) return this.call.possibleOptions.has(name) ? 'maybe' : 'no';
    if (value.text === undefined) return value.prefix === '' && value.suffix === '' ? 'maybe' : 'yes';
    return value.text === '' ? 'no' : 'yes';
  }

  /** Written in the call, with a value that isn't known to be empty. */
  isWritten(name: string): boolean {
    const value = this.call.options.get(name)?.value;
    return value !== undefined && value.text !== '';
  }

  /** The value in lower case; undefined if it isn't given or known. */
  lower(name: string): string | undefined {
    return this.call.options.get(name)?.value?.text?.toLowerCase();
  }

  word(name: string): ShellWord | undefined {
    return this.call.options.get(name)?.value;
  }

  text(name: string): string | undefined {
    return this.call.options.get(name)?.value?.text;
  }

  /** Given, or possibly given, but its value isn't known. */
  isUnknown(name: string): boolean {
    const value = this.call.options.get(name)?.value;
    return value === undefined ? this.call.possibleOptions.has(name) : !value.isKnown;
  }

  offset(name: string): number {
    return this.call.options.get(name)?.value?.start ?? this.call.offset;
  }

  /** With both of these the script asks the EKS API for nothing. A template that writes them out means them to be there. */
  get skipsLookup(): Certainty {
    const names = ['--apiserver-endpoint', '--b64-cluster-ca'];
    if (names.every((name) => this.isWritten(name))) return 'yes';
    return names.every((name) => this.has(name)) ? 'maybe' : 'no';
  }
}

/** The level of a problem that is there only if something is. */
function ifSure(certainty: Certainty, level: ScriptProblemLevel): ScriptProblemLevel {
  return certainty === 'yes' ? level : 'unverifiable';
}

/** The level of a problem that something which isn't given causes: it may be among what can't be seen. */
function ifAllIsSeen(call: BootstrapCall, level: ScriptProblemLevel): ScriptProblemLevel {
  return call.hasUnknownWords ? 'unverifiable' : level;
}

function names(call: BootstrapCall): BootstrapProblem[] {
  const { clusterName } = call;
  if (clusterName === undefined && call.hasUnknownWords) return [];
  if (clusterName === undefined || clusterName.text === '') {
    return [
      problem(
        'cluster-name-missing',
        'error',
        clusterName?.start ?? call.offset,
        'bootstrap.sh gets no cluster name and ends with "ERROR: cluster name is not defined!"',
        'Give the name of the cluster as first argument.',
      ),
    ];
  }
  if (!clusterName.prefix.startsWith('-')) return [];
  const flag = clusterName.show();
  return [
    problem(
      'flag-as-cluster-name',
      'error',
      clusterName.start,
      `bootstrap.sh has no option ${flag} and takes it for the name of the cluster`,
      optionHint(clusterName.prefix, 'Give the name of the cluster as first argument'),
      isJoined(clusterName.prefix) ? inTwoWords(clusterName) : undefined,
    ),
  ];
}

/** `--name=value` of an option that exists is written as two words. */
function optionHint(flag: string, otherwise: string): string {
  const name = flag.split('=', 1)[0] ?? '';
  return isJoined(flag) ? `Write ${name} and its value as two words, without "=".` : `${otherwise}.`;
}

/** Whether an option that the script has is joined to its value. */
function isJoined(flag: string): boolean {
  return flag.includes('=') && BOOTSTRAP_OPTIONS.includes(flag.split('=', 1)[0] ?? '');
}

function values(call: BootstrapCall): BootstrapProblem[] {
  const problems: BootstrapProblem[] = [];
  for (const [name, { value, offset }] of call.options) {
    if (value === undefined) {
      problems.push(
        problem(
          'option-without-value',
          'error',
          offset,
          `${name} has no value, and bootstrap.sh ends with "unbound variable"`,
          `Give ${name} a value, or remove it.`,
        ),
      );
    } else if (value.text !== undefined && BOOTSTRAP_OPTIONS.includes(value.text)) {
      problems.push(
        problem(
          'option-without-value',
          'error',
          offset,
          `${name} has no value of its own: bootstrap.sh takes ${value.text} for it`,
          `Give ${name} a value, or remove it.`,
        ),
      );
    }
  }
  return problems;
}

function ignored(call: BootstrapCall): BootstrapProblem[] {
  return call.ignored
    .filter((word) => word.prefix !== '')
    .map((word) =>
      problem(
        'argument-ignored',
        'warning',
        word.start,
        `bootstrap.sh ignores the argument ${JSON.stringify(word.show())}`,
        optionHint(
          word.prefix,
          word.prefix.startsWith('--')
            ? 'Quote the value of --kubelet-extra-args as one word if this is meant for kubelet'
            : 'Remove it, or quote it together with the value that it belongs to',
        ),
        isJoined(word.prefix) ? inTwoWords(word) : undefined,
      ),
    );
}

function endpoint(call: BootstrapCall, known: CallOptions): BootstrapProblem[] {
  const names = ['--apiserver-endpoint', '--b64-cluster-ca'];
  const given = names.find((name) => known.isWritten(name));
  const missing = names.find((name) => !known.has(name));
  if (given === undefined || missing === undefined) return [];
  return [
    problem(
      'endpoint-and-certificate-authority',
      ifAllIsSeen(call, 'info'),
      known.offset(given),
      `${given} without ${missing} has no effect: bootstrap.sh asks the EKS API for both`,
      `Give ${missing} too, or neither.`,
      withoutOption(call, given),
    ),
  ];
}

function families(call: BootstrapCall, known: CallOptions, context: BootstrapContext): BootstrapProblem[] {
  const family = known.has('--ip-family') ? known.lower('--ip-family') : undefined;
  const offset = known.offset('--ip-family');
  if (known.isUnknown('--ip-family')) return [];
  if (family !== undefined && family !== 'ipv4' && family !== 'ipv6') {
    return [
      problem(
        'ip-family',
        'error',
        offset,
        'bootstrap.sh ends with "ERROR: Invalid --ip-family. Only ipv4 or ipv6 are allowed"',
        'Write ipv4 or ipv6.',
        context.ipFamily === undefined ? undefined : replacing(known.word('--ip-family'), context.ipFamily),
      ),
    ];
  }
  const range = known.given('--service-ipv6-cidr');
  if (range !== 'no' && family === 'ipv4') {
    return [
      problem(
        'ipv6-range-on-ipv4',
        ifSure(range, 'error'),
        offset,
        'bootstrap.sh ends with "ERROR: --ip-family should be ipv6 when --service-ipv6-cidr is specified"',
        'Remove --service-ipv6-cidr, or write --ip-family ipv6.',
      ),
    ];
  }
  const { skipsLookup } = known;
  if (range === 'no' && family === 'ipv6' && skipsLookup !== 'no' && !known.has('--dns-cluster-ip')) {
    return [
      problem(
        'ipv6-without-service-range',
        ifSure(skipsLookup, ifAllIsSeen(call, 'error')),
        offset,
        'bootstrap.sh ends with "ERROR: One of --service-ipv6-cidr or --dns-cluster-ip must be provided when --ip-family is ipv6"',
        "Give --service-ipv6-cidr with the cluster's IPv6 service range.",
      ),
    ];
  }
  return familyDiffers(call, known, context, family);
}

/** The family that the script sets up, against that of the cluster. An IPv6 range alone makes it IPv6; without any of it, and without the look-up, it is IPv4. */
function familyDiffers(
  call: BootstrapCall,
  known: CallOptions,
  { ipFamily }: BootstrapContext,
  written: string | undefined,
): BootstrapProblem[] {
  const range = known.given('--service-ipv6-cidr');
  const byRange = { yes: 'ipv6', maybe: undefined, no: known.skipsLookup === 'yes' ? 'ipv4' : undefined }[range];
  const family = written ?? byRange;
  if (ipFamily === undefined || family === undefined || family === ipFamily) return [];
  const level = written === undefined ? ifAllIsSeen(call, 'error') : 'error';
  const offset = known.offset(written === undefined && range === 'yes' ? '--service-ipv6-cidr' : '--ip-family');
  const fix =
    range === 'no'
      ? `Write --ip-family ${ipFamily}.`
      : `Write --ip-family ${ipFamily}, and remove --service-ipv6-cidr.`;
  return [
    problem(
      'ip-family-differs',
      level,
      offset,
      `bootstrap.sh sets the node up for ${family}, but the cluster uses ${ipFamily}`,
      fix,
      range === 'no' && ipFamily === 'ipv4' ? replacing(known.word('--ip-family'), ipFamily) : undefined,
    ),
  ];
}

function serviceRange(call: BootstrapCall, known: CallOptions, context: BootstrapContext): BootstrapProblem[] {
  const isIpv4 =
    (!known.has('--ip-family') || known.lower('--ip-family') === 'ipv4') &&
    !known.has('--service-ipv6-cidr') &&
    context.ipFamily !== 'ipv6';
  // With the look-up the script takes the range from the API.
  if (known.skipsLookup === 'no' || known.has('--dns-cluster-ip') || !isIpv4) return [];
  const dns = clusterDnsFlag(known);
  if (dns === 'given') return [];
  const certain = (level: ScriptProblemLevel): ScriptProblemLevel =>
    dns === 'unknown' ? 'unverifiable' : ifSure(known.skipsLookup, level);
  const { serviceCidr } = context;
  const cluster = typeof serviceCidr === 'object' ? serviceCidr.known : undefined;
  if (known.has('--service-ipv4-cidr')) {
    const given = known.text('--service-ipv4-cidr');
    if (
      given === undefined ||
      cluster === undefined ||
      cidrFamily(cluster) !== 'ipv4' ||
      dnsAddress(given) === dnsAddress(cluster)
    )
      return [];
    return [
      problem(
        'service-cidr-differs',
        certain('error'),
        known.offset('--service-ipv4-cidr'),
        `Pods would ask ${dnsAddress(given)} for names, but CoreDNS answers on ${dnsAddress(cluster)}, in the cluster's service range ${cluster}`,
        "Give the cluster's own service range.",
        replacing(known.word('--service-ipv4-cidr'), cluster),
      ),
    ];
  }
  if (serviceCidr === 'default' || (cluster !== undefined && GUESSES.includes(dnsAddress(cluster)))) return [];
  const custom =
    serviceCidr === undefined ? "can't be seen" : cluster === undefined ? 'is a custom one' : `is ${cluster}`;
  return [
    problem(
      'dns-cluster-ip-guessed',
      serviceCidr === undefined ? 'unverifiable' : certain(ifAllIsSeen(call, 'warning')),
      known.offset('--apiserver-endpoint'),
      `bootstrap.sh guesses 172.20.0.10 or 10.100.0.10 for cluster DNS, because --apiserver-endpoint and --b64-cluster-ca skip the look-up, and the cluster's service range ${custom}`,
      "Give --dns-cluster-ip with the tenth address of the cluster's service range.",
      cluster === undefined ? undefined : withMore(call, `--dns-cluster-ip ${clusterDnsAddressOf(cluster) ?? ''}`),
    ),
  ];
}

/** Whether kubelet is told of the address by a flag, which wins over the configuration that the script writes. */
function clusterDnsFlag(known: CallOptions): 'given' | 'unknown' | 'none' {
  const extra = known.word('--kubelet-extra-args');
  if (extra === undefined) return known.isUnknown('--kubelet-extra-args') ? 'unknown' : 'none';
  const { flags, hasUnknownFlags } = kubeletArguments(extra);
  if (flags.some(({ name }) => name === '--cluster-dns')) return 'given';
  return hasUnknownFlags ? 'unknown' : 'none';
}

/** As the script computes it: the text up to the last dot, and 10. */
function dnsAddress(cidr: string): string {
  return `${cidr.slice(0, Math.max(0, cidr.lastIndexOf('.')))}.10`;
}

function runtime(call: BootstrapCall, known: CallOptions, context: BootstrapContext): BootstrapProblem[] {
  const problems: BootstrapProblem[] = [];
  const runtimeName = known.has('--container-runtime') ? known.text('--container-runtime') : undefined;
  const offset = known.offset('--container-runtime');
  if (runtimeName !== undefined && runtimeName !== 'containerd') {
    const fix = 'Remove --container-runtime.';
    const { kubernetesMinor } = context;
    if (runtimeName !== 'dockerd')
      problems.push(
        problem(
          'container-runtime',
          'error',
          offset,
          `bootstrap.sh knows no container runtime ${JSON.stringify(runtimeName)}`,
          fix,
          withoutOption(call, '--container-runtime'),
        ),
      );
    else if (kubernetesMinor === undefined)
      problems.push(
        problem(
          'container-runtime',
          'unverifiable',
          offset,
          'From Kubernetes 1.24 on bootstrap.sh refuses every container runtime but containerd',
          fix,
        ),
      );
    else if (kubernetesMinor >= CONTAINERD_ONLY) {
      problems.push(
        problem(
          'container-runtime',
          'error',
          offset,
          'bootstrap.sh ends with "ERROR: containerd is the only supported container runtime as of Kubernetes version 1.24"',
          fix,
          withoutOption(call, '--container-runtime'),
        ),
      );
    }
  }
  const disks = known.has('--local-disks') ? known.text('--local-disks') : undefined;
  if (disks !== undefined && !['raid0', 'raid10', 'mount', 'none'].includes(disks)) {
    problems.push(
      problem(
        'local-disks',
        'error',
        known.offset('--local-disks'),
        `bootstrap.sh ends because --local-disks ${JSON.stringify(disks)} is no way to set up disks`,
        'Write raid0, raid10 or mount.',
        ['raid0', 'raid10', 'mount'].includes(disks.toLowerCase())
          ? replacing(known.word('--local-disks'), disks.toLowerCase())
          : undefined,
      ),
    );
  }
  return problems;
}

function maxPods(call: BootstrapCall, known: CallOptions): BootstrapProblem[] {
  const use = known.has('--use-max-pods') ? known.text('--use-max-pods') : undefined;
  if (use !== undefined && use !== 'true' && use !== 'false') {
    return [
      problem(
        'use-max-pods',
        'warning',
        known.offset('--use-max-pods'),
        `--use-max-pods is ${JSON.stringify(use)}; bootstrap.sh takes everything but "true" for false`,
        'Write true or false.',
        /^(?:true|false)$/i.test(use) ? replacing(known.word('--use-max-pods'), use.toLowerCase()) : undefined,
      ),
    ];
  }
  const extra = call.options.get('--kubelet-extra-args')?.value;
  const given = extra === undefined ? undefined : kubeletArguments(extra).maxPods;
  if (given === undefined || use === 'false' || known.isUnknown('--use-max-pods')) return [];
  return [
    problem(
      'max-pods-twice',
      use === undefined ? ifAllIsSeen(call, 'warning') : 'warning',
      given.offset,
      'bootstrap.sh writes the max pods of the instance type into the configuration of kubelet, besides the --max-pods that kubelet gets as a flag: two settings for one number, of which the flag wins',
      'Add --use-max-pods false.',
      use === undefined ? withMore(call, '--use-max-pods false') : replacing(known.word('--use-max-pods'), 'false'),
    ),
  ];
}

function quotes(known: CallOptions): BootstrapProblem[] {
  if (known.text('--kubelet-extra-args')?.includes("'") !== true) return [];
  return [
    problem(
      'quote-in-kubelet-arguments',
      'warning',
      known.offset('--kubelet-extra-args'),
      'The value of --kubelet-extra-args holds a single quote; bootstrap.sh writes it into a single-quoted systemd setting, which ends there',
      'Write the arguments without single quotes.',
    ),
  ];
}

function unknown(call: BootstrapCall): BootstrapProblem[] {
  if (!call.hasUnknownWords) return [];
  return [
    problem(
      'unknown-arguments',
      'unverifiable',
      call.offset,
      "Some of the arguments of bootstrap.sh can't be seen here",
      'Quote what is one argument, or write the options out.',
    ),
  ];
}
