import { CfnJson, Token } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { servicePrincipals } from '../../lib/knowledge';
import { irsaConditions, type PodRoleAccounts } from '../engine-neutral/pod-role';
import { PodIdentityKind } from '../engine-neutral/vpc-cni-options';
import type { ICluster } from './cluster';
import { refuse } from './construction-error';

/** Who may take a role of pods. */
export function podPrincipal(
  scope: Construct,
  cluster: ICluster,
  identity: PodIdentityKind,
  accounts: PodRoleAccounts,
): iam.IPrincipal {
  // With session tags, without which the Pod Identity service can't assume the role.
  return identity === PodIdentityKind.IRSA
    ? irsaPrincipal(scope, cluster, accounts)
    : new iam.ServicePrincipal(servicePrincipals().podIdentityPrincipal).withSessionTags();
}

function irsaPrincipal(scope: Construct, cluster: ICluster, accounts: PodRoleAccounts): iam.IPrincipal {
  const provider = openIdConnectProvider(scope, cluster);
  const issuer = provider.openIdConnectProviderIssuer;
  const conditions = irsaConditions(issuer, accounts);
  // CloudFormation has no intrinsic functions in keys: a key that is known only at deployment needs CfnJson.
  const equals = Token.isUnresolved(issuer) ? new CfnJson(scope, 'TrustConditions', { value: conditions }) : conditions;
  return new iam.OpenIdConnectPrincipal(provider).withConditions({ StringEquals: equals });
}

function openIdConnectProvider(scope: Construct, cluster: ICluster): iam.IOpenIdConnectProvider {
  try {
    return cluster.openIdConnectProvider;
  } catch {
    return refuse(
      scope,
      'identity is IRSA, but the imported cluster has no openIdConnectProvider; give one to fromClusterAttributes, or use PodIdentityKind.POD_IDENTITY',
    );
  }
}
