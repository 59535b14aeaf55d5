import type { AmiFamily } from './ami-family';
import type { NodeInstanceOptions } from './node-instance-options';
import type { NodeOptions } from './node-options';
import type { NodeUpdateOptions } from './node-update-options';
import type { NodeVolumeOptions } from './node-volume-options';

/** Who may talk to the instance metadata service (IMDS) of a node. */
export enum ImdsAccess {
  /** Pods too: hop limit 2, the least that a pod with its own network namespace needs. */
  PODS = 'PODS',
  /**
   * The node itself and pods on its network only: hop limit 1. Pods that take credentials, region or VPC id from IMDS stop
   * working, such as an AWS Load Balancer Controller without `vpcId`.
   */
  NODE_ONLY = 'NODE_ONLY',
}

/** Where the VPC CNI on the nodes takes its permissions from. */
export enum CniPermissions {
  /**
   * From its own role if a `VpcCniAddon` of this library gives it one in the same stack, else from the node role. Nodes are
   * never left without.
   */
  AUTOMATIC = 'AUTOMATIC',
  /** From the node role. */
  NODE_ROLE = 'NODE_ROLE',
  /** From a role of its own that is set up elsewhere and works before the first node starts. */
  OWN_ROLE = 'OWN_ROLE',
}

/** The options of a node group that are the same for every engine. */
export interface NodeGroupOptions extends NodeOptions, NodeInstanceOptions, NodeVolumeOptions, NodeUpdateOptions {
  /** Kubernetes version of a cluster that doesn't tell it. */
  readonly kubernetesVersion?: string;
  /** Name of the node group. */
  readonly nodegroupName?: string;
  /** Number of nodes to start with. */
  readonly desiredSize?: number;
  readonly capacityType?: string;

  /**
   * Operating system of the nodes; with `customAmi` that of your AMI. AL2 is refused from Kubernetes 1.33 on, where EKS has no AMI of it.
   * Windows nodes need more than a node group: `WindowsNodeGroup` brings it.
   *
   * @default AmiFamily.AL2023
   * @see https://docs.aws.amazon.com/eks/latest/userguide/eks-optimized-amis.html
   */
  readonly amiFamily?: AmiFamily;

  /**
   * Why the nodes still run AL2, for which no new AMIs are published. Written beside the resource as the reason of the suppression of
   * `ami-type-kubernetes-version`. Needed with, and only with, AL2 without `customAmi`.
   *
   * @default - none
   */
  readonly al2Reason?: string;

  /**
   * The exact AMI type, for variants such as `AL2023_x86_64_NVIDIA` or `BOTTLEROCKET_ARM_64_FIPS`. Changing it later
   * replaces the node group.
   *
   * @default - the one of `amiFamily` and the instance types' architecture, with drivers if all instance types have the same accelerator
   * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_Nodegroup.html
   */
  readonly amiType?: string;

  /**
   * AMI release, such as `1.34.1-20251007`. Not with `customAmi`.
   *
   * @default - the newest when the group is created or updated
   */
  readonly releaseVersion?: string;

  /**
   * Who may use the instance metadata service.
   *
   * @default ImdsAccess.PODS
   * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-options.html
   */
  readonly imds?: ImdsAccess;

  /**
   * Why pods need no access to the metadata service: for example that each has its own role, region and VPC id. Written
   * beside the resource as the reason of the suppression of `imds-hop-limit`. Needed with, and only with, `ImdsAccess.NODE_ONLY`.
   *
   * @default - none
   */
  readonly imdsReason?: string;

  /**
   * The least number of nodes, from 0 on.
   *
   * @default - 2; with a capacity block 0, because it may not have begun
   * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html
   */
  readonly minSize?: number;

  /**
   * The most nodes, from 1 on.
   *
   * @default - the larger one of `minSize` and `desiredSize`, at least 1
   * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html
   */
  readonly maxSize?: number;

  /**
   * Whether the new node role also serves the VPC CNI.
   *
   * @default CniPermissions.AUTOMATIC
   * @see https://docs.aws.amazon.com/eks/latest/userguide/cni-iam-role.html
   */
  readonly cniPermissions?: CniPermissions;

  /**
   * Tags of the node group, its launch template, role, instances and volumes.
   *
   * @default - none but those of the scopes above
   * @see https://docs.aws.amazon.com/eks/latest/userguide/eks-using-tags.html
   */
  readonly tags?: Readonly<Record<string, string>>;
}
