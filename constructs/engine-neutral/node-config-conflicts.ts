import type { IConstruct } from 'constructs';
import { compareVersions, lastVersionOfFeatureGate } from '../../lib/knowledge';
import type { ClusterDetails } from '../../lib/eks/user-data/node-config';
import { pairsOf, parseFlags, type KubeletFlag } from '../../lib/eks/user-data/node-config/flags';
import { refuse } from './construction-error';
import { clusterDetails } from './node-bootstrap';
import type { NodeConfigDocument } from './node-config';
import type { NodeOptions } from './node-options';
import type { TokenTools } from './tokens';
import type { UserDataInput } from './user-data-input';

/** The flags of kubelet in a NodeConfig, one by one; one item may hold several. */
export function flagsOf({ spec }: NodeConfigDocument): readonly KubeletFlag[] {
  return parseFlags([...(spec.kubelet?.flags ?? [])]).flags;
}

/** Refuses what a later NodeConfig would take away from what the group's own options say, and the other way round. */
export function refuseContradictions(scope: IConstruct, input: UserDataInput, nodeConfig: NodeConfigDocument): void {
  const {
    options,
    engine: { tokens },
  } = input;
  const { cluster, kubelet } = nodeConfig.spec;
  const flags = flagsOf(nodeConfig);
  const has = (name: string): boolean => flags.some((flag) => flag.name === name);
  if (options.taints !== undefined && options.taints.length > 0) {
    if (kubelet?.config?.registerWithTaints !== undefined) {
      refuse(
        scope,
        'taints is set, and nodeConfig sets kubelet.config.registerWithTaints; nodeadm replaces the whole list, so the taints of the group would be lost: leave one of them out',
      );
    }
    if (has('register-with-taints'))
      refuse(
        scope,
        'taints is set, and nodeConfig sets --register-with-taints in kubelet.flags; the flag takes the place of the taints of the group: leave one of them out',
      );
  }
  refuseOtherMaxPods(scope, options, nodeConfig, has('max-pods'));
  for (const { key, value } of pairsOf(flags, 'node-labels')) {
    const label = Object.hasOwn(options.labels ?? {}, key) ? options.labels?.[key] : undefined;
    if (label !== undefined && value !== undefined && differ(tokens, label, value)) {
      refuse(
        scope,
        `labels has "${key}" with the value "${label}", and nodeConfig sets it to "${value}" in kubelet.flags; leave one of them out`,
      );
    }
  }
  if (cluster !== undefined) refuseOtherCluster(scope, tokens, clusterDetails(scope, input), cluster);
}

function refuseOtherMaxPods(
  scope: IConstruct,
  { maxPods }: NodeOptions,
  { spec: { kubelet } }: NodeConfigDocument,
  hasFlag: boolean,
): void {
  if (maxPods === undefined) return;
  const other = kubelet?.config?.maxPods;
  if (other !== undefined && other !== maxPods)
    refuse(
      scope,
      'maxPods is set, and nodeConfig sets kubelet.config.maxPods to something else, which would win: leave one of them out',
    );
  if (hasFlag)
    refuse(
      scope,
      'maxPods is set, and nodeConfig sets --max-pods in kubelet.flags, which would win: leave one of them out',
    );
  if (kubelet?.maxPodsExpression !== undefined)
    refuse(
      scope,
      'maxPods is set, and nodeConfig sets kubelet.maxPodsExpression, which would have no effect: leave one of them out',
    );
}

/** A NodeConfig may tell what an imported cluster lacks, not something else than the cluster. */
function refuseOtherCluster(scope: IConstruct, tokens: TokenTools, known: ClusterDetails, given: ClusterDetails): void {
  for (const key of ['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr'] as const) {
    const [own, other] = [known[key], given[key]];
    // An IPv6 range can be written in several ways.
    if (own === undefined || other === undefined || (key === 'cidr' && own.includes(':'))) continue;
    if (differ(tokens, own, other))
      refuse(
        scope,
        `nodeConfig sets cluster.${key} to "${other}", and the node group's cluster has "${own}"; the nodes would not join it: leave it out`,
      );
  }
}

function differ(tokens: TokenTools, one: string, other: string): boolean {
  return one !== other && !tokens.isToken(one) && !tokens.isToken(other);
}

/** Refuses what EKS's own NodeConfig, which comes later, sets again. */
export function refuseOverridden(scope: IConstruct, nodeConfig: NodeConfigDocument): void {
  const { cluster, kubelet } = nodeConfig.spec;
  const overridden = [
    ...(cluster === undefined ? [] : ['cluster']),
    ...(kubelet?.maxPodsExpression === undefined ? [] : ['kubelet.maxPodsExpression']),
    ...['maxPods', 'clusterDNS']
      .filter((key) => kubelet?.config?.[key] !== undefined)
      .map((key) => `kubelet.config.${key}`),
    ...(flagsOf(nodeConfig).some((flag) => flag.name === 'max-pods') ? ['kubelet.flags --max-pods'] : []),
  ];
  if (overridden.length > 0) {
    refuse(
      scope,
      `nodeConfig sets ${overridden.join(', ')} without customAmi; EKS sets that itself, behind the user's configuration: leave it out, or use customAmi`,
    );
  }
}

/** Refuses feature gates that the kubelet of EKS's AMI doesn't know; an AMI of the user's own may have an older one. */
export function refuseRemovedGates(
  scope: IConstruct,
  nodeConfig: NodeConfigDocument,
  kubernetesVersion: string | undefined,
): void {
  if (kubernetesVersion === undefined) return;
  const gates: unknown = nodeConfig.spec.kubelet?.config?.featureGates;
  const names = [
    ...Object.keys(typeof gates === 'object' && gates !== null ? gates : {}),
    ...pairsOf(flagsOf(nodeConfig), 'feature-gates').map((pair) => pair.key),
  ];
  for (const name of names) {
    const last = lastVersionOfFeatureGate(name);
    if (last !== undefined && compareVersions(kubernetesVersion, last) > 0) {
      refuse(
        scope,
        `nodeConfig sets the feature gate ${name}, which Kubernetes has up to ${last}, and the cluster has ${kubernetesVersion}; kubelet exits on it: leave it out`,
      );
    }
  }
}
