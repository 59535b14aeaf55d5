/** `apiVersion` of the NodeConfig that nodeadm of AL2023 AMIs reads. */
export const NODE_CONFIG_API_VERSION = 'node.eks.aws/v1alpha1';
export const NODE_CONFIG_KIND = 'NodeConfig';

/**
 * What nodeadm takes from a NodeConfig (`spec`). Source: awslabs/amazon-eks-ami,
 * `nodeadm/api/v1alpha1/nodeconfig_types.go`.
 */
export interface NodeConfigSpec {
  /** The cluster to join. EKS fills it in for managed node groups without an own AMI. */
  readonly cluster?: ClusterDetails;
  /** What kubelet is started with. */
  readonly kubelet?: KubeletOptions;
  /** What containerd is started with. */
  readonly containerd?: ContainerdOptions;
  /** The node's disks, environment and name servers. */
  readonly instance?: InstanceOptions;
  /**
   * nodeadm's own feature gates, not kubelet's: `InstanceIdNodeName` and `FastImagePull`.
   * @default - both are off
   */
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

/** The coordinates of a cluster. nodeadm needs the first four; EKS supplies them unless the node group has an AMI of its own. */
export interface ClusterDetails {
  /** Name of the cluster. */
  readonly name?: string;
  /** URL of the API server, `https://…`. */
  readonly apiServerEndpoint?: string;
  /** The cluster's certificate authority as the EKS API gives it: base64, one level. */
  readonly certificateAuthority?: string;
  /** The *service* CIDR, from which nodeadm derives the address of CoreDNS. */
  readonly cidr?: string;
  /**
   * The cluster's control plane runs on an Outpost.
   * @default false
   */
  readonly enableOutpost?: boolean;
  /** Cluster id; needed with `enableOutpost`. */
  readonly id?: string;
}

export interface KubeletOptions {
  /**
   * A KubeletConfiguration, merged over nodeadm's. nodeadm doesn't check its content.
   * @see https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Command line flags, after nodeadm's own, so that they win: `--node-labels=tier=web`. */
  readonly flags?: readonly string[];
  /**
   * CEL expression for the number of pods, with `default_enis`, `ips_per_eni` and `max_pods`; AMIs from v20251007 on.
   * @default - ENIs × (addresses per ENI − 1) + 2
   */
  readonly maxPodsExpression?: string;
}

export interface ContainerdOptions {
  /** TOML, merged into the default configuration. */
  readonly config?: string;
  /** OCI runtime specification, deep-merged into the default. */
  readonly baseRuntimeSpec?: Readonly<Record<string, unknown>>;
}

export interface InstanceOptions {
  /**
   * What happens to the instance store.
   * @default - nothing
   */
  readonly localStorage?: LocalStorageOptions;
  /** Environment variables per systemd service, or `default` for all of them. */
  readonly environment?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * systemd-resolved's name servers and search domains.
   * @default - those of the VPC
   */
  readonly network?: NodeNetworkOptions;
}

export interface LocalStorageOptions {
  /** What to do with the instance store; RAID10 needs at least four disks. */
  readonly strategy?: 'RAID0' | 'RAID10' | 'Mount';
  /**
   * Where the disks are mounted.
   * @default '/mnt/k8s-disks/'
   */
  readonly mountPath?: string;
  /**
   * What is not moved to the disks.
   * @default - none
   */
  readonly disabledMounts?: readonly ('Containerd' | 'PodLogs' | 'SOCI')[];
}

export interface NodeNetworkOptions {
  /** Addresses of DNS servers. */
  readonly nameservers?: readonly string[];
  /** Domains that names are searched in. */
  readonly domains?: readonly string[];
}
