import { checkFiles } from '../../front-ends/kubernetes/manifests';

/** What a rule says of the role of service accounts in manifests that name it by its ARN. */
function told(files: Readonly<Record<string, string>>, wanted = 'irsa-subject'): readonly string[] {
  return checkFiles(files)
    .result.findings.filter(({ rule, resource }) => rule === wanted && resource.id === 'aws_iam_role.web')
    .map(({ verdict, messageId, message }) => (verdict === 'fail' ? (messageId ?? '') : message));
}

const role = (namespace: string, more = '') =>
  `${more}resource "aws_iam_role" "web" {
  name = "web"
  assume_role_policy = jsonencode({ Statement = [{
    Effect    = "Allow"
    Action    = "sts:AssumeRoleWithWebIdentity"
    Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE" }
    Condition = { StringEquals = { "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE:sub" = "system:serviceaccount:${namespace}:web" } }
  }] })
}
`;
const account = (namespace: string | undefined, number = '111122223333') =>
  `apiVersion: v1
kind: ServiceAccount
metadata:
  name: web
${namespace === undefined ? '' : `  namespace: ${namespace}\n`}  annotations:
    eks.amazonaws.com/role-arn: arn:aws:iam::${number}:role/web
---
apiVersion: v1
kind: Pod
metadata: { name: web${namespace === undefined ? '' : `, namespace: ${namespace}`} }
spec: { serviceAccountName: web, containers: [{ name: web, image: web }] }
`;
const byKubectl = (more: string) =>
  `resource "kubectl_manifest" "web" {
${more}  yaml_body = <<-EOT
    apiVersion: v1
    kind: ServiceAccount
    metadata:
      name: web
      annotations:
        eks.amazonaws.com/role-arn: \${aws_iam_role.web.arn}
  EOT
}
`;

describe('a service account without a namespace', () => {
  it('has the one that it is applied to, which a manifest does not tell', () => {
    expect(told({ 'main.tf': role('shop'), 'web.yaml': account(undefined) })).toEqual([
      expect.stringContaining('its manifest names no namespace, which is decided where it is applied'),
    ]);
    expect(told({ 'main.tf': role('shop'), 'web.yaml': account('shop') })).toEqual([]);
    expect(told({ 'main.tf': role('shop'), 'web.yaml': account('default') })).toEqual(['excluded']);
  });

  it('has that of its resource in Terraform', () => {
    expect(told({ 'main.tf': role('shop') + byKubectl('  override_namespace = "shop"\n') })).toEqual([]);
    expect(told({ 'main.tf': role('shop') + byKubectl('') })).toEqual(['excluded']);
    const given = 'variable "place" {}\n';
    expect(told({ 'main.tf': role('shop', given) + byKubectl('  override_namespace = var.place\n') })).toEqual([
      expect.stringContaining("Can't tell"),
    ]);
  });
});

describe('a role of the same name in another account', () => {
  it('is another one: a role trusts providers of its own account', () => {
    expect(told({ 'main.tf': role('prod'), 'web.yaml': account('staging', '444455556666') })).toEqual([]);
    expect(told({ 'main.tf': role('prod'), 'web.yaml': account('staging') })).toEqual(['excluded']);
  });
});

describe('a role for tokens of another audience', () => {
  const trusting = role('shop').replace(
    '"oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE:sub"',
    '"oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE:aud" = "web", $&',
  );
  const saidOf = (text: string) => told({ 'main.tf': trusting, 'web.yaml': text }, 'irsa-trust-policy');

  it('is right where the service account or a pod asks for that', () => {
    expect(saidOf(account('shop'))).toEqual(['audience']);
    expect(saidOf(account('shop').replace('annotations:', '$&\n    eks.amazonaws.com/audience: web'))).toEqual([]);
    const volume = '{ name: token, projected: { sources: [{ serviceAccountToken: { audience: web, path: token } }] } }';
    expect(saidOf(account('shop').replace('serviceAccountName: web', `$&, volumes: [${volume}]`))).toEqual([]);
    const release = `resource "helm_release" "web" {
  name   = "web"
  chart  = "web"
  values = [yamlencode({ serviceAccount = { annotations = { "eks.amazonaws.com/audience" = "web" } } })]
}
`;
    expect(told({ 'main.tf': trusting + release }, 'irsa-trust-policy')).toEqual([]);
  });
});
