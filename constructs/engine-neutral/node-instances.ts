import type { IConstruct } from 'constructs';
import { instanceType } from '../../lib/knowledge';
import type { OperatingSystem } from './ami-family';
import { refuse } from './construction-error';
import {
  CapacityReservationPreference,
  type CapacityReservationOptions,
  type EfaOptions,
  type NodeInstanceOptions,
} from './node-instance-options';
import { inRange, oneOf } from './number-checks';
import type { TokenTools } from './tokens';

/*
 * What EC2 and EKS refuse about instances. Sources: Amazon EC2 API reference, LaunchTemplateInstanceNetworkInterfaceSpecificationRequest,
 * CapacityReservationSpecification; Amazon EC2 user guide, "Elastic Fabric Adapter", "Capacity Blocks for ML"; Amazon EKS user guide, "Create a managed node
 * group with Capacity Blocks for ML".
 */

/** A network interface as a launch template describes it. */
export interface EfaInterface {
  readonly networkCardIndex: number;
  /** The first interface is the instance's primary one; each further card has its adapter as its second device, behind a first card without EFA as its first. */
  readonly deviceIndex: number;
  readonly interfaceType: 'efa' | 'efa-only' | 'interface';
}

/** The network interfaces of nodes with EFA; undefined without. */
export function efaInterfaces(
  scope: IConstruct,
  tokens: TokenTools,
  os: OperatingSystem,
  instanceTypes: readonly string[],
  efa: EfaOptions | undefined,
): readonly EfaInterface[] | undefined {
  if (efa === undefined) return undefined;
  if (os === 'WINDOWS')
    refuse(scope, 'efa is set and the operating system is WINDOWS, where EFA is an ordinary adapter; leave efa out');
  for (const name of instanceTypes) refuseWithoutEfa(scope, tokens, name);
  const count = efa.interfaces ?? adaptersOf(scope, tokens, instanceTypes);
  if (tokens.isToken(count))
    refuse(scope, 'efa.interfaces is a token; the launch template lists the adapters, so the number must be known');
  inRange(scope, tokens, 'efa.interfaces', count, 1);
  for (const name of instanceTypes) {
    const most = mostAdapters(name);
    if (most !== undefined && count > most)
      refuse(
        scope,
        `efa.interfaces is ${count} and ${name} takes ${most} adapter${most === 1 ? '' : 's'}; EC2 starts no instance with more`,
      );
  }
  const further = efa.ipOnAll === true ? 'efa' : 'efa-only';
  // Source: AWS in aws/aws-parallelcluster, issue 7143, of p6-b300: card 0 has ENA alone, the others take an adapter as their device 0.
  if (hasPlainFirstCard(scope, tokens, instanceTypes))
    return Array.from({ length: count + 1 }, (_, card) => ({
      networkCardIndex: card,
      deviceIndex: 0,
      interfaceType: card === 0 ? 'interface' : further,
    }));
  return Array.from({ length: count }, (_, card) => ({
    networkCardIndex: card,
    deviceIndex: card === 0 ? 0 : 1,
    interfaceType: card === 0 ? 'efa' : further,
  }));
}

/**
 * Types without EFA. Of those that the table doesn't have, burstable ones are known to have none.
 * Source: Amazon EC2 user guide, "Elastic Fabric Adapter", "Supported instance types".
 */
function refuseWithoutEfa(scope: IConstruct, tokens: TokenTools, name: string): void {
  if (tokens.isToken(name)) return;
  const type = instanceType(name);
  const why = /^t\d/.test(name)
    ? 'a burstable type, of which none has'
    : type?.nitro === false
      ? "which isn't on Nitro and hasn't"
      : type?.efaInterfaces === 0
        ? "which hasn't"
        : undefined;
  if (why !== undefined)
    refuse(
      scope,
      `efa is set and instanceTypes has ${name}, ${why} EFA; EC2 starts no instance: leave efa out, or take a type with EFA`,
    );
}

/** The most adapters of a type; of types that Karpenter's list lacks one for each network card. */
function mostAdapters(name: string): number | undefined {
  const type = instanceType(name);
  return type?.efaInterfaces ?? type?.networkCards;
}

/** Whether the first network card has no EFA, as with p6-b300; the interfaces are laid out otherwise then. */
function hasPlainFirstCard(scope: IConstruct, tokens: TokenTools, names: readonly string[]): boolean {
  const isPlain = (name: string): boolean => {
    const { networkCards = 0, efaInterfaces: adapters } = instanceType(name) ?? {};
    return adapters !== undefined && adapters < networkCards;
  };
  const known = names.filter((name) => !tokens.isToken(name));
  const plain = known.filter(isPlain);
  const other = known.find((name) => !isPlain(name));
  if (plain[0] !== undefined && other !== undefined)
    refuse(
      scope,
      `efa is set and instanceTypes has ${plain[0]}, whose first network card has no EFA, and ${other}, whose first has; make a group of each`,
    );
  return plain.length > 0;
}

/** Adapters that all instance types have room for. */
function adaptersOf(scope: IConstruct, tokens: TokenTools, names: readonly string[]): number {
  const all = names.map((name) => ({ name, most: tokens.isToken(name) ? undefined : mostAdapters(name) }));
  const unknown = all.find(({ most }) => most === undefined);
  if (unknown !== undefined)
    refuse(
      scope,
      `efa is set, and instanceTypes has ${tokens.isToken(unknown.name) ? 'a token' : `"${unknown.name}", which the instance type table doesn't have`}, so the number of network cards isn't known; set efa.interfaces`,
    );
  return Math.min(...all.map(({ most }) => most ?? 1));
}

/** What a launch template says of capacity reservations, and what follows for the node group. */
export interface Reservation {
  /** Undefined if nobody said anything. */
  readonly specification: CapacityReservationOptions | undefined;
  /** The market is a capacity block: the launch template then also has the instance type, and the group none. */
  readonly isBlock: boolean;
}

/** The capacity that instances use; refuses what EC2 refuses. */
export function reservationOf(
  scope: IConstruct,
  tokens: TokenTools,
  instanceTypes: readonly string[],
  capacityType: string | undefined,
  specification: NodeInstanceOptions['capacityReservation'],
): Reservation {
  const isBlock = capacityType === 'CAPACITY_BLOCK';
  const { id, resourceGroupArn, preference } = specification ?? {};
  const given = Object.entries({ id, resourceGroupArn, preference }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (specification !== undefined && given.length !== 1)
    refuse(
      scope,
      `capacityReservation has ${given.length === 0 ? 'nothing' : given.join(' and ')}; EC2 takes one of id, resourceGroupArn and preference`,
    );
  if (isBlock && id === undefined && resourceGroupArn === undefined)
    refuse(
      scope,
      'capacityType is CAPACITY_BLOCK without the capacity block; name it by capacityReservation: { id } or { resourceGroupArn }, or no instance starts',
    );
  if (isBlock && instanceTypes.length > 1)
    refuse(
      scope,
      `capacityType is CAPACITY_BLOCK and instanceTypes has ${instanceTypes.join(', ')}; a capacity block is of one type`,
    );
  if (capacityType === 'SPOT' && specification !== undefined && preference !== CapacityReservationPreference.NONE)
    refuse(
      scope,
      'capacityReservation is set and capacityType is SPOT; spot instances use no reservation: leave one of them out',
    );
  oneOf(scope, tokens, 'capacityReservation.preference', preference, Object.values(CapacityReservationPreference));
  if (id !== undefined && !tokens.isToken(id) && !/^cr-(?:[0-9a-f]{8}|[0-9a-f]{17})$/.test(id))
    refuse(
      scope,
      `capacityReservation.id is "${id}"; the id of a capacity reservation is "cr-" and 17 hexadecimal digits`,
    );
  if (
    resourceGroupArn !== undefined &&
    !tokens.isToken(resourceGroupArn) &&
    !/^arn:[^:]+:resource-groups:[^:]*:\d{12}:group\/./.test(resourceGroupArn)
  )
    refuse(
      scope,
      `capacityReservation.resourceGroupArn is "${resourceGroupArn}", which isn't the ARN of a resource group`,
    );
  return { specification, isBlock };
}

/**
 * Refuses subnets of several Availability Zones for what is in one. Zones that aren't known at synthesis (undefined) say nothing.
 * Sources: Amazon EC2 user guide, "Placement strategies": a cluster placement group can't span zones; Amazon EKS user guide, "Create a managed node group with
 * Capacity Blocks for ML": only the subnet of the capacity reservation's zone.
 */
export function refuseZones(
  scope: IConstruct,
  { isCluster, isBlock }: { readonly isCluster: boolean; readonly isBlock: boolean },
  ofSubnets: readonly (string | undefined)[],
): void {
  const zones = [...new Set(ofSubnets)];
  if (zones.length < 2 || zones.includes(undefined)) return;
  const where = `and the subnets are in ${zones.join(', ')}`;
  if (isCluster)
    refuse(
      scope,
      `placementGroup has the strategy cluster, which is in one Availability Zone, ${where}; give subnets of one zone`,
    );
  if (isBlock)
    refuse(
      scope,
      `capacityType is CAPACITY_BLOCK, which is in one Availability Zone, ${where}; give subnets of the zone of the block alone, or instances are asked for where there are none`,
    );
}
