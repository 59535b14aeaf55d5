import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as eks from 'aws-cdk-lib/aws-eks';
import type * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { NodeGroupOptions } from '../engine-neutral/node-group-options';
import type { BottlerocketSettings } from './bottlerocket-settings';
import type { ICluster } from './cluster';
import type { NodeConfig } from './node-config';
import type { AdditionalNodeVolume, NodePartsProps, NodeVolume } from './node-group-parts-props';
import type { WindowsBootstrap } from './windows-bootstrap';

export { CniPermissions, ImdsAccess } from '../engine-neutral/node-group-options';

/** A Kubernetes taint; the same shape as CDK's `TaintSpec`, with all that a taint needs. */
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
  readonly effect: eks.TaintEffect | eksv2.TaintEffect | 'NO_SCHEDULE' | 'PREFER_NO_SCHEDULE' | 'NO_EXECUTE';
}

/** The options of every group of nodes. */
export interface NodeGroupProps extends NodeGroupOptions, NodePartsProps {
  /** The cluster that the nodes join: of `aws-eks` or `aws-eks-v2`, defined in the app or imported. */
  readonly cluster: ICluster;

  /**
   * Kubernetes version of an imported cluster, `1.34`; a cluster of the app has its own. Decides which AMI types exist; isn't written to
   * the node group, which follows its cluster.
   *
   * @default - the cluster's; unknown for imported clusters, so that only bounds of AMI types go unchecked
   */
  readonly kubernetesVersion?: string;

  /**
   * Instance types, at most 20, all of one CPU architecture, and with the same kind of accelerator if any.
   *
   * @default - m5.large, or m6g.large for arm64
   */
  readonly instanceTypes?: readonly ec2.InstanceType[];

  /**
   * CPU architecture. Needed only for instance types that this library's table doesn't know.
   *
   * @default - that of the instance types; x86_64 without any
   */
  readonly architecture?: ec2.InstanceArchitecture;

  /**
   * An AMI of your own, as CDK machine image or AMI id, built on the EKS AMI of `amiFamily`. EKS then adds no bootstrap, and all of it is rendered from
   * the cluster: nodeadm's NodeConfig (AL2023), the call of bootstrap.sh (AL2), the settings (Bottlerocket), the call of Start-EKSBootstrap.ps1
   * (Windows), each with labels, taints and number of pods. Can't be added to or removed from an existing node group.
   *
   * @default - the current EKS AMI of the AMI type
   * @see https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html
   */
  readonly customAmi?: ec2.IMachineImage | string;

  /**
   * The cluster's *service* CIDR (not the VPC's), needed with `customAmi`: nodes derive the address of CoreDNS from it.
   *
   * @default - that of the cluster if it sets `serviceIpv4Cidr`, or is an IPv6 cluster of `aws-eks-v2`
   */
  readonly serviceCidr?: string;

  /**
   * Further nodeadm configuration, on AL2023. A part of its own behind the one that this construct renders; nodeadm merges them,
   * and the later one wins. What contradicts an option of the group is refused, and without `customAmi` what EKS sets itself.
   *
   * @default - none
   */
  readonly nodeConfig?: NodeConfig;

  /**
   * Settings of Bottlerocket nodes. One document with what this construct renders; what both set is refused.
   *
   * @default - none
   */
  readonly bottlerocketSettings?: BottlerocketSettings;

  /**
   * Scripts and kubelet's flags of Windows nodes. One `<powershell>` block with what this construct renders.
   *
   * @default - none
   */
  readonly windowsBootstrap?: WindowsBootstrap;

  /**
   * Taints of the nodes, each key once for an effect. With `customAmi` they stand in the bootstrap too: EKS itself adds them only after a node has joined.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/eks/latest/userguide/node-taints-managed-node-groups.html
   */
  readonly taints?: readonly NodeTaint[];

  /**
   * The volume that holds images and pods: the root volume, or the data volume `/dev/xvdb` of Bottlerocket, whose first volume gets the same key.
   *
   * @default - an encrypted gp3 volume of 20 GiB on Linux and 50 on Windows, with `customAmi` of the AMI's size
   * @see https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html
   */
  readonly volume?: NodeVolume;

  /**
   * Volumes besides those of the AMI.
   *
   * @default - none
   * @see https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html
   */
  readonly additionalVolumes?: readonly AdditionalNodeVolume[];

  /**
   * Where the nodes run.
   *
   * @default - the private subnets of the cluster's VPC
   */
  readonly subnets?: ec2.SubnetSelection;

  /**
   * Number of nodes to start with. Better left out under an autoscaler: every deployment that changes the sizes resets the number.
   *
   * @default - not written; EKS starts with `minSize`
   */
  readonly desiredSize?: number;

  /**
   * Role of the nodes. Used as it is: nothing is attached to it. A role of the app that EC2 can't assume, or with which nodes can't join or pull images, fails synthesis.
   *
   * @default - a new role with AmazonEKSWorkerNodePolicy, AmazonEC2ContainerRegistryPullOnly and, depending on `cniPermissions`, the VPC CNI's permissions
   * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html
   */
  readonly role?: iam.IRole;
}

export interface ManagedNodeGroupProps extends NodeGroupProps {
  /**
   * Name of the node group. A group with a name can't be replaced without a new one.
   *
   * @default - generated by CloudFormation
   */
  readonly nodegroupName?: string;

  /**
   * On-demand instances, spot instances, or a capacity block for ML, which `capacityReservation` names. Of a capacity block the launch template also has the one
   * instance type and the market. Scale the group to 0 before updates; EKS does so 40 minutes before the block ends.
   *
   * @default - ON_DEMAND
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html
   */
  readonly capacityType?: eks.CapacityType | eksv2.CapacityType | 'ON_DEMAND' | 'SPOT' | 'CAPACITY_BLOCK';
}
