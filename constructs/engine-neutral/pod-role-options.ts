import type { PodIdentityAgent, PodIdentityKind } from './vpc-cni-options';

/** The options that the roles of all controllers have, in every engine. */
export interface PodRoleOptions {
  /**
   * Who may take the role: the Pod Identity service, or the service account through the cluster's OpenID Connect provider.
   *
   * @default PodIdentityKind.POD_IDENTITY
   * @see https://docs.aws.amazon.com/eks/latest/userguide/service-accounts.html
   */
  readonly identity?: PodIdentityKind;

  /**
   * Namespace of the service account.
   *
   * @default - the one in which the software is commonly installed
   */
  readonly namespace?: string;

  /**
   * Name of the service account. `helmValues` has it.
   *
   * @default - the name that the software's own documentation has
   */
  readonly serviceAccount?: string;

  /**
   * Make the Pod Identity association of the service account. Not for an add-on that has associations of its own: EKS refuses a second one.
   *
   * @default true with Pod Identity
   */
  readonly association?: boolean;

  /**
   * Who looks after the Pod Identity agent, which hands credentials to pods.
   *
   * @default - INSTALL for clusters of this app; must be said for others
   */
  readonly podIdentityAgent?: PodIdentityAgent;

  /**
   * Kubernetes version of a cluster that doesn't tell it, `1.34`: for the version of the Pod Identity agent.
   *
   * @default - the cluster's; otherwise the agent has the version that is EKS's default when it is created
   */
  readonly kubernetesVersion?: string;

  /**
   * Name of the role.
   *
   * @default - generated
   */
  readonly roleName?: string;
}

/** Which volumes the EBS CSI driver may change, by AWS's managed policies. */
export enum EbsVolumeScope {
  /**
   * Those that a driver has made, or that have the tag `ebs.csi.aws.com/cluster: true` (`AmazonEBSCSIDriverPolicyV2`). Volumes that are made
   * elsewhere and imported need the tag.
   */
  DRIVER = 'DRIVER',
  /**
   * Those that the driver of this cluster has made (`AmazonEBSCSIDriverEKSClusterScopedPolicy`). Needs Pod Identity, whose session tags tell the
   * cluster, and a driver that tags volumes with the cluster's name, as `helmValues` tell it.
   */
  CLUSTER = 'CLUSTER',
  /** All of the account (`AmazonEBSCSIDriverPolicy`, the policy before V2). */
  ACCOUNT = 'ACCOUNT',
}

/** The options of a `LoadBalancerControllerRole` that every engine has. */
export interface LoadBalancerControllerOptions extends PodRoleOptions {
  /**
   * Version of the controller, `2.13.4`, whose published policy the role gets. From 2.4.7 on, which Kubernetes 1.25 needs.
   *
   * @default - the newest that this library knows; its policy has all that older versions need
   */
  readonly version?: string;

  /**
   * VPC of the cluster, for `helmValues`. With it the controller doesn't ask the instance metadata service, which pods may be unable to reach.
   *
   * @default - the cluster's
   * @see https://docs.aws.amazon.com/eks/latest/userguide/lbc-helm.html
   */
  readonly vpcId?: string;
}

/** The options of an `ExternalDnsRole` that every engine has. */
export interface ExternalDnsOptions extends PodRoleOptions {
  /**
   * Let it ask for the tags of all hosted zones, which it does to choose among them (`--aws-zone-tags`). It still changes only those of `hostedZones`.
   *
   * @default false
   */
  readonly zoneTags?: boolean;
}

/** The options of an `EbsCsiDriverRole` that every engine has. */
export interface EbsCsiDriverOptions extends PodRoleOptions {
  /**
   * Which volumes and snapshots the driver may attach, change and delete.
   *
   * @default EbsVolumeScope.DRIVER
   * @see https://github.com/kubernetes-sigs/aws-ebs-csi-driver/issues/2918
   */
  readonly volumes?: EbsVolumeScope;
}

/** An association as an add-on has it. */
export interface AddonPodIdentityAssociation {
  readonly serviceAccount: string;
  readonly roleArn: string;
}
