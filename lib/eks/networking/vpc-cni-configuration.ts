import { vpcCni } from '../../knowledge';
import type { ConfigurationProblem, SchemaVersions } from './addon-schema-check';
import type { VpcCniConfiguration } from './vpc-cni-configuration.generated';

export type { VpcCniConfiguration } from './vpc-cni-configuration.generated';

/** What is asked of the VPC CNI, apart from its variables. Numbers are texts, as the configuration values have them. */
export interface VpcCniFeatures {
  /** Security groups for pods; strict applies them to all traffic of the pod. */
  readonly podSecurityGroups?: { readonly mode: 'strict' | 'standard' };
  /** Prefixes of 16 addresses for nodes, and how many of them a node keeps free. */
  readonly prefixDelegation?: { readonly warmPrefixTarget: string };
  /** Subnets for pods, by the name of their Availability Zone. */
  readonly customNetworking?: { readonly region: string; readonly subnets: Readonly<Record<string, PodSubnetValues>> };
  /** Network policies; strict denies all traffic of a pod until a policy allows it. */
  readonly networkPolicy?: { readonly mode?: 'strict' | 'standard' };
  /** Addresses of Windows nodes. */
  readonly windowsIpam?: boolean;
  /** How many addresses and interfaces a node keeps ready, and how many interfaces it may have. */
  readonly warmTargets?: {
    readonly warmIpTarget?: string;
    readonly minimumIpTarget?: string;
    readonly warmEniTarget?: string;
    readonly maxEni?: string;
  };
}

interface PodSubnetValues {
  readonly id: string;
  readonly securityGroups?: readonly string[];
}

/** The configuration values of one feature. */
export interface FeatureValues {
  readonly feature: keyof VpcCniFeatures;
  readonly values: VpcCniConfiguration;
}

/**
 * The configuration values that make the CNI do what is asked, one entry for each feature; no key is in two of them.
 *
 * @param version the add-on's version; undefined when it isn't known
 */
export function featureValues(features: VpcCniFeatures, version: string | undefined): FeatureValues[] {
  const { podSecurityGroups, prefixDelegation, customNetworking, networkPolicy, windowsIpam, warmTargets } = features;
  const found: FeatureValues[] = [];
  if (podSecurityGroups !== undefined)
    found.push({ feature: 'podSecurityGroups', values: podSecurityGroupValues(podSecurityGroups.mode, version) });
  if (prefixDelegation !== undefined) {
    found.push({
      feature: 'prefixDelegation',
      values: { env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: prefixDelegation.warmPrefixTarget } },
    });
  }
  if (customNetworking !== undefined) {
    const { region, subnets } = customNetworking;
    const env = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ENI_CONFIG_LABEL_DEF: 'topology.kubernetes.io/zone' };
    found.push({ feature: 'customNetworking', values: { env, eniConfig: { create: true, region, subnets } } });
  }
  if (networkPolicy !== undefined) {
    const { mode } = networkPolicy;
    found.push({
      feature: 'networkPolicy',
      values: {
        enableNetworkPolicy: 'true',
        ...(mode === undefined ? {} : { env: { NETWORK_POLICY_ENFORCING_MODE: mode } }),
      },
    });
  }
  if (windowsIpam === true) found.push({ feature: 'windowsIpam', values: { enableWindowsIpam: 'true' } });
  const targets = warmTargetVariables(warmTargets);
  if (Object.keys(targets).length > 0) found.push({ feature: 'warmTargets', values: { env: targets } });
  return found;
}

function podSecurityGroupValues(mode: 'strict' | 'standard', version: string | undefined): VpcCniConfiguration {
  // Versions whose schema doesn't have the mode know strict alone, or take it by default.
  const writesMode =
    mode !== 'strict' || version === undefined || isAccepted('env.POD_SECURITY_GROUP_ENFORCING_MODE', version);
  return {
    env: { ENABLE_POD_ENI: 'true', ...(writesMode ? { POD_SECURITY_GROUP_ENFORCING_MODE: mode } : {}) },
    // Without it kubelet's TCP probes can't reach pods on branch interfaces; in standard mode they come by the node's own interface.
    ...(mode === 'strict' ? { init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } } : {}),
  };
}

function warmTargetVariables({
  warmIpTarget,
  minimumIpTarget,
  warmEniTarget,
  maxEni,
}: NonNullable<VpcCniFeatures['warmTargets']> = {}): NonNullable<VpcCniConfiguration['env']> {
  return {
    ...(warmIpTarget === undefined ? {} : { WARM_IP_TARGET: warmIpTarget }),
    ...(minimumIpTarget === undefined ? {} : { MINIMUM_IP_TARGET: minimumIpTarget }),
    ...(warmEniTarget === undefined ? {} : { WARM_ENI_TARGET: warmEniTarget }),
    ...(maxEni === undefined ? {} : { MAX_ENI: maxEni }),
  };
}

function isAccepted(path: string, version: string): boolean {
  const key = vpcCni.key(path);
  return key !== undefined && vpcCni.accepts(key, version);
}

/** What the EKS API would refuse, as a sentence: the key, why, and what to write instead. */
export function describeProblem(problem: ConfigurationProblem, versions: SchemaVersions): string {
  const { path } = problem;
  const version = versions.kind === 'pinned' ? versions.version : 'any version for this cluster';
  switch (problem.kind) {
    case 'unknown-key': {
      // Below a free name the nearest key would be the map itself.
      const nearest =
        problem.suggestion === undefined || path.startsWith(`${problem.suggestion}.`)
          ? ''
          : `; the nearest key is ${problem.suggestion}`;
      return `${path} is no configuration key of vpc-cni ${version} (schema of ${vpcCni.asOf}), and EKS refuses the add-on${nearest}`;
    }
    case 'wrong-place':
      return `${path} is no configuration key of the vpc-cni add-on, and EKS refuses it; it belongs at ${problem.place}`;
    case 'not-configurable':
      return `${path} can't be configured in any version of the vpc-cni add-on: ${problem.why}`;
    case 'removed':
      return `${path} isn't accepted by vpc-cni ${version}; it was removed in ${problem.removedIn}`;
    case 'too-new':
      return `${path} isn't accepted by vpc-cni ${version}; EKS accepts it from ${problem.since} on${problem.alsoIn.length === 0 ? '' : ` and in ${problem.alsoIn.join(', ')}`}`;
    case 'type':
      return `${path} is ${problem.found}; the add-on's schema demands ${problem.expected}${problem.correct === undefined ? '' : `: write ${problem.correct}`}`;
    case 'value':
      return `${path} is ${problem.found}; the add-on's schema has ${problem.allowed.join(', ')}`;
    case 'required':
      return `${path} lacks ${problem.key === 'entry' ? 'an entry' : problem.key}, which the add-on's schema demands`;
    case 'doubt':
      return problem.reason;
  }
}
