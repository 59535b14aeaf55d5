/** What the NVMe instance store of AL2023 nodes is used for. */
export enum InstanceStore {
  /** All disks are one RAID 0, which holds images, logs and `emptyDir` volumes of pods. The nodes' `ephemeral-storage` grows with it. */
  RAID0 = 'RAID0',
  /** The same with mirrored disks; at least four of them. */
  RAID10 = 'RAID10',
  /** Each disk is formatted and mounted below `/mnt/k8s-disks`, for a local volume provisioner. */
  MOUNT = 'Mount',
}

/** Elastic Fabric Adapters of nodes, for NCCL, MPI and the like. */
export interface EfaOptions {
  /**
   * Adapters, one for each network card, from 1 on; the first of them carries IP traffic too. Of p6-b300 the first card has none, and an ordinary interface besides.
   *
   * @default - as many as all instance types take, by the table of instance types
   * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html
   */
  readonly interfaces?: number;
  /**
   * Whether the adapters behind the first one also carry IP traffic (`efa`), and take IP addresses of the subnet for it. `efa-only` adapters don't.
   *
   * @default false
   */
  readonly ipOnAll?: boolean;
}

/** Which capacity reservations instances use where no target is named. */
export enum CapacityReservationPreference {
  /** Open reservations that match, else on-demand capacity: EC2's default. */
  OPEN = 'open',
  /** None. */
  NONE = 'none',
  /** Reservations only; without room in one no instance starts. */
  RESERVATIONS_ONLY = 'capacity-reservations-only',
}

/** The capacity reservation that instances use. One of the three; `id` or `resourceGroupArn` for a capacity block. */
export interface CapacityReservationOptions {
  /**
   * Id of a capacity reservation or capacity block, `cr-0123456789abcdef0`.
   *
   * @default - none
   */
  readonly id?: string;
  /**
   * ARN of a resource group of capacity reservations.
   *
   * @default - none
   */
  readonly resourceGroupArn?: string;
  /**
   * Which reservations count where none is named.
   *
   * @default - EC2's own: open ones
   */
  readonly preference?: CapacityReservationPreference;
}

/** The options of a node group about its instances. */
export interface NodeInstanceOptions {
  /**
   * Metrics of the instances each minute and not each five minutes, for which CloudWatch charges.
   *
   * @default false
   * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/manage-detailed-monitoring.html
   */
  readonly detailedMonitoring?: boolean;

  /**
   * Elastic Fabric Adapters: `{}` for one on each network card. The instances should be in one Availability Zone, and in a cluster placement group unless a
   * capacity reservation has one. Pods ask for `vpc.amazonaws.com/efa`, which AWS's device plugin gives them.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html
   */
  readonly efa?: EfaOptions;

  /**
   * Capacity reservations that the instances use. With a target, subnets must be in the Availability Zone of the reservation.
   *
   * @default - EC2's own: open reservations that match
   * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html
   */
  readonly capacityReservation?: CapacityReservationOptions;
}
