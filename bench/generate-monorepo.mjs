// A monorepo of Terraform: many root modules that call a few modules beside them, most of it correct.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOTS = 200;
const MODULES = 40;

/**
 * Writes 200 root modules of eight files and 40 modules of five, each called by fifteen roots: 1,800 files, always the same.
 * @param {string} folder
 * @returns {{ files: number, bytes: number }} what was written
 */
export function generateMonorepo(folder) {
  const written = { files: 0, bytes: 0 };
  for (let module = 0; module < MODULES; module++)
    writeAll(join(folder, 'modules', `nodes-${module}`), nodesModule(module), written);
  for (let root = 0; root < ROOTS; root++)
    writeAll(join(folder, 'live', `account-${root % 10}`, `cluster-${root}`), rootModule(root), written);
  return written;
}

function writeAll(folder, contents, written) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(contents)) {
    writeFileSync(join(folder, name), text);
    written.files++;
    written.bytes += Buffer.byteLength(text);
  }
}

/** Node groups with their launch template and role. */
function nodesModule(module) {
  return {
    'main.tf': `resource "aws_launch_template" "this" {
  name_prefix = "\${var.cluster_name}-\${var.name}-"
  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = var.hop_limit
  }
  block_device_mappings {
    device_name = "/dev/xvda"
    ebs {
      volume_size = var.disk_size
      volume_type = "gp3"
      encrypted   = true
    }
  }
  tags = local.tags
}

resource "aws_eks_node_group" "this" {
  cluster_name    = var.cluster_name
  node_group_name = "\${var.name}-${module}"
  node_role_arn   = aws_iam_role.node.arn
  subnet_ids      = var.subnet_ids
  ami_type        = "AL2023_x86_64_STANDARD"
  instance_types  = var.instance_types
  scaling_config {
    min_size     = var.scaling.min
    max_size     = var.scaling.max
    desired_size = var.scaling.desired
  }
  launch_template {
    id      = aws_launch_template.this.id
    version = aws_launch_template.this.latest_version
  }
  labels = merge({ "example.com/pool" = var.name }, var.labels)
  dynamic "taint" {
    for_each = var.taints
    content {
      key    = taint.value.key
      value  = taint.value.value
      effect = taint.value.effect
    }
  }
  depends_on = [aws_iam_role_policy_attachment.node]
}
`,
    'iam.tf': `data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "node" {
  name_prefix        = "\${var.name}-"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

resource "aws_iam_role_policy_attachment" "node" {
  for_each   = toset(["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"])
  role       = aws_iam_role.node.name
  policy_arn = "arn:aws:iam::aws:policy/\${each.value}"
}
`,
    'variables.tf': `variable "cluster_name" {
  type = string
}

variable "name" {
  type = string
}

variable "subnet_ids" {
  type = list(string)
}

variable "hop_limit" {
  description = "Hops of the instance metadata service"
  type        = number
  default     = 2
}

variable "disk_size" {
  type    = number
  default = 80
}

variable "instance_types" {
  type    = list(string)
  default = ["m6i.large", "m6i.xlarge"]
}

variable "scaling" {
  type = object({ min = number, max = number, desired = number })
  default = {
    min     = 1
    max     = 10
    desired = 3
  }
}

variable "labels" {
  type    = map(string)
  default = {}
}

variable "taints" {
  type = list(object({
    key    = string
    value  = optional(string)
    effect = string
  }))
  default = []
}

variable "tags" {
  type    = map(string)
  default = {}
}
`,
    'locals.tf': `locals {
  tags = merge(var.tags, {
    Name   = "\${var.cluster_name}-\${var.name}"
    module = "nodes-${module}"
  })
}
`,
    'outputs.tf': `output "role_arn" {
  value = aws_iam_role.node.arn
}

output "node_group" {
  value = aws_eks_node_group.this.node_group_name
}
`,
  };
}

/** A cluster with its add-ons, and three calls of modules; one in twenty holds a few pitfalls. */
function rootModule(root) {
  const isFaulty = root % 20 === 0;
  return {
    'versions.tf': `terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}

provider "aws" {
  region = var.region
  default_tags {
    tags = local.tags
  }
}
`,
    'variables.tf': `variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "kubernetes_version" {
  type    = string
  default = "1.35"
}

variable "vpc_id" {
  type = string
}

variable "hop_limit" {
  type    = number
  default = ${isFaulty ? 1 : 2}
}
`,
    'terraform.tfvars': `vpc_id = "vpc-0123456789abcdef0"\n`,
    'locals.tf': `locals {
  name = "cluster-${root}"
  tags = {
    team        = "platform"
    environment = "\${local.name}-production"
  }
  zones   = ["a", "b", "c"]
  subnets = { for index, zone in local.zones : zone => cidrsubnet("10.${root}.0.0/16", 4, index) }
}
`,
    'network.tf': `resource "aws_subnet" "this" {
  for_each          = local.subnets
  vpc_id            = var.vpc_id
  cidr_block        = each.value
  availability_zone = "\${var.region}\${each.key}"
  tags              = merge(local.tags, { "kubernetes.io/role/internal-elb" = "1" })
}

resource "aws_security_group" "extra" {
  name_prefix = local.name
  vpc_id      = var.vpc_id
  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
`,
    'cluster.tf': `resource "aws_iam_role" "cluster" {
  name = "\${local.name}-cluster"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "eks.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy_attachment" "cluster" {
  role       = aws_iam_role.cluster.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
}

resource "aws_eks_cluster" "this" {
  name     = local.name
  version  = var.kubernetes_version
  role_arn = aws_iam_role.cluster.arn
  vpc_config {
    subnet_ids              = [for subnet in aws_subnet.this : subnet.id]
    security_group_ids      = [aws_security_group.extra.id]
    endpoint_private_access = true
  }
  access_config {
    authentication_mode = "API"
  }
  depends_on = [aws_iam_role_policy_attachment.cluster]
}
`,
    'addons.tf': `resource "aws_iam_role" "cni" {
  name = "\${local.name}-cni"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "pods.eks.amazonaws.com" }
      Action    = ["sts:AssumeRole", "sts:TagSession"]
    }]
  })
}

resource "aws_iam_role_policy_attachment" "cni" {
  role       = aws_iam_role.cni.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"
}

resource "aws_eks_addon" "agent" {
  cluster_name  = aws_eks_cluster.this.name
  addon_name    = "eks-pod-identity-agent"
  addon_version = "v1.3.10-eksbuild.2"
}

resource "aws_eks_addon" "cni" {
  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = "vpc-cni"
  addon_version               = "v1.21.1-eksbuild.5"
  resolve_conflicts_on_update = "${isFaulty ? 'OVERWRITE' : 'PRESERVE'}"
  preserve                    = true
  configuration_values = jsonencode({
    env = {
      ENABLE_PREFIX_DELEGATION = "true"
      WARM_PREFIX_TARGET       = "1"
    }
    init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } }
  })
  pod_identity_association {
    service_account = "aws-node"
    role_arn        = aws_iam_role.cni.arn
  }
}
`,
    'nodes.tf': [0, 1, 2]
      .map(
        (call) => `module "nodes_${call}" {
  source       = "../../../modules/nodes-${(root * 3 + call) % MODULES}"
  cluster_name = aws_eks_cluster.this.name
  name         = "pool-${call}"
  subnet_ids   = values(aws_subnet.this)[*].id
  hop_limit    = var.hop_limit
  tags         = local.tags
}
`,
      )
      .join('\n'),
    'outputs.tf': `output "cluster_name" {
  value = aws_eks_cluster.this.name
}

output "node_roles" {
  value = [module.nodes_0.role_arn, module.nodes_1.role_arn, module.nodes_2.role_arn]
}
`,
  };
}
