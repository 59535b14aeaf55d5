import { editDistance } from '../../text/nearest';

/**
 * Names of availability zones and regions, as Kubernetes nodes carry them in the label `topology.kubernetes.io/zone`.
 * Sources: Amazon EC2 user guide, "Regions and Zones"; AWS Local Zones user guide, "Available Local Zones"; AWS Wavelength developer guide.
 */
export interface Zone {
  readonly name: string;
  /** The region's name as the zone's name has it, whether there is such a region or not: `eu-west-1`. */
  readonly region: string;
  /** What stands behind the region: `a`; `-lax-1a` of a Local Zone; `-wl1-bos-wlz-1` of a Wavelength Zone. */
  readonly suffix: string;
}

/** Longer names aren't zones: no label value of Kubernetes is longer. */
const LONGEST = 63;
/** Two letters for a continent or country, four for a sovereign cloud (`eusc`). */
const AREA = /^[a-z]{2,4}$/;
const WORD = /^[a-z]+$/;
const NUMBER = /^\d{1,2}([a-z]?)$/;
const PLACE = /^[a-z0-9]+$/;

/** A name that has the shape of a zone's name, Local and Wavelength Zones included; undefined for any other, zone ids (`euw1-az1`) too. */
export function parseZone(name: string): Zone | undefined {
  if (name.length > LONGEST) return undefined;
  const parts = name.split('-');
  const index = parts.findIndex((part) => /^\d/.test(part));
  const [area = '', ...words] = parts.slice(0, Math.max(index, 0));
  if (!AREA.test(area) || words.length === 0 || !words.every((word) => WORD.test(word))) return undefined;
  const letter = NUMBER.exec(parts[index] ?? '')?.[1];
  const rest = parts.slice(index + 1);
  if (letter === undefined || (letter === '') === (rest.length === 0)) return undefined;
  if (rest.length > 0 && !(rest.every((part) => PLACE.test(part)) && /\d[a-z]?$/.test(name))) return undefined;
  const suffix = [letter, ...rest].join('-');
  return { name, region: name.slice(0, name.length - suffix.length), suffix };
}

/** Whether a name has the shape of a zone id, `use1-az1` or `usw2-lax1-az1`, which no node label `topology.kubernetes.io/zone` holds. */
export function isZoneId(name: string): boolean {
  return name.length <= LONGEST && /^[a-z]{2,6}\d-(?:[a-z0-9]+-){0,3}az\d+$/.test(name);
}

const DIRECTIONS: ReadonlySet<string> = new Set([
  'central',
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
]);

/** Whether the last word of a region's name is a compass word, as in all of AWS's: `ap-northeast-2`, `us-gov-west-1`, `mx-central-1`. */
export function hasDirection(region: string): boolean {
  return DIRECTIONS.has(region.split('-').at(-2) ?? '');
}

/** Source: aws/aws-cdk, packages/aws-cdk-lib/region-info/lib/aws-entities.ts (2.276.0). Regions that are newer are missing, so absence is no proof. */
const REGIONS: ReadonlySet<string> = new Set(
  [
    'af-south-1 ap-east-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2 ap-southeast-3',
    'ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7 ca-central-1 ca-west-1 cn-north-1 cn-northwest-1 eu-central-1 eu-central-2',
    'eu-isoe-west-1 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3 eusc-de-east-1 il-central-1 me-central-1 me-south-1 me-west-1',
    'mx-central-1 sa-east-1 us-east-1 us-east-2 us-gov-east-1 us-gov-west-1 us-iso-east-1 us-iso-west-1 us-isob-east-1 us-isob-west-1',
    'us-isof-east-1 us-isof-south-1 us-west-1 us-west-2',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a region was known when the list was made. */
export function isKnownRegion(region: string): boolean {
  return REGIONS.has(region);
}

/** A slip of the keyboard is hardly ever more than this many letters. */
const SLIP = 2;

/**
 * The region that a name was probably meant to be; undefined if several are as near: one digit off says nothing.
 * @param expected the region that it must be, if that is known; then no other is looked at
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function nearestRegion(name: string, expected?: string): string | undefined {
  if (name.length > LONGEST) return undefined;
  const wanted = name.toLowerCase();
  const candidates = (expected === undefined ? [...REGIONS] : [expected])
    .map((region) => ({ region, distance: slips(wanted, region) }))
    .filter(({ distance }) => distance <= SLIP)
    .sort((a, b) => a.distance - b.distance);
  const [first, second] = candidates;
  return first === undefined || first.distance === second?.distance ? undefined : first.region;
}

/** Letters that changed places are one slip, where the edit distance counts two. */
function slips(name: string, region: string): number {
  return name !== region && lettersOf(name) === lettersOf(region) ? 1 : editDistance(name, region);
}

function lettersOf(text: string): string {
  return Array.from(text).sort().join('');
}

/**
 * The zone that a name was probably meant to be: `ap-northeast-2a` for `ap-noratheast-2a`; with the region known also for
 * `2a`, `a`, `ap_northeast_2a` and `AP-NORTHEAST-2A`.
 * @param region the region that the zone is in, if that is known
 */
export function nearestZone(name: string, region?: string): string | undefined {
  if (name.length > LONGEST) return undefined;
  const plain = name.toLowerCase().replaceAll(/[_.\s]/g, '-');
  const zone = parseZone(plain);
  if (zone !== undefined) {
    if (plain !== name && zone.region === (region ?? zone.region) && isKnownRegion(zone.region)) return plain;
    const nearest = nearestRegion(zone.region, region);
    return nearest === undefined ? undefined : `${nearest}${zone.suffix}`;
  }
  const [, digits, letter] = /^(\d{0,2})-?([a-z])$/.exec(plain) ?? [];
  return region !== undefined && letter !== undefined && region.endsWith(digits ?? '')
    ? `${region}${letter}`
    : undefined;
}
