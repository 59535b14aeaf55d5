import { cidrFamily, clusterDnsAddressOf } from '../service-cidr';
import type { CallOptions } from './call-options';
import { replacing, withMore } from './corrections';
import { kubeletArguments } from './kubelet-arguments';
import {
  ifAllIsSeen,
  ifSure,
  problem,
  type BootstrapContext,
  type BootstrapProblem,
  type ScriptProblemLevel,
} from './problem';
import type { BootstrapCall } from './read';

/** What the script takes for the address of cluster DNS when it knows no service range, by the address of the VPC. */
const GUESSES: readonly string[] = ['10.100.0.10', '172.20.0.10'];

export function families(call: BootstrapCall, known: CallOptions, context: BootstrapContext): BootstrapProblem[] {
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

export function serviceRange(call: BootstrapCall, known: CallOptions, context: BootstrapContext): BootstrapProblem[] {
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
