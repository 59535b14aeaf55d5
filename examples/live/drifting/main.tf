# The code beside the dump. Somebody has switched security groups for pods on with kubectl since, and EKS's answers show it:
#
#   eks-guardrails drift examples/live/drifting/main.tf --live examples/live/drifting/dump
#
# The update of the VPC CNI below would put ENABLE_POD_ENI and DISABLE_TCP_EARLY_DEMUX back to "false".

resource "aws_eks_cluster" "shop" {
  name     = "shop"
  version  = "1.35"
  role_arn = "arn:aws:iam::111122223333:role/shop-cluster"

  vpc_config {
    subnet_ids = ["subnet-0a1b2c3d4e5f60001", "subnet-0a1b2c3d4e5f60002"]
  }

  access_config {
    authentication_mode = "API"
  }

  upgrade_policy {
    support_type = "EXTENDED"
  }
}

resource "aws_launch_template" "workers" {
  name = "shop-workers"

  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size = 60
    }
  }
}

resource "aws_eks_node_group" "workers" {
  cluster_name    = aws_eks_cluster.shop.name
  node_group_name = "workers"
  node_role_arn   = "arn:aws:iam::111122223333:role/shop-nodes"
  subnet_ids      = ["subnet-0a1b2c3d4e5f60001", "subnet-0a1b2c3d4e5f60002"]
  ami_type        = "AL2023_x86_64_STANDARD"
  instance_types  = ["m6i.large"]

  labels = {
    tier = "web"
  }

  launch_template {
    id      = aws_launch_template.workers.id
    version = aws_launch_template.workers.latest_version
  }

  scaling_config {
    min_size     = 2
    max_size     = 6
    desired_size = 3
  }

  update_config {
    max_unavailable = 1
  }
}

resource "aws_eks_addon" "vpc_cni" {
  cluster_name                = aws_eks_cluster.shop.name
  addon_name                  = "vpc-cni"
  addon_version               = "v1.21.1-eksbuild.5"
  resolve_conflicts_on_update = "OVERWRITE"
}

resource "aws_eks_addon" "coredns" {
  cluster_name  = aws_eks_cluster.shop.name
  addon_name    = "coredns"
  addon_version = "v1.13.2-eksbuild.7"
}

resource "aws_eks_addon" "kube_proxy" {
  cluster_name  = aws_eks_cluster.shop.name
  addon_name    = "kube-proxy"
  addon_version = "v1.35.0-eksbuild.2"
}
