import type { IConstruct } from 'constructs';
import type { OperatingSystem } from './ami-family';
import { refuse } from './construction-error';
import {
  RepairAction,
  UpdateStrategy,
  WarmPoolState,
  type NodeRepairOptions,
  type NodeUpdateOptions,
  type WarmPoolOptions,
} from './node-update-options';
import { inRange, oneOf } from './number-checks';
import type { TokenTools } from './tokens';

/*
 * What EKS refuses about updates, repairs and warm pools. Sources: Amazon EKS API reference, NodegroupUpdateConfig, NodeRepairConfig, WarmPoolConfig; Amazon
 * EKS user guide, "Detect node health issues and enable automatic node repair", "Decrease latency … using warm pools with managed node groups".
 */

/** How EKS updates the nodes. */
export type UpdateConfig = ({ readonly maxUnavailable: number } | { readonly maxUnavailablePercentage: number }) & {
  readonly updateStrategy?: UpdateStrategy;
};

/** How EKS repairs nodes, by the names of its API. */
export interface RepairConfig {
  readonly enabled: boolean;
  readonly maxUnhealthyNodeThresholdCount?: number;
  readonly maxUnhealthyNodeThresholdPercentage?: number;
  readonly maxParallelNodesRepairedCount?: number;
  readonly maxParallelNodesRepairedPercentage?: number;
  readonly nodeRepairConfigOverrides?: {
    readonly nodeMonitoringCondition: string;
    readonly nodeUnhealthyReason: string;
    readonly minRepairWaitTimeMins: number;
    readonly repairAction: string;
  }[];
}

/** A warm pool, by the names of EKS's API. */
export interface WarmPool {
  readonly enabled: true;
  readonly minSize?: number;
  readonly maxGroupPreparedCapacity?: number;
  readonly poolState?: string;
  readonly reuseOnScaleIn?: boolean;
}

/** How nodes are updated; refuses what EKS refuses. */
export function updateConfigOf(
  scope: IConstruct,
  tokens: TokenTools,
  { maxUnavailable, maxUnavailablePercentage, updateStrategy }: NodeUpdateOptions,
  maxSize: number,
): UpdateConfig {
  if (maxUnavailable !== undefined && maxUnavailablePercentage !== undefined) {
    refuse(
      scope,
      `maxUnavailable is ${maxUnavailable} and maxUnavailablePercentage is ${maxUnavailablePercentage}; EKS takes one of them`,
    );
  }
  inRange(scope, tokens, 'maxUnavailable', maxUnavailable, 1, 100);
  inRange(scope, tokens, 'maxUnavailablePercentage', maxUnavailablePercentage, 1, 100);
  oneOf(scope, tokens, 'updateStrategy', updateStrategy, Object.values(UpdateStrategy));
  if (
    maxUnavailable !== undefined &&
    !tokens.isToken(maxUnavailable) &&
    !tokens.isToken(maxSize) &&
    maxUnavailable > maxSize
  ) {
    refuse(
      scope,
      `maxUnavailable is ${maxUnavailable} and maxSize is ${maxSize}; an update can't take more nodes than there are`,
    );
  }
  return {
    ...(maxUnavailablePercentage === undefined
      ? { maxUnavailable: maxUnavailable ?? 1 }
      : { maxUnavailablePercentage }),
    ...(updateStrategy === undefined ? {} : { updateStrategy }),
  };
}

/** How nodes are repaired; undefined if nobody said. */
export function repairConfigOf(
  scope: IConstruct,
  tokens: TokenTools,
  os: OperatingSystem,
  options: NodeRepairOptions | undefined,
): RepairConfig | undefined {
  if (options === undefined) return undefined;
  const { enabled = true, overrides = [], ...limits } = options;
  if (os === 'WINDOWS' && enabled)
    refuse(scope, 'nodeRepair is set and the operating system is WINDOWS; EKS repairs Linux nodes only');
  const [useless] = [...Object.keys(limits), ...(overrides.length > 0 ? ['overrides'] : [])];
  if (!enabled && useless !== undefined)
    refuse(scope, `nodeRepair has ${useless} and enabled is false; nothing is repaired: leave one of them out`);
  const { maxUnhealthyNodes, maxUnhealthyNodesPercentage, maxParallelRepairs, maxParallelRepairsPercentage } = limits;
  for (const [count, percentage, name] of [
    [maxUnhealthyNodes, maxUnhealthyNodesPercentage, 'maxUnhealthyNodes'],
    [maxParallelRepairs, maxParallelRepairsPercentage, 'maxParallelRepairs'],
  ] as const) {
    if (count !== undefined && percentage !== undefined)
      refuse(scope, `nodeRepair has ${name} and ${name}Percentage; EKS takes one of them`);
    inRange(scope, tokens, `nodeRepair.${name}`, count, 1);
    inRange(scope, tokens, `nodeRepair.${name}Percentage`, percentage, 1, 100);
  }
  refuseOverrides(scope, tokens, overrides);
  return {
    enabled,
    ...(maxUnhealthyNodes === undefined ? {} : { maxUnhealthyNodeThresholdCount: maxUnhealthyNodes }),
    ...(maxUnhealthyNodesPercentage === undefined
      ? {}
      : { maxUnhealthyNodeThresholdPercentage: maxUnhealthyNodesPercentage }),
    ...(maxParallelRepairs === undefined ? {} : { maxParallelNodesRepairedCount: maxParallelRepairs }),
    ...(maxParallelRepairsPercentage === undefined
      ? {}
      : { maxParallelNodesRepairedPercentage: maxParallelRepairsPercentage }),
    ...(overrides.length === 0
      ? {}
      : {
          nodeRepairConfigOverrides: overrides.map(({ condition, reason, waitMinutes, action }) => ({
            nodeMonitoringCondition: condition,
            nodeUnhealthyReason: reason,
            minRepairWaitTimeMins: waitMinutes,
            repairAction: action,
          })),
        }),
  };
}

function refuseOverrides(
  scope: IConstruct,
  tokens: TokenTools,
  overrides: NonNullable<NodeRepairOptions['overrides']>,
): void {
  const seen = new Set<string>();
  for (const [index, { condition, reason, waitMinutes, action }] of overrides.entries()) {
    const at = `nodeRepair.overrides[${index}]`;
    if (condition === '' || reason === '')
      refuse(scope, `${at} has an empty ${condition === '' ? 'condition' : 'reason'}; EKS asks for all four values`);
    inRange(scope, tokens, `${at}.waitMinutes`, waitMinutes, 1);
    oneOf(scope, tokens, `${at}.action`, action, Object.values(RepairAction));
    const identity = `${condition} ${reason}`;
    if (seen.has(identity)) refuse(scope, `${at} is for ${condition} with ${reason}, as one before it; keep one`);
    seen.add(identity);
  }
}

interface WarmPoolSetting {
  readonly warmPool?: WarmPoolOptions | undefined;
  readonly capacityType?: string | undefined;
}

/** The warm pool; undefined without one. */
export function warmPoolOf(
  scope: IConstruct,
  tokens: TokenTools,
  os: OperatingSystem,
  hasCustomAmi: boolean,
  { warmPool: options, capacityType }: WarmPoolSetting,
): WarmPool | undefined {
  if (options === undefined) return undefined;
  const { minSize, maxPreparedCapacity, state, reuseOnScaleIn } = options;
  if (hasCustomAmi)
    refuse(scope, 'warmPool and customAmi are set; EKS has warm pools with its own AMIs only: leave one of them out');
  // The EKS user guide refers to the limits of EC2 Auto Scaling, whose warm pools hold on-demand instances alone.
  if (capacityType === 'SPOT')
    refuse(
      scope,
      'warmPool is set and capacityType is SPOT; EC2 Auto Scaling has no warm pools of spot instances: leave one of them out',
    );
  if (os === 'BOTTLEROCKET' && state === WarmPoolState.HIBERNATED)
    refuse(
      scope,
      'warmPool.state is HIBERNATED and the operating system is BOTTLEROCKET, which EKS hibernates not; use STOPPED or RUNNING',
    );
  if (os === 'BOTTLEROCKET' && reuseOnScaleIn === true)
    refuse(
      scope,
      "warmPool.reuseOnScaleIn is true and the operating system is BOTTLEROCKET; EKS can't reuse its nodes: leave it out",
    );
  oneOf(scope, tokens, 'warmPool.state', state, Object.values(WarmPoolState));
  inRange(scope, tokens, 'warmPool.minSize', minSize, 0);
  inRange(scope, tokens, 'warmPool.maxPreparedCapacity', maxPreparedCapacity, -1);
  if (
    minSize !== undefined &&
    maxPreparedCapacity !== undefined &&
    !tokens.isToken(minSize) &&
    !tokens.isToken(maxPreparedCapacity) &&
    maxPreparedCapacity >= 0 &&
    maxPreparedCapacity < minSize
  ) {
    refuse(
      scope,
      `warmPool.maxPreparedCapacity is ${maxPreparedCapacity} and warmPool.minSize is ${minSize}; the pool alone would be larger than both may be together`,
    );
  }
  return {
    enabled: true,
    ...(minSize === undefined ? {} : { minSize }),
    ...(maxPreparedCapacity === undefined ? {} : { maxGroupPreparedCapacity: maxPreparedCapacity }),
    ...(state === undefined ? {} : { poolState: state }),
    ...(reuseOnScaleIn === undefined ? {} : { reuseOnScaleIn }),
  };
}
