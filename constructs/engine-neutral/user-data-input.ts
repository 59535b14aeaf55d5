import type { OperatingSystem } from './ami-family';
import type { NodeCluster } from './cluster';
import type { BootstrapEngine, NodeOptions } from './node-options';

/** What the user data of a node group is made of. */
export interface UserDataInput {
  readonly options: NodeOptions;
  readonly cluster: NodeCluster;
  readonly engine: BootstrapEngine;
  /** Why the user data is the whole bootstrap, for messages; undefined for `customAmi`. */
  readonly wholeBecause?: string | undefined;
  readonly os: OperatingSystem;
  /** The number of pods to write: the user's, or one that was computed. */
  readonly maxPods: number | undefined;
  /** Undefined when it isn't known at synthesis. */
  readonly kubernetesVersion: string | undefined;
}
