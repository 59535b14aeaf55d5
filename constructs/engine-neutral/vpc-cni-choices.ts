import type { IConstruct } from 'constructs';
import {
  addonTableAsOf,
  addonVersion,
  addonVersions,
  compareVersions,
  newestAddonVersion,
  parseVersion,
} from '../../lib/knowledge';
import { CniSettings, type MaxPodsMode } from '../../lib/eks/networking';
import { dataAt, isDataMap, type DataMap } from '../../lib/value';
import type { IpFamily } from './cluster';
import type { CniMember } from './cni-member';
import { refuse } from './construction-error';
import type { TokenTools } from './tokens';
import type { CniDemands } from './vpc-cni-nodes';
import { PodIdentityKind, ResolveConflicts, type VpcCniOptions } from './vpc-cni-options';

export const CNI_ADDON = 'vpc-cni';
export const AGENT_ADDON = 'eks-pod-identity-agent';

/** Add-on versions before it can't take credentials from the Pod Identity agent. Source: EKS best practices guide, IAM. */
const POD_IDENTITY_SINCE = 'v1.15.5';

/** An add-on's version: the given one, if it fits, or the newest one for the cluster. `option` is what the version is called there. */
export function chooseVersion(
  scope: IConstruct,
  version: string | undefined,
  kubernetes: string | undefined,
  tokens: TokenTools,
  { addon, option }: { readonly addon: string; readonly option: string } = { addon: CNI_ADDON, option: 'version' },
): string {
  if (version === undefined) {
    if (kubernetes === undefined)
      return refuse(
        scope,
        `${option} is not set and the cluster's Kubernetes version isn't known; set ${option}, or kubernetesVersion for the newest one that fits`,
      );
    const newest = newestAddonVersion(addon, kubernetes);
    return (
      newest ??
      refuse(
        scope,
        `${option} is not set, and the add-on table of ${addonTableAsOf()} has no ${addon} version for Kubernetes ${kubernetes}; set ${option}`,
      )
    );
  }
  if (tokens.isToken(version)) return version;
  if (parseVersion(version)?.build === undefined)
    refuse(
      scope,
      `${option} is "${version}"; a version of the add-on looks like ${addonVersions(addon)[0]?.version ?? 'v1.21.1-eksbuild.5'}`,
    );
  const known = addonVersion(addon, version);
  if (known !== undefined && kubernetes !== undefined && !known.clusterMinors.includes(kubernetes)) {
    const fitting = newestAddonVersion(addon, kubernetes);
    refuse(
      scope,
      `${option} is "${version}", which EKS offers for Kubernetes ${known.clusterMinors.join(', ')}, and the cluster has ${kubernetes}${fitting === undefined ? '' : `; ${fitting} fits`}`,
    );
  }
  return version;
}

/** How the CNI gets credentials; undefined when it is to use the node role. */
export function chooseIdentity(
  scope: IConstruct,
  options: Pick<VpcCniOptions, 'identity' | 'useNodeRole'> & { readonly role?: unknown },
  version: string,
  tokens: TokenTools,
): PodIdentityKind | undefined {
  const { useNodeRole, role, identity } = options;
  if (useNodeRole === true) {
    if (role !== undefined || identity !== undefined)
      refuse(
        scope,
        `useNodeRole is true and ${role === undefined ? 'identity' : 'role'} is set; the CNI has either a role of its own or the nodes'`,
      );
    return undefined;
  }
  const isOld = !tokens.isToken(version) && compareVersions(version, POD_IDENTITY_SINCE) < 0;
  if (identity === PodIdentityKind.POD_IDENTITY && isOld)
    refuse(
      scope,
      `identity is POD_IDENTITY and version is "${version}"; the CNI supports it from ${POD_IDENTITY_SINCE} on: use IRSA or a newer version`,
    );
  if (identity !== undefined) return identity;
  return isOld ? PodIdentityKind.IRSA : PodIdentityKind.POD_IDENTITY;
}

/** Refuses a mode other than PRESERVE without a reason, and a reason without such a mode. */
export function refuseUnexplainedConflicts(
  scope: IConstruct,
  { resolveConflicts, resolveConflictsReason }: Pick<VpcCniOptions, 'resolveConflicts' | 'resolveConflictsReason'>,
): void {
  const deviates = resolveConflicts !== undefined && resolveConflicts !== ResolveConflicts.PRESERVE;
  if (deviates && (resolveConflictsReason ?? '').trim() === '') {
    refuse(
      scope,
      `resolveConflicts is ${resolveConflicts} without resolveConflictsReason; ${resolveConflicts === ResolveConflicts.OVERWRITE ? 'every update then resets what was changed outside of the add-on' : 'updates can then stop with ConfigurationConflict'}: say why, or use PRESERVE`,
    );
  }
  if (!deviates && resolveConflictsReason !== undefined)
    refuse(scope, 'resolveConflictsReason is set, but resolveConflicts is PRESERVE; leave the reason out');
}

/** Refuses Pod Identity on a cluster of which nobody has said who looks after the agent. */
export function refuseUnknownAgent(scope: IConstruct): never {
  return refuse(
    scope,
    "identity is POD_IDENTITY on an imported cluster, and podIdentityAgent isn't set; without the agent the pods get no credentials: say PodIdentityAgent.MANAGED_ELSEWHERE if the cluster has the eks-pod-identity-agent add-on, INSTALL if not, or use PodIdentityKind.IRSA",
  );
}

/** What the configuration values make of the CNI, whichever option says it. */
export class ConfiguredCni {
  private readonly settings: CniSettings;

  constructor(
    private readonly data: DataMap,
    /** Undefined when it is decided at deployment. */
    version: string | undefined,
  ) {
    this.settings = new CniSettings(data, version);
  }

  /** What the cluster's node groups and policies have to know. */
  member(): Omit<CniMember, 'construct' | 'hasOwnRole'> {
    return {
      maxPodsMode: this.maxPodsMode(),
      podSecurityGroups: this.mayBeOn('env.ENABLE_POD_ENI'),
      windowsIpam: this.mayBeOn('enableWindowsIpam'),
      windowsPrefixDelegation: this.mayBeOn('enableWindowsPrefixDelegation'),
    };
  }

  /** What the cluster's nodes have to bring. `hasZones`: the pods' subnets are all known, by their zones. */
  demands(ipFamily: IpFamily, hasZones: boolean): CniDemands {
    const subnets = dataAt(this.data, 'eniConfig', 'subnets');
    const hasPodSubnets = this.mayBeOn('env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG');
    return {
      podSecurityGroups: this.isOn('env.ENABLE_POD_ENI'),
      prefixesInNodeSubnets: this.isOn('env.ENABLE_PREFIX_DELEGATION') && !hasPodSubnets && ipFamily === 'ipv4',
      zones: hasZones && isDataMap(subnets) ? Object.keys(subnets) : undefined,
    };
  }

  private maxPodsMode(): MaxPodsMode {
    const maxEnis = this.settings.number('env.MAX_ENI');
    return {
      prefixDelegation: this.isOn('env.ENABLE_PREFIX_DELEGATION'),
      customNetworking: this.isOn('env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG'),
      podSecurityGroups: this.isOn('env.ENABLE_POD_ENI'),
      ...(maxEnis.kind === 'number' && maxEnis.value > 0 ? { maxEnis: maxEnis.value } : {}),
    };
  }

  private isOn(path: string): boolean {
    return this.settings.switch(path).kind === 'on';
  }

  /** A switch that is decided at deployment may be on. */
  private mayBeOn(path: string): boolean {
    return this.settings.switch(path).kind !== 'off';
  }
}
