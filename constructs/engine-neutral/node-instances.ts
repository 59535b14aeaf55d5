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

/** An adapter as a launch template describes it. */
export interface EfaInterface {
  readonly networkCardIndex: number;
  /** The first adapter is the instance's primary network interface; each further card has one as its second device. */
  readonly deviceIndex: number;
  readonly interfaceType: 'efa' | 'efa-only';
}

/** The adapters of nodes; undefined without any. */
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
  const count = efa.interfaces ?? cardsOf(scope, tokens, instanceTypes);
  if (tokens.isToken(count))
    refuse(scope, 'efa.interfaces is a token; the launch template lists the adapters, so the number must be known');
  inRange(scope, tokens, 'efa.interfaces', count, 1);
  for (const name of instanceTypes) {
    const cards = instanceType(name)?.networkCards;
    if (cards !== undefined && count > cards)
      refuse(
        scope,
        `efa.interfaces is ${count} and ${name} has ${cards} network card${cards === 1 ? '' : 's'}; EC2 starts no instance with more`,
      );
  }
  const further = efa.ipOnAll === true ? 'efa' : 'efa-only';
  return Array.from({ length: count }, (_, card) => ({
    networkCardIndex: card,
    deviceIndex: card === 0 ? 0 : 1,
    interfaceType: card === 0 ? 'efa' : further,
  }));
}

/**
 * EFA needs the Nitro System, and burstable types have none of it. Which sizes of other families have it the table doesn't tell.
 * Source: Amazon EC2 user guide, "Elastic Fabric Adapter", "Supported instance types".
 */
function refuseWithoutEfa(scope: IConstruct, tokens: TokenTools, name: string): void {
  if (tokens.isToken(name)) return;
  const isBurstable = /^t\d/.test(name);
  if (isBurstable || instanceType(name)?.nitro === false)
    refuse(
      scope,
      `efa is set and instanceTypes has ${name}, ${isBurstable ? 'a burstable type, of which none has' : "which isn't on Nitro and hasn't"} EFA; EC2 starts no instance: leave efa out, or take a type with EFA`,
    );
}

/** Network cards that all instance types have. */
function cardsOf(scope: IConstruct, tokens: TokenTools, names: readonly string[]): number {
  const cards = names.map((name) => ({
    name,
    cards: tokens.isToken(name) ? undefined : instanceType(name)?.networkCards,
  }));
  const unknown = cards.find((one) => one.cards === undefined);
  if (unknown !== undefined)
    refuse(
      scope,
      `efa is set, and instanceTypes has ${tokens.isToken(unknown.name) ? 'a token' : `"${unknown.name}", which the instance type table doesn't have`}, so the number of network cards isn't known; set efa.interfaces`,
    );
  return Math.min(...cards.map((one) => one.cards ?? 1));
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
