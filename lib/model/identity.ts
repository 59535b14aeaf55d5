import { acceptsServiceAccount, isAllow, serviceAccountSubject, serviceAccountSubjects, trustOf, trustsAction, type Match, type TrustCase, type TrustStatement } from '../iam';
import { anyOf } from '../iam/matching';
import { servicePrincipals } from '../knowledge';
import type { Cluster, OidcProvider, PolicyStatement, Principal, Resource, Role } from './resources';
import { alternativesOf, cases, Known, textOf, type Plain, type Value, type When } from './value';

/** A Kubernetes service account. */
export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** A statement that lets service accounts of an EKS cluster assume a role, under an assumption about the input's conditions. */
export interface WebIdentity {
  readonly when: When;
  readonly statement: TrustStatement;
}

/** Host of an EKS issuer: `oidc.eks.eu-west-1.amazonaws.com`, dual-stack `oidc-eks.eu-west-1.api.aws`. */
const EKS_ISSUER = /(^|[/.])oidc[.-]eks\./;
/** How the issuer of a cluster of the input is called, in CloudFormation and in CDK's custom resources. */
const ISSUER_ATTRIBUTE = /OpenIdConnectIssuer/;

/**
 * The Allow statements of a trust policy whose principal or conditions are about an EKS issuer. Roles for other identity providers
 * (GitHub, GitLab, Kubernetes elsewhere) share the action and are left out.
 */
export function webIdentitiesOf(role: Role): readonly WebIdentity[] {
  return trustOf(role).flatMap(({ when, statements }) =>
    (statements ?? []).flatMap((statement) =>
      statement.issuer === 'eks' && isAllow(statement) !== 'no' && !isForeign(statement) ? [{ when, statement }] : [],
    ),
  );
}

/**
 * Statements about web identity tokens that may or may not be EKS's: the provider isn't known, and nothing names a subject
 * that would tell.
 */
export function mayTrustServiceAccounts(role: Role): readonly WebIdentity[] {
  const { irsaAction } = servicePrincipals();
  return trustOf(role).flatMap(({ when, statements }) =>
    (statements ?? []).flatMap((statement) =>
      statement.issuer === 'unknown' && statement.subjects.length === 0 && isAllow(statement) !== 'no' && trustsAction(statement, irsaAction) !== 'no'
        ? [{ when, statement }]
        : [],
    ),
  );
}

/** Whether the statement's issuer is known and no EKS issuer, although its subjects are service accounts. */
function isForeign({ federated, subjects, audiences }: TrustStatement): boolean {
  const issuers = [...subjects, ...audiences].map(({ issuer }) => issuer);
  if (issuers.some(looksLikeEks)) return false;
  return federated.every((principal) => {
    if (isCluster(principal.target)) return false;
    const ids = isOidcProvider(principal.target) ? principal.target.url : principal.id;
    return alternativesOf(ids).every(({ value }) => value.kind === 'known' && !looksLikeEks(value.value));
  });
}

function looksLikeEks(text: string): boolean {
  return EKS_ISSUER.test(text) || ISSUER_ATTRIBUTE.test(text);
}

/**
 * The trust policy of a role, split by the conditions of the input on which its effects, actions and principals depend, so
 * that a rule can name the branch that fails.
 */
export function trustCasesOf(role: Role): readonly TrustCase[] {
  return alternativesOf(role.trust).flatMap(({ when: outer, value: trust }): readonly TrustCase[] => {
    if (trust.kind !== 'known') return trustOf({ ...role, trust }).map((one) => ({ ...one, when: outer }));
    const choices: Value<string>[] = [];
    mapTexts(trust.value.statements, (text) => {
      if (text.kind === 'choice') choices.push(text);
      return text;
    });
    return cases(Object.fromEntries(choices.map((choice, index) => [String(index), choice]))).flatMap(({ when: inner, values }) => {
      const when = outer.and(inner);
      if (when === undefined) return [];
      let index = 0;
      const statements = mapTexts(trust.value.statements, (text) => (text.kind === 'choice' ? (values[String(index++)] ?? text) : text));
      return trustOf({ ...role, trust: new Known({ statements }, trust.source) }).map((one) => ({ ...one, when }));
    });
  });
}

/** Copies statements with other texts in the place of their effects, actions and principals, always in the same order. */
function mapTexts(statements: readonly PolicyStatement[], replace: (text: Value<string>) => Value<string>): PolicyStatement[] {
  return statements.map(({ effect, actions, notActions, resources, notResources, principals, conditions, source }) => ({
    effect: replace(effect),
    actions: actions.map(replace),
    notActions: notActions.map(replace),
    resources,
    notResources,
    principals: principals.map((principal) => ({ ...principal, id: replace(principal.id) })),
    conditions,
    source,
  }));
}

/** Whether the tokens of a service account may assume the role, going by the subjects of its trust policy. */
export function trustsServiceAccount(role: Role, { namespace, name }: ServiceAccount): Match {
  const answers = trustOf(role).map(({ statements }) => (statements === undefined ? 'maybe' : acceptsServiceAccount(statements, namespace, name)));
  if (new Set(answers).size <= 1) return anyOf(answers);
  return 'maybe';
}

/** Whether the trust policy names the service account in so many words, without a pattern: the role is then meant for it. */
export function namesServiceAccount(statement: TrustStatement, { namespace, name }: ServiceAccount): boolean {
  const subject = serviceAccountSubject(namespace, name);
  return serviceAccountSubjects([statement]).some(({ text, condition }) => text === subject && !condition.comparison.startsWith('not'));
}

/** The cluster whose issuer a statement trusts, if it is part of the input. */
export function clusterOfTrust(statement: TrustStatement): Cluster | undefined {
  for (const { target } of statement.federated) {
    if (isCluster(target)) return target;
    if (!isOidcProvider(target)) continue;
    for (const { value } of alternativesOf(target.url)) {
      const cluster = clusterBehind(value);
      if (cluster !== undefined) return cluster;
    }
  }
  return undefined;
}

function clusterBehind(url: Plain<string>): Cluster | undefined {
  if (url.kind !== 'unknown') return undefined;
  const resource = url.reference?.resource as Resource | undefined;
  return isCluster(resource) ? resource : undefined;
}

function isCluster(resource: Resource | undefined): resource is Cluster {
  return resource !== undefined && 'kind' in resource && resource.kind === 'cluster';
}

function isOidcProvider(resource: Resource | undefined): resource is OidcProvider {
  return resource !== undefined && 'kind' in resource && resource.kind === 'oidc-provider';
}

/**
 * The issuer that a federated principal stands for, without scheme: `oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE`.
 * Undefined when it isn't known to the last character.
 */
export function issuerOfPrincipal(principal: Principal, id: Plain<string>): string | undefined {
  if (isOidcProvider(principal.target)) {
    const { url } = principal.target;
    return url.kind === 'known' ? url.value.replace(/^https?:\/\//, '').replace(/\/$/, '') : undefined;
  }
  const [, issuer] = /:oidc-provider\/(?:https?:\/\/)?(.+)$/.exec(textOf(id) ?? '') ?? [];
  return issuer?.includes('${') === false ? issuer : undefined;
}
