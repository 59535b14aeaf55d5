import { checkFiles } from '../../front-ends/kubernetes/manifests';

/* A folder that several calls make roles of: what one of the roles needs stands beside its call. */

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF';

const FOLDER = `variable "name" {
  type = string
}
variable "subject" {
  type = string
}
resource "aws_iam_role" "this" {
  name = var.name
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Federated = "arn:aws:iam::123456789012:oidc-provider/${ISSUER}" }
      Action    = "sts:AssumeRoleWithWebIdentity"
      Condition = { StringEquals = { "${ISSUER}:sub" = var.subject, "${ISSUER}:aud" = "sts.amazonaws.com" } }
    }]
  })
}
resource "aws_iam_role_policy" "this" {
  role   = aws_iam_role.this.id
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = ["ec2:Describe*", "elasticloadbalancing:*"], Resource = "*" }] })
}
`;

const call = (label: string, name: string, account: string, more = '') =>
  `module "${label}" {\n  source  = "./role"\n  name    = ${name}\n  subject = "system:serviceaccount:kube-system:${account}"\n${more}}\n`;

const CHART = `resource "helm_release" "lbc" {
  name       = "aws-load-balancer-controller"
  namespace  = "kube-system"
  repository = "https://aws.github.io/eks-charts"
  chart      = "aws-load-balancer-controller"
  version    = "1.7.2"
  values     = [yamlencode({ clusterName = "demo", serviceAccount = { name = "aws-load-balancer-controller", annotations = { "eks.amazonaws.com/role-arn" = "arn:aws:iam::123456789012:role/lbc" } } })]
}
`;

const LBC = call('lbc', '"lbc"', 'aws-load-balancer-controller');
const DNS = call('dns', '"dns"', 'external-dns');

function found(main: string) {
  const { result } = checkFiles({ 'main.tf': main, 'role/main.tf': FOLDER }, ['main.tf']);
  return result.findings.filter(
    ({ rule, verdict }) => rule === 'load-balancer-controller-policy' && verdict === 'fail',
  );
}

it('goes beside the call by the name of the role, and works there', () => {
  const main = LBC + DNS + CHART;
  const [finding, ...more] = found(main);
  expect(more).toEqual([]);
  const code = finding?.fixCode ?? '';
  expect(code.split('\n').slice(0, 4)).toEqual([
    '# beside module.lbc, whose folder makes other roles, too:',
    'resource "aws_iam_role_policy" "load_balancer_controller_more" {',
    '  role = "lbc"',
    '  depends_on = [module.lbc]',
  ]);
  expect(found(main + code)).toEqual([]);
});

it.each([
  ['one call', LBC],
  [
    'several instances of one call',
    call('lbc', '"lbc"', 'aws-load-balancer-controller', '  for_each = toset(["a"])\n'),
  ],
])('goes into the folder where that is made for nothing else: %s', (_, calls) => {
  expect(found(calls + CHART)[0]?.fixCode).toContain('role = aws_iam_role.this.name');
});
