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

const WORKERS = (version: string): string => `resource "aws_eks_cluster" "shop" {
  name     = "shop"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
${version}  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}
data "aws_ami" "eks-worker" {
  most_recent = true
  owners      = ["602401143452"]
  filter {
    name   = "name"
    values = ["amazon-eks-node-\${aws_eks_cluster.shop.version}-v*"]
  }
}
resource "aws_launch_template" "workers" {
  image_id      = "\${data.aws_ami.eks-worker.id}"
  instance_type = "m5.large"
  user_data     = base64encode(local.user_data)
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
}
resource "aws_autoscaling_group" "workers" {
  max_size            = 3
  min_size            = 1
  vpc_zone_identifier = ["subnet-1"]
  launch_template {
    id      = aws_launch_template.workers.id
    version = aws_launch_template.workers.latest_version
  }
  tag {
    key                 = "kubernetes.io/cluster/shop"
    value               = "owned"
    propagate_at_launch = true
  }
}
`;

const USER_DATA = `locals {
  user_data = <<USERDATA
#!/bin/bash
set -o xtrace
/etc/eks/bootstrap.sh --apiserver-endpoint '\${aws_eks_cluster.shop.endpoint}' --b64-cluster-ca '\${aws_eks_cluster.shop.certificate_authority.0.data}' '\${aws_eks_cluster.shop.name}'
USERDATA
}
`;

describe('nodes of their own with the AMI of Amazon Linux 2 that a data source finds', () => {
  it.each([
    ['a version', '  version = "1.29"\n', RULE],
    ['no version', '', 'cluster-version-pinned'],
  ])('change with a cluster of %s, their user data in another file of the module', (_, version, rule) => {
    const [advice] = advised({ 'main.tf': WORKERS(version), 'locals.tf': USER_DATA }, rule);
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
    expect(advice?.finding.fixCode).toContain(
      'name = "/aws/service/eks/optimized-ami/${aws_eks_cluster.shop.version}/amazon-linux-2023/x86_64/standard/',
    );
    expect(advice?.finding.fixCode).toMatch(/# in place of lines \d+ to \d+ of \S+locals\.tf:\n/);
  });

  it('name what their module reaches, not what its caller does', () => {
    const files = {
      'nodes/main.tf': WORKERS('  version = "1.29"\n'),
      'nodes/locals.tf': USER_DATA,
      'main.tf': 'module "nodes" {\n  source = "./nodes"\n}\n',
    };
    const [outcome, code] = codeOf(files);
    expect(outcome).toBe('works');
    expect(code).toContain('apiServerEndpoint: "${aws_eks_cluster.shop.endpoint}"');
    expect(code).not.toContain('${module.');
  });
});

describe('an AMI type that a condition chooses', () => {
  const chosen = (expression: string): string => `variable "gpu" {
  default = false
}
variable "own" {
  default = "AL2_x86_64"
}
resource "aws_eks_cluster" "shop" {
  name     = "shop"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  version  = "1.32"
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}
resource "aws_launch_template" "nodes" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
}
resource "aws_eks_node_group" "nodes" {
  cluster_name    = aws_eks_cluster.shop.name
  node_group_name = "nodes"
  node_role_arn   = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids      = ["subnet-1"]
  ami_type        = ${expression}
  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
  scaling_config {
    desired_size = 2
    min_size     = 1
    max_size     = 3
  }
  update_config { max_unavailable = 1 }
}
`;

  it.each([
    ['var.gpu ? "AL2_x86_64_GPU" : "AL2_x86_64"', 'var.gpu ? "AL2023_x86_64_NVIDIA" : "AL2023_x86_64_STANDARD"'],
    ['var.gpu ? null : "AL2_x86_64"', 'var.gpu ? null : "AL2023_x86_64_STANDARD"'],
    ['var.gpu ? null : var.own', undefined],
  ])('stays chosen: %s', (expression, becomes) => {
    for (const rule of [RULE, 'ami-type-kubernetes-version']) {
      const all = advised({ 'main.tf': chosen(expression) }, rule);
      expect(all.map(({ outcome, why }) => [outcome, why])).toEqual(all.map(() => ['works', undefined]));
      expect(all).not.toHaveLength(0);
      for (const { finding } of all)
        expect(finding.fixCode).toContain(becomes === undefined ? 'default = "AL2023' : `ami_type = ${becomes}`);
    }
  });
});

describe('versions of add-ons in a map', () => {
  it.each([
    'each.value.addon_version',
    'lookup(each.value, "addon_version", null)',
    'each.value["addon_version"]',
    'try(each.value.addon_version, null)',
  ])('change in their entry, which %s reads', (expression) => {
    const main = `locals {
  addons = {
    kube-proxy = { addon_version = "v1.29.0-eksbuild.1" }
  }
}
resource "aws_eks_cluster" "shop" {
  name     = "shop"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  version  = "1.29"
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}
resource "aws_eks_addon" "all" {
  for_each                    = local.addons
  cluster_name                = aws_eks_cluster.shop.name
  addon_name                  = each.key
  addon_version               = ${expression}
  resolve_conflicts_on_update = "PRESERVE"
}
`;
    const [outcome, code] = codeOf({ 'main.tf': main });
    expect(outcome).toBe('works');
    expect(code).toMatch(/\n# \S+main\.tf:3, local\.addons:\naddon_version = "v1\.36\./);
  });
});

it('makes the launch template that a group of a call goes without', () => {
  const groups = `  eks_managed_node_groups = {
    one = {
      ami_type                   = "AL2_x86_64"
      instance_types             = ["m5.large"]
      use_custom_launch_template = false
      disk_size                  = 50
    }
  }
`;
  const [outcome, code] = codeOf({ 'main.tf': MODULE(groups) });
  expect(outcome).toBe('works');
  expect(code).toContain('use_custom_launch_template = true');
});

it('names the objects of Karpenter that a newer version has no API for', () => {
  const object = (api: string): string => `resource "kubectl_manifest" "class" {
  yaml_body = <<-YAML
    apiVersion: karpenter.k8s.aws/${api}
    kind: EC2NodeClass
    metadata: { name: default }
    spec: { amiFamily: AL2023 }
  YAML
}
`;
  const textOf = (api: string): string | undefined =>
    advised({ 'main.tf': WORKERS('  version = "1.29"\n') + object(api) }, RULE)[0]?.finding.fix;
  expect(textOf('v1beta1')).toMatch(
    /Write EC2NodeClass "default" of `karpenter\.k8s\.aws\/v1beta1` anew in `v1` before, and update Karpenter to 1\.\d+ or later/,
  );
  expect(textOf('v1')).not.toContain('Karpenter');
});

it('changes what other clusters have whose version stands at the same place', () => {
  const cluster = (name: string): string => `resource "aws_eks_cluster" "${name}" {
  name     = "${name}"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  version  = local.version
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}
resource "aws_eks_addon" "${name}" {
  cluster_name                = aws_eks_cluster.${name}.name
  addon_name                  = "kube-proxy"
  addon_version               = "v1.29.0-eksbuild.1"
  resolve_conflicts_on_update = "PRESERVE"
}
`;
  const main = `locals {\n  version = "1.29"\n}\n${cluster('one')}${cluster('other')}`;
  expect(outcomes({ 'main.tf': main }, RULE)).toEqual(['works', 'works']);
});
