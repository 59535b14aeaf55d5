import type { AmiFamily } from '../../knowledge/ami-types';
import type { AmiFacts } from '../../knowledge/published-amis';
import type { SourceText } from '../user-data/source-text';
import type { Data, Resource, Source, Value } from '../../value';

export type { AmiFamily };

/**
 * A reference to something. `target` is set when that resource is part of the input; otherwise `text` is all
 * there is (a literal name or ARN).
 */
export interface Reference<T> {
  readonly text: string;
  readonly target: T | undefined;
  /** Why nothing is known of it, not even a name. @default - `text` is what is known */
  readonly unknown?: string;
  /** Why there is no target, if not because nothing of this name is part of the input. */
  readonly ambiguous?: string;
}

/** Region and partition that a stack is deployed to, where the input tells. */
export interface Environment {
  readonly region: string | undefined;
  readonly partition: string | undefined;
}

/** A resource of which it counts where it is deployed to. */
interface Deployed extends Resource {
  readonly environment: Environment;
}

export interface Cluster extends Deployed {
  readonly kind: 'cluster';
  readonly name: Value<string>;
  /** Kubernetes version, `1.33`. */
  readonly version: Value<string>;
  /** `ipv4` or `ipv6`; absent means ipv4. */
  readonly ipFamily: Value<string>;
  readonly serviceIpv4Cidr: Value<string>;
  /** EKS Auto Mode compute; absent means off. */
  readonly autoMode: Value<boolean>;
  readonly role: Value<Reference<Role>>;
  /** The groups that the control plane's network interfaces are given besides the one that EKS makes for the cluster. */
  readonly securityGroups: Value<readonly Value<string>[]>;
  /** Where EKS puts the network interfaces of the control plane; nodes may be elsewhere. */
  readonly subnets: Value<readonly Value<Reference<Subnet>>[]>;
  /** Whether the API server is reached from within the VPC by private addresses; absent means that it isn't. */
  readonly endpointPrivateAccess: Value<boolean>;
  readonly authenticationMode: Value<string>;
  readonly bootstrapSelfManagedAddons: Value<boolean>;
  /** What EKS does at the end of standard support, `STANDARD` or `EXTENDED`; absent means `EXTENDED`. */
  readonly supportType: Value<string>;
  /** Whether the control plane runs on an AWS Outpost (a local cluster), with Kubernetes versions and dates of its own; absent means in the region. */
  readonly onOutpost: Value<boolean>;
  /**
   * What else of its stack may put software into it, and can't be looked into: a script, another stack, a module that isn't here. Each in
   * a few words: `module "addons" isn't here`. @default - nothing
   */
  readonly otherInstallers?: readonly string[];
  /**
   * Only its name and its version stand here, beside parts of it: the rest is unknown, and may be set up elsewhere. A cluster of the same
   * name that the input has as a whole takes its place. @default - the input has all of it
   */
  readonly isPartial?: true;
}

export interface NodeGroup extends Resource {
  readonly kind: 'node-group';
  readonly cluster: Value<Reference<Cluster>>;
  readonly name: Value<string>;
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
}

export interface LaunchTemplateVersion {
  /** As written: `3`, `$Latest`, `Workers.LatestVersionNumber`. */
  readonly text: string;
  /** The template attribute that the version follows, so that an edit of the template changes the node group too. */
  readonly tracks: 'latest' | 'default' | undefined;
}

export interface LaunchTemplate extends Resource {
  readonly kind: 'launch-template';
  readonly name: Value<string>;
  readonly imageId: Value<Image>;
  readonly instanceType: Value<string>;
  readonly metadata: MetadataOptions;
  readonly userData: Value<UserData>;
  /** Keys of the tags that the template puts on instances. */
  readonly instanceTagKeys: readonly Value<string>[];
  /** Name or ARN. */
  readonly instanceProfile: Value<string>;
  readonly shutdownBehavior: Value<string>;
  /** Whether instances are configured for hibernation. */
  readonly hibernation: Value<boolean>;
  /** Whether instance requirements (attribute-based selection) are written. */
  readonly instanceRequirements: Value<true>;
  /** `spot` or `capacity-block`. */
  readonly marketType: Value<string>;
  readonly keyName: Value<string>;
  /** Security groups of the template itself, by id or by name. */
  readonly securityGroups: Value<readonly Value<string>[]>;
  readonly networkInterfaces: readonly NetworkInterface[];
  readonly blockDevices: readonly BlockDevice[];
}

/** A network interface that a launch template describes. */
export interface NetworkInterface {
  readonly subnet: Value<string>;
  readonly securityGroups: Value<readonly Value<string>[]>;
  readonly source: Source;
}

export interface BlockDevice {
  /** `/dev/xvda`. */
  readonly name: Value<string>;
  /** GiB; a string if what is written is no number. */
  readonly size: Value<number | string>;
  readonly source: Source;
}

/** Instance metadata options. Each is absent when not written, even if the whole block is missing. */
export interface MetadataOptions {
  readonly httpTokens: Value<string>;
  /** A string if what is written is no number. */
  readonly hopLimit: Value<number | string>;
  readonly httpEndpoint: Value<string>;
  readonly instanceTags: Value<string>;
  /** Somebody has switched the service off for pods, by a setting that says so. @default - nobody has */
  readonly isForNodesOnly?: boolean;
}

/** The AMI of a launch template, with what the SSM parameter path or the name that it is looked up by tells of it. */
export interface Image extends AmiFacts {
  /** An AMI id, an SSM path, or the text of what it refers to. */
  readonly text: string;
  /** EC2 looks the SSM parameter up when it launches an instance (`resolve:ssm:…`), as opposed to the engine at deployment. */
  readonly resolvedAtLaunch?: true;
  /** It is one that AWS publishes, as opposed to one that somebody has built and called alike. */
  readonly isPublished?: true;
  /** It is written out and names no AMI at all, so that EC2 refuses it. */
  readonly isMalformed?: true;
}

/** User data as a launch template holds it. */
export interface UserData {
  /** Decoded: without the base64 that EC2 demands, and without what is in `layers`. */
  readonly text: SourceText;
  /** What else stood around the whole text, outermost first: compression, or base64 once more. */
  readonly layers: readonly ('base64' | 'gzip')[];
  /**
   * Who wrote the base64 that EC2 demands: the engine (`Fn::Base64`), the user, or nobody, in which case EC2 refuses the template
   * and `text` is what stands there.
   */
  readonly encodedBy: 'engine' | 'user' | 'nobody';
  /** Bytes as EC2 counts them: without the base64 that it demands, `layers` included. Undefined unless the user encoded it; then `text` is all that there is. */
  readonly size?: number;
}

/** A version that AWS is asked for. */
export interface AddonVersionLookup {
  readonly wanted: 'newest' | 'default';
  /** Whether a module asks because its call pins no version; else the add-on's version is written as what was found. */
  readonly isModuleDefault: boolean;
  /** Where it is asked. */
  readonly source: Source;
}

export interface Addon extends Deployed {
  readonly kind: 'addon';
  readonly cluster: Value<Reference<Cluster>>;
  readonly name: Value<string>;
  /** `v1.19.0-eksbuild.1`. Absent as well where it is looked up, unless a plan tells what was found. */
  readonly version: Value<string>;
  /** What is looked up at every plan, and installed then, where nobody pins a version; absent where nothing is. @default - nothing is */
  readonly versionLookup?: Value<AddonVersionLookup>;
  readonly resolveConflictsOnCreate: Value<string>;
  readonly resolveConflictsOnUpdate: Value<string>;
  /** Both modes are one argument of Terraform that newer providers don't have. @default - each has its own, or the engine only has one */
  readonly hasOldConflictMode?: true | undefined;
  readonly configuration: Value<AddonConfiguration>;
  /** Where EKS installs it; absent means the add-on's own namespace. */
  readonly namespace: Value<string>;
  readonly serviceAccountRole: Value<Reference<Role>>;
  readonly podIdentityAssociations: Value<readonly AddonPodIdentity[]>;
  readonly preserveOnDelete: Value<boolean>;
  /** The command by which alone the input updates it, `eksctl update addon`. @default - each deployment does */
  readonly updatedBy?: string;
  /** Whether it is created only once another resource is there, because somebody says so. @default - nothing says so */
  waitsFor?(other: Resource): boolean | 'unknown';
}

/** Configuration values as parsed from their JSON or YAML text. */
export type AddonConfiguration =
  | {
      readonly kind: 'parsed';
      readonly data: Data;
      /** The reference that a value is written as, by the path of the value: `env.X`. @default - none is known */
      readonly expressionOf?: (path: string) => string | undefined;
    }
  | { readonly kind: 'malformed'; readonly reason: string };

export interface AddonPodIdentity {
  readonly serviceAccount: Value<string>;
  readonly role: Value<Reference<Role>>;
  readonly source: Source;
}

export interface PodIdentityAssociation extends Resource {
  readonly kind: 'pod-identity-association';
  readonly cluster: Value<Reference<Cluster>>;
  readonly namespace: Value<string>;
  readonly serviceAccount: Value<string>;
  readonly role: Value<Reference<Role>>;
  /** Sessions carry no tags of cluster, namespace and service account; absent means that they do. */
  readonly disableSessionTags: Value<boolean>;
}

/** Lets a role into a cluster; the type tells what its holders are. */
export interface AccessEntry extends Resource {
  readonly kind: 'access-entry';
  readonly cluster: Value<Reference<Cluster>>;
  readonly principal: Value<Reference<Role>>;
  /** `STANDARD`, `EC2_LINUX`, `EC2_WINDOWS`, `EC2`, `FARGATE_LINUX` …; absent means `STANDARD`. */
  readonly entryType: Value<string>;
  /** Kubernetes groups. */
  readonly groups: Value<readonly Value<string>[]>;
}

/** A security group with all its rules, whichever resource declares them. */
export interface SecurityGroup extends Resource {
  readonly kind: 'security-group';
  readonly rules: readonly SecurityGroupRule[];
}

export interface SecurityGroupRule {
  readonly direction: 'ingress' | 'egress';
  /** The other side: a security group, an address range, or a prefix list, as text; absent when the rule names none. */
  readonly peer: Value<string>;
  /** It is a rule of the peer, which names this group; the direction is the peer's. */
  readonly ofPeer?: true;
  readonly source: Source;
}

/** A network of the input. What belongs to it names it. */
export interface Vpc extends Resource {
  readonly kind: 'vpc';
  /** What may add routes and endpoints to it and can't be looked into, each as a clause: `module.endpoints, which isn't here, is given it`. */
  readonly outsiders: readonly string[];
}

export interface Subnet extends Resource {
  readonly kind: 'subnet';
  readonly vpc: Value<Reference<Vpc>>;
  /** IPv4 range, `10.0.0.0/24`. */
  readonly cidr: Value<string>;
  /** Name of the zone, `eu-west-1a`; a zone id (`euw1-az1`) isn't one. */
  readonly availabilityZone: Value<string>;
  /** Absent means off. */
  readonly mapPublicIpOnLaunch: Value<boolean>;
  /** Keys of its own tags; absent when it has none. Tags of a whole stack aren't among them. */
  readonly tagKeys: Value<readonly Value<string>[]>;
}

/** Says where what leaves a subnet goes. The route to its own VPC is in each. */
export interface RouteTable extends Resource {
  readonly kind: 'route-table';
  /** The VPC of which it is the main table, by its own type; absent for others. */
  readonly mainOf: Value<Reference<Vpc>>;
  /** Those that it declares itself. */
  readonly routes: readonly RouteTarget[];
  /** Virtual private gateways that add routes to it. */
  readonly propagatingGateways: Value<readonly Value<string>[]>;
}

/** Where a route leads; each is absent where it isn't by this kind of destination. */
export interface RouteTarget {
  /** `0.0.0.0/0`. */
  readonly destination: Value<string>;
  readonly ipv6Destination: Value<string>;
  /** An internet or virtual private gateway; `local` stays in the VPC. */
  readonly gateway: Value<string>;
  readonly source: Source;
}

/** A route that is a resource of its own. */
export interface Route extends Resource {
  readonly kind: 'route';
  readonly routeTable: Value<Reference<RouteTable>>;
  readonly destination: Value<string>;
  readonly ipv6Destination: Value<string>;
  readonly gateway: Value<string>;
}

/** Gives a subnet its route table; a subnet without any has the main one of its VPC. */
export interface RouteTableAssociation extends Resource {
  readonly kind: 'route-table-association';
  readonly routeTable: Value<Reference<RouteTable>>;
  /** Absent for the table of a gateway, or of a whole VPC. */
  readonly subnet: Value<Reference<Subnet>>;
  /** The VPC of which it makes the table the main one. */
  readonly mainOf: Value<Reference<Vpc>>;
}

/** What connects a VPC to other networks, or to the internet. */
export interface NetworkAttachment extends Resource {
  readonly kind: 'network-attachment';
  readonly vpc: Value<Reference<Vpc>>;
  /** Absent for what leads to other networks. */
  readonly internetGateway: Value<string>;
}

/** Makes a service of AWS, or of somebody else, reachable from within a VPC. */
export interface VpcEndpoint extends Resource {
  readonly kind: 'vpc-endpoint';
  readonly vpc: Value<Reference<Vpc>>;
  /** `com.amazonaws.eu-west-1.ecr.api`. */
  readonly serviceName: Value<string>;
  /** `Interface`, `Gateway` …; absent means `Gateway`. */
  readonly endpointType: Value<string>;
  /** Whether the service's usual name leads to an interface endpoint. */
  readonly privateDns: Value<boolean>;
  /** The tables in which a gateway endpoint stands. */
  readonly routeTables: Value<readonly Value<Reference<RouteTable>>[]>;
}

/** A zone of Route 53, public or private. */
export interface HostedZone extends Resource {
  readonly kind: 'hosted-zone';
  readonly name: Value<string>;
}

export interface FargateProfile extends Resource {
  readonly kind: 'fargate-profile';
  readonly cluster: Value<Reference<Cluster>>;
  readonly subnets: Value<readonly Value<Reference<Subnet>>[]>;
  readonly selectors: Value<readonly FargateSelector[]>;
}

/** Which pods a Fargate profile takes. */
export interface FargateSelector {
  /** May hold the wildcards `*` and `?`. */
  readonly namespace: Value<string>;
  /** Only pods with certain labels, or maybe so. */
  readonly hasLabels: boolean;
}

export interface Role extends Resource {
  readonly kind: 'role';
  readonly name: Value<string>;
  readonly trust: Value<PolicyDocument>;
  /** Everything attached to the role, by whichever resource; reading stops nowhere, so this list is complete for the input. */
  readonly policies: readonly AttachedPolicy[];
  /** The policy beyond which it may do nothing, whatever is attached; several where that depends on a condition. @default - none */
  readonly boundary?: readonly AttachedPolicy[];
}

/** One policy of a role. */
export type AttachedPolicy =
  | {
      readonly kind: 'document';
      readonly name: string;
      readonly document: Value<PolicyDocument>;
      readonly source: Source;
    }
  /** A managed policy by ARN, an AWS one or one that the input doesn't hold. */
  | { readonly kind: 'managed'; readonly arn: Value<string>; readonly source: Source };

export interface PolicyDocument {
  readonly statements: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly effect: Value<string>;
  readonly actions: readonly Value<string>[];
  readonly notActions: readonly Value<string>[];
  readonly resources: readonly Value<string>[];
  readonly notResources: readonly Value<string>[];
  readonly principals: readonly Principal[];
  readonly conditions: readonly PolicyCondition[] | UnreadableConditions;
  readonly source: Source;
}

/** The condition block exists, but can't be read. */
export interface UnreadableConditions {
  readonly kind: 'unknown-conditions';
  readonly reason: string;
}

export interface Principal {
  /** `Service`, `AWS`, `Federated`, or `*`. */
  readonly type: string;
  readonly id: Value<string>;
  /** What the principal refers to when it is a resource of the input, such as an OIDC provider or a cluster. */
  readonly target?: Resource;
}

export interface PolicyCondition {
  /** `StringEquals`, `ForAnyValue:StringLike` … */
  readonly operator: string;
  /** The key, with `${…}` for unknown parts: `${Cluster.OpenIdConnectIssuer}:sub`. */
  readonly key: string;
  /** The function that the key is in a YAML template, which CloudFormation refuses: `!Sub`. @default - the key is a text */
  readonly keyFunction?: string;
  readonly values: readonly Value<string>[];
  readonly source: Source;
}

export interface OidcProvider extends Resource {
  readonly kind: 'oidc-provider';
  readonly url: Value<string>;
  readonly clientIds: Value<readonly Value<string>[]>;
}

/** A Kubernetes object that the infrastructure code applies. */
export interface KubernetesManifest extends Deployed {
  readonly kind: 'manifest';
  readonly cluster: Value<Reference<Cluster>>;
  readonly object: Data;
  /** It is an object of Terraform, or one that `jsonencode` makes a text of, as opposed to YAML. @default false */
  readonly isWrittenInHcl?: boolean;
  /** It is a resource of Terraform that spells the object in blocks and attributes of its own. @default false */
  readonly isWrittenInBlocks?: boolean;
  /** Where a part of the object stands, by the keys that lead there. @default - only where the object stands is known */
  placeIn?(...path: readonly string[]): Source;
}

/** A change that the infrastructure code makes to a Kubernetes object that something else owns. */
export interface KubernetesPatch extends Resource {
  readonly kind: 'kubernetes-patch';
  readonly cluster: Value<Reference<Cluster>>;
  /** `daemonset/aws-node`. */
  readonly target: Value<string>;
  readonly namespace: Value<string>;
  readonly patch: Data;
}

export interface HelmRelease extends Deployed {
  readonly kind: 'helm-release';
  readonly cluster: Value<Reference<Cluster>>;
  readonly chart: Value<string>;
  readonly release: Value<string>;
  readonly namespace: Value<string>;
  readonly version: Value<string>;
  readonly values: Data;
}

/** A file that its tool checks before it deploys anything: what the tool refuses of it, and what it passes over. */
export interface ConfigurationFile extends Resource {
  readonly kind: 'configuration-file';
  readonly problems: readonly ConfigProblem[];
}

/** What a tool makes of something in its configuration that isn't as it should be. */
export type ConfigProblem =
  /** `refused`: at once. `refusedLate`: when it is at work already. `idle`: it takes it and makes nothing of it. */
  | {
      readonly kind: 'refused' | 'refusedLate' | 'idle';
      /** What is wrong, as a clause that may begin a sentence: "both endpoints are off". */
      readonly problem: string;
      /** What to do, as a sentence. */
      readonly advice: string;
      readonly source: Source;
    }
  | {
      readonly kind: 'unknownKey';
      readonly key: string;
      /** Where it stands: "an add-on". */
      readonly place: string;
      readonly advice: string;
      /** Whether a key is meant that is known, as opposed to one that a newer release of the tool may have. */
      readonly isSure: boolean;
      readonly source: Source;
    }
  /** A key that the tool drops without a word. */
  | {
      readonly kind: 'ignoredKey';
      readonly key: string;
      readonly meant: string;
      /** Whether a whole part of the configuration goes with it. */
      readonly isWhole: boolean;
      readonly source: Source;
    }
  /** A document of the file that the tool doesn't read. */
  | {
      readonly kind: 'ignoredDocument';
      /** "the cluster shop". */
      readonly what: string;
      readonly source: Source;
    };

export type EksResource =
  | ConfigurationFile
  | Cluster
  | NodeGroup
  | SelfManagedNodeGroup
  | LaunchTemplate
  | Addon
  | PodIdentityAssociation
  | FargateProfile
  | AccessEntry
  | SecurityGroup
  | Vpc
  | Subnet
  | RouteTable
  | Route
  | RouteTableAssociation
  | NetworkAttachment
  | VpcEndpoint
  | HostedZone
  | Role
  | OidcProvider
  | KubernetesManifest
  | KubernetesPatch
  | HelmRelease;
