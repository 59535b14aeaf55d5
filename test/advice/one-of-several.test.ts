import { advised, outcomes } from './advised';

/* Add-ons of one block have their versions from the entries of a map, and change there. */

const files = (entries: string, version = 'each.value.version'): Readonly<Record<string, string>> => ({
  'main.tf': `resource "aws_eks_cluster" "main" {
  name     = "main"
  role_arn = "r"
  version  = var.release
}
resource "aws_eks_addon" "this" {
  for_each                    = var.addons
  cluster_name                = aws_eks_cluster.main.name
  addon_name                  = each.key
  addon_version               = ${version}
  resolve_conflicts_on_update = "PRESERVE"
}
`,
  'variables.tf': `variable "release" {
  default = "1.29"
}
variable "addons" {
  type = map(object({
    version = optional(string)
    role    = optional(string)
  }))
  default = {
${entries}
  }
}
`,
});

const TWO =
  '    vpc-cni = {\n      version = "v1.15.1-eksbuild.1"\n    }\n    coredns = { version = "v1.10.1-eksbuild.2" }';

it('with the version of their cluster', () => {
  const [advice] = advised(files(TWO), 'cluster-version-support');
  expect(advice?.finding.fixCode).toMatch(/\/variables\.tf:\d+, default of variable addons:\nversion = "v1\.2/);
  expect(advice?.finding.fixCode).not.toContain('each.key');
  expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
});

it('in the block where that gives one to all', () => {
  const all = {
    ...files('    vpc-cni = {}', 'var.of_all'),
    'of-all.tf': 'variable "of_all" {\n  default = "v1.15.1-eksbuild.1"\n}\n',
  };
  expect(advised(all, 'cluster-version-support').map(({ outcome, why }) => [outcome, why])).toEqual([
    ['works', undefined],
  ]);
});

it('leaves an entry alone that says nothing', () => {
  expect(outcomes(files('    vpc-cni = {}'), 'addon-version')).toEqual(['works']);
  const given = files('    vpc-cni = {}');
  const typed = (given['variables.tf'] ?? '').replace('optional(string)', 'optional(string, null)');
  expect(outcomes({ ...given, 'variables.tf': typed }, 'addon-version')).toEqual(['works']);
});

it('as an item of a ClusterConfig that has none for an add-on which eksctl installs by itself', () => {
  const config = (addons: string): string => `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: main
  region: eu-west-1
  version: "1.35"
vpc: { cidr: 10.0.0.0/16 }
${addons}managedNodeGroups:
  - name: nodes
    instanceType: m6i.large
`;
  const policy = `apiVersion: vpcresources.k8s.aws/v1beta1
kind: SecurityGroupPolicy
metadata:
  name: shop
  namespace: shop
spec:
  podSelector: { matchLabels: { app: shop } }
  securityGroups: { groupIds: [sg-0aaa1111bbb2222cc] }
`;
  for (const addons of ['', 'addons:\n  - name: coredns\n']) {
    const all = advised({ 'cluster.yaml': config(addons), 'policy.yaml': policy }, 'security-group-policy');
    const [advice] = all.filter(({ finding }) => finding.messageId === 'pod-eni-not-set');
    expect(advice?.finding.fixCode).toContain('# in the file, one more of addons:\n- name: vpc-cni\n  version: v1.');
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
  }
});
