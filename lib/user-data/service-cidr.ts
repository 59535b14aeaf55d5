/**
 * The service range of a cluster, as nodeadm uses it: it takes the text before the last dot and appends `.10` for the DNS
 * server, without masking. A base that isn't aligned therefore gives nodes a DNS address on which nothing answers.
 */

/** The sizes that the EKS API takes for IPv4 service ranges. Source: EKS API, KubernetesNetworkConfigRequest. */
const MIN_PREFIX = 12;
const MAX_PREFIX = 24;

/** What is wrong with a service range, as the end of "the service CIDR …"; undefined if nothing is. */
export function serviceCidrProblem(cidr: string): string | undefined {
  const [address, prefixText, ...rest] = cidr.split('/');
  if (address === undefined || prefixText === undefined || rest.length > 0 || !/^\d{1,3}$/.test(prefixText)) {
    return 'is no CIDR of the form 172.20.0.0/16 or fd00:1234::/108';
  }
  return address.includes(':') ? ipv6Problem(address, Number(prefixText)) : ipv4Problem(address, Number(prefixText));
}

function ipv4Problem(address: string, prefix: number): string | undefined {
  const octets = address.split('.').map((octet) => (/^\d{1,3}$/.test(octet) ? Number(octet) : Number.NaN));
  if (octets.length !== 4 || octets.some((octet) => !(octet <= 255)) || prefix > 32) return 'is no IPv4 CIDR';
  if (prefix < MIN_PREFIX || prefix > MAX_PREFIX) return `has a /${prefix} mask; EKS service ranges lie between /${MIN_PREFIX} and /${MAX_PREFIX}`;
  const bits = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  if (bits % 2 ** (32 - prefix) !== 0) {
    return `doesn't begin at a /${prefix} boundary, so nodes would look for CoreDNS at ${octets.slice(0, 3).join('.')}.10, where nothing answers`;
  }
  return undefined;
}

function ipv6Problem(address: string, prefix: number): string | undefined {
  if (!/^[0-9a-f:]+$/i.test(address) || address.split('::').length > 2 || prefix > 128) return 'is no IPv6 CIDR';
  // nodeadm appends one digit to the text: only a base that ends in "::" gives the tenth address.
  if (!address.endsWith('::')) return 'doesn\'t end in "::" before the mask, so nodes would compute a wrong DNS address';
  return undefined;
}

/** The IP family of a range. */
export function cidrFamily(cidr: string): 'ipv4' | 'ipv6' {
  return cidr.includes(':') ? 'ipv6' : 'ipv4';
}
