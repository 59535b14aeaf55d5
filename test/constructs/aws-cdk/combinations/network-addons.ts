import { App, Stack } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import type { IConstruct } from 'constructs';
import {
  ClusterNetworkAddons,
  ManagedNodeGroup,
  NetworkPolicyMode,
  PodIdentityAgent,
  PodIdentityKind,
  type ClusterNetworkAddonsProps,
  type ICluster,
} from '../../../../constructs/aws-cdk';
import { meetingCombinations, type Combination, type Refusal } from '../../pairwise';
import { customCluster, importedCluster, importedVpc, nativeCluster } from '../clusters';
import { types } from '../node-groups';
import { ALL } from './choices';
import { ENVIRONMENT, makeAccepted, makeRefused } from './made';

type MakeCluster = (stack: Stack, id: string, vpc: ec2.IVpc) => ICluster;
type Given = Partial<ClusterNetworkAddonsProps>;
type CniOptions = Required<ClusterNetworkAddonsProps>['vpcCni'];

/** The options of `ClusterNetworkAddons` and of what is around it. */
const AXES = {
  cluster: {
    Native: (stack, id, vpc) => nativeCluster(stack, { vpc }, id),
    NativeOld: (stack, id, vpc) => nativeCluster(stack, { vpc, version: '1.32' }, id),
    NativeIpv6: (stack, id, vpc) => nativeCluster(stack, { vpc, ipFamily: 'ipv6' }, id),
    Custom: (stack, id, vpc) => customCluster(stack, { vpc }, id),
    CustomOldApi: (stack, id, vpc) =>
      customCluster(stack, { vpc, version: '1.32', authenticationMode: eks.AuthenticationMode.API }, id),
    ImportedNative: (stack, id, vpc) =>
      importedCluster(stack, 'aws-eks-v2', { complete: true, clusterName: id, vpc }, id),
    ImportedCustom: (stack, id, vpc) => importedCluster(stack, 'aws-eks', { complete: true, clusterName: id, vpc }, id),
  } satisfies Record<string, MakeCluster>,
  vpcCni: {
    plain: {},
    prefixes: { prefixDelegation: { warmPrefixTarget: 1 } },
    'groups for pods': { podSecurityGroups: {}, env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' } },
    'custom networking': { customNetworking: { subnets: [] } },
    policies: { networkPolicy: { mode: NetworkPolicyMode.STRICT } },
    IRSA: { identity: PodIdentityKind.IRSA },
    'of the nodes': { useNodeRole: true },
    'an old version': { version: 'v1.19.0-eksbuild.1', warmTargets: { warmIpTarget: 2, minimumIpTarget: 8 } },
    Windows: { windowsIpam: true },
  } satisfies Record<string, CniOptions>,
  kubeProxy: {
    plain: {},
    version: { kubeProxy: { version: 'v1.34.0-eksbuild.2' } },
    values: { kubeProxy: { configurationValues: { mode: 'ipvs', ipvs: { scheduler: 'rr' } } } },
  } satisfies Record<string, Given>,
  coreDns: {
    plain: {},
    none: { coreDns: false },
    version: { coreDns: { version: 'v1.12.3-eksbuild.1' } },
    values: { coreDns: { configurationValues: { replicaCount: 3 } } },
  } satisfies Record<string, Given>,
  agent: {
    plain: {},
    install: { podIdentityAgent: PodIdentityAgent.INSTALL },
    elsewhere: { podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE },
  } satisfies Record<string, Given>,
  takeOver: { no: {}, once: { takeOver: { until: '2099-12-31' } } } satisfies Record<string, Given>,
  nodes: { none: undefined, before: undefined, after: undefined },
};

type Network = Combination<typeof AXES>;

const onIpv6 = (vpcCni: string, words: RegExp): Refusal<typeof AXES> => ({
  of: (one) => one.cluster === 'NativeIpv6' && one.vpcCni === vpcCni,
  words,
});
/** Clusters of Kubernetes 1.32, for which EKS doesn't offer the versions above. */
const isOld = (cluster: string): boolean => cluster.includes('Old');

const REFUSALS: readonly Refusal<typeof AXES>[] = [
  onIpv6('prefixes', /prefixDelegation is set and the cluster's IP family is ipv6/),
  onIpv6('custom networking', /customNetworking is set and the cluster's IP family is ipv6/),
  onIpv6('an old version', /warmTargets is set and the cluster's IP family is ipv6/),
  onIpv6('Windows', /windowsIpam is set and the cluster's IP family is ipv6/),
  {
    of: ({ vpcCni, kubeProxy }) => vpcCni === 'groups for pods' && kubeProxy === 'values',
    words: /kubeProxy\.configurationValues\.mode is ipvs, and vpcCni\.podSecurityGroups has the mode STRICT/,
  },
  {
    of: ({ cluster, kubeProxy }) => isOld(cluster) && kubeProxy === 'version',
    words: /kubeProxy\.version is "v1\.34.*", which EKS offers for Kubernetes .*, and the cluster has 1\.32/,
  },
  {
    of: ({ cluster, coreDns }) => isOld(cluster) && coreDns === 'version',
    words: /version is "v1\.12.*", which EKS offers for Kubernetes .*, and the cluster has 1\.32/,
  },
];

/** All network add-ons, each time on a cluster of their own, whose nodes come before them, after them or not at all. */
export function addNetworkAddons(app: App): void {
  const { accepted, refused } = meetingCombinations(AXES, REFUSALS, ALL ? 3 : 2);
  const stacks = new Map<string, Stack>();
  for (const [index, combination] of accepted.entries()) {
    const kind = combination.cluster;
    // A stack has one cluster of aws-eks at most.
    const name = `${kind}Network${kind.startsWith('Custom') ? index : ''}`;
    const stack = stacks.get(name) ?? new Stack(app, name, { env: ENVIRONMENT });
    stacks.set(name, stack);
    for (const make of makersOf(stack, index, combination)) makeAccepted(make);
  }
  for (const { combination, words } of refused)
    makeRefused(words, () => {
      for (const make of makersOf(new Stack(new App(), 'Refused'), 0, combination)) make();
    });
}

/** What makes a cluster's add-ons and its nodes, in their order. */
function makersOf(stack: Stack, index: number, combination: Network): (() => IConstruct)[] {
  const vpc = (stack.node.tryFindChild('Vpc') as ec2.IVpc | undefined) ?? importedVpc(stack);
  const cluster = AXES.cluster[combination.cluster](stack, `Cluster${index}`, vpc);
  const version = combination.cluster.startsWith('Imported') ? { kubernetesVersion: '1.34' } : {};
  const podSubnets = vpc.privateSubnets.map((subnet) => ({ subnet, availabilityZone: subnet.availabilityZone }));
  const isCustom = combination.vpcCni === 'custom networking';
  const makeNodes = (): IConstruct =>
    new ManagedNodeGroup(stack, `Nodes${index}`, { cluster, ...version, instanceTypes: types('m5.large') });
  const makeAddons = (): IConstruct =>
    new ClusterNetworkAddons(stack, `Network${index}`, {
      cluster,
      ...version,
      vpcCni: isCustom ? { customNetworking: { subnets: podSubnets } } : AXES.vpcCni[combination.vpcCni],
      ...AXES.kubeProxy[combination.kubeProxy],
      ...AXES.coreDns[combination.coreDns],
      ...AXES.agent[combination.agent],
      ...AXES.takeOver[combination.takeOver],
    });
  return { none: [makeAddons], before: [makeNodes, makeAddons], after: [makeAddons, makeNodes] }[combination.nodes];
}
