import { IamOpenidConnectProvider } from '@cdktf/provider-aws/lib/iam-openid-connect-provider';
import { TerraformVariable } from 'cdktf';
import type { Construct } from 'constructs';
import {
  ClusterNetworkAddons,
  ManagedNodeGroup,
  NetworkPolicyMode,
  PodIdentityAgent,
  PodIdentityKind,
  type ClusterNetworkAddonsProps,
  type ICluster,
} from '../../../constructs/cdktf';
import { meetingCombinations, type Combination, type Refusal } from '../pairwise';
import { ipv6, newCluster } from './stacks';

const subnets = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];
const podSubnets = subnets.map((subnet, index) => ({ subnet, availabilityZone: `eu-west-1${'ab'.charAt(index)}` }));
const bare = { version: '1.34', bootstrapSelfManagedAddons: false, upgradePolicy: { supportType: 'STANDARD' } };
const issuer = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';

/** The options of `ClusterNetworkAddons` and of what is around it, each with its values. */
const AXES = {
  cluster: {
    bare: (scope: Construct): ICluster => newCluster(scope, bare),
    'with copies': (scope: Construct): ICluster => newCluster(scope, { ...bare, bootstrapSelfManagedAddons: true }),
    IPv6: (scope: Construct): ICluster => newCluster(scope, { ...bare, ...ipv6 }),
    newest: (scope: Construct): ICluster => newCluster(scope, { ...bare, version: '1.35' }),
    elsewhere: (scope: Construct): ICluster => ({
      clusterName: `elsewhere-${scope.node.id}`,
      kubernetesVersion: '1.34',
      openIdConnectProviderArn: `arn:aws:iam::111122223333:oidc-provider/${issuer}`,
      openIdConnectIssuer: `https://${issuer}`,
    }),
    'of an unknown version': (): ICluster => ({ clusterName: 'unknown' }),
  },
  vpcCni: {
    plain: undefined,
    prefixes: { prefixDelegation: { warmPrefixTarget: 1 } },
    'groups for pods': { podSecurityGroups: {}, env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' } },
    'custom networking': { customNetworking: { subnets: podSubnets } },
    policies: { networkPolicy: { mode: NetworkPolicyMode.STRICT } },
    IRSA: { identity: PodIdentityKind.IRSA },
    'of the nodes': { useNodeRole: true },
    'an old version': { version: 'v1.19.0-eksbuild.1', warmTargets: { warmIpTarget: 2, minimumIpTarget: 8 } },
    Windows: { windowsIpam: true },
  },
  kubeProxy: {
    plain: undefined,
    version: { version: 'v1.34.0-eksbuild.2' },
    values: { configurationValues: { mode: 'ipvs', ipvs: { scheduler: 'rr' } } },
  },
  coreDns: {
    plain: undefined,
    none: false,
    version: { version: 'v1.12.3-eksbuild.1' },
    values: (scope: Construct) => ({
      configurationValues: { replicaCount: new TerraformVariable(scope, 'replicas', { default: 2 }).numberValue },
    }),
  },
  agent: { plain: undefined, install: PodIdentityAgent.INSTALL, elsewhere: PodIdentityAgent.MANAGED_ELSEWHERE },
  nodes: { none: undefined, before: 'before', after: 'after' },
} as const;

type Axis = keyof typeof AXES;
export type NetworkCombination = Combination<typeof AXES>;

const onIpv6 = (vpcCni: NetworkCombination['vpcCni'], words: RegExp): Refusal<typeof AXES> => ({
  of: (one) => one.cluster === 'IPv6' && one.vpcCni === vpcCni,
  words,
});

const REFUSALS: readonly Refusal<typeof AXES>[] = [
  {
    // Unless every add-on has its version.
    of: ({ cluster, vpcCni, kubeProxy, coreDns }) =>
      cluster === 'of an unknown version' &&
      !(vpcCni === 'an old version' && kubeProxy === 'version' && ['version', 'none'].includes(coreDns)),
    words: /set (?:(?:kubeProxy|vpcCni)\.)?version, or kubernetesVersion/,
  },
  onIpv6('prefixes', /prefixDelegation is set .* leave it out/),
  onIpv6('custom networking', /customNetworking is set .* ipv6/),
  onIpv6('an old version', /warmTargets is set .* leave them out/),
  onIpv6('Windows', /windowsIpam is set .* ipv6/),
  {
    of: ({ vpcCni, kubeProxy }) => vpcCni === 'groups for pods' && kubeProxy === 'values',
    words: /kubeProxy\.configurationValues\.mode is ipvs, and vpcCni\.podSecurityGroups has the mode STRICT/,
  },
];

/** Combinations in which each value of an option meets each value of every other, and those that are refused. */
export const networkCombinations = () => meetingCombinations(AXES, REFUSALS);

/** Makes a cluster's add-ons, and its nodes, in a scope of their own. */
export function makeNetworkAddons(scope: Construct, combination: NetworkCombination): ClusterNetworkAddons {
  const valueOf = (axis: Axis): unknown => (AXES[axis] as Readonly<Record<string, unknown>>)[combination[axis]];
  const cluster = (valueOf('cluster') as (scope: Construct) => ICluster)(scope);
  if (combination.vpcCni === 'IRSA' && 'identity' in cluster)
    new IamOpenidConnectProvider(scope, 'Oidc', {
      url: cluster.identity.get(0).oidc.get(0).issuer,
      clientIdList: ['sts.amazonaws.com'],
      thumbprintList: [],
    });
  const addNodes = (): void => {
    const kubernetesVersion = combination.cluster === 'of an unknown version' ? { kubernetesVersion: '1.34' } : {};
    new ManagedNodeGroup(scope, 'Nodes', { cluster, subnets, instanceTypes: ['m6i.large'], ...kubernetesVersion });
  };
  if (combination.nodes === 'before') addNodes();
  const coreDns = valueOf('coreDns');
  const given = {
    vpcCni: valueOf('vpcCni'),
    kubeProxy: valueOf('kubeProxy'),
    coreDns: typeof coreDns === 'function' ? (coreDns as (scope: Construct) => unknown)(scope) : coreDns,
    podIdentityAgent: valueOf('agent'),
  };
  const addons = new ClusterNetworkAddons(scope, 'Addons', {
    cluster,
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Omit<
      ClusterNetworkAddonsProps,
      'cluster'
    >),
  });
  if (combination.nodes === 'after') addNodes();
  return addons;
}
