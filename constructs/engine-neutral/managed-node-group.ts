import type { IConstruct } from 'constructs';
import { compareVersions } from '../../lib/knowledge';
import { resolveAmi, type AmiChoice, type ResolvedAmi } from './ami-family';
import { kubernetesVersionOf, type NodeCluster } from './cluster';
import type { CniMember } from './cni-member';
import { refuse } from './construction-error';
import { refuseLabelsAndTaints } from './labels-and-taints';
import { CniPermissions, ImdsAccess, type NodeGroupOptions } from './node-group-options';
import { efaInterfaces, reservationOf, type EfaInterface, type Reservation } from './node-instances';
import type { BootstrapEngine } from './node-options';
import { computedMaxPods, podCapacityInput, podCapacityProblems } from './node-pods';
import type { NodeImage } from './node-role';
import {
  repairConfigOf,
  updateConfigOf,
  warmPoolOf,
  type RepairConfig,
  type UpdateConfig,
  type WarmPool,
} from './node-updates';
import { renderUserData } from './node-user-data';
import { nodeVolumes, type KeyOf, type NodeVolume } from './node-volumes';
import type { TokenTools } from './tokens';

/** Smallest and largest number of nodes. */
export interface Sizes {
  readonly minSize: number;
  readonly maxSize: number;
}

/** What the engine says of a node group besides its options. */
export interface NodeGroupSetting<Options extends NodeGroupOptions = NodeGroupOptions> {
  readonly engine: BootstrapEngine;
  readonly options: Options;
  readonly cluster: NodeCluster & { readonly kubernetesVersion: string | undefined };
  /** As names. */
  readonly instanceTypes: readonly string[] | undefined;
  readonly architecture: AmiChoice['architecture'];
  /** Why the user data is the whole bootstrap, where that isn't `customAmi`. */
  readonly wholeBecause?: string | undefined;
}

/** Source: Amazon EKS API reference, CreateNodegroup, nodegroupName. */
const NODEGROUP_NAME = /^[0-9A-Za-z][0-9A-Za-z_-]{0,62}$/;

/** A managed node group as far as no engine matters: what its options come to, and what of them can't work. */
export class NodeGroupPlan<Options extends NodeGroupOptions = NodeGroupOptions> {
  readonly ami: ResolvedAmi;
  readonly sizes: Sizes;
  readonly updateConfig: UpdateConfig;
  readonly repairConfig: RepairConfig | undefined;
  readonly warmPool: WarmPool | undefined;
  readonly volumes: readonly NodeVolume<KeyOf<Options>>[];
  /** The adapters of EFA; undefined for the ordinary network interface. */
  readonly efaInterfaces: readonly EfaInterface[] | undefined;
  readonly reservation: Reservation;
  private readonly kubernetesVersion: string | undefined;

  /** @throws ConstructionError for options that can't work on AWS, with both of their names */
  constructor(
    private readonly scope: IConstruct,
    private readonly setting: NodeGroupSetting<Options>,
  ) {
    const { options, cluster, instanceTypes, architecture } = setting;
    this.kubernetesVersion = kubernetesVersionOf(
      scope,
      this.tokens,
      cluster.kubernetesVersion,
      options.kubernetesVersion,
    );
    this.ami = resolveAmi(scope, this.tokens, {
      amiFamily: options.amiFamily,
      amiType: options.amiType,
      architecture,
      instanceTypes,
      kubernetesVersion: this.kubernetesVersion,
      hasCustomAmi: options.customAmi !== undefined,
    });
    this.refuseUnsupported();
    this.sizes = this.refusedSizes();
    const { os, instanceTypes: types } = this.ami;
    const hasCustomAmi = options.customAmi !== undefined;
    this.updateConfig = updateConfigOf(scope, this.tokens, options, this.sizes.maxSize);
    this.repairConfig = repairConfigOf(scope, this.tokens, os, options.nodeRepair);
    this.warmPool = warmPoolOf(scope, this.tokens, os, hasCustomAmi, options);
    this.volumes = nodeVolumes(scope, this.tokens, os, hasCustomAmi && setting.wholeBecause === undefined, options);
    this.efaInterfaces = efaInterfaces(scope, this.tokens, os, types, options.efa);
    this.reservation = reservationOf(scope, this.tokens, types, options.capacityType, options.capacityReservation);
    this.refuseTags();
  }

  /** The user data with the number of pods that the add-on of the cluster makes advisable; undefined if there is nothing to say. */
  userData(cni: CniMember | undefined): string | undefined {
    const { engine, options, cluster, wholeBecause } = this.setting;
    const computed = cni === undefined ? undefined : computedMaxPods(this.podCapacity(cni));
    return renderUserData(this.scope, {
      options,
      cluster,
      engine,
      wholeBecause,
      os: this.ami.os,
      maxPods: options.maxPods ?? computed,
      kubernetesVersion: this.kubernetesVersion,
    });
  }

  /** With an AMI of the user's own the number of pods can depend on the add-on of the cluster, which may be defined later. */
  mayUserDataChange(cni: CniMember | undefined): boolean {
    const { customAmi, maxPods } = this.setting.options;
    return customAmi !== undefined && maxPods === undefined && cni === undefined;
  }

  /** What doesn't fit together with the add-on of the cluster, which may be defined later than the group. */
  cniProblems(cni: CniMember | undefined): string[] {
    if (cni === undefined) return [];
    const problems: string[] = [];
    if (this.setting.options.cniPermissions === CniPermissions.OWN_ROLE && !cni.hasOwnRole) {
      problems.push(
        `cniPermissions is OWN_ROLE, but the vpc-cni add-on ${cni.construct.node.path} takes the node role's permissions, which are none; nodes would never become Ready. Use CniPermissions.AUTOMATIC, or give the add-on its own role`,
      );
    }
    problems.push(...podCapacityProblems(this.podCapacity(cni), this.setting.wholeBecause));
    return problems;
  }

  get image(): NodeImage {
    return { os: this.ami.os, hasCustomAmi: this.setting.options.customAmi !== undefined };
  }

  /** How many hops an answer of the metadata service may go: a pod with its own network namespace needs two. */
  get hopLimit(): number {
    return this.setting.options.imds === ImdsAccess.NODE_ONLY ? 1 : 2;
  }

  /** The instance type that the launch template has to have, because the market of its instances is a capacity block. */
  get templateInstanceType(): string | undefined {
    return this.reservation.isBlock ? this.ami.instanceTypes[0] : undefined;
  }

  /** Whether the cluster's own security group lets EFA through: EKS makes it so for managed nodes from Kubernetes 1.33 on. */
  get clusterGroupHasEfa(): boolean {
    return this.kubernetesVersion !== undefined && compareVersions(this.kubernetesVersion, '1.33') >= 0;
  }

  private get tokens(): TokenTools {
    return this.setting.engine.tokens;
  }

  private podCapacity(cni: CniMember): ReturnType<typeof podCapacityInput> {
    const { options, cluster } = this.setting;
    return podCapacityInput(this.tokens, options, this.ami, cluster.ipFamily, cni);
  }

  private refuse(message: string): never {
    return refuse(this.scope, message);
  }

  private refuseUnsupported(): void {
    const { options, cluster } = this.setting;
    const { ami } = this;
    this.refuseUnexplained(
      'imds',
      'NODE_ONLY',
      options.imds === ImdsAccess.NODE_ONLY,
      'imdsReason',
      options.imdsReason,
    );
    if (ami.os === 'AL2' && options.customAmi !== undefined) {
      if (options.al2Reason !== undefined)
        this.refuse(
          "al2Reason is set and customAmi too; the reason is for EKS's own AMIs, which get no updates: leave al2Reason out",
        );
    } else this.refuseUnexplained('amiFamily', 'AL2', ami.os === 'AL2', 'al2Reason', options.al2Reason);
    this.refuseUnexplained(
      'forceUpdate',
      'true',
      options.forceUpdate === true,
      'forceUpdateReason',
      options.forceUpdateReason,
    );
    if (ami.os === 'WINDOWS' && cluster.ipFamily === 'ipv6')
      this.refuse(
        "amiFamily is Windows and the cluster's IP family is ipv6; EKS has no Windows nodes in IPv6 clusters",
      );
    const { nodegroupName } = options;
    if (nodegroupName !== undefined && !this.tokens.isToken(nodegroupName) && !NODEGROUP_NAME.test(nodegroupName)) {
      this.refuse(
        `nodegroupName is "${nodegroupName}"; EKS takes letters, digits, "-" and "_", at most 63, the first a letter or digit`,
      );
    }
    if (ami.instanceTypes.length > 20)
      this.refuse(`instanceTypes has ${ami.instanceTypes.length} types; EKS takes at most 20`);
    if (options.releaseVersion !== undefined && options.customAmi !== undefined) {
      this.refuse(
        `releaseVersion is "${options.releaseVersion}" and customAmi is set; the AMI is yours, and EKS refuses a release: leave releaseVersion out`,
      );
    }
    refuseLabelsAndTaints(this.scope, this.tokens, options);
  }

  /** Refuses a setting that a rule warns of, unless a reason is given; the reason is kept for whoever looks for the cause of a failure later. */
  private refuseUnexplained(
    option: string,
    value: string,
    isSet: boolean,
    reasonOption: string,
    reason: string | undefined,
  ): void {
    if (isSet && (reason ?? '').trim() === '')
      this.refuse(`${option} is ${value} without ${reasonOption}; say why; the reason is written beside the setting`);
    if (!isSet && reason !== undefined)
      this.refuse(`${reasonOption} is set, but ${option} isn't ${value}; leave ${reasonOption} out`);
  }

  private refusedSizes(): Sizes {
    const { options } = this.setting;
    const { desiredSize } = options;
    const { tokens } = this;
    // A capacity block may not have begun, and has as many instances as it has.
    const minSize = options.minSize ?? (options.capacityType === 'CAPACITY_BLOCK' ? 0 : 2);
    const maxSize =
      options.maxSize ?? Math.max(...[minSize, desiredSize ?? minSize, 1].filter((size) => !tokens.isToken(size)));
    const check = (name: string, value: number | undefined, low: number, lowName: string): void => {
      if (value === undefined || tokens.isToken(value) || tokens.isToken(low)) return;
      if (!Number.isInteger(value) || value < low)
        this.refuse(`${name} is ${value}; ${lowName} is ${low}, and a whole number not below it is needed`);
    };
    check('minSize', minSize, 0, 'the least');
    check('maxSize', maxSize, Math.max(1, tokens.isToken(minSize) ? 1 : minSize), 'the least, or minSize,');
    check('desiredSize', desiredSize, minSize, 'minSize');
    check('maxSize', maxSize, desiredSize ?? 1, 'desiredSize');
    return { minSize, maxSize };
  }

  /** Source: Amazon EC2 user guide, "Tag your Amazon EC2 resources", "Tag restrictions". */
  private refuseTags(): void {
    const keys = Object.keys(this.setting.options.tags ?? {});
    const reserved = keys.find((key) => !this.tokens.isToken(key) && /^aws:/i.test(key));
    if (reserved !== undefined) this.refuse(`tags has "${reserved}"; AWS keeps the prefix aws: for itself`);
    if (keys.length > 50) this.refuse(`tags has ${keys.length} tags; a resource of AWS takes at most 50`);
  }
}

/** Refuses an AMI id that EKS wouldn't take. `ssmAdvice` is how to use a parameter instead. */
export function refuseAmiId(scope: IConstruct, tokens: TokenTools, imageId: string, ssmAdvice: string): void {
  if (imageId.startsWith('resolve:ssm:'))
    refuse(
      scope,
      `customAmi is "${imageId}"; managed node groups can't resolve an SSM parameter at launch: ${ssmAdvice}`,
    );
  if (!tokens.isToken(imageId) && !/^ami-(?:[0-9a-f]{8}|[0-9a-f]{17})$/.test(imageId))
    refuse(scope, `customAmi is "${imageId}"; an AMI id is "ami-" and 8 or 17 hexadecimal digits`);
}

/** Why the hop limit is two, for those who find it in what is deployed. */
export const HOP_LIMIT_NOTE =
  'Two hops are the least with which a pod reaches IMDSv2; with one, pods without a role of their own get no credentials. Tokens are required, so IMDSv1 is off. Use ImdsAccess.NODE_ONLY to keep pods out.';
