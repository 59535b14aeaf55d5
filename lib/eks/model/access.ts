import type { Resource, Value } from '../../value';
import type { Cluster } from './cluster';
import type { Role } from './iam';
import type { Reference } from './reference';

export type AccessResource = AccessEntry | PodIdentityAssociation;

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
