import { configurations } from './configurations';

const resource = (name: string) => `resource "aws_x" "${name}" {}\n`;
const call = (source: string) => `module "m" {\n  source = "${source}"\n}\n`;

describe('folders of configurations', () => {
  const files = {
    'infra/envs/dev/main.tf': call('../../modules/eks'),
    'infra/envs/dev/own.tf.json': '{"resource": {"aws_x": {"own": {}}}}',
    'infra/envs/prod/main.tf': call('../../modules/eks'),
    'infra/modules/eks/main.tf': resource('a'),
  };

  it('are root modules unless another one calls them', () => {
    const read = configurations(files);
    expect(read.inputs).toEqual([
      'infra/envs/dev terraform-configuration 2',
      'infra/envs/prod terraform-configuration 1',
    ]);
    expect(read.instances.map(({ stack, address }) => `${stack} ${address}`)).toEqual([
      'infra/envs/dev aws_x.own',
      'infra/envs/dev module.m.aws_x.a',
      'infra/envs/prod module.m.aws_x.a',
    ]);
  });

  it('are root modules when they are named', () => {
    expect(configurations(files, { named: ['infra/modules/eks'] }).inputs).toContain(
      'infra/modules/eks terraform-configuration 1',
    );
  });

  it.each([
    ['a backend', 'terraform {\n  backend "s3" {}\n}\n'],
    ['HCP Terraform', 'terraform {\n  cloud {\n    organization = "o"\n  }\n}\n'],
  ])('are root modules, whoever calls them, where %s keeps their state', (_, state) => {
    const hop = 'variable "hop" {\n  default = 1\n}\nresource "aws_x" "y" {\n  hop = var.hop\n}\n';
    const read = configurations({
      'decoy/main.tf': `module "m" {\n  source = "../real"\n  hop    = 2\n}\n`,
      'real/main.tf': `${state}${hop}`,
      'real/terraform.tfvars': 'hop = 3\n',
    });
    expect(read.inputs).toEqual(['decoy terraform-configuration 1', 'real terraform-configuration 1']);
    expect([read.show('module.m.aws_x.y', 'hop'), read.show('aws_x.y', 'hop')]).toEqual([2, 3]);
    expect(read.problems).toEqual([]);
  });

  it('are told to have values of their own where others call them', () => {
    const called = { ...files, 'infra/modules/eks/dev.auto.tfvars': 'x = 1\n' };
    const message =
      'warning infra/modules/eks/dev.auto.tfvars:1:1 the values of this file are not checked, because other modules call this one with their arguments; name infra/modules/eks to have it checked as a root module, too';
    expect(configurations(called)).toMatchObject({
      problems: [message],
      addresses: ['aws_x.own', 'module.m.aws_x.a', 'module.m.aws_x.a'],
    });
    expect(configurations(called).skipped).toEqual([{ what: 'file', count: 1 }]);
    expect(configurations(called, { named: ['infra/modules/eks'] }).problems).toEqual([]);
  });

  it('that call each other in a circle are read from one of them', () => {
    const read = configurations({
      'a/main.tf': `${resource('a')}${call('../b')}`,
      'b/main.tf': `${resource('b')}${call('../a')}`,
    });
    expect(read.inputs).toHaveLength(1);
    expect(read.addresses).toEqual(['aws_x.a', 'module.m.aws_x.b']);
    expect(read.problems).toHaveLength(1);
  });

  it('hold files of other tools that are not read', () => {
    expect(
      configurations({
        'main.tf': resource('a'),
        'image.pkr.hcl': '}',
        'terragrunt.hcl': '}',
        'prod.tfvars': '}',
        '.#main.tf': '}',
        'main.tf~': '}',
      }),
    ).toMatchObject({ addresses: ['aws_x.a'], problems: [] });
  });

  it.each(['#nodes.tf', '#nodes.tofu', '#.tf.json', '# copy #.tf', '#nodes#.tf'])(
    'hold %s, as Terraform reads it',
    (name) => {
      const text = name.endsWith('.json') ? '{"resource": {"aws_x": {"b": {}}}}' : resource('b');
      expect([...configurations({ 'main.tf': resource('a'), [name]: text }).addresses].sort()).toEqual([
        'aws_x.a',
        'aws_x.b',
      ]);
      expect(configurations({ [`only/${name}`]: text }).inputs).toEqual(['only terraform-configuration 1']);
    },
  );

  it.each(['#nodes.tf#', '.#nodes.tf', '.nodes.tf', 'nodes.tf~'])('hold %s, which Terraform passes over', (name) => {
    expect(configurations({ 'main.tf': resource('a'), [name]: resource('b') }).addresses).toEqual(['aws_x.a']);
  });

  it('are read as far as they can be', () => {
    const read = configurations({
      'a.tf': `${resource('a')}resource "aws_x" "b" {\n  value = = 1\n  other = 2\n}\n${resource('c')}`,
      'b.tf.json': '{',
      'terraform.tfvars': 'x = [',
    });
    expect(read.addresses).toEqual(['aws_x.a', 'aws_x.b', 'aws_x.c']);
    expect(read.show('aws_x.b', 'other')).toBe(2);
    expect(read.problems.map((problem) => problem.split(' ', 2).join(' '))).toEqual([
      'error terraform.tfvars:1:5',
      'error a.tf:3:11',
      'error b.tf.json:1:2',
    ]);
  });
});

describe('a module that no root module enables', () => {
  const call = (name: string, source: string, count: string) =>
    `module "${name}" {\n  source = "${source}"\n  count  = ${count}\n}\n`;
  const asIf = (file: string, line: number, name: string) =>
    `warning ${file}:${line}:1 no root module here enables module ${name}; check judges it as if this call did, with its arguments, and leaves out what of it isn't known`;

  it('is judged as if its call did, with its arguments', () => {
    const read = configurations({
      'main.tf': `variable "on" {\n  default = false\n}\nvariable "name" {\n  default = "main"\n}\nmodule "eks" {\n  source = "./modules/eks/"\n  count  = var.on ? 1 : 0\n  hop    = 2 + count.index\n  name   = var.name\n}\n`,
      'modules/eks/main.tf':
        'variable "hop" {\n  default = 1\n}\nvariable "name" {}\nvariable "size" {\n  default = 3\n}\nresource "aws_x" "y" {\n  hop  = var.hop\n  name = var.name\n  size = var.size\n}\n',
    });
    expect(read.inputs).toEqual(['. terraform-configuration 1']);
    expect(read.addresses).toEqual(['module.eks[0].aws_x.y']);
    expect(read.show('module.eks[0].aws_x.y')).toEqual({ hop: 2, name: 'main', size: 3 });
    expect(read.one('module.eks[0].aws_x.y').isNotEnabled).toBe(true);
    expect(read.problems).toEqual([asIf('main.tf', 7, 'eks')]);
  });

  it('is judged for each call, and with keys that are not known where for_each is empty', () => {
    const of = (name: string, hop: string) =>
      `module "${name}" {\n  source   = "./m"\n  for_each = {}\n  hop      = ${hop}\n}\n`;
    const read = configurations({
      'main.tf': `${resource('own')}${of('a', '1')}${of('b', 'each.value')}`,
      'm/main.tf': 'variable "hop" {}\nresource "aws_x" "y" {\n  hop = var.hop\n}\n',
    });
    expect(read.instances.map(({ address, isNotEnabled }) => `${address} ${String(isNotEnabled)}`)).toEqual([
      'aws_x.own false',
      'module.a[*].aws_x.y true',
      'module.b[*].aws_x.y true',
    ]);
    expect([read.show('module.a[*].aws_x.y', 'hop'), read.show('module.b[*].aws_x.y', 'hop')]).toEqual([
      1,
      '?${each.value}',
    ]);
  });

  it('takes those along that it calls', () => {
    const read = configurations({
      'main.tf': call('a', './a', '0'),
      'a/main.tf': call('b', '../b', '1'),
      'b/main.tf': resource('b'),
    });
    expect(
      read.instances.map(({ stack, address, isNotEnabled }) => `${stack} ${address} ${String(isNotEnabled)}`),
    ).toEqual(['. module.a[0].module.b[0].aws_x.b true']);
    expect(read.problems).toEqual([asIf('main.tf', 1, 'a')]);
  });

  it('is none if another root module enables it, or a condition may', () => {
    const module = { 'm/main.tf': resource('a') };
    const enabled = configurations({
      'dev/main.tf': call('m', '../m', '0'),
      'prod/main.tf': call('m', '../m', '1'),
      ...module,
    });
    expect(enabled).toMatchObject({ addresses: ['module.m[0].aws_x.a'], problems: [] });
    const may = configurations({ 'main.tf': `variable "on" {}\n${call('m', './m', 'var.on ? 1 : 0')}`, ...module });
    expect(may).toMatchObject({ addresses: ['module.m[0].aws_x.a'], problems: [] });
  });

  describe('that nothing calls', () => {
    const LEFT = 'variable "name" {}\nresource "aws_x" "old" {\n  name = var.name\n}\n';
    const read = (old: Readonly<Record<string, string>>, main = call('used', './modules/used', '1')) =>
      configurations({ 'main.tf': main, 'modules/used/main.tf': resource('used'), ...old }).instances.map(
        ({ stack, address, isNotEnabled = false }) => `${stack} ${address} ${String(isNotEnabled)}`,
      );

    it('stands beside modules that are called', () => {
      const enabled = '. module.used[0].aws_x.used false';
      expect(read({ 'modules/old/main.tf': LEFT })).toEqual([enabled, 'modules/old aws_x.old true']);
      expect(
        read({ 'modules/old/main.tf': LEFT + call('inner', '../inner', '1'), 'modules/inner/main.tf': resource('in') }),
      ).toEqual([enabled, 'modules/old aws_x.old true', 'modules/old module.inner[0].aws_x.in true']);
    });

    it.each([
      ['has all its values', { 'modules/old/main.tf': LEFT.replace('{}', '{ default = "a" }') }],
      ['has a file of values', { 'modules/old/main.tf': LEFT, 'modules/old/terraform.tfvars': 'name = "a"\n' }],
      ['configures a provider', { 'modules/old/main.tf': `${LEFT}provider "aws" {}\n` }],
      ['keeps a state', { 'modules/old/main.tf': `${LEFT}terraform {\n  backend "s3" {}\n}\n` }],
      ['is one of Terragrunt', { 'modules/old/main.tf': LEFT, 'modules/old/terragrunt.hcl': '' }],
    ])('is a root module where it %s', (_, old) => {
      expect(read(old)).toContain('modules/old aws_x.old false');
    });

    it('is a root module where none of the modules is called', () => {
      expect(read({ 'modules/old/main.tf': LEFT }, resource('own'))).toContain('modules/old aws_x.old false');
    });
  });

  it('is told together with others of the same folder', () => {
    const names = Array.from({ length: 22 }, (_, index) => `m${index}`);
    const of = (some: readonly string[]) =>
      configurations({ 'main.tf': some.map((name) => call(name, './m', '0')).join(''), 'm/main.tf': resource('a') })
        .problems;
    const told = (text: string) => [
      `warning main.tf:1:1 no root module here enables modules ${text}; check judges them as if these calls did, with their arguments, and leaves out what of them isn't known`,
    ];
    expect(of(['a', 'b', 'c'])).toEqual(told('a, b and c'));
    expect(of(names)).toEqual(told(`${names.slice(0, 20).join(', ')} and 2 more`));
  });

  it('is told once, also in a circle of modules', () => {
    const read = configurations({
      'main.tf': call('a', './a', '0'),
      'a/main.tf': `${resource('a')}${call('b', '../b', '0')}`,
      'b/main.tf': `${resource('b')}${call('a', '../a', '0')}`,
    });
    expect(read.addresses).toEqual(['module.a[0].aws_x.a', 'module.a[0].module.b[0].aws_x.b']);
    expect(read.problems).toEqual([asIf('main.tf', 1, 'a'), asIf('a/main.tf', 2, 'b')]);
  });
});

describe('files of OpenTofu', () => {
  it('are read, and count instead of those of the same name for Terraform', () => {
    const json = (name: string) => `{"resource": {"aws_x": {"${name}": {}}}}`;
    const read = configurations({
      'main.tf': resource('old'),
      'main.tofu': resource('new'),
      'a.tf.json': json('old_json'),
      'a.tofu.json': json('new_json'),
      'b.tf': resource('b'),
      'c.tofu': resource('c'),
    });
    expect(read.addresses).toEqual(['aws_x.new_json', 'aws_x.b', 'aws_x.c', 'aws_x.new']);
    expect(read.inputs).toEqual(['. terraform-configuration 4']);
  });

  it('override others', () => {
    expect(
      configurations({
        'main.tofu': 'resource "aws_x" "y" {\n  size = 1\n}',
        'override.tofu': 'resource "aws_x" "y" {\n  size = 2\n}',
      }).show('aws_x.y'),
    ).toEqual({ size: 2 });
  });

  it('make a root module of a folder, or of themselves', () => {
    expect(configurations({ 'x/only.tofu': resource('a') }).inputs).toEqual(['x terraform-configuration 1']);
    expect(
      configurations({ 'x/only.tofu': resource('a'), 'x/b.tofu': resource('b') }, { parts: ['x/only.tofu'] }).inputs,
    ).toEqual(['x/only.tofu terraform-configuration 1']);
  });
});

describe('files with values that Terraform does not read by itself', () => {
  const unset = 'variable "a" {}\nvariable "b" {}\nvariable "c" {\n  default = 1\n}\n';
  const variables = `${unset}resource "aws_eks_addon" "x" {}\n`;

  it('are told once for a root module that needs them', () => {
    expect(
      configurations({ 'src/main.tf': variables, 'src/env/dev/terraform.tfvars': 'a = 1\nb = 2' }).problems,
    ).toEqual([
      'warning src/main.tf:1:1 no value is read for 2 required variables, since Terraform takes env/dev/terraform.tfvars only where it is told to; check with --var-file src/env/dev/terraform.tfvars',
    ]);
    expect(
      configurations({
        'main.tf': variables,
        'terraform.tfvars': 'b = 1',
        'dev.tfvars': 'a = 1',
        'envs/prod.tfvars': 'a = 2',
      }).problems,
    ).toEqual([
      'warning main.tf:1:1 no value is read for 1 required variable, since Terraform takes dev.tfvars, envs/prod.tfvars only where it is told to; check once for each, as with --var-file dev.tfvars',
    ]);
  });

  it('are not told where they give nothing that is missing, belong to another module, or the user names files', () => {
    expect(
      configurations({ 'main.tf': variables, 'terraform.tfvars': 'a = 1\nb = 1', 'dev.tfvars': 'a = 2' }).problems,
    ).toEqual([]);
    expect(configurations({ 'main.tf': variables, 'dev.tfvars': 'c = 2' }).problems).toEqual([]);
    expect(
      configurations({ 'main.tf': variables, 'other/main.tf': '', 'other/terraform.tfvars': 'a = 1' }).problems,
    ).toEqual([]);
    expect(
      configurations({ 'main.tf': variables, 'dev.tfvars': 'a = 1' }, { variableFiles: { 'prod.tfvars': 'a = 1' } })
        .problems,
    ).toEqual([]);
    expect(configurations({ 'main.tf': variables, 'dev.tfvars': '}' }).problems).toEqual([]);
    expect(configurations({ 'main.tf': unset, 'dev.tfvars': 'a = 1' }).problems).toEqual([]);
  });
});

describe('a file that is named', () => {
  const files = {
    'a/main.tf': `${resource('a')}resource "aws_x" "b" {\n  of = var.x\n}`,
    'a/variables.tf': 'variable "x" {}\n',
    'a/b.tf.json': '{"resource": {"aws_x": {"json": {}}}}',
  };

  it('is read alone, without complaint about what stands beside it', () => {
    expect(configurations(files, { parts: ['a/main.tf'] })).toMatchObject({
      inputs: ['a/main.tf terraform-configuration 2'],
      problems: [],
    });
    expect(configurations(files, { parts: ['a/b.tf.json'] })).toMatchObject({
      inputs: ['a/b.tf.json terraform-configuration 1'],
    });
  });

  it('is read with the others of its folder that are named', () => {
    const read = configurations(files, { parts: ['a/main.tf', 'a/variables.tf', 'a/b.tf.json'] });
    expect(read.inputs).toEqual(['a terraform-configuration 3']);
    expect(read.value('aws_x.b', 'of')).toMatchObject({
      reason: 'variable x has no default, and no .tfvars file that Terraform reads by itself gives it a value',
    });
  });
});

describe('an override file', () => {
  it('replaces arguments and blocks', () => {
    const read = configurations({
      'main.tf':
        'variable "size" {\n  default = 1\n}\nlocals {\n  a = 1\n}\nresource "aws_x" "y" {\n  name = "a"\n  size = var.size\n  local = local.a\n  options {\n    hop = 1\n  }\n  options {\n    hop = 2\n  }\n  other {\n    kept = true\n  }\n}',
      'override.tf':
        'variable "size" {\n  default = 2\n}\nlocals {\n  a = 3\n}\nresource "aws_x" "y" {\n  name = "b"\n\n  options {\n    hop = 3\n  }\n}',
      'z_override.tf': 'resource "aws_x" "y" {\n  added = 1\n}',
    });
    expect(read.show('aws_x.y')).toEqual({
      name: 'b',
      size: 2,
      local: 3,
      added: 1,
      options: [{ hop: 3 }],
      other: [{ kept: true }],
    });
    expect(read.value('aws_x.y', 'name')).toMatchObject({ kind: 'known' });
    const locate = (...path: (string | number)[]) => {
      const value = read.value('aws_x.y', ...path);
      return value.kind === 'known' ? value.source.locate() : undefined;
    };
    expect(locate('name')).toMatchObject({ file: 'override.tf', line: 8, column: 3 });
    expect(locate('options', 0, 'hop')).toMatchObject({ file: 'override.tf', line: 11 });
    expect(locate('size')).toMatchObject({ file: 'main.tf', line: 9 });
    expect(read.problems).toEqual([]);
  });

  it.each([['{ "hop": 3 }'], ['[{ "hop": 3 }]']])('in JSON replaces blocks in HCL by %s', (options) => {
    const read = configurations({
      'main.tf':
        'resource "aws_x" "y" {\n  options {\n    hop = 1\n  }\n  dynamic "options" {\n    for_each = [1]\n    content {\n      hop = 2\n    }\n  }\n  other {\n    kept = true\n  }\n}',
      'a_override.tf.json': `{"resource":{"aws_x":{"y":{"options":${options}}}}}`,
    });
    const [first] = [read.show('aws_x.y', 'options')].flat();
    expect(first).toEqual({ hop: 3 });
    expect([read.show('aws_x.y', 'options')].flat()).toHaveLength(1);
    expect(read.show('aws_x.y', 'other')).toEqual([{ kept: true }]);
  });

  it('in JSON without a block leaves those of HCL', () => {
    const read = configurations({
      'main.tf': 'resource "aws_x" "y" {\n  options {\n    hop = 1\n  }\n}',
      'override.tf.json': '{"resource":{"aws_x":{"y":{"options":[]}}}}',
    });
    expect(read.show('aws_x.y', 'options')).toEqual([{ hop: 1 }]);
  });

  it('in HCL replaces blocks in JSON', () => {
    const read = configurations({
      'main.tf.json': '{"resource":{"aws_x":{"y":{"options":{"hop":1,"old":2}}}}}',
      'override.tf': 'resource "aws_x" "y" {\n  options {\n    hop = 3\n  }\n}',
    });
    expect(read.show('aws_x.y', 'options')).toEqual([{ hop: 3 }]);
  });
});

describe('references to what is not declared', () => {
  it('are told, each once', () => {
    const read = configurations(`variable "cluster_name" {}
locals {
  a = var.cluster_nam
  b = [for x in local.c : x.id if x.on]
  d = { for k, v in aws_x.y : k => v.id }
}
resource "aws_x" "y" {
  a = var.cluster_nam
  b = data.aws_x.gone.id
  c = aws_x.gone["\${module.gone.id}"].id
  d = each.key
  dynamic "block" {
    for_each = [1]
    content {
      value = block.value.id
    }
  }
  lifecycle {
    ignore_changes = [scaling_config[0].desired_size]
  }
  depends_on = [aws_x.nobody]
  provider = aws.west
}
`);
    expect(read.problems).toEqual([
      'warning main.tf:3:7 there is no variable "cluster_nam" in this module; there is "cluster_name"',
      'warning main.tf:4:17 there is no local value "c" in this module',
      'warning main.tf:9:7 there is no data source "aws_x.gone" in this module',
      expect.stringContaining('main.tf:10:7 there is no resource "aws_x.gone" in this module'),
      'warning main.tf:10:21 there is no module "gone" in this module',
    ]);
  });
});

describe('files that expressions read', () => {
  it('are those of the configuration', () => {
    const read = configurations({
      'live/main.tf':
        'module "m" {\n  source = "../m"\n}\nresource "aws_x" "y" {\n  own = file("x.txt")\n  far = file("/etc/hostname")\n  home = file("~/.ssh/id")\n}',
      'live/x.txt': 'own text',
      'm/main.tf':
        'resource "aws_x" "y" {\n  value = file("${path.module}/x.txt")\n  path = path.module\n  root = path.root\n}',
      'm/x.txt': 'module text',
    });
    expect(read.show('aws_x.y', 'own')).toBe('own text');
    expect(read.show('module.m.aws_x.y')).toEqual({ value: 'module text', path: '../m', root: '.' });
    expect(read.value('aws_x.y', 'far').kind).toBe('unknown');
    expect(read.value('aws_x.y', 'home').kind).toBe('unknown');
  });
});
