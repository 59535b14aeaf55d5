import type { IConstruct } from 'constructs';
import { compareVersions } from '../../lib/knowledge';
import { refuse } from './construction-error';
import type {
  KarpenterManifest,
  KarpenterNodeClassOptions,
  KarpenterNodePoolOptions,
  KarpenterRequirement,
  KarpenterTaint,
} from './karpenter-node-options';
import { refuseLimits, refuseRequirements } from './karpenter-requirements';
import { isLabelKey, isLabelValue, LABEL_KEY, LABEL_VALUE } from './labels-and-taints';
import { ImdsAccess } from './node-group-options';
import { isObjectName, OBJECT_NAME } from './object-names';
import type { TokenTools } from './tokens';

/*
 * The objects with which Karpenter makes nodes. Sources: aws/karpenter-provider-aws 1.14, pkg/apis/v1/ec2nodeclass.go and
 * pkg/apis/crds/karpenter.sh_nodepools.yaml (fields, patterns, defaults), pkg/providers/amifamily (devices), and its getting started guide.
 */

/** Tag by which Karpenter's guides have it find subnets and security groups; its value is the cluster's name. */
const DISCOVERY_TAG = 'karpenter.sh/discovery';

/** What the node class has to know of the cluster and its roles. */
export interface KarpenterCluster {
  readonly clusterName: string;
  readonly nodeRoleName: string;
  readonly kubernetesVersion: string | undefined;
  /** Undefined where they aren't known. Asked when a node class needs them. */
  readonly subnetIds: () => readonly string[] | undefined;
  readonly securityGroupId: string | undefined;
  /** Whether the nodes are let in as Linux, by their access entry or in `aws-auth`. */
  readonly isForLinux: boolean;
}

const LINUX_FAMILIES: Readonly<Record<string, RegExp>> = {
  al2: /^v\d{8}$/,
  al2023: /^v\d{8}$/,
  bottlerocket: /^v?\d+\.\d+\.\d+$/,
};
const WINDOWS_FAMILIES = ['windows2019', 'windows2022', 'windows2025'];
/** GiB of EKS's own AMIs, where that isn't 20. */
const LEAST_DISK: Readonly<Record<string, number>> = Object.fromEntries(WINDOWS_FAMILIES.map((family) => [family, 50]));
const DURATION = /^(?:(?:\d+[smh])+|Never)$/;

/** Makes the objects, and refuses what Karpenter or Kubernetes would, or what changes nodes by itself. */
export class KarpenterNodeMaker {
  constructor(
    private readonly scope: IConstruct,
    private readonly tokens: TokenTools,
    private readonly cluster: KarpenterCluster,
  ) {}

  nodeClass(options: KarpenterNodeClassOptions): KarpenterManifest {
    const { name = 'default', amiAlias, imds = ImdsAccess.PODS, subnetIds, securityGroupIds, diskSize, tags } = options;
    this.refuseName(name);
    const family = this.familyOf(amiAlias);
    this.refuseTags(tags ?? {});
    const reason = this.reasonOf(options);
    return {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: {
        name,
        ...(reason === undefined ? {} : { annotations: { 'eks-guardrails/ignore': `imds-hop-limit -- ${reason}` } }),
      },
      spec: {
        role: this.cluster.nodeRoleName,
        amiSelectorTerms: [{ alias: amiAlias }],
        subnetSelectorTerms: this.selectorTerms('subnetIds', subnetIds ?? this.cluster.subnetIds()),
        securityGroupSelectorTerms: this.selectorTerms('securityGroupIds', securityGroupIds ?? this.ownSecurityGroup),
        metadataOptions: {
          httpEndpoint: 'enabled',
          httpTokens: 'required',
          httpPutResponseHopLimit: imds === ImdsAccess.PODS ? 2 : 1,
        },
        ...(diskSize === undefined ? {} : { blockDeviceMappings: this.devices(family, diskSize) }),
        ...(tags === undefined ? {} : { tags: { ...tags } }),
      },
    };
  }

  nodePool(options: KarpenterNodePoolOptions): KarpenterManifest {
    const { name = 'default', nodeClass = 'default', labels, taints, expireAfter = '720h' } = options;
    const { consolidateAfter = '1m', limits } = options;
    this.refuseName(name);
    this.refuseName(nodeClass);
    if (Object.keys(limits).length === 0)
      refuse(this.scope, 'limits is empty; without a limit Karpenter launches as many nodes as pods ask for');
    refuseLimits(this.scope, this.tokens, limits);
    for (const [option, time] of Object.entries({ expireAfter, consolidateAfter }))
      if (!this.tokens.isToken(time) && !DURATION.test(time))
        refuse(this.scope, `${option} is "${time}"; a time looks like 720h, or is Never`);
    this.refuseLabels(labels ?? {}, taints ?? []);
    return {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name },
      spec: {
        template: {
          ...(labels === undefined ? {} : { metadata: { labels: { ...labels } } }),
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: nodeClass },
            requirements: this.requirements(options.requirements ?? []),
            expireAfter,
            ...(taints === undefined || taints.length === 0 ? {} : { taints: taints.map((taint) => ({ ...taint })) }),
          },
        },
        limits: { ...limits },
        disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter },
      },
    };
  }

  private refuseName(name: string): void {
    if (!isObjectName(this.tokens, name)) refuse(this.scope, `name is "${name}"; ${OBJECT_NAME}`);
  }

  /** The family of an alias, whose release must be given. */
  private familyOf(alias: string): string {
    if (this.tokens.isToken(alias))
      return refuse(
        this.scope,
        'amiAlias is a token; the volumes depend on its family, so it must be known at synthesis',
      );
    const [family = '', release = ''] = alias.split('@');
    if (WINDOWS_FAMILIES.includes(family)) {
      if (release !== 'latest') refuse(this.scope, `amiAlias is "${alias}"; Karpenter takes only ${family}@latest`);
      if (this.cluster.isForLinux)
        refuse(
          this.scope,
          `amiAlias is "${alias}", and the nodes' role is let in as Linux, without the group eks:kube-proxy-windows that Windows nodes need; say accessEntry: false and make an entry of type EC2_WINDOWS for nodeRole, or write the EC2NodeClass with a role of its own`,
        );
      return family;
    }
    const form = LINUX_FAMILIES[family];
    if (form === undefined)
      return refuse(
        this.scope,
        `amiAlias is "${alias}"; an alias looks like al2023@v20260813, and its family is one of ${[...Object.keys(LINUX_FAMILIES), ...WINDOWS_FAMILIES].join(', ')}`,
      );
    if (release === 'latest')
      refuse(
        this.scope,
        `amiAlias is "${alias}", with which each release of the AMI replaces the nodes by itself; pin one, such as ${EXAMPLES[family] ?? ''}`,
      );
    if (!form.test(release))
      refuse(this.scope, `amiAlias is "${alias}"; a release of ${family} looks like ${EXAMPLES[family] ?? ''}`);
    const { kubernetesVersion } = this.cluster;
    if (family === 'al2' && kubernetesVersion !== undefined && compareVersions(kubernetesVersion, '1.33') >= 0)
      refuse(
        this.scope,
        `amiAlias is "${alias}", and EKS has no AL2 AMI for Kubernetes ${kubernetesVersion}; take al2023`,
      );
    return family;
  }

  private reasonOf({ imds, imdsReason }: KarpenterNodeClassOptions): string | undefined {
    const isHardened = imds === ImdsAccess.NODE_ONLY;
    const reason = imdsReason?.trim() ?? '';
    if (isHardened && reason === '')
      refuse(
        this.scope,
        'imds is NODE_ONLY without imdsReason; pods then get nothing from the metadata service: say why',
      );
    if (!isHardened && imdsReason !== undefined)
      refuse(this.scope, 'imdsReason is set, but imds is PODS; leave the reason out');
    return isHardened ? reason.replaceAll(/\s+/g, ' ') : undefined;
  }

  /** A tag on it would be a resource of its own in Terraform, and can't be set at all in CloudFormation. */
  private get ownSecurityGroup(): readonly string[] | undefined {
    const { securityGroupId } = this.cluster;
    return securityGroupId === undefined ? undefined : [securityGroupId];
  }

  private selectorTerms(option: string, ids: readonly string[] | undefined): object[] {
    if (ids === undefined) return [{ tags: { [DISCOVERY_TAG]: this.cluster.clusterName } }];
    if (ids.length === 0 || ids.length > 30)
      refuse(this.scope, `${option} has ${ids.length} ids; an EC2NodeClass takes 1 to 30`);
    return ids.map((id) => ({ id }));
  }

  /** The operating system of Bottlerocket keeps a volume of its own. */
  private devices(family: string, diskSize: number): object[] {
    if (!this.tokens.isToken(diskSize) && (!Number.isInteger(diskSize) || diskSize < 1 || diskSize > 16384))
      refuse(this.scope, `diskSize is ${diskSize}; a gp3 volume has 1 to 16384 GiB, as a whole number`);
    const least = LEAST_DISK[family] ?? 20;
    if (!this.tokens.isToken(diskSize) && diskSize < least)
      refuse(
        this.scope,
        `diskSize is ${diskSize}; the volume of EKS's ${family} AMI has ${least} GiB, and EC2 starts no instance with a smaller one`,
      );
    const ebs = { volumeType: 'gp3', encrypted: true, deleteOnTermination: true };
    const sized = { ...ebs, volumeSize: `${diskSize}Gi` };
    if (family === 'bottlerocket')
      return [
        { deviceName: '/dev/xvda', ebs: { ...ebs, volumeSize: '4Gi' } },
        { deviceName: '/dev/xvdb', ebs: sized },
      ];
    return [{ deviceName: WINDOWS_FAMILIES.includes(family) ? '/dev/sda1' : '/dev/xvda', ebs: sized }];
  }

  private refuseTags(tags: Readonly<Record<string, string>>): void {
    for (const key of Object.keys(tags))
      if (key === '' || RESERVED_TAG.test(key))
        refuse(this.scope, `tags has "${key}"; Karpenter sets this tag itself, or takes no such key`);
  }

  private requirements(given: readonly KarpenterRequirement[]): object[] {
    const keys = new Set(given.map(({ key }) => key));
    const all = [...DEFAULT_REQUIREMENTS.filter(({ key }) => !keys.has(key)), ...given];
    refuseRequirements(this.scope, this.tokens, all);
    return all.map((one) => ({
      ...one,
      ...(one.values === undefined ? {} : { values: [...one.values] }),
    }));
  }

  private refuseLabels(labels: Readonly<Record<string, string>>, taints: readonly KarpenterTaint[]): void {
    for (const [key, value] of Object.entries(labels)) {
      if (!isLabelKey(this.tokens, key)) refuse(this.scope, `labels has "${key}"; ${LABEL_KEY}`);
      if (!isLabelValue(this.tokens, value))
        refuse(this.scope, `labels has "${key}" with the value "${value}"; ${LABEL_VALUE}`);
      if (key === 'karpenter.sh/nodepool' || key === 'kubernetes.io/hostname')
        refuse(this.scope, `labels has "${key}", which Karpenter sets itself`);
    }
    for (const { key, value } of taints) {
      if (!isLabelKey(this.tokens, key)) refuse(this.scope, `taints has "${key}"; ${LABEL_KEY}`);
      if (value !== undefined && !isLabelValue(this.tokens, value))
        refuse(this.scope, `taints has "${key}" with the value "${value}"; ${LABEL_VALUE}`);
    }
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  al2: 'al2@v20241213',
  al2023: 'al2023@v20260813',
  bottlerocket: 'bottlerocket@v1.59.0',
};

const RESERVED_TAG =
  /^(?:eks:eks-cluster-name|kubernetes\.io\/cluster.*|karpenter\.sh\/(?:nodepool|nodeclaim)|karpenter\.k8s\.aws\/ec2nodeclass)$/;

const DEFAULT_REQUIREMENTS: readonly KarpenterRequirement[] = [
  { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
  { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
  { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
  { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
  { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
];
