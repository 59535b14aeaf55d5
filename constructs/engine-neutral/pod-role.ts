import type { IConstruct } from 'constructs';
import type { IamPolicyDocument } from '../../lib/eks/iam';
import { servicePrincipals } from '../../lib/knowledge';
import { refuse } from './construction-error';
import { isNamespace, isObjectName, NAMESPACE, OBJECT_NAME } from './object-names';
import type { PodRoleOptions } from './pod-role-options';
import type { TokenTools } from './tokens';
import { PodIdentityKind } from './vpc-cni-options';

/** Service accounts of a namespace, of which the first calls AWS the most. */
export interface PodRoleAccounts {
  readonly namespace: string;
  readonly names: readonly [string, ...string[]];
}

/** A policy that a role gets as a managed policy of its own. */
export interface OwnPolicy {
  /** Id of its construct. */
  readonly id: string;
  readonly description: string;
  readonly document: IamPolicyDocument;
  /** Why it has resources with wildcards, for those who check that. */
  readonly wildcards: string;
}

/** An AWS managed policy that a role gets. */
interface AwsPolicy {
  /** With its path, if it has one: `service-role/AmazonEBSCSIDriverPolicy`, `AmazonEBSCSIDriverPolicyV2`. */
  readonly name: string;
  /** Why it is taken as it is, for those who check that. */
  readonly reason: string;
}

/** What a role of pods is made of. */
export interface PodRoleParts {
  readonly description: string;
  readonly accounts: PodRoleAccounts;
  readonly ownPolicies: readonly OwnPolicy[];
  readonly awsPolicies: readonly AwsPolicy[];
}

/** What the token of a service account must say: the account and the audience, both exactly. `issuer` is without `https://`. */
export function irsaConditions(
  issuer: string,
  { namespace, names }: PodRoleAccounts,
): Readonly<Record<string, string | string[]>> {
  const [first, ...others] = names.map((name) => `system:serviceaccount:${namespace}:${name}`);
  return {
    [`${issuer}:aud`]: servicePrincipals().irsaAudience,
    [`${issuer}:sub`]: others.length === 0 ? (first ?? '') : [first ?? '', ...others],
  };
}

/** Trust of the Pod Identity service, with session tags, without which it can't assume the role. */
export function podIdentityTrust(): object {
  const { podIdentityPrincipal, podIdentityActions } = servicePrincipals();
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: podIdentityPrincipal }, Action: podIdentityActions }],
  };
}

/** Trust of service accounts, through an OpenID Connect provider of the cluster. */
export function irsaTrust(providerArn: string, issuer: string, accounts: PodRoleAccounts): object {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: providerArn },
        Action: servicePrincipals().irsaAction,
        Condition: { StringEquals: irsaConditions(issuer, accounts) },
      },
    ],
  };
}

/** The accounts of a role: as the software calls them, unless others are given. Kubernetes has no other names than are let through, and a trust with a wildcard in them would open the role to others. */
export function podRoleAccounts(
  scope: IConstruct,
  tokens: TokenTools,
  usual: PodRoleAccounts,
  { namespace = usual.namespace, serviceAccount }: Pick<PodRoleOptions, 'namespace' | 'serviceAccount'>,
): PodRoleAccounts {
  if (!isNamespace(tokens, namespace)) refuse(scope, `namespace is "${namespace}"; ${NAMESPACE}`);
  if (serviceAccount !== undefined && !isObjectName(tokens, serviceAccount))
    refuse(scope, `serviceAccount is "${serviceAccount}"; ${OBJECT_NAME}`);
  const [first, ...others] = usual.names;
  return { namespace, names: [serviceAccount ?? first, ...others] };
}

/** How the pods prove who they are; refuses options of the other way. */
export function podRoleIdentity(
  scope: IConstruct,
  { identity = PodIdentityKind.POD_IDENTITY, association, podIdentityAgent }: PodRoleOptions,
): PodIdentityKind {
  if (identity !== PodIdentityKind.IRSA) return identity;
  const asked =
    association === true
      ? 'association is true'
      : podIdentityAgent === undefined
        ? undefined
        : `podIdentityAgent is ${podIdentityAgent}`;
  if (asked !== undefined)
    refuse(scope, `${asked} and identity is IRSA, which has no part in Pod Identity; leave one of them out`);
  return identity;
}

/** Values of a chart for its service account; with IRSA the annotation that gives it the role. */
export function serviceAccountValues(
  { names: [name] }: PodRoleAccounts,
  identity: PodIdentityKind,
  roleArn: string,
): Readonly<Record<string, unknown>> {
  return {
    create: true,
    name,
    ...(identity === PodIdentityKind.IRSA ? { annotations: { 'eks.amazonaws.com/role-arn': roleArn } } : {}),
  };
}
