import { EksModel } from '../../../../lib/eks';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { runRules } from '../../../../lib/engine';
import { clusterRolePolicies } from '../../../../lib/rules/iam/cluster-role-policies';
import { ebsCsiRoleMissing } from '../../../../lib/rules/iam/ebs-csi-role-missing';
import { externalDnsPolicy } from '../../../../lib/rules/iam/external-dns-policy';
import { irsaOidcProvider } from '../../../../lib/rules/iam/irsa-oidc-provider';
import { nodeRolePolicies } from '../../../../lib/rules/iam/node-role-policies';
import { podIdentityAgent } from '../../../../lib/rules/iam/pod-identity-agent';
import { vpcCniRoleMissing } from '../../../../lib/rules/iam/vpc-cni-role-missing';
import { clusterPrivateEndpoints } from '../../../../lib/rules/node-group/cluster-private-endpoints';
import { vpcCniRoleOnNodes } from '../../../../lib/rules/iam/vpc-cni-role-on-nodes';
import { configurations } from '../../../terraform/module/configurations';

/*
 * "Nothing here does it" is said of what the input shows. What isn't looked into and is given the role or the cluster in question may do it, what is given
 * neither may not.
 */

const RULES = {
  nodes: nodeRolePolicies,
  plane: clusterRolePolicies,
  cni: vpcCniRoleMissing,
  ebs: ebsCsiRoleMissing,
  dns: externalDnsPolicy,
  oidc: irsaOidcProvider,
  agent: podIdentityAgent,
  endpoints: clusterPrivateEndpoints,
  onNodes: vpcCniRoleOnNodes,
} as const;

type Files = Readonly<Record<string, string>> | string;

function judged(files: Files, rule: keyof typeof RULES): readonly string[] {
  const { instances } = configurations(files, { knownModule: expandKnownModule });
  return runRules(new EksModel(readInstances(instances)), [RULES[rule]]).map(({ verdict, message }) =>
    verdict === 'fail' ? verdict : `${verdict} ${message}`,
  );
}

const trusting = (service: string) =>
  `jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = ["sts:AssumeRole", "sts:TagSession"], Principal = { Service = "${service}.amazonaws.com" } }] })`;
const role = (name: string, service: string, more = '') =>
  `resource "aws_iam_role" "${name}" {\n  name = "${name}-role"\n  assume_role_policy = ${trusting(service)}\n${more}}\n`;
const CLUSTER =
  'resource "aws_eks_cluster" "main" {\n  name = "blue"\n  role_arn = aws_iam_role.plane.arn\n  vpc_config {\n    subnet_ids = ["subnet-1", "subnet-2"]\n  }\n}\n';
const GROUP =
  'resource "aws_eks_node_group" "workers" {\n  cluster_name = aws_eks_cluster.main.name\n  node_role_arn = aws_iam_role.nodes.arn\n  subnet_ids = ["subnet-1"]\n}\n';
const BASE = role('plane', 'eks') + role('nodes', 'ec2') + CLUSTER + GROUP;
const NODE_POLICIES =
  '  managed_policy_arns = ["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy", "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly"]\n';
const WITH_ADDON = (addon: string) =>
  `${role('plane', 'eks')}${role('nodes', 'ec2', NODE_POLICIES)}${CLUSTER}${GROUP}resource "aws_eks_addon" "own" {\n  cluster_name = aws_eks_cluster.main.name\n  addon_name = "${addon}"\n}\n`;
const ASSOCIATION = (account = 'web') =>
  `resource "aws_eks_pod_identity_association" "web" {\n  cluster_name = aws_eks_cluster.main.name\n  namespace = "kube-system"\n  service_account = "${account}"\n  role_arn = "arn:aws:iam::111122223333:role/pods"\n}\n`;
const DNS = `${role('dns', 'pods.eks', '  inline_policy {\n    name = "list"\n    policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "route53:List*", Resource = "*" }] })\n  }\n')}resource "aws_eks_pod_identity_association" "dns" {\n  cluster_name = "blue"\n  namespace = "dns"\n  service_account = "external-dns"\n  role_arn = aws_iam_role.dns.arn\n}\nresource "helm_release" "dns" {\n  name = "external-dns"\n  namespace = "dns"\n  repository = "https://kubernetes-sigs.github.io/external-dns/"\n  chart = "external-dns"\n  version = "1.15.0"\n}\n`;
const ISSUER = 'aws_eks_cluster.main.identity[0].oidc[0].issuer';
const TRUSTING_TOKENS = `${CLUSTER}resource "aws_iam_role" "plane" {\n  name = "plane"\n}\nresource "aws_iam_role" "web" {\n  name = "web"\n  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRoleWithWebIdentity", Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/\${replace(${ISSUER}, "https://", "")}" } }] })\n}\n`;

const NETWORK = `resource "aws_vpc" "own" {
  cidr_block = "10.1.0.0/16"
}
resource "aws_subnet" "a" {
  vpc_id = aws_vpc.own.id
  cidr_block = "10.1.0.0/24"
}
resource "aws_route_table" "a" {
  vpc_id = aws_vpc.own.id
}
resource "aws_route_table_association" "a" {
  subnet_id = aws_subnet.a.id
  route_table_id = aws_route_table.a.id
}
resource "aws_eks_cluster" "main" {
  name = "blue"
  vpc_config {
    subnet_ids = [aws_subnet.a.id]
    endpoint_private_access = true
  }
}
resource "aws_eks_node_group" "workers" {
  cluster_name = aws_eks_cluster.main.name
  subnet_ids = [aws_subnet.a.id]
}
`;

const module = (name: string, given: string, source = 'git::https://example.com/infra.git//things?ref=v2') =>
  `module "${name}" {\n  source = "${source}"\n  ${given}\n}\n`;
const script = (command: string, more = '') =>
  `resource "null_resource" "setup" {\n  ${more}\n  provisioner "local-exec" {\n    command = ${JSON.stringify(command)}\n  }\n}\n`;

const INPUTS: Readonly<Record<Exclude<keyof typeof RULES, 'onNodes'>, string>> = {
  nodes: BASE,
  plane: BASE,
  cni: WITH_ADDON('vpc-cni'),
  ebs: WITH_ADDON('aws-ebs-csi-driver'),
  dns: DNS,
  oidc: TRUSTING_TOKENS,
  agent: role('plane', 'eks') + CLUSTER + ASSOCIATION(),
  endpoints: NETWORK,
};

describe.each(Object.keys(INPUTS) as (keyof typeof INPUTS)[])('%s', (rule) => {
  it('is said of what is all here', () => {
    expect(judged(INPUTS[rule], rule)).toContain('fail');
  });

  it('is said beside modules that get nothing of it', () => {
    const others =
      module('team', 'cluster_size = 3\n  name = "blue-team"') +
      module('vpc', 'name = aws_eks_cluster.main.name', 'git::https://example.com/terraform-aws-vpc.git') +
      script('./setup.sh of-all') +
      script('aws eks update-kubeconfig --name blue && kubectl get nodes').replaceAll('setup', 'access');
    expect(judged(INPUTS[rule] + (rule === 'dns' ? role('plane', 'eks') + CLUSTER : '') + others, rule)).toContain(
      'fail',
    );
  });
});

describe('what is given a role may attach policies to it', () => {
  it.each<[string, keyof typeof INPUTS, string]>([
    ['by its name', 'nodes', module('attach', 'role = aws_iam_role.nodes.name')],
    ['by its ARN', 'nodes', module('attach', 'who = aws_iam_role.nodes.arn')],
    ['as a key', 'nodes', module('attach', 'roles = { (aws_iam_role.nodes.name) = ["X"] }')],
    ['within a list', 'plane', module('attach', 'config = [{ role = aws_iam_role.plane.id }]')],
    ['by its literal name', 'nodes', module('attach', 'role_name = "nodes-role"')],
    [
      'to a stack',
      'plane',
      'resource "aws_cloudformation_stack" "p" {\n  name = "p"\n  template_url = "https://example.com/p.yaml"\n  parameters = { Role = aws_iam_role.plane.name }\n}\n',
    ],
    [
      'to a script',
      'nodes',
      script('aws iam attach-role-policy --role-name ${aws_iam_role.nodes.name} --policy-arn x'),
    ],
    [
      'to the script of terraform_data',
      'nodes',
      script('sh attach.sh ${self.triggers.role}', 'triggers = { role = aws_iam_role.nodes.name }').replace(
        'null_resource',
        'terraform_data',
      ),
    ],
    ['as a whole', 'nodes', module('attach', 'who = [aws_iam_role.nodes]')],
    ['of a controller', 'dns', module('attach', 'role_name = aws_iam_role.dns.name')],
  ])('%s', (_, rule, more) => {
    const all = judged(INPUTS[rule] + more, rule);
    expect(all).not.toContain('fail');
    expect(all.join()).toMatch(/may attach policies to it/);
  });

  it('but not to another one, nor what it allows', () => {
    expect(judged(INPUTS.nodes + module('attach', 'role = aws_iam_role.plane.name'), 'nodes')).toContain('fail');
    expect(
      judged(
        INPUTS.nodes + module('key', 'users = [aws_iam_role.nodes.arn]', 'terraform-aws-modules/kms/aws'),
        'nodes',
      ),
    ).toContain('fail');
    expect(
      judged(
        INPUTS.nodes + 'resource "aws_codebuild_project" "b" {\n  service_role = aws_iam_role.nodes.arn\n}\n',
        'nodes',
      ),
    ).toContain('fail');
  });
});

describe('another configuration beside that of a role', () => {
  const attaching = (who: string) =>
    `resource "aws_iam_role_policy_attachment" "all" {\n  for_each = toset(["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"])\n  role = ${who}\n  policy_arn = "arn:aws:iam::aws:policy/\${each.key}"\n}\n`;
  const STATE =
    'data "terraform_remote_state" "cluster" {\n  backend = "s3"\n  config = { bucket = "b", key = "k" }\n}\n';
  const OUTPUTS =
    'output "role_of_nodes" {\n  value = aws_iam_role.nodes.name\n}\noutput "plane" {\n  value = aws_iam_role.plane.arn\n}\n';

  it.each<[string, Record<string, string>]>([
    [
      'by an output of its state',
      {
        'live/eks/main.tf': BASE + OUTPUTS,
        'live/iam/main.tf': STATE + attaching('data.terraform_remote_state.cluster.outputs.role_of_nodes'),
      },
    ],
    [
      'by a variable',
      { 'live/eks/main.tf': BASE, 'live/iam/main.tf': `variable "node_role" {}\n${attaching('var.node_role')}` },
    ],
  ])('may attach policies to it: %s', (_, files) => {
    const all = judged(files, 'nodes');
    expect(all).not.toContain('fail');
    expect(all.join()).toContain('live/iam');
  });

  it.each<[string, Record<string, string>]>([
    [
      'another output',
      {
        'live/eks/main.tf': BASE + OUTPUTS,
        'live/iam/main.tf': STATE + attaching('data.terraform_remote_state.cluster.outputs.plane'),
      },
    ],
    [
      'in another place',
      { 'examples/eks/main.tf': BASE, 'live/iam/main.tf': `variable "node_role" {}\n${attaching('var.node_role')}` },
    ],
    [
      'of its own',
      {
        'live/eks/main.tf': BASE,
        'live/iam/main.tf': `${role('other', 'ec2')}${attaching('aws_iam_role.other.name')}`,
      },
    ],
  ])('has nothing to do with it: %s', (_, files) => {
    expect(judged(files, 'nodes')).toContain('fail');
  });

  it('roles of a list that is not known', () => {
    const all = judged(
      `${BASE}variable "roles" {}\nresource "aws_iam_policy_attachment" "all" {\n  name = "all"\n  roles = concat(var.roles, [])\n  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"\n}\n`,
      'nodes',
    );
    expect(all).not.toContain('fail');
  });
});

describe('what is given the cluster may do what nothing else does', () => {
  const STACK = (template: string) =>
    `resource "aws_cloudformation_stack" "s" {\n  name = "s"\n  template_url = "${template}"\n  parameters = { Name = aws_eks_cluster.main.name }\n}\n`;
  const named = 'cluster_name = aws_eks_cluster.main.name';

  it.each<[keyof typeof INPUTS, string]>([
    ['agent', module('things', named)],
    ['agent', module('things', 'cluster_name = "blue"')],
    ['agent', module('things', 'config = { endpoint = aws_eks_cluster.main.endpoint }')],
    ['agent', module('things', 'of = aws_eks_cluster.main')],
    ['agent', module('things', 'all = { a = [aws_eks_cluster.main] }')],
    ['agent', STACK('https://example.com/a.yaml')],
    ['agent', `locals {\n  name = aws_eks_cluster.main.name\n}\n${module('things', 'eks = { name = local.name }')}`],
    [
      'agent',
      script('aws eks create-addon --cluster-name ${aws_eks_cluster.main.name} --addon-name eks-pod-identity-agent'),
    ],
    ['agent', script('./install.sh', 'triggers = { cluster = aws_eks_cluster.main.name }')],
    ['agent', script('aws eks update-kubeconfig --name blue\nkubectl apply -f agent.yaml')],
    ['agent', script('helm upgrade agent ./agent', 'triggers = { of = aws_eks_cluster.main.id }')],
    ['cni', module('things', named)],
    [
      'cni',
      script(
        'aws eks create-pod-identity-association --cluster-name ${aws_eks_cluster.main.name} --namespace kube-system',
      ),
    ],
    ['ebs', module('things', named)],
    ['ebs', STACK('https://example.com/a.yaml')],
    ['oidc', module('things', named)],
    ['oidc', module('things', `url = ${ISSUER}`)],
    ['oidc', script('eksctl utils associate-iam-oidc-provider --cluster ${aws_eks_cluster.main.name} --approve')],
  ])('%s: %s', (rule, more) => {
    const all = judged(INPUTS[rule] + more, rule);
    expect(all).not.toContain('fail');
    expect(all.join()).toMatch(/(?:module\.things|aws_cloudformation_stack\.s|null_resource\.setup), which .* may /);
  });

  it.each<[keyof typeof INPUTS, string]>([
    ['agent', script('aws eks update-kubeconfig --name blue && kubectl wait --for=condition=Ready nodes --all')],
    ['agent', script('eksctl utils associate-iam-oidc-provider --cluster blue --approve')],
    ['agent', module('role', `provider_url = ${ISSUER}`, 'example/iam-role-for-web-identity/aws')],
    ['cni', script('aws eks update-kubeconfig --name blue && kubectl apply -f x.yaml')],
    ['oidc', script('aws eks create-addon --cluster-name blue --addon-name coredns')],
    ['oidc', module('role', `provider_url = ${ISSUER}`, 'example/iam-role-for-web-identity/aws')],
    ['ebs', module('logs', named, 'example/cloudwatch/aws')],
  ])('%s, but not by %s', (rule, more) => {
    expect(judged(INPUTS[rule] + more, rule)).toContain('fail');
  });
});

it('what the role of nodes allows stays what their pods can do', () => {
  const able = INPUTS.cni.replace(
    'policy/AmazonEKSWorkerNodePolicy"',
    'policy/AmazonEKSWorkerNodePolicy", "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"',
  );
  expect(judged(able, 'onNodes')).toContain('fail');
  expect(judged(able + module('things', 'cluster_name = aws_eks_cluster.main.name'), 'onNodes')).toContain('fail');
});

describe('another configuration beside that of a cluster', () => {
  it.each<[keyof typeof INPUTS, string]>([
    [
      'agent',
      'resource "aws_eks_addon" "more" {\n  for_each = toset(["coredns", "eks-pod-identity-agent"])\n  cluster_name = var.cluster\n  addon_name = each.key\n}\n',
    ],
    [
      'agent',
      'resource "helm_release" "agent" {\n  name = "agent"\n  chart = "oci://example.com/eks-pod-identity-agent"\n}\n',
    ],
    [
      'cni',
      'resource "aws_eks_pod_identity_association" "more" {\n  cluster_name = var.cluster\n  namespace = "kube-system"\n  service_account = "aws-node"\n  role_arn = "arn:aws:iam::111122223333:role/cni"\n}\n',
    ],
  ])('may be for it: %s', (rule, more) => {
    const files = { 'live/eks/main.tf': INPUTS[rule], 'live/more/main.tf': `variable "cluster" {}\n${more}` };
    const all = judged(files, rule);
    expect(all).not.toContain('fail');
    expect(all.join()).toContain("is of the same cluster isn't known");
  });

  it('is for another one by its name', () => {
    const more = ASSOCIATION('aws-node').replace('aws_eks_cluster.main.name', '"green"');
    expect(judged({ 'live/eks/main.tf': INPUTS.cni, 'live/more/main.tf': more }, 'cni')).toContain('fail');
  });
});

describe('what a data source looks up is there', () => {
  it.each<[keyof typeof INPUTS, string]>([
    [
      'agent',
      'data "aws_eks_addon" "agent" {\n  cluster_name = aws_eks_cluster.main.name\n  addon_name = "eks-pod-identity-agent"\n}\n',
    ],
    ['oidc', `data "aws_iam_openid_connect_provider" "own" {\n  url = ${ISSUER}\n}\n`],
  ])('%s', (rule, more) => {
    expect(judged(INPUTS[rule] + more, rule)).not.toContain('fail');
  });

  it.each<[keyof typeof INPUTS, string]>([
    [
      'agent',
      'data "aws_eks_addon" "dns" {\n  cluster_name = aws_eks_cluster.main.name\n  addon_name = "coredns"\n}\n',
    ],
    [
      'oidc',
      'data "aws_iam_openid_connect_provider" "other" {\n  url = "https://token.actions.githubusercontent.com"\n}\n',
    ],
  ])('and nothing else is: %s', (rule, more) => {
    expect(judged(INPUTS[rule] + more, rule)).toContain('fail');
  });
});

describe('endpoints of another configuration', () => {
  const ENDPOINTS = (vpc: string) =>
    `variable "network" {}\nresource "aws_vpc_endpoint" "all" {\n  for_each = toset(["ec2", "ecr.api", "ecr.dkr", "sts", "s3"])\n  vpc_id = ${vpc}\n  service_name = "com.amazonaws.eu-west-1.\${each.key}"\n  vpc_endpoint_type = "Interface"\n  private_dns_enabled = true\n}\n`;

  it('may be in the VPC, where it has that from a variable', () => {
    const files = { 'live/eks/main.tf': NETWORK, 'live/endpoints/main.tf': ENDPOINTS('var.network') };
    expect(judged(files, 'endpoints')).not.toContain('fail');
  });

  it('are elsewhere by its place or its VPC', () => {
    const other = { 'live/eks/main.tf': NETWORK, 'other/net/main.tf': ENDPOINTS('var.network') };
    expect(judged(other, 'endpoints')).toContain('fail');
    const named = { 'live/eks/main.tf': NETWORK, 'live/endpoints/main.tf': ENDPOINTS('"vpc-1234567890"') };
    expect(judged(named, 'endpoints')).toContain('fail');
  });
});
