import {
  Absent,
  alternativesOf,
  flatMapValue,
  Known,
  sourceOf,
  Unknown,
  type Plain,
  type Source,
  type When,
} from '../../../value';
import type { TerraformInstance } from '../../../terraform/instance';
import { withoutScheme } from '../../../terraform/resource-object';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import { entriesOf, Given, itemsOf, listOf } from './given';
import type { ModuleContext } from './module-context';
import { SERVICE_ACCOUNT_ROLE_4_5, SERVICE_ACCOUNT_ROLE_6, type Names } from './names';
import { attach, attachGiven, declareRole, statement } from './roles';
import { modulePolicy } from './module-policy';

/** What versions call the same variables. */
interface RoleNames {
  readonly create: string;
  readonly name: string;
  readonly test: string;
  readonly policies: string;
  readonly outputs: { readonly arn: string; readonly name: string };
  readonly known: Names;
}

const UP_TO_5: RoleNames = {
  create: 'create_role',
  name: 'role_name',
  test: 'assume_role_condition_test',
  policies: 'role_policy_arns',
  outputs: { arn: 'iam_role_arn', name: 'iam_role_name' },
  known: SERVICE_ACCOUNT_ROLE_4_5,
};

const FROM_6: RoleNames = {
  create: 'create',
  name: 'name',
  test: 'trust_condition_test',
  policies: 'policies',
  outputs: { arn: 'arn', name: 'name' },
  known: SERVICE_ACCOUNT_ROLE_6,
};

/**
 * The role of service accounts that `iam-role-for-service-accounts-eks` (up to version 5 of terraform-aws-modules/iam/aws) and
 * `iam-role-for-service-accounts` (from version 6 on) create. Source: terraform-aws-modules/terraform-aws-iam, main.tf, policies.tf and
 * variables.tf of these folders, of the tags v4.24.1, v5.0.0, v5.39.0, v5.42.0, v5.60.0, v6.0.0 and v6.5.0.
 */
export function expandServiceAccountRole(context: ModuleContext, isNew: boolean): void {
  const names = isNew ? FROM_6 : UP_TO_5;
  const { given, call } = context;
  const { place } = call;
  warnOfUnknownArguments(context, names.known);
  const exists = context.where(given.flag(names.create, true));
  if (exists === undefined) return;
  const role = declareRole(context, {
    prefix: '',
    label: 'this',
    document: isNew ? 'assume' : 'this',
    trust: () => trustOf(context, names, { exists, isNew }),
    name: () => roleName(context, names, isNew),
    place,
    exists,
    nameOutput: names.outputs.name,
    inputs: new Map([
      ['service_accounts', 'namespace_service_accounts'],
      ['subject_test', names.test],
      ['cni_policy', 'attach_vpc_cni_policy'],
      ['cni_ipv4', 'vpc_cni_enable_ipv4'],
      ['cni_ipv6', 'vpc_cni_enable_ipv6'],
    ]),
  });
  attachGiven(context, role, '', isNew ? 'additional' : 'this', () => given.item(names.policies));
  context.later(() => {
    if (isNew) {
      attachPolicy(context, role);
      declareInline(context, role);
    } else attachPolicies(context, role);
  });
  context.output(names.outputs.arn, () => context.reference(role, 'arn'));
  context.output(names.outputs.name, () => {
    const name = roleName(context, names, isNew);
    return alternativesOf(name).every(({ value }) => value.kind === 'known') ? name : context.reference(role, 'name');
  });
}

/** A statement for each provider of the call. */
function trustOf(
  context: ModuleContext,
  names: RoleNames,
  { exists, isNew }: { readonly exists: When; readonly isNew: boolean },
): readonly TerraformValue[] {
  const { given } = context;
  const test = given.or(names.test, context.standard('StringEquals'));
  const { entries, more } = entriesOf(given.item('oidc_providers'), exists);
  const trust = entries.map(({ value }) => trustStatement(context, new Given(value, value.source), test));
  if (more !== undefined) trust.push(more);
  const self = given.flag('allow_self_assume_role', false);
  if (!isNew && alternativesOf(self).some(({ value }) => value.kind !== 'known' || value.value))
    trust.push(selfTrust(context, sourceOf(self)));
  return trust;
}

function roleName(context: ModuleContext, names: RoleNames, isNew: boolean): TerraformValue {
  const name = context.given.text(names.name);
  if (!isNew) return name;
  return flatMapValue(
    context.given.flag('use_name_prefix', true),
    (plain): TerraformValue => (plain.kind === 'known' && !plain.value ? name : new Absent(plain.source)),
  );
}

/** One OIDC provider and the service accounts of its cluster. */
export function trustStatement(context: ModuleContext, provider: Given, test: TerraformValue): TerraformValue {
  const { place } = provider;
  const arn = provider.item('provider_arn');
  const accounts = provider.item('namespace_service_accounts');
  const subjects =
    accounts.kind === 'unknown' ? [accounts] : itemsOf(accounts).map((account) => subject(context, account));
  return flatMapValue(asText(arn), (plain): TerraformValue => {
    const issuer = issuerOf(plain);
    return statement(
      context,
      {
        actions: ['sts:AssumeRoleWithWebIdentity'],
        principals: { type: 'Federated', identifiers: [arn] },
        conditions: [
          { test, variable: context.text([issuer, ':sub'], plain.source), values: subjects },
          {
            test,
            variable: context.text([issuer, ':aud'], plain.source),
            values: [context.fixed('sts.amazonaws.com', place)],
          },
        ],
      },
      place,
    );
  });
}

function subject(context: ModuleContext, account: TerraformValue): TerraformValue {
  return flatMapValue(asText(account), (plain) => context.text(['system:serviceaccount:', plain], plain.source));
}

/** The issuer in the ARN of a provider; of a provider that the input declares, what its URL refers to. */
function issuerOf(arn: Plain<string>): Plain<string> {
  if (arn.kind === 'known') return new Known(arn.value.replace(/^.*provider\//, ''), arn.source, arn.note);
  if (arn.kind === 'absent') return arn;
  const url = urlOf(arn);
  if (url?.kind === 'known') return new Known(url.value.replace(/^https:\/\//, ''), arn.source);
  if (url?.kind === 'unknown') return withoutScheme(url, arn.source);
  // What the module makes of the ARN of a resource isn't that ARN.
  const text = arn.text
    ?.replace(/^.*provider\//, '')
    .replace(/^\$\{(.*\baws_iam_openid_connect_provider\..*)\}$/, '${replace($1, "/^.*provider//", "")}');
  return new Unknown(arn.reason, arn.source, text, arn.symbol === undefined ? undefined : `issuer of ${arn.symbol}`);
}

function urlOf(arn: Unknown): Plain<string> | undefined {
  const { reference } = arn;
  const resource: Partial<TerraformInstance> | undefined = reference?.resource;
  if (
    reference?.attribute !== 'arn' ||
    resource?.type !== 'aws_iam_openid_connect_provider' ||
    resource.attributes === undefined
  )
    return undefined;
  const url = asText(new Given(resource.attributes, arn.source).item('url'));
  return url.kind === 'choice' ? undefined : url;
}

/** Who has the role may assume it again. */
export function selfTrust(context: ModuleContext, place: Source): TerraformValue {
  const values = [context.unknown('it is the ARN of the role itself', place)];
  return statement(
    context,
    {
      actions: ['sts:AssumeRole'],
      principals: { type: 'AWS', identifiers: [context.fixed('*', place)] },
      conditions: [
        { test: context.fixed('ArnLike', place), variable: context.fixed('aws:PrincipalArn', place), values },
      ],
    },
    place,
  );
}

/** Up to version 5 each of the wanted permissions is a policy of its own. */
function attachPolicies(context: ModuleContext, role: TerraformInstance): void {
  const { given } = context;
  for (const key of given.keys()) {
    const label = /^attach_(\w+)_policy$/.exec(key)?.[1];
    if (label === undefined) continue;
    const exists = context.where(given.flag(key, false), role.exists);
    const value = given.item(key);
    const place = sourceOf(value);
    if (exists === undefined) {
      if (value.kind === 'unknown') attach(context, role, '', label, '?', value, place);
      continue;
    }
    const policy = modulePolicy(context, 'iam-role-for-service-accounts-eks', label, {
      address: `aws_iam_policy.${label}[0]`,
      place,
      exists,
    });
    attach(context, role, '', label, 0, policy, place, exists);
  }
}

/** From version 6 on all of them are one policy. */
function attachPolicy(context: ModuleContext, role: TerraformInstance): void {
  const { given } = context;
  const wanted = given
    .keys()
    .filter(
      (key) =>
        (/^attach_\w+_policy$/.test(key) &&
          alternativesOf(given.item(key)).some(({ value: plain }) => plain.kind !== 'known' || plain.value === true)) ||
        /^(?:source_policy_documents|override_policy_documents|permissions)$/.test(key),
    );
  const creates = context.where(given.flag('create_policy', true), role.exists);
  if (creates === undefined) return;
  for (const key of wanted) {
    const place = sourceOf(given.item(key));
    const exists = key.startsWith('attach_') ? context.where(given.flag(key, false), creates) : creates;
    const label = /^attach_(\w+)_policy$/.exec(key)?.[1];
    const index = wanted.length === 1 ? 0 : key;
    const policy =
      label !== undefined && exists !== undefined
        ? modulePolicy(context, 'iam-role-for-service-accounts', label, {
            address: `aws_iam_policy.this[${JSON.stringify(index)}]`,
            place,
            exists,
          })
        : context.unknown(`the policy of \`${key}\` is not read`, place);
    attach(context, role, '', 'this', index, policy, place, exists ?? creates);
  }
}

/** Statements and documents of an inline policy, from version 6 on. */
function declareInline(context: ModuleContext, role: TerraformInstance): void {
  const { given } = context;
  const { source: place } = role;
  const exists = context.where(given.flag('create_inline_policy', false), role.exists);
  if (exists === undefined) {
    if (alternativesOf(given.item('create_inline_policy')).some(({ value }) => value.kind === 'unknown'))
      attach(
        context,
        role,
        '',
        'inline',
        '?',
        context.unknown('whether it has an inline policy is not known', place),
        place,
      );
    return;
  }
  const attributes = {
    source_policy_documents: given.item('source_inline_policy_documents'),
    override_policy_documents: given.item('override_inline_policy_documents'),
    statement: listOf(itemsOf(given.item('inline_policy_permissions')), place),
  };
  const document = context.declare('data.aws_iam_policy_document.inline[0]', attributes, place, exists);
  context.declare(
    'aws_iam_role_policy.inline[0]',
    { role: context.reference(role, 'id', place), policy: context.reference(document, 'json', place) },
    place,
    exists,
  );
}

function warnOfUnknownArguments(context: ModuleContext, known: Names): void {
  const names = context.versions.candidates.map(([major]) => known.get(major) ?? new Set<string>());
  for (const key of context.given.keys()) {
    if (names.some((one) => one.has(key))) continue;
    const other = known === SERVICE_ACCOUNT_ROLE_6 ? newName(key) : undefined;
    const hint = other === undefined ? '' : `. It is called \`${other}\` from version 6 on`;
    context.warn(
      context.call.argumentPlace(key),
      `${context.title} has no argument \`${key}\`: Terraform refuses the configuration${hint}`,
    );
  }
}

/** Source: terraform-aws-modules/terraform-aws-iam v6.0.0, docs/UPGRADE-6.0.md. */
function newName(key: string): string | undefined {
  const renamed: Readonly<Record<string, string>> = {
    [UP_TO_5.create]: FROM_6.create,
    [UP_TO_5.name]: FROM_6.name,
    [UP_TO_5.test]: FROM_6.test,
    [UP_TO_5.policies]: FROM_6.policies,
  };
  return (
    renamed[key] ??
    (SERVICE_ACCOUNT_ROLE_6.get(6)?.has(key.replace('role_', '')) === true ? key.replace('role_', '') : undefined)
  );
}
