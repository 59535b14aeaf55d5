import { advised, outcomes } from './advised';

/* Advice that has to say more than its own setting: which object, which item, or what stands beside it. */

describe('an add-on of eksctl that gets an association', () => {
  const config = (family: string, cni = ''): string => `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: shop, region: eu-central-1, version: "1.34" }
${family}iam: { withOIDC: true }
addons:
  - name: vpc-cni
${cni}  - name: coredns
  - name: kube-proxy
  - name: aws-ebs-csi-driver
    wellKnownPolicies: { ebsCSIController: true }
`;

  it.each([
    ['IPv4', '', '', false],
    ['IPv6', 'kubernetesNetworkConfig: { ipFamily: IPv6 }\n', '', true],
  ])('in a cluster of %s', (_, family, cni, isBeside) => {
    const [advice] = advised({ 'cluster.yaml': config(family, cni) }, 'irsa-trust-policy');
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
    expect(
      advice?.finding.fixCode?.includes('# in the add-on "vpc-cni":\nuseDefaultPodIdentityAssociations: true'),
    ).toBe(isBeside);
  });

  it('in words where vpc-cni has policies that only its owner can give an association', () => {
    const family = 'kubernetesNetworkConfig: { ipFamily: IPv6 }\n';
    const cni = '    attachPolicyARNs: ["arn:aws:iam::111122223333:policy/cni"]\n';
    const all = outcomes({ 'cluster.yaml': config(family, cni) }, 'irsa-trust-policy');
    expect(all.filter((one) => one !== 'prose')).toEqual([]);
  });
});

const GROUP = `resource "aws_eks_cluster" "shop" {
  name     = "shop"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  version  = "1.34"
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
  ami_type        = "AL2023_x86_64_STANDARD"
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

describe('a budget that blocks drains', () => {
  const object = (setting: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  ${setting}
`;

  it.each([
    ['minAvailable: 1', ', without minAvailable'],
    ['maxUnavailable: 0', ''],
  ])('names the place of its setting: %s', (setting, without) => {
    const [advice] = advised({ 'main.tf': GROUP, 'web.yaml': object(setting) }, 'drain-blocked');
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
    expect(advice?.finding.fixCode).toBe(`# in the spec of the PodDisruptionBudget${without}:\nmaxUnavailable: 1`);
  });

  it('in HCL, too', () => {
    const main = `${GROUP}resource "kubernetes_manifest" "web" {
  manifest = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "web", namespace = "shop" }
    spec = {
      replicas = 1
      selector = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec     = { containers = [{ name = "web", image = "web" }] }
      }
    }
  }
}
resource "kubernetes_manifest" "budget" {
  manifest = {
    apiVersion = "policy/v1"
    kind       = "PodDisruptionBudget"
    metadata   = { name = "web", namespace = "shop" }
    spec = {
      selector     = { matchLabels = { app = "web" } }
      minAvailable = 1
    }
  }
}
`;
    expect(outcomes({ 'main.tf': main }, 'drain-blocked')).toEqual(['works']);
  });
});

describe('vpc-cni of a loop that is looked up', () => {
  const addons = (names: string): string => `${GROUP}data "aws_eks_addon_version" "this" {
  for_each           = toset(${names})
  addon_name         = each.value
  kubernetes_version = aws_eks_cluster.shop.version
  most_recent        = true
}
resource "aws_eks_addon" "this" {
  for_each                    = toset(${names})
  cluster_name                = aws_eks_cluster.shop.name
  addon_name                  = each.value
  addon_version               = data.aws_eks_addon_version.this[each.value].version
  resolve_conflicts_on_update = "PRESERVE"
}
`;

  it('gets a version of its own by its key', () => {
    const [advice] = advised({ 'main.tf': addons('["vpc-cni", "coredns"]') }, 'addon-version');
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
    expect(advice?.finding.fixCode).toMatch(
      /^addon_version = each\.key == "vpc-cni" \? "v[\w.-]+" : data\.aws_eks_addon_version\.this\[each\.value\]\.version$/,
    );
  });
});

it('gives no version to all add-ons that calls of a module make', () => {
  const main = `${GROUP}module "addon" {
  for_each = toset(["vpc-cni", "kube-proxy"])
  source   = "./addon"
  addon    = each.key
  cluster  = aws_eks_cluster.shop.name
}
`;
  const addon = `variable "addon" {}
variable "cluster" {}
data "aws_eks_addon_version" "newest" {
  addon_name         = var.addon
  kubernetes_version = "1.34"
  most_recent        = true
}
resource "aws_eks_addon" "this" {
  cluster_name                = var.cluster
  addon_name                  = var.addon
  addon_version               = data.aws_eks_addon_version.newest.version
  resolve_conflicts_on_update = "PRESERVE"
}
`;
  const all = outcomes({ 'main.tf': main, 'addon/main.tf': addon }, 'addon-version');
  expect(all).toEqual(all.map(() => 'prose'));
  expect(all).not.toEqual([]);
});

it('keeps instance types that run on the AMI, and names the others', () => {
  const template = `Resources:
  Nodes:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        ImageId: "{{resolve:ssm:/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/standard/recommended/image_id}}"
        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
  Group:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: shop
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      InstanceTypes: [TYPES]
      LaunchTemplate: { Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }
`;
  const fixOf = (types: string): string | undefined =>
    advised({ 'template.yaml': template.replace('TYPES', types) }, 'ami-type-architecture')[0]?.finding.fix;
  expect(fixOf('t3.medium, a1.large')).toBe(
    'Take `a1.large` out of the instance types, of which `t3.medium` needs this AMI; nodes of arm64 are a second group with the arm64 variant.',
  );
  expect(fixOf('a1.large')).toBe('Take the arm64 variant of the AMI, or instance types of x86_64 only.');
});
