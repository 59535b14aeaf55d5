import { EksModel } from '../../../../lib/eks';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import { readPlan } from '../../../../lib/terraform/plan/plan';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { runRules } from '../../../../lib/engine';
import { clusterNetworkAddons } from '../../../../lib/rules/addon/cluster-network-addons';
import { configurations } from '../../../terraform/module/configurations';
import { change, configured, planText } from '../../../terraform/plan/plans';

const CLUSTER =
  'resource "aws_eks_cluster" "main" {\n  name = "main"\n  role_arn = "arn:aws:iam::111122223333:role/c"\n  bootstrap_self_managed_addons = false\n}\n';
const NODES =
  'resource "aws_eks_node_group" "workers" {\n  cluster_name = aws_eks_cluster.main.name\n  node_role_arn = "arn:aws:iam::111122223333:role/n"\n  scaling_config {\n    desired_size = 2\n    max_size = 3\n    min_size = 1\n  }\n}\n';
const MODULE = (version: string, addons = '') =>
  `module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "${version}"\n  ${version.startsWith('21') ? '' : 'cluster_'}name = "main"\n  subnet_ids = ["subnet-1"]\n  ${addons}\n  eks_managed_node_groups = { a = { desired_size = 2 } }\n}\n`;

function judged(text: string): string[] {
  const { instances } = configurations(text, { knownModule: expandKnownModule });
  return runRules(new EksModel(readInstances(instances)), [clusterNetworkAddons]).map(
    ({ verdict, severity, message }) => `${verdict} ${verdict === 'fail' ? severity : message}`,
  );
}

describe('what may bring a CNI in a configuration of Terraform', () => {
  test('nothing', () => {
    expect(judged(CLUSTER + NODES)).toEqual(['fail error']);
    expect(
      judged(
        CLUSTER +
          NODES +
          'resource "aws_s3_bucket" "logs" {}\ndata "aws_region" "here" {}\nresource "random_id" "a" {\n  byte_length = 4\n}\n',
      ),
    ).toEqual(['fail error']);
    expect(judged(CLUSTER + NODES + 'module "vpc" {\n  source = "terraform-aws-modules/vpc/aws"\n}\n')).toEqual([
      'fail error',
    ]);
    expect(
      judged(
        CLUSTER +
          NODES +
          'module "vpc" {\n  source = "git::https://github.com/terraform-aws-modules/terraform-aws-vpc.git?ref=v5.0.0"\n}\n',
      ),
    ).toEqual(['fail error']);
  });

  test.each([
    ['a script', 'resource "null_resource" "cilium" {}', 'null_resource.cilium'],
    [
      'a provisioner',
      'resource "aws_s3_bucket" "b" {\n  provisioner "local-exec" {\n    command = "cilium install"\n  }\n}',
      'aws_s3_bucket.b',
    ],
    ['terraform_data', 'resource "terraform_data" "cilium" {}', 'terraform_data.cilium'],
    ['Flux', 'resource "flux_bootstrap_git" "main" {}', 'flux_bootstrap_git.main'],
    ['a DaemonSet of the provider', 'resource "kubernetes_daemonset" "net" {}', 'kubernetes_daemonset.net'],
    ['a bastion', 'resource "aws_instance" "bastion" {}', 'aws_instance.bastion'],
    [
      'a module that is not here',
      'module "addons" {\n  source = "example/eks-addons/aws"\n  cluster_name = "main"\n}',
      "module.addons isn't here",
    ],
    [
      "charts of the user's own in a known module",
      'module "addons" {\n  source = "aws-ia/eks-blueprints-addons/aws"\n  version = "1.21.0"\n  cluster_name = "main"\n  helm_releases = { cilium = {} }\n}',
      'module.addons',
    ],
  ])('%s', (_, text, because) => {
    const [only, ...others] = judged(`${CLUSTER}${NODES}${text}\n`);
    expect(others).toEqual([]);
    expect(only).toMatch(/^unverifiable /);
    expect(only).toContain(because);
  });
});

describe('terraform-aws-modules/eks', () => {
  test('its own null_resource, which only a plan shows, installs nothing', () => {
    const check = 'resource "null_resource" "validate_cluster_service_cidr" {}\n';
    expect(judged(CLUSTER + NODES + check)).toEqual(['fail error']);
  });

  test('from 21 on the module turns the add-ons of EKS off', () => {
    expect(judged(MODULE('21.19.0'))).toEqual(['fail error']);
    expect(
      judged(MODULE('21.19.0', 'addons = { vpc-cni = { before_compute = true }, kube-proxy = {}, coredns = {} }')),
    ).toEqual([]);
    expect(judged(MODULE('21.19.0', 'compute_config = { enabled = true }'))).toEqual([]);
  });

  test('up to 20 it does not, unless it is told to', () => {
    expect(judged(MODULE('20.37.2'))).toEqual([]);
    expect(judged(MODULE('20.37.2', 'bootstrap_self_managed_addons = false'))).toEqual(['fail error']);
    expect(judged(MODULE('19.21.0'))).toEqual([]);
  });

  test('an add-on with the CNI that waits for the nodes comes too late, and only it', () => {
    const late = 'addons = { vpc-cni = {}, kube-proxy = {}, coredns = {} }';
    expect(judged(MODULE('21.19.0', late))).toEqual(['fail error']);
    expect(judged(MODULE('21.19.0', late).replace('eks_managed_node_groups', 'self_managed_node_groups'))).toEqual([]);
    expect(judged(MODULE('20.37.2', `bootstrap_self_managed_addons = false\n  cluster_${late}`))).toEqual([
      'fail error',
    ]);
    expect(judged(MODULE('20.37.2', `cluster_${late}`))).toEqual([]);
    const early = 'aws_eks_addon" "vpc_cni" {\n  cluster_name = aws_eks_cluster.main.name\n  addon_name = "vpc-cni"\n';
    const others =
      'resource "aws_eks_addon" "others" {\n  for_each = toset(["kube-proxy", "coredns"])\n  cluster_name = aws_eks_cluster.main.name\n  addon_name = each.key\n  depends_on = [aws_eks_node_group.workers]\n}\n';
    expect(
      judged(`${CLUSTER}${NODES}${others}resource "${early}  depends_on = [aws_eks_node_group.workers]\n}\n`),
    ).toEqual(['fail error']);
    expect(judged(`${CLUSTER}${NODES}${others}resource "${early}}\n`)).toEqual([]);
  });

  test('nor does what waits for the nodes as a whole', () => {
    const late = MODULE('21.19.0', 'addons = { vpc-cni = {}, kube-proxy = {}, coredns = {} }');
    const script = (on: string) => `resource "null_resource" "kubeconfig" {\n  depends_on = [${on}]\n}\n`;
    const module = (on: string) =>
      `module "addons" {\n  source = "example/eks-addons/aws"\n  depends_on = [${on}]\n  cluster_name = module.eks.cluster_name\n}\n`;
    expect(judged(late + script('module.eks') + module('module.eks'))).toEqual(['fail error']);
    expect(judged(late + script('module.eks') + module('module.vpc'))).toEqual([
      expect.stringContaining("module.addons isn't here"),
    ]);
    expect(judged(late + script('module.eks.cluster_name'))).toEqual([
      expect.stringContaining('null_resource.kubeconfig'),
    ]);
    expect(judged(CLUSTER + NODES + script('aws_eks_node_group.workers'))).toEqual(['fail error']);
    expect(judged(CLUSTER + NODES + script('aws_eks_cluster.main'))).toEqual([
      expect.stringContaining('null_resource.kubeconfig'),
    ]);
  });

  test('and Argo CD, which waits for the CNI itself, brings none before', () => {
    const late = MODULE('21.19.0', 'addons = { vpc-cni = {}, kube-proxy = {}, coredns = {} }');
    const provider =
      'provider "helm" {\n  kubernetes = {\n    host = module.eks.cluster_endpoint\n    exec = {\n      args = ["eks", "get-token", "--cluster-name", module.eks.cluster_name]\n    }\n  }\n}\n';
    const chart = (values: string) =>
      `${provider}resource "helm_release" "argocd" {\n  name = "argocd"\n  chart = "argo-cd"\n  values = [${values}]\n}\n`;
    expect(judged(late + chart('yamlencode({ global = { domain = "a.example.com" } })'))).toEqual(['fail error']);
    expect(judged(late + chart('"controller:\\n  hostNetwork: true\\n"'))).toEqual([
      expect.stringContaining('argo-cd'),
    ]);
    expect(judged(`variable "v" {}\n${late}${chart('var.v')}`)).toEqual([expect.stringContaining('argo-cd')]);
    const blueprints = (...lines: readonly string[]) =>
      `module "addons" {\n  source = "aws-ia/eks-blueprints-addons/aws"\n  version = "1.21.0"\n  cluster_name = module.eks.cluster_name\n  ${lines.join('\n  ')}\n}\n`;
    expect(judged(late + blueprints('enable_argocd = true'))).toEqual(['fail error']);
    expect(judged(late + blueprints('enable_argocd = true', 'helm_releases = { cilium = {} }'))).toEqual([
      expect.stringContaining("module.addons isn't here"),
    ]);
  });

  test('an add-on with the CNI that may wait for the nodes is not known to come in time', () => {
    const early = (expression: string) =>
      judged(
        `variable "early" {}\n${MODULE('21.19.0', `addons = { vpc-cni = { before_compute = ${expression} }, kube-proxy = {}, coredns = {} }`)}`,
      );
    expect(early('var.early')).toEqual([
      expect.stringMatching(/^unverifiable .*add-on \S+ may wait for the nodes, and whether it does isn't known/),
    ]);
    expect(early('var.early ? true : true')).toEqual([]);
    expect(early('var.early == "a" ? false : true')).toEqual(['fail error']);
  });

  test('an add-on with the CNI that waits for the nodes in a plan', () => {
    const late = (dependsOn: readonly string[]) => {
      const cluster = {
        name: 'main',
        role_arn: 'arn:aws:iam::111122223333:role/c',
        bootstrap_self_managed_addons: false,
      };
      const group = {
        cluster_name: 'main',
        node_role_arn: 'arn:aws:iam::111122223333:role/n',
        scaling_config: [{ desired_size: 2, max_size: 3, min_size: 1 }],
      };
      const addon = (name: string) => ({ cluster_name: 'main', addon_name: name });
      const text = planText(
        [
          change('module.eks.aws_eks_cluster.this', { after: cluster }),
          change('module.eks.module.nodes["a"].aws_eks_node_group.this[0]', { after: group }),
          change('module.eks.aws_eks_addon.cni', { after: addon('vpc-cni') }),
          change('module.eks.aws_eks_addon.proxy', { after: addon('kube-proxy') }),
          change('module.eks.aws_eks_addon.dns', { after: addon('coredns') }),
        ],
        {
          module_calls: {
            eks: {
              module: {
                resources: [
                  configured('aws_eks_addon.cni', {}, { depends_on: dependsOn }),
                  configured('aws_eks_addon.dns', {}, { depends_on: ['module.nodes'] }),
                ],
              },
            },
          },
        },
      );
      const { instances } = readPlan(text, 'plan.json');
      return runRules(new EksModel(readInstances(instances)), [clusterNetworkAddons]).map(
        ({ verdict, message }) => `${verdict} ${message}`,
      );
    };
    expect(late(['module.nodes'])).toEqual([
      expect.stringMatching(/^fail .*module\.eks\.aws_eks_addon\.cni is created only after/),
    ]);
    expect(late(['module.node'])).toEqual([]);
    expect(late([])).toEqual([]);
  });

  test('add-ons that only the deployment tells', () => {
    expect(judged(`variable "addons" {}\n${MODULE('21.19.0', 'addons = var.addons')}`)[0]).toMatch(/^unverifiable /);
  });
});
