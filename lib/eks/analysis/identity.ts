import {
  acceptsServiceAccount,
  deployableTrust,
  isAllow,
  serviceAccountSubject,
  serviceAccountSubjects,
  trustCases,
  trustOf,
  trustsAction,
  type Match,
  type TrustCase,
  type TrustStatement,
} from '../iam';
import { allOf, anyOf } from '../iam/matching';
import { servicePrincipals } from '../../knowledge';
import type { Cluster, OidcProvider, PolicyStatement, Principal, Role } from '../model/resources';
import { alternativesOf, cases, Known, type Plain, type Resource, textOf, type Value, type When } from '../../value';

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
/** How the issuer of a cluster of the input is called, in CloudFormation and in CDK's custom resources, and in Terraform. */
const ISSUER_ATTRIBUTE = /OpenIdConnectIssuer|\boidc(?:\[0\]|\.0)\.issuer\b/;

/**
 * The Allow statements of a trust policy whose principal or conditions are about an EKS issuer. Roles for other identity providers
 * (GitHub, GitLab, Kubernetes elsewhere) share the action and are left out.
 */
export function webIdentitiesOf(role: Role): readonly WebIdentity[] {
  return tokenTrustOf(role).webIdentities;
}

/**
 * Statements about web identity tokens that may or may not be EKS's: the provider isn't known, and nothing names a subject
 * that would tell.
 */
export function mayTrustServiceAccounts(role: Role): readonly WebIdentity[] {
  return tokenTrustOf(role).possible;
}

/** The alternatives of a trust policy that can't be read. */
export function unreadableTrustOf(role: Role): readonly TrustCase[] {
  return tokenTrustOf(role).unreadable;
}

interface TokenTrust {
  readonly webIdentities: readonly WebIdentity[];
  readonly possible: readonly WebIdentity[];
  readonly unreadable: readonly TrustCase[];
}

/** Of most roles, which trust services only, nothing is kept: a large input has many. */
const NO_TOKENS: TokenTrust = { webIdentities: [], possible: [], unreadable: [] };

const tokenTrusts = new WeakMap<Role, TokenTrust>();

function tokenTrustOf(role: Role): TokenTrust {
  let trust = tokenTrusts.get(role);
  if (trust === undefined) {
    trust = readTokenTrust(role);
    tokenTrusts.set(role, trust);
  }
  return trust;
}

function readTokenTrust(role: Role): TokenTrust {
  const { irsaAction } = servicePrincipals();
  const webIdentities: WebIdentity[] = [];
  const possible: WebIdentity[] = [];
  const unreadable: TrustCase[] = [];
  for (const one of trustOf(role)) {
    const { when, statements } = one;
    if (statements === undefined) unreadable.push(one);
    for (const statement of statements ?? []) {
      if (statement.issuer === 'other' || isAllow(statement) === 'no') continue;
      if (statement.issuer === 'unknown') {
        if (statement.subjects.length === 0 && trustsAction(statement, irsaAction) !== 'no')
          possible.push({ when, statement });
      } else if (!isForeign(statement)) webIdentities.push({ when, statement });
    }
  }
  return webIdentities.length + possible.length + unreadable.length === 0
    ? NO_TOKENS
    : { webIdentities, possible, unreadable };
}

/** Whether the statement's issuer is known, not left empty, and no EKS issuer, although its subjects are service accounts. */
function isForeign({ federated, subjects, audiences }: TrustStatement): boolean {
  const issuers = [...subjects, ...audiences].map(({ issuer }) => issuer);
  if (issuers.some(looksLikeEks)) return false;
  return federated.every((principal) => {
    if (isCluster(principal.target)) return false;
    const ids = isOidcProvider(principal.target) ? principal.target.url : principal.id;
    return alternativesOf(ids).every(
      ({ value }) =>
        value.kind === 'known' && !looksLikeEks(value.value) && !/(?:^|:oidc-provider\/)$/.test(value.value),
    );
  });
}

/** Whether a text names an issuer of EKS, or the attribute of a cluster that does. */
export function looksLikeEks(text: string): boolean {
  return EKS_ISSUER.test(text) || ISSUER_ATTRIBUTE.test(text);
}

/**
 * The trust policy of a role, split by the conditions of the input on which its effects, actions and principals depend, so
 * that a rule can name the branch that fails.
 */
export function trustCasesOf(role: Role): readonly TrustCase[] {
  return splitTrust(role, withoutClaims);
}

/** What of a statement is split by the conditions of the input. */
interface Split {
  hasAlternatives(statement: PolicyStatement): boolean;
  /** Copies the statement with other texts in the place of some of its own, always in the same order. */
  map(statement: PolicyStatement, replace: (text: Value<string>) => Value<string>): PolicyStatement;
}

const isChoice = ({ kind }: Value<string>) => kind === 'choice';

const withoutClaims: Split = {
  hasAlternatives: ({ effect, actions, notActions, principals }) =>
    isChoice(effect) ||
    actions.some(isChoice) ||
    notActions.some(isChoice) ||
    principals.some(({ id }) => isChoice(id)),
  map: (statement, replace) => ({
    effect: replace(statement.effect),
    actions: statement.actions.map(replace),
    notActions: statement.notActions.map(replace),
    resources: statement.resources,
    notResources: statement.notResources,
    principals: statement.principals.map((principal) => ({ ...principal, id: replace(principal.id) })),
    conditions: statement.conditions,
    source: statement.source,
  }),
};

/** The values of its conditions too. */
const withClaims: Split = {
  hasAlternatives: (statement) =>
    withoutClaims.hasAlternatives(statement) ||
    (!('kind' in statement.conditions) && statement.conditions.some(({ values }) => values.some(isChoice))),
  map: (statement, replace) => {
    const mapped = withoutClaims.map(statement, replace);
    if ('kind' in statement.conditions) return mapped;
    return {
      ...mapped,
      conditions: statement.conditions.map((condition) => ({ ...condition, values: condition.values.map(replace) })),
    };
  },
};

function splitTrust(role: Role, split: Split): readonly TrustCase[] {
  const whole = deployableTrust(role);
  if (whole.kind === 'known' && !whole.value.statements.some((statement) => split.hasAlternatives(statement)))
    return trustCases(whole);
  return alternativesOf(whole).flatMap(({ when: outer, value: trust }): readonly TrustCase[] => {
    if (trust.kind !== 'known') return trustCases(trust).map((one) => ({ ...one, when: outer }));
    const mapAll = (replace: (text: Value<string>) => Value<string>) =>
      trust.value.statements.map((statement) => split.map(statement, replace));
    const choices: Value<string>[] = [];
    mapAll((text) => {
      if (text.kind === 'choice') choices.push(text);
      return text;
    });
    return cases(Object.fromEntries(choices.map((choice, index) => [String(index), choice]))).flatMap(
      ({ when: inner, values }) => {
        const when = outer.and(inner);
        if (when === undefined) return [];
        let index = 0;
        const statements = mapAll((text) => (text.kind === 'choice' ? (values[String(index++)] ?? text) : text));
        return trustCases(new Known({ statements }, trust.source)).map((one) => ({ ...one, when }));
      },
    );
  });
}

/** Whether the tokens of a service account may assume a role, under one assumption about the input's conditions. */
export interface Admission {
  readonly when: When;
  readonly admitted: Match;
  /** The statements that decide; undefined when the trust policy can't be read. */
  readonly statements: readonly TrustStatement[] | undefined;
}

/**
 * Whether the tokens of one of these service accounts may assume the role, going by the subjects of its trust policy. With none given, it can
 * only be told whether any token may.
 */
export function admissionsOf(role: Role, accounts: readonly ServiceAccount[]): readonly Admission[] {
  return splitTrust(role, withClaims).map(({ when, statements }) => ({
    when,
    statements,
    admitted: statements === undefined ? 'maybe' : admitted(statements, accounts),
  }));
}

function admitted(statements: readonly TrustStatement[], accounts: readonly ServiceAccount[]): Match {
  if (accounts.length > 0)
    return anyOf(accounts.map(({ namespace, name }) => acceptsServiceAccount(statements, namespace, name)));
  const { irsaAction } = servicePrincipals();
  const tokens = anyOf(statements.map((statement) => allOf([isAllow(statement), trustsAction(statement, irsaAction)])));
  return tokens === 'no' ? 'no' : 'maybe';
}

/** Whether the trust policy names the service account in so many words, without a pattern: the role is then meant for it. */
export function namesServiceAccount(statement: TrustStatement, { namespace, name }: ServiceAccount): boolean {
  const subject = serviceAccountSubject(namespace, name);
  return serviceAccountSubjects([statement]).some(
    ({ text, condition: { comparison } }) =>
      (comparison === 'equals-ignore-case' ? text.toLowerCase() : text) === subject && !comparison.startsWith('not'),
  );
}

/** The cluster whose issuer a statement trusts, if it is part of the input. */
export function clusterOfTrust(statement: TrustStatement): Cluster | undefined {
  for (const { target } of statement.federated) {
    if (isCluster(target)) return target;
    const cluster = isOidcProvider(target) ? clusterOfProvider(target) : undefined;
    if (cluster !== undefined) return cluster;
  }
  return undefined;
}

/** The cluster whose issuer a provider is for, if it is part of the input. */
export function clusterOfProvider({ url }: OidcProvider): Cluster | undefined {
  for (const { value } of alternativesOf(url)) {
    const cluster = clusterBehind(value);
    if (cluster !== undefined) return cluster;
  }
  return undefined;
}

function clusterBehind(url: Plain<string>): Cluster | undefined {
  if (url.kind !== 'unknown') return undefined;
  const resource = url.reference?.resource as Resource | undefined;
  return isCluster(resource) ? resource : undefined;
}

export function isCluster(resource: object | undefined): resource is Cluster {
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

/** Names of condition keys are not case-sensitive. Source: IAM user guide, "IAM JSON policy elements: Condition". */
export function sameIssuer(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
