import { App, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { KarpenterRoles, type ICluster, type KarpenterRolesProps } from '../../../../constructs/aws-cdk';
import { meetingCombinations, type Combination, type Refusal } from '../../pairwise';
import { AGENT_WITH_IRSA, KARPENTER_AXES } from '../../shared-axes';
import { ALL } from './choices';
import { clusterKinds, ENVIRONMENT, makeAccepted, makeRefused } from './made';

type Given = Partial<KarpenterRolesProps>;

const policy = (name: string): iam.IManagedPolicy => iam.ManagedPolicy.fromAwsManagedPolicyName(name);

const { identity, agent, ...ofNodes } = KARPENTER_AXES;

/** The options of `KarpenterRoles`, and the cluster. */
const AXES = {
  cluster: clusterKinds,
  ...ofNodes,
  nodePolicies: {
    plain: {},
    more: { nodePolicies: [policy('AmazonSSMManagedInstanceCore')] },
  } satisfies Record<string, Given>,
  identity,
  agent,
  names: { plain: undefined, own: undefined },
  policies: { plain: undefined, more: undefined },
};

const isImported = (cluster: string): boolean => cluster.startsWith('Imported');

const REFUSALS: readonly Refusal<typeof AXES>[] = [
  {
    of: ({ cluster, accessEntry }) => isImported(cluster) && accessEntry === 'plain',
    words: /the cluster doesn't tell its authentication mode, and accessEntry isn't set/,
  },
  {
    of: ({ cluster, accessEntry }) => cluster === 'Custom' && accessEntry === 'yes',
    words: /accessEntry is true and the cluster's authentication mode is CONFIG_MAP/,
  },
  {
    of: ({ cluster, agent, identity }) => isImported(cluster) && agent === 'plain' && identity !== 'IRSA',
    words: /identity is POD_IDENTITY on an imported cluster, and podIdentityAgent isn't set/,
  },
  AGENT_WITH_IRSA,
];

interface Place {
  readonly stack: Stack;
  readonly cluster: ICluster;
  /** A policy that is neither AWS's nor ours. */
  readonly more: iam.IManagedPolicy;
}

/** Karpenter's roles on every kind of cluster. */
export function addKarpenterRoles(app: App): void {
  const { accepted, refused } = meetingCombinations(AXES, REFUSALS, ALL ? 3 : 2);
  const places = new Map(Object.keys(clusterKinds).map((kind) => [kind, newPlace(app, kind)]));
  for (const [index, combination] of accepted.entries()) {
    const place = places.get(combination.cluster) ?? newPlace(app, combination.cluster);
    makeAccepted(() => karpenterRoles(place, index, combination));
  }
  for (const { combination, words } of refused)
    makeRefused(words, () => karpenterRoles(newPlace(new App(), combination.cluster), 0, combination));
}

function newPlace(app: App, kind: string): Place {
  const stack = new Stack(app, `${kind}Karpenter`, { env: ENVIRONMENT });
  const cluster = clusterKinds[kind]?.(stack);
  if (cluster === undefined) throw new Error(kind);
  const more = iam.ManagedPolicy.fromManagedPolicyArn(stack, 'More', 'arn:aws:iam::123456789012:policy/more');
  return { stack, cluster, more };
}

function karpenterRoles(
  { stack, cluster, more }: Place,
  index: number,
  combination: Combination<typeof AXES>,
): KarpenterRoles {
  return new KarpenterRoles(stack, `Karpenter${index}`, {
    cluster,
    ...AXES.version[combination.version],
    ...AXES.queue[combination.queue],
    ...AXES.accessEntry[combination.accessEntry],
    ...AXES.cni[combination.cni],
    ...AXES.nodePolicies[combination.nodePolicies],
    ...AXES.identity[combination.identity],
    ...AXES.agent[combination.agent],
    ...(combination.names === 'own' ? { serviceAccount: 'mine', roleName: `karpenter-${index}` } : {}),
    ...(combination.policies === 'more' ? { managedPolicies: [more], permissionsBoundary: more } : {}),
    // Two associations of a service account would be one too many.
    namespace: `space-${index}`,
  });
}
