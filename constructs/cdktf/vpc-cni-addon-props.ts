import type { TakeOverOptions, VpcCniOptions } from '../engine-neutral/vpc-cni-options';
import type { ICluster } from './cluster';
import type { IRole } from './role';
import type { ISecurityGroup } from './security-group';
import type { ISubnet } from './subnet';
import type { IOpenIdConnectProvider } from './vpc-cni-role';

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
  /** The subnet that pods of the zone get their addresses from: `aws_subnet`, or its id. */
  readonly subnet: ISubnet;
  /**
   * Name of the zone, `eu-west-1a`. Nodes find their subnet by it.
   *
   * @default - the subnet's zone, when it is known at synthesis
   */
  readonly availabilityZone?: string;
  /**
   * Security groups of the pods' network interfaces: `aws_security_group`, or their ids.
   *
   * @default - those of the node's first network interface
   */
  readonly securityGroups?: readonly ISecurityGroup[];
}

export interface CustomNetworkingOptions {
  /** One subnet for each zone with nodes. */
  readonly subnets: readonly PodSubnet[];
}

export interface VpcCniAddonProps extends VpcCniOptions {
  /** The cluster: the resource or data source `aws_eks_cluster`, or attributes of one that is made elsewhere. */
  readonly cluster: ICluster;

  /**
   * An existing role for the CNI.
   *
   * @default - a new `VpcCniRole`
   */
  readonly role?: IRole;

  /**
   * The cluster's OpenID Connect provider in IAM, for IRSA.
   *
   * @default - that of the cluster's attributes, or the `aws_iam_openid_connect_provider` of the stack with the cluster's issuer
   */
  readonly openIdConnectProvider?: IOpenIdConnectProvider;

  /**
   * Take over a self-managed CNI when the add-on is created, even if somebody has changed fields of it: EKS sets them to the add-on's own values
   * and to what the options say, so put into the options first what was set with kubectl. Terraform has a setting for the creation alone,
   * `resolve_conflicts_on_create`, which does nothing later: there is nothing to take out again, and `until` isn't needed (`{ until }`
   * counts as `true`). With `false` such fields make the creation fail with `ConfigurationConflict`, and nothing is lost.
   *
   * @default true; false with `resolveConflicts: ResolveConflicts.NONE`
   * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAddon.html
   */
  readonly takeOver?: boolean | TakeOverOptions;

  /**
   * Give pods addresses of other subnets than the node's. Nodes that exist must be replaced.
   *
   * @default - off
   * @see https://docs.aws.amazon.com/eks/latest/userguide/cni-custom-network.html
   */
  readonly customNetworking?: CustomNetworkingOptions;
}
