import { acceptsToken, inAnyPartition, trustsAction, type TokenCondition, type TrustStatement } from '../iam';
import { anyOf, matchAction } from '../iam/matching';
import { servicePrincipals } from '../../knowledge';
import { clusterOfTrust, issuerOfPrincipal, looksLikeEks, sameIssuer } from './identity';
import type { OidcProvider, Principal } from '../model/resources';
import { alternativesOf, cases, type Plain, textOf } from '../../value';
import { hasWholeForId, isMandatory, namesNoClaim, reviewKeys } from './trust-keys';
import { reviewSubjects } from './trust-subjects';
import type { TrustDefect } from './trust-defects';

export interface TrustReview {
  readonly defects: readonly TrustDefect[];
  /** What can't be judged, each as a clause. */
  readonly doubts: readonly string[];
}

/**
 * Examines one statement of a trust policy that is about an EKS issuer.
 * @param providers the OIDC providers of the input
 */
export function reviewTrust(statement: TrustStatement, providers: readonly OidcProvider[] = []): TrustReview {
  const defects: TrustDefect[] = [];
  const doubts: string[] = [];
  const { conditions } = statement.statement;
  const built = 'kind' in conditions ? undefined : conditions.find(({ keyFunction }) => keyFunction !== undefined);
  if (built !== undefined)
    defects.push({ kind: 'function-key', source: built.source, key: built.key, call: built.keyFunction ?? '' });
  reviewAction(statement, defects, doubts);
  const foreign = foreignClaims(statement);
  if (foreign !== undefined) return { defects: [...defects, foreign], doubts };
  for (const principal of statement.federated) reviewPrincipal(statement, principal, defects, doubts);
  if (statement.federated.length === 0) {
    const found = statement.statement.principals.flatMap(({ type, id }) =>
      alternativesOf(id).map(({ value }) => `${type} ${textOf(value) ?? '…'}`),
    );
    defects.push({
      kind: 'principal',
      source: statement.source,
      found: found.join(', '),
      why: 'only a federated principal brings tokens',
      isArn: true,
    });
  }
  if (statement.unreadableConditions !== undefined) {
    doubts.push(`its conditions can't be read (${statement.unreadableConditions})`);
    return { defects, doubts };
  }
  reviewKeys(statement, providers, defects, doubts);
  reviewSubjects(statement, defects, doubts);
  // What is for tokens of somebody else has no key of a cluster to be put right.
  if (defects.some(({ kind }) => kind === 'foreign-subject'))
    return { defects: defects.filter(({ kind }) => kind !== 'key-scheme'), doubts };
  // Nobody's tokens come from a provider whose name is a text with a function in it, nor have they a claim of such a key.
  if (
    defects.some(
      ({ kind, ...defect }) =>
        kind === 'key-scheme' || (kind === 'principal' && 'found' in defect && CALL_IN_TEXT.test(defect.found)),
    )
  )
    return { defects: defects.filter(({ kind }) => kind !== 'no-subject'), doubts };
  reviewAudience(statement, providers, defects, doubts);
  return { defects, doubts };
}

function reviewAction(statement: TrustStatement, defects: TrustDefect[], doubts: string[]): void {
  const { irsaAction } = servicePrincipals();
  const { actions } = statement.statement;
  const covered = trustsAction(statement, irsaAction);
  if (covered === 'yes') return;
  for (const { when, values } of cases(Object.fromEntries(actions.map((action, index) => [String(index), action])))) {
    const plain = Object.values(values).filter((value) => value.kind !== 'absent');
    const answer =
      actions.length === 0 ? covered : anyOf(plain.map((value) => matchAction(value, irsaAction.toLowerCase())));
    if (answer === 'maybe') doubts.push('its actions are not known');
    if (answer !== 'no') continue;
    const texts = plain.map((value) => textOf(value) ?? '…');
    // A second statement that only lets sessions be tagged needs no token.
    if (texts.length > 0 && texts.every((text) => text.toLowerCase() === 'sts:tagsession')) continue;
    defects.push({ kind: 'action', source: plain[0]?.source ?? statement.source, when, found: texts.join(', ') });
  }
}

function reviewPrincipal(
  statement: TrustStatement,
  principal: Principal,
  defects: TrustDefect[],
  doubts: string[],
): void {
  for (const { when, value } of alternativesOf(principal.id)) {
    const found = (textOf(value) ?? principal.target?.id ?? 'unknown') || '""';
    if (namesNoIssuer(value)) {
      doubts.push(`its principal, ${found}, stands in for one that is given elsewhere`);
      continue;
    }
    if ([found, ...statement.subjects.map(({ issuer }) => issuer)].some((text) => BLANK.test(text))) {
      doubts.push(`its principal, ${found}, or a key has a blank that somebody is to fill in`);
      continue;
    }
    const problem = principalProblem(principal, value);
    if (problem !== undefined) {
      defects.push({ kind: 'principal', source: value.source, when, found, ...problem });
      continue;
    }
    if (value.kind === 'unknown' && principal.target === undefined && !isProviderArn(value.text)) {
      doubts.push(`its principal is not known (${value.reason})`);
    }
    const placeholder = placeholderIn(statement, principal, value);
    if (placeholder !== undefined) defects.push({ ...placeholder, when });
    const inPrincipal = issuerOfPrincipal(principal, value);
    if (inPrincipal === undefined || placeholder !== undefined) continue;
    const foreign = [...statement.subjects, ...statement.audiences].filter((condition) =>
      isForeign(condition, inPrincipal),
    );
    const [fatal] = foreign.filter(isMandatory);
    // A statement for several clusters can be right for one of them: then it isn't true that no token matches.
    if (
      fatal !== undefined &&
      !statement.federated.some((other) => other !== principal && fitsMandatory(statement, other))
    ) {
      defects.push({ kind: 'other-issuer', source: fatal.source, when, inKey: fatal.issuer, inPrincipal });
    } else if (
      fatal === undefined &&
      statement.subjects.length > 0 &&
      statement.subjects.every((condition) => foreign.includes(condition))
    ) {
      // The tokens of this issuer lack the claims that are compared, and with IfExists that is as good as equal.
      defects.push({
        kind: 'no-subject',
        source: principal.id.kind === 'choice' ? statement.source : value.source,
        when,
      });
    }
  }
}

/** What stands for an id in documentation: ids of EKS are hexadecimal. */
const PLACEHOLDER = /EXAMPLE|X{4}|YOUR|REPLACE|CHANGE|PLACEHOLDER|[<>]/i;

/** Whether an issuer stands for another one in documentation, which only an id that is known as a whole can. */
function isPlaceholder(issuer: string): boolean {
  const id = /^oidc[.-]eks\.[^/]*\/id\/(.*)$/s.exec(issuer)?.[1] ?? '';
  return !id.includes('${') && PLACEHOLDER.test(id);
}

/** An issuer that a provider or cluster of the configuration tells. */
const TOLD =
  /\$\{(?:[^}]*\b(?:aws_iam_openid_connect_provider\.[^}]*\.(?:url|arn)\b|oidc(?:\[0\]|\.0)\.issuer\b|OpenIdConnectIssuerUrl\b|oidc_provider\b|cluster_oidc_issuer_url\b))/;

/** A placeholder in the key or the principal, while the other one is that of a provider which there is. */
function placeholderIn(
  statement: TrustStatement,
  principal: Principal,
  value: Plain<string>,
): Extract<TrustDefect, { kind: 'placeholder' }> | undefined {
  const conditions = [...statement.subjects, ...statement.audiences].filter(isMandatory);
  const inPrincipal = issuerOfPrincipal(principal, value);
  if (inPrincipal !== undefined && isPlaceholder(inPrincipal)) {
    const told = conditions.find(({ issuer }) => TOLD.test(issuer));
    return told === undefined
      ? undefined
      : {
          kind: 'placeholder',
          source: value.source,
          found: inPrincipal,
          where: 'trusts the provider',
          other: `its conditions are about ${told.issuer}`,
        };
  }
  const isTold =
    inPrincipal === undefined &&
    (principal.target !== undefined || (value.kind === 'unknown' && TOLD.test(value.text ?? '')));
  const written = isTold ? conditions.find(({ issuer }) => isPlaceholder(issuer)) : undefined;
  if (written === undefined) return undefined;
  return {
    kind: 'placeholder',
    source: written.source,
    found: written.issuer,
    where: 'checks claims of the issuer',
    other: `it trusts ${principal.target?.id ?? textOf(value) ?? 'the provider of a cluster'}`,
  };
}

/** Whether a text that is known in parts is the ARN of an OIDC provider for certain; that of a data source of Terraform always is. */
function isProviderArn(text = ''): boolean {
  return text.includes(':oidc-provider/') || /\baws_iam_openid_connect_provider\.[^}]*\.arn\}$/.test(text);
}

/** Whether the condition is about the tokens of another issuer than this one. */
function isForeign(condition: TokenCondition, issuer: string): boolean {
  return !condition.issuer.includes('${') && !sameIssuer(condition.issuer, issuer) && !namesNoClaim(condition);
}

/** Whether the tokens of a provider can fulfil all conditions that a token can't do without. */
function fitsMandatory(statement: TrustStatement, principal: Principal): boolean {
  const mandatory = [...statement.subjects, ...statement.audiences].filter(isMandatory);
  return alternativesOf(principal.id).some(({ value }) => {
    const issuer = issuerOfPrincipal(principal, value);
    return issuer === undefined
      ? value.kind === 'unknown'
      : !mandatory.some((condition) => isForeign(condition, issuer));
  });
}

/** What a form has where its reader is to write something. */
const BLANK = /change[\s_-]?(?:it|me)\b/i;

/** Whether a principal is what is left where the issuer is the empty default of a variable: whoever uses the configuration gives another value. */
function namesNoIssuer(id: Plain<string>): boolean {
  if (id.kind !== 'known') return false;
  return (
    id.value.endsWith(':oidc-provider/') ||
    (id.value === '' && id.source.from?.startsWith('default of variable') === true)
  );
}

/** The host of an issuer, `oidc.eks.<region>.amazonaws.com`, with an account where the region belongs. */
const ACCOUNT_FOR_REGION = /\/oidc\.eks\.(?:\d{12}|\$\{(?:[^}]*\.account_id|AWS::AccountId)\})\./;

/** An ARN of a provider with its account where a region would stand. */
const SHIFTED_ARN = /^arn:[^:]*:iam:[^:]+:oidc-provider\//;
/** An ARN with an issuer behind its account, in parts of which some are not known; what cuts off the scheme puts nothing in its place. */
const ISSUER_BEHIND_ACCOUNT =
  /^arn:(?:\$\{[^}]*\}|[^:$])*:iam::(?:\$\{[^}]*\}|[^:$])*:(?:oidc[.-]eks\.|\$\{(?:[\w.[\]]+\.oidc(?:\[0\]|\.0)\.issuer|(?:replace|trimprefix)\([\w.[\]]+\.oidc(?:\[0\]|\.0)\.issuer, "https:\/\/"(?:, "")?\))\}$)/;
const HOLES = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;

/** As `replace(arn, "/^(.*provider\/)/", "")` cuts the issuer out of an ARN, for the keys of conditions. */
const CUT_TO_ISSUER = /^\$\{replace\(.*, "\/\^?\(?\.\*(?:oidc-)?provider\/\)?\/", ""\)\}$/;
/** A short form of a function of CloudFormation in a text without `Fn::Sub`. */
const CALL_IN_TEXT = /\$\{!(?:Ref|GetAtt|Sub|ImportValue)\b[^}]*\}/;

type PrincipalProblem = Pick<Extract<TrustDefect, { kind: 'principal' }>, 'why' | 'isArn'>;

function principalProblem({ target }: Principal, id: Plain<string>): PrincipalProblem | undefined {
  if (target !== undefined && 'kind' in target && target.kind === 'cluster')
    return { why: 'it refers to the cluster, not to its IAM OIDC provider', isArn: true };
  const text = textOf(id);
  if (text === undefined || (target !== undefined && 'kind' in target && target.kind === 'oidc-provider'))
    return undefined;
  if (/^https?:\/\//.test(text))
    return { why: "it is the issuer's URL, not the ARN of the IAM OIDC provider", isArn: false };
  if (/:oidc-provider\/https?:\/\//.test(text))
    return { why: 'the name of an IAM OIDC provider has no https://', isArn: true };
  if (/:oidc-provider\/\$\{[^}]*\.(?:OpenIdConnectIssuerUrl|oidc(?:\[0\]|\.0)\.issuer)\}$/.test(text))
    return {
      why: 'the cluster attribute begins with https://, the name of an IAM OIDC provider does not',
      isArn: true,
    };
  if (hasWholeForId(text)) return { why: 'behind `/id/` it has the whole URL of an issuer', isArn: true };
  if (/^\$\{replace\([^}]*\.oidc(?:\[0\]|\.0)\.issuer, "https:\/\/", ""\)\}$/.test(text))
    return { why: 'it is the issuer, not the ARN of the IAM OIDC provider', isArn: false };
  if (CUT_TO_ISSUER.test(text))
    return { why: 'it is the issuer, which is cut out of the ARN of the IAM OIDC provider', isArn: false };
  if (ISSUER_BEHIND_ACCOUNT.test(text)) return { why: '`oidc-provider/` is missing behind its account', isArn: false };
  const [call] = id.kind === 'known' ? (CALL_IN_TEXT.exec(text) ?? []) : [];
  if (call !== undefined) return { why: `nothing fills in \`${call}\`, which stands in a text`, isArn: true };
  if (ACCOUNT_FOR_REGION.test(text))
    return { why: 'its host has the id of the account in the place of the region', isArn: true };
  if (SHIFTED_ARN.test(text.replace(HOLES, 'x')))
    return {
      why: 'between `iam` and the account of an ARN stand two colons, for the region that it has not',
      isArn: false,
    };
  if (id.kind === 'known' && !text.includes(':oidc-provider/'))
    return { why: 'it is no ARN of an IAM OIDC provider', isArn: text.startsWith('arn:') };
  return undefined;
}

/** The name of a host, with a path perhaps. */
const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:$|[:/])/i;

/** Conditions that no token of a cluster fulfils, because they are about tokens of another host, beside the provider of a cluster. */
function foreignClaims(statement: TrustStatement): Extract<TrustDefect, { kind: 'foreign-claims' }> | undefined {
  const conditions = [...statement.subjects, ...statement.audiences];
  const [first] = conditions;
  const isElsewhere = ({ issuer }: TokenCondition): boolean =>
    HOST.test(issuer) && !issuer.includes('${') && !looksLikeEks(issuer);
  if (first === undefined || !conditions.every(isElsewhere) || !conditions.some(isMandatory)) return undefined;
  const [principal, ...others] = statement.federated;
  if (principal === undefined || others.length > 0) return undefined;
  const found = alternativesOf(principal.id).map(({ value }) => textOf(value) ?? '');
  const isCluster =
    clusterOfTrust(statement) !== undefined || found.every((text) => looksLikeEks(text) || TOLD.test(text));
  return isCluster
    ? {
        kind: 'foreign-claims',
        source: first.source,
        inKey: first.issuer,
        found: found[0] || (principal.target?.id ?? ''),
      }
    : undefined;
}

function reviewAudience(
  statement: TrustStatement,
  providers: readonly OidcProvider[],
  defects: TrustDefect[],
  doubts: string[],
): void {
  const { irsaAudience } = servicePrincipals();
  if (statement.audiences.length === 0) {
    // Whose list it is only the right principal tells.
    if (defects.some(({ kind }) => kind === 'principal')) return;
    const clients = otherClients(statement, providers);
    if (clients !== undefined) defects.push({ kind: 'no-audience', source: statement.source, clients });
    return;
  }
  for (const condition of statement.audiences) {
    if (condition.comparison === 'other' || condition.comparison.startsWith('not')) {
      doubts.push(`the operator ${condition.operator} on the audience is not evaluated`);
      continue;
    }
    const values = condition.values.flatMap((value) => alternativesOf(value).map((alternative) => alternative.value));
    // A key with the scheme is a defect of its own.
    if (acceptsToken({ ...condition, hasScheme: false }, irsaAudience) === 'yes') continue;
    if (values.some((value) => value.kind === 'known' && value.value === irsaAudience)) continue;
    const unknown = values.find((value) => value.kind === 'unknown');
    if (unknown?.kind === 'unknown') doubts.push(`the audience is not known (${unknown.reason})`);
    else
      defects.push({
        kind: 'audience',
        source: condition.source,
        found: values.flatMap((value) => textOf(value) ?? []).join(', '),
      });
  }
}

/**
 * The audiences besides AWS STS's own whose tokens STS accepts of the providers of a statement, as a text; undefined if there are none.
 * Source: IAM API, CreateOpenIDConnectProvider: STS takes tokens only for the client ids of the provider.
 */
function otherClients(statement: TrustStatement, providers: readonly OidcProvider[]): string | undefined {
  const { irsaAudience } = servicePrincipals();
  const clients = new Set<string>();
  for (const principal of statement.federated) {
    for (const { value } of alternativesOf(principal.id)) {
      const provider = providerOf(principal, value, providers);
      if (provider === undefined) return providers.length === 0 ? 'is not part of the input' : 'is not known here';
      for (const list of alternativesOf(provider.clientIds)) {
        if (list.value.kind !== 'known') return 'is not known';
        for (const item of list.value.value) {
          for (const { value: written } of alternativesOf(item)) {
            const client = inAnyPartition(written);
            if (client.kind === 'unknown') return 'is not known';
            if (client.kind === 'known') clients.add(client.value);
          }
        }
      }
    }
  }
  const holds = clients.delete(irsaAudience) ? 'also holds' : 'holds';
  return clients.size === 0 ? undefined : `${holds} ${[...clients].join(', ')}`;
}

function providerOf(
  principal: Principal,
  id: Plain<string>,
  providers: readonly OidcProvider[],
): OidcProvider | undefined {
  const { target } = principal;
  if (target !== undefined && 'kind' in target)
    return target.kind === 'oidc-provider' ? (target as OidcProvider) : undefined;
  const issuer = issuerOfPrincipal(principal, id);
  const text = textOf(id) ?? '';
  return providers.find(({ url }) =>
    url.kind === 'known'
      ? issuer !== undefined && sameIssuer(url.value.replace(/^https:\/\//, ''), issuer)
      : url.kind === 'unknown' && namesIssuer(text, url.text),
  );
}

/**
 * Whether an ARN that is put together names the issuer of a cluster that only AWS tells, as `replace(url, "https://", "")` writes it, or several of them:
 * the URL of a provider is read back without its scheme, and many cut it off once more.
 */
function namesIssuer(arn: string, url: string | undefined): boolean {
  const inside = /^\$\{(.*)\}$/s.exec(url ?? '')?.[1];
  const named = /:oidc-provider\/\$\{(.*)\}$/s.exec(arn)?.[1];
  if (inside === undefined || named === undefined) return false;
  const cut = withoutCuts(named);
  return cut === inside && cut !== named;
}

/** What `replace(…, "https://", "")` is given, through all of them. */
function withoutCuts(text: string): string {
  const inner = /^replace\((.*), "https:\/\/", ""\)$/s.exec(text)?.[1];
  return inner === undefined ? text : withoutCuts(inner);
}
