import { advised, outcomes } from './advised';

/* A subject beside those that a role trusts goes into the line that has one, however that is written. */

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABCDEF0123456789ABCDEF0123456789';

const ACCOUNT = (role: string): string => `
resource "aws_iam_openid_connect_provider" "main" {
  url            = "https://${ISSUER}"
  client_id_list = ["sts.amazonaws.com"]
}
resource "kubernetes_service_account" "app" {
  metadata {
    name        = "app"
    namespace   = "shop"
    annotations = { "eks.amazonaws.com/role-arn" = ${role} }
  }
}
`;

const ROLE = (condition: string): string => `
resource "aws_iam_role" "app" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = aws_iam_openid_connect_provider.main.arn }
      Condition = {
        StringEquals = {
${condition}
          "${ISSUER}:aud" = "sts.amazonaws.com"
        }
      }
    }]
  })
}
${ACCOUNT('aws_iam_role.app.arn')}`;

const DOCUMENT = (values: string): string => `
data "aws_iam_policy_document" "app" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = [aws_iam_openid_connect_provider.main.arn]
    }
    condition {
      test     = "StringEquals"
      variable = "${ISSUER}:sub"
      values   = ${values}
    }
    condition {
      test     = "StringEquals"
      variable = "${ISSUER}:aud"
      values   = ["sts.amazonaws.com"]
    }
  }
}
variable "namespace" {
  default = "cart"
}
resource "aws_iam_role" "app" {
  assume_role_policy = data.aws_iam_policy_document.app.json
}
${ACCOUNT('aws_iam_role.app.arn')}`;

const MODULE = (accounts: string): string => `
module "irsa" {
  source    = "terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts-eks"
  version   = "~> 5.39"
  role_name = "app"
  oidc_providers = {
    main = {
      provider_arn               = aws_iam_openid_connect_provider.main.arn
      namespace_service_accounts = ${accounts}
    }
  }
}
${ACCOUNT('module.irsa.iam_role_arn')}`;

const BOTH = '"system:serviceaccount:cart:app", "system:serviceaccount:shop:app"';

describe('one more subject that a role trusts', () => {
  it.each([
    ['beside a single one', ROLE(`          "${ISSUER}:sub" = "system:serviceaccount:cart:app"`), `= [${BOTH}]`],
    ['in a list', ROLE(`          "${ISSUER}:sub" = ["system:serviceaccount:cart:app"]`), `= [${BOTH}]`],
    [
      'in a list of several lines',
      ROLE(`          "${ISSUER}:sub" = [\n            "system:serviceaccount:cart:app",\n          ]`),
      `            ${BOTH},`,
    ],
    ['in a statement of a data source', DOCUMENT('["system:serviceaccount:cart:app"]'), `values   = [${BOTH}]`],
    [
      'beside one that is put together',
      DOCUMENT('["system:serviceaccount:${var.namespace}:app"]'),
      'values   = ["system:serviceaccount:${var.namespace}:app", "system:serviceaccount:shop:app"]',
    ],
    ['without its begin in the call of a module', MODULE('["cart:app"]'), '= ["cart:app", "shop:app"]'],
  ])('%s', (_, text, code) => {
    const files = { 'main.tf': text };
    expect(advised(files, 'irsa-subject')[0]?.finding.fixCode).toContain(code);
    expect(outcomes(files, 'irsa-subject')).toEqual(['works']);
  });

  it('is words alone where the line holds the policy as a whole, or the subject in the middle of something', () => {
    const document = 'jsonencode({ Version = "2012-10-17", Statement = [local.statement] })';
    const statement = `{
    Effect    = "Allow"
    Action    = "sts:AssumeRoleWithWebIdentity"
    Principal = { Federated = aws_iam_openid_connect_provider.main.arn }
    Condition = { StringEquals = { "${ISSUER}:sub" = join(":", ["system:serviceaccount", "cart", "app"]) } }
  }`;
    const text = `
locals {
  statement = ${statement}
}
resource "aws_iam_role" "app" {
  assume_role_policy = ${document}
}
${ACCOUNT('aws_iam_role.app.arn')}`;
    expect(outcomes({ 'main.tf': text }, 'irsa-subject')).toEqual(['prose']);
  });
});

describe('the subject of a role that every pod can assume', () => {
  const template = (statement: string): string => `Resources:
  Main:
    Type: AWS::EKS::Cluster
    Properties:
      Version: "1.35"
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
  Provider:
    Type: AWS::IAM::OIDCProvider
    Properties:
      Url: !GetAtt Main.OpenIdConnectIssuerUrl
      ClientIdList: [sts.amazonaws.com]
  Driver:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
${statement}
      ManagedPolicyArns: [arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy]
  Ebs:
    Type: AWS::EKS::Addon
    Properties: { ClusterName: !Ref Main, AddonName: aws-ebs-csi-driver, ServiceAccountRoleArn: !GetAtt Driver.Arn }
`;

  it('is the controller of the EBS driver where the add-on has the role', () => {
    const text = template(`          - Effect: Allow
            Principal: { Federated: !Ref Provider }
            Action: sts:AssumeRoleWithWebIdentity`);
    const [advice] = advised({ 'main.yaml': text }, 'irsa-trust-policy');
    expect(advice?.finding.fixCode).toContain(
      '"${OIDC}:sub": "system:serviceaccount:kube-system:ebs-csi-controller-sa"',
    );
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
  });
});

it('takes the issuer from the ARN that a template is told, and the subject as it is composed', () => {
  const template = `Parameters:
  ProviderArn:
    Type: String
  Namespace:
    Type: String
    Default: prod
Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: { Federated: !Ref ProviderArn }
            Action: sts:AssumeRoleWithWebIdentity
            Condition:
              StringEquals:
                oidc.eks.amazonaws.com/id/\${aws:userid}:sub: !Sub "system:serviceaccount:\${Namespace}:app"
`;
  const [advice] = advised({ 'template.yaml': template }, 'irsa-trust-policy');
  expect(advice?.finding.fixCode).toContain('"${OIDC}:sub": "system:serviceaccount:${Namespace}:app"');
  expect(advice?.finding.fixCode).toContain('- OIDC: !Select [1, !Split ["oidc-provider/", !Ref ProviderArn]]');
  expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
  // What stands in no parameter, only the user knows.
  const written = template.replace('!Ref ProviderArn', '!Sub "${ProviderArn}"');
  expect(advised({ 'template.yaml': written }, 'irsa-trust-policy').map(({ outcome }) => outcome)).toEqual(['prose']);
});
