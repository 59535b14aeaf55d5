import type { IConstruct } from 'constructs';
import type { IpFamily } from './cluster';
import { refuse } from './construction-error';
import type { PodRoleAccounts } from './pod-role';

export const CNI_SERVICE_ACCOUNT = 'aws-node';

/** The service account of the VPC CNI; EKS fixes it. */
export const CNI_ACCOUNTS: PodRoleAccounts = { namespace: 'kube-system', names: [CNI_SERVICE_ACCOUNT] };

/** Descriptions of the role and its policy. */
export const CNI_ROLE_DESCRIPTION = 'Permissions of the Amazon VPC CNI (service account kube-system/aws-node)';
export const cniPolicyDescription = (families: readonly IpFamily[]): string =>
  `Amazon VPC CNI: network interfaces and addresses (${families.join(', ')})`;

/** The IP families that a role serves: both, unless others are given. */
export function roleFamilies(scope: IConstruct, given: readonly IpFamily[] | undefined): readonly IpFamily[] {
  const families = [...new Set(given ?? (['ipv4', 'ipv6'] as const))];
  if (families.length === 0)
    refuse(scope, 'ipFamilies is empty; name "ipv4", "ipv6" or both, or leave it out for both');
  return families;
}
