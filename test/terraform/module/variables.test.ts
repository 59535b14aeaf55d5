import { configurations, placeOf } from './configurations';

/** A resource that shows the value of an expression. */
const shows = (expression: string) => `resource "aws_x" "y" {\n  value = ${expression}\n}\n`;

describe('a variable', () => {
  it('has its default, and says so', () => {
    const read = configurations(`variable "hop" {\n  default = 1\n}\n${shows('var.hop')}`);
    expect(read.show('aws_x.y', 'value')).toBe(1);
    expect(placeOf(read.value('aws_x.y', 'value'))).toBe('main.tf:5 value (default of variable hop)');
    expect(read.problems).toEqual([]);
  });

  it('tells a default in its type from what is given', () => {
    const pool = `variable "pool" {\n  type = object({ size = number, image = optional(string, "al2") })\n  default = { size = 1 }\n}\nlocals {\n  pools = { one = var.pool }\n}\n`;
    const ofPool = (name: string) => configurations(pool + shows(`local.pools.one.${name}`));
    expect(ofPool('image').show('aws_x.y', 'value')).toBe('al2');
    expect(placeOf(ofPool('image').value('aws_x.y', 'value'))).toMatch(/ \(default in the type of variable pool\)$/);
    expect(placeOf(ofPool('size').value('aws_x.y', 'value'))).toMatch(/ \(default of variable pool\)$/);
  });

  it('without a value is unknown, by its name', () => {
    const value = configurations(`variable "hop" {}\n${shows('var.hop')}`).value('aws_x.y', 'value');
    expect(value).toMatchObject({
      kind: 'unknown',
      reason: 'variable hop has no default, and no .tfvars file that Terraform reads by itself gives it a value',
      text: '${var.hop}',
    });
  });

  it.each([
    ['terraform.tfvars', { 'terraform.tfvars': 'hop = 2' }, 2],
    ['terraform.tfvars.json', { 'terraform.tfvars': 'hop = 2', 'terraform.tfvars.json': '{"hop": 3}' }, 3],
    [
      'b.auto.tfvars',
      { 'terraform.tfvars.json': '{"hop": 3}', 'a.auto.tfvars.json': '{"hop": 4}', 'b.auto.tfvars': 'hop = 5' },
      5,
    ],
    ['a.auto.tfvars', { 'a.auto.tfvars': 'hop = 4', 'prod.tfvars': 'hop = 6', 'x.tfvars.json': '{"hop": 7}' }, 4],
  ])('takes the value of %s', (name, files, expected) => {
    const read = configurations({ 'main.tf': `variable "hop" {\n  default = 1\n}\n${shows('var.hop')}`, ...files });
    expect(read.show('aws_x.y', 'value')).toBe(expected);
    expect(placeOf(read.value('aws_x.y', 'value'))).toBe(`main.tf:5 value (${name})`);
    expect(read.problems).toEqual([]);
  });

  it('takes the value of the last file that the user names before that of the folder', () => {
    const files = { 'main.tf': `variable "hop" {\n  default = 1\n}\n${shows('var.hop')}`, 'z.auto.tfvars': 'hop = 2' };
    const read = configurations(files, {
      variableFiles: { 'envs/common.tfvars': 'hop = 3', 'envs/prod.tfvars.json': '{"hop": 4}' },
    });
    expect(placeOf(read.value('aws_x.y', 'value'))).toBe('main.tf:5 value (prod.tfvars.json)');
    expect(read.show('aws_x.y', 'value')).toBe(4);
    expect(
      configurations(files, { variableFiles: { 'prod.tfvars': 'hop = 4', 'common.tfvars': 'hop = 3' } }).show(
        'aws_x.y',
        'value',
      ),
    ).toBe(3);
  });

  it('of a file that the user names has to be declared by one of the root modules', () => {
    const roots = { 'a/main.tf': `variable "hop" {}\n${shows('var.hop')}`, 'b/main.tf': 'variable "size" {}\n' };
    const variableFiles = { 'prod.tfvars': 'hop = 3\nsize = 4\n\nhopp = 5\n' };
    expect(configurations(roots, { variableFiles }).problems).toEqual([
      'warning prod.tfvars:4:1 it gives a value to variable "hopp", which no root module here declares',
    ]);
    // What is wrong with the file is said once.
    expect(
      configurations(roots, { variableFiles: { 'prod.tfvars': 'hop = = 3\n' } }).problems.map((problem) =>
        problem.split(' ', 2).join(' '),
      ),
    ).toEqual(['error prod.tfvars:1:7']);
  });

  it('has the type that it is declared with', () => {
    const type =
      'object({\n  name = string\n  size = optional(number, 3)\n  tags = optional(map(string))\n  disk = optional(object({ gb = optional(number, 20) }), {})\n})';
    const read = configurations({
      'main.tf': `variable "group" {\n  type = ${type}\n}\nvariable "on" {\n  type = bool\n}\nvariable "zones" {\n  type = set(string)\n}\n${shows('[var.group, var.on, var.zones]')}`,
      'terraform.tfvars': 'group = { name = 5, more = 1 }\non = "true"\nzones = ["a", "b", "a"]',
    });
    expect(read.show('aws_x.y', 'value')).toEqual([
      { name: '5', size: 3, tags: null, disk: { gb: 20 } },
      true,
      ['a', 'b'],
    ]);
  });

  it('keeps default values within objects of a map', () => {
    const read = configurations(`variable "groups" {
  type = map(object({ type = optional(string, "AL2023"), size = optional(number) }))
  default = { a = {}, b = { type = "AL2" }, c = { type = null } }
}
${shows('[for key, group in var.groups : group.type]')}`);
    expect(read.show('aws_x.y', 'value')).toEqual(['AL2023', 'AL2', 'AL2023']);
  });

  it.each([
    ['', null],
    ['nullable = false', 1],
  ])('of a module that is given null (%s)', (nullable, expected) => {
    const read = configurations({
      'main.tf': 'module "m" {\n  source = "./m"\n  hop = null\n}',
      'm/main.tf': `variable "hop" {\n  default = 1\n  ${nullable}\n}\n${shows('var.hop')}`,
    });
    expect(read.show('module.m.aws_x.y', 'value')).toBe(expected);
  });
});

describe('a local value', () => {
  it('is worked out where it is used', () => {
    const read = configurations(`locals {\n  hop = local.base + 1\n  base = 1\n}\n${shows('local.hop')}`);
    expect(read.show('aws_x.y', 'value')).toBe(2);
    expect(placeOf(read.value('aws_x.y', 'value'))).toMatch(/^main\.tf:6 value \(local\./);
  });

  it('that stands on itself is unknown, with a word about it', () => {
    const read = configurations(`locals {\n  a = local.b\n  b = local.a\n}\n${shows('local.a')}`);
    expect(read.value('aws_x.y', 'value')).toMatchObject({ kind: 'unknown', reason: 'local.a refers to itself' });
    expect(read.problems).toEqual(['warning main.tf:2:3 local.a refers to itself']);
  });

  it('can stand on many others', () => {
    const chain = Array.from({ length: 3000 }, (_, index) => `  l${index + 1} = local.l${index}`).join('\n');
    const read = configurations(`locals {\n  l0 = 1\n${chain}\n}\n${shows('[local.l100, local.l3000]')}`);
    expect(read.show('aws_x.y', 'value', 0)).toBe(1);
    expect(read.value('aws_x.y', 'value', 1)).toMatchObject({ kind: 'unknown', reason: 'it is nested too deeply' });
  });

  it('doubled again and again stays small', () => {
    const doubled = Array.from(
      { length: 40 },
      (_, index) => `  l${index + 1} = [local.l${index}, local.l${index}]`,
    ).join('\n');
    // Without sharing: hours, or no memory left.
    expect(configurations(`locals {\n  l0 = 1\n${doubled}\n}\n${shows('length(local.l40)')}`).addresses).toEqual([
      'aws_x.y',
    ]);
  });
});

describe('a variable without a value that conditions compare with nothing', () => {
  const shown = (files: string | Record<string, string>, address = 'aws_x.y') => {
    const value = configurations(files).value(address, 'id');
    return value.kind === 'choice'
      ? value.alternatives.map(
          ({ when, value: plain }) =>
            `${when.text}: ${plain.kind === 'known' ? JSON.stringify(plain.value) : plain.kind}`,
        )
      : value.kind;
  };

  it.each([
    ['var.id == ""', ['var.id is "": ""', 'var.id is not "": unknown']],
    ['null != var.id', ['var.id is null: absent', 'var.id is not null: unknown']],
    ['var.id == "other"', 'unknown'],
    ['var.id', 'unknown'],
  ])('is nothing where %s says so', (test, expected) => {
    expect(shown(`variable "id" {}\nresource "aws_x" "y" {\n  id = var.id\n  type = ${test} ? 1 : 2\n}`)).toEqual(
      expected,
    );
  });

  it('is so through the variable of a module', () => {
    const module = 'variable "id" {}\nresource "aws_x" "y" {\n  id = var.id\n  type = var.id == "" ? 1 : 2\n}';
    expect(
      shown(
        { 'main.tf': 'variable "ami" {}\nmodule "m" {\n  source = "./m"\n  id = var.ami\n}', 'm/main.tf': module },
        'module.m.aws_x.y',
      ),
    ).toEqual(['var.ami is "": ""', 'var.ami is not "": unknown']);
  });

  it.each([
    ['aws_iam_role.r.arn', 'unknown'],
    ['data.aws_caller_identity.me.account_id', 'unknown'],
    [
      'aws_launch_template.t.user_data',
      ['aws_launch_template.t.user_data is null: absent', 'aws_launch_template.t.user_data is not null: unknown'],
    ],
  ])('is given where a call gives %s', (given, expected) => {
    const root = `resource "aws_iam_role" "r" {}\ndata "aws_caller_identity" "me" {}\nresource "aws_launch_template" "t" {}\nmodule "m" {\n  source = "./m"\n  id = ${given}\n}`;
    const module = 'variable "id" {}\nresource "aws_x" "y" {\n  id = var.id\n  type = var.id == null ? 1 : 2\n}';
    expect(shown({ 'main.tf': root, 'm/main.tf': module }, 'module.m.aws_x.y')).toEqual(expected);
  });
});
