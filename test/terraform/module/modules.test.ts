import { Known } from '../../../lib/value';
import type { KnownModuleCall } from '../../../lib/terraform/known-module';
import { configurations, placeOf } from './configurations';

const NODES = `variable "name" {}
variable "roles" {
  type    = list(string)
  default = []
}
resource "aws_launch_template" "own" {
  name = var.name
}
resource "aws_x" "roles" {
  roles = var.roles
}
output "template" {
  value = aws_launch_template.own.id
}
output "name" {
  value = var.name
}
`;

describe('a module', () => {
  it('is read for each instance of its call', () => {
    const read = configurations({
      'main.tf': `resource "aws_iam_role" "a" {}
module "nodes" {
  source   = "./modules/nodes"
  for_each = toset(["x", "y"])
  name     = "\${each.key}-nodes"
  roles    = [aws_iam_role.a.arn]
}
resource "aws_x" "z" {
  template = module.nodes["y"].template
  names    = [for key, one in module.nodes : one.name]
}`,
      'modules/nodes/main.tf': NODES,
    });
    expect(read.problems).toEqual([]);
    expect(read.inputs).toEqual(['. terraform-configuration 6']);
    expect(read.addresses).toEqual([
      'aws_iam_role.a',
      'aws_x.z',
      'module.nodes["x"].aws_launch_template.own',
      'module.nodes["x"].aws_x.roles',
      'module.nodes["y"].aws_launch_template.own',
      'module.nodes["y"].aws_x.roles',
    ]);
    expect(read.one('module.nodes["x"].aws_x.roles').module).toBe('module.nodes["x"]');
    expect(read.show('aws_x.z', 'names')).toEqual(['x-nodes', 'y-nodes']);
    expect(read.value('aws_x.z', 'template')).toMatchObject({
      reference: { resource: read.one('module.nodes["y"].aws_launch_template.own'), attribute: 'id' },
    });
    expect(read.value('module.nodes["x"].aws_x.roles', 'roles', 0)).toMatchObject({
      reference: { resource: read.one('aws_iam_role.a'), attribute: 'arn' },
    });
  });

  it('is judged where its own text stands, with a word where a value comes from', () => {
    const read = configurations({
      'main.tf': 'module "nodes" {\n  source = "./nodes"\n  name = "a"\n}',
      'nodes/main.tf': NODES,
    });
    expect(placeOf(read.value('module.nodes.aws_launch_template.own', 'name'))).toBe(
      'nodes/main.tf:7 name (argument name of module.nodes)',
    );
  });

  it('that exists under a condition gives that to what is in it', () => {
    const read = configurations({
      'main.tf': 'variable "on" {}\nmodule "m" {\n  source = "./m"\n  count = var.on ? 1 : 0\n  on = !var.on\n}',
      'm/main.tf': 'variable "on" {}\nresource "aws_x" "a" {}\nresource "aws_x" "never" {\n  count = var.on ? 1 : 0\n}',
    });
    expect(read.instances.map(({ address, exists }) => [address, exists.text])).toEqual([
      ['module.m[0].aws_x.a', 'var.on is true'],
    ]);
  });

  it('may give to another what stands on what that one gives', () => {
    const read = configurations({
      'main.tf':
        'module "a" {\n  source = "./m"\n  in = module.b.second\n}\nmodule "b" {\n  source = "./m"\n  in = module.a.second\n}',
      'm/main.tf':
        'variable "in" {}\noutput "first" {\n  value = var.in\n}\noutput "second" {\n  value = 2\n}\nresource "aws_x" "y" {\n  value = var.in\n}',
    });
    expect(read.show('module.a.aws_x.y', 'value')).toBe(2);
    expect(read.problems).toEqual([]);
  });

  it('that calls itself is an error', () => {
    const read = configurations({
      'main.tf': 'module "a" {\n  source = "./a"\n}',
      'a/main.tf': 'resource "aws_x" "y" {}\nmodule "b" {\n  source = "../b"\n}',
      'b/main.tf': 'module "a" {\n  source = "../a"\n}',
    });
    expect(read.addresses).toEqual(['module.a.aws_x.y']);
    expect(read.problems).toEqual([
      'error b/main.tf:1:1 module a calls the module that it stands in, so the call is not followed',
    ]);
  });

  it('that is not there is an error', () => {
    const read = configurations(
      'module "a" {\n  source = "./gone"\n}\nresource "aws_x" "y" {\n  value = module.a.id\n}',
    );
    expect(read.problems).toEqual(['error main.tf:1:1 module a: there is no folder "./gone" with Terraform files']);
    expect(read.value('aws_x.y', 'value').kind).toBe('unknown');
  });

  it('that terraform init has yet to put there is one that is not here', () => {
    const read = configurations(
      'module "a" {\n  source = "./.terraform/modules/eks/modules/karpenter"\n}\nresource "aws_x" "y" {\n  value = module.a.id\n}',
    );
    expect(read.problems.filter((problem) => problem.startsWith('error'))).toEqual([]);
    expect(read.value('aws_x.y', 'value').kind).toBe('unknown');
  });

  it('gets what it declares, and all that it needs', () => {
    const read = configurations({
      'main.tf': 'module "nodes" {\n  source = "./nodes"\n  nme = "a"\n}',
      'nodes/main.tf': NODES,
    });
    expect(read.problems).toEqual([
      'warning main.tf:3:3 module nodes has no variable "nme"',
      'warning main.tf:1:1 module nodes needs a value for its variable "name", which this call doesn\'t give',
    ]);
    expect(read.value('module.nodes.aws_launch_template.own', 'name')).toMatchObject({
      kind: 'unknown',
      reason: 'the call of module.nodes gives no value to variable name',
    });
  });
});

describe('a module that is not among the files', () => {
  const CALL =
    'module "eks" {\n  source  = "example/eks/aws"\n  version = "~> 21.0"\n  name    = "main"\n  hop     = 1\n}\nresource "aws_x" "y" {\n  cluster = module.eks.cluster_name\n  role = module.eks.roles["a"].arn\n}';

  it('is left out with a warning, and what it gives is unknown', () => {
    const read = configurations(CALL);
    expect(read.problems).toEqual([
      "warning main.tf:1:1 module eks (example/eks/aws) isn't here, so what it declares isn't checked",
    ]);
    expect(read.value('aws_x.y', 'cluster')).toMatchObject({ kind: 'unknown', text: '${module.eks.cluster_name}' });
    expect(read.value('aws_x.y', 'role')).toMatchObject({ kind: 'unknown', text: '${module.eks.roles.a.arn}' });
  });

  it.each([
    ['vpc', 'terraform-aws-modules/vpc/aws', 'name = "eks"'],
    ['eks_vpc', 'terraform-aws-modules/vpc/aws', 'name = "eks"'],
    ['eks_vpc', 'registry.terraform.io/terraform-aws-modules/vpc/aws', 'name = "eks"'],
    ['endpoints', 'terraform-aws-modules/vpc/aws//modules/vpc-endpoints', 'vpc_id = "vpc-1"'],
    ['eks_log_group', 'terraform-aws-modules/cloudwatch/aws//modules/log-group', 'name = "/aws/eks/main/logs"'],
    ['eks_lambda', 'registry.terraform.io/terraform-aws-modules/lambda/aws//modules/alias', 'name = "x"'],
    ['sg', 'git::https://example.com/org/terraform-aws-security-group.git?ref=v1', 'cluster = module.eks.cluster_name'],
    ['label', 'cloudposse/label/null', 'attributes = ["cluster"]'],
    ['website', 'example/website/aws', 'name = "x"'],
  ])('is left out without a word where it makes something else: %s', (name, source, argument) => {
    expect(configurations(`module "${name}" {\n  source = "${source}"\n  ${argument}\n}`).problems).toEqual(
      source.includes('security') ? [expect.stringContaining('there is no module "eks"')] : [],
    );
  });

  it.each([
    ['nodes_logs', 'example/cloudwatch/aws//modules/agents', 'name = "x"'],
    ['eks_role', 'terraform-aws-modules/iam/aws//modules/iam-eks-role', 'name = "x"'],
    ['platform', 'example/platform/aws', 'cluster_name = "main"'],
    ['x', 'example/x/aws', 'a = aws_eks_cluster.a.name'],
    ['workers', 'git::https://example.com/org/terraform-aws-eks-workers.git', 'name = "x"'],
    ['node_pool', 'example/pool/aws', 'name = "x"'],
  ])('is told where it may hold what rules look at: %s', (name, source, argument) => {
    expect(configurations(`module "${name}" {\n  source = "${source}"\n  ${argument}\n}`).problems).toContain(
      `warning main.tf:1:1 module ${name} (${source}) isn't here, so what it declares isn't checked`,
    );
  });

  it('is told in one line for the folder, with the others', () => {
    const call = (name: string) => `module "${name}" {\n  source = "example/eks/aws"\n}\n`;
    expect(configurations({ 'a.tf': call('a'), 'b.tf': call('b') }).problems).toEqual([
      "warning a.tf:1:1 modules aren't here, so what they declare isn't checked: a (example/eks/aws), b (example/eks/aws)",
    ]);
  });

  it('is told first and by its version where it holds the cluster', () => {
    const text =
      'module "irsa" {\n  source = "example/irsa/aws"\n}\nmodule "eks" {\n  source  = "terraform-aws-modules/eks/aws"\n  version = "11.1.0"\n}\nresource "aws_x" "y" {\n  value = var.nothing\n}\n';
    expect(configurations(text).problems.filter((problem) => problem.includes('module'))[0]).toBe(
      "warning main.tf:4:1 the cluster of module.eks isn't checked: terraform-aws-modules/eks/aws isn't here, and version 11.1.0 of it isn't known",
    );
  });

  it('is told once where several root modules call the module around it', () => {
    const root = 'module "shared" {\n  source = "../shared"\n}';
    const read = configurations(
      { 'a/main.tf': root, 'b/main.tf': root, 'shared/main.tf': 'module "eks" {\n  source = "example/eks/aws"\n}' },
      { named: ['a', 'b'] },
    );
    expect(read.problems).toHaveLength(1);
  });

  it('may be asked for add-ons, which are there then', () => {
    const read = configurations(
      'module "addons" {\n  source = "aws-ia/eks-blueprints-addons/aws"\n  cluster_name = "main"\n  eks_addons = {\n    eks-pod-identity-agent = {}\n  }\n}',
    );
    const address = 'module.addons.aws_eks_addon.this["eks-pod-identity-agent"]';
    expect(read.addresses).toEqual(['module.addons', address]);
    expect([read.show(address, 'addon_name'), read.show(address, 'cluster_name')]).toEqual([
      'eks-pod-identity-agent',
      'main',
    ]);
    expect(read.value(address, 'configuration_values').kind).toBe('unknown');
  });

  it('is looked for where terraform init puts it', () => {
    const manifest = {
      Modules: [
        { Key: '', Source: '', Dir: '.' },
        {
          Key: 'eks',
          Source: 'registry.terraform.io/example/eks/aws',
          Version: '21.0.0',
          Dir: '.terraform/modules/eks',
        },
      ],
    };
    const read = configurations(
      {
        'live/main.tf': CALL,
        'live/.terraform/modules/modules.json': JSON.stringify(manifest),
        'live/.terraform/modules/eks/main.tf':
          'variable "name" {}\nvariable "hop" {}\nresource "aws_eks_cluster" "this" {\n  name = var.name\n}\noutput "cluster_name" {\n  value = aws_eks_cluster.this.name\n}',
      },
      { named: ['live'] },
    );
    expect(read.addresses).toContain('module.eks.aws_eks_cluster.this');
    expect(read.show('aws_x.y', 'cluster')).toBe('main');
  });

  it.each([
    ['example/eks/aws', 'registry.terraform.io/example/eks/aws', true],
    ['example/eks/aws', 'registry.opentofu.org/example/eks/aws', true],
    ['example/eks/aws', 'example/eks/aws', true],
    ['example/eks/aws//modules/x', 'registry.terraform.io/example/eks/aws//modules/x', true],
    ['github.com/acme/eks', 'git::https://github.com/acme/eks.git', true],
    ['github.com/acme/eks//nodes?ref=v1', 'git::https://github.com/acme/eks.git//nodes?ref=v1', true],
    ['git@github.com:acme/eks.git', 'git::ssh://git@github.com/acme/eks.git', true],
    ['git::https://github.com/acme/eks.git?ref=v1', 'git::https://github.com/acme/eks.git?ref=v1', true],
    ['eks-modules.s3.amazonaws.com/eks.zip', 's3::https://s3.amazonaws.com/eks-modules/eks.zip', true],
    ['https://example.com:8443/eks.zip', 'https://example.com:8443/eks.zip', true],
    ['example/eks/aws', 'registry.terraform.io/other/eks/aws', false],
    ['example/eks/aws', 'registry.example.com/example/eks/aws', false],
    ['example/eks/aws', '', false],
    ['github.com/acme/eks', 'git::https://github.com/acme/other.git', false],
    ['github.com/acme/eks?ref=v2', 'git::https://github.com/acme/eks.git?ref=v1', false],
    ['github.com/acme/eks//a', 'git::https://github.com/acme/eks.git', false],
  ])('is the one that was put there only if the call still names it: %s, %s', (source, recorded, isThere) => {
    const manifest = { Modules: [{ Key: 'eks', Source: recorded, Dir: '.terraform/modules/eks' }] };
    const read = configurations(
      {
        'main.tf': `module "eks" {\n  source = "${source}"\n}\n`,
        '.terraform/modules/modules.json': JSON.stringify(manifest),
        '.terraform/modules/eks/main.tf': 'resource "aws_eks_cluster" "this" {}\n',
      },
      { named: ['.'] },
    );
    expect(read.addresses.includes('module.eks.aws_eks_cluster.this')).toBe(isThere);
    expect(read.problems.some((problem) => problem.includes("isn't here"))).toBe(!isThere);
  });

  it.each([
    ['~> 21.0', '21.4.0', true],
    ['>= 20.0, < 22.0', '21.4.0', true],
    ['~> 21.0', '22.0.0', false],
    ['20.1.0', '20.1.1', false],
    ['~> 21.0', '20.9.9', false],
  ])('is the one that was put there only if the call still takes its version: %s, %s', (version, recorded, isThere) => {
    const manifest = {
      Modules: [
        {
          Key: 'eks',
          Source: 'registry.terraform.io/example/eks/aws',
          Version: recorded,
          Dir: '.terraform/modules/eks',
        },
      ],
    };
    const read = configurations(
      {
        'main.tf': `module "eks" {\n  source  = "example/eks/aws"\n  version = "${version}"\n}\n`,
        '.terraform/modules/modules.json': JSON.stringify(manifest),
        '.terraform/modules/eks/main.tf': 'resource "aws_eks_cluster" "this" {}\n',
      },
      { named: ['.'] },
    );
    expect(read.addresses.includes('module.eks.aws_eks_cluster.this')).toBe(isThere);
  });

  it('outside of the folder is left alone', () => {
    const manifest = { Modules: [{ Key: 'eks', Dir: '../secret' }] };
    expect(
      configurations(
        { 'main.tf': CALL, '.terraform/modules/modules.json': JSON.stringify(manifest), '../secret/main.tf': '' },
        { named: ['.'] },
      ).problems,
    ).toHaveLength(1);
  });

  it('may be one that is known', () => {
    const calls: KnownModuleCall[] = [];
    const read = configurations(CALL, {
      knownModule: (call) => {
        calls.push(call);
        return { instances: [], outputs: new Map([['cluster_name', new Known('main', call.place)]]), diagnostics: [] };
      },
    });
    expect(calls).toMatchObject([
      {
        source: 'example/eks/aws',
        address: 'module.eks',
        version: { value: '~> 21.0' },
        frontEnd: 'terraform',
        stack: '.',
      },
    ]);
    const [call] = calls;
    expect(call?.argumentPlace('hop').locate()).toMatchObject({ line: 5 });
    expect(call?.argumentPlace('gone').locate()).toMatchObject({ line: 1 });
    expect(read.show('aws_x.y', 'cluster')).toBe('main');
    expect(read.value('aws_x.y', 'role').kind).toBe('unknown');
    expect(read.problems).toEqual([]);
  });
});

describe('the region', () => {
  it('is that of the provider', () => {
    const read = configurations({
      'main.tf': `variable "region" {
  default = "eu-central-1"
}
provider "aws" {
  region = var.region
}
provider "aws" {
  alias  = "west"
  region = "us-west-2"
}
resource "aws_x" "a" {}
resource "aws_x" "b" {
  provider = aws.west
}
resource "helm_release" "c" {}
module "m" {
  source = "./m"
}
module "w" {
  source    = "./m"
  providers = { aws = aws.west, aws.other = aws }
}`,
      'm/main.tf': 'resource "aws_x" "a" {}\nresource "aws_x" "b" {\n  provider = aws.other\n}',
    });
    expect(read.instances.map(({ address, region }) => [address, region])).toEqual([
      ['aws_x.a', 'eu-central-1'],
      ['aws_x.b', 'us-west-2'],
      ['helm_release.c', undefined],
      ['module.m.aws_x.a', 'eu-central-1'],
      ['module.m.aws_x.b', undefined],
      ['module.w.aws_x.a', 'us-west-2'],
      ['module.w.aws_x.b', 'eu-central-1'],
    ]);
  });
});

describe('a remote state', () => {
  it('of a root module of the run gives its outputs', () => {
    const backend = (key: string) =>
      `terraform {\n  backend "s3" {\n    bucket = "states"\n    key = "${key}"\n  }\n}\n`;
    const read = configurations({
      'base/main.tf': `${backend('base')}resource "aws_eks_cluster" "main" {}\noutput "cluster" {\n  value = aws_eks_cluster.main.id\n}`,
      'nodes/main.tf': `${backend('nodes')}data "terraform_remote_state" "base" {\n  backend = "s3"\n  config = {\n    bucket = "states"\n    key = "base"\n  }\n}\nresource "aws_x" "y" {\n  cluster = data.terraform_remote_state.base.outputs.cluster\n  other = data.terraform_remote_state.base.outputs.other\n}`,
    });
    expect(read.value('aws_x.y', 'cluster')).toMatchObject({
      kind: 'unknown',
      reference: { resource: read.one('aws_eks_cluster.main'), attribute: 'id' },
    });
    expect(read.value('aws_x.y', 'other').kind).toBe('unknown');
    expect(read.one('aws_x.y').stack).toBe('nodes');
  });

  it('of elsewhere does not', () => {
    const read = configurations(
      'data "terraform_remote_state" "base" {\n  backend = "local"\n}\nresource "aws_x" "y" {\n  cluster = data.terraform_remote_state.base.outputs.cluster\n}',
    );
    expect(read.value('aws_x.y', 'cluster').kind).toBe('unknown');
    expect(read.problems).toEqual([]);
  });
});
