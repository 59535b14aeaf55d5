import type { IConstruct } from 'constructs';

/** A setting that `SafeDefaults` makes where nobody has said anything else. */
export enum SafeDefault {
  /** Node groups: `forceUpdate: false`, so that updates respect pod disruption budgets. CDK's own default is `true`. */
  FORCE_UPDATE = 'forceUpdate',

  /** Node groups with instance types and without launch template: AL2023 of their architecture, with drivers. CDK's own default is AL2. */
  AMI_TYPE = 'amiType',

  /** Node groups without launch template get one: tokens required, hop limit 2, encrypted gp3 volumes of the group's `diskSize`. */
  LAUNCH_TEMPLATE = 'launchTemplate',

  /** Launch templates that node groups use, and nodes that a cluster adds by `addAutoScalingGroupCapacity`: tokens required, hop limit 2. */
  METADATA_OPTIONS = 'metadataOptions',

  /** Add-ons: `PRESERVE`, so that updates keep what was changed in the cluster. CDK's `Addon` has no such property. */
  RESOLVE_CONFLICTS = 'resolveConflicts',

  /** Add-ons: their software stays in the cluster when the stack doesn't have them any more. */
  PRESERVE_ON_DELETE = 'preserveOnDelete',
}

/** What `SafeDefaults` does about what somebody has written. */
export enum Repairs {
  /** What AWS would do or demand anyway, such as the right place of a key in an add-on's configuration values. */
  SAFE = 'safe',

  /**
   * Also what a person should decide, which choosing this does for all resources at once: a hop limit of 1 becomes 2, `OVERWRITE` becomes `PRESERVE`,
   * `$Latest` the number of the template's version. Some of it replaces nodes with the next deployment; what is listed says so.
   */
  UNSAFE = 'unsafe',
}

/** What a `SafeDefaultsMixin` changes, and `SafeDefaults` as well. */
export interface SafeDefaultsMixinProps {
  /**
   * What stays as CDK has it, or as it is written.
   *
   * @default - nothing
   */
  readonly except?: readonly SafeDefault[];

  /**
   * Whether node groups with a `nodegroupName` get an AMI type and a launch template, too. Both make a new group of one that is deployed
   * already, and CloudFormation can't make it while the old one has its name: right for groups that are new, or get another name with the
   * same deployment.
   *
   * @default false - left alone, and listed
   */
  readonly namedNodeGroups?: boolean;

  /**
   * Whether what the rules find is repaired, too, where a machine can do it: in the resources of L2 and L1 constructs, of `CfnInclude` and of
   * libraries, as `eks-guardrails check --fix` does in templates. Acknowledged and suppressed findings stay, and so do those that need to be
   * told what is meant. The configuration file counts.
   *
   * @default - what is written stays
   */
  readonly repairs?: Repairs;

  /**
   * The range of Services of the clusters that the repairs meet and that name none: `172.20.0.0/16`. AL2023 must be told it, and CloudFormation has
   * no attribute of the one that EKS has chosen; `aws eks describe-cluster` tells it. With it, `Repairs.UNSAFE` also makes a NodeConfig of calls of
   * `bootstrap.sh` on AL2023.
   *
   * @default - such user data stays, and is listed
   */
  readonly serviceCidr?: string;

  /**
   * Versions of add-ons that name none, by add-on: `{ 'vpc-cni': 'v1.21.1-eksbuild.5' }`. Given by you, so that a new version of this library
   * never updates an add-on.
   *
   * @default - EKS installs its default version
   * @see https://docs.aws.amazon.com/eks/latest/userguide/updating-an-add-on.html
   */
  readonly addonVersions?: Readonly<Record<string, string>>;
}

export interface SafeDefaultsProps extends SafeDefaultsMixinProps {
  /**
   * Whether L1 constructs are changed, too: `CfnNodegroup`, `CfnAddon` and `CfnLaunchTemplate` of your own, of `CfnInclude` and of libraries.
   * What they don't set is what the template wouldn't have.
   *
   * @default false - only those of L2 constructs
   */
  readonly includeL1?: boolean;
}

/** What `SafeDefaults` has set, or left with a reason. */
export interface SafeDefaultDecision {
  /** The construct that has the setting: an L2 construct, or the resource. */
  readonly construct: IConstruct;
  /** The setting and its value, `forceUpdate: false`. */
  readonly setting: string;
  /** Why, in one sentence. */
  readonly reason: string;
}
