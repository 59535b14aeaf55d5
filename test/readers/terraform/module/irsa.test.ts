import { always } from '../../../../lib/model';
import { hclFile } from '../../../../lib/readers/terraform/module/hcl-file';
import { readRootModules } from '../../../../lib/readers/terraform/module/root-modules';
import { readInstances } from '../../../../lib/readers/terraform/resources';
import { findingsIn } from '../instances';

const CLUSTER = `
resource "aws_eks_cluster" "main" {
  name    = "main"
  version = "1.35"
}
resource "aws_iam_openid_connect_provider" "main" {
  url            = aws_eks_cluster.main.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}
locals {
  issuer = replace(aws_eks_cluster.main.identity[0].oidc[0].issuer, "https://", "")
}
`;

/** What the rules on trust say of a role with the given conditions, whose keys hold an issuer that only apply tells. */
function trust(conditions: string): string[] {
  const role = `
resource "aws_iam_role" "app" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = aws_iam_openid_connect_provider.main.arn }
      Condition = { ${conditions} }
    }]
  })
}`;
  const file = hclFile(CLUSTER + role, 'main.tf');
  expect(file.diagnostics).toEqual([]);
  const access = { files: () => undefined, read: () => ({ problem: 'there are no files' }) };
  const [read] = readRootModules([{ folder: '.', files: [file], variableFiles: [], stack: 'main', frontEnd: 'terraform' }], { access });
  const resources = readInstances(read?.instances ?? []);
  expect(resources.find(({ kind }) => kind === 'role')?.exists).toBe(always);
  return findingsIn(resources).filter((finding) => finding.startsWith('irsa'));
}

describe('trust policies whose condition keys hold the issuer of a cluster', () => {
  it('are judged: exact subject and audience pass', () => {
    expect(trust('StringEquals = { "${local.issuer}:sub" = "system:serviceaccount:app:api", "${local.issuer}:aud" = "sts.amazonaws.com" }')).toEqual([]);
  });

  it('fail for a wildcard that is taken literally', () => {
    expect(trust('StringEquals = { "${local.issuer}:sub" = "system:serviceaccount:app:*", "${local.issuer}:aud" = "sts.amazonaws.com" }')).toEqual(['irsa-trust-policy fail error']);
  });

  it('fail without a subject', () => {
    expect(trust('StringEquals = { "${local.issuer}:aud" = "sts.amazonaws.com" }')).toEqual(['irsa-trust-policy fail error']);
  });

  it('can not be judged where a key is not known at all', () => {
    expect(trust('StringEquals = { (var.key) = "system:serviceaccount:app:*" }')).toEqual(['irsa-trust-policy unverifiable info']);
  });
});
