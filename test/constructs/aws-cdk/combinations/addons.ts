import { Stack, type App } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import {
  ManagedNodeGroup,
  NetworkPolicyMode,
  PodIdentityKind,
  PodSecurityGroupMode,
  ResolveConflicts,
  VpcCniAddon,
  type VpcCniAddonProps,
} from '../../../../constructs/aws-cdk';
import { nativeCluster } from '../clusters';
import { types } from '../node-groups';
import { combinations, withUntried } from './choices';
import { ENVIRONMENT, tryMake, vpcIn } from './made';

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
export function addAddons(app: App): void {
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
