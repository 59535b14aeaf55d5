import { EksModel } from '../../../lib/eks';
import { launchTemplateOf } from '../../../lib/eks/analysis/node-group';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { configurations } from './configurations';

const VARIABLES =
  'variable "groups" {\n  type = map(any)\n}\nvariable "others" {\n  type = map(any)\n}\nvariable "size" {\n  type = number\n}\n';

function templates(repeated: string): string {
  return `${VARIABLES}resource "aws_launch_template" "w" {\n  ${repeated}\n  name = "fixed"\n  metadata_options {\n    http_put_response_hop_limit = 1\n  }\n}\n`;
}

function groups(repeated: string, id: string): string {
  return `resource "aws_eks_node_group" "n" {\n  ${repeated}\n  cluster_name = "main"\n  launch_template {\n    id = ${id}\n    version = "1"\n  }\n}\n`;
}

/** The launch template of the first node group, or why it isn't known. */
function templateOf(text: string): string {
  const [group] = new EksModel(readInstances(configurations(text).instances)).nodeGroups;
  if (group === undefined) throw new Error('there is no node group');
  const template = launchTemplateOf(group);
  return template.kind === 'known'
    ? template.value.id
    : template.kind === 'unknown'
      ? `? ${template.reason}`
      : template.kind;
}

describe('a launch template of which the keys are not known', () => {
  const LOCAL_MAP = 'locals {\n  ids = { for k, v in aws_launch_template.w : k => v.id }\n}\n';
  it.each([
    ['the same for_each', 'for_each = var.groups', 'for_each = var.groups', 'aws_launch_template.w[each.key].id'],
    [
      'the same set',
      'for_each = toset(keys(var.groups))',
      'for_each = toset(keys(var.groups))',
      'aws_launch_template.w[each.value].id',
    ],
    [
      'another for_each',
      'for_each = var.groups',
      'for_each = var.others',
      'aws_launch_template.w[each.value.template].id',
    ],
    ['a key that is written', 'for_each = var.groups', '', 'aws_launch_template.w["a"].id'],
    [
      'keys that are known',
      'for_each = var.groups',
      'for_each = toset(["a", "b"])',
      'aws_launch_template.w[each.key].id',
    ],
    ['the same count', 'count = var.size', 'count = var.size', 'aws_launch_template.w[count.index].id'],
    ['an index that is written', 'count = var.size', '', 'aws_launch_template.w[0].id'],
    ['a splat', 'count = var.size', 'count = var.size', 'aws_launch_template.w.*.id[count.index]'],
    ['element()', 'count = var.size', 'count = var.size', 'element(aws_launch_template.w.*.id, count.index)'],
    ['the templates as for_each', 'for_each = var.groups', 'for_each = aws_launch_template.w', 'each.value.id'],
    [
      'a map of their ids',
      'for_each = var.groups',
      'for_each = var.groups',
      '{ for k, v in aws_launch_template.w : k => v.id }[each.key]',
    ],
    [
      'a map of their ids as for_each',
      'for_each = var.groups',
      'for_each = { for k, v in aws_launch_template.w : k => v.id }',
      'each.value',
    ],
    ['a local with the map', 'for_each = var.groups', 'for_each = var.groups', 'local.ids[each.key]'],
    ['try() against nothing', 'count = var.size', '', 'try(aws_launch_template.w[0].id, null)'],
  ])('is found by %s', (_, own, repeated, id) => {
    expect(templateOf(templates(own) + (id.startsWith('local') ? LOCAL_MAP : '') + groups(repeated, id))).toBe(
      'aws_launch_template.w[*]',
    );
  });

  it('is found in the module of the same key', () => {
    const files = {
      'main.tf': `${VARIABLES}module "m" {\n  for_each = var.groups\n  source = "./m"\n}\n${groups('for_each = var.groups', 'module.m[each.key].id')}`,
      'm/main.tf': 'resource "aws_launch_template" "w" {}\noutput "id" {\n  value = aws_launch_template.w.id\n}\n',
    };
    const read = configurations(files, { named: ['.'] });
    expect(read.value('aws_eks_node_group.n[*]', 'launch_template', 0, 'id')).toMatchObject({
      reference: { resource: read.one('module.m[*].aws_launch_template.w'), attribute: 'id' },
    });
  });

  it.each([
    ['try(aws_launch_template.w["a"].id, "lt-1")'],
    ['try(aws_launch_template.w["a"].name, "other")'],
    ['try(aws_launch_template.w["a"].id, aws_launch_template.default.id)'],
    ['can(aws_launch_template.w["a"].id) ? "lt-1" : "lt-2"'],
    ['lookup(aws_launch_template.w, "a", null).id'],
  ])('may not be the one of %s', (id) => {
    expect(
      templateOf(`${templates('for_each = var.groups')}resource "aws_launch_template" "default" {}\n${groups('', id)}`),
    ).toMatch(/^\?/);
  });

  it('may be another one at each use', () => {
    const read = configurations(
      `${templates('for_each = var.groups')}resource "aws_x" "y" {\n  same = aws_launch_template.w["a"].id == aws_launch_template.w["b"].id\n  set = toset([aws_launch_template.w["a"].id, aws_launch_template.w["b"].id])\n  name = aws_launch_template.w["a"].name\n}`,
    );
    expect(read.value('aws_x.y', 'same').kind).toBe('unknown');
    expect(read.show('aws_x.y', 'set')).toHaveLength(2);
    expect(read.show('aws_x.y', 'name')).toBe('fixed');
  });
});

describe('what others are attached to', () => {
  const roles = `${VARIABLES}resource "aws_iam_role" "r" {\n  for_each = var.groups\n}\n`;
  const roleOf = (repeated: string, role: string) => {
    const read = configurations(`${roles}resource "aws_x" "y" {\n  ${repeated}\n  role = ${role}\n}`);
    const value = read.value(`aws_x.y${repeated === '' ? '' : '[*]'}`, 'role');
    return value.kind === 'unknown' ? value.reference?.attribute : value.kind;
  };

  it('is found by its own keys', () => {
    expect(roleOf('for_each = var.groups', 'aws_iam_role.r[each.key].arn')).toBe('arn');
    expect(roleOf('for_each = aws_iam_role.r', 'each.value.arn')).toBe('arn');
  });

  it('is not found by keys that may be others', () => {
    expect(roleOf('for_each = var.others', 'aws_iam_role.r[each.key].arn')).toBeUndefined();
    expect(roleOf('for_each = var.groups', 'aws_iam_role.r[each.value.role].arn')).toBeUndefined();
  });
});

describe('a for over a collection that is not known', () => {
  const read = (value: string) => {
    const made = configurations(
      `${VARIABLES}locals {\n  groups = ${value}\n}\nresource "aws_x" "y" {\n  for_each = local.groups\n  key = each.key\n  hop = each.value.hop\n  tried = try(local.groups["a"].hop, 2)\n}`,
    );
    return (name: string) => {
      const found = made.value('aws_x.y[*]', name);
      return found.kind === 'known' ? found.value : found.kind;
    };
  };

  it('tells what is the same in all its items', () => {
    const show = read('{ for k, v in var.groups : k => { hop = 1, name = k } }');
    expect([show('key'), show('hop'), show('tried')]).toEqual(['unknown', 1, 'unknown']);
    expect(read('{ for k, v in var.groups : k => { hop = 1 } if v.on }')('hop')).toBe(1);
  });

  it.each([
    ['merge({ hop = 1 }, v)'],
    ['{ hop = try(v.hop, 1) }'],
    ['{ hop = lookup(v, "hop", 1) }'],
    ['{ hop = k == "a" ? 1 : 2 }'],
    ['{ hop = v.hop }'],
    ['v'],
  ])('tells nothing of %s', (value) => {
    expect(read(`{ for k, v in var.groups : k => ${value} }`)('hop')).toBe('unknown');
  });
});
