import { advised } from './advised';

/* Words that say what waits for what name both, so that nothing is left to guess. */

const text = (attachment: string, needs: string, addon = ''): string => `resource "aws_eks_cluster" "main" {
  name     = "main"
  role_arn = "r"
  version  = "1.35"
}
resource "aws_iam_openid_connect_provider" "main" {
  url            = aws_eks_cluster.main.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}
resource "aws_iam_role" "cni" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = aws_iam_openid_connect_provider.main.arn }
      Condition = {
        StringEquals = {
          "\${replace(aws_iam_openid_connect_provider.main.url, "https://", "")}:aud" = "sts.amazonaws.com"
          "\${replace(aws_iam_openid_connect_provider.main.url, "https://", "")}:sub" = "system:serviceaccount:kube-system:aws-node"
        }
      }
    }]
  })
}
resource "aws_iam_role_policy_attachment" "own" {
  role       = aws_iam_role.cni.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"
}
resource "aws_eks_addon" "cni" {
  cluster_name                = aws_eks_cluster.main.name
  addon_name                  = "vpc-cni"
  addon_version               = "v1.21.1-eksbuild.1"
  resolve_conflicts_on_update = "PRESERVE"
  service_account_role_arn    = aws_iam_role.cni.arn
${addon}}
resource "aws_iam_role" "nodes" {
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
}
resource "aws_iam_role_policy_attachment" "worker" {
  role       = aws_iam_role.nodes.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"
}
resource "aws_iam_role_policy_attachment" "ecr" {
  role       = aws_iam_role.nodes.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly"
}
${attachment}resource "aws_eks_node_group" "main" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = aws_iam_role.nodes.arn
  subnet_ids    = ["subnet-1"]
  depends_on    = [${needs}]
  scaling_config {
    desired_size = 2
    max_size     = 3
    min_size     = 1
  }
}
`;

const ATTACHMENT = `resource "aws_iam_role_policy_attachment" "cni_of_nodes" {
  role       = aws_iam_role.nodes.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"
}
`;

const rule = 'vpc-cni-role-on-nodes';

it('the policy of the VPC CNI leaves the nodes, which wait for the add-on', () => {
  const before = text(ATTACHMENT, 'aws_iam_role_policy_attachment.cni_of_nodes');
  const [advice] = advised({ 'main.tf': before }, rule);
  expect(advice?.finding.fix).toContain(
    'by `aws_eks_addon.cni` in `depends_on` of `aws_eks_node_group.main`, in place of what attaches the policy',
  );
  expect(advised({ 'main.tf': text('', 'aws_eks_addon.cni') }, rule)).toEqual([]);
});

it('an add-on that waits for the nodes no longer does', () => {
  const files = { 'main.tf': text(ATTACHMENT, '', '  depends_on = [aws_eks_node_group.main]\n') };
  expect(advised(files, rule)[0]?.finding.fix).toContain('which the add-on then no longer waits for');
});
