import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { expandKnownModule } from '../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { irsaOidcProvider } from '../../../lib/rules/iam/irsa-oidc-provider';
import { irsaSubject } from '../../../lib/rules/iam/irsa-subject';
import { nodeRolePolicies } from '../../../lib/rules/iam/node-role-policies';
import { podIdentityAgent } from '../../../lib/rules/iam/pod-identity-agent';
import { configurations } from './configurations';

/* A default that makes something absent, or names a namespace, while a file in sight gives another value: nobody knows which of them a deployment has. */

const RULES = {
  nodes: nodeRolePolicies,
  agent: podIdentityAgent,
  oidc: irsaOidcProvider,
  subject: irsaSubject,
} as const;

function judged(files: Readonly<Record<string, string>>, rule: keyof typeof RULES): readonly string[] {
  const { instances } = configurations(files, { knownModule: expandKnownModule });
  return runRules(new EksModel(readInstances(instances)), [RULES[rule]]).map(({ verdict }) => verdict);
}

const TRUST = (service: string) =>
  `jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = ["sts:AssumeRole", "sts:TagSession"], Principal = { Service = "${service}.amazonaws.com" } }] })`;
const GROUP = `resource "aws_iam_role" "nodes" {
  name = "nodes"
  assume_role_policy = ${TRUST('ec2')}
}
resource "aws_eks_node_group" "workers" {
  cluster_name = "blue"
  node_role_arn = aws_iam_role.nodes.arn
  subnet_ids = ["subnet-1"]
}
`;
const CLUSTER =
  'resource "aws_eks_cluster" "main" {\n  name = "blue"\n  role_arn = "arn:aws:iam::111122223333:role/c"\n  vpc_config {\n    subnet_ids = ["subnet-1", "subnet-2"]\n  }\n}\n';
const ASSOCIATION =
  'resource "aws_eks_pod_identity_association" "web" {\n  cluster_name = aws_eks_cluster.main.name\n  namespace = "web"\n  service_account = "web"\n  role_arn = "arn:aws:iam::111122223333:role/w"\n}\n';
const attached = (over: string) =>
  `resource "aws_iam_role_policy_attachment" "all" {\n  for_each = ${over}\n  role = aws_iam_role.nodes.name\n  policy_arn = each.value\n}\n`;
const variable = (name: string, standard: string) => `variable "${name}" {\n  default = ${standard}\n}\n`;
const POLICIES = variable('policies', '[]');
const ALL =
  'policies = ["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy", "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryReadOnly"]\n';
const NODES = POLICIES + GROUP + attached('toset(var.policies)');
const ISSUER = 'aws_eks_cluster.main.identity[0].oidc[0].issuer';
const OIDC = `${variable('create', 'false')}${CLUSTER}resource "aws_iam_openid_connect_provider" "own" {
  count = var.create ? 1 : 0
  url = ${ISSUER}
  client_id_list = ["sts.amazonaws.com"]
}
resource "aws_iam_role" "web" {
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRoleWithWebIdentity", Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/\${replace(${ISSUER}, "https://", "")}" } }] })
}
`;
const AGENT = `${variable('addons', '{}')}${CLUSTER}${ASSOCIATION}resource "aws_eks_addon" "all" {\n  for_each = var.addons\n  cluster_name = aws_eks_cluster.main.name\n  addon_name = each.key\n}\n`;
const ADDONS = 'addons = { eks-pod-identity-agent = {}, coredns = {} }\n';
const ACCOUNT =
  'resource "kubernetes_service_account" "web" {\n  metadata {\n    name = "web"\n    namespace = "apps"\n    annotations = { "eks.amazonaws.com/role-arn" = aws_iam_role.web.arn }\n  }\n}\n';
const SUBJECT = (subject: string) =>
  `${variable('namespace', '"default"')}${ACCOUNT}resource "aws_iam_role" "web" {\n  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRoleWithWebIdentity", Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/A" }, Condition = { StringEquals = { "oidc.eks.eu-west-1.amazonaws.com/id/A:sub" = ${subject} } } }] })\n}\n`;
const IN_DEFAULT = SUBJECT('"system:serviceaccount:${var.namespace}:web"');

describe('a default that counts', () => {
  it.each<[keyof typeof RULES, string]>([
    ['nodes', NODES],
    ['oidc', OIDC],
    ['agent', AGENT],
    ['subject', IN_DEFAULT],
  ])('is what the input has, where nothing else sets it: %s', (rule, main) => {
    expect(judged({ 'main.tf': main }, rule)).toContain('fail');
    expect(judged({ 'main.tf': main, 'prod.tfvars': 'other = 1\n' }, rule)).toContain('fail');
  });

  it.each<[string, keyof typeof RULES, Record<string, string>]>([
    ['beside', 'nodes', { 'main.tf': NODES, 'prod.tfvars': ALL }],
    ['below', 'nodes', { 'main.tf': NODES, 'env/prod.tfvars': ALL }],
    ['elsewhere', 'nodes', { 'stack/main.tf': NODES, 'environments/prod/terraform.tfvars': ALL }],
    [
      'by Terragrunt',
      'nodes',
      { 'modules/nodes/main.tf': NODES, 'live/nodes/terragrunt.hcl': `inputs = {\n  ${ALL}}\n` },
    ],
    [
      'by way of a local value',
      'nodes',
      {
        'main.tf': `${POLICIES}locals {\n  all = toset(concat(var.policies, []))\n}\n${GROUP}${attached('local.all')}`,
        'prod.tfvars': ALL,
      },
    ],
    [
      'by way of a module',
      'nodes',
      {
        'main.tf': `${POLICIES}module "nodes" {\n  source = "./nodes"\n  given = var.policies\n}\n`,
        'nodes/main.tf': `variable "given" {}\n${GROUP}${attached('toset(var.given)')}`,
        'prod.tfvars': ALL,
      },
    ],
    ['a switch', 'oidc', { 'main.tf': OIDC, 'prod.tfvars': 'create = true\n' }],
    ['add-ons', 'agent', { 'main.tf': AGENT, 'env/prod.tfvars': ADDONS }],
    [
      'add-ons of a module of the registry',
      'agent',
      {
        'main.tf': `${variable('addons', '{}')}module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "21.0.0"\n  name = "blue"\n  addons = var.addons\n}\n${ASSOCIATION.replace('aws_eks_cluster.main.name', 'module.eks.cluster_name')}`,
        'prod.tfvars': ADDONS,
      },
    ],
    ['a namespace', 'subject', { 'main.tf': IN_DEFAULT, 'prod.tfvars': 'namespace = "apps"\n' }],
    [
      'a namespace by way of a function',
      'subject',
      {
        'main.tf': SUBJECT('format("system:serviceaccount:%s:web", var.namespace)'),
        'prod.tfvars': 'namespace = "apps"\n',
      },
    ],
  ])('may be something else: %s', (_, rule, files) => {
    expect(judged(files, rule)).not.toContain('fail');
  });

  it.each<[string, keyof typeof RULES, Record<string, string>]>([
    ['the same', 'nodes', { 'main.tf': NODES, 'dev.tfvars': 'policies = []\n' }],
    ['an example', 'nodes', { 'main.tf': NODES, 'terraform.tfvars.example': ALL }],
    ['the same namespace', 'subject', { 'main.tf': IN_DEFAULT, 'prod.tfvars': 'namespace = "default"\n' }],
    ['what is given', 'nodes', { 'main.tf': NODES, 'terraform.tfvars': 'policies = []\n', 'prod.tfvars': ALL }],
    [
      'one for something else',
      'nodes',
      { 'main.tf': `${variable('tags', '{}')}${GROUP}`, 'prod.tfvars': 'tags = { a = "b" }\n' },
    ],
  ])('is no other one by %s', (_, rule, files) => {
    expect(judged(files, rule)).toContain('fail');
  });
});
