/**
 * The service range of a cluster, as nodeadm uses it: it takes the text before the last dot and appends `.10` for the DNS
 * server, without masking. A base that isn't aligned can therefore give nodes a DNS address on which nothing answers.
 */

/** The sizes that the EKS API takes for IPv4 service ranges. Source: EKS API, KubernetesNetworkConfigRequest. */
const MIN_PREFIX = 12;
const MAX_PREFIX = 24;

interface Cidr {
  readonly family: 'ipv4' | 'ipv6';
  /** The address before the mask, as written. */
  readonly text: string;
  readonly address: bigint;
  readonly prefix: number;
}

/** What is wrong with a service range. */
export interface ServiceCidrProblem {
  /** `form`: no CIDR; `size`: no service range can have that mask; `dns`: nodes compute a DNS address on which nothing answers. */
  readonly kind: 'form' | 'size' | 'dns';
  /** As the end of "the service CIDR …". */
  readonly message: string;
}

/** What is wrong with a service range; undefined if nothing is. */
export function judgeServiceCidr(cidr: string): ServiceCidrProblem | undefined {
  if (!/^[^/]+\/\d{1,3}$/.test(cidr))
    return { kind: 'form', message: 'is no CIDR of the form 172.20.0.0/16 or fd00:1234::/108' };
  const parsed = parseCidr(cidr);
  if (parsed === undefined)
    return { kind: 'form', message: cidrFamily(cidr) === 'ipv6' ? 'is no IPv6 CIDR' : 'is no IPv4 CIDR' };
  const { family, prefix, text } = parsed;
  if (family === 'ipv4' && (prefix < MIN_PREFIX || prefix > MAX_PREFIX)) {
    return {
      kind: 'size',
      message: `has a /${prefix} mask; EKS service ranges lie between /${MIN_PREFIX} and /${MAX_PREFIX}`,
    };
  }
  const nodes = dnsAddressOf(cidr) ?? '';
  if (parseAddress(nodes, family) === dnsOf(parsed)) return undefined;
  // nodeadm appends one digit to the text: only a base that ends in "::" (or a lone 0) gives the tenth address.
  if (family === 'ipv6' && !text.endsWith('::'))
    return { kind: 'dns', message: 'doesn\'t end in "::" before the mask, so nodes would compute a wrong DNS address' };
  return {
    kind: 'dns',
    message: `doesn't begin at a /${prefix} boundary, so nodes would look for CoreDNS at ${nodes}, where nothing answers`,
  };
}

/** What is wrong with a service range, as the end of "the service CIDR …"; undefined if nothing is. */
export function serviceCidrProblem(cidr: string): string | undefined {
  return judgeServiceCidr(cidr)?.message;
}

/** The IP family of a range. */
export function cidrFamily(cidr: string): 'ipv4' | 'ipv6' {
  return cidr.includes(':') ? 'ipv6' : 'ipv4';
}

/**
 * The DNS address that nodeadm gives to nodes for a service range; undefined if the range is none. Source:
 * awslabs/amazon-eks-ami, `nodeadm/internal/api/net.go`.
 */
export function dnsAddressOf(cidr: string): string | undefined {
  const parsed = parseCidr(cidr);
  if (parsed === undefined) return undefined;
  return parsed.family === 'ipv4' ? `${cidr.slice(0, cidr.lastIndexOf('.'))}.10` : `${parsed.text}a`;
}

/** The DNS address of a cluster with a service range: the tenth address of the range. Undefined if the range is none. */
export function clusterDnsAddressOf(cidr: string): string | undefined {
  const parsed = parseCidr(cidr);
  return parsed === undefined ? undefined : formatAddress(dnsOf(parsed), parsed.family);
}

/** The range that a range with an unaligned base lies in, of IPv4; undefined if it is no such range. */
export function alignedCidr(cidr: string): string | undefined {
  const parsed = parseCidr(cidr);
  if (parsed?.family !== 'ipv4') return undefined;
  return `${formatAddress(dnsOf(parsed) - 10n, 'ipv4')}/${parsed.prefix}`;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;

function dnsOf({ address, prefix, family }: Cidr): bigint {
  const host = BigInt(BITS[family] - prefix);
  return ((address >> host) << host) + 10n;
}

function parseCidr(cidr: string): Cidr | undefined {
  const [text, mask, ...rest] = cidr.split('/', 3);
  if (text === undefined || mask === undefined || rest.length > 0 || !/^\d{1,3}$/.test(mask)) return undefined;
  const family = cidrFamily(text);
  const address = parseAddress(text, family);
  const prefix = Number(mask);
  return address === undefined || prefix > BITS[family] ? undefined : { family, text, address, prefix };
}

function parseAddress(text: string, family: 'ipv4' | 'ipv6'): bigint | undefined {
  if (text.length > 45) return undefined;
  return family === 'ipv4' ? parseIpv4(text) : parseIpv6(text);
}

function parseIpv4(text: string): bigint | undefined {
  const octets = text.split('.');
  // Go refuses leading zeros.
  if (octets.length !== 4 || octets.some((octet) => !/^(?:0|[1-9]\d{0,2})$/.test(octet) || Number(octet) > 255))
    return undefined;
  return octets.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  if (groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

function formatAddress(address: bigint, family: 'ipv4' | 'ipv6'): string {
  if (family === 'ipv4') return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((address >> BigInt(112 - 16 * index)) & 65535n).toString(16));
  const zeros = [...groups.join(':').matchAll(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)].sort(
    (a, b) => b[0].length - a[0].length,
  )[0];
  if (zeros === undefined) return groups.join(':');
  const text = groups.join(':');
  return `${text.slice(0, zeros.index).replace(/:$/, '')}::${text.slice(zeros.index + zeros[0].length).replace(/^:/, '')}`;
}
