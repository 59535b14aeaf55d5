import fc from 'fast-check';
import { runs } from '../../share';
import { freePrefixes, parseIpv4Range, type Ipv4Range } from '../../../lib/eks/networking';

const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const dotted = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
const range = (text: string): Ipv4Range => parseIpv4Range(text) ?? { first: NaN, prefixLength: NaN };

describe('IPv4 ranges', () => {
  it.each([
    ['10.0.0.0/24', 10 * 2 ** 24, 24],
    ['10.0.1.77/24', 10 * 2 ** 24 + 256, 24],
    ['0.0.0.0/0', 0, 0],
    ['255.255.255.255/32', 2 ** 32 - 1, 32],
  ])('reads %s', (text, first, prefixLength) => {
    expect(parseIpv4Range(text)).toEqual({ first, prefixLength });
  });

  it.each([
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.256/24',
    '10.0.0/24',
    '10.0.0.0/24 ',
    ' 10.0.0.0/24',
    '10.0.0.0/-1',
    '2600:1f16::/64',
    '10.0.0.0/24/8',
    '1e1.0.0.0/8',
    '10.0.0.0/1234',
  ])('refuses %j', (text) => {
    expect(parseIpv4Range(text)).toBeUndefined();
  });

  it('gives the same range for every address of it, the first one too', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 32 }), (number, prefixLength) => {
        const parsed = range(`${dotted(number)}/${prefixLength}`);
        expect(parsed.first % 2 ** (32 - prefixLength)).toBe(0);
        expect(number - parsed.first).toBeGreaterThanOrEqual(0);
        expect(number - parsed.first).toBeLessThan(2 ** (32 - prefixLength));
        expect(parseIpv4Range(`${dotted(parsed.first)}/${prefixLength}`)).toEqual(parsed);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseIpv4Range(text)));
  });

  it.each([
    [32, 0],
    [29, 0],
    [28, 0],
    [27, 0],
    [26, 2],
    [25, 6],
    [24, 14],
    [20, 254],
    [16, 4094],
  ])('a /%i has %i whole free blocks', (prefixLength, blocks) => {
    expect(freePrefixes({ first: 0, prefixLength })).toBe(blocks);
  });

  it('counts the blocks that hold none of the addresses that AWS keeps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 16 - 1 }),
        fc.integer({ min: 20, max: 28 }),
        (number, prefixLength) => {
          const subnet = range(`${dotted(number * 2 ** 16)}/${prefixLength}`);
          const size = 2 ** (32 - prefixLength);
          const kept = new Set([0, 1, 2, 3, size - 1].map((offset) => subnet.first + offset));
          let blocks = 0;
          for (let first = subnet.first; first + 16 <= subnet.first + size; first += 16)
            if (![...kept].some((one) => one >= first && one < first + 16)) blocks++;
          expect(freePrefixes(subnet)).toBe(blocks);
        },
      ),
      { numRuns: runs(50) },
    );
  });
});
