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
/** The name of a value for each option. */
export type Combination = Readonly<Record<Axis, string>>;

const NAMES = Object.keys(AXES) as Axis[];

/** Combinations in which each value of an option meets each value of every other. */
export function pairwiseCombinations(): Combination[] {
  const open = new Set(
    NAMES.flatMap((one, index) =>
      NAMES.slice(index + 1).flatMap((other) =>
        Object.keys(AXES[one]).flatMap((a) => Object.keys(AXES[other]).map((b) => pair(one, a, other, b))),
      ),
    ),
  );
  const found: Combination[] = [];
  while (open.size > 0) {
    const combination = completed(open);
    for (const one of pairsOf(combination)) open.delete(one);
    found.push(combination);
  }
  return found;
}

/** The first open pair, and for each further option the value that closes most pairs. */
function completed(open: ReadonlySet<string>): Combination {
  const [start = '{}'] = open;
  const chosen = JSON.parse(start) as Partial<Record<Axis, string>>;
  for (const axis of NAMES.filter((name) => chosen[name] === undefined)) {
    const gains = Object.keys(AXES[axis]).map((value) => ({
      value,
      gain: pairsOf({ ...chosen, [axis]: value }).filter((one) => open.has(one)).length,
    }));
    chosen[axis] = gains.reduce((best, one) => (one.gain > best.gain ? one : best)).value;
  }
  return chosen as Combination;
}

function pairsOf(chosen: Partial<Record<Axis, string>>): string[] {
  const named = NAMES.filter((name) => chosen[name] !== undefined);
  return named.flatMap((one, index) =>
    named.slice(index + 1).map((other) => pair(one, chosen[one] ?? '', other, chosen[other] ?? '')),
  );
}

function pair(one: Axis, a: string, other: Axis, b: string): string {
  return JSON.stringify({ [one]: a, [other]: b });
}

/** Makes a cluster's add-ons, and its nodes, in a scope of their own. */
export function makeNetworkAddons(scope: Construct, combination: Combination): ClusterNetworkAddons {
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
