import { nodeGroupTemplate } from '../cli/workspace';

export const HOP_1 = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']);
export const HOP_2 = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 2']);
export const NODES = `resource "aws_eks_node_group" "this" {
  cluster_name  = "shop"
  node_role_arn = "arn:aws:iam::123456789012:role/nodes"
  subnet_ids    = ["subnet-1", "subnet-2"]
  ami_type      = "AL2023_x86_64_STANDARD"
  scaling_config {
    desired_size = 2
    max_size     = 4
    min_size     = 1
  }
  update_config {
    max_unavailable = 1
  }
  launch_template {
    id      = aws_launch_template.this.id
    version = aws_launch_template.this.latest_version
  }
}
`;
export const LAUNCH = `resource "aws_launch_template" "this" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }
}
`;

export const CLOSED_EARLY = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript

#!/bin/bash
echo first
--//--

--//
Content-Type: text/x-shellscript

#!/bin/bash
echo second
--//--
`;
export const WITH_USER_DATA = `${NODES}
resource "aws_launch_template" "this" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
  user_data = base64encode(templatefile("\${path.module}/user-data/nodes.tftpl", { tier = "web" }))
}
`;
