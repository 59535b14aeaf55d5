import type { EksModel, Role } from '../../../eks';
import type { TrustStatement } from '../../../eks/iam/trust-statement';

/**
 * The issuer without its scheme, as code of CloudFormation writes it beside the role, and that cluster in an app: of the only cluster of the stack, of the
 * provider that the role trusts, whose ARN ends with it, or as a text.
 */
export function issuerBeside(
  { stack }: Role,
  { federated }: TrustStatement,
  { clusters }: EksModel,
): Record<'issuerInTemplate' | 'clusterInCdk', string> {
  const [cluster, other] = clusters.filter((one) => one.stack === stack);
  if (cluster === undefined || other !== undefined)
    return {
      issuerInTemplate: referenceTo(federated) ?? '"oidc.eks.<region>.amazonaws.com/id/<id>" # or a parameter',
      clusterInCdk: '<cluster>',
    };
  return {
    issuerInTemplate: `!Select [1, !Split ["//", !GetAtt ${cluster.id}.OpenIdConnectIssuerUrl]]`,
    clusterInCdk: 'cluster',
  };
}

/** The one provider of a statement where a template refers to it, by a parameter of its ARN or as a resource. */
function referenceTo(federated: TrustStatement['federated']): string | undefined {
  const [only, other] = federated;
  const expression = only === undefined || only.id.kind === 'choice' ? '' : (only.id.source.expression ?? '');
  return other === undefined && /^!Ref \w+$/.test(expression)
    ? `!Select [1, !Split ["oidc-provider/", ${expression}]]`
    : undefined;
}
