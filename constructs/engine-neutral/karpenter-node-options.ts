import type { ImdsAccess } from './node-group-options';

/** What an EC2NodeClass of `KarpenterRoles` may be told. */
export interface KarpenterNodeClassOptions {
  /**
   * Name of the object.
   *
   * @default 'default'
   */
  readonly name?: string;

  /**
   * EKS's AMI with its release, `al2023@v20260813` or `bottlerocket@v1.59.0`. `latest` is refused, because each release would then replace nodes by itself; Windows
   * (`windows2022@latest`) has nothing else.
   *
   * @see https://karpenter.sh/docs/concepts/nodeclasses/#specamiselectorterms
   */
  readonly amiAlias: string;

  /**
   * Who may use the instance metadata service.
   *
   * @default ImdsAccess.PODS, a hop limit of 2; Karpenter's own default is 1
   */
  readonly imds?: ImdsAccess;

  /**
   * Why pods need no access to the metadata service; needed with, and only with, `ImdsAccess.NODE_ONLY`. Written as an annotation, which the
   * rules read in manifests; in an app, acknowledge `imds-hop-limit` on what applies the manifest, too.
   *
   * @default - none
   */
  readonly imdsReason?: string;

  /**
   * Ids of the subnets.
   *
   * @default - AWS CDK: the private subnets of the cluster's VPC, as for a `ManagedNodeGroup`. Where that isn't known, and in CDKTF: those with the tag `karpenter.sh/discovery` and the cluster's name
   */
  readonly subnetIds?: readonly string[];

  /**
   * Ids of the nodes' security groups. The cluster's own must be among them, unless another one lets nodes and control plane talk.
   *
   * @default - the cluster's own; where that isn't known, those with the tag `karpenter.sh/discovery` and the cluster's name
   */
  readonly securityGroupIds?: readonly string[];

  /**
   * Size of the volume of images and pods in GiB, encrypted gp3.
   *
   * @default - Karpenter's: 20, for Windows 50
   */
  readonly diskSize?: number;

  /**
   * Tags of instances and volumes. Those that Karpenter sets itself are refused.
   *
   * @default - none
   */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A condition for nodes, as Kubernetes writes it. */
export interface KarpenterRequirement {
  /** A label of nodes, such as `karpenter.k8s.aws/instance-family`. */
  readonly key: string;
  /** How the label is compared with `values`. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte';
  /**
   * One number for `Gt`, `Lt`, `Gte` and `Lte`, one value or more for `In` and `NotIn`.
   *
   * @default - none, as `Exists` and `DoesNotExist` have it
   */
  readonly values?: readonly string[];
}

/** A taint, as Kubernetes writes it. */
export interface KarpenterTaint {
  /** Name of the taint, `example.com/dedicated`. */
  readonly key: string;
  /**
   * Value that a toleration may ask for.
   *
   * @default - no value
   */
  readonly value?: string;
  /** What happens to pods that don't tolerate the taint. */
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** What a NodePool of `KarpenterRoles` may be told. */
export interface KarpenterNodePoolOptions {
  /**
   * Name of the object.
   *
   * @default 'default'
   */
  readonly name?: string;

  /**
   * Name of its EC2NodeClass.
   *
   * @default 'default'
   */
  readonly nodeClass?: string;

  /** The most that all its nodes have together, `{ cpu: 200, memory: '800Gi' }`. Without one Karpenter launches as many as pods ask for. */
  readonly limits: Readonly<Record<string, number | string>>;

  /**
   * Conditions for the nodes. One of a key replaces the default of that key.
   *
   * @default - Linux on amd64, on-demand, of the categories c, m and r, from the third generation on
   */
  readonly requirements?: readonly KarpenterRequirement[];

  /**
   * Labels of the nodes.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Taints of the nodes.
   *
   * @default - none
   */
  readonly taints?: readonly KarpenterTaint[];

  /**
   * After which time a node is replaced, `720h`, or `Never`.
   *
   * @default '720h'
   */
  readonly expireAfter?: string;

  /**
   * How long a node must be too much before it is taken away, `1m`, or `Never`.
   *
   * @default '1m'
   */
  readonly consolidateAfter?: string;
}

/** An object of Kubernetes. */
export interface KarpenterManifest extends Record<string, unknown> {
  /** Of the kind: `karpenter.k8s.aws/v1` or `karpenter.sh/v1`. */
  readonly apiVersion: string;
  /** What it is. */
  readonly kind: 'EC2NodeClass' | 'NodePool';
  /** Its name, and annotations such as reasons of suppressions. */
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  /** As Karpenter's API has it. */
  readonly spec: Readonly<Record<string, unknown>>;
}
