import { EksModel } from '../../../lib/eks';
import { runRules } from '../../../lib/engine';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { ebsCsiRoleMissing } from '../../../lib/rules/iam/ebs-csi-role-missing';
import { vpcCniRoleMissing } from '../../../lib/rules/iam/vpc-cni-role-missing';
import { checkFiles } from '../../front-ends/kubernetes/manifests';
import { configurations } from '../../terraform/module/configurations';

const TRUST =
  'assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] })';
const CLUSTER = [
  'resource "aws_eks_cluster" "c" {\n  name = "main"\n}',
  'resource "aws_eks_node_group" "n" {\n  cluster_name = "main"\n  node_role_arn = aws_iam_role.n.arn\n}',
  `resource "aws_iam_role" "n" {\n  managed_policy_arns = ["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"]\n  ${TRUST}\n}`,
  'resource "aws_eks_addon" "cni" {\n  cluster_name = "main"\n  addon_name = "vpc-cni"\n}',
  'resource "aws_eks_addon" "ebs" {\n  cluster_name = "main"\n  addon_name = "aws-ebs-csi-driver"\n}\n',
].join('\n');
const annotations = (name: string, namespace: string, key = 'eks.amazonaws.com/role-arn') =>
  `resource "kubernetes_annotations" "${name}" {\n  api_version = "v1"\n  kind = "ServiceAccount"\n  metadata {\n    name = "${name}"\n    namespace = "${namespace}"\n  }\n  annotations = { "${key}" = "arn:aws:iam::111122223333:role/irsa" }\n}\n`;

const failing = (text: string) =>
  runRules(new EksModel(readInstances(configurations(text).instances)), [vpcCniRoleMissing, ebsCsiRoleMissing])
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ rule }) => rule)
    .sort();

describe('the service account of an add-on without a role', () => {
  it('may have one by an annotation of its own', () => {
    expect(failing(CLUSTER)).toEqual(['ebs-csi-role-missing', 'vpc-cni-role-missing']);
    expect(failing(CLUSTER + annotations('aws-node', 'kube-system'))).toEqual(['ebs-csi-role-missing']);
    expect(failing(CLUSTER + annotations('ebs-csi-controller-sa', 'kube-system'))).toEqual(['vpc-cni-role-missing']);
  });

  it('may have one by a manifest without a namespace, which goes where it is applied', () => {
    const saidOf = (metadata: string) =>
      checkFiles({
        'main.tf': CLUSTER,
        'account.yaml': `apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: aws-node\n${metadata}  annotations: { eks.amazonaws.com/role-arn: "arn:aws:iam::111122223333:role/irsa" }\n`,
      })
        .result.findings.filter(({ rule, verdict }) => rule === 'vpc-cni-role-missing' && verdict === 'fail')
        .map(({ rule }) => rule);
    expect(saidOf('')).toEqual([]);
    expect(saidOf('  namespace: shop\n')).toEqual(['vpc-cni-role-missing']);
  });

  it('has none by that of another account, or by another annotation', () => {
    const others = annotations('aws-node', 'default') + annotations('coredns', 'kube-system');
    const other = annotations('ebs-csi-controller-sa', 'kube-system', 'example.com/role');
    expect(failing(CLUSTER + others + other)).toEqual(['ebs-csi-role-missing', 'vpc-cni-role-missing']);
  });
});
