import type { NodeGroupOptions } from '../engine-neutral/node-group-options';
import type { BottlerocketSettings } from './bottlerocket-settings';
import type { ICluster } from './cluster';
import type { NodeConfig } from './node-config';
import type { AdditionalNodeVolume, NodePartsProps, NodeVolume } from './node-group-parts-props';
import type { IRole } from './role';
import type { ISubnet } from './subnet';
import type { WindowsBootstrap } from './windows-bootstrap';

export { CniPermissions, ImdsAccess } from '../engine-neutral/node-group-options';

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
  readonly effect: 'NO_SCHEDULE' | 'PREFER_NO_SCHEDULE' | 'NO_EXECUTE';
}

/** The options of every group of nodes. */
export interface NodeGroupProps extends NodeGroupOptions, NodePartsProps {
  /** The cluster that the nodes join: the resource, the data source, or the attributes of a cluster that is made elsewhere. */
  readonly cluster: ICluster;

  /**
   * Kubernetes version of a cluster that doesn't tell it, `1.34`. Decides which AMI types exist; isn't written to the node group, which
   * takes that of its cluster when it is created.
   *
   * @default - the cluster's; unknown if that is a token, so that only bounds of AMI types go unchecked
   */
  readonly kubernetesVersion?: string;

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
   * Where the nodes run: subnets or their ids, of private subnets as a rule.
   */
  readonly subnets: readonly ISubnet[];

  /**
   * Instance types, at most 20, all of one CPU architecture, and with the same kind of accelerator if any.
   *
   * @default - m5.large, or m6g.large for arm64
   */
  readonly instanceTypes?: readonly string[];

  /**
   * CPU architecture. Needed only for instance types that this library's table doesn't know.
   *
   * @default - that of the instance types; x86_64 without any
   */
  readonly architecture?: 'x86_64' | 'arm64';

  /**
   * Id of an AMI of your own, built on the EKS AMI of `amiFamily`. EKS then adds no bootstrap, and all of it is rendered from
   * the cluster: nodeadm's NodeConfig (AL2023), the call of bootstrap.sh (AL2), the settings (Bottlerocket), the call of Start-EKSBootstrap.ps1
   * (Windows), each with labels, taints and number of pods. Can't be added to or removed from an existing node group.
   *
   * @default - the current EKS AMI of the AMI type
   * @see https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html
   */
  readonly customAmi?: string;

  /**
   * The cluster's *service* CIDR (not the VPC's), needed with `customAmi`: nodes derive the address of CoreDNS from it.
   *
   * @default - that of the cluster
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
   * Number of nodes to start with. Better left out under an autoscaler: every deployment resets the number.
   *
   * @default - `minSize`; later changes of the number, by an autoscaler for example, are left as they are (`ignore_changes`)
   */
  readonly desiredSize?: number;

  /**
   * Role of the nodes, or its ARN. Used as it is: nothing is attached to it. A role of the stack that EC2 can't assume, or with which nodes can't join or pull images, fails synthesis. The group waits for what the stack attaches to it.
   *
   * @default - a new role with AmazonEKSWorkerNodePolicy, AmazonEC2ContainerRegistryPullOnly and, depending on `cniPermissions`, the VPC CNI's permissions
   * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html
   */
  readonly role?: IRole | string;

  /**
   * Tags of the node group, its launch template, role, instances and volumes. `default_tags` of the provider reach neither instances nor volumes.
   *
   * @default - none but those of the provider
   * @see https://docs.aws.amazon.com/eks/latest/userguide/eks-using-tags.html
   */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface ManagedNodeGroupProps extends NodeGroupProps {
  /**
   * Name of the node group. A group with a name can't be created anew before the old one is deleted.
   *
   * @default - generated by the provider, from the construct's id; a replacement is created before the old group is deleted
   */
  readonly nodegroupName?: string;

  /**
   * On-demand instances, spot instances, or a capacity block for ML, which `capacityReservation` names. Of a capacity block the launch template also has the one
   * instance type and the market. Scale the group to 0 before updates; EKS does so 40 minutes before the block ends.
   *
   * @default - ON_DEMAND
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html
   */
  readonly capacityType?: 'ON_DEMAND' | 'SPOT' | 'CAPACITY_BLOCK';
}
