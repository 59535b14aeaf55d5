import type { IConstruct } from 'constructs';
import { parseMinor } from '../../lib/knowledge';
import { refuse } from './construction-error';
import type { TokenTools } from './tokens';

export type IpFamily = 'ipv4' | 'ipv6';

export const AUTHENTICATION_MODES = ['API', 'API_AND_CONFIG_MAP', 'CONFIG_MAP'] as const;
export type AuthenticationMode = (typeof AUTHENTICATION_MODES)[number];

/** What the bootstrap of nodes needs of a cluster. Texts may be tokens. */
export interface NodeCluster {
  readonly clusterName: string;
  /** How messages call the cluster. */
  readonly path: string;
  readonly ipFamily: IpFamily;
  /** The service range; undefined when there is no way to tell. */
  readonly serviceCidr: string | undefined;
  /** URL of the API server. */
  readonly endpoint: string | undefined;
  /** Certificate authority of the API server in base64. */
  readonly certificateAuthority: string | undefined;
}

/**
 * The Kubernetes version to go by: the cluster's own, or what the user says of a cluster that doesn't tell. Undefined when it isn't known at
 * synthesis.
 */
export function kubernetesVersionOf(
  scope: IConstruct,
  tokens: TokenTools,
  own: string | undefined,
  given: string | undefined,
): string | undefined {
  if (given === undefined || tokens.isToken(given)) return own;
  if (parseMinor(given) === undefined) refuse(scope, `kubernetesVersion is "${given}"; a version looks like 1.34`);
  if (own !== undefined && own !== given)
    refuse(scope, `kubernetesVersion is "${given}" and the cluster has ${own}; leave kubernetesVersion out`);
  return given;
}
