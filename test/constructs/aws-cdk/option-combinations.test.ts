import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CloudFormationValidatePlugin, Stack, type PolicyViolation } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as route53 from 'aws-cdk-lib/aws-route53';
import { CURRENTLY_RECOMMENDED_FLAGS, type CloudAssembly } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import {
  AmiFamily,
  BottlerocketSettings,
  CapacityReservationPreference,
  ClusterAutoscalerRole,
  ClusterNetworkAddons,
  CniPermissions,
  ConstructionError,
  EbsCsiDriverRole,
  EbsVolumeScope,
  EfsCsiDriverRole,
  ExternalDnsRole,
  ImdsAccess,
  InstanceStore,
  KarpenterRoles,
  LoadBalancerControllerRole,
  ManagedNodeGroup,
  NetworkPolicyMode,
  NodeConfig,
  PodIdentityAgent,
  PodIdentityKind,
  PodRole,
  PodSecurityGroupMode,
  RepairAction,
  ResolveConflicts,
  SelfManagedNodeGroup,
  UpdateStrategy,
  VpcCniAddon,
  WarmPoolState,
  WindowsBootstrap,
  WindowsIpam,
  WindowsNodeAccess,
  WindowsNodeGroup,
  type ClusterNetworkAddonsProps,
  type ICluster,
  type ManagedNodeGroupProps,
  type PodRoleProps,
  type VpcCniAddonProps,
} from '../../../constructs/aws-cdk';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readPaths } from '../../../lib/front-ends/paths';
import { allRules } from '../../../lib/rules';
import { customCluster, importedCluster, nativeCluster, SERVICE_CIDR } from './clusters';
import { itWithAll } from '../../share';

/**
 * By default every two choices meet somewhere, and every three of the VPC CNI, among those of a share of all combinations; with
 * EKS_GUARDRAILS_ALL_COMBINATIONS=1, all are tried.
 */
const ALL = process.env['EKS_GUARDRAILS_ALL_COMBINATIONS'] === '1';
/** Of the combinations of node groups, every kind of cluster gets each third, another third than the one before. */
const SHARE = ALL ? 1 : 3;
const ENVIRONMENT = { region: 'eu-west-1', account: '123456789012' };

interface Combination<T> {
  readonly options: T;
  readonly number: number;
  /** Which of the choices it is made of, by their indexes. */
  readonly choices: readonly number[];
}

/** All combinations of one choice for each name, mixed, so that neighbours have little in common. */
function combinations<T extends object>(choices: { readonly [K in keyof T]: readonly T[K][] }): Combination<T>[] {
  let result: Omit<Combination<Partial<T>>, 'number'>[] = [{ options: {}, choices: [] }];
  for (const key of Object.keys(choices) as (keyof T)[]) {
    result = result.flatMap(({ options, choices: before }) =>
      choices[key].map((choice, index) => ({ options: { ...options, [key]: choice }, choices: [...before, index] })),
    );
  }
  const place = (number: number): number => (number * 0.618034) % 1;
  return result
    .map((combination, number) => ({ ...(combination as { options: T; choices: number[] }), number }))
    .sort((one, other) => place(one.number) - place(other.number));
}

/**
 * Tells which combinations to try: those that have two choices, or three, which no combination had that was accepted. A mistake that takes more
 * options to come about is found by EKS_GUARDRAILS_ALL_COMBINATIONS=1 alone.
 */
class Untried {
  private readonly seen = new Set<string>();

  /** @param size how many choices are to meet */
  constructor(private readonly size: 2 | 3) {}

  has(choices: readonly number[]): boolean {
    return ALL || this.meetingsOf(choices).some((meeting) => !this.seen.has(meeting));
  }

  accept(choices: readonly number[]): void {
    for (const meeting of this.meetingsOf(choices)) this.seen.add(meeting);
  }

  private meetingsOf(choices: readonly number[]): string[] {
    if (this.size === 3) return this.triplesOf(choices);
    return choices.flatMap((a, i) => choices.slice(i + 1).map((b, j) => [i, a, i + j + 1, b].join(' ')));
  }

  private triplesOf(choices: readonly number[]): string[] {
    return choices.flatMap((a, i) =>
      choices
        .slice(i + 1)
        .flatMap((b, j) => choices.slice(i + j + 2).map((c, k) => [i, a, i + j + 1, b, i + j + k + 2, c].join(' '))),
    );
  }
}

/** The constructs under test; everything else in the app is scenery, and its own business. */
const underTest: IConstruct[] = [];
let refused = 0;

/** Makes a construct, or takes it away again when its options are refused. */
function tryMake(scope: Stack, id: string, make: () => IConstruct): IConstruct | undefined {
  try {
    const made = make();
    underTest.push(made);
    return made;
  } catch (error) {
    if (!(error instanceof ConstructionError)) throw error;
    refused++;
    scope.node.tryRemoveChild(id);
    return undefined;
  }
}

/** Combinations of the same choices, with what is known of them all. */
function withUntried<T>(group: readonly Combination<T>[]): (Combination<T> & { readonly untried: Untried })[] {
  const untried = new Untried(3);
  return group.map((combination) => ({ ...combination, untried }));
}

interface Nodes {
  readonly os: Partial<ManagedNodeGroupProps>;
  readonly imds: Partial<ManagedNodeGroupProps>;
  readonly bootstrap: Partial<ManagedNodeGroupProps>;
  readonly rest: Partial<ManagedNodeGroupProps>;
}

const types = (...names: string[]): ec2.InstanceType[] => names.map((name) => new ec2.InstanceType(name));
const nodeConfig = new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } });

const nodeCombinations = combinations<Nodes>({
  os: [
    {},
    { instanceTypes: types('m7g.large', 'c7g.large') },
    { instanceTypes: types('g6.xlarge') },
    { amiFamily: AmiFamily.AL2, al2Reason: 'moves next quarter' },
    { amiFamily: AmiFamily.BOTTLEROCKET },
    { amiType: 'BOTTLEROCKET_ARM_64_NVIDIA', instanceTypes: types('g5g.xlarge') },
    { amiFamily: AmiFamily.WINDOWS_CORE_2022, instanceTypes: types('m5.large') },
  ],
  imds: [{}, { imds: ImdsAccess.NODE_ONLY, imdsReason: 'every pod has its own role' }],
  bootstrap: [
    {},
    { nodeConfig, shellScripts: ['#!/bin/bash\necho hello\n'] },
    { maxPods: 20 },
    { customAmi: 'ami-0123456789abcdef0' },
    { customAmi: 'ami-0123456789abcdef0', maxPods: 20, nodeConfig, serviceCidr: SERVICE_CIDR },
  ],
  rest: [
    {},
    {
      labels: { tier: 'web' },
      taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
      tags: { team: 'web' },
      capacityType: 'SPOT',
      diskSize: 100,
      maxUnavailablePercentage: 33,
      maxSize: 10,
      desiredSize: 4,
      forceUpdate: true,
      forceUpdateReason: 'batch jobs can be repeated',
    },
  ],
});

const AMI = 'ami-0123456789abcdef0';
const shellScripts = ['#!/bin/bash\necho hello\n'];
const bottlerocketSettings = new BottlerocketSettings({
  hostContainers: { admin: { enabled: true } },
  sysctl: { 'vm.max_map_count': '262144' },
});
const windowsBootstrap = new WindowsBootstrap({ scripts: ['Get-Date'], excludedSnatCidrs: ['10.20.0.0/16'] });
const KUBELET: Partial<ManagedNodeGroupProps> = {
  labels: { tier: 'web' },
  taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
  maxPods: 8,
};

/** Every operating system with its own options and an AMI of the user's own, without and with all that kubelet is told. */
const familyCombinations = [
  { amiFamily: AmiFamily.AL2, shellScripts },
  { amiFamily: AmiFamily.AL2023, shellScripts, nodeConfig },
  { amiFamily: AmiFamily.BOTTLEROCKET, bottlerocketSettings },
  { amiFamily: AmiFamily.WINDOWS_CORE_2022, windowsBootstrap },
].flatMap((family): Partial<ManagedNodeGroupProps>[] => [
  { ...family, customAmi: AMI },
  { ...family, ...KUBELET, customAmi: AMI },
  { ...family, amiFamily: family.amiFamily },
]);

const vpcIn = (stack: Stack): ec2.Vpc => new ec2.Vpc(stack, 'Vpc', { maxAzs: 2 });

const clusterKinds: Readonly<Record<string, (stack: Stack) => ICluster>> = {
  Native: (stack) => nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
  NativeOld: (stack) => nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR, version: '1.32' }),
  NativeIpv6: (stack) => nativeCluster(stack, { ipFamily: 'ipv6' }),
  Custom: (stack) => customCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
  CustomOldApi: (stack) =>
    customCluster(stack, {
      serviceIpv4Cidr: SERVICE_CIDR,
      version: '1.32',
      authenticationMode: eks.AuthenticationMode.API,
    }),
  ImportedNative: (stack) => importedCluster(stack, 'aws-eks-v2', { complete: true, vpc: vpcIn(stack) }),
  ImportedCustom: (stack) => importedCluster(stack, 'aws-eks', { complete: true, vpc: vpcIn(stack) }),
};

/** Node groups on every kind of cluster, with an add-on that has its own role and without any; those of each operating system in one of the two. */
function addNodeGroups(app: App): void {
  const untried = new Untried(2);
  for (const [turn, [kind, makeCluster]] of Object.entries(clusterKinds).entries()) {
    for (const withAddon of [true, false]) {
      const stack = new Stack(app, `${kind}${withAddon ? 'WithAddon' : 'Alone'}`, { env: ENVIRONMENT });
      // Half of the stacks have CDK's recommended feature flags, which change what its constructs render.
      if (withAddon)
        for (const [flag, value] of Object.entries(CURRENTLY_RECOMMENDED_FLAGS)) stack.node.setContext(flag, value);
      const cluster = makeCluster(stack);
      if (withAddon) {
        const options = kind.startsWith('Imported')
          ? { podIdentityAgent: PodIdentityAgent.INSTALL, kubernetesVersion: '1.34' }
          : {};
        tryMake(
          stack,
          'Cni',
          () => new VpcCniAddon(stack, 'Cni', { cluster, windowsIpam: !kind.endsWith('Ipv6'), ...options }),
        );
      }
      const permissions = withAddon
        ? [CniPermissions.AUTOMATIC, CniPermissions.OWN_ROLE]
        : [CniPermissions.AUTOMATIC, CniPermissions.NODE_ROLE];
      for (const {
        options: { os, imds, bootstrap, rest },
        number,
        choices,
      } of nodeCombinations) {
        const place = [turn, withAddon ? 1 : 0, ...choices];
        if ((number + turn) % SHARE !== 0 || !untried.has(place)) continue;
        const id = `Nodes${number}`;
        const made = tryMake(
          stack,
          id,
          () =>
            new ManagedNodeGroup(stack, id, {
              cluster,
              ...os,
              ...imds,
              ...bootstrap,
              ...rest,
              cniPermissions: permissions[number % 2] ?? CniPermissions.AUTOMATIC,
            }),
        );
        if (made !== undefined) untried.accept(place);
      }
      const serviceCidr = kind.startsWith('Imported') ? { serviceCidr: SERVICE_CIDR } : {};
      familyCombinations.forEach((options, index) => {
        if (!ALL && (index + turn) % 2 === (withAddon ? 1 : 0)) return;
        const cidr = options.customAmi === undefined ? {} : serviceCidr;
        const id = `Family${index}`;
        tryMake(stack, id, () => new ManagedNodeGroup(stack, id, { cluster, ...options, ...cidr }));
      });
      addWindowsGroups(stack, cluster, kind, serviceCidr);
    }
  }
}

interface Parts {
  readonly os: Partial<ManagedNodeGroupProps>;
  readonly network: 'none' | 'groups' | 'alone' | 'ssh';
  readonly volume: Partial<ManagedNodeGroupProps>;
  readonly instances: Partial<ManagedNodeGroupProps>;
  readonly updates: Partial<ManagedNodeGroupProps>;
  readonly more: boolean;
}

const partCombinations = combinations<Parts>({
  os: [
    {},
    { instanceTypes: types('p5.48xlarge') },
    { amiFamily: AmiFamily.BOTTLEROCKET, instanceTypes: types('trn1.32xlarge') },
    { amiFamily: AmiFamily.WINDOWS_CORE_2022 },
    { customAmi: AMI, serviceCidr: SERVICE_CIDR, instanceTypes: types('p4d.24xlarge') },
  ],
  network: ['none', 'groups', 'alone', 'ssh'],
  volume: [
    {},
    { volume: { size: 200, iops: 6000, throughput: 1500 } },
    { volume: { type: 'io2', iops: 5000 }, additionalVolumes: [{ deviceName: '/dev/xvdf', size: 500, type: 'st1' }] },
    { amiVolumes: true, additionalVolumes: [{ deviceName: '/dev/xvdf', size: 500 }] },
  ],
  instances: [
    {},
    { capacityType: 'CAPACITY_BLOCK', capacityReservation: { id: 'cr-0123456789abcdef0' }, efa: {} },
    { efa: { interfaces: 1 }, detailedMonitoring: true },
    {
      instanceStore: InstanceStore.RAID0,
      capacityReservation: { preference: CapacityReservationPreference.RESERVATIONS_ONLY },
    },
  ],
  updates: [
    {},
    { updateStrategy: UpdateStrategy.MINIMAL, nodeRepair: {} },
    {
      warmPool: { minSize: 1, state: WarmPoolState.RUNNING },
      nodeRepair: {
        maxUnhealthyNodesPercentage: 30,
        overrides: [
          {
            condition: 'AcceleratedHardwareReady',
            reason: 'NvidiaXID64Error',
            waitMinutes: 5,
            action: RepairAction.REBOOT,
          },
        ],
      },
    },
  ],
  more: [false, true],
});

/** Groups with the options about network, volumes, instances, updates and role, every two of which meet on each kind of cluster. */
function addParts(app: App): void {
  for (const kind of ['Native', 'NativeOld', 'Custom']) {
    const [untried, untriedAlone] = [new Untried(2), new Untried(2)];
    const stack = new Stack(app, `${kind}Parts`, { env: ENVIRONMENT });
    const cluster = clusterKinds[kind]?.(stack);
    if (cluster === undefined) throw new Error(kind);
    const own = new ec2.SecurityGroup(stack, 'Own', { vpc: cluster.vpc });
    const keyPair = ec2.KeyPair.fromKeyPairName(stack, 'Operators', 'operators');
    // Control plane and nodes let each other in, so that the nodes can do without the cluster's group.
    own.connections.allowFrom(cluster.clusterSecurityGroup, ec2.Port.allTraffic());
    const networks: Record<Parts['network'], Partial<ManagedNodeGroupProps>> = {
      none: {},
      groups: { securityGroups: [own] },
      alone: { securityGroups: [own], clusterSecurityGroup: false },
      ssh: { remoteAccess: { keyPair, from: [own] } },
    };
    const more = {
      managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
      permissionsBoundary: iam.ManagedPolicy.fromManagedPolicyArn(stack, 'Limit', 'arn:aws:iam::123456789012:policy/b'),
      placementGroup: new ec2.PlacementGroup(stack, 'Spread', { strategy: ec2.PlacementGroupStrategy.SPREAD }),
      tags: { team: 'web' },
    };
    const kmsKey = kms.Key.fromKeyArn(
      stack,
      'Key',
      'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef',
    );
    for (const { options, number, choices } of partCombinations) {
      if (!untried.has(choices)) continue;
      const { os, network, volume, instances, updates } = options;
      const id = `Parts${number}`;
      const keyed = options.more && volume.volume !== undefined ? { volume: { ...volume.volume, kmsKey } } : {};
      const shared = { cluster, ...os, ...networks[network], ...volume, ...instances, ...keyed };
      const withMore = options.more ? more : {};
      if (number % 4 === 0 && untriedAlone.has(choices)) {
        const own = `Own${id}`;
        if (tryMake(stack, own, () => new SelfManagedNodeGroup(stack, own, { ...shared, ...withMore })) !== undefined)
          untriedAlone.accept(choices);
      }
      const props = { ...shared, ...updates };
      if (tryMake(stack, id, () => new ManagedNodeGroup(stack, id, { ...props, ...withMore })) !== undefined)
        untried.accept(choices);
    }
  }
}

/** Windows with its prerequisites. The ConfigMap needs kubectl, which only clusters of `aws-eks` have here. */
function addWindowsGroups(
  stack: Stack,
  cluster: ICluster,
  kind: string,
  serviceCidr: Partial<ManagedNodeGroupProps>,
): void {
  const ipam = kind.startsWith('Custom') ? {} : { windowsIpam: WindowsIpam.MANAGED_ELSEWHERE };
  const access = kind.startsWith('Imported') ? { nodeAccess: WindowsNodeAccess.ACCESS_ENTRY } : {};
  [
    {},
    { windowsBootstrap },
    { customAmi: AMI, ...serviceCidr, ...access },
    { ...KUBELET, windowsBootstrap, customAmi: AMI, ...serviceCidr, ...access },
  ].forEach((options, index) => {
    const id = `Windows${index}`;
    tryMake(stack, id, () => new WindowsNodeGroup(stack, id, { cluster, ...ipam, ...options }));
  });
}

interface Cni {
  readonly identity: Partial<VpcCniAddonProps>;
  readonly podSecurityGroups: Partial<VpcCniAddonProps>;
  readonly addresses: Partial<VpcCniAddonProps>;
  readonly policies: Partial<VpcCniAddonProps>;
  readonly windows: Partial<VpcCniAddonProps>;
  readonly conflicts: Partial<VpcCniAddonProps>;
  readonly ipFamily: 'ipv4' | 'ipv6';
}

const overwrite = {
  resolveConflicts: ResolveConflicts.OVERWRITE,
  resolveConflictsReason: 'takes over the self-managed copy once',
};

const cniCombinations = [
  combinations<Cni>({
    identity: [{}, { identity: PodIdentityKind.IRSA }, { useNodeRole: true }],
    podSecurityGroups: [{}, { podSecurityGroups: {} }, { podSecurityGroups: { mode: PodSecurityGroupMode.STANDARD } }],
    addresses: [
      {},
      { prefixDelegation: {} },
      { prefixDelegation: { warmPrefixTarget: 0 }, warmTargets: { warmIpTarget: 5, minimumIpTarget: 10 } },
      { customNetworking: { subnets: [] }, warmTargets: { maxEni: 3 } },
    ],
    policies: [{}, { networkPolicy: { mode: NetworkPolicyMode.STRICT } }],
    windows: [{}],
    conflicts: [{}, overwrite],
    ipFamily: ['ipv4', 'ipv6'],
  }),
  combinations<Cni>({
    identity: [{}],
    podSecurityGroups: [{}, { podSecurityGroups: {} }],
    addresses: [{}, { env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' } }],
    policies: [{}],
    windows: [{ windowsIpam: true }],
    conflicts: [{}, { ...overwrite, resolveConflicts: ResolveConflicts.NONE }],
    ipFamily: ['ipv4'],
  }),
];

/** Every add-on, each on a cluster of its own with one node group. */
function addAddons(app: App): void {
  const perStack = 25;
  let count = 0;
  let stack: Stack | undefined;
  let vpc: ec2.IVpc | undefined;
  for (const {
    options: { ipFamily, addresses, ...options },
    choices,
    untried,
  } of cniCombinations.flatMap(withUntried)) {
    if (!untried.has(choices)) continue;
    const index = count++;
    if (stack === undefined || vpc === undefined || index % perStack === 0) {
      stack = new Stack(app, `Addons${index / perStack}`, { env: ENVIRONMENT });
      vpc = vpcIn(stack);
    }
    const scope = stack;
    const subnets = vpc.privateSubnets.map((subnet, zone) => ({
      subnet,
      availabilityZone: `eu-west-1${zone === 0 ? 'a' : 'b'}`,
    }));
    const network =
      addresses.customNetworking === undefined ? addresses : { ...addresses, customNetworking: { subnets } };
    const cluster = nativeCluster(scope, { ipFamily, vpc }, `Cluster${index}`);
    const merged = Object.assign({}, ...Object.values(options), network) as Partial<VpcCniAddonProps>;
    const addon = tryMake(scope, `Cni${index}`, () => new VpcCniAddon(scope, `Cni${index}`, { cluster, ...merged }));
    if (addon === undefined) {
      scope.node.tryRemoveChild(`Cluster${index}`);
      continue;
    }
    untried.accept(choices);
    tryMake(
      scope,
      `Nodes${index}`,
      () => new ManagedNodeGroup(scope, `Nodes${index}`, { cluster, instanceTypes: types('m5.large') }),
    );
  }
}

const networkOptions: readonly Partial<ClusterNetworkAddonsProps>[] = [
  {},
  { takeOver: { until: '2099-12-31' } },
  { coreDns: false, vpcCni: { prefixDelegation: {} } },
  { kubeProxy: { configurationValues: { mode: 'ipvs' } }, coreDns: { configurationValues: { replicaCount: 3 } } },
  { vpcCni: { identity: PodIdentityKind.IRSA }, podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE },
];

/** All network add-ons on every kind of cluster, and nodes in their stack. */
function addNetworkAddons(app: App): void {
  for (const [kind, makeCluster] of Object.entries(clusterKinds)) {
    for (const [turn, options] of networkOptions.entries()) {
      const stack = new Stack(app, `${kind}Network${turn}`, { env: ENVIRONMENT });
      const cluster = makeCluster(stack);
      const version = kind.startsWith('Imported') ? { kubernetesVersion: '1.34' } : {};
      const all = { cluster, ...version, ...options };
      if (tryMake(stack, 'Network', () => new ClusterNetworkAddons(stack, 'Network', all)) === undefined) continue;
      tryMake(
        stack,
        'Nodes',
        () => new ManagedNodeGroup(stack, 'Nodes', { cluster, instanceTypes: types('m5.large') }),
      );
    }
  }
}

interface Roles {
  readonly kind: 'controller' | 'dns' | 'ebs' | 'efs' | 'autoscaler' | 'karpenter';
  readonly identity: Partial<PodRoleProps>;
  readonly names: Partial<PodRoleProps>;
  readonly policies: 'own' | 'more';
  readonly special: boolean;
}

const roleCombinations = combinations<Roles>({
  kind: ['controller', 'dns', 'ebs', 'efs', 'autoscaler', 'karpenter'],
  identity: [{}, { association: false }, { identity: PodIdentityKind.IRSA }],
  names: [{}, { namespace: 'platform', serviceAccount: 'mine' }],
  policies: ['own', 'more'],
  special: [false, true],
});

/** The role of a controller; `special` has the options that it has by itself. */
function controllerRole(
  stack: Stack,
  id: string,
  kind: Roles['kind'],
  props: PodRoleProps,
  special: boolean,
): IConstruct {
  switch (kind) {
    case 'controller':
      return new LoadBalancerControllerRole(stack, id, {
        ...props,
        ...(special ? { version: '2.8.3', vpcId: 'vpc-0123456789abcdef0' } : {}),
      });
    case 'dns': {
      const zoneName = 'example.com';
      const zone = route53.HostedZone.fromHostedZoneAttributes(stack, `Zone${id}`, { hostedZoneId: 'Z0123', zoneName });
      return new ExternalDnsRole(stack, id, { ...props, hostedZones: [zone], zoneTags: special });
    }
    case 'ebs': {
      const key = kms.Key.fromKeyArn(stack, `Key${id}`, 'arn:aws:kms:eu-west-1:123456789012:key/0123abcd');
      return new EbsCsiDriverRole(stack, id, {
        ...props,
        ...(special ? { kmsKeys: [key], volumes: EbsVolumeScope.CLUSTER } : {}),
      });
    }
    case 'efs':
      return new EfsCsiDriverRole(stack, id, props);
    case 'autoscaler':
      return new ClusterAutoscalerRole(stack, id, props);
    case 'karpenter':
      return new KarpenterRoles(stack, id, {
        ...props,
        ...(special ? { version: '1.8.0', interruptionQueue: false, cniPermissions: CniPermissions.OWN_ROLE } : {}),
        ...(stack.stackName.startsWith('Imported') ? { accessEntry: true } : {}),
      });
  }
}

/** Roles of controllers, each on a cluster of its own kind in turn: two associations of one service account would be one too many. */
function addControllerRoles(app: App): void {
  for (const [turn, [kind, makeCluster]] of Object.entries(clusterKinds).entries()) {
    const untried = new Untried(2);
    const stack = new Stack(app, `${kind}Roles`, { env: ENVIRONMENT });
    const cluster = makeCluster(stack);
    const agent = kind.startsWith('Imported') ? { podIdentityAgent: PodIdentityAgent.INSTALL } : {};
    const more = {
      managedPolicies: [iam.ManagedPolicy.fromManagedPolicyArn(stack, 'More', 'arn:aws:iam::123456789012:policy/more')],
      permissionsBoundary: iam.ManagedPolicy.fromManagedPolicyArn(stack, 'Limit', 'arn:aws:iam::123456789012:policy/b'),
    };
    for (const {
      options: { kind: role, identity, names, policies, special },
      number,
      choices,
    } of roleCombinations) {
      if ((number + turn) % SHARE !== 0 || !untried.has(choices)) continue;
      const id = `Role${number}`;
      const namespace = `space-${number}`;
      const props = {
        cluster,
        ...(identity.identity === PodIdentityKind.IRSA ? {} : agent),
        ...identity,
        ...(names.namespace === undefined ? { namespace } : { ...names, namespace }),
        ...(policies === 'more' ? more : {}),
      };
      if (tryMake(stack, id, () => controllerRole(stack, id, role, props, special)) !== undefined)
        untried.accept(choices);
    }
  }
}

describe('every combination of options that the constructs accept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
  // Many stacks are larger than CloudFormation takes; what counts here is each resource.
  const app = new App({
    outdir: folder,
    context: { 'aws:cdk:enable-path-metadata': true, '@aws-cdk/core:stackResourceLimit': 0 },
  });
  let assembly: CloudAssembly;

  beforeAll(() => {
    addNodeGroups(app);
    addParts(app);
    addAddons(app);
    addNetworkAddons(app);
    addControllerRoles(app);
    paths = new Set(underTest.map((construct) => construct.node.path));
    assembly = app.synth();
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  let paths = new Set<string>();
  /** Whether a path is that of a construct under test, or within one. */
  const isUnderTest = (path: string): boolean =>
    path.split('/').some((_, index, parts) => paths.has(parts.slice(0, index + 1).join('/')));

  it('is tested in numbers', () => {
    expect(underTest.length).toBeGreaterThan(ALL ? 700 : 450);
    expect(refused).toBeGreaterThan(ALL ? 300 : 100);
    expect(underTest.filter((construct) => construct instanceof VpcCniAddon).length).toBeGreaterThan(ALL ? 150 : 55);
    expect(underTest.filter((construct) => construct instanceof ClusterNetworkAddons).length).toBeGreaterThan(25);
    expect(underTest.filter((construct) => construct instanceof WindowsNodeGroup).length).toBeGreaterThan(45);
    expect(underTest.filter((construct) => construct.node.id.startsWith('Parts')).length).toBeGreaterThan(50);
    expect(underTest.filter((construct) => construct instanceof SelfManagedNodeGroup).length).toBeGreaterThan(8);
    expect(underTest.filter((construct) => construct.node.id.startsWith('Family')).length).toBeGreaterThan(
      ALL ? 140 : 70,
    );
    expect(underTest.filter((construct) => construct instanceof PodRole).length).toBeGreaterThan(ALL ? 700 : 150);
  });

  itWithAll("passes CDK's own CloudFormation validation, with nothing to acknowledge", () => {
    const plugin = new CloudFormationValidatePlugin();
    const stackTemplates = assembly.stacks.map((stack) => ({
      stackConstructPath: stack.hierarchicalId,
      templatePath: stack.templateFullPath,
      accountId: ENVIRONMENT.account,
      region: ENVIRONMENT.region,
    }));
    const report = plugin.validate({
      stackTemplates,
      templatePaths: stackTemplates.map((stack) => stack.templatePath),
      appConstruct: app,
    });
    const pathsOfResources = new Map(
      assembly.stacks.flatMap((stack) => {
        const { Resources } = stack.template as { Resources: Record<string, { Metadata?: Record<string, string> }> };
        return Object.entries(Resources).map(
          ([id, resource]) => [`${stack.templateFullPath} ${id}`, resource.Metadata?.['aws:cdk:path'] ?? ''] as const,
        );
      }),
    );
    const own = findings(report.violations, (resource) =>
      isUnderTest(pathsOfResources.get(`${resource.templatePath ?? ''} ${resource.resourceLogicalId ?? ''}`) ?? ''),
    );
    expect(own).toEqual([]);
  });

  it("passes cdk-nag's AwsSolutions pack with the acknowledgements that come with the constructs", () => {
    const report = new AwsSolutionsChecks(app).validateScope(app);
    expect(report.violations.length).toBeGreaterThan(0);
    expect(findings(report.violations, (resource) => isUnderTest(resource.constructPath ?? ''))).toEqual([]);
    // The constructs attach this one to the role of the cluster.
    expect(report.violations.map((violation) => violation.ruleName)).not.toContainEqual(
      expect.stringContaining('AmazonEKSVPCResourceController'),
    );
  });

  it('passes every rule of this library, with the preset strict', () => {
    const result = readPaths([folder]);
    expect(result.diagnostics).toEqual([]);
    const failed = runRules(new EksModel(result.resources), allRules, { preset: 'strict' })
      .filter((finding) => finding.verdict === 'fail' && finding.severity !== 'info')
      .filter((finding) => isUnderTest(finding.resource.path ?? ''));
    const open = failed
      .filter((finding) => finding.suppressed === undefined)
      .map((finding) => `${finding.rule}: ${finding.message}`);
    expect([...new Set(open)]).toEqual([]);
    // What the user chose against advice, with a reason: the rules see it, and see the reason.
    expect([...new Set(failed.map((finding) => finding.rule))].sort()).toEqual([
      'ami-type-kubernetes-version',
      'imds-hop-limit',
      'node-group-force-update',
      'vpc-cni-resolve-conflicts',
    ]);
  });
});

type Violated = PolicyViolation['violatingResources'][number];

function findings(violations: readonly PolicyViolation[], concerns: (resource: Violated) => boolean): string[] {
  return violations.flatMap((violation) =>
    violation.violatingResources
      .filter(concerns)
      .map(
        (resource) =>
          `${violation.ruleName} ${resource.constructPath ?? resource.resourceLogicalId ?? ''}: ${violation.description}`,
      ),
  );
}
