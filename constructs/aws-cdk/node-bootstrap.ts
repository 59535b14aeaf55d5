import { Fn, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { missingClusterFields, type ClusterDetails } from '../../lib/user-data/node-config';
import { cidrFamily, clusterDnsAddressOf, serviceCidrProblem } from '../../lib/user-data/service-cidr';
import type { ClusterFacts, IpFamily } from './cluster';
import { refuse } from './construction-error';
import type { ManagedNodeGroupProps, NodeTaint } from './managed-node-group-props';

/** What the bootstrap of every family needs of the cluster, which nobody else supplies on a node with an AMI of the user's own. */
export interface ClusterCoordinates {
  readonly name: string;
  readonly apiServerEndpoint: string;
  readonly certificateAuthority: string;
  /** The service range. */
  readonly cidr: string;
  readonly ipFamily: IpFamily;
}

/** A taint as kubelet spells it. */
export interface KubeletTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** The cluster's details, as far as they are known at all. Each may be a token. */
export function clusterDetails(scope: IConstruct, props: ManagedNodeGroupProps, facts: ClusterFacts): ClusterDetails {
  return {
    name: props.cluster.clusterName,
    ...optional('apiServerEndpoint', facts.attribute('clusterEndpoint')),
    ...optional('certificateAuthority', facts.attribute('clusterCertificateAuthorityData')),
    ...optional('cidr', serviceCidr(scope, props, facts)),
  };
}

/** All of the details, for bootstraps to which the user can't add any. */
export function clusterCoordinates(scope: IConstruct, props: ManagedNodeGroupProps, facts: ClusterFacts): ClusterCoordinates {
  const details = clusterDetails(scope, props, facts);
  refuseIncomplete(scope, props, details, undefined);
  const { name = '', apiServerEndpoint = '', certificateAuthority = '', cidr = '' } = details;
  return { name, apiServerEndpoint, certificateAuthority, cidr, ipFamily: facts.ipFamily };
}

/**
 * @param merged the cluster's details together with those that the user adds
 * @param elsewhere where else the user can put them: `a nodeConfig with them`
 */
export function refuseIncomplete(scope: IConstruct, props: ManagedNodeGroupProps, merged: ClusterDetails, elsewhere: string | undefined): void {
  const missing = missingClusterFields(merged);
  if (missing.includes('cidr')) {
    refuse(
      scope,
      'customAmi is set, so the bootstrap needs the cluster\'s service CIDR, and neither the cluster nor CloudFormation tells it; set serviceCidr here, or serviceIpv4Cidr on a new cluster',
    );
  }
  if (missing.length > 0) {
    refuse(
      scope,
      `customAmi is set, so the bootstrap needs all of the cluster's details, and ${props.cluster.node.path} lacks ${missing.join(', ')}; give clusterEndpoint and clusterCertificateAuthorityData to fromClusterAttributes${elsewhere === undefined ? '' : `, or ${elsewhere}`}`,
    );
  }
}

function serviceCidr(scope: IConstruct, props: ManagedNodeGroupProps, facts: ClusterFacts): string | undefined {
  const known = facts.serviceCidr;
  const given = props.serviceCidr;
  if (given === undefined || Token.isUnresolved(given)) return given ?? known;
  const problem = serviceCidrProblem(given);
  if (problem !== undefined) refuse(scope, `serviceCidr is "${given}"; it ${problem}`);
  if (cidrFamily(given) !== facts.ipFamily) refuse(scope, `serviceCidr is "${given}" and the cluster's IP family is ${facts.ipFamily}; both must be of one family`);
  if (known !== undefined && !Token.isUnresolved(known) && known !== given) refuse(scope, `serviceCidr is "${given}" and the cluster has "${known}"; leave serviceCidr out`);
  return given;
}

/**
 * The address of the cluster's DNS service: the tenth of the service range. For a range that is decided at deployment CloudFormation
 * computes it as nodeadm does, from the text of the range, which begins at its boundary.
 */
export function dnsAddress({ cidr, ipFamily }: Pick<ClusterCoordinates, 'cidr' | 'ipFamily'>): string {
  if (!Token.isUnresolved(cidr)) return clusterDnsAddressOf(cidr) ?? '';
  if (ipFamily === 'ipv6') return `${Fn.select(0, Fn.split('/', cidr))}a`;
  const octets = Fn.split('.', cidr);
  return `${[0, 1, 2].map((index) => Fn.select(index, octets)).join('.')}.10`;
}

/** Kubernetes' spelling of the effects, as kubelet reads them. */
const KUBELET_EFFECTS = { NO_SCHEDULE: 'NoSchedule', PREFER_NO_SCHEDULE: 'PreferNoSchedule', NO_EXECUTE: 'NoExecute' } as const;

/** With an AMI of the user's own EKS adds taints only after the node has joined, when pods may already be on it. */
export function kubeletTaints(taints: readonly NodeTaint[] | undefined): readonly KubeletTaint[] {
  return (taints ?? []).map((taint) => ({ key: taint.key, ...optional('value', taint.value), effect: KUBELET_EFFECTS[taint.effect] }));
}

export function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>);
}
