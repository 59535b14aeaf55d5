import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { TakeOverOptions, VpcCniOptions } from '../engine-neutral/vpc-cni-options';
import type { ICluster } from './cluster';

export {
  NetworkPolicyMode,
  PodIdentityAgent,
  PodSecurityGroupMode,
  ResolveConflicts,
  type NetworkPolicyOptions,
  type PodSecurityGroupOptions,
  type PrefixDelegationOptions,
  type TakeOverOptions,
  type WarmTargetOptions,
} from '../engine-neutral/vpc-cni-options';

/** Where the pods of one Availability Zone get their addresses from. */
export interface PodSubnet {
  /** The subnet that pods of the zone get their addresses from. */
  readonly subnet: ec2.ISubnet;
  /**
   * Name of the zone, `eu-west-1a`. Nodes find their subnet by it.
   *
   * @default - the subnet's zone, when it is known at synthesis
   */
  readonly availabilityZone?: string;
  /**
   * Security groups of the pods' network interfaces.
   *
   * @default - those of the node's first network interface
   */
  readonly securityGroups?: readonly ec2.ISecurityGroup[];
}

export interface CustomNetworkingOptions {
  /** One subnet for each zone with nodes. */
  readonly subnets: readonly PodSubnet[];
}

export interface VpcCniAddonProps extends VpcCniOptions {
  /** The cluster: of `aws-eks` or `aws-eks-v2`, defined in the app or imported. */
  readonly cluster: ICluster;

  /**
   * An existing role for the CNI.
   *
   * @default - a new `VpcCniRole`
   */
  readonly role?: iam.IRole;

  /**
   * Take over a self-managed CNI whose fields somebody has changed: EKS sets them to the add-on's own values and to what the options say, where the
   * creation would otherwise end in `ConfigurationConflict`. CloudFormation has one setting for creation and updates, so it holds until
   * the option is taken out: first put into the options what was set with kubectl, and take the option out when the add-on is there.
   *
   * A self-managed CNI that nobody has changed needs it only if its fields differ from what the options say. Clusters with
   * `bootstrapSelfManagedAddons: false` have none (and no kube-proxy and CoreDNS).
   *
   * @default - fields that were changed make the creation fail, and nothing is lost
   * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAddon.html
   */
  readonly takeOver?: TakeOverOptions;

  /**
   * Give pods addresses of other subnets than the node's. Nodes that exist must be replaced.
   *
   * @default - off
   * @see https://docs.aws.amazon.com/eks/latest/userguide/cni-custom-network.html
   */
  readonly customNetworking?: CustomNetworkingOptions;
}
