import { checkPaths } from '../../../lib/check';
import { AS_OF } from '../../as-of';
import { workspace } from '../../cli/workspace';

/** What every object of JavaScript has, and no table of ours. */
const NAMES = ['constructor', 'toString', '__proto__'];

describe('names that every object has', () => {
  const folder = workspace(
    Object.fromEntries(
      NAMES.map((name) => [
        `${name}/main.tf`,
        `resource "aws_eks_cluster" "this" {
  name     = "shop"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  version  = "1.35"
}
module "eks" {
  source   = "terraform-aws-modules/eks/aws"
  version  = "21.0.0"
  name     = "${name}"
  ${name}  = 1
  eks_managed_node_groups = { a = { platform = "${name}" } }
}
resource "helm_release" "this" {
  name      = "${name}"
  chart     = "${name}"
  namespace = "kube-system"
}
resource "kubectl_manifest" "this" {
  yaml_body = <<-YAML
    apiVersion: karpenter.sh/v1
    kind: NodePool
    metadata:
      name: ${name}
    spec:
      ${name}: 1
      disruption:
        consolidationPolicy: ${name}
  YAML
}
`,
      ]),
    ),
  );

  it.each(NAMES)('stop no rule: %s', (name) => {
    const { findings } = checkPaths([`${folder}/${name}`], { asOf: AS_OF, preset: 'all' });

    expect(findings.filter(({ rule }) => rule === 'rule-crashed').map(({ message }) => message)).toEqual([]);
    expect(findings.filter(({ message }) => message.includes('[native code]'))).toHaveLength(0);
  });
});
