import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as eks from 'aws-cdk-lib/aws-eks';
import type * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';

/** Operating system of the nodes. Windows needs more than a node group, and is for apps in TypeScript. */
export enum AmiFamily {
  /** Amazon Linux 2023, bootstrapped by nodeadm. */
  AL2023 = 'AL2023',
  /** Amazon Linux 2; EKS has no AMIs of it from Kubernetes 1.33 on. */
  AL2 = 'AL2',
  /** Bottlerocket, set up by TOML. */
  BOTTLEROCKET = 'BOTTLEROCKET',
}

/** Who may talk to the instance metadata service (IMDS) of a node. */
export enum ImdsAccess {
  /** Pods too: hop limit 2, the least that a pod with its own network namespace needs. */
  PODS = 'PODS',
  /** The node itself and pods on its network only: hop limit 1. Pods that take credentials, region or VPC id from IMDS stop working. */
  NODE_ONLY = 'NODE_ONLY',
}

/** Where the VPC CNI on the nodes takes its permissions from. */
export enum CniPermissions {
  /** From its own role if a `VpcCniAddon` of this module gives it one in the same stack, else from the node role. */
  AUTOMATIC = 'AUTOMATIC',
  /** From the node role. */
  NODE_ROLE = 'NODE_ROLE',
  /** From a role of its own that is set up elsewhere and works before the first node starts. */
  OWN_ROLE = 'OWN_ROLE',
}

/** What the NVMe instance store of AL2023 nodes is used for. */
export enum InstanceStore {
  /** All disks are one RAID 0, which holds images, logs and `emptyDir` volumes of pods. */
  RAID0 = 'RAID0',
  /** The same with mirrored disks; at least four of them. */
  RAID10 = 'RAID10',
  /** Each disk is formatted and mounted below `/mnt/k8s-disks`, for a local volume provisioner. */
  MOUNT = 'Mount',
}

/** How an update replaces nodes. */
export enum UpdateStrategy {
  /** New nodes first, then the old ones go. */
  DEFAULT = 'DEFAULT',
  /** Old nodes first, then new ones: an update needs no more instances than the group has, and pods wait in between. */
  MINIMAL = 'MINIMAL',
}

/** A Kubernetes taint. */
export interface NodeTaint {
  /** Name of the taint, `mycorp.io/dedicated`. */
  readonly key: string;

  /**
   * Value that a toleration may ask for.
   *
   * @default - no value
   */
  readonly value?: string;

  /** What happens to pods that don't tolerate the taint. */
  readonly effect: eks.TaintEffect;
}

/** The volume that holds images and pods. It is encrypted, and goes with its instance. */
export interface NodeVolume {
  /**
   * Size in GiB.
   *
   * @default - 20, with an AMI of your own that of the AMI
   */
  readonly size?: number;

  /**
   * Type of the volume: `gp3`, `gp2`, `io1` or `io2`.
   *
   * @default gp3
   */
  readonly volumeType?: string;

  /**
   * I/O operations per second. Needed for io1 and io2, possible for gp3.
   *
   * @default - of gp3 3000
   */
  readonly iops?: number;

  /**
   * Throughput in MiB/s, of gp3 only.
   *
   * @default 125
   */
  readonly throughput?: number;

  /**
   * Snapshot from which the volume is made, such as one with images for the data volume of Bottlerocket.
   *
   * @default - that of the AMI
   */
  readonly snapshotId?: string;

  /**
   * Key of the encryption. A key of the app lets the service-linked role of EC2 Auto Scaling use it.
   *
   * @default - the account's default key for EBS
   */
  readonly kmsKey?: kms.IKey;
}

/** SSH on the nodes. Session Manager needs neither key nor open port. */
export interface RemoteAccessOptions {
  /** Key pair of the instances. Adding or changing it replaces all nodes. */
  readonly keyPair: ec2.IKeyPair;

  /** Who may connect: a bastion or its security group, at least one. */
  readonly allowedFrom: ec2.IConnectable[];
}

/** How EKS repairs unhealthy nodes. A limit is a number of nodes or a percentage, not both. */
export interface NodeRepairOptions {
  /**
   * `false` writes explicitly that nodes aren't repaired; nothing else may be set then.
   *
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * Unhealthy nodes above which EKS stops repairing.
   *
   * @default - EKS's own
   */
  readonly maxUnhealthyNodes?: number;

  /**
   * The same as a percentage of the group.
   *
   * @default - EKS's own
   */
  readonly maxUnhealthyNodesPercentage?: number;

  /**
   * Nodes that are repaired at the same time.
   *
   * @default - EKS's own
   */
  readonly maxParallelRepairs?: number;

  /**
   * The same as a percentage of the unhealthy nodes.
   *
   * @default - EKS's own
   */
  readonly maxParallelRepairsPercentage?: number;
}

/** The options of a managed node group. */
export interface ManagedNodeGroupProps {
  /** The cluster that the nodes join: of `aws-eks` or `aws-eks-v2`, defined in the app or imported. */
  readonly cluster: eks.ICluster | eksv2.ICluster;

  /**
   * Kubernetes version of an imported cluster, `1.34`; a cluster of the app has its own.
   *
   * @default - the cluster's; unknown for imported clusters
   */
  readonly kubernetesVersion?: string;

  /**
   * Name of the node group. A group with a name can't be replaced without a new one.
   *
   * @default - generated by CloudFormation
   */
  readonly nodegroupName?: string;

  /**
   * Operating system of the nodes; with an AMI of your own that of your AMI.
   *
   * @default AmiFamily.AL2023
   */
  readonly amiFamily?: AmiFamily;

  /**
   * Why the nodes still run AL2. Needed with, and only with, AL2 without an AMI of your own.
   *
   * @default - none
   */
  readonly al2Reason?: string;

  /**
   * The exact AMI type, such as `AL2023_x86_64_NVIDIA` or `BOTTLEROCKET_ARM_64_FIPS`. Changing it later replaces the node group.
   *
   * @default - the one of `amiFamily` and the instance types
   */
  readonly amiType?: string;

  /**
   * AMI release, such as `1.34.1-20251007`.
   *
   * @default - the newest when the group is created or updated
   */
  readonly releaseVersion?: string;

  /**
   * An AMI of your own, built on the EKS AMI of `amiFamily`. EKS then adds no bootstrap, and all of it is rendered from the cluster.
   *
   * @default - the current EKS AMI of the AMI type
   */
  readonly customAmi?: ec2.IMachineImage;

  /**
   * The same by its id, `ami-0123456789abcdef0`.
   *
   * @default - none
   */
  readonly customAmiId?: string;

  /**
   * The cluster's service CIDR (not the VPC's), needed with an AMI of your own.
   *
   * @default - that of the cluster, if it sets one
   */
  readonly serviceCidr?: string;

  /**
   * Instance types, at most 20, all of one CPU architecture.
   *
   * @default - m5.large, or m6g.large for arm64
   */
  readonly instanceTypes?: ec2.InstanceType[];

  /**
   * CPU architecture. Needed only for instance types that the table of this version doesn't know.
   *
   * @default - that of the instance types
   */
  readonly architecture?: ec2.InstanceArchitecture;

  /**
   * On-demand or spot instances.
   *
   * @default - on demand
   */
  readonly capacityType?: eks.CapacityType;

  /**
   * The least number of nodes.
   *
   * @default 2
   */
  readonly minSize?: number;

  /**
   * The most nodes.
   *
   * @default - the larger one of `minSize` and `desiredSize`, at least 1
   */
  readonly maxSize?: number;

  /**
   * Number of nodes to start with. Every deployment that changes the sizes resets what an autoscaler decided.
   *
   * @default - not written; EKS starts with `minSize`
   */
  readonly desiredSize?: number;

  /**
   * Who may use the instance metadata service.
   *
   * @default ImdsAccess.PODS
   */
  readonly imds?: ImdsAccess;

  /**
   * Why pods need no access to the metadata service. Needed with, and only with, `ImdsAccess.NODE_ONLY`.
   *
   * @default - none
   */
  readonly imdsReason?: string;

  /**
   * The spec of a NodeConfig for nodeadm, by its own names: `{"kubelet": {"config": {"shutdownGracePeriod": "60s"}}}`. Checked against its schema. AL2023 only.
   *
   * @default - none
   */
  readonly nodeConfig?: { [name: string]: any };

  /**
   * What stands below `settings` of Bottlerocket, by its own names: `{"kernel": {"sysctl": {"vm.max_map_count": "262144"}}}`. Bottlerocket only.
   *
   * @default - none
   */
  readonly bottlerocketSettings?: { [name: string]: any };

  /**
   * Programs that cloud-init runs once on each node, on AL2023 and AL2; each begins with `#!`.
   *
   * @default - none
   */
  readonly shellScripts?: string[];

  /**
   * What the NVMe instance store is used for, on AL2023.
   *
   * @default - the disks stay unused
   */
  readonly instanceStore?: InstanceStore;

  /**
   * Highest number of pods on a node. On AL2023 and AL2 only with an AMI of your own: otherwise EKS's number wins.
   *
   * @default - what EKS or the bootstrap computes
   */
  readonly maxPods?: number;

  /**
   * Labels of the nodes.
   *
   * @default - none but EKS's own
   */
  readonly labels?: { [label: string]: string };

  /**
   * Taints of the nodes, each key once for an effect.
   *
   * @default - none
   */
  readonly taints?: NodeTaint[];

  /**
   * The volume that holds images and pods.
   *
   * @default - an encrypted gp3 volume of 20 GiB
   */
  readonly volume?: NodeVolume;

  /**
   * Where the nodes run.
   *
   * @default - the private subnets of the cluster's VPC
   */
  readonly subnets?: ec2.SubnetSelection;

  /**
   * Further security groups of the nodes.
   *
   * @default - the cluster's security group alone
   */
  readonly securityGroups?: ec2.ISecurityGroup[];

  /**
   * Whether the nodes have the security group that EKS gives the control plane and its nodes.
   *
   * @default true
   */
  readonly clusterSecurityGroup?: boolean;

  /**
   * SSH from given security groups.
   *
   * @default - none
   */
  readonly remoteAccess?: RemoteAccessOptions;

  /**
   * Placement group of the instances.
   *
   * @default - none
   */
  readonly placementGroup?: ec2.IPlacementGroup;

  /**
   * Role of the nodes. Used as it is: nothing is attached to it.
   *
   * @default - a new role with what nodes need
   */
  readonly role?: iam.IRole;

  /**
   * Further policies of the new node role. Pods that reach the instance metadata have them too.
   *
   * @default - none
   */
  readonly managedPolicies?: iam.IManagedPolicy[];

  /**
   * Permissions boundary of the new node role.
   *
   * @default - none
   */
  readonly permissionsBoundary?: iam.IManagedPolicy;

  /**
   * Whether the new node role also serves the VPC CNI.
   *
   * @default CniPermissions.AUTOMATIC
   */
  readonly cniPermissions?: CniPermissions;

  /**
   * Nodes that an update may take at once. Not together with `maxUnavailablePercentage`.
   *
   * @default 1
   */
  readonly maxUnavailable?: number;

  /**
   * The same as a percentage, 1 to 100.
   *
   * @default - `maxUnavailable` counts
   */
  readonly maxUnavailablePercentage?: number;

  /**
   * Whether an update starts new nodes before the old ones go.
   *
   * @default UpdateStrategy.DEFAULT
   */
  readonly updateStrategy?: UpdateStrategy;

  /**
   * Delete pods that can't be evicted because of a pod disruption budget when nodes are updated. CDK's own node groups do.
   *
   * @default false
   */
  readonly forceUpdate?: boolean;

  /**
   * Why disruption budgets don't matter here. Needed with, and only with, `forceUpdate`.
   *
   * @default - none
   */
  readonly forceUpdateReason?: string;

  /**
   * Let EKS replace or reboot unhealthy nodes; without limits of yours its own count.
   *
   * @default - none
   */
  readonly nodeRepair?: NodeRepairOptions;

  /**
   * Metrics of the instances each minute, for which CloudWatch charges.
   *
   * @default false
   */
  readonly detailedMonitoring?: boolean;

  /**
   * Tags of the node group, its launch template, role, instances and volumes.
   *
   * @default - none but those of the scopes above
   */
  readonly tags?: { [key: string]: string };
}
