import { TerraformResource, TerraformStack, Token, type IResolvable, type IResolveContext } from 'cdktf';
import type { IConstruct } from 'constructs';
import { refuse } from '../engine-neutral/construction-error';
import { irsaTrust, podIdentityTrust, type PodRoleAccounts } from '../engine-neutral/pod-role';
import { PodIdentityKind } from '../engine-neutral/vpc-cni-options';
import type { ClusterFacts } from './cluster';
import { documentText, soleExpression } from './json-text';
import { resolvedText } from './resolved-text';

/** An OpenID Connect provider in IAM: the resource or the data source `aws_iam_openid_connect_provider`, or its ARN and issuer. */
export interface IOpenIdConnectProvider {
  /** The ARN of the provider in IAM. */
  readonly arn: string;
  /** The issuer, with `https://` or without. */
  readonly url: string;
}

/** Who may take a role of pods, as a trust policy. */
export function podTrust(
  scope: IConstruct,
  facts: ClusterFacts,
  identity: PodIdentityKind,
  accounts: PodRoleAccounts,
  given: IOpenIdConnectProvider | undefined,
): string {
  if (identity !== PodIdentityKind.IRSA) return documentText(podIdentityTrust());
  const provider = given ?? attributesProvider(facts) ?? providerOfStack(facts);
  if (provider === undefined) {
    return refuse(
      scope,
      `identity is IRSA, but the cluster's OpenID Connect provider isn't known; give openIdConnectProvider${facts.resource === undefined ? ', or openIdConnectProviderArn and openIdConnectIssuer of the cluster' : ''}, or use PodIdentityKind.POD_IDENTITY`,
    );
  }
  return documentText(irsaTrust(provider.arn, Token.asString(new IssuerName(provider.url)), accounts));
}

/** The provider that the cluster's stack makes of its issuer. */
function providerOfStack({ resource, openIdConnectIssuer }: ClusterFacts): IOpenIdConnectProvider | undefined {
  if (resource === undefined || openIdConnectIssuer === undefined) return undefined;
  const issuer = resolvedText(resource, openIdConnectIssuer);
  return TerraformStack.of(resource)
    .node.findAll()
    .find(
      (child): child is TerraformResource & IOpenIdConnectProvider =>
        isProvider(child) && resolvedText(child, String(child.urlInput)) === issuer,
    );
}

/** What the keys of a trust policy's conditions begin with: the issuer without `https://`, which is known only when the configuration is written. */
class IssuerName implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly url: string) {}

  resolve(context: IResolveContext): string {
    const url = String(context.resolve(this.url));
    const expression = soleExpression(url);
    return expression === undefined ? url.replace(/^https:\/\//, '') : `\${replace(${expression}, "https://", "")}`;
  }

  toString(): string {
    return Token.asString(this);
  }
}

function attributesProvider({
  openIdConnectProviderArn: arn,
  openIdConnectIssuer: url,
}: ClusterFacts): IOpenIdConnectProvider | undefined {
  return arn === undefined || url === undefined ? undefined : { arn, url };
}

function isProvider(
  child: unknown,
): child is TerraformResource & IOpenIdConnectProvider & { readonly urlInput: unknown } {
  return (
    TerraformResource.isTerraformResource(child) &&
    child.terraformResourceType === 'aws_iam_openid_connect_provider' &&
    'urlInput' in child
  );
}
