import { alternativesOf, flatMapValue, type Plain } from '../../../value';
import type { TerraformInstance } from '../../../terraform/instance';
import { issuerOfUrl } from '../../../terraform/resource-object';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import { itemsOf, listOf } from './given';
import type { ModuleContext } from './module-context';
import { attach, declareRole, statement, type StatementParts } from './roles';
import { selfTrust } from './service-account-role';

/**
 * The role that `iam-assumable-role-with-oidc` of terraform-aws-modules/iam/aws creates, unless told to only with `create_role`. Source:
 * terraform-aws-modules/terraform-aws-iam, main.tf, variables.tf and outputs.tf of this folder, of the tags v4.0.0, v4.7.0, v4.24.1, v5.0.0,
 * v5.10.0, v5.40.0, v5.50.0 and v5.60.0.
 */
export function expandOidcRole(context: ModuleContext): void {
  const { given, call } = context;
  const { place } = call;
  const creates = given.flag('create_role', false);
  const exists = creates.kind === 'unknown' ? context.exists : context.where(creates);
  if (exists === undefined) return;
  const role = declareRole(context, {
    prefix: '',
    label: 'this',
    document: 'assume_role_with_oidc',
    trust: () => trustOf(context),
    name: () => given.text('role_name'),
    place,
    exists,
    nameOutput: 'iam_role_name',
    inputs: INPUTS,
  });
  context.later(() => {
    for (const [index, policy] of itemsOf(given.item('role_policy_arns')).entries())
      attach(context, role, '', 'custom', index, policy, place);
    declareInline(context, role);
  });
  context.output('iam_role_arn', () => context.reference(role, 'arn'));
  context.output('iam_role_name', () => {
    const name = given.text('role_name');
    return alternativesOf(name).every(({ value }) => value.kind === 'known') ? name : context.reference(role, 'name');
  });
}

const INPUTS: ReadonlyMap<string, string> = new Map([
  ['subjects', 'oidc_fully_qualified_subjects'],
  ['audiences', 'oidc_fully_qualified_audiences'],
]);

/** A statement for each of the issuers. */
function trustOf(context: ModuleContext): readonly TerraformValue[] {
  const { given, call } = context;
  const { place } = call;
  const urls = [...itemsOf(given.item('provider_urls')), given.text('provider_url')];
  // The module makes a policy without statements of it, which IAM refuses: what stands there is given elsewhere.
  if (urls.every(({ kind }) => kind === 'absent'))
    return [context.unknown('no issuer is given', call.argumentPlace('provider_url'))];
  const account = asText(given.text('aws_account_id'));
  const trust = urls.flatMap((url) =>
    url.kind === 'absent'
      ? []
      : [
          flatMapValue(asText(url), (plain): TerraformValue => {
            const issuer = issuerOfUrl(plain);
            return statement(
              context,
              {
                actions: ['sts:AssumeRoleWithWebIdentity'],
                principals: {
                  type: 'Federated',
                  identifiers: [
                    flatMapValue(account, (number) =>
                      context.text(
                        [
                          'arn:',
                          context.partition,
                          ':iam::',
                          number.kind === 'absent' ? context.account : number,
                          ':oidc-provider/',
                          issuer,
                        ],
                        plain.source,
                      ),
                    ),
                  ],
                },
                conditions: conditionsOf(context, issuer),
              },
              plain.source,
            );
          }),
        ],
  );
  const self = given.flag('allow_self_assume_role', false);
  if (alternativesOf(self).some(({ value }) => value.kind !== 'known' || value.value))
    trust.push(selfTrust(context, place));
  if (given.item('provider_trust_policy_conditions').kind !== 'absent')
    trust.push(
      context.unknown(
        '`provider_trust_policy_conditions` is not read',
        call.argumentPlace('provider_trust_policy_conditions'),
      ),
    );
  return trust;
}

/** What is compared, by the variables of the module; one without items is none. */
const CONDITIONS = [
  ['oidc_fully_qualified_subjects', 'StringEquals', 'sub'],
  ['oidc_subjects_with_wildcards', 'StringLike', 'sub'],
  ['oidc_fully_qualified_audiences', 'StringLike', 'aud'],
] as const;

function conditionsOf(context: ModuleContext, issuer: Plain<string>): StatementParts['conditions'] {
  const conditions = CONDITIONS.flatMap(([name, test, claim]) => {
    const place = context.call.argumentPlace(name);
    const values = itemsOf(context.given.item(name));
    const variable = context.text([issuer, `:${claim}`], place);
    return values.length === 0 ? [] : [{ test: context.fixed(test, place), variable, values }];
  });
  return conditions.length === 0 ? undefined : conditions;
}

function declareInline(context: ModuleContext, role: TerraformInstance): void {
  const { given, call } = context;
  const statements = given.item('inline_policy_statements');
  if (statements.kind !== 'unknown' && itemsOf(statements).length === 0) return;
  const place = call.argumentPlace('inline_policy_statements');
  const document = context.declare(
    'data.aws_iam_policy_document.inline[0]',
    { statement: statements.kind === 'known' ? listOf(itemsOf(statements), place) : statements },
    place,
    role.exists,
  );
  context.declare(
    'aws_iam_role_policy.inline[0]',
    { role: context.reference(role, 'id', place), policy: context.reference(document, 'json', place) },
    place,
    role.exists,
  );
}
