import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { instancesOf } from '../../rules/terraform/front-ends';
import { findingsIn } from '../instances';

const HCL = (otherwise: string) => `
resource "aws_eks_cluster" "main" {
  name    = "main"
  version = "1.35"
}
data "aws_eks_addon_version" "this" {
  for_each           = toset(["kube-proxy"])
  addon_name         = each.key
  kubernetes_version = aws_eks_cluster.main.version
  most_recent        = true
}
resource "aws_eks_addon" "this" {
  for_each      = toset(["kube-proxy"])
  cluster_name  = aws_eks_cluster.main.name
  addon_name    = each.key
  addon_version = data.aws_eks_addon_version.this[each.key].id == each.key ? data.aws_eks_addon_version.this[each.key].version : ${otherwise}
}`;

function findings(otherwise: string): string[] {
  return findingsIn(readInstances(instancesOf(hclFile(HCL(otherwise), 'main.tf')))).filter((finding) =>
    finding.startsWith('addon-version'),
  );
}

it('the id of a looked up add-on version is the name of the add-on, so that the other branch never counts', () => {
  expect(findings('"v1.0.0-eksbuild.1"')).toEqual(findings('null'));
  expect(findings('null').join()).not.toContain('This happens when');
});
