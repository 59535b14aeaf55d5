resource "aws_iam_role" "nodes" {
  name_prefix        = "nodes-"
  assume_role_policy = data.aws_iam_policy_document.trust["ec2"].json
}

resource "aws_iam_role_policy_attachment" "nodes" {
  for_each = toset(local.node_policies)

  role       = aws_iam_role.nodes.name
  policy_arn = "arn:aws:iam::aws:policy/${each.key}"
}

resource "aws_launch_template" "general" {
  name_prefix = "general-"

  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = var.hop_limit
  }
}

resource "aws_eks_node_group" "general" {
  cluster_name    = aws_eks_cluster.main.name
  node_group_name = "general"
  node_role_arn   = aws_iam_role.nodes.arn
  subnet_ids      = var.subnet_ids
  ami_type        = "AL2023_x86_64_STANDARD"
  instance_types  = ["m6i.large"]

  scaling_config {
    desired_size = 2
    max_size     = 4
    min_size     = 2
  }

  launch_template {
    id      = aws_launch_template.general.id
    version = aws_launch_template.general.latest_version
  }
}

# The NodeConfig tells an AMI of our own which cluster to join.
resource "aws_launch_template" "golden" {
  name_prefix = "golden-"
  image_id    = var.golden_ami

  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }

  user_data = base64encode(templatefile("${path.module}/user-data/golden.tftpl", {
    cluster_name          = aws_eks_cluster.main.name
    endpoint              = aws_eks_cluster.main.endpoint
    certificate_authority = aws_eks_cluster.main.certificate_authority[0].data
    service_cidr          = local.service_cidr
  }))
}

resource "aws_eks_node_group" "golden" {
  cluster_name    = aws_eks_cluster.main.name
  node_group_name = "golden"
  node_role_arn   = aws_iam_role.nodes.arn
  subnet_ids      = var.subnet_ids
  instance_types  = ["m6i.large"]

  scaling_config {
    desired_size = 2
    max_size     = 4
    min_size     = 2
  }

  launch_template {
    id      = aws_launch_template.golden.id
    version = aws_launch_template.golden.latest_version
  }
}
