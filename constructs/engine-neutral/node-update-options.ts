/** How an update replaces nodes. */
export enum UpdateStrategy {
  /** New nodes first, then the old ones go (surge): an update needs room for more nodes than the group has. */
  DEFAULT = 'DEFAULT',
  /** Old nodes first, then new ones: an update needs no more instances than the group has, and pods wait in between. */
  MINIMAL = 'MINIMAL',
}

/** What EKS does with an unhealthy node. */
export enum RepairAction {
  REPLACE = 'Replace',
  REBOOT = 'Reboot',
  NO_ACTION = 'NoAction',
}

/** What EKS does with nodes that have one condition for one reason. */
export interface NodeRepairOverride {
  /** The condition, as the node monitoring agent reports it: `AcceleratedHardwareReady`, `NetworkingReady`. */
  readonly condition: string;
  /** The reason of the condition: `NvidiaXID64Error`, `InterfaceNotUp`. */
  readonly reason: string;
  /** Minutes to wait before the repair, from 1 on. */
  readonly waitMinutes: number;
  /** What EKS then does with the node. */
  readonly action: RepairAction;
}

/** How EKS repairs unhealthy nodes. A limit is a number of nodes or a percentage of the group, not both. */
export interface NodeRepairOptions {
  /**
   * `false` writes explicitly that nodes aren't repaired; nothing else may be set then.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Unhealthy nodes above which EKS stops repairing, from 1 on.
   *
   * @default - EKS's own: a fifth of a group of more than five nodes
   */
  readonly maxUnhealthyNodes?: number;
  /**
   * The same as a percentage of the group, 1 to 100.
   *
   * @default - EKS's own: 20 for groups of more than five nodes
   */
  readonly maxUnhealthyNodesPercentage?: number;
  /**
   * Nodes that are repaired at the same time, from 1 on.
   *
   * @default - EKS's own
   */
  readonly maxParallelRepairs?: number;
  /**
   * The same as a percentage of the unhealthy nodes, 1 to 100.
   *
   * @default - EKS's own
   */
  readonly maxParallelRepairsPercentage?: number;
  /**
   * Another repair for some conditions. Only the `eks-node-monitoring-agent` add-on reports conditions with reasons.
   *
   * @default - EKS's own repair of each condition
   */
  readonly overrides?: readonly NodeRepairOverride[];
}

/** What instances do while they wait in a warm pool. */
export enum WarmPoolState {
  /** They cost no more than their volumes. */
  STOPPED = 'STOPPED',
  /** They join fastest, at the full price. */
  RUNNING = 'RUNNING',
  /** Their memory is on the root volume, which must have room for it. Some instance types only, and not Bottlerocket. */
  HIBERNATED = 'HIBERNATED',
}

/** Instances that have started already and wait outside of the cluster. */
export interface WarmPoolOptions {
  /**
   * Instances that wait at least, from 0 on.
   *
   * @default 0
   */
  readonly minSize?: number;
  /**
   * Instances in the pool and in the group together at most; -1 for the group's `maxSize`.
   *
   * @default - the group's `maxSize`
   */
  readonly maxPreparedCapacity?: number;
  /**
   * What they do while they wait.
   *
   * @default WarmPoolState.STOPPED
   */
  readonly state?: WarmPoolState;
  /**
   * Whether nodes go back to the pool when the group scales in. Not on Bottlerocket.
   *
   * @default false
   */
  readonly reuseOnScaleIn?: boolean;
}

/** The options of a managed node group about updates, repairs and instances in reserve. */
export interface NodeUpdateOptions {
  /**
   * Nodes that an update may take at once, 1 to 100. Not together with `maxUnavailablePercentage`.
   *
   * @default 1
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
   */
  readonly maxUnavailable?: number;

  /**
   * The same as a percentage, 1 to 100.
   *
   * @default - `maxUnavailable` counts
   */
  readonly maxUnavailablePercentage?: number;

  /**
   * Whether an update starts new nodes before the old ones go. `MINIMAL` is for instances of which there are no more, as in a capacity reservation.
   * In Terraform it needs version 6.26 of the AWS provider.
   *
   * @default UpdateStrategy.DEFAULT
   * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupUpdateConfig.html
   */
  readonly updateStrategy?: UpdateStrategy;

  /**
   * Delete pods that can't be evicted because of a pod disruption budget when nodes are updated. CDK's own node groups do.
   *
   * @default false
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
   */
  readonly forceUpdate?: boolean;

  /**
   * Why disruption budgets don't matter here. Written beside the resource as the reason of the suppression of `node-group-force-update`.
   * Needed with, and only with, `forceUpdate`.
   *
   * @default - none
   */
  readonly forceUpdateReason?: string;

  /**
   * Let EKS replace or reboot unhealthy nodes: `{}` for its own limits. Linux only. By itself it sees what kubelet reports; the
   * `eks-node-monitoring-agent` add-on adds kernel, network, storage and accelerators. A repair doesn't wait for pod disruption budgets for ever.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/eks/latest/userguide/node-repair.html
   */
  readonly nodeRepair?: NodeRepairOptions;

  /**
   * Instances that have started already and join faster: `{}` for EKS's own settings. EKS's own AMIs only. In Terraform it needs version 6.56 of the AWS provider.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/eks/latest/userguide/warm-pools-managed-node-groups.html
   */
  readonly warmPool?: WarmPoolOptions;
}
