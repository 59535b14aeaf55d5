import { ANY_NUMBER, CallFailure, CallUnknown, whole, type Call, type Functions } from './function';

export const NETWORKS: Functions = {
  cidrhost: whole(2, 2, host),
  cidrnetmask: whole(1, 1, netmask),
  cidrsubnet: whole(3, 3, (call) => showRange(subnet(rangeOf(call.text(0)), call.integer(1), BigInt(call.integer(2))))),
  cidrsubnets: whole(1, ANY_NUMBER, subnets),
};

/** A range of addresses of IPv4 or IPv6. */
interface Range {
  /** First address. */
  readonly first: bigint;
  readonly prefix: number;
  /** Bits of an address. */
  readonly bits: 32 | 128;
}

function rangeOf(text: string): Range {
  const slash = text.lastIndexOf('/');
  const [address, prefix] = [text.slice(0, slash), text.slice(slash + 1)];
  const parsed =
    slash < 0 || !/^\d{1,3}$/.test(prefix) || (prefix.length > 1 && prefix.startsWith('0'))
      ? undefined
      : addressOf(address);
  if (parsed === undefined || Number(prefix) > parsed.bits) throw new CallFailure(`"${text}" is no range of addresses`);
  const size = BigInt(parsed.bits - Number(prefix));
  return { first: (parsed.address >> size) << size, prefix: Number(prefix), bits: parsed.bits };
}

function addressOf(text: string): { readonly address: bigint; readonly bits: 32 | 128 } | undefined {
  if (!text.includes(':')) {
    const address = ipv4(text);
    return address === undefined ? undefined : { address, bits: 32 };
  }
  const address = ipv6(text);
  return address === undefined ? undefined : { address, bits: 128 };
}

function ipv4(text: string): bigint | undefined {
  const parts = text.split('.');
  // Terraform reads numbers with leading zeros as decimal ones; what is unusual isn't read here.
  if (parts.length !== 4 || parts.some((part) => !/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255)) {
    if (parts.length === 4 && parts.every((part) => /^\d{1,5}$/.test(part)))
      throw new CallUnknown('addresses with leading zeros are not read');
    return undefined;
  }
  return parts.reduce((all, part) => (all << 8n) | BigInt(part), 0n);
}

function ipv6(text: string): bigint | undefined {
  if (text.includes('.')) throw new CallUnknown('addresses of IPv4 within IPv6 are not read');
  const [before = '', after, third] = text.split('::');
  if (third !== undefined) return undefined;
  const [start, end] = [before, after ?? ''].map((half) => (half === '' ? [] : half.split(':')));
  if (start === undefined || end === undefined) return undefined;
  const missing = 8 - start.length - end.length;
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...start, ...Array.from({ length: missing }, () => '0'), ...end];
  if (groups.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return groups.reduce((all, group) => (all << 16n) | BigInt(`0x${group}`), 0n);
}

function showAddress(address: bigint, bits: 32 | 128): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((address >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((address >> BigInt(112 - 16 * index)) & 65535n).toString(16));
  return withoutZeros(groups);
}

/** The longest run of zeros, the first of several, is left out. */
function withoutZeros(groups: readonly string[]): string {
  let [best, length] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === '0') end++;
    if (end - start > length) [best, length] = [start, end - start];
  }
  return length < 2 ? groups.join(':') : `${groups.slice(0, best).join(':')}::${groups.slice(best + length).join(':')}`;
}

function showRange({ first, prefix, bits }: Range): string {
  return `${showAddress(first, bits)}/${prefix}`;
}

/** One of the ranges that a range falls apart into. */
function subnet({ first, prefix, bits }: Range, more: number, number: bigint): Range {
  const length = prefix + more;
  if (more < 0 || length > bits) throw new CallFailure(`there are no ${more} more bits behind a prefix of ${prefix}`);
  const count = 1n << BigInt(more);
  if (number >= count) throw new CallFailure(`there is no range ${number} of ${more} more bits`);
  if (number < 0n) throw new CallUnknown('negative numbers of ranges are not looked at');
  return { first: first + (number << BigInt(bits - length)), prefix: length, bits };
}

function host(call: Call): string {
  const { first, prefix, bits } = rangeOf(call.text(0));
  const size = 1n << BigInt(bits - prefix);
  const number = BigInt(call.integer(1));
  if (number >= size || number < -size) throw new CallFailure(`there is no address ${number} in it`);
  return showAddress(first + (number < 0n ? number + size : number), bits);
}

function netmask(call: Call): string {
  const { prefix, bits } = rangeOf(call.text(0));
  if (bits !== 32) throw new CallFailure('IPv6 has no netmasks');
  return showAddress(((1n << 32n) - 1n) ^ ((1n << BigInt(32 - prefix)) - 1n), 32);
}

/** Ranges one behind the other, each of its own size. */
function subnets(call: Call): ReturnType<Call['list_']> {
  const range = rangeOf(call.text(0));
  const end = range.first + (1n << BigInt(range.bits - range.prefix));
  let next = range.first;
  const result: string[] = [];
  for (let index = 1; index < call.size; index++) {
    const more = call.integer(index);
    const prefix = range.prefix + more;
    if (more < 1 || prefix > range.bits)
      throw new CallFailure(`there are no ${more} more bits behind a prefix of ${range.prefix}`);
    if (more > 32) throw new CallFailure('a range is extended by no more than 32 bits');
    const size = 1n << BigInt(range.bits - prefix);
    const first = ((next + size - 1n) / size) * size;
    if (first + size > end) throw new CallFailure('there is not enough room for all of them');
    result.push(showRange({ first, prefix, bits: range.bits }));
    next = first + size;
  }
  return call.list_(result);
}
