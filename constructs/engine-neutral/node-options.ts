import type { BottlerocketDocument } from './bottlerocket-settings';
import type { IpFamily } from './cluster';
import type { NodeConfigDocument } from './node-config';
import type { InstanceStore } from './node-instance-options';
import type { TokenTools } from './tokens';
import type { WindowsScripts } from './windows-bootstrap';

/** How kubelet spells the effects of taints. */
export type KubeletEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

/** The effects of taints as EKS spells them, and Kubernetes' own spelling, which kubelet reads. */
export const TAINT_EFFECTS: Readonly<Record<string, KubeletEffect | undefined>> = {
  NO_SCHEDULE: 'NoSchedule',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
  NO_EXECUTE: 'NoExecute',
};

/** A Kubernetes taint. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  /** One of {@link TAINT_EFFECTS}. */
  readonly effect: string;
}

/** What differs between engines in the bootstrap of nodes. */
export interface BootstrapEngine {
  readonly tokens: TokenTools;
  /** The tenth address of a service range that is decided at deployment, as a token. */
  dnsAddress(cidr: string, ipFamily: IpFamily): string;
  /** Why the service range isn't known, and how to give it: the end of a sentence. */
  readonly serviceCidrAdvice: string;
  /** How to give endpoint and certificate authority of a cluster: the end of a sentence. */
  readonly detailsAdvice: string;
}

/** The options of a node group that make up its user data. */
export interface NodeOptions {
  /** An AMI of the user's own, in whatever form the engine has for it. */
  readonly customAmi?: unknown;
  readonly serviceCidr?: string;
  readonly nodeConfig?: NodeConfigDocument;
  readonly bottlerocketSettings?: BottlerocketDocument;
  readonly windowsBootstrap?: WindowsScripts;
  readonly taints?: readonly Taint[];

  /**
   * Programs that cloud-init runs once on each node, on AL2023 and AL2; each begins with `#!`. On AL2023 they run beside the node's
   * bootstrap, on AL2 before it; they must not start it, and are refused where they certainly do.
   *
   * @default - none
   */
  readonly shellScripts?: readonly string[];

  /**
   * What the NVMe instance store is used for, on AL2023: `instance.localStorage.strategy` of the NodeConfig. Without one the disks stay unused.
   *
   * @default - the disks stay unused
   * @see https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/
   */
  readonly instanceStore?: InstanceStore;

  /**
   * Highest number of pods on a node. On AL2023, AL2 and Windows only with `customAmi`: otherwise EKS computes a value, and its value
   * wins. Bottlerocket takes it in any case.
   *
   * @default - what EKS computes; with `customAmi` what the bootstrap computes from the instance type, and on Linux AWS's recommendation if the cluster's `VpcCniAddon` has prefix delegation, custom networking or `warmTargets.maxEni`, of which no bootstrap knows
   * @see https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html
   */
  readonly maxPods?: number;

  /**
   * Labels of the nodes, in Kubernetes' syntax: keys with or without a domain, values of at most 63 letters, digits, `-`, `_` and `.`. Those with which kubelet refuses to start (`node-role.kubernetes.io/…` and others of `kubernetes.io`
   * and `k8s.io`), and `eks.amazonaws.com/…`, which EKS sets itself, are refused.
   *
   * @default - none but EKS's own
   */
  readonly labels?: Readonly<Record<string, string>>;
}
