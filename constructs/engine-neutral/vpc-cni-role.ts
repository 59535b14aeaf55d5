import type { IConstruct } from 'constructs';
import type { IpFamily } from './cluster';
import { refuse } from './construction-error';

/** The service account of the VPC CNI; EKS fixes it. */
const CNI_NAMESPACE = 'kube-system';
export const CNI_SERVICE_ACCOUNT = 'aws-node';

/** Descriptions of the role and its policy. */
export const CNI_ROLE_DESCRIPTION = 'Permissions of the Amazon VPC CNI (service account kube-system/aws-node)';
export const cniPolicyDescription = (families: readonly IpFamily[]): string =>
  `Amazon VPC CNI: network interfaces and addresses (${families.join(', ')})`;

/** The service that takes the roles of Pod Identity. */
export const POD_IDENTITY_SERVICE = 'pods.eks.amazonaws.com';

/** The IP families that a role serves: both, unless others are given. */
export function roleFamilies(scope: IConstruct, given: readonly IpFamily[] | undefined): readonly IpFamily[] {
  const families = [...new Set(given ?? (['ipv4', 'ipv6'] as const))];
  if (families.length === 0)
    refuse(scope, 'ipFamilies is empty; name "ipv4", "ipv6" or both, or leave it out for both');
  return families;
}

/** What the token of the CNI's service account must say: the account and the audience, both exactly. `issuer` is without `https://`. */
export function irsaConditions(issuer: string): Readonly<Record<string, string>> {
  return {
    [`${issuer}:aud`]: 'sts.amazonaws.com',
    [`${issuer}:sub`]: `system:serviceaccount:${CNI_NAMESPACE}:${CNI_SERVICE_ACCOUNT}`,
  };
}

/** Trust of the Pod Identity service, with session tags, without which it can't assume the role. */
export function podIdentityTrust(): object {
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { Service: POD_IDENTITY_SERVICE }, Action: ['sts:AssumeRole', 'sts:TagSession'] },
    ],
  };
}

/** Trust of the CNI's service account, through an OpenID Connect provider of the cluster. */
export function irsaTrust(providerArn: string, issuer: string): object {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: providerArn },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: { StringEquals: irsaConditions(issuer) },
      },
    ],
  };
}
