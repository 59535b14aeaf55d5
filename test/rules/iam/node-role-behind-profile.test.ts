import { EksModel } from '../../../lib/eks';
import { runRules } from '../../../lib/engine';
import { expandKnownModule } from '../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { nodeRolePolicies } from '../../../lib/rules/iam/node-role-policies';
import { vpcCniRoleMissing } from '../../../lib/rules/iam/vpc-cni-role-missing';
import { configurations } from '../../terraform/module/configurations';

const TRUST =
  'assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] })';
const role = (...policies: readonly string[]) =>
  [
    `resource "aws_iam_role" "node" {\n  name_prefix = "node-"\n  ${TRUST}\n}`,
    ...policies.map(
      (policy, index) =>
        `resource "aws_iam_role_policy_attachment" "p${index}" {\n  role = aws_iam_role.node.name\n  policy_arn = ${policy}\n}`,
    ),
    '',
  ].join('\n');
const aws = (name: string) => `"arn:aws:iam::aws:policy/${name}"`;
const WORKER = aws('AmazonEKSWorkerNodePolicy');
const PULL = aws('AmazonEC2ContainerRegistryPullOnly');
const CLUSTER = 'resource "aws_eks_cluster" "c" {\n  name = "main"\n}\n';
const ACCOUNT = 'data "aws_caller_identity" "current" {}\n';
const arn = (kind: 'role' | 'policy', name: string) =>
  `"arn:aws:iam::\${data.aws_caller_identity.current.account_id}:${kind}/\${${name}}"`;

const found = (text: string, rules = [nodeRolePolicies, vpcCniRoleMissing]) => {
  const { instances } = configurations(text, { knownModule: expandKnownModule });
  return runRules(new EksModel(readInstances(instances)), rules)
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ rule, resource, messageId }) => [rule, resource.id, messageId].join(' '));
};

describe('the role of nodes that a profile has', () => {
  const nodes = (profile: string) =>
    [
      CLUSTER,
      'resource "aws_iam_instance_profile" "nodes" {\n  name = "nodes"\n  role = aws_iam_role.node.name\n}',
      `resource "aws_launch_template" "nodes" {\n  image_id = "resolve:ssm:/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id"\n  iam_instance_profile {\n    ${profile}\n  }\n}`,
      'resource "aws_autoscaling_group" "nodes" {\n  max_size = 1\n  launch_template {\n    id = aws_launch_template.nodes.id\n  }\n  tag {\n    key = "kubernetes.io/cluster/${aws_eks_cluster.c.name}"\n    value = "owned"\n    propagate_at_launch = true\n  }\n}\n',
    ].join('\n');

  it.each([
    'arn = aws_iam_instance_profile.nodes.arn',
    'name = aws_iam_instance_profile.nodes.name',
    'name = aws_iam_instance_profile.nodes.id',
    'name = "nodes"',
    'arn = "arn:aws:iam::111122223333:instance-profile/nodes"',
  ])('is found by %s', (profile) => {
    expect(found(nodes(profile) + role(WORKER))).toEqual(['node-role-policies aws_iam_role.node images']);
    expect(found(nodes(profile) + role(PULL))).toEqual(['node-role-policies aws_iam_role.node instances']);
    expect(found(nodes(profile) + role(WORKER, PULL))).toEqual([]);
  });

  it('is not taken for that of another profile', () => {
    expect(found(nodes('name = "others"') + role(WORKER))).toEqual([]);
  });
});

describe('groups of terraform-aws-modules/eks that EKS does not manage', () => {
  const call = (version: string, group: string) =>
    `module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "${version}"\n  ${version.startsWith('21') ? 'name' : 'cluster_name'} = "main"\n  ${
      version.startsWith('21') ? 'addons' : 'cluster_addons'
    } = { vpc-cni = {} }\n  self_managed_node_groups = { own = {\n    ami_type = "AL2023_x86_64_STANDARD"\n    ${group}\n  } }\n}\n`;
  const profile =
    'resource "aws_iam_instance_profile" "nodes" {\n  name = "nodes"\n  role = aws_iam_role.node.name\n}\n';
  const given =
    'create_iam_instance_profile = false\n    iam_instance_profile_arn = aws_iam_instance_profile.nodes.arn';

  it.each(['20.37.2', '21.19.0'])(
    'of version %s have the role of the module, or of the profile of the call',
    (version) => {
      expect(found(call(version, ''))).toEqual([]);
      expect(found(call(version, 'iam_role_attach_cni_policy = false'))).toEqual([
        'vpc-cni-role-missing module.eks.module.self_managed_node_group["own"].aws_iam_role.this[0] missing',
      ]);
      expect(found(call(version, given) + profile + role(WORKER, aws('AmazonEKS_CNI_Policy')))).toEqual([
        'node-role-policies aws_iam_role.node images',
      ]);
      expect(found(call(version, given) + profile + role(WORKER, PULL, aws('AmazonEKS_CNI_Policy')))).toEqual([]);
    },
  );
});

describe('ARNs that are put together', () => {
  const group = (arnOfRole: string) =>
    `${ACCOUNT}${CLUSTER}resource "aws_eks_node_group" "g" {\n  cluster_name = aws_eks_cluster.c.name\n  node_role_arn = ${arnOfRole}\n}\n`;

  it.each(['aws_iam_role.node.name', 'aws_iam_role.node.id'])('end with %s', (name) => {
    expect(found(group(arn('role', name)) + role(WORKER))).toEqual(['node-role-policies aws_iam_role.node images']);
    expect(found(group(arn('role', name)) + role(WORKER, PULL))).toEqual([]);
  });

  it('or with the name of a policy', () => {
    const policy = (actions: string) =>
      `resource "aws_iam_policy" "pulls" {\n  name_prefix = "pulls-"\n  policy = jsonencode({ Statement = [{ Effect = "Allow", Action = [${actions}], Resource = "*" }] })\n}\n`;
    const attached = group('aws_iam_role.node.arn') + role(WORKER, arn('policy', 'aws_iam_policy.pulls.name'));
    expect(found(attached + policy('"ecr:*"'))).toEqual([]);
    expect(found(attached + policy('"s3:*"'))).toEqual(['node-role-policies aws_iam_role.node images']);
  });

  it('are not taken for those of roles whose name is a part of theirs', () => {
    expect(found(group(arn('role', 'aws_iam_role.node.unique_id')) + role(WORKER))).toEqual([]);
    expect(found(group('"arn:aws:iam::111122223333:role/${aws_iam_role.node.name}-2"') + role(WORKER))).toEqual([]);
  });
});

it('what is attached to a role that nothing declares may be meant for that of the nodes', () => {
  const group =
    'resource "aws_eks_node_group" "workers" {\n  cluster_name = aws_eks_cluster.c.name\n  node_role_arn = aws_iam_role.node.arn\n  subnet_ids = ["subnet-0a"]\n}\n';
  const pull = (name: string) =>
    `resource "aws_iam_role_policy_attachment" "pull" {\n  role = aws_iam_role.${name}.name\n  policy_arn = ${PULL}\n}\n`;
  expect(found(CLUSTER + group + role(WORKER), [nodeRolePolicies])).toEqual([
    'node-role-policies aws_iam_role.node images',
  ]);
  expect(found(CLUSTER + group + role(WORKER) + pull('node'), [nodeRolePolicies])).toEqual([]);
  expect(found(CLUSTER + group + role(WORKER) + pull('node-group'), [nodeRolePolicies])).toEqual([]);
});

describe('a role that is named in a way of its own', () => {
  const group =
    'resource "aws_eks_node_group" "g" {\n  cluster_name = aws_eks_cluster.c.name\n  node_role_arn = ROLE\n}\nresource "aws_eks_addon" "cni" {\n  cluster_name = aws_eks_cluster.c.name\n  addon_name = "vpc-cni"\n}\n';

  it('has the policies that are attached to a resource with count without its index, as Terraform 0.11 took them', () => {
    const counted = role(WORKER, PULL, aws('AmazonEKS_CNI_Policy')).replace('name_prefix', 'count = 1\n  name_prefix');
    expect(found(`${CLUSTER}${group.replace('ROLE', 'aws_iam_role.node[0].arn')}${counted}`)).toEqual([]);
  });

  it('has them where something fills in a part of its name', () => {
    const named = role(WORKER, PULL, aws('AmazonEKS_CNI_Policy')).replace(
      'name_prefix = "node-"',
      'name = "__PLATFORM__-node"',
    );
    const text = `${CLUSTER}${group.replace('ROLE', 'aws_iam_role.node.arn')}${named}`;
    expect(found(text)).toEqual([]);
    expect(found(text.replace(/resource "aws_iam_role_policy_attachment" "p1" [^}]*}/, ''))).toEqual([
      'node-role-policies aws_iam_role.node images',
    ]);
  });
});

it('nodes whose user data is not known may be of another Kubernetes, which has the same tag', () => {
  const nodes = (userData: string) =>
    `resource "aws_iam_instance_profile" "p" {\n  name = "p"\n  role = aws_iam_role.node.name\n}\nresource "aws_launch_configuration" "l" {\n  image_id = "ami-1"\n  iam_instance_profile = aws_iam_instance_profile.p.name\n  user_data = ${userData}\n}\nresource "aws_autoscaling_group" "nodes" {\n  max_size = 1\n  launch_configuration = aws_launch_configuration.l.id\n  tag {\n    key = "kubernetes.io/cluster/x"\n    value = "owned"\n    propagate_at_launch = true\n  }\n}\n`;
  const text = (userData: string) => `${nodes(userData)}${role(PULL)}variable "script" {}\n`;
  expect(found(text('var.script'))).toEqual([]);
  expect(found(text('"#!/bin/bash\\n/etc/eks/bootstrap.sh x\\n"'))).toEqual([
    'node-role-policies aws_iam_role.node instances',
  ]);
});

describe('policies that a loop attaches', () => {
  const group = (loop: string, policy: string) =>
    [
      'variable "roles" {}',
      `module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "~> 18.20"\n  cluster_name = "main"\n  cluster_version = "1.33"\n  subnet_ids = ["subnet-1", "subnet-2"]\n  eks_managed_node_groups = { a = { create_iam_role = true, iam_role_attach_cni_policy = false } }\n  cluster_addons = { vpc-cni = {} }\n}`,
      `resource "aws_iam_role_policy_attachment" "more" {\n  for_each = ${loop}\n  role = each.value.iam_role_name\n  policy_arn = ${policy}\n}\n`,
    ].join('\n');
  const MANAGED = 'module.eks.eks_managed_node_groups';
  const LACKING = ['vpc-cni-role-missing module.eks.module.eks_managed_node_group["a"].aws_iam_role.this[0] missing'];

  it.each([
    MANAGED,
    `merge(${MANAGED}, module.eks.self_managed_node_groups)`,
    `merge(${MANAGED}, module.eks.fargate_profiles)`,
  ])('to the roles of %s are theirs', (loop) => {
    expect(found(group(loop, aws('AmazonEKS_CNI_Policy')))).toEqual([]);
    expect(found(group(loop, PULL))).toEqual(LACKING);
  });

  it('may be for any role within the module that it stands in, if it goes over what is not known', () => {
    expect(found(group('var.roles', aws('AmazonEKS_CNI_Policy')))).toEqual([]);
    expect(found(group('{}', aws('AmazonEKS_CNI_Policy')))).toEqual(LACKING);
  });
});
