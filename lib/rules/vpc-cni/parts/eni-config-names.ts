import type { Judgement, RelatedPlace } from '../../../engine';
import {
  alternativesOf,
  dataAt,
  resourceName,
  type ClusterView,
  type CniCase,
  type EniConfig,
  type Plain,
  type Subnet,
  type Unknown,
  type Value,
  type When,
} from '../../../eks';
import {
  hasDirection,
  isKnownRegion,
  isZoneId,
  nearestZone,
  parseZone,
  type Zone,
} from '../../../eks/networking/zones';

export type NameMessage =
  | 'no-zone'
  | 'free-name'
  | 'misspelt-region'
  | 'other-region'
  | 'spare'
  | 'unknown-region'
  | 'subnet-zone';

/** The region that a cluster is in. */
export interface ClusterRegion {
  readonly name: string;
  /** What tells it, for people. */
  readonly told: string;
  /** False where the text that tells it has no effect by itself, and so may be the wrong one of two. */
  readonly isCertain: boolean;
}

/**
 * The region of a cluster: from the environment of its stacks, else from the zones of the subnets of pods and nodes, else from
 * `eniConfig.region`, which the chart's template doesn't use.
 * @param nodeSubnets the subnets of the cluster's node groups
 */
export function regionOf(
  view: ClusterView,
  cni: CniCase,
  configs: readonly EniConfig[],
  nodeSubnets: readonly Subnet[],
): ClusterRegion | undefined {
  for (const resource of [
    cni.resource,
    ...(view.cluster === undefined ? [] : [view.cluster]),
    ...configs.map((config) => config.resource),
  ]) {
    const { region } = resource.environment;
    if (region !== undefined) return { name: region, told: "the stack's region", isCertain: true };
  }
  return regionOfSubnets([...configs.flatMap(({ target }) => target ?? []), ...nodeSubnets]) ?? regionOfValues(cni);
}

function regionOfSubnets(subnets: readonly Subnet[]): ClusterRegion | undefined {
  let found: ClusterRegion | undefined;
  for (const subnet of subnets) {
    for (const { value } of alternativesOf(subnet.availabilityZone)) {
      const zone = value.kind === 'known' ? parseZone(value.value) : undefined;
      if (zone === undefined || !isPlausible(zone.region) || zone.region === found?.name) continue;
      // Subnets of two regions: a template that is deployed to both, by conditions.
      if (found !== undefined) return undefined;
      found = { name: zone.region, told: `subnet ${resourceName(subnet)} is in ${zone.name}`, isCertain: true };
    }
  }
  return found;
}

function regionOfValues({ settings }: CniCase): ClusterRegion | undefined {
  const region = dataAt(settings.data, 'eniConfig', 'region');
  return typeof region === 'string' && isPlausible(region)
    ? { name: region, told: `eniConfig.region says ${region}`, isCertain: false }
    : undefined;
}

function isPlausible(region: string): boolean {
  return isKnownRegion(region) || (hasDirection(region) && parseZone(`${region}a`) !== undefined);
}

/** What the names of a cluster's ENIConfigs are judged by, where nodes take the ENIConfig that is named like their zone. */
export interface NameContext {
  readonly when: When;
  /** The label whose value, a zone, nodes look for. */
  readonly label: string;
  readonly region: ClusterRegion | undefined;
  /** Whether all ENIConfigs and their names are known, and none of them is named like a zone. */
  readonly noneIsZone: boolean;
  /** Whether every zone in which nodes start is known and has an ENIConfig of its own. */
  readonly areNodesServed: boolean;
  /** Names that the labels of node groups ask for, which win over the zone. */
  readonly chosen: ReadonlySet<string>;
}

/** The ENIConfig of nodes that no label or annotation gives another. Source: aws/amazon-vpc-cni-k8s, pkg/eniconfig/eniconfig.go. */
export const DEFAULT_NAME = 'default';

type Judged = Judgement<NameMessage>;

/** What is wrong with a name however nodes choose: it is that of a zone of no region that there is. */
export function judgeNameAlone(config: EniConfig): readonly Judged[] {
  const context = { when: config.when, label: '', region: undefined, noneIsZone: false, areNodesServed: false };
  return judgeName(config, { ...context, chosen: new Set() }).filter(
    ({ message }) => message === 'misspelt-region' || message === 'unknown-region',
  );
}

/** Whether nodes of the right zone find an ENIConfig. */
export function judgeName(config: EniConfig, context: NameContext): readonly Judged[] {
  const { resource, name } = config;
  const source = config.placeIn('metadata', 'name');
  const when = context.when.and(config.when);
  if (when === undefined) return [];
  const common = { resource, source, when, ...(typeof name === 'string' ? { about: name } : {}) };
  if (typeof name !== 'string') return [judgeUnknownName(name, config, common)];
  if (context.chosen.has(name)) return [{ ...common, verdict: 'pass' }];
  const zones: Value<string> | undefined = config.target?.availabilityZone;
  if (zones === undefined) return [judgeKnownName(name, undefined, context, common)];
  return alternativesOf(zones).flatMap((alternative): readonly Judged[] => {
    const both = when.and(alternative.when);
    return both === undefined
      ? []
      : [judgeKnownName(name, subnetZone(alternative.value, config.target), context, { ...common, when: both })];
  });
}

interface Common extends Pick<Judged, 'resource' | 'source' | 'when' | 'about'> {
  readonly resource: EniConfig['resource'];
}

interface SubnetZone {
  readonly zone: Zone;
  readonly place: RelatedPlace;
}

function subnetZone(value: Plain<string>, subnet: Subnet | undefined): SubnetZone | undefined {
  const zone = value.kind === 'known' ? parseZone(value.value) : undefined;
  if (zone === undefined || subnet === undefined) return undefined;
  return { zone, place: { message: `Subnet ${resourceName(subnet)} is in ${zone.name}`, source: value.source } };
}

function judgeUnknownName(name: Unknown, { target }: EniConfig, common: Common): Judged {
  const isOwnZone = target !== undefined && (isZoneOf(name, target) || isSame(name, target.availabilityZone));
  if (isOwnZone) return { ...common, verdict: 'pass' };
  return { ...common, verdict: 'unverifiable', reason: `the name of its ENIConfig isn't known (${name.reason})` };
}

/** The name is the attribute of the very subnet. */
function isZoneOf({ reference }: Unknown, subnet: Subnet): boolean {
  return reference?.resource === subnet && reference.attribute === 'AvailabilityZone';
}

function isSame({ symbol }: Unknown, zone: Value<string>): boolean {
  return symbol !== undefined && zone.kind === 'unknown' && zone.symbol === symbol;
}

function judgeKnownName(name: string, subnet: SubnetZone | undefined, context: NameContext, common: Common): Judged {
  const zone = parseZone(name);
  if (zone === undefined) return judgeOtherName(name, subnet, context, common);
  const related = subnet === undefined ? [] : [subnet.place];
  const data = { name, found: zone.region, label: context.label };
  const fail = (message: NameMessage, region: string, better: string | undefined) => ({
    ...common,
    verdict: 'fail' as const,
    message,
    data: {
      ...data,
      hint: hintOf(better),
      advice: adviceFor(better, region),
      ...renaming(name, zone.region, better, common),
    },
    related,
  });
  const { region } = context;
  if (region !== undefined && zone.region !== region.name) {
    const failure = fail('other-region', region.name, subnet?.zone.name ?? nearestZone(name, region.name));
    const more = { region: region.name, told: region.told };
    // Such as those of the other regions in a list for all.
    if (context.areNodesServed)
      return { ...failure, message: 'spare', severity: 'info', data: { ...failure.data, ...more } };
    const isSlip = region.isCertain || !isKnownRegion(zone.region);
    return { ...failure, ...(isSlip ? {} : { severity: 'warning' as const }), data: { ...failure.data, ...more } };
  }
  if (subnet !== undefined && subnet.zone.name !== name) {
    return { ...fail('subnet-zone', subnet.zone.region, subnet.zone.name), data: { name, zone: subnet.zone.name } };
  }
  if (region !== undefined || isKnownRegion(zone.region)) return { ...common, verdict: 'pass' };
  const better = nearestZone(name);
  if (!hasDirection(zone.region)) return fail('misspelt-region', 'the cluster', better);
  return { ...fail('unknown-region', 'the cluster', better), severity: 'warning' };
}

function judgeOtherName(name: string, subnet: SubnetZone | undefined, context: NameContext, common: Common): Judged {
  // What the CNI takes for nodes without the label: a fall-back that the zones' own make idle.
  if (name === DEFAULT_NAME && !context.noneIsZone) return { ...common, verdict: 'pass' };
  const better = subnet?.zone.name ?? nearestZone(name, context.region?.name);
  const related = subnet === undefined ? [] : [subnet.place];
  const { label } = context;
  const advice = adviceFor(better, context.region?.name ?? 'the cluster');
  if (!isMeantAsZone(name, context.region) && !context.noneIsZone) {
    return {
      ...common,
      verdict: 'fail',
      severity: 'warning',
      message: 'free-name',
      data: { name, label, advice },
      related,
    };
  }
  const what = isZoneId(name) ? 'has the id of a zone as its name' : 'is not named like a zone';
  return {
    ...common,
    verdict: 'fail',
    message: 'no-zone',
    data: { name, label, what, hint: hintOf(better), advice, ...renaming(name, undefined, better, common) },
    related,
  };
}

/**
 * The key of an add-on's values that a name is, and what it becomes: where it is no zone of a region that there is, and only one is near. Another zone
 * than that of its subnet it may still be.
 */
function renaming(
  name: string,
  region: string | undefined,
  better: string | undefined,
  { resource }: Common,
): { readonly renamed: string } {
  const isSlip = region === undefined ? !isZoneId(name) : !isKnownRegion(region);
  return { renamed: isSlip && resource.kind === 'addon' && /^[\w-]+$/.test(name) ? (better ?? '') : '' };
}

/** Ids of zones, parts of a zone's name, regions, zones with a tail; as opposed to names for nodes that ask for them by label or annotation. */
function isMeantAsZone(name: string, region: ClusterRegion | undefined): boolean {
  return (
    isZoneId(name) ||
    /^\d?[a-z]$/.test(name) ||
    nearestZone(name, region?.name) !== undefined ||
    /^[a-z]{2,4}-[a-z]{1,20}(?:-[a-z]{1,20})?-\d/.test(name)
  );
}

/** The end of a sentence. */
function hintOf(better: string | undefined): string {
  return better === undefined ? '.' : `; did you mean ${better}?`;
}

function adviceFor(better: string | undefined, region: string): string {
  return better === undefined
    ? `Name it exactly like the zone of its subnet, a zone of ${region}.`
    : `Name it \`${better}\`, exactly like the zone of its subnet.`;
}
