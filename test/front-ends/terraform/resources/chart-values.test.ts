import { runRules, type Finding } from '../../../../lib/engine';
import { EksModel } from '../../../../lib/eks';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { securityGroupPolicy } from '../../../../lib/rules/vpc-cni/security-group-policy';
import { vpcCniTcpEarlyDemux } from '../../../../lib/rules/vpc-cni/vpc-cni-tcp-early-demux';
import { vpcCniWarmTargets } from '../../../../lib/rules/vpc-cni/vpc-cni-warm-targets';
import { configurations } from '../../../terraform/module/configurations';

const HEAD = `
resource "aws_eks_cluster" "main" {
  name    = "main"
  version = "1.36"
}
data "aws_eks_cluster_auth" "main" {
  name = aws_eks_cluster.main.name
}
provider "helm" {
  kubernetes = {
    host  = aws_eks_cluster.main.endpoint
    token = data.aws_eks_cluster_auth.main.token
  }
}
provider "kubernetes" {
  host  = aws_eks_cluster.main.endpoint
  token = data.aws_eks_cluster_auth.main.token
}
`;

function found(values: string, more = ''): Finding {
  const release = `resource "helm_release" "cni" {\n  name = "aws-vpc-cni"\n  namespace = "kube-system"\n  repository = "https://aws.github.io/eks-charts"\n  chart = "aws-vpc-cni"\n  values = [yamlencode(${values})]\n}\n`;
  const { instances } = configurations(HEAD + release + more);
  const [finding, ...others] = runRules(new EksModel(readInstances(instances)), [
    vpcCniTcpEarlyDemux,
    vpcCniWarmTargets,
    securityGroupPolicy,
  ]).filter(({ verdict }) => verdict === 'fail');
  expect(others).toEqual([]);
  if (finding === undefined) throw new Error('nothing is found');
  return finding;
}

describe('what is to be written for the VPC CNI of a chart is written into its values', () => {
  test('in one line', () => {
    expect(found('{ env = { MINIMUM_IP_TARGET = "30" } }').fixCode).toMatch(
      /^# behind the other values of helm_release\.cni, over which Helm merges them:\nyamlencode\(\{ env = \{ MINIMUM_IP_TARGET = "\d+", WARM_IP_TARGET = "\d+" \} \}\)$/,
    );
  });

  test('in several', () => {
    expect(found('{ env = { ENABLE_POD_ENI = "true" } }').fixCode).toBe(
      '# behind the other values of helm_release.cni, over which Helm merges them:\nyamlencode({\n  env  = { ENABLE_POD_ENI = "true" }\n  init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } }\n})',
    );
  });

  test('in words', () => {
    const policy =
      'resource "kubernetes_manifest" "web" {\n  manifest = { apiVersion = "vpcresources.k8s.aws/v1beta1", kind = "SecurityGroupPolicy", metadata = { name = "web", namespace = "web" }, spec = { podSelector = {}, securityGroups = { groupIds = ["sg-1"] } } }\n}\n';
    expect(found('{ env = { WARM_ENI_TARGET = "1" } }', policy).fix).toMatch(
      /^Set `env\.ENABLE_POD_ENI` to `"true"` in the chart's values,/,
    );
  });
});
