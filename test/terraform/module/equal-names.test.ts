import { EksModel } from '../../../lib/eks';
import { launchTemplateOf } from '../../../lib/eks/analysis/node-group';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { configurations } from './configurations';

const VARIABLES = ['env', 'prefix', 'groups', 'others'].map((name) => `variable "${name}" {}\n`).join('');
const PETS =
  'resource "random_pet" "p" {}\nresource "random_pet" "q" {}\nresource "random_pet" "r" {\n  count = 2\n}\n';

function template(name: string, repeated = '', label = 'w'): string {
  return `resource "aws_launch_template" "${label}" {\n  ${repeated}\n  name = ${name}\n}\n`;
}

function group(name: string, repeated = ''): string {
  return `resource "aws_eks_node_group" "n" {\n  ${repeated}\n  cluster_name = "main"\n  launch_template {\n    name = ${name}\n    version = "1"\n  }\n}\n`;
}

/** The launch templates of all node groups. */
function templatesOf(files: string | Readonly<Record<string, string>>): string[] {
  return new EksModel(readInstances(configurations(files).instances)).nodeGroups.map((found) => {
    const value = launchTemplateOf(found);
    return value.kind === 'known' ? value.value.id : value.kind;
  });
}

describe('a launch template by a name that is not known', () => {
  it.each([
    ['an attribute of one resource', '"${random_pet.p.id}-lt"', '"${random_pet.p.id}-lt"'],
    ['a variable', '"${var.prefix}-lt"', 'format("%s-lt", var.prefix)'],
    ['a variable alone', 'var.prefix', 'var.prefix'],
    ['one instance', 'random_pet.r[1].id', '"${random_pet.r[1].id}"'],
    [
      'the same alternatives',
      'var.env == "prod" ? "${var.prefix}-a" : "b"',
      'var.env == "prod" ? "${var.prefix}-a" : "b"',
    ],
    ['a function', 'lower(var.prefix)', 'lower(var.prefix)'],
  ])('is found by the same expression: %s', (_, name, used) => {
    expect(templatesOf(VARIABLES + PETS + template(name) + group(used))).toEqual(['aws_launch_template.w']);
  });

  it.each([
    ['another resource', '"${random_pet.p.id}-lt"', '"${random_pet.q.id}-lt"'],
    ['another attribute', '"${random_pet.p.id}-lt"', '"${random_pet.p.separator}-lt"'],
    ['another text', '"${random_pet.p.id}-lt"', '"${random_pet.p.id}-LT"'],
    ['another instance', '"${random_pet.r[0].id}-lt"', '"${random_pet.r[1].id}-lt"'],
    ['a function that gives another value each time', '"${uuid()}-lt"', '"${uuid()}-lt"'],
    ['other alternatives', 'var.env == "prod" ? "a" : var.prefix', 'var.env == "dev" ? "a" : var.prefix'],
  ])('is not found by %s', (_, name, used) => {
    expect(templatesOf(VARIABLES + PETS + template(name) + group(used))).toEqual([expect.not.stringContaining('aws_')]);
  });

  it('is not found where two have it', () => {
    const name = '"${random_pet.p.id}-lt"';
    expect(templatesOf(PETS + template(name) + template(name, '', 'v') + group(name))).toEqual(['unknown']);
  });

  it('is the one of the own key', () => {
    const name = '"${random_pet.p.id}-${each.key}"';
    const each = 'for_each = toset(["a", "b"])';
    expect(templatesOf(PETS + template(name, each) + group(name, each))).toEqual([
      'aws_launch_template.w["a"]',
      'aws_launch_template.w["b"]',
    ]);
  });

  it.each([
    ['for_each = var.groups', '"${each.key}-lt"'],
    ['count = var.groups', '"lt-${count.index}"'],
  ])('is the one of the own key where keys are not known: %s', (repeated, name) => {
    expect(templatesOf(VARIABLES + template(name, repeated) + group(name, repeated))).toEqual([
      'aws_launch_template.w[*]',
    ]);
    expect(
      templatesOf(VARIABLES + template(name, repeated) + group(name, repeated.replace('groups', 'others'))),
    ).toEqual(['unknown']);
  });

  const MODULE = 'variable "x" {}\nresource "random_pet" "p" {}\n';

  it('is the one of the own module instance', () => {
    const name = '"${random_pet.p.id}-${var.x}"';
    expect(
      templatesOf({
        'main.tf': 'module "a" {\n  source = "./m"\n}\nmodule "b" {\n  source = "./m"\n}\n',
        'm/main.tf': MODULE + template(name) + group(name),
      }),
    ).toEqual(['module.a.aws_launch_template.w', 'module.b.aws_launch_template.w']);
  });

  it.each(['"${random_pet.p.id}-lt"', 'var.x ? "a" : "b"'])(
    'is not found by what reads alike in another module: %s',
    (name) => {
      expect(
        templatesOf({
          'main.tf': 'module "a" {\n  source = "./a"\n}\nmodule "b" {\n  source = "./b"\n}\n',
          'a/main.tf': MODULE + template(name),
          'b/main.tf': MODULE + group(name),
        }),
      ).toEqual([expect.not.stringContaining('aws_')]);
    },
  );
});

it('a launch configuration is found by the same unknown name', () => {
  const name = '"${random_pet.p.id}-lc"';
  const text = `${PETS}resource "aws_launch_configuration" "c" {
  name = ${name}
}
resource "aws_autoscaling_group" "n" {
  launch_configuration = ${name}
  tag {
    key = "kubernetes.io/cluster/main"
    value = "owned"
    propagate_at_launch = true
  }
}
`;
  const [found] = new EksModel(readInstances(configurations(text).instances)).selfManagedNodeGroups;
  expect(found && launchTemplateOf(found)).toMatchObject({ value: { id: 'aws_launch_configuration.c' } });
});

it('a cluster is found by the same unknown name', () => {
  const name = '"${random_pet.p.id}-cluster"';
  const text = `${PETS}resource "aws_eks_cluster" "c" {\n  name = ${name}\n}\n${group('"lt"').replace('"main"', name)}`;
  expect(new EksModel(readInstances(configurations(text).instances)).clusterViews).toMatchObject([
    { cluster: { id: 'aws_eks_cluster.c' }, nodeGroups: [{ id: 'aws_eks_node_group.n' }] },
  ]);
});
