import type { PolicyCondition, PolicyStatement, Principal } from '../model/resources';
import { alternativesOf, type Source, textOf, type Value } from '../../value';

/** Whose tokens a web identity statement trusts. */
type IssuerKind = 'eks' | 'other' | 'unknown';

/** One statement of a trust policy, with what the rules ask about it. */
export interface TrustStatement {
  readonly statement: PolicyStatement;
  readonly source: Source;
  readonly effect: Value<string>;
  /** Principals of type `Federated`: OIDC and SAML providers. */
  readonly federated: readonly Principal[];
  /** Principals of type `Service`. */
  readonly services: readonly Principal[];
  /** Conditions on the subject of a token (`<issuer>:sub`). */
  readonly subjects: readonly TokenCondition[];
  /** Conditions on its audience (`<issuer>:aud`). */
  readonly audiences: readonly TokenCondition[];
  /** Set when the condition block can't be read. */
  readonly unreadableConditions?: string;
  /** Issuer that the statement is about. `eks` also when only its form tells: an `oidc.eks` host, a service account subject. */
  readonly issuer: IssuerKind;
}

/** A condition on a claim of a web identity token. */
export interface TokenCondition {
  /** As written: `ForAnyValue:StringLike`. */
  readonly operator: string;
  readonly comparison: 'equals' | 'equals-ignore-case' | 'like' | 'not-equals' | 'not-like' | 'other';
  readonly key: string;
  /** The key without `:sub` or `:aud`, and without scheme: `oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLE`. */
  readonly issuer: string;
  /** The key begins with `https://`, or with what the ARN of the provider has before its name: IAM then never finds the claim, and the condition never holds. */
  readonly hasScheme: boolean;
  readonly values: readonly Value<string>[];
  readonly source: Source;
}

export function readStatement(statement: PolicyStatement): TrustStatement {
  const federated = principalsOf(statement, 'Federated');
  const services = principalsOf(statement, 'Service');
  const conditions = 'kind' in statement.conditions ? [] : statement.conditions;
  const subjects = conditions.flatMap((condition) => readClaim(condition, 'sub'));
  const audiences = conditions.flatMap((condition) => readClaim(condition, 'aud'));
  return {
    statement,
    source: statement.source,
    effect: statement.effect,
    federated,
    services,
    subjects,
    audiences,
    ...unreadable(statement),
    issuer: issuerOf(federated, subjects, audiences),
  };
}

/** Conditions that can't be read, or of which one may be on any key. */
function unreadable({ conditions }: PolicyStatement): Pick<TrustStatement, 'unreadableConditions'> {
  if ('kind' in conditions) return { unreadableConditions: conditions.reason };
  const open = conditions.find(({ key }) => key.includes('${') && key.endsWith('}'));
  return open === undefined ? {} : { unreadableConditions: `the key ${open.key} of one of them is not known` };
}

function principalsOf({ principals }: PolicyStatement, type: string): readonly Principal[] {
  return principals.filter((principal) => principal.type === type);
}

/** What stands before the issuer in a URL, and in the ARN of a provider. */
const BEFORE_ISSUER = /^(?:https?:\/\/|arn:[^/]*:oidc-provider\/)/i;

function readClaim(condition: PolicyCondition, claim: 'sub' | 'aud'): TokenCondition[] {
  const { operator, key, values, source } = condition;
  if (!key.toLowerCase().endsWith(`:${claim}`)) return [];
  const issuer = key.slice(0, -claim.length - 1);
  return [
    {
      operator,
      comparison: comparisonOf(operator),
      key,
      issuer: withLowerHost(issuer.replace(BEFORE_ISSUER, '')),
      hasScheme: BEFORE_ISSUER.test(issuer),
      values,
      source,
    },
  ];
}

/** Names of condition keys are not case-sensitive. Source: IAM user guide, "IAM JSON policy elements: Condition". */
function withLowerHost(issuer: string): string {
  return issuer.replace(/^[^/${}]+/, (host) => host.toLowerCase());
}

const COMPARISONS: ReadonlyMap<string, TokenCondition['comparison']> = new Map([
  ['stringequals', 'equals'],
  ['stringequalsignorecase', 'equals-ignore-case'],
  ['stringlike', 'like'],
  ['stringnotequals', 'not-equals'],
  ['stringnotlike', 'not-like'],
]);

/** Sub and aud hold one value each, so the set prefixes change nothing; nor does IfExists, as every token has both. */
function comparisonOf(operator: string): TokenCondition['comparison'] {
  const name = operator
    .toLowerCase()
    .replace(/^for(any|all)values?:/, '')
    .replace(/ifexists$/, '');
  return COMPARISONS.get(name) ?? 'other';
}

/** Host of EKS's issuers: `oidc.eks.<region>.amazonaws.com`. */
const EKS_ISSUER = /(^|[/.])oidc\.eks\./;
/** A host that may be one of EKS too; no source was found for it, so it counts as unknown. */
const POSSIBLE_EKS_ISSUER = /(^|[/.])oidc-eks\./;
/** What an unknown part is called that stands for a cluster's issuer, after the attribute of a cluster in CloudFormation and in Terraform. */
const CLUSTER_ISSUER = /OpenIdConnectIssuer|\boidc(?:\[0\]|\.0)\.issuer\b/i;
const SERVICE_ACCOUNT = /^system:serviceaccount(:|$)/;

function issuerOf(
  federated: readonly Principal[],
  subjects: readonly TokenCondition[],
  audiences: readonly TokenCondition[],
): IssuerKind {
  const conditions = [...subjects, ...audiences];
  const texts = [
    ...conditions.map((condition) => condition.issuer),
    ...federated.flatMap((principal) => [
      ...textsOf(principal.id),
      ...(principal.target === undefined ? [] : targetTexts(principal.target)),
    ]),
  ];
  if (texts.some((text) => EKS_ISSUER.test(text) || CLUSTER_ISSUER.test(text))) return 'eks';
  if (federated.some((principal) => principal.target !== undefined && isClusterLike(principal.target))) return 'eks';
  if (subjects.some(({ values }) => values.some((value) => textsOf(value).some((text) => SERVICE_ACCOUNT.test(text)))))
    return 'eks';
  if (texts.some((text) => POSSIBLE_EKS_ISSUER.test(text))) return 'unknown';
  if (federated.length === 0) return 'other';
  const named = [
    ...federated.map((principal) => principal.id),
    ...federated.flatMap((principal) => (isOidcProvider(principal.target) ? [principal.target.url] : [])),
  ];
  // A literal that is no EKS issuer is another one; a provider that isn't known can be either.
  return named.some((id) => alternativesOf(id).every(({ value }) => value.kind === 'known')) ? 'other' : 'unknown';
}

function targetTexts(target: NonNullable<Principal['target']>): string[] {
  return isOidcProvider(target) ? textsOf(target.url) : [];
}

function isOidcProvider(
  target: Principal['target'],
): target is NonNullable<Principal['target']> & { readonly url: Value<string> } {
  return target !== undefined && 'kind' in target && target.kind === 'oidc-provider';
}

/** A cluster, or a provider whose URL is an attribute of a cluster. */
function isClusterLike(target: NonNullable<Principal['target']>): boolean {
  if ('kind' in target && target.kind === 'cluster') return true;
  return (
    isOidcProvider(target) &&
    alternativesOf(target.url).some(
      ({ value }) => value.kind === 'unknown' && hasClusterReference(value.reference?.resource),
    )
  );
}

function hasClusterReference(resource: object | undefined): boolean {
  return resource !== undefined && 'kind' in resource && resource.kind === 'cluster';
}

function textsOf(value: Value<string>): string[] {
  return alternativesOf(value).flatMap(({ value: plain }) => textOf(plain) ?? []);
}
