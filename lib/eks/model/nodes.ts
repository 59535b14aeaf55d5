import type { AmiFamily } from '../../knowledge/ami-types';
import type { Resource, Source, Value } from '../../value';
import type { Role } from './iam';
import type { Cluster } from './cluster';
import type { Image, LaunchTemplate, LaunchTemplateVersion } from './launch-template';
import type { Subnet } from './network';
import type { Reference } from './reference';

export type NodeResource = NodeGroup | SelfManagedNodeGroup;

export interface NodeGroup extends Resource {
  readonly kind: 'node-group';
  readonly cluster: Value<Reference<Cluster>>;
  readonly name: Value<string>;
  /** How a name begins that the engine makes up. @default - nobody says */
  readonly namePrefix?: Value<string>;
  readonly amiType: Value<string>;
  /** Absent: not written. The items may be unknown one by one. */
  readonly instanceTypes: Value<readonly Value<string>[]>;
  readonly subnets: Value<readonly Value<Reference<Subnet>>[]>;
  readonly capacityType: Value<string>;
  readonly version: Value<string>;
  readonly releaseVersion: Value<string>;
  /** What is told of the AMI whose release version the group takes. */
  readonly releaseImage: Value<Image>;
  readonly launchTemplate: Value<LaunchTemplateUse>;
  readonly nodeRole: Value<Reference<Role>>;
  readonly forceUpdate: Value<boolean>;
  /** GiB; a string if what is written is no number. */
  readonly diskSize: Value<number | string>;
  readonly remoteAccess: Value<RemoteAccess>;
  /** Absent: none are written. Keys may hold `${…}` for unknown parts. */
  readonly labels: Value<readonly NodeLabel[]>;
  readonly taints: Value<readonly NodeTaint[]>;
  readonly updateConfig: Value<UpdateConfig>;
  readonly minSize: Value<number | string>;
  readonly maxSize: Value<number | string>;
  readonly desiredSize: Value<number | string>;
  /** The desired size counts only when the group is created; later something else sets it, such as the Cluster Autoscaler. @default - it always counts */
  readonly isDesiredSizeIgnored?: true | undefined;
  /** The launch template counts only when the group is created; later something else moves its version. @default - it always counts */
  readonly isLaunchTemplateIgnored?: true | undefined;
}

/** How a node group names its launch template. */
export interface LaunchTemplateUse {
  readonly template: Reference<LaunchTemplate>;
  readonly version: Value<LaunchTemplateVersion>;
  /** The template's id and its name as written; EKS wants exactly one of them. */
  readonly id: Value<string>;
  readonly name: Value<string>;
  readonly source: Source;
}

export interface RemoteAccess {
  readonly sshKey: Value<string>;
  readonly sourceSecurityGroups: Value<readonly Value<string>[]>;
  readonly source: Source;
}

export interface NodeLabel {
  readonly key: Value<string>;
  readonly value: Value<string>;
  readonly source: Source;
}

export interface NodeTaint {
  readonly key: Value<string>;
  readonly value: Value<string>;
  readonly effect: Value<string>;
  readonly source: Source;
}

/** How many nodes of a group an update takes at once. Strings where what is written is no number. */
export interface UpdateConfig {
  readonly maxUnavailable: Value<number | string>;
  readonly maxUnavailablePercentage: Value<number | string>;
  readonly strategy: Value<string>;
  readonly source: Source;
}

/**
 * An Auto Scaling group whose instances join a cluster by themselves; told by its tag `kubernetes.io/cluster/<name>`. Nobody
 * adds a bootstrap to its user data.
 */
export interface SelfManagedNodeGroup extends Resource {
  readonly kind: 'self-managed-node-group';
  readonly cluster: Value<Reference<Cluster>>;
  /** Absent when it uses none, or several through a mixed instances policy that names them one by one. A launch configuration counts as a launch template. */
  readonly launchTemplate: Value<LaunchTemplateUse>;
  /** Of the overrides of a mixed instances policy; absent where the launch template alone decides. */
  readonly instanceTypes: Value<readonly Value<string>[]>;
  readonly subnets: Value<readonly Value<Reference<Subnet>>[]>;
  /** The text of what is written if it is no number. */
  readonly maxSize: Value<number | string>;
  /** What says that its nodes share no security group with others, so that only the control plane reaches them. @default - nothing says so */
  readonly apart?: Source;
  /** Logins that the tool which makes the group opens a port for. @default - what its security groups let in */
  readonly remoteAccess?: Value<RemoteAccess>;
  /** It stands for the nodes that Karpenter starts with a node class. @default - it is a group */
  readonly nodeClass?: NodeClass;
}

/** An EC2NodeClass of Karpenter, as far as it tells how its nodes start. */
export interface NodeClass {
  /** Name of the object. */
  readonly name: string;
  /** Its operating system; unknown for AMIs of somebody's own. */
  readonly family: Value<AmiFamily>;
  /** Whether Karpenter puts its own bootstrap to the user data: with every AMI family but `Custom`. */
  readonly isMerged: boolean;
}
