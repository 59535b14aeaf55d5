import type { Value } from '../../../eks';
import type { TrustStatement } from '../../../eks/iam/trust-statement';
import { actionMatch, isConditional } from '../../../eks/iam/statements';

/*
 * Code for a whole trust policy keeps the services that may assume the role already: nodes that lose EC2 there can't start.
 */

/** Code with this is shown to nobody: what is there can't be written again from what is known of it. */
const NOT_KNOWN = '<what it trusts already>';

/**
 * What stands before the statement of a fix, in each language, and behind it in the CDK; and what words say of it.
 * @param without the service that the fix is about, in whose favour web identities go. @default - everything stays
 */
export function keptTrust(statements: readonly TrustStatement[], without?: string): Readonly<Record<string, string>> {
  const services = statements.flatMap((one) => servicesOf(one, without));
  if (services.includes(NOT_KNOWN))
    return {
      keptInWords: ', beside what it trusts already',
      keptInTemplate: NOT_KNOWN,
      keptInCdk: NOT_KNOWN,
      keptInCdkEnd: '',
      keptInTerraform: NOT_KNOWN,
    };
  const kept = [...new Set(services)];
  return {
    keptInWords: kept.length === 0 ? '' : `, beside ${kept.map((service) => `\`${service}\``).join(' and ')}`,
    keptInTemplate: kept
      .map(
        (service) =>
          `\n    - Effect: Allow\n      Principal:\n        Service: ${service}\n      Action: sts:AssumeRole`,
      )
      .join(''),
    keptInCdk:
      kept.length === 0
        ? ''
        : `new iam.CompositePrincipal(${kept.map((service) => `new iam.ServicePrincipal('${service}'), `).join('')}`,
    keptInCdkEnd: kept.length === 0 ? '' : ')',
    keptInTerraform: kept
      .map(
        (service) =>
          `{\n    Effect    = "Allow"\n    Action    = "sts:AssumeRole"\n    Principal = { Service = "${service}" }\n  }, `,
      )
      .join(''),
  };
}

/** The services that a statement lets assume the role; a web identity goes where the fix gives the pods another way. */
function servicesOf({ statement, effect, services }: TrustStatement, without: string | undefined): readonly string[] {
  const others = services.filter(({ id }) => known(id) !== without).map(({ id }) => known(id));
  const hasMore = statement.principals.some(
    ({ type }) => type !== 'Service' && (type !== 'Federated' || without === undefined),
  );
  if (others.length === 0 && !hasMore) return [];
  const isPlain =
    !hasMore &&
    known(effect) === 'Allow' &&
    !isConditional(statement) &&
    actionMatch(statement, 'sts:assumerole') === 'yes' &&
    (without !== undefined || actionMatch(statement, 'sts:tagsession') === 'no') &&
    others.every((service) => /^[a-z\d.-]+$/.test(service));
  return isPlain ? others : [NOT_KNOWN];
}

function known(value: Value<string>): string {
  return value.kind === 'known' ? value.value : '';
}
