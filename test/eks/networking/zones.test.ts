import { RegionInfo } from 'aws-cdk-lib/region-info';
import fc from 'fast-check';
import { runs } from '../../share';
import {
  hasDirection,
  isKnownRegion,
  isZoneId,
  nearestRegion,
  nearestZone,
  parseZone,
} from '../../../lib/eks/networking/zones';

const regions = RegionInfo.regions.map(({ name }) => name);

describe('parseZone', () => {
  it.each([
    ['ap-northeast-2a', 'ap-northeast-2', 'a'],
    ['us-gov-west-1b', 'us-gov-west-1', 'b'],
    ['us-isob-east-1a', 'us-isob-east-1', 'a'],
    ['cn-northwest-1c', 'cn-northwest-1', 'c'],
    ['eusc-de-east-1a', 'eusc-de-east-1', 'a'],
    ['us-west-2-lax-1a', 'us-west-2', '-lax-1a'],
    ['us-east-1-atl-2a', 'us-east-1', '-atl-2a'],
    ['us-east-1-wl1-bos-wlz-1', 'us-east-1', '-wl1-bos-wlz-1'],
    ['ap-northeast-2-wl1-cjj-wlz-1', 'ap-northeast-2', '-wl1-cjj-wlz-1'],
    ['ap-noratheast-2a', 'ap-noratheast-2', 'a'],
  ])('reads %s', (name, region, suffix) => {
    expect(parseZone(name)).toEqual({ name, region, suffix });
  });

  it.each([
    ['a region', 'eu-west-1'],
    ['a Local Zone without number', 'us-west-2-lax'],
    ['a zone with a tail', 'eu-west-1a-pods'],
    ['a number and letter', '2a'],
    ['a letter', 'a'],
    ['a zone id', 'use1-az1'],
    ['a zone id of a Local Zone', 'usw2-lax1-az1'],
    ['capitals', 'EU-WEST-1A'],
    ['no direction', 'eu-1a'],
    ['a free name', 'pods'],
    ['an empty text', ''],
    ['hyphens', '--1a'],
    ['a token', '${AWS::Region}a'],
    ['what is too long for a label', `eu-${'west-'.repeat(20)}1a`],
  ])('refuses %s', (_, name) => {
    expect(parseZone(name)).toBeUndefined();
  });

  it('reads the zones of all regions', () => {
    for (const region of regions) {
      expect(parseZone(`${region}a`)).toEqual({ name: `${region}a`, region, suffix: 'a' });
      expect(parseZone(`${region}-abc-1a`)?.region).toBe(region);
    }
  });

  it('splits a name without loss, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 80 }),
          fc.stringMatching(/^[a-z]{1,4}(-[a-z]{1,9}){0,3}-\d[a-z]?(-[a-z0-9]{1,4}){0,3}$/),
        ),
        (name) => {
          const zone = parseZone(name);
          if (zone !== undefined) expect(zone.region + zone.suffix).toBe(name);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('isZoneId', () => {
  it.each(['use1-az1', 'apne2-az4', 'usw2-lax1-az1', 'usgw1-az2', 'cnnw1-az3', 'use1-wl1-bos1-az1'])(
    'knows %s',
    (name) => {
      expect(isZoneId(name)).toBe(true);
    },
  );

  it.each(['us-east-1a', 'az1', 'use1', 'pods-az1', `u1-${'a'.repeat(70)}-az1`])('refuses %s', (name) => {
    expect(isZoneId(name)).toBe(false);
  });
});

describe('regions', () => {
  it('are the ones that aws-cdk knows', () => {
    expect(regions.length).toBeGreaterThan(40);
    expect(regions.filter((region) => !isKnownRegion(region))).toEqual([]);
    expect(isKnownRegion('ap-noratheast-2')).toBe(false);
    expect(isKnownRegion('ap-northeast-9')).toBe(false);
  });

  it('all have a compass word before their number', () => {
    expect(regions.filter((region) => !hasDirection(region))).toEqual([]);
  });

  it.each(['ap-noratheast-2', 'us-esat-1', 'eu-wets-1', 'us-gov-1', 'eu', ''])('%s has none', (region) => {
    expect(hasDirection(region)).toBe(false);
  });
});

describe('the name that was meant', () => {
  it.each([
    ['ap-noratheast-2', undefined, 'ap-northeast-2'],
    ['us-esat-1', undefined, 'us-east-1'],
    ['us-gov-wset-1', undefined, 'us-gov-west-1'],
    ['EU-WEST-1', undefined, 'eu-west-1'],
    ['ap-northeast-9', undefined, undefined],
    ['somewhere', undefined, undefined],
    ['ap-northeast-9', 'ap-northeast-2', 'ap-northeast-2'],
    ['eu-west-1', 'ap-northeast-2', undefined],
  ])('region %s (in %s) is %s', (name, expected, meant) => {
    expect(nearestRegion(name, expected)).toBe(meant);
  });

  it.each([
    ['ap-noratheast-2a', undefined, 'ap-northeast-2a'],
    ['us-wset-2-lax-1a', undefined, 'us-west-2-lax-1a'],
    ['ap-noratheast-2a', 'ap-northeast-2', 'ap-northeast-2a'],
    ['ap-noratheast-2a', 'us-east-1', undefined],
    ['EU-WEST-1B', undefined, 'eu-west-1b'],
    ['eu_west_1b', undefined, 'eu-west-1b'],
    ['EU-WEST-1B', 'us-east-2', undefined],
    ['1b', 'eu-west-1', 'eu-west-1b'],
    ['b', 'eu-west-1', 'eu-west-1b'],
    ['2b', 'eu-west-1', undefined],
    ['1b', undefined, undefined],
    ['pods', 'eu-west-1', undefined],
  ])('zone %s (in %s) is %s', (name, region, meant) => {
    expect(nearestZone(name, region)).toBe(meant);
  });

  it('is none for long texts', () => {
    const long = 'eu-west-1'.repeat(5000);
    expect([nearestRegion(long), nearestZone(long, 'eu-west-1'), parseZone(long)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('finds any region of long name again after one slip in its direction', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...regions.filter((region) => region.length >= 13 && !region.includes('-iso'))),
        fc.nat(),
        fc.constantFrom('x', 'q', 'z'),
        (region, at, letter) => {
          const position = 3 + (at % (region.length - 6));
          const meant = nearestRegion(region.slice(0, position) + letter + region.slice(position));
          expect(meant).toBe(region);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
