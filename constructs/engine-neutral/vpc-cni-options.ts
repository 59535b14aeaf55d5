import type { VpcCniConfiguration } from '../../lib/eks/networking';

/** How a pod proves who it is to AWS. */
export enum PodIdentityKind {
  /** EKS Pod Identity: the `eks-pod-identity-agent` add-on hands out credentials. */
  POD_IDENTITY = 'POD_IDENTITY',
  /** IAM roles for service accounts: the cluster's OpenID Connect provider vouches for the service account. */
  IRSA = 'IRSA',
}

/** What EKS does with fields of the CNI's manifests that somebody else has changed. */
export enum ResolveConflicts {
  /** Keep them. On create it is the same as NONE. */
  PRESERVE = 'PRESERVE',
  /** Change nothing; creation and updates can fail with `ConfigurationConflict`. */
  NONE = 'NONE',
  /** Set them back to the add-on's own values, on every update. To take over a self-managed CNI, use `takeOver` instead. */
  OVERWRITE = 'OVERWRITE',
}

/** Who looks after the Pod Identity agent, which hands credentials to pods. */
export enum PodIdentityAgent {
  /** An add-on of this app; AWS CDK has its own for clusters of the app, other clusters get a new one. */
  INSTALL = 'INSTALL',
  /** It is there already, from another stack. (EKS Auto Mode has it built in, but only on its own nodes.) */
  MANAGED_ELSEWHERE = 'MANAGED_ELSEWHERE',
}

/** How strictly a pod's own security groups are applied. */
export enum PodSecurityGroupMode {
  /**
   * To all its traffic. Needs kube-proxy in iptables mode; a pod has no source NAT on the node. TCP early demultiplexing is switched
   * off with it, without which kubelet's TCP and HTTP probes can't reach the pod.
   */
  STRICT = 'strict',
  /** Not to traffic on the same node; traffic that leaves the VPC takes the node's security groups. */
  STANDARD = 'standard',
}

/** What holds for a pod until network policies apply to it. */
export enum NetworkPolicyMode {
  /** All traffic is allowed until a policy selects the pod and is in force. */
  STANDARD = 'standard',
  /** All traffic is denied until a policy allows it. */
  STRICT = 'strict',
}

export interface TakeOverOptions {
  /**
   * The day up to which the rules accept that fields are overwritten, `2027-03-31`. Take the option out before; afterwards
   * `vpc-cni-resolve-conflicts` reports the add-on.
   */
  readonly until: string;
}

export interface PodSecurityGroupOptions {
  /**
   * How strictly the groups are applied.
   *
   * @default PodSecurityGroupMode.STRICT, as in the CNI itself
   */
  readonly mode?: PodSecurityGroupMode;
}

export interface PrefixDelegationOptions {
  /**
   * Free /28 prefixes that a node keeps ready. 0 needs a `warmTargets.warmIpTarget` or `minimumIpTarget`.
   *
   * @default 1, as in the managed add-on
   */
  readonly warmPrefixTarget?: number;
}

/** How many addresses a node keeps ready for new pods. `warmIpTarget` and `minimumIpTarget` switch the other targets off. */
export interface WarmTargetOptions {
  /** Free addresses. @default - not set */
  readonly warmIpTarget?: number;
  /** Addresses, free or in use; needs `warmIpTarget`, which would count as 0. @default - not set */
  readonly minimumIpTarget?: number;
  /** Free network interfaces. @default - 1, which the CNI takes */
  readonly warmEniTarget?: number;
  /** The most network interfaces on a node. @default - what the instance type has */
  readonly maxEni?: number;
}

export interface NetworkPolicyOptions {
  /**
   * What holds for a pod until policies apply to it. Strict needs add-on version v1.17.1 or later.
   *
   * @default - standard, which the CNI takes
   */
  readonly mode?: NetworkPolicyMode;
}

/** The options of a `VpcCniAddon` that every engine has. */
export interface VpcCniOptions {
  /**
   * Kubernetes version of an imported cluster, `1.34`. A cluster of the app has its own.
   *
   * @default - the cluster's; unknown for imported clusters
   */
  readonly kubernetesVersion?: string;

  /**
   * Version of the add-on, `v1.21.1-eksbuild.5`.
   *
   * @default - the newest one that this library's table has for the cluster's Kubernetes version; needed when that version isn't known
   */
  readonly version?: string;

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
   * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_UpdateAddon.html
   */
  readonly resolveConflicts?: ResolveConflicts;

  /**
   * Why the mode isn't PRESERVE; needed with, and only with, another one. Written beside the add-on as the reason of the suppression of
   * `vpc-cni-resolve-conflicts`.
   *
   * @default - none
   */
  readonly resolveConflictsReason?: string;

  /**
   * Keep the CNI in the cluster when the add-on is deleted. Without it new pods get no address from then on.
   *
   * @default true
   */
  readonly preserveOnDelete?: boolean;

  /**
   * Security groups for pods, which `PodSecurityGroupPolicy` then gives out. The cluster role gets `AmazonEKSVPCResourceController`; the role of an
   * imported cluster must have it. Some node group of the cluster must have instance types that carry a trunk interface.
   *
   * @default - off
   * @see https://docs.aws.amazon.com/eks/latest/userguide/security-groups-for-pods.html
   */
  readonly podSecurityGroups?: PodSecurityGroupOptions;

  /**
   * Give nodes /28 prefixes instead of single addresses. Kubelet's number of pods is separate: EKS adapts it for node groups
   * that are made afterwards without an own AMI.
   *
   * @default - off; EKS switches it on itself for IPv6 clusters
   * @see https://docs.aws.amazon.com/eks/latest/userguide/cni-increase-ip-addresses.html
   */
  readonly prefixDelegation?: PrefixDelegationOptions;

  /**
   * Enforce Kubernetes network policies.
   *
   * @default - off
   * @see https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy.html
   */
  readonly networkPolicy?: NetworkPolicyOptions;

  /**
   * Manage addresses of Windows nodes. The cluster role gets `AmazonEKSVPCResourceController`; the role of an imported cluster must have it.
   *
   * @default false
   * @see https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html
   */
  readonly windowsIpam?: boolean;

  /**
   * How many addresses a node keeps ready for new pods.
   *
   * @default - the CNI's own: one spare network interface, or one spare prefix
   * @see https://github.com/aws/amazon-vpc-cni-k8s/blob/master/docs/eni-and-ip-target.md
   */
  readonly warmTargets?: WarmTargetOptions;

  /**
   * Further environment variables of the container aws-node, as strings: `{ AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' }`. Short for `configuration.env`.
   *
   * @default - none
   * @see https://github.com/aws/amazon-vpc-cni-k8s#cni-configuration-variables
   */
  readonly env?: NonNullable<VpcCniConfiguration['env']>;

  /**
   * Further configuration values, with the keys of the add-on's schema; which of them the version accepts is checked at synthesis. What a
   * typed option sets can't be set here too.
   *
   * @default - none
   */
  readonly configuration?: VpcCniConfiguration;

  /**
   * Configuration values that the types don't have: those of versions newer than this library, and values read from elsewhere. Checked like
   * `configuration`.
   *
   * @default - none
   */
  readonly configurationValues?: Readonly<Record<string, unknown>>;
}
