import { resourceName, type RelatedPlace } from '../../../engine';
import { permissionCases } from '../../../eks/iam';
import {
  alternativesOf,
  cniCasesOf,
  inNameOrder,
  securityGroupPoliciesOf,
  type ClusterView,
  type CniCase,
  type Resource,
  type SecurityGroupPolicy,
  type When,
  without,
} from '../../../eks';
import type { CniSettings, CniSwitch } from '../../../eks/networking';

/** The most places that a finding relates to. */
export const MOST_PLACES = 6;

/** The calls of the control plane that make a trunk interface and, for each pod, a branch interface. */
export const TRUNK_ACTIONS: readonly string[] = [
  'ec2:AttachNetworkInterface',
  'ec2:CreateNetworkInterface',
  'ec2:CreateNetworkInterfacePermission',
  'ec2:ModifyNetworkInterfaceAttribute',
];

/** What switching such pods on asks of the cluster role besides, as a sentence at the end of a summary; empty where it has that, or nothing tells. */
export function roleAdvice({ cluster }: ClusterView): string {
  const lacks = (cluster === undefined ? [] : alternativesOf(cluster.role)).some(({ value }) => {
    const role = value.kind === 'known' ? value.value.target : undefined;
    return (
      role !== undefined &&
      permissionCases(role).some(({ permissions }) => permissions.missing(TRUNK_ACTIONS).missing.length > 0)
    );
  });
  return lacks
    ? ' Attach `AmazonEKSVPCResourceController` to the role of the cluster first: without it no node gets a trunk interface.'
    : '';
}

/** Whether pods may get security groups of their own (`ENABLE_POD_ENI`), as far as the configuration of the VPC CNI tells. */
export function podEniOf(settings: CniSettings): CniSwitch {
  return settings.switch('env.ENABLE_POD_ENI');
}

/** What shows that pods of a cluster are to have security groups of their own, under one assumption. */
export interface PodSecurityGroupsUse {
  /** What the VPC CNI's configuration says there; `unseen` if it says nothing, or isn't in the input. */
  readonly setting: 'on' | 'unknown' | 'unseen';
  /** Why the setting isn't known; empty unless it is `unknown`. */
  readonly doubt: string;
  readonly policies: readonly SecurityGroupPolicy[];
  /** The add-on or release that sets it, else the manifest of the first policy. */
  readonly resource: Resource;
  readonly places: readonly RelatedPlace[];
  readonly when: When;
}

/**
 * The uses of security groups for pods in a cluster, of which no two hold together: the VPC CNI's setting where it is on; policies
 * where the setting isn't seen, because somebody may have made it by hand; the setting where it isn't known and no policy is there. Where it is
 * explicitly off, policies are the finding of another rule.
 */
export function podSecurityGroupsUsesOf(view: ClusterView): readonly PodSecurityGroupsUse[] {
  const policies = inNameOrder(securityGroupPoliciesOf(view), ({ manifest }) => manifest);
  const cni = cniCasesOf(view).map((one) => ({ one, state: podEniOf(one.settings) }));
  const settled = cni.filter(({ state }) => state.kind === 'on' || (state.kind === 'off' && state.isConfigured));
  const on = settled.flatMap(({ one, state }) => (state.kind === 'on' ? [ofSetting(one, 'on', '', policies)] : []));
  const byWhen = new Map<string, SecurityGroupPolicy[]>();
  for (const policy of policies) {
    const list = byWhen.get(policy.manifest.exists.text);
    if (list === undefined) byWhen.set(policy.manifest.exists.text, [policy]);
    else list.push(policy);
  }
  const taken = settled.map(({ one }) => one.when);
  const ofPolicies: PodSecurityGroupsUse[] = [];
  for (const list of byWhen.values()) {
    const [first] = list;
    if (first === undefined) continue;
    const { manifest } = first;
    for (const when of without([manifest.exists], taken) ?? []) {
      ofPolicies.push({
        setting: 'unseen',
        doubt: '',
        policies: list,
        resource: manifest,
        places: placesOf(list, when),
        when,
      });
    }
    taken.push(manifest.exists);
  }
  const unknown = cni.flatMap(({ one, state }) =>
    state.kind === 'unknown'
      ? (without([one.when], taken) ?? []).map((when) =>
          ofSetting(
            { ...one, when },
            'unknown',
            `whether ENABLE_POD_ENI is on isn't known: ${state.unknown.reason}`,
            [],
          ),
        )
      : [],
  );
  return [...on, ...ofPolicies, ...unknown];
}

function ofSetting(
  { resource, source, when }: CniCase,
  setting: 'on' | 'unknown',
  doubt: string,
  all: readonly SecurityGroupPolicy[],
): PodSecurityGroupsUse {
  const policies = all.filter(({ manifest }) => manifest.exists.and(when) !== undefined);
  const place = { message: `${resourceName(resource)} sets env.ENABLE_POD_ENI`, source };
  return { setting, doubt, policies, resource, places: [place, ...placesOf(policies, when)], when };
}

function placesOf(policies: readonly SecurityGroupPolicy[], when: When): readonly RelatedPlace[] {
  return policies
    .filter(({ manifest }) => manifest.exists.and(when) !== undefined)
    .slice(0, MOST_PLACES / 2)
    .map(({ label, manifest }) => ({
      message: `SecurityGroupPolicy "${label}" gives pods security groups of their own`,
      source: manifest.source,
    }));
}
