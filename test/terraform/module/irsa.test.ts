import { EksModel, type EksResource, always } from '../../../lib/eks';
import { runRules } from '../../../lib/engine';
import { irsaTrustPolicy } from '../../../lib/rules/iam/irsa-trust-policy';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../../lib/terraform/module/root-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
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
resource "aws_iam_openid_connect_provider" "literal" {
  url            = "https://oidc.eks.eu-west-1.amazonaws.com/id/ABC"
  client_id_list = ["sts.amazonaws.com"]
}
resource "aws_iam_openid_connect_provider" "composed" {
  url            = "https://oidc.eks.\${var.region}.amazonaws.com/id/ABC"
  client_id_list = ["sts.amazonaws.com"]
}
variable "region" {}
data "aws_eks_cluster" "other" {
  name = "other"
}
data "aws_iam_openid_connect_provider" "other" {
  url = data.aws_eks_cluster.other.identity[0].oidc[0].issuer
}
data "aws_iam_openid_connect_provider" "by_arn" {
  arn = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC"
}
locals {
  issuer = replace(aws_eks_cluster.main.identity[0].oidc[0].issuer, "https://", "")
}
`;

/** What the rules on trust say of a role with the given conditions, whose keys hold an issuer that only apply tells. */
function trust(conditions: string, principal?: string, more?: string): string[] {
  return findingsIn(resourcesOf(conditions, principal, more)).filter((finding) => finding.startsWith('irsa'));
}

function texts(conditions: string): string[] {
  return runRules(new EksModel(resourcesOf(conditions)), [irsaTrustPolicy], {})
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ message }) => message);
}

function resourcesOf(
  conditions: string,
  principal = 'aws_iam_openid_connect_provider.main.arn',
  more = '',
): readonly EksResource[] {
  const role = `
resource "aws_iam_role" "app" {
  name = "app"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = ${principal} }
      Condition = { ${conditions} }
    }]
  })
}`;
  const file = hclFile([CLUSTER, role, more].join('\n'), 'main.tf');
  expect(file.diagnostics).toEqual([]);
  const access = { files: () => undefined, read: () => ({ problem: 'there are no files' }) };
  const [read] = readRootModules(
    [{ folder: '.', files: [file], variableFiles: [], stack: 'main', frontEnd: 'terraform' }],
    { access },
  );
  const resources = readInstances(read?.instances ?? []);
  expect(resources.find(({ kind }) => kind === 'role')?.exists).toBe(always);
  return resources;
}

describe('trust policies whose condition keys hold the issuer of a cluster', () => {
  it('are judged: exact subject and audience pass', () => {
    expect(
      trust(
        'StringEquals = { "${local.issuer}:sub" = "system:serviceaccount:app:api", "${local.issuer}:aud" = "sts.amazonaws.com" }',
      ),
    ).toEqual([]);
  });

  it('fail for a wildcard that is taken literally', () => {
    expect(
      trust(
        'StringEquals = { "${local.issuer}:sub" = "system:serviceaccount:app:*", "${local.issuer}:aud" = "sts.amazonaws.com" }',
      ),
    ).toEqual(['irsa-trust-policy fail error']);
  });

  const anyPod = 'StringEquals = { "${local.issuer}:aud" = "sts.amazonaws.com" }';
  const provider = 'aws_iam_openid_connect_provider.main.arn';

  it.each([
    ['a policy', 'resource "aws_iam_role_policy_attachment" "app" {\n  role = "app"\n  policy_arn = var.region\n}'],
    ['an output', 'output "arn" {\n  value = aws_iam_role.app.arn\n}'],
    ['a plan of somebody', '# buckets take aws_iam_role.app'],
  ])('fail without a subject where the role has %s', (_, more) => {
    expect(trust(anyPod, provider, more)).toEqual(['irsa-trust-policy fail error']);
  });

  it('are worth a note without a subject where the role may do nothing, and nothing here names it', () => {
    const unrelated = 'output "arn" {\n  value = aws_iam_role.app2.arn\n}';
    for (const more of ['', unrelated]) expect(trust(anyPod, provider, more)).toEqual(['irsa-trust-policy fail info']);
    expect(trust('StringLike = { "${local.issuer}:sub" = "system:serviceaccount:*:*" }')).toEqual([
      'irsa-trust-policy fail info',
    ]);
    expect(trust('StringEquals = { "${local.issuer}:sub" = "system:serviceaccount:app:*" }')).toEqual([
      'irsa-trust-policy fail error',
    ]);
  });

  it.each([
    ['twice', 'StringEquals = { "${local.issuer}:sub" = "system:serviceaccount:app:api" }, ', true],
    ['once', '', false],
  ])('say that an operator is written %s: the last of them counts', (_, first, isTold) => {
    const [text] = texts(`${first}StringEquals = { "\${local.issuer}:aud" = "sts.amazonaws.com" }`);
    expect(text).toContain('without a condition on `:sub`');
    expect(text?.includes('`StringEquals` is written more than once in one object')).toBe(isTold);
  });

  it('say nothing of objects that `merge` puts together, where the last one counts, too', () => {
    const condition =
      'StringEquals = merge({ "${local.issuer}:sub" = "a" }, { "${local.issuer}:sub" = "system:serviceaccount:app:api", "${local.issuer}:aud" = "sts.amazonaws.com" })';
    expect(texts(condition)).toEqual([]);
  });

  it('can not be judged where a key is not known at all', () => {
    expect(trust('StringEquals = { (var.key) = "system:serviceaccount:app:*" }')).toEqual([
      'irsa-trust-policy unverifiable info',
    ]);
  });
});

describe('the URL of an OIDC provider', () => {
  const exact = (issuer: string) =>
    `StringEquals = { "\${${issuer}}:sub" = "system:serviceaccount:app:api", "\${${issuer}}:aud" = "sts.amazonaws.com" }`;

  it.each([
    'aws_iam_openid_connect_provider.main',
    'aws_iam_openid_connect_provider.literal',
    'aws_iam_openid_connect_provider.composed',
    'data.aws_iam_openid_connect_provider.other',
    'data.aws_iam_openid_connect_provider.by_arn',
  ])('is read back without its scheme: %s', (provider) => {
    expect(trust(exact(`${provider}.url`), `${provider}.arn`)).toEqual([]);
    expect(trust(exact(`replace(${provider}.url, "https://", "")`), `${provider}.arn`)).toEqual([]);
  });

  it.each(['aws_eks_cluster.main', 'data.aws_eks_cluster.other'])(
    'is not that of the cluster, which has its scheme: %s',
    (cluster) => {
      expect(trust(exact(`${cluster}.identity[0].oidc[0].issuer`))).toEqual(['irsa-trust-policy fail error']);
    },
  );

  it.each(['aws_iam_openid_connect_provider.main', 'data.aws_iam_openid_connect_provider.other'])(
    'is no principal: %s',
    (provider) => {
      expect(trust(exact(`${provider}.url`), `${provider}.url`)).toEqual(['irsa-trust-policy fail error']);
    },
  );

  it('is not the ARN, of which a function may cut it out', () => {
    const arn = 'aws_iam_openid_connect_provider.main.arn';
    expect(trust(exact(arn), arn)).toEqual(['irsa-trust-policy fail error']);
    expect(trust(exact(`replace(${arn}, "/^(.*provider/)/", "")`), arn)).toEqual([]);
    const issuer = `replace(${arn}, "/^(.*provider/)/", "")`;
    expect(trust(exact(issuer), issuer)).toEqual(['irsa-trust-policy fail error']);
    expect(trust(exact(`element(split("oidc-provider/", ${arn}), 1)`), arn)).toEqual([]);
  });

  it('is no principal, which says all that is to say of a role without an audience', () => {
    const provider = 'aws_iam_openid_connect_provider.main.url';
    const subject = `StringEquals = { "\${${provider}}:sub" = "system:serviceaccount:app:api" }`;
    expect(trust(subject, provider)).toEqual(['irsa-trust-policy fail error']);
  });

  it('is given elsewhere where it is the empty default of a variable', () => {
    const empty = ['variable "issuer" {', '  default = ""', '}', 'variable "provider" {', '  default = ""', '}'].join(
      '\n',
    );
    const given = exact('var.issuer');
    for (const principal of ['var.provider', '"arn:aws:iam::111122223333:oidc-provider/${var.issuer}"'])
      expect(trust(given, principal, empty)).toEqual(['irsa-trust-policy unverifiable info']);
  });

  it('needs no condition on the audience where the provider takes only that of AWS STS', () => {
    const subject =
      'StringEquals = { "${aws_iam_openid_connect_provider.main.url}:sub" = "system:serviceaccount:app:api" }';
    expect(trust(subject)).toEqual([]);
    const cutAgain = `"arn:aws:iam::111122223333:oidc-provider/\${replace(aws_iam_openid_connect_provider.main.url, "https://", "")}"`;
    expect(trust(subject, cutAgain)).toEqual([]);
    expect(
      trust(
        subject.replace('aws_', 'data.aws_').replace('main', 'other'),
        'data.aws_iam_openid_connect_provider.other.arn',
      ),
    ).toEqual(['irsa-trust-policy fail info']);
  });
});

describe('a placeholder of the user guide', () => {
  const id = 'oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';
  const exact = (issuer: string) =>
    `StringEquals = { "${issuer}:sub" = "system:serviceaccount:app:api", "${issuer}:aud" = "sts.amazonaws.com" }`;
  const principal = (issuer: string) => `"arn:aws:iam::111122223333:oidc-provider/${issuer}"`;
  const real = '${aws_iam_openid_connect_provider.main.url}';

  it('never matches what a provider of the configuration tells', () => {
    expect(trust(exact(real), principal(id))).toEqual(['irsa-trust-policy fail error']);
    expect(trust(exact(real), principal('oidc.eks.eu-central-1.amazonaws.com/id/<your-id>'))).toEqual([
      'irsa-trust-policy fail error',
    ]);
    expect(trust(exact(id), 'aws_iam_openid_connect_provider.main.arn')).toEqual(['irsa-trust-policy fail error']);
    expect(trust(exact(id), 'data.aws_iam_openid_connect_provider.other.arn')).toEqual([
      'irsa-trust-policy fail error',
    ]);
    expect(
      trust(exact(id), principal('oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF')),
    ).toEqual(['irsa-trust-policy fail error']);
  });

  it('on both sides is an example, and beside what nobody tells it may be right', () => {
    expect(trust(exact(id), principal(id))).toEqual([]);
    expect(trust(exact('oidc.eks.eu-central-1.amazonaws.com/id/${var.key}'), principal(id))).toEqual([]);
    expect(
      trust(
        exact('oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF'),
        'aws_iam_openid_connect_provider.main.arn',
      ),
    ).toEqual([]);
  });

  it.each([
    'replace(aws_iam_openid_connect_provider.main.arn, "/.*id//", "")',
    'replace(aws_iam_openid_connect_provider.main.url, "https://example.com/", "")',
    'trimprefix(aws_iam_openid_connect_provider.main.url, "<scheme>")',
    'var.your_id',
    'var.example_id',
  ])('is only what somebody wrote, not an expression: %s', (expression) => {
    const issuer = `oidc.eks.eu-central-1.amazonaws.com/id/\${${expression}}`;
    expect(trust(exact(issuer))).toEqual([]);
    expect(trust(exact(real), principal(issuer))).toEqual([]);
    expect(trust(exact(issuer.replace('eu-central-1', '${var.region}')))).toEqual([]);
  });
});

describe('a subject that only apply tells', () => {
  const subject = (namespace: string) =>
    trust(
      `StringEquals = { "\${local.issuer}:sub" = "system:serviceaccount:${namespace}", "\${local.issuer}:aud" = "sts.amazonaws.com" }`,
    );

  it('has no wildcards in its expressions', () => {
    expect(subject('${replace(data.other.one.id, "/.*-/", "")}:api')).toEqual(['irsa-trust-policy unverifiable info']);
    expect(subject('${replace("${data.other.one.id}-x", "/.*-/", "")}:api')).toEqual([
      'irsa-trust-policy unverifiable info',
    ]);
    expect(subject('${replace("${replace("${data.other.one.id}-x", "/.*-/", "")}-y", "/.*-/", "")}:api')).toEqual([
      'irsa-trust-policy unverifiable info',
    ]);
  });

  it('keeps those that stand beside them', () => {
    expect(subject('${replace("${data.other.one.id}-x", "/.*-/", "")}:*')).toEqual(['irsa-trust-policy fail error']);
  });
});
