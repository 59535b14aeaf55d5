import { expandKnownModule } from '../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { findingsIn } from '../instances';
import { configurations } from './configurations';

/** The text that an expression makes with two variables whose defaults are empty. */
function shown(expression: string, more: Readonly<Record<string, string>> = {}) {
  const read = configurations({
    'main.tf': `variable "a" {\n  default = ""\n}\nvariable "b" {\n  type    = object({ name = string, other = optional(string, "") })\n  default = { name = "" }\n}\nresource "aws_x" "y" {\n  value = ${expression}\n}\n`,
    ...more,
  });
  return read.show('aws_x.y', 'value');
}

describe('a default that is empty', () => {
  it.each([
    ['"x-${var.a}"', 'x-'],
    ['"${var.a}x"', 'x'],
    ['"x: ${var.a}"', 'x: '],
    ['"x:${var.a}-y"', 'x:-y'],
    ['"${var.a}-x:y"', '-x:y'],
    ['"${var.a}${var.b.name}"', ''],
    ['var.a', ''],
  ])('is one outside of names between colons: %s', (expression, expected) => {
    expect(shown(expression)).toBe(expected);
  });

  it.each([
    ['"x:${var.a}:y"', '?x:${var.a}:y'],
    ['"x:${var.a}"', '?x:${var.a}'],
    ['"${var.a}:${var.b.name}"', '?${var.a}:${var.b.name}'],
    ['"x:${var.b.other}${var.a}:y"', '?x:${var.b.other}${var.a}:y'],
    ['format("x:%s:y", var.a)', '?x:${?}:y'],
  ])('is no name: %s', (expression, expected) => {
    expect(shown(expression)).toBe(expected);
  });

  it('is what somebody gives who gives the same', () => {
    expect(shown('"x:${var.a}:y"', { 'terraform.tfvars': 'a = ""\n' })).toBe('x::y');
    expect(shown('"x:${""}:y"')).toBe('x::y');
    const fixed = 'variable "b" {\n  default = ""\n}\nresource "aws_x" "y" {\n  value = "x:${var.b}"\n}\n';
    const called = (given: string) =>
      configurations({ 'main.tf': `module "m" {\n  source = "./m"\n${given}}\n`, 'm/main.tf': fixed }).show(
        'module.m.aws_x.y',
        'value',
      );
    expect(called('  b = ""\n')).toBe('x:');
    expect(called('  b = "n"\n')).toBe('x:n');
  });
});

const VARIABLES = `
variable "on" {
  default = false
}
variable "settings" {
  default = { namespace = "", name = "" }
}
`;

const PROVIDER =
  'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF';

const ROLE = `
variable "namespace" {
  default = ""
}
variable "account" {
  default = ""
}
locals {
  account = "\${var.account}-sa"
}
resource "aws_iam_role" "irsa" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = "${PROVIDER}" }
      Condition = {
        StringEquals = {
          "oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF:aud" = "sts.amazonaws.com"
          "oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF:sub" = "system:serviceaccount:\${var.namespace}:\${local.account}"
        }
      }
    }]
  })
}
`;

/** What is said of the roles of service accounts in a configuration. */
function ofRoles(files: Readonly<Record<string, string>> | string): string[] {
  const { instances } = configurations(files, { knownModule: expandKnownModule });
  return findingsIn(readInstances(instances)).filter((finding) => finding.startsWith('irsa'));
}

const irsa = (version: string, folder: string, rest: string) => `
module "irsa" {
  source  = "terraform-aws-modules/iam/aws//modules/${folder}"
  version = "${version}"
${rest}
  oidc_providers = {
    main = {
      provider_arn               = "${PROVIDER}"
      namespace_service_accounts = ["\${var.settings.namespace}:\${var.settings.name}-sa"]
    }
  }
}
`;
const UP_TO_5 = ['5.60.0', 'iam-role-for-service-accounts-eks'] as const;
const FROM_6 = ['6.5.0', 'iam-role-for-service-accounts'] as const;

describe('a role whose subject is made of defaults that are empty', () => {
  const call = (given: string) => `${VARIABLES}module "m" {\n  source = "./m"\n${given}}\n`;

  it("can't be judged", () => {
    const unverifiable = ['irsa-trust-policy unverifiable info'];
    expect(ofRoles(ROLE)).toEqual(unverifiable);
    expect(ofRoles({ 'main.tf': call(''), 'm/main.tf': ROLE })).toEqual(unverifiable);
    const given = '  namespace = var.settings.namespace\n  account = var.settings.name\n';
    expect(ofRoles({ 'main.tf': call(given), 'm/main.tf': ROLE })).toEqual(unverifiable);
    // Of what nothing enables it isn't told.
    const off = `  count = var.on ? 1 : 0\n${given}`;
    expect(ofRoles({ 'main.tf': call(off), 'm/main.tf': ROLE })).toEqual([]);
    expect(ofRoles(VARIABLES + irsa(...UP_TO_5, '  role_name = "app"'))).toEqual(unverifiable);
    expect(ofRoles(VARIABLES + irsa(...FROM_6, '  name = "app"'))).toEqual(unverifiable);
  });

  it('fails where the call itself gives no name', () => {
    expect(ofRoles({ 'main.tf': call('  namespace = ""\n  account = "app"\n'), 'm/main.tf': ROLE })).toEqual([
      'irsa-trust-policy fail error',
    ]);
  });

  it('is not judged where nothing makes it', () => {
    for (const off of ['  count = var.on ? 1 : 0', '  create_role = var.on'])
      expect(ofRoles(VARIABLES + irsa(...UP_TO_5, off))).toEqual([]);
    for (const off of ['  count = var.on ? 1 : 0', '  create = var.on'])
      expect(ofRoles(VARIABLES + irsa(...FROM_6, off))).toEqual([]);
    expect(ofRoles(ROLE.replace('"irsa" {', '"irsa" {\n  count = 0'))).toEqual([]);
  });
});
