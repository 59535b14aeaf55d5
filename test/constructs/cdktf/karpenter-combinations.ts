import { IamOpenidConnectProvider } from '@cdktf/provider-aws/lib/iam-openid-connect-provider';
import type { Construct } from 'constructs';
import { KarpenterRoles, type ICluster, type KarpenterRolesProps } from '../../../constructs/cdktf';
import { meetingCombinations, type Combination, type Refusal } from '../pairwise';
import { AGENT_WITH_IRSA, KARPENTER_AXES } from '../shared-axes';
import { newCluster } from './stacks';

type Given = Partial<KarpenterRolesProps>;

const policy = { arn: 'arn:aws:iam::111122223333:policy/more' };
const issuer = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';

/** A cluster, with its OpenID Connect provider. */
function ownCluster(scope: Construct, options: Parameters<typeof newCluster>[1]): ReturnType<typeof newCluster> {
  const cluster = newCluster(scope, options);
  new IamOpenidConnectProvider(scope, 'Oidc', {
    url: cluster.identity.get(0).oidc.get(0).issuer,
    clientIdList: ['sts.amazonaws.com'],
    thumbprintList: [],
  });
  return cluster;
}

const { identity, agent, ...ofNodes } = KARPENTER_AXES;

/** The options of `KarpenterRoles`, and the cluster. */
const AXES = {
  cluster: {
    'with access entries': (scope) => ownCluster(scope, { accessConfig: { authenticationMode: 'API' } }),
    'with aws-auth': (scope) => ownCluster(scope, { accessConfig: { authenticationMode: 'CONFIG_MAP' } }),
    IPv6: (scope) =>
      ownCluster(scope, {
        accessConfig: { authenticationMode: 'API_AND_CONFIG_MAP' },
        kubernetesNetworkConfig: { ipFamily: 'ipv6' },
      }),
    elsewhere: (scope) => ({
      clusterName: `elsewhere-${scope.node.id}`,
      kubernetesVersion: '1.34',
      openIdConnectProviderArn: `arn:aws:iam::111122223333:oidc-provider/${issuer}`,
      openIdConnectIssuer: `https://${issuer}`,
    }),
  } satisfies Record<string, (scope: Construct) => ICluster>,
  ...ofNodes,
  nodePolicies: {
    plain: {},
    more: { nodePolicies: ['arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore', policy] },
  } satisfies Record<string, Given>,
  identity,
  agent,
  names: { plain: {}, own: { namespace: 'karpenter', serviceAccount: 'mine' } } satisfies Record<string, Given>,
  policies: { plain: {}, more: { managedPolicies: [policy], permissionsBoundary: policy } } satisfies Record<
    string,
    Given
  >,
};

export type KarpenterCombination = Combination<typeof AXES>;

const REFUSALS: readonly Refusal<typeof AXES>[] = [
  {
    of: ({ cluster, accessEntry }) => cluster === 'elsewhere' && accessEntry === 'plain',
    words: /the cluster doesn't tell its authentication mode, and accessEntry isn't set/,
  },
  {
    of: ({ cluster, accessEntry }) => cluster === 'with aws-auth' && accessEntry === 'yes',
    words: /accessEntry is true and the cluster's authentication mode is CONFIG_MAP/,
  },
  {
    // Nothing here maps the role in aws-auth.
    of: ({ cluster, accessEntry }) => cluster === 'with aws-auth' && accessEntry === 'plain',
    words: /authentication mode is CONFIG_MAP, .* say accessEntry: false/,
  },
  {
    of: ({ cluster, agent, identity }) => cluster === 'elsewhere' && agent === 'plain' && identity !== 'IRSA',
    words: /podIdentityAgent isn't set/,
  },
  AGENT_WITH_IRSA,
];

/** Combinations in which each value of an option meets each value of every other, and those that are refused. */
export const karpenterCombinations = () => meetingCombinations(AXES, REFUSALS);

/** Makes Karpenter's roles, with a cluster of their own. */
export function makeKarpenterRoles(scope: Construct, combination: KarpenterCombination): KarpenterRoles {
  const roleName = combination.names === 'own' ? { roleName: `karpenter-${scope.node.id}` } : {};
  return new KarpenterRoles(scope, 'Karpenter', {
    cluster: AXES.cluster[combination.cluster](scope),
    ...AXES.version[combination.version],
    ...AXES.queue[combination.queue],
    ...AXES.accessEntry[combination.accessEntry],
    ...AXES.cni[combination.cni],
    ...AXES.nodePolicies[combination.nodePolicies],
    ...AXES.identity[combination.identity],
    ...AXES.agent[combination.agent],
    ...AXES.names[combination.names],
    ...AXES.policies[combination.policies],
    ...roleName,
  });
}
