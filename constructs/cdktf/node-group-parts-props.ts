import type { PlacementGroup } from '@cdktf/provider-aws/lib/placement-group';
import type { VolumeOptions } from '../engine-neutral/node-volume-options';
import type { IKey } from './controller-roles';
import type { IPolicy } from './pod-role';
import type { ISecurityGroup } from './security-group';

export {
  CapacityReservationPreference,
  InstanceStore,
  type CapacityReservationOptions,
  type EfaOptions,
} from '../engine-neutral/node-instance-options';
export {
  RepairAction,
  UpdateStrategy,
  WarmPoolState,
  type NodeRepairOptions,
  type NodeRepairOverride,
  type WarmPoolOptions,
} from '../engine-neutral/node-update-options';

/** A volume of a node. All volumes are encrypted, and are deleted with their instance. */
export interface NodeVolume extends VolumeOptions {
  /**
   * Key of the encryption: the resource or data source `aws_kms_key`, something else with its ARN, or the ARN. The service-linked role of EC2 Auto Scaling must
   * be allowed to use it and to create grants, or no instance starts: a key that the app makes gets a grant for it, in the policies of others write the statements. The
   * role must be there by then: an account has it from its first Auto Scaling group on.
   *
   * @default - the account's default key for EBS
   * @see https://docs.aws.amazon.com/autoscaling/ec2/userguide/key-policy-requirements-EBS-encryption.html
   */
  readonly kmsKey?: IKey | string;
}

/** A volume besides those of the AMI. */
export interface AdditionalNodeVolume extends NodeVolume {
  /** Its device, `/dev/xvdc`. Nobody formats or mounts it by itself. */
  readonly deviceName: string;
}

/** SSH on the nodes, or RDP on Windows. */
export interface RemoteAccessOptions {
  /** Name of the key pair of the instances. Adding or changing it replaces all nodes. */
  readonly keyName: string;
  /** Who may connect: security groups, at least one. There is no way to let in addresses. */
  readonly from: readonly ISecurityGroup[];
}

/** The options of nodes about network, placement and role. */
export interface NodePartsProps {
  /**
   * Further security groups of the nodes: resources, data sources or ids. Pods have those of their node, unless a `PodSecurityGroupPolicy` gives them others.
   *
   * @default - the cluster's security group alone
   * @see https://docs.aws.amazon.com/eks/latest/userguide/sec-group-reqs.html
   */
  readonly securityGroups?: readonly ISecurityGroup[];

  /**
   * Whether the nodes have the security group that EKS gives the control plane and its nodes. Without it `securityGroups` must let nodes, control plane and DNS
   * reach each other.
   *
   * @default true
   * @see https://docs.aws.amazon.com/eks/latest/userguide/sec-group-reqs.html
   */
  readonly clusterSecurityGroup?: boolean;

  /**
   * SSH from given security groups. Session Manager needs neither key nor open port: give the nodes `AmazonSSMManagedInstanceCore` by `managedPolicies` instead.
   * On Bottlerocket the admin container answers, which `bottlerocketSettings` must enable.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/session-manager.html
   */
  readonly remoteAccess?: RemoteAccessOptions;

  /**
   * Placement group of the instances: the resource `aws_placement_group`, or a name. One with the strategy `cluster` is in one Availability Zone, and so must the
   * subnets be.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-groups.html
   */
  readonly placementGroup?: PlacementGroup | string;

  /**
   * Further policies of the node role, or their ARNs, such as `AmazonSSMManagedInstanceCore`. Pods that reach the instance metadata have them too. Not with `role`.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html
   */
  readonly managedPolicies?: readonly (IPolicy | string)[];

  /**
   * Permissions boundary of the node role, or its ARN. Not with `role`.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
   */
  readonly permissionsBoundary?: IPolicy | string;
}
