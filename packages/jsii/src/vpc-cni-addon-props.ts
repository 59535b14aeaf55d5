import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as eks from 'aws-cdk-lib/aws-eks';
import type * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import type * as iam from 'aws-cdk-lib/aws-iam';

/** How the CNI proves who it is to AWS. */
export enum PodIdentityKind {
  /** EKS Pod Identity: the `eks-pod-identity-agent` add-on hands out credentials. */
  POD_IDENTITY = 'POD_IDENTITY',
  /** IAM roles for service accounts: the cluster's OpenID Connect provider vouches for the service account. */
  IRSA = 'IRSA',
}

/** What EKS does with fields of the CNI's manifests that somebody else has changed. */
export enum ResolveConflicts {
  /** Keep them. */
  PRESERVE = 'PRESERVE',
  /** Change nothing; creation and updates can fail with `ConfigurationConflict`. */
  NONE = 'NONE',
  /** Set them back to the add-on's own values, on every update. To take over a self-managed CNI, use `takeOver` instead. */
  OVERWRITE = 'OVERWRITE',
}

/** Who looks after the Pod Identity agent, which hands credentials to pods. */
export enum PodIdentityAgent {
  /** An add-on of this app. */
  INSTALL = 'INSTALL',
  /** It is there already, from another stack. */
  MANAGED_ELSEWHERE = 'MANAGED_ELSEWHERE',
}

/** How strictly a pod's own security groups are applied. */
export enum PodSecurityGroupMode {
  /** To all its traffic. Needs kube-proxy in iptables mode; a pod has no source NAT on the node. */
  STRICT = 'strict',
  /** Not to traffic on the same node; traffic that leaves the VPC takes the node's security groups. */
  STANDARD = 'standard',
}

/** What holds for a pod until network policies apply to it. */
export enum NetworkPolicyMode {
  /** All traffic is allowed. */
  STANDARD = 'standard',
  /** All traffic is denied. */
  STRICT = 'strict',
}

/** How a self-managed CNI is taken over whose fields somebody has changed. */
export interface TakeOverOptions {
  /** The day up to which the rules accept that fields are overwritten, `2027-03-31`. Take the option out before. */
  readonly until: string;
}

/** Security groups for pods. */
export interface PodSecurityGroupOptions {
  /**
   * How strictly the groups are applied.
   *
   * @default PodSecurityGroupMode.STRICT, as in the CNI itself
   */
  readonly mode?: PodSecurityGroupMode;
}

/** Addresses of nodes in /28 prefixes. */
export interface PrefixDelegationOptions {
  /**
   * Free /28 prefixes that a node keeps ready.
   *
   * @default 1, as in the managed add-on
   */
  readonly warmPrefixTarget?: number;
}

/** Network policies of Kubernetes. */
export interface NetworkPolicyOptions {
  /**
   * What holds for a pod until policies apply to it. Strict needs add-on version v1.17.1 or later.
   *
   * @default - standard, which the CNI takes
   */
  readonly mode?: NetworkPolicyMode;
}

/** How many addresses a node keeps ready for new pods. `warmIpTarget` and `minimumIpTarget` switch the other targets off. */
export interface WarmTargetOptions {
  /**
   * Free addresses.
   *
   * @default - not set
   */
  readonly warmIpTarget?: number;

  /**
   * Addresses, free or in use; needs `warmIpTarget`.
   *
   * @default - not set
   */
  readonly minimumIpTarget?: number;

  /**
   * Free network interfaces.
   *
   * @default - 1, which the CNI takes
   */
  readonly warmEniTarget?: number;

  /**
   * The most network interfaces on a node.
   *
   * @default - what the instance type has
   */
  readonly maxEni?: number;
}

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
  readonly securityGroups?: ec2.ISecurityGroup[];
}

/** Addresses of pods from other subnets than the node's. */
export interface CustomNetworkingOptions {
  /** One subnet for each zone with nodes. */
  readonly subnets: PodSubnet[];
}

/** The options of the VPC CNI's add-on. */
export interface VpcCniAddonProps {
  /** The cluster: of `aws-eks` or `aws-eks-v2`, defined in the app or imported. */
  readonly cluster: eks.ICluster | eksv2.ICluster;

  /**
   * Kubernetes version of an imported cluster, `1.34`. A cluster of the app has its own.
   *
   * @default - the cluster's; unknown for imported clusters
   */
  readonly kubernetesVersion?: string;

  /**
   * Version of the add-on, `v1.21.1-eksbuild.5`.
   *
   * @default - the newest one that this version has for the cluster's Kubernetes version; needed when that isn't known
   */
  readonly version?: string;

  /**
   * An existing role for the CNI.
   *
   * @default - a new role
   */
  readonly role?: iam.IRole;

  /**
   * How the CNI takes its role.
   *
   * @default PodIdentityKind.POD_IDENTITY; IRSA for add-on versions below v1.15.5, which can't do it
   */
  readonly identity?: PodIdentityKind;

  /**
   * Let the CNI use the node role, as it does without a role of its own.
   *
   * @default false
   */
  readonly useNodeRole?: boolean;

  /**
   * Who installs the Pod Identity agent.
   *
   * @default - INSTALL for a cluster of this app; must be said for an imported one
   */
  readonly podIdentityAgent?: PodIdentityAgent;

  /**
   * What happens to fields that were changed outside of the add-on.
   *
   * @default ResolveConflicts.PRESERVE
   */
  readonly resolveConflicts?: ResolveConflicts;

  /**
   * Why the mode isn't PRESERVE; needed with, and only with, another one.
   *
   * @default - none
   */
  readonly resolveConflictsReason?: string;

  /**
   * Take over a self-managed CNI whose fields somebody has changed. Take the option out when the add-on is there.
   *
   * @default - fields that were changed make the creation fail, and nothing is lost
   */
  readonly takeOver?: TakeOverOptions;

  /**
   * Keep the CNI in the cluster when the add-on is deleted. Without it new pods get no address from then on.
   *
   * @default true
   */
  readonly preserveOnDelete?: boolean;

  /**
   * Security groups for pods. The cluster role gets `AmazonEKSVPCResourceController`; the role of an imported cluster must have it.
   *
   * @default - off
   */
  readonly podSecurityGroups?: PodSecurityGroupOptions;

  /**
   * Give nodes /28 prefixes instead of single addresses.
   *
   * @default - off; EKS switches it on itself for IPv6 clusters
   */
  readonly prefixDelegation?: PrefixDelegationOptions;

  /**
   * Give pods addresses of other subnets than the node's. Nodes that exist must be replaced.
   *
   * @default - off
   */
  readonly customNetworking?: CustomNetworkingOptions;

  /**
   * Enforce Kubernetes network policies.
   *
   * @default - off
   */
  readonly networkPolicy?: NetworkPolicyOptions;

  /**
   * Manage addresses of Windows nodes. The cluster role gets `AmazonEKSVPCResourceController`.
   *
   * @default false
   */
  readonly windowsIpam?: boolean;

  /**
   * How many addresses a node keeps ready for new pods.
   *
   * @default - the CNI's own: one spare network interface, or one spare prefix
   */
  readonly warmTargets?: WarmTargetOptions;

  /**
   * Further environment variables of the container aws-node: `{"AWS_VPC_K8S_CNI_EXTERNALSNAT": "true"}`.
   *
   * @default - none
   */
  readonly env?: { [name: string]: string };

  /**
   * Further configuration values, with the keys of the add-on's schema; which of them the version accepts is checked at synthesis.
   *
   * @default - none
   */
  readonly configurationValues?: { [name: string]: any };
}
