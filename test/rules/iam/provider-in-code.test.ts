import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { expandKnownModule } from '../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { irsaSubject } from '../../../lib/rules/iam/irsa-subject';
import { irsaTrustPolicy } from '../../../lib/rules/iam/irsa-trust-policy';
import { configurations } from '../../terraform/module/configurations';

const CLUSTER = 'resource "aws_eks_cluster" "c" {\n  name = "main"\n}\n';
const PROVIDER =
  'resource "aws_iam_openid_connect_provider" "irsa" {\n  url = aws_eks_cluster.c.identity[0].oidc[0].issuer\n  client_id_list = ["sts.amazonaws.com"]\n}\n';
const MODULE =
  'module "prod" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "21.19.0"\n  name = "main"\n}\n';
const ADDON =
  'resource "aws_eks_addon" "cni" {\n  cluster_name = "main"\n  addon_name = "vpc-cni"\n  service_account_role_arn = aws_iam_role.r.arn\n}\n';

const role = (federated: string, conditions: string) =>
  `resource "aws_iam_role" "r" {\n  name = "r"\n  assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "sts:AssumeRoleWithWebIdentity", Principal = { Federated = ${federated} }${conditions} }] })\n}\n`;
const on = (key: string) =>
  `, Condition = { StringEquals = { "${key}:aud" = "sts.amazonaws.com", "${key}:sub" = "system:serviceaccount:kube-system:other" } }`;

function codesOf(rule: typeof irsaSubject, text: string): readonly (string | undefined)[] {
  const { instances } = configurations(text, { knownModule: expandKnownModule });
  return runRules(new EksModel(readInstances(instances)), [rule])
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ fixCode }) => fixCode);
}

function fixOf(rule: typeof irsaSubject, text: string): string {
  const [code] = codesOf(rule, text);
  expect(code).toBeDefined();
  expect(code).not.toContain('provider.eks');
  return code ?? '';
}

describe('the code of a fix names the OIDC provider of the input', () => {
  it('by its address, or by the key that the condition has', () => {
    const key = '${replace(aws_iam_openid_connect_provider.irsa.url, "https://", "")}';
    expect(
      fixOf(irsaSubject, CLUSTER + PROVIDER + ADDON + role('aws_iam_openid_connect_provider.irsa.arn', on(key))),
    ).toContain(`"${key}:sub" = [`);
    expect(
      fixOf(
        irsaSubject,
        ADDON +
          role(
            '"arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/A"',
            on('oidc.eks.eu-west-1.amazonaws.com/id/A'),
          ),
      ),
    ).toMatch(/^# in place of line \d+ of main\.tf:\n.*"oidc\.eks\.eu-west-1\.amazonaws\.com\/id\/A:sub" = \[/);
  });

  it('and has none where it would have to name the service account', () => {
    for (const [others, federated] of [
      [CLUSTER + PROVIDER, 'aws_iam_openid_connect_provider.irsa.arn'],
      [MODULE, 'module.prod.oidc_provider_arn'],
      ['', '"arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/A"'],
    ] as const) {
      const codes = codesOf(irsaTrustPolicy, others + role(federated, ''));
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) expect(code).toBeUndefined();
    }
  });

  it('the only one beside a role that trusts none', () => {
    const pods =
      'resource "aws_iam_role" "r" {\n  name = "r"\n  assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] })\n}\n';
    const code = fixOf(irsaSubject, CLUSTER + PROVIDER + ADDON + pods);
    for (const part of [
      /^assume_role_policy = jsonencode\(/,
      /Principal = \{ Service = "ec2\.amazonaws\.com" \}/,
      /Principal = \{ Federated = aws_iam_openid_connect_provider\.irsa\.arn \}/,
      /"\$\{replace\(aws_iam_openid_connect_provider\.irsa\.url, .*:aud" = "sts/,
      /"\$\{replace\(aws_iam_openid_connect_provider\.irsa\.url, .*:sub" = "system:serviceaccount:kube-system:aws-node"/,
    ])
      expect(code).toMatch(part);
    // What it trusts besides can't be written again: tags of the session, or another issuer.
    const tagged = pods.replace('"sts:AssumeRole"', '["sts:AssumeRole", "sts:TagSession"]');
    const github = role('"arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com"', '');
    for (const trust of [tagged, github])
      expect(codesOf(irsaSubject, CLUSTER + PROVIDER + ADDON + trust)).toEqual([undefined]);
    // Which one is meant, or what it is called, words leave to the reader.
    for (const others of [CLUSTER + PROVIDER + PROVIDER.replace('"irsa"', '"second"'), ''])
      expect(codesOf(irsaSubject, others + ADDON + pods)).toEqual([undefined]);
  });
});

describe('a key that is made of the ARN of the provider', () => {
  const arn = 'aws_iam_openid_connect_provider.irsa.arn';
  const found = (key: string) => {
    const text = CLUSTER + PROVIDER + ADDON + role(arn, on(key));
    const { instances } = configurations(text, { knownModule: expandKnownModule });
    return runRules(new EksModel(readInstances(instances)), [irsaTrustPolicy])
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ messageId, message }) => ({ messageId, message }));
  };

  it.each([
    [`\${${arn}}`, 'the ARN of the provider in the place of its URL'],
    [`\${replace(${arn}, "https://", "")}`, 'the ARN of the provider in the place of its URL'],
    [`\${trimprefix(${arn}, "https://")}`, 'the ARN of the provider in the place of its URL'],
    [`\${split("/", ${arn})[1]}`, 'the host of the URL alone'],
    [`\${element(split("/", ${arn}), 1)}`, 'the host of the URL alone'],
  ])('names no claim: %s', (key, before) => {
    const [one, ...others] = found(key);
    expect(others).toEqual([]);
    expect(one?.messageId).toBe('key-scheme');
    expect(one?.message).toContain(`with ${before}`);
  });

  it('lets nobody in, so that a missing subject opens nothing', () => {
    const audience = `, Condition = { StringEquals = { "\${replace(${arn}, "https://", "")}:aud" = "sts.amazonaws.com" } }`;
    const { instances } = configurations(CLUSTER + PROVIDER + role(arn, audience), { knownModule: expandKnownModule });
    const all = runRules(new EksModel(readInstances(instances)), [irsaTrustPolicy]);
    expect(all.flatMap((one) => (one.verdict === 'fail' ? [one.messageId] : []))).toEqual(['key-scheme']);
  });

  it('is none of a cluster where the subject is that of somebody else', () => {
    const key = `\${split("/", ${arn})[1]}`;
    const github = on(key).replace('system:serviceaccount:kube-system:other', 'repo:shop/app:ref:refs/heads/main');
    const { instances } = configurations(CLUSTER + PROVIDER + role(arn, github), { knownModule: expandKnownModule });
    const all = runRules(new EksModel(readInstances(instances)), [irsaTrustPolicy]);
    expect(all.flatMap((one) => (one.verdict === 'fail' ? [one.messageId] : []))).toEqual(['foreign-subject']);
  });

  it('has the URL where that is cut out of it', () => {
    for (const key of [
      `\${replace(${arn}, "/^(.*provider/)/", "")}`,
      `\${split("oidc-provider/", ${arn})[1]}`,
      `\${element(split("oidc-provider/", ${arn}), 1)}`,
      `\${split("provider/", ${arn})[1]}`,
    ])
      expect(found(key)).toEqual([]);
  });
});

describe('the URL of an issuer where its id belongs', () => {
  const issuer = 'aws_eks_cluster.c.identity[0].oidc[0].issuer';
  const host = 'oidc.eks.${data.aws_region.current.name}.amazonaws.com/id/';
  const arn = (id: string) =>
    `"arn:aws:iam::\${data.aws_caller_identity.current.account_id}:oidc-provider/${host}${id}"`;
  const id = `\${split("/", ${issuer})[4]}`;
  const found = (inPrincipal: string, inKey: string) => {
    const text = CLUSTER + PROVIDER + ADDON + role(arn(inPrincipal), on(host + inKey));
    const { instances } = configurations(text, { knownModule: expandKnownModule });
    return runRules(new EksModel(readInstances(instances)), [irsaTrustPolicy]).flatMap(({ verdict, messageId }) =>
      verdict === 'fail' ? [messageId] : [],
    );
  };

  it.each([
    `\${${issuer}}`,
    `\${replace(${issuer}, "https://", "")}`,
    '${aws_iam_openid_connect_provider.irsa.url}',
    'https://oidc.eks.eu-west-1.amazonaws.com/id/ABC',
    'oidc.eks.eu-west-1.amazonaws.com/id/ABC',
  ])('names no provider, and no claim: %s', (whole) => {
    expect(found(whole, id)).toEqual(['principal']);
    expect(found(id, whole)).toContain('key-scheme');
  });

  it.each([
    id,
    `\${element(split("/", ${issuer}), 4)}`,
    `\${basename(${issuer})}`,
    `\${replace(${issuer}, "/.*id//", "")}`,
    `\${trimprefix(${issuer}, "https://oidc.eks.eu-west-1.amazonaws.com/id/")}`,
    `\${regex("[^/]+$", ${issuer})}`,
    '${element(split("/", aws_iam_openid_connect_provider.irsa.url), 2)}',
    '${var.id}',
    'ABCDEF0123456789',
  ])('may be cut down to the id: %s', (part) => {
    expect(found(part, part)).toEqual([]);
  });
});

describe('an issuer behind the account of a provider ARN', () => {
  const issuer = 'aws_eks_cluster.c.identity[0].oidc[0].issuer';
  const key = `\${replace(${issuer}, "https://", "")}`;
  const verdicts = (federated: string) =>
    codesOf(irsaTrustPolicy, CLUSTER + role(`"arn:aws:iam::111122223333:${federated}"`, on(key))).length;

  it.each([
    ['is no provider', `\${replace(${issuer}, "https://", "")}`, 1],
    ['is none without its scheme', `\${trimprefix(${issuer}, "https://")}`, 1],
    [
      'is one where something else takes the place of the scheme',
      `\${replace(${issuer}, "https://", "oidc-provider/")}`,
      0,
    ],
    ['is one behind oidc-provider/', `oidc-provider/\${replace(${issuer}, "https://", "")}`, 0],
  ])('%s', (_, federated, count) => {
    expect(verdicts(federated)).toBe(count);
  });
});
