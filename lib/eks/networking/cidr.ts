/** An IPv4 range. */
export interface Ipv4Range {
  /** First address, as a number. */
  readonly first: number;
  /** How many leading bits are fixed: 24 for `/24`. */
  readonly prefixLength: number;
}

/** Reads `10.0.0.0/24`; undefined for anything that isn't an IPv4 range. Bits behind the prefix are ignored, as EC2 does. */
export function parseIpv4Range(text: string): Ipv4Range | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text);
  if (match === null) return undefined;
  const [, ...numbers] = match.map(Number);
  const [a = 256, b = 256, c = 256, d = 256, prefixLength = 33] = numbers;
  if (prefixLength > 32 || [a, b, c, d].some((part) => part > 255)) return undefined;
  const address = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  return { first: address - (address % sizeOf(prefixLength)), prefixLength };
}

/** How many addresses a range with this prefix has. */
function sizeOf(prefixLength: number): number {
  return 2 ** (32 - prefixLength);
}

/** What prefix delegation gives to an interface at a time. */
const PREFIX_LENGTH = 28;

/**
 * How many prefixes of 16 addresses an empty subnet has room for. A prefix begins at a multiple of 16; AWS keeps the first four
 * addresses of a subnet and its last one for itself, so the first and the last block are never free.
 * Source: Amazon VPC user guide, "Subnet CIDR blocks"; Amazon EC2 user guide, "Prefix delegation for network interfaces".
 */
export function freePrefixes({ prefixLength }: Ipv4Range): number {
  if (prefixLength > PREFIX_LENGTH) return 0;
  return Math.max(0, 2 ** (PREFIX_LENGTH - prefixLength) - 2);
}
