import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type { VolumeOptions } from '../engine-neutral/node-volume-options';

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
   * Key of the encryption. Its policy must let the service-linked role of EC2 Auto Scaling use it and create grants, or no instance starts; a key of the app
   * gets these statements. The role must be there when the policy is made: an account has it from its first Auto Scaling group on.
   *
   * @default - the account's default key for EBS
   * @see https://docs.aws.amazon.com/autoscaling/ec2/userguide/key-policy-requirements-EBS-encryption.html
   */
  readonly kmsKey?: kms.IKey;
}

/** A volume besides those of the AMI. */
export interface AdditionalNodeVolume extends NodeVolume {
  /** Its device, `/dev/xvdc`. Nobody formats or mounts it by itself. */
  readonly deviceName: string;
}

/** SSH on the nodes, or RDP on Windows. */
export interface RemoteAccessOptions {
  /** Key pair of the instances. Adding or changing it replaces all nodes. */
  readonly keyPair: ec2.IKeyPair;
  /** Who may connect: a bastion or its security group, at least one. There is no way to let in addresses. */
  readonly from: readonly ec2.IConnectable[];
}

/** The options of nodes about network, placement and role. */
export interface NodePartsProps {
  /**
   * Further security groups of the nodes. Pods have those of their node, unless a `PodSecurityGroupPolicy` gives them others.
   *
   * @default - the cluster's security group alone
   * @see https://docs.aws.amazon.com/eks/latest/userguide/sec-group-reqs.html
   */
  readonly securityGroups?: readonly ec2.ISecurityGroup[];

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
   * Placement group of the instances. One with the strategy `CLUSTER` is in one Availability Zone, and so must the subnets be.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-groups.html
   */
  readonly placementGroup?: ec2.IPlacementGroup;

  /**
   * Further policies of the node role, such as `AmazonSSMManagedInstanceCore`. Pods that reach the instance metadata have them too. Not with `role`.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html
   */
  readonly managedPolicies?: readonly iam.IManagedPolicy[];

  /**
   * Permissions boundary of the node role. Not with `role`.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
   */
  readonly permissionsBoundary?: iam.IManagedPolicy;
}
