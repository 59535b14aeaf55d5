import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { expandKnownModule } from '../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { irsaOidcProvider } from '../../../lib/rules/iam/irsa-oidc-provider';
import { configurations } from '../../terraform/module/configurations';

const WEST = 'provider "aws" {\n  alias = "west"\n}\n';
const eks = (more = '', version = '"~> 20.0"') =>
  `module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = ${version}\n  cluster_name = "main"\n${more}}\n`;
const own = (more = '', url = 'module.eks.cluster_oidc_issuer_url') =>
  `resource "aws_iam_openid_connect_provider" "own" {\n  url = ${url}\n  client_id_list = ["sts.amazonaws.com"]\n${more}}\n`;

function found(...parts: readonly string[]): readonly string[] {
  const { instances } = configurations(parts.join(''), { knownModule: expandKnownModule });
  return runRules(new EksModel(readInstances(instances)), [irsaOidcProvider]).flatMap(
    ({ verdict, messageId, resource, message }) =>
      verdict === 'fail' && messageId === 'second' ? [`${resource.id}: ${message}`] : [],
  );
}

describe('a provider beside that of the module for clusters', () => {
  it('is refused by IAM', () => {
    const [one, ...others] = found(eks(), own());
    expect(others).toEqual([]);
    expect(one).toMatch(
      /^aws_iam_openid_connect_provider\.own: .* for which module\.eks\.aws_iam_openid_connect_provider\.oidc_provider\[0\] makes one/,
    );
    // The same alias for both.
    const alias = '  providers = {\n    aws = aws.west\n  }\n';
    expect(found(WEST, eks(alias), own('  provider = aws.west\n'))).toHaveLength(1);
  });

  it('is refused for a cluster that is looked up, too', () => {
    const data = 'data "aws_eks_cluster" "c" {\n  name = "main"\n}\n';
    const url = 'data.aws_eks_cluster.c.identity[0].oidc[0].issuer';
    expect(found(data, own('', url), own('', url).replace('"own"', '"again"'))).toHaveLength(1);
    expect(found(data, own('', url), own('', url.replace('.c.', '.d.')).replace('"own"', '"again"'))).toEqual([]);
  });

  it.each([
    ['the module makes none', [eks('  enable_irsa = false\n'), own()]],
    ['a variable decides about that', ['variable "irsa" {}\n', eks('  enable_irsa = var.irsa\n'), own()]],
    ['a version made none by itself', [eks('', '"~> 17.0"'), own()]],
    ['another provider makes it', [WEST, eks(), own('  provider = aws.west\n')]],
    ['the module has another provider', [WEST, eks('  providers = {\n    aws = aws.west\n  }\n'), own()]],
    ['which provider it is is not known', [eks(), own('  provider = aws.by_region["west"]\n')]],
    ['there is none', [eks(), own('  count = 0\n')]],
    ['a variable decides about it', ['variable "own" {}\n', eks(), own('  count = var.own ? 1 : 0\n')]],
    ['it is for the other issuer of the cluster', [eks(), own('', 'module.eks.cluster_dualstack_oidc_issuer_url')]],
    ['it is for GitHub', [eks(), own('', '"https://token.actions.githubusercontent.com"')]],
  ])('is none where %s', (_, parts) => {
    expect(found(...parts)).toEqual([]);
  });
});
