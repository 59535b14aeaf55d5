/** How an expression of a label selector compares. */
export enum LabelOperator {
  /** The label has one of the values. */
  IN = 'In',
  /** The label has none of the values, or is missing. */
  NOT_IN = 'NotIn',
  /** The label is there. */
  EXISTS = 'Exists',
  /** The label is missing. */
  DOES_NOT_EXIST = 'DoesNotExist',
}

export interface LabelExpression {
  /** The label. */
  readonly key: string;
  /** How it is compared with `values`. */
  readonly operator: LabelOperator;
  /** Needed with, and only with, IN and NOT_IN. @default - none */
  readonly values?: readonly string[];
}

/** A label selector of Kubernetes: all its parts must fit. Empty, it fits everything in the namespace. */
export interface LabelSelector {
  /** Labels and their values. @default - none */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** Comparisons. @default - none */
  readonly matchExpressions?: readonly LabelExpression[];
}

/** The options of a `PodSecurityGroupPolicy` that every engine has. */
export interface PodSecurityGroupPolicyOptions {
  /**
   * Which pods, by their labels. `{}` are all pods of the namespace. Together with `serviceAccountSelector` both must fit.
   *
   * @default - pods are chosen by `serviceAccountSelector`
   */
  readonly podSelector?: LabelSelector;

  /**
   * Which pods, by the labels of their service account. (Its name is no label.)
   *
   * @default - pods are chosen by `podSelector`
   */
  readonly serviceAccountSelector?: LabelSelector;

  /**
   * Namespace of the pods, which must exist.
   *
   * @default default
   */
  readonly namespace?: string;

  /**
   * Name of the policy in the namespace.
   *
   * @default - from the path of the construct
   */
  readonly name?: string;

  /**
   * Let the pods ask CoreDNS, by rules between their groups and the cluster's security group for port 53. The cluster's group alone doesn't
   * let them. For nodes, or CoreDNS pods, with other groups make the rules yourself.
   *
   * @default - true, if the cluster tells its security group
   * @see https://docs.aws.amazon.com/eks/latest/userguide/security-groups-for-pods.html
   */
  readonly allowDns?: boolean;

  /**
   * TCP ports of the kubelet's probes, which the cluster's security group is then let in to.
   *
   * @default - none
   */
  readonly probePorts?: readonly number[];

  /**
   * The pods run on Fargate, which takes the policy without the add-on's `podSecurityGroups`.
   *
   * @default false
   */
  readonly onFargate?: boolean;
}
