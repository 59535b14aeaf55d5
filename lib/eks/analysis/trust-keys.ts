import type { TokenCondition, TrustStatement } from '../iam';
import type { OidcProvider } from '../model/resources';
import { sameIssuer } from './identity';
import type { TrustDefect } from './trust-defects';

/** Finds a condition whose key names no claim, because what stands before `:sub` and `:aud` is not the issuer of any cluster. */
export function reviewKeys(
  statement: TrustStatement,
  providers: readonly OidcProvider[],
  defects: TrustDefect[],
  doubts: string[],
): void {
  const conditions = [...statement.subjects, ...statement.audiences];
  const scheme = conditions.find(hasScheme);
  if (scheme !== undefined && isOfNewProvider(scheme, providers)) {
    doubts.push(
      `whether ${scheme.key} keeps its https:// is not known: the provider that is about to be created reads its URL back without`,
    );
    return;
  }
  if (scheme !== undefined) {
    defects.push({
      kind: 'key-scheme',
      source: scheme.source,
      key: scheme.key,
      before: BEGINS_WITH_ARN.test(scheme.key) ? 'the ARN of the provider in the place of its URL' : 'https://',
      correct: withoutScheme(scheme.key),
    });
    return;
  }
  for (const condition of conditions) {
    const before = strayPart(condition);
    if (before === undefined) continue;
    const correct = `oidc.eks.<region>.amazonaws.com/id/<id>:${condition.key.slice(condition.key.lastIndexOf(':') + 1)}`;
    defects.push({ kind: 'key-scheme', source: condition.source, key: condition.key, before, correct });
    return;
  }
}

/** Whether the key of a condition names a claim of no cluster. */
export function namesNoClaim(condition: TokenCondition): boolean {
  return hasScheme(condition) || strayPart(condition) !== undefined;
}

/** Variables of policies are `${aws:userid}`, and pseudo parameters of CloudFormation `${AWS::Region}`. */
const POLICY_VARIABLE = /\$\{aws:(?!:)[^}]*\}/;

/**
 * What makes an issuer none of EKS's, as "with …" says it. Source: IAM user guide, "IAM policy elements: Variables and tags", which has variables in resources
 * and in the values of conditions.
 */
function strayPart(condition: TokenCondition): string | undefined {
  if (!isMandatory(condition)) return undefined;
  const [variable] = POLICY_VARIABLE.exec(condition.issuer) ?? [];
  if (variable !== undefined) return `${variable}, which IAM replaces in values alone,`;
  if (HOST_ALONE.test(condition.issuer)) return 'the host of the URL alone';
  if (hasWholeForId(condition.issuer)) return 'the whole URL of the issuer in the place of its id';
  return /^oidc\.eks\.amazonaws\.com(?:\.cn)?(?:\/|$)/i.test(condition.issuer)
    ? 'a host that has no region'
    : undefined;
}

/**
 * Behind the host of an issuer, where its id belongs, another host, as the attributes of clusters and providers begin with one. What a function cuts out
 * of these isn't known.
 */
const WHOLE_FOR_ID =
  /(?:^|:oidc-provider\/)(?:oidc[.-]eks\.|\$\{)[^/]*\/id\/(?:https?:\/\/|oidc[.-]eks\.|\$\{(?:[\w.[\]"]+\.oidc(?:\[0\]|\.0)\.issuer|[\w.]+\.OpenIdConnectIssuerUrl|aws_iam_openid_connect_provider\.[\w.[\]"]+\.url|(?:replace|trimprefix)\([\w.[\]"]+\.oidc(?:\[0\]|\.0)\.issuer, "https:\/\/"(?:, "")?\))\}$)/;

/** Whether an issuer, or what ends with one, has a whole one in the place of its id: no provider is called so. */
export function hasWholeForId(text: string): boolean {
  return WHOLE_FOR_ID.test(text);
}

/** Whether the condition fails for a token without the claim. */
export function isMandatory({ operator, comparison }: TokenCondition): boolean {
  return !/ifexists$/i.test(operator) && !/^forallvalues:/i.test(operator) && !comparison.startsWith('not');
}

/** The attribute `OpenIdConnectIssuerUrl` of a cluster has the scheme too, and so has `identity[0].oidc[0].issuer` of Terraform. */
function hasScheme(condition: TokenCondition): boolean {
  return (
    condition.hasScheme ||
    /^\$\{[^}]*\.(?:OpenIdConnectIssuerUrl|oidc(?:\[0\]|\.0)\.issuer)\}:/.test(condition.key) ||
    BEGINS_WITH_ARN.test(condition.key)
  );
}

/** The ARN of a provider as it is, or without what it doesn't begin with; not what a function cuts out of it. */
const BEGINS_WITH_ARN =
  /^(?:arn:|\$\{(?:[^(}]*\baws_iam_openid_connect_provider\.[^(}]*\.arn|(?:replace|trimprefix)\([^(},]*\baws_iam_openid_connect_provider\.[^(},]*\.arn, "https?:\/\/"(?:, "")?\))\}:)/;

/** The second part of such an ARN between slashes: `arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC`. */
const HOST_ALONE =
  /^\$\{(?:element\()?split\("\/", [^(},]*\baws_iam_openid_connect_provider\.[^(},]*\.arn\)(?:\[1\]|, 1\))\}$/;

/** Until a provider is created, a plan of Terraform shows its URL, and what is made of it, with the scheme. */
function isOfNewProvider({ issuer }: TokenCondition, providers: readonly OidcProvider[]): boolean {
  return providers.some(
    ({ url, planned }) =>
      planned?.action === 'create' &&
      url.kind === 'known' &&
      /^https:/.test(url.value) &&
      sameIssuer(url.value.replace(/^https:\/\//, ''), issuer),
  );
}

function withoutScheme(key: string): string {
  return key
    .replace(/^(?:https?:\/\/|arn:[^/]*:oidc-provider\/)/, '')
    .replace(/\.arn(?=\}:|, ")/, '.url')
    .replace(/\.(OpenIdConnectIssuerUrl|oidc(?:\[0\]|\.0)\.issuer)\}/, '.$1 without https://}');
}
