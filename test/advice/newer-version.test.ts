import { advised, outcomes } from './advised';

/* What changes with the version of a cluster, wherever that stands, obeyed as the advice is printed. */

const RULE = 'cluster-version-support';

function codeOf(files: Readonly<Record<string, string>>): readonly [outcome: string, code: string] {
  const [advice] = advised(files, RULE);
  return [[advice?.outcome, advice?.why].join(' ').trim(), advice?.finding.fixCode ?? ''];
}

const CLUSTER = `variable "kubernetes_version" {}
variable "name" {}
resource "aws_eks_cluster" "this" {
  name     = "\${var.name}-eks"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  version  = var.kubernetes_version
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}
`;

const group = (name: string): string => `resource "aws_launch_template" "${name}" {
  image_id  = data.aws_ssm_parameter.ami.value
  user_data = local.user_data
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
}
resource "aws_eks_node_group" "${name}" {
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = "${name}"
  node_role_arn   = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids      = ["subnet-1"]
  launch_template {
    id      = aws_launch_template.${name}.id
    version = aws_launch_template.${name}.latest_version
  }
  scaling_config {
    desired_size = 2
    min_size     = 1
    max_size     = 3
  }
  update_config { max_unavailable = 1 }
}
`;

const NODES = `data "aws_ssm_parameter" "ami" {
  name = "/aws/service/eks/optimized-ami/\${var.kubernetes_version}/amazon-linux-2/recommended/image_id"
}
locals {
  arguments = "--kube-reserved=cpu=100m,memory=512Mi"
  user_data = base64encode(<<-EOT
    #!/bin/bash
    /etc/eks/bootstrap.sh \${aws_eks_cluster.this.name} \\
      --kubelet-extra-args '\${local.arguments}'
  EOT
  )
}
${group('one')}${group('other')}`;

describe('templates with the AMI of Amazon Linux 2, in a module', () => {
  const call = (name: string): string => `module "eks" {
  source             = "../../modules/eks"
  name               = "${name}"
  kubernetes_version = "1.30"
}
`;
  const files = {
    'modules/eks/main.tf': CLUSTER,
    'modules/eks/nodes.tf': NODES,
    'envs/dev/main.tf': call('dev'),
    'envs/prod/main.tf': call('prod'),
  };

  it('change with their user data, whose lines are printed once, with the references that other callers need', () => {
    const [outcome, code] = codeOf(files);
    expect(outcome).toBe('works');
    expect(code.match(/name: "\$\{aws_eks_cluster\.this\.name\}"/g)).toHaveLength(1);
    expect(code).toMatch(
      /\n# in \S+modules\/eks\/nodes\.tf, aws_launch_template\.one and aws_launch_template\.other:\n/,
    );
    expect(code.match(/^data "aws_ssm_parameter"/gm)).toHaveLength(1);
  });
});

const MODULE = (groups: string): string => `module "eks" {
  source          = "terraform-aws-modules/eks/aws"
  version         = "20.31.1"
  cluster_name    = var.name
  cluster_version = "1.31"
  vpc_id          = "vpc-1"
  subnet_ids      = ["subnet-1", "subnet-2"]
${groups}}
variable "name" {}
`;

describe('groups of a call', () => {
  it('whose key is put together change at the line that has the AMI type', () => {
    const groups = `  eks_managed_node_groups = {
    "eks-\${var.name}" = {
      ami_type       = "AL2_x86_64"
      instance_types = ["m5.large"]
    }
  }
`;
    const files = {
      'modules/eks/main.tf': MODULE(groups),
      'main.tf': 'module "eks" {\n  source = "./modules/eks"\n  name   = "shop"\n}\n',
    };
    const [outcome, code] = codeOf(files);
    expect(outcome).toBe('works');
    expect(code).toMatch(/\n# \S+modules\/eks\/main\.tf:10, module\.eks:\nami_type = "AL2023_x86_64_STANDARD"$/);
  });

  const defaults = (other: string): string => `  eks_managed_node_group_defaults = {
    ami_type = "AL2_x86_64"
  }
  eks_managed_node_groups = {
    one = { instance_types = ["m5.large"] }
    two = { instance_types = ["${other}"] }
  }
`;

  it('that have it from the defaults change there', () => {
    const [outcome, code] = codeOf({ 'main.tf': MODULE(defaults('m5.large')) });
    expect(outcome).toBe('works');
    expect(code.match(/ami_type/g)).toHaveLength(1);
  });

  it('that have it from the defaults and become different types change each by itself', () => {
    const [, code] = codeOf({ 'main.tf': MODULE(defaults('m7g.large')) });
    expect(code).toContain('# in module.eks.eks_managed_node_groups["two"]:\nami_type = "AL2023_ARM_64_STANDARD"');
    expect(code).toContain('# in module.eks.eks_managed_node_groups["one"]:\nami_type = "AL2023_x86_64_STANDARD"');
  });
});

describe('groups of eksctl', () => {
  const config = (family: string): string => `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: shop, region: eu-central-1, version: "1.30" }
managedNodeGroups:
  - name: workers
    amiFamily: ${family}
    instanceType: m5.large
`;

  it.each([
    ['AmazonLinux2', 'amiFamily: AmazonLinux2023'],
    ['AmazonLinux2023', undefined],
    ['Bottlerocket', undefined],
  ])('of the family %s', (family, expected) => {
    const files = { 'cluster.yaml': config(family) };
    expect(outcomes(files, RULE)).toEqual(['works']);
    const [, code] = codeOf(files);
    expect(/amiFamily.*/.exec(code)?.[0]).toBe(expected);
  });
});
