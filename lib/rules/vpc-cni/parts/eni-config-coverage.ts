import type { Judgement, RelatedPlace } from '../../../engine';
import {
  except,
  karpenterCapacityOf,
  resourceName,
  type ClusterView,
  type CniCase,
  type EniConfig,
  type When,
} from '../../../eks';
import { nodeZonesOf, type NodeZone } from './node-zones';

export type CoverageMessage = 'zone-without';

/**
 * Whether every zone in which nodes start has an ENIConfig of its name.
 * @param configs the ENIConfigs that exist somewhere in the case, all with sound names
 * @param doubt why there may be others; undefined if these are all
 */
export function judgeCoverage(
  view: ClusterView,
  cni: CniCase,
  when: When,
  configs: readonly EniConfig[],
  doubt: string | undefined,
): readonly Judgement<CoverageMessage>[] {
  const common = { resource: cni.resource, source: cni.source };
  const nodes = nodeZonesOf(view, when);
  const byName = whensByName(configs);
  const failures: Judgement<CoverageMessage>[] = [];
  let open = nodes.doubt;
  for (const [zone, uses] of byZone(nodes.zones)) {
    const covered: When[] = [...(byName.get(zone) ?? [])];
    for (const use of uses) {
      for (const rest of uncovered(use.when, covered)) {
        const reason =
          use.doubt ?? (doubt === undefined ? undefined : `${doubt}, and no other ENIConfig is named ${zone}`);
        open ??= reason;
        if (reason !== undefined) continue;
        covered.push(rest);
        const others = uses.filter((other) => other.doubt === undefined && other.when.and(rest) !== undefined);
        failures.push({
          ...common,
          when: rest,
          verdict: 'fail',
          message: 'zone-without',
          data: { zone, groups: groupNames(others), names: listOf([...byName.keys()]) },
          about: zone,
          related: placesOf(others, configs),
        });
      }
    }
  }
  if (failures.length > 0) return failures;
  return [
    open === undefined
      ? { ...common, when, verdict: 'pass' }
      : { ...common, when, verdict: 'unverifiable', reason: open },
  ];
}

/** Whether all zones in which a cluster's nodes start are known, and each has an ENIConfig of its name. Nodes of Karpenter may start anywhere. */
export function areAllZonesCovered(view: ClusterView, when: When, configs: readonly EniConfig[]): boolean {
  const { zones, doubt } = nodeZonesOf(view, when);
  if (
    doubt !== undefined ||
    zones.length === 0 ||
    karpenterCapacityOf(view).some((one) => one.when.and(when) !== undefined)
  )
    return false;
  const byName = whensByName(configs);
  return zones.every(({ zone, when: use }) => uncovered(use, byName.get(zone) ?? []).length === 0);
}

/** What of an assumption is left where none of the others holds. */
export function uncovered(when: When, others: readonly When[]): readonly When[] {
  let rest: readonly When[] = [when];
  for (const other of others) rest = except(rest, other);
  return rest;
}

function whensByName(configs: readonly EniConfig[]): ReadonlyMap<string, readonly When[]> {
  const byName = new Map<string, When[]>();
  for (const { name, when } of configs) {
    if (typeof name !== 'string') continue;
    const list = byName.get(name);
    if (list === undefined) byName.set(name, [when]);
    else list.push(when);
  }
  return byName;
}

function byZone(zones: readonly NodeZone[]): ReadonlyMap<string, readonly NodeZone[]> {
  const result = new Map<string, NodeZone[]>();
  for (const one of zones) {
    const list = result.get(one.zone);
    if (list === undefined) result.set(one.zone, [one]);
    else list.push(one);
  }
  return result;
}

function groupNames(uses: readonly NodeZone[]): string {
  const names = [...new Set(uses.map(({ group }) => resourceName(group)))];
  return names.length === 1 ? `node group ${names.join('')}` : `node groups ${listOf(names)}`;
}

function placesOf(uses: readonly NodeZone[], configs: readonly EniConfig[]): readonly RelatedPlace[] {
  const [sample] = configs;
  return [
    ...uses.flatMap(({ group, subnet, zone, source }) => [
      { message: `Node group ${resourceName(group)} uses subnet ${resourceName(subnet)}`, source: group.source },
      { message: `Subnet ${resourceName(subnet)} is in ${zone}`, source },
    ]),
    ...(sample === undefined ? [] : [{ message: 'An ENIConfig of another zone is here', source: sample.source }]),
  ];
}

const SHOWN = 4;

/** `a, b and 3 more`. */
export function listOf(names: readonly string[]): string {
  if (names.length > SHOWN) return `${names.slice(0, SHOWN - 1).join(', ')} and ${names.length - SHOWN + 1} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
