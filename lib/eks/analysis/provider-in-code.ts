import type { TrustStatement } from '../iam';
import type { OidcProvider, Role } from '../model/resources';
import { alternativesOf, type Resource, textOf } from '../../value';

/** How code of Terraform beside a role writes the OIDC provider of its cluster. */
export interface ProviderInCode {
  /** An expression: `aws_iam_openid_connect_provider.main.arn`. */
  readonly arn: string;
  /** What a text holds: `${module.eks.oidc_provider}`. */
  readonly issuer: string;
}

const NOT_KNOWN: ProviderInCode = {
  arn: '"<ARN of the IAM OIDC provider of the cluster>"',
  issuer: '<issuer of the cluster without https://>',
};

/**
 * The provider that statements of a role trust, or else the only one that there is in the same module; with words in its place where neither is known.
 * @param written the issuer in a key of its conditions, which says more than what other providers there are
 */
export function providerInCode(
  role: Role,
  statements: readonly TrustStatement[],
  providers: readonly OidcProvider[],
  written?: string,
): ProviderInCode {
  for (const { target, id } of statements.flatMap(({ federated }) => federated)) {
    const found =
      target === undefined
        ? alternativesOf(id)
            .map(({ value }) => ofModule(textOf(value)))
            .find((one) => one !== undefined)
        : beside(role, target);
    if (found !== undefined) return found;
  }
  if (written !== undefined) return { ...NOT_KNOWN, issuer: written };
  const [only, other] = providers.flatMap((provider) => beside(role, provider) ?? []);
  return only === undefined || other !== undefined ? NOT_KNOWN : only;
}

/** The output of terraform-aws-modules/eks, and of others that follow it. */
function ofModule(text = ''): ProviderInCode | undefined {
  const module = /^\$\{(module\.[\w-]+(?:\[[^\]*]*\])?)\.oidc_provider_arn\}$/.exec(text)?.[1];
  return module === undefined
    ? undefined
    : { arn: `${module}.oidc_provider_arn`, issuer: `\${${module}.oidc_provider}` };
}

const MODULES = /^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*/;

/** A provider of the role's own module, or the one of terraform-aws-modules/eks that the module calls. */
function beside(role: Role, provider: Resource): ProviderInCode | undefined {
  const [module = ''] = MODULES.exec(role.id) ?? [];
  if (provider.stack !== role.stack || !provider.id.startsWith(module)) return undefined;
  const address = provider.id.slice(module.length);
  // Of several, nothing tells which.
  if (address.includes('[*]')) return undefined;
  if (/^(?:data\.)?aws_iam_openid_connect_provider\./.test(address))
    return { arn: `${address}.arn`, issuer: `\${replace(${address}.url, "https://", "")}` };
  const [, called] =
    /^(module\.[\w-]+(?:\[[^\]]*\])?)\.aws_iam_openid_connect_provider\.oidc_provider\[0\]$/.exec(address) ?? [];
  return called === undefined ? undefined : ofModule(`\${${called}.oidc_provider_arn}`);
}
