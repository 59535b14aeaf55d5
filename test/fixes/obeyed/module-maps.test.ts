import type { Finding } from '../../../lib/engine';
import { outcomeOf } from './outcome';
import { checkedHcl } from './terraform-findings';

/* Maps that the call of a module takes from elsewhere: a setting is written where the entry has its others, in that place's own shape. */

const GROUP = '{\n      ami_type       = "AL2023_x86_64_STANDARD"\n      instance_types = ["m6i.large"]\n    }';
const ADDONS = `{\n    coredns    = {}\n    kube-proxy = {}\n    vpc-cni = {\n      before_compute = true\n    }\n  }`;

/** @param more what stands outside of the call @param groups what the call gives */
const withGroups = (more: string, groups: string): string =>
  `${more}\nmodule "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "21.19.0"\n  name = "main"\n  kubernetes_version = "1.36"\n  eks_managed_node_groups = ${groups}\n}\n`;

const withAddons = (more: string, addons: string): string =>
  `${more}\nmodule "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "20.37.2"\n  cluster_name = "main"\n  cluster_version = "1.36"\n  cluster_addons = ${addons}\n}\n`;

const HOP_LIMIT = 'imds-hop-limit one';
const VERSION = 'addon-version looked-up-cni';
const MODE = 'vpc-cni-resolve-conflicts no-configuration';

/** What is found, where the code goes, and the input. */
const SHAPES: readonly (readonly [string, string, string, string])[] = [
  [
    'a local value',
    HOP_LIMIT,
    'local.groups["a"]',
    withGroups(`locals {\n  groups = {\n    a = ${GROUP}\n  }\n}`, 'local.groups'),
  ],
  [
    'an entry of a local value',
    HOP_LIMIT,
    'local.all["prod"]["a"]',
    withGroups(`locals {\n  all = {\n    prod = {\n      a = ${GROUP}\n    }\n  }\n}`, 'local.all.prod'),
  ],
  [
    'a local value behind another one, by index',
    HOP_LIMIT,
    'local.all["prod"]["a"]',
    withGroups(
      `locals {\n  all = {\n    prod = {\n      a = ${GROUP}\n    }\n  }\n  these = local.all["prod"]\n}`,
      'local.these',
    ),
  ],
  [
    'a map laid over another one',
    HOP_LIMIT,
    'module.eks.eks_managed_node_groups["a"]',
    withGroups('locals {\n  groups = {}\n}', `merge(local.groups, {\n    a = ${GROUP}\n  })`),
  ],
  [
    'a map that another one is laid over',
    HOP_LIMIT,
    'local.groups["a"]',
    withGroups(`locals {\n  groups = {\n    a = ${GROUP}\n  }\n}`, 'merge(local.groups, {})'),
  ],
  [
    'settings of all groups and of one',
    HOP_LIMIT,
    'module.eks.eks_managed_node_groups["a"]',
    withGroups(
      'locals {\n  common = {\n    instance_types = ["m6i.large"]\n  }\n}',
      '{\n    a = merge(local.common, {\n      ami_type = "AL2023_x86_64_STANDARD"\n    })\n  }',
    ),
  ],
  [
    'the default of a variable',
    HOP_LIMIT,
    'var.groups["a"] (its default)',
    withGroups(`variable "groups" {\n  type    = any\n  default = {\n    a = ${GROUP}\n  }\n}`, 'var.groups'),
  ],
  [
    'what a for makes',
    HOP_LIMIT,
    'module.eks.eks_managed_node_groups (what its `for` makes)',
    withGroups('', '{\n    for zone in ["a", "b"] : zone => {\n      ami_type = "AL2023_x86_64_STANDARD"\n    }\n  }'),
  ],
  [
    'what a for lays over a variable whose type would drop the setting',
    HOP_LIMIT,
    'module.eks.eks_managed_node_groups (what its `for` makes)',
    withGroups(
      `variable "groups" {\n  type = map(object({ ami_type = string, instance_types = list(string) }))\n  default = {\n    a = ${GROUP}\n  }\n}`,
      '{\n    for name, group in var.groups : name => merge(group, {\n      min_size = 1\n    })\n  }',
    ),
  ],
  [
    'one of two maps',
    HOP_LIMIT,
    'local.groups["a"]',
    withGroups(`locals {\n  groups = {\n    a = ${GROUP}\n  }\n}`, 'true ? local.groups : {}'),
  ],
  [
    'add-ons of a local value',
    VERSION,
    'local.addons["vpc-cni"]',
    withAddons(`locals {\n  addons = ${ADDONS}\n}`, 'local.addons'),
  ],
  [
    'a setting that stands in the entry already, further down',
    HOP_LIMIT,
    'local.groups["a"], in place of its metadata_options',
    withGroups(
      'variable "metadata_options" {\n  type    = map(string)\n  default = {}\n}\nlocals {\n  groups = {\n    a = {\n      instance_types   = ["m6i.large"]\n      metadata_options = var.metadata_options\n    }\n  }\n}',
      'local.groups',
    ),
  ],
  [
    'one of the add-ons that a for makes',
    VERSION,
    'module.eks.cluster_addons (what its `for` makes)',
    withAddons(
      '',
      '{\n    for name in ["coredns", "kube-proxy", "vpc-cni"] : name => {\n      preserve = true\n    }\n  }',
    ),
  ],
  [
    'a setting that stands where a for takes it from',
    MODE,
    'local.addons["vpc-cni"], in place of its resolve_conflicts_on_update',
    withAddons(
      'locals {\n  addons = {\n    vpc-cni = {\n      addon_version = "v1.22.4-eksbuild.3"\n      resolve_conflicts_on_update = "OVERWRITE"\n    }\n  }\n}',
      '{\n    for name, addon in local.addons : name => merge(addon, {\n      preserve = true\n    })\n  }',
    ),
  ],
];

describe('an advice for an entry of a map goes where the entry is written:', () => {
  it.each(SHAPES)('%s: %s in %s', (_, id, name, text) => {
    const finding = found(text, id);
    expect(finding?.fixCode?.split('\n')[0]).toMatch(/^# in main\.tf:\d+, /);
    expect(finding?.fixCode?.split('\n')[0]).toContain(`, ${name}:`);
    expect(finding && outcomeOf(text, finding)).toBe('works');
  });

  it('is for one key only, of the add-ons that a `for` makes', () => {
    const [, , , text = ''] = SHAPES.find(([shape]) => shape.startsWith('one of the add-ons')) ?? [];
    expect(found(text, VERSION)?.fixCode).toMatch(/addon_version = name == "vpc-cni" \? "v[\w.-]+" : null$/);
  });

  it('names the line where no object is written that a setting could go into', () => {
    const text = withGroups(
      `variable "groups" {\n  type = map(object({ ami_type = string, instance_types = list(string) }))\n  default = {\n    a = ${GROUP}\n  }\n}`,
      'var.groups',
    );
    const line = text.split('\n').findIndex((one) => one.includes('eks_managed_node_groups')) + 1;
    expect(found(text, HOP_LIMIT)?.fixCode?.split('\n')[0]).toBe(
      `# in what main.tf:${line} gives module.eks.eks_managed_node_groups["a"]:`,
    );
  });

  it('stays where all of it is written in the call', () => {
    const text = withGroups('', `{\n    a = ${GROUP}\n  }`);
    expect(found(text, HOP_LIMIT)?.fixCode?.split('\n')[0]).toBe('# in module.eks.eks_managed_node_groups["a"]:');
  });
});

function found(text: string, id: string): Finding | undefined {
  return checkedHcl(text).findings.find(({ rule, messageId }) => `${rule} ${messageId ?? ''}` === id);
}

describe('a version for one of the add-ons that a block makes with for_each', () => {
  const addons = (more: string): string =>
    `resource "aws_eks_cluster" "main" {\n  name = "main"\n  version = "1.36"\n  role_arn = "r"\n  vpc_config {\n    subnet_ids = ["a"]\n  }\n}\n\nresource "aws_eks_node_group" "w" {\n  cluster_name = aws_eks_cluster.main.name\n  node_role_arn = "r"\n  subnet_ids = ["a"]\n  scaling_config {\n    min_size = 1\n    max_size = 2\n    desired_size = 1\n  }\n}\n\nresource "aws_eks_addon" "this" {\n  for_each = toset(["vpc-cni", "kube-proxy"])\n  cluster_name = aws_eks_cluster.main.name\n  addon_name = each.key\n${more}}\n`;

  it('is for its key, and the others go on without', () => {
    const text = addons('');
    const finding = found(text, 'addon-version unpinned-cni');
    expect(finding?.fixCode).toMatch(/^addon_version = each\.key == "vpc-cni" \? "v[\w.-]+" : null$/);
    expect(finding && outcomeOf(text, finding)).toBe('works');
  });

  it.each([
    'each.key == "coredns" ? "v1.13.2-eksbuild.1" : null',
    'lookup({ kube-proxy = "v1.36.0-eksbuild.1" }, each.key, null)',
  ])('leaves to the others what the block says of it: %s', (others) => {
    const text = addons(`  addon_version = ${others}\n`);
    const finding = found(text, 'addon-version unpinned-cni');
    expect(finding?.fixCode).toMatch(/^addon_version = each\.key == "vpc-cni" \? "v[\w.-]+" : /);
    expect(finding?.fixCode?.endsWith(` : ${others}`)).toBe(true);
    expect(finding && outcomeOf(text, finding)).toBe('works');
  });

  it('is told in words where that takes several lines', () => {
    const text = addons('  addon_version = lookup(\n    {},\n    each.key,\n    null\n  )\n');
    expect(found(text, 'addon-version unpinned-cni')).toBeDefined();
    expect(found(text, 'addon-version unpinned-cni')?.fixCode).toBeUndefined();
  });
});

it('a value that the call itself lays over a local value does not come from that', () => {
  const text = withAddons(
    'locals {\n  addons = {\n    vpc-cni = {\n      preserve = true\n    }\n  }\n}',
    'merge(local.addons, {\n    vpc-cni = {\n      addon_version = "v1.22.4-eksbuild.3"\n      resolve_conflicts_on_update = "NONE"\n    }\n  })',
  );
  const finding = found(text, 'vpc-cni-resolve-conflicts none');
  expect(finding).toBeDefined();
  expect(finding?.message).not.toContain('local.addons');
  expect(finding?.fix).not.toContain('local.addons');
});
