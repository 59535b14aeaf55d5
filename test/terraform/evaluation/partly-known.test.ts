import type { TerraformInstance } from '../../../lib/terraform/instance';
import { isEqual } from '../../../lib/terraform/evaluation/equality';
import { evaluate } from '../../../lib/terraform/evaluation/evaluate';
import { ResourceObject } from '../../../lib/terraform/resource-object';
import {
  TerraformList,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
} from '../../../lib/terraform/terraform-value';
import { Base64Text, ComposedText, JoinedText, UnknownBase64 } from '../../../lib/value/composed-text';
import { always, isCovered, Known, nowhere, Unknown, type Choice } from '../../../lib/value';
import { knownValue, parsed, plain, scopeOf, valueOf } from './scopes';

function instance(attributes: unknown, overrides: Partial<TerraformInstance> = {}): TerraformInstance {
  return {
    address: 'aws_eks_cluster.main',
    mode: 'managed',
    type: 'aws_eks_cluster',
    module: '',
    attributes: knownValue(attributes),
    source: nowhere,
    exists: always,
    stack: 'root',
    frontEnd: 'terraform',
    path: undefined,
    region: undefined,
    ...overrides,
  };
}

function object(of: TerraformInstance): Known<TerraformItem> {
  return new Known<TerraformItem>(new ResourceObject(of, nowhere), nowhere);
}

const text = (expression: string, values: Readonly<Record<string, TerraformValue>> = {}) =>
  plain(valueOf(expression, values));

describe('what a resource gives once it is there', () => {
  const of = (type: string) => ({ [`${type}.x`]: object(instance({}, { address: `${type}.x`, type })) });

  it.each([
    ['aws_eks_cluster.x.id == ""', 'aws_eks_cluster', false],
    ['aws_eks_cluster.x.arn != null', 'aws_eks_cluster', true],
    ['terraform_data.x.output.value == ""', 'terraform_data', undefined],
    ['terraform_data.x.output.name == null', 'terraform_data', undefined],
    ['external.x.result.value == ""', 'external', undefined],
    ['external.x.result["id"] != ""', 'external', undefined],
    ['aws_ebs_volume.x.kms_key_id == ""', 'aws_ebs_volume', undefined],
    ['aws_subnet.x.outpost_arn == ""', 'aws_subnet', undefined],
    ['data.aws_ami.x.image_id == ""', 'aws_ami', false],
    ['data.http.x.response_body != null', 'http', true],
    ['data.http.x.body == null', 'http', false],
    ['data.http.x.response_headers == null', 'http', undefined],
    ['data.aws_iam_policy.x.policy != null', 'aws_iam_policy', true],
    ['data.local_file.x.content != null', 'local_file', true],
    ['aws_eks_cluster.x.identity[0].oidc[0].issuer != ""', 'aws_eks_cluster', true],
    ['aws_iam_openid_connect_provider.x.url != ""', 'aws_iam_openid_connect_provider', true],
    ['aws_lb.x.url == ""', 'aws_lb', undefined],
    ['aws_route53_zone.x.zone_id != ""', 'aws_route53_zone', true],
    ['aws_launch_template.x.image_id == ""', 'aws_launch_template', undefined],
  ])('%s', (expression, type, expected) => {
    const value = valueOf(expression, of(type));
    expect(value.kind === 'known' ? value.value : undefined).toBe(expected);
  });
});

it('a resource that a module hands out has an ARN, and an output of that name may be empty', () => {
  const of = (text: string) => isEqual(new Unknown('it is not here', nowhere, text), knownValue(''));
  expect(of('${module.iam.module.worker[0].role.arn}')).toBe(false);
  for (const text of ['${module.iam.role_arn}', '${module.iam.arn}', '${module.iam.role.kms_key_arn}'])
    expect(of(text)).toBeUndefined();
});

it('nothing is sure to be equal to what depends on conditions', () => {
  const choice = valueOf('var.x ? 1 : 2');
  for (const other of [valueOf('3'), valueOf('null'), valueOf('var.y'), valueOf('"a${var.y}"'), choice])
    expect([isEqual(choice, other), isEqual(other, choice)]).toEqual([undefined, undefined]);
});

describe('parts that are not known', () => {
  it.each([
    ['"a-${var.x}-b"', { unknown: 'a-${var.x}-b' }],
    ['join(",", ["a", var.x])', { unknown: 'a,${var.x}' }],
    ['format("%s/%s", var.x, "b")', { unknown: '${var.x}/b' }],
    ['upper("a${var.x}")', { unknown: 'A${upper(var.x)}' }],
    ['replace("a.${var.x}", ".", "-")', { unknown: 'a-${replace(var.x, ".", "-")}' }],
    ['replace("${var.x}b", "ab", "-")', { unknown: '${replace("${var.x}b", "ab", "-")}' }],
    ['trimspace(" a${var.x}b ")', { unknown: 'a${var.x}b' }],
    ['startswith("abc${var.x}", "ab")', true],
    ['startswith("ab${var.x}", "ab")', true],
    ['startswith("a${var.x}", "ab")', { unknown: '${startswith("a${var.x}", "ab")}' }],
    ['startswith("b${var.x}", "ab")', false],
    ['coalesce(null, "", var.x)', { unknown: '${var.x}' }],
    ['coalesce(var.x, var.y)', { unknown: '${coalesce(var.x, var.y)}' }],
    ['var.x[*].a[*].b', { unknown: '${var.x[*].a[*].b}' }],
    ['var.x[*].a[*][0].b', { unknown: '${var.x[*].a[*][0].b}' }],
    ['var.x[*].a[*][var.i]', { unknown: '?' }],
    ['lookup(merge(var.x, { b = 2 }), "c", 3) ? 1 : 2', { unknown: '?' }],
    ['"abc${var.x}" == ""', false],
    ['"abc${var.x}" == null', false],
    ['length([var.x, 1])', 2],
    ['length(toset([var.x, "a"]))', { unknown: '?' }],
    ['contains(["a", var.x], "a")', true],
    ['contains(["a", var.x], "b")', { unknown: '${contains(["a", var.x], "b")}' }],
    ['merge({ a = 1 }, var.x, { b = 2 })', { a: { unknown: '?' }, b: 2, '…': 'more' }],
    ['lookup(merge(var.x, { b = 2 }), "b")', 2],
    ['lookup(merge(var.x, { b = 2 }), "c", 3)', { unknown: '?' }],
    ['concat(["a"], var.x)', { unknown: '?' }],
    ['concat(["a"], [var.x])', ['a', { unknown: '${var.x}' }]],
    ['flatten([["a"], [var.x]])', { unknown: '?' }],
    ['{ Name = "x", "cluster/${var.x}" = "owned" }', { Name: 'x', '…': 'more' }],
    [
      '{ Name = "x", (var.x) = "owned" }',
      { Name: { 'var.x is "Name"': 'owned', 'var.x is not "Name"': 'x' }, '…': 'more' },
    ],
    ['merge({ a = 1 }, { (var.x) = 2 })', { a: { 'var.x is "a"': 2, 'var.x is not "a"': 1 }, '…': 'more' }],
    ['merge({ a = 1 }, { "b-${var.x}" = 2 })', { a: 1, '…': 'more' }],
    ['merge({ (var.x) = 2 }, { a = 1 })', { a: 1, '…': 'more' }],
    ['merge({ a = 1 }, { a = 2, (var.x) = 3 })', { a: { 'var.x is "a"': 3, 'var.x is not "a"': 2 }, '…': 'more' }],
    ['merge({ a = 1 }, { (var.x) = 2 }, var.y)', { a: { unknown: '?' }, '…': 'more' }],
    ['[for x in var.x : x]', { unknown: '?' }],
    ['var.x && false', false],
    ['true || var.x', true],
    ['var.x && true', { unknown: '${var.x}' }],
    ['!var.x', { unknown: '${!var.x}' }],
    ['var.a.b[0].c', { unknown: '${var.a.b[0].c}' }],
    ['var.a[*].id', { unknown: '${var.a[*].id}' }],
    ['try(var.a.b, 1)', { unknown: '${var.a.b}' }],
    ['try({}.b, var.a)', { unknown: '${var.a}' }],
    ['sensitive(var.a)', { unknown: '${var.a}' }],
    ['nosuch(1)', { unknown: '${nosuch(1)}' }],
    ['provider::aws::arn_parse(var.a)', { unknown: '${provider::aws::arn_parse(var.a)}' }],
    ['local.nosuch', { unknown: '${local.nosuch}' }],
    ['jsondecode(jsonencode({ a = var.x, b = "c" }))', { a: { unknown: '${var.x}' }, b: 'c' }],
    ['jsonencode({ a = "x${var.x}" })', { unknown: '{"a":"x${var.x}"}' }],
    ['var.x == var.x', true],
  ])('%s', (expression, expected) => {
    // A set of unknown length has no short term; only the reason is told.
    const found = text(expression);
    if (JSON.stringify(expected).includes('"?"'))
      expect(
        JSON.parse(JSON.stringify(found).replaceAll(/\{"unknown":"[^"]*(?:\\"[^"]*)*"\}/g, '{"unknown":"?"}')),
      ).toEqual(expected);
    else expect(found).toEqual(expected);
  });

  it('keeps base64 of texts that are known, wholly or in parts', () => {
    expect(valueOf('base64encode("x")')).toBeInstanceOf(Base64Text);
    expect(valueOf('base64encode("x${var.x}")')).toBeInstanceOf(UnknownBase64);
    expect(valueOf('base64decode(base64encode("x${var.x}"))')).toBeInstanceOf(ComposedText);
  });
});

describe('conditions', () => {
  it.each([
    ['var.x ? 1 : 2', { 'var.x is true': 1, 'var.x is false': 2 }],
    ['!var.x ? 1 : 2', { 'var.x is false': 1, 'var.x is true': 2 }],
    ['var.x ? 1 : 1', 1],
    ['var.env == "prod" ? 1 : 2', { 'var.env is "prod"': 1, 'var.env is not "prod"': 2 }],
    [
      'var.env == "prod" ? 1 : var.env == "dev" ? 2 : 3',
      { 'var.env is "prod"': 1, 'var.env is "dev"': 2, 'var.env is none of "dev", "prod"': 3 },
    ],
    ['var.x == null ? 1 : 2', { 'var.x is null': 1, 'var.x is not null': 2 }],
    [
      'var.a && var.b ? 1 : 2',
      { 'var.a is true and var.b is true': 1, 'var.a is false': 2, 'var.a is true and var.b is false': 2 },
    ],
    [
      'var.a || var.b ? 1 : 2',
      { 'var.a is true': 1, 'var.a is false and var.b is true': 1, 'var.a is false and var.b is false': 2 },
    ],
    ['length(var.l) > 0 ? 1 : 2', { '0 < length(var.l) is true': 1, '0 < length(var.l) is false': 2 }],
    [
      '[var.x ? "a" : "b", var.x ? "c" : "d"]',
      [
        { 'var.x is true': 'a', 'var.x is false': 'b' },
        { 'var.x is true': 'c', 'var.x is false': 'd' },
      ],
    ],
    ['join("-", [var.x ? "a" : "b", var.x ? "c" : "d"])', { 'var.x is true': 'a-c', 'var.x is false': 'b-d' }],
    ['"${var.x ? "a" : "b"}!"', { 'var.x is true': 'a!', 'var.x is false': 'b!' }],
    ['"%{ if var.x }a%{ else }b%{ endif }!"', { 'var.x is true': 'a!', 'var.x is false': 'b!' }],
    ['[for k in ["a", "b"] : k if k == "a" || var.x]', { 'var.x is true': ['a', 'b'], 'var.x is false': ['a'] }],
    ['try((var.x ? ["a"] : [])[0], "none")', { 'var.x is true': 'a', 'var.x is false': 'none' }],
    ['one(var.x ? ["a"] : [])', { 'var.x is true': 'a', 'var.x is false': null }],
    ['upper(var.x ? "a" : "b")', { 'var.x is true': 'A', 'var.x is false': 'B' }],
    ['merge(var.x ? { a = 1 } : {}, { b = 2 })', { 'var.x is true': { a: 1, b: 2 }, 'var.x is false': { b: 2 } }],
  ])('%s', (expression, expected) => {
    expect(text(expression)).toEqual(expected);
  });

  it('cover all cases, and exclude each other', () => {
    for (const expression of [
      'var.a && var.b ? 1 : 2',
      'var.e == "x" ? 1 : var.e == "y" ? 2 : var.e == null ? 3 : 4',
      '(var.a || !var.b) && var.e != "x" ? 1 : 2',
    ]) {
      const { alternatives } = valueOf(expression) as Choice<TerraformItem>;
      expect(
        isCovered(
          always,
          alternatives.map(({ when }) => when),
        ),
      ).toBe(true);
      for (const [index, one] of alternatives.entries())
        for (const other of alternatives.slice(index + 1)) expect(one.when.and(other.when)).toBeUndefined();
    }
  });

  it('are limited', () => {
    const many = Array.from({ length: 10 }, (_, index) => `var.v${index} ? "a" : "b"`);
    expect(plain(valueOf(`join("", [${many.join(', ')}])`))).toEqual({ unknown: '?' });
  });
});

describe('resources', () => {
  const cluster = instance({
    name: 'main',
    vpc_config: [{ subnet_ids: ['subnet-1'] }],
    version: null,
    tags: { a: 'b' },
  });
  const names = { 'aws_eks_cluster.main': object(cluster) };

  it.each([
    ['aws_eks_cluster.main.name', 'main'],
    ['aws_eks_cluster.main.tags["a"]', 'b'],
    ['aws_eks_cluster.main.vpc_config[0].subnet_ids', ['subnet-1']],
    ['"${aws_eks_cluster.main.name}-x"', 'main-x'],
    ['[for t in values(aws_eks_cluster.main.tags) : t]', ['b']],
  ])('%s is written', (expression, expected) => {
    expect(text(expression, names)).toEqual(expected);
  });

  it.each([
    ['aws_eks_cluster.main.id', 'id'],
    ['aws_eks_cluster.main.version', 'version'],
    ['aws_eks_cluster.main.identity[0].oidc[0].issuer', 'identity[0].oidc[0].issuer'],
    ['aws_eks_cluster.main.vpc_config[0].cluster_security_group_id', 'vpc_config[0].cluster_security_group_id'],
    ['try(aws_eks_cluster.main.identity[0].oidc[0].issuer, "")', 'identity[0].oidc[0].issuer'],
    ['coalesce(null, aws_eks_cluster.main.id)', 'id'],
    ['one([aws_eks_cluster.main.id])', 'id'],
  ])('%s is a reference', (expression, attribute) => {
    const value = valueOf(expression, names);
    expect(value).toMatchObject({
      kind: 'unknown',
      text: `\${aws_eks_cluster.main.${attribute}}`,
      symbol: `root/\${aws_eks_cluster.main.${attribute}}`,
    });
    expect(value.kind === 'unknown' && value.reference?.resource === cluster && value.reference.attribute).toBe(
      attribute,
    );
  });

  it('with a name that is not known are still referred to by it', () => {
    const unnamed = instance(
      {},
      {
        attributes: new Known<TerraformItem>(new TerraformMap(new Map([['name', valueOf('"${var.p}-eks"')]])), nowhere),
      },
    );
    expect(valueOf('aws_eks_cluster.main.name', { 'aws_eks_cluster.main': object(unnamed) })).toMatchObject({
      kind: 'unknown',
      text: '${var.p}-eks',
      reference: { resource: unnamed, attribute: 'name' },
    });
  });

  it('that tell the region or partition of their provider', () => {
    const region = object(instance({}, { mode: 'data', type: 'aws_region', region: 'cn-north-1' }));
    const partition = object(instance({}, { mode: 'data', type: 'aws_partition', region: 'cn-north-1' }));
    const values = { 'data.aws_region.a': region, 'data.aws_partition.a': partition };
    expect(
      text('"${data.aws_region.a.name}.${data.aws_partition.a.dns_suffix}/${data.aws_partition.a.partition}"', values),
    ).toBe('cn-north-1.amazonaws.com.cn/aws-cn');
  });

  it('as lists and maps', () => {
    const all = { 'aws_eks_cluster.main': new Known<TerraformItem>(new TerraformList([object(cluster)]), nowhere) };
    expect(text('aws_eks_cluster.main[0].name', all)).toBe('main');
    expect(text('aws_eks_cluster.main[*].name', all)).toEqual(['main']);
    expect(text('one(aws_eks_cluster.main[*].id)', all)).toEqual({ unknown: '${aws_eks_cluster.main.id}' });
    expect(text('try(aws_eks_cluster.main[1].name, "none")', all)).toBe('none');
    expect(text('jsonencode(aws_eks_cluster.main)', all)).toEqual({ unknown: '?' });
  });
});

describe('places', () => {
  it('are those of use, and keep those of texts', () => {
    const written = '["one two"][0]';
    const local = evaluate(parsed(written), scopeOf({}, {}, written));
    const used = evaluate(parsed('local.x'), scopeOf({ 'local.x': local }), {
      source: { locate: () => ({ file: 'main.tf', line: 7, column: 3 }) },
      property: 'user_data',
    });
    expect(used.kind === 'known' && used.source.locate()).toEqual({
      file: 'main.tf',
      line: 7,
      column: 3,
      property: 'user_data',
    });
    expect(used.kind === 'known' && used.source.inText?.('one two', 2).locate().column).toBe(4);
  });

  it('of files are in the files', () => {
    const value = valueOf(
      'templatefile("a.sh", { name = "main" })',
      {},
      { 'a.sh': '#!/bin/sh\necho ${name}\nexit 1\n' },
    );
    expect(value).toBeInstanceOf(JoinedText);
    const pieces = value instanceof JoinedText ? value.pieces : [];
    expect(pieces.map((piece) => piece.value)).toEqual(['#!/bin/sh\necho ', 'main', '\nexit 1\n']);
    expect(pieces[2]?.source.inText?.('\nexit 1\n', 1).locate()).toEqual({ file: 'a.sh', line: 3, column: 1 });
  });

  it.each([
    ['templatefile("none.sh", {})', { unknown: '?' }],
    ['templatefile("a.sh", { list = ["x", "y"] })', 'x;y;'],
    ['templatefile("a.sh", { list = ["x", var.y] })', { unknown: 'x;${var.y};' }],
    ['file("b.txt")', 'text'],
    ['fileexists("b.txt")', true],
    ['filebase64("b.txt")', 'dGV4dA=='],
  ])('%s', (expression, expected) => {
    const found = plain(
      valueOf(expression, {}, { 'a.sh': '%{ for x in list ~}\n${x};\n%{~ endfor }', 'b.txt': 'text' }),
    );
    if (JSON.stringify(expected).includes('?')) expect(found).toHaveProperty('unknown');
    else expect(found).toEqual(expected);
  });
});
