import type { Data, Resource, Source, Value } from '../../value';
import type { Role } from './iam';
import type { Cluster } from './cluster';
import type { Deployed, Reference } from './reference';

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
