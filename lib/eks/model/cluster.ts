import type { Resource, Value, When } from '../../value';
import type { Role } from './iam';
import type { Subnet } from './network';
import type { Outsider } from './outsider';
import type { Deployed, Reference } from './reference';

export type ClusterResource = Cluster | FargateProfile;

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
  /** What isn't looked into and is given the cluster, by its name or otherwise. @default - nothing */
  readonly outsiders?: readonly Outsider[];
  /** What data sources look up of it, which fail where it isn't there. @default - nothing */
  readonly lookedUp?: readonly LookedUp[];
  /** Those of `otherInstallers` that come only once a resource is there, because somebody says so. @default - nothing says so */
  installersAfter?(other: Resource): readonly string[];
  /** Those of `otherInstallers` that are workloads whose names tell that they are no part of the cluster's network. @default - none */
  readonly otherWorkloads?: readonly string[];
  /**
   * Only its name and its version stand here, beside parts of it: the rest is unknown, and may be set up elsewhere. A cluster of the same
   * name that the input has as a whole takes its place. @default - the input has all of it
   */
  readonly isPartial?: true;
}

/** Something that a cluster surely has where a data source exists. */
export type LookedUp = { readonly exists: When } & (
  | { readonly kind: 'addon'; readonly name: Value<string> }
  | { readonly kind: 'oidc-provider' }
);

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
