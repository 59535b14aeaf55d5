import type { Resource, Source, Value } from '../../value';
import type { Cluster } from './cluster';
import type { Role } from './iam';
import type { Reference } from './reference';

export type AccessResource = AccessEntry | AccessPolicyAssociation | PodIdentityAssociation;

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
  /** Access policies that are given with the entry; Terraform has a resource for each. */
  readonly policies: Value<readonly AccessPolicy[]>;
}

/** What EKS lets the holders of an access entry do, by its ARN: `arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy`. */
export interface AccessPolicy {
  readonly policy: Value<string>;
  readonly source: Source;
}

/** Gives an access policy to the holders of an access entry. */
export interface AccessPolicyAssociation extends Resource {
  readonly kind: 'access-policy-association';
  readonly principal: Value<Reference<Role>>;
  readonly policy: Value<string>;
}
