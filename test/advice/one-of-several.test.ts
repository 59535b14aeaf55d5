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

const TWO = '    vpc-cni = {\n      version = "v1.15.1-eksbuild.1"\n    }\n    coredns = { version = "v1.10.1-eksbuild.2" }';

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
  expect(advised(all, 'cluster-version-support').map(({ outcome, why }) => [outcome, why])).toEqual([['works', undefined]]);
});

it('leaves an entry alone that says nothing', () => {
  expect(outcomes(files('    vpc-cni = {}'), 'addon-version')).toEqual(['works']);
});
