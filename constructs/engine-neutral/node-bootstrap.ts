import type { IConstruct } from 'constructs';
import { missingClusterFields, type ClusterDetails } from '../../lib/eks/user-data/node-config';
import { cidrFamily, clusterDnsAddressOf, serviceCidrProblem } from '../../lib/eks/user-data/service-cidr';
import type { IpFamily } from './cluster';
import { refuse } from './construction-error';
import { TAINT_EFFECTS, type KubeletEffect, type Taint } from './node-options';
import type { UserDataInput } from './user-data-input';

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
  readonly effect: KubeletEffect;
}

/** The cluster's details, as far as they are known at all. Each may be a token. */
export function clusterDetails(scope: IConstruct, input: UserDataInput): ClusterDetails {
  const { cluster } = input;
  return {
    name: cluster.clusterName,
    ...optional('apiServerEndpoint', cluster.endpoint),
    ...optional('certificateAuthority', cluster.certificateAuthority),
    ...optional('cidr', serviceCidr(scope, input)),
  };
}

/** All of the details, for bootstraps to which the user can't add any. */
export function clusterCoordinates(scope: IConstruct, input: UserDataInput): ClusterCoordinates {
  const details = clusterDetails(scope, input);
  refuseIncomplete(scope, input, details, undefined);
  const { name = '', apiServerEndpoint = '', certificateAuthority = '', cidr = '' } = details;
  return { name, apiServerEndpoint, certificateAuthority, cidr, ipFamily: input.cluster.ipFamily };
}

/**
 * @param merged the cluster's details together with those that the user adds
 * @param elsewhere where else the user can put them: `a nodeConfig with them`
 */
export function refuseIncomplete(
  scope: IConstruct,
  { cluster, engine, wholeBecause = 'customAmi is set' }: UserDataInput,
  merged: ClusterDetails,
  elsewhere: string | undefined,
): void {
  const missing = missingClusterFields(merged);
  if (missing.includes('cidr')) {
    refuse(
      scope,
      `${wholeBecause}, so the bootstrap needs the cluster's service CIDR, and ${engine.serviceCidrAdvice}`,
    );
  }
  if (missing.length > 0) {
    refuse(
      scope,
      `${wholeBecause}, so the bootstrap needs all of the cluster's details, and ${cluster.path} lacks ${missing.join(', ')}; ${engine.detailsAdvice}${elsewhere === undefined ? '' : `, or ${elsewhere}`}`,
    );
  }
}

function serviceCidr(scope: IConstruct, { options, cluster, engine }: UserDataInput): string | undefined {
  const { tokens } = engine;
  const known = cluster.serviceCidr;
  const given = options.serviceCidr;
  if (given === undefined || tokens.isToken(given)) return given ?? known;
  const problem = serviceCidrProblem(given);
  if (problem !== undefined) refuse(scope, `serviceCidr is "${given}"; it ${problem}`);
  if (cidrFamily(given) !== cluster.ipFamily)
    refuse(
      scope,
      `serviceCidr is "${given}" and the cluster's IP family is ${cluster.ipFamily}; both must be of one family`,
    );
  if (known !== undefined && !tokens.isToken(known) && known !== given)
    refuse(scope, `serviceCidr is "${given}" and the cluster has "${known}"; leave serviceCidr out`);
  return given;
}

/**
 * The address of the cluster's DNS service: the tenth of the service range. For a range that is decided at deployment the engine has it
 * computed.
 */
export function dnsAddress(
  { cidr, ipFamily }: Pick<ClusterCoordinates, 'cidr' | 'ipFamily'>,
  { engine }: Pick<UserDataInput, 'engine'>,
): string {
  return engine.tokens.isToken(cidr) ? engine.dnsAddress(cidr, ipFamily) : (clusterDnsAddressOf(cidr) ?? '');
}

/** With an AMI of the user's own EKS adds taints only after the node has joined, when pods may already be on it. */
export function kubeletTaints(taints: readonly Taint[] | undefined): readonly KubeletTaint[] {
  return (taints ?? []).flatMap(({ key, value, effect }) => {
    const spelling = TAINT_EFFECTS[effect];
    return spelling === undefined ? [] : [{ key, ...optional('value', value), effect: spelling }];
  });
}

export function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>);
}
