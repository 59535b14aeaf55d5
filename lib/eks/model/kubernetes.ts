import type { Data, Resource, Source, Value } from '../../value';
import type { Cluster } from './cluster';
import type { Deployed, Reference } from './reference';

export type KubernetesResource = KubernetesManifest | KubernetesPatch | HelmRelease;

/** A Kubernetes object that the infrastructure code applies. */
export interface KubernetesManifest extends Deployed {
  readonly kind: 'manifest';
  readonly cluster: Value<Reference<Cluster>>;
  readonly object: Data;
  /** It is an object of Terraform, or one that `jsonencode` or `yamlencode` makes a text of, as opposed to YAML. @default false */
  readonly isWrittenInHcl?: boolean;
  /** It is a resource of Terraform that spells the object in blocks and attributes of its own. @default false */
  readonly isWrittenInBlocks?: boolean;
  /** Of a resource of Terraform that sends the object in an old version of its API: the type that sends it in a newer one. @default - the object tells its version */
  readonly successor?: string | undefined;
  /** What applies it asks for no strict validation: the API server drops fields that its API doesn't have, with a warning. @default false */
  readonly isLenient?: boolean;
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
