import fc from 'fast-check';
import { runRules } from '../../../lib/engine';
import { EksModel, withLimits } from '../../../lib/eks';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { allRules } from '../../../lib/rules';
import { AS_OF } from '../../as-of';
import { cpuTime } from '../../cpu-time';
import { configurations } from './configurations';
import { itWithAll, runs } from '../../share';

const EXPRESSIONS = [
  '1',
  'null',
  '"a-${each.key}"',
  'var.a',
  'var.b',
  'local.a',
  'local.b',
  'local.c',
  'aws_eks_cluster.a.id',
  'aws_eks_cluster.a[0].id',
  'aws_eks_cluster.b["x"].name',
  'aws_eks_node_group.a[*].id',
  'module.m.out',
  'module.m["x"].out',
  'module.m',
  'module.gone.x',
  'data.aws_ami.a.id',
  'data.aws_ami',
  'each.value',
  'count.index',
  'self.id',
  'path.module',
  'toset(["x", var.b])',
  '{ x = var.a, (var.b) = 1 }',
  '[for k, v in local.a : v]',
  'var.b ? 1 : 0',
  'var.b == "x" ? local.b : []',
  'aws_eks_cluster.a',
  'file("x")',
  'one(aws_eks_cluster.a)',
  '-1',
  '1e9',
  'each',
  'var',
  '[[var.a]]',
];

const expression = fc.constantFrom(...EXPRESSIONS);
const repeated = fc.oneof(
  fc.constant(''),
  expression.map((one) => `count = ${one}`),
  expression.map((one) => `for_each = ${one}`),
);
const resource = fc
  .tuple(
    fc.constantFrom(
      'resource "aws_eks_cluster" "a"',
      'resource "aws_eks_cluster" "b"',
      'resource "aws_eks_node_group" "a"',
      'data "aws_ami" "a"',
      'resource "aws_launch_template" "a"',
    ),
    repeated,
    expression,
    expression,
    expression,
  )
  .map(
    ([head, meta, name, version, content]) =>
      `${head} {\n  ${meta}\n  name = ${name}\n  cluster_name = ${version}\n  launch_template {\n    id = ${content}\n  }\n  dynamic "metadata_options" {\n    for_each = ${content}\n    content {\n      http_tokens = metadata_options.value\n    }\n  }\n}`,
  );
const other = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b'), expression).map(([name, one]) => `variable "${name}" {\n  default = ${one}\n}`),
  fc.tuple(fc.constantFrom('a', 'b', 'c'), expression).map(([name, one]) => `locals {\n  ${name} = ${one}\n}`),
  expression.map((one) => `output "out" {\n  value = ${one}\n}`),
  fc
    .tuple(fc.constantFrom('./m', '.', '../gone', 'a/b/aws', '${var.a}'), repeated, expression)
    .map(([source, meta, one]) => `module "m" {\n  source = "${source}"\n  ${meta}\n  a = ${one}\n}`),
  fc.constantFrom(
    '{',
    '}',
    'resource {}',
    'resource "a" {}',
    'module "m" {}',
    'locals',
    'provider "aws" {\n  region = var.a\n}',
  ),
);

it('whatever is written, something is read', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(resource, other), { maxLength: 8 }),
      fc.array(fc.oneof(resource, other), { maxLength: 4 }),
      (main, module) => {
        const read = configurations(
          { 'main.tf': main.join('\n'), 'm/main.tf': module.join('\n'), 'terraform.tfvars': 'b = "x"' },
          { named: ['.'] },
        );
        for (const instance of read.instances) {
          expect(['known', 'unknown', 'choice']).toContain(instance.attributes.kind);
          expect(instance.region).not.toBe('');
        }
        for (const group of new EksModel(readInstances(read.instances)).nodeGroups) expect(group.version).toBeDefined();
      },
    ),
    { numRuns: runs(150) },
  );
});

it('modules that call ever more modules end', () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `m${index}/main.tf`,
      `module "a" {\n  source = "../m${index + 1}"\n}\nmodule "b" {\n  source = "../m${index + 1}"\n}\n`,
    ]),
  );
  const elapsed = cpuTime();
  const read = configurations({ ...files, 'm30/main.tf': 'resource "aws_x" "y" {}' });
  expect(read.problems.join('\n')).toContain('there are more than 20000 instances in this root module');
  expect(elapsed()).toBeLessThan(20_000);
});

jest.setTimeout(300_000);

/** Of what an input may cost: what ends so ends ten times later as well, for which no test has to wait. */
const TENTH = 0.1;

/** What a check of one file finds, what goes beyond a limit, and how long this process works for it. */
function check(text: string, share = 1) {
  const elapsed = cpuTime();
  const { result, beyond } = withLimits(() => {
    const { instances, problems } = configurations(text);
    return { problems, findings: runRules(new EksModel(readInstances(instances)), allRules, { asOf: AS_OF }) };
  }, share);
  return { ...result, beyond: [...new Set(beyond.map(({ reason }) => reason))], time: elapsed() };
}

function times(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join('\n');
}

const addon = (name: string, count: number, more = '') =>
  `resource "aws_eks_addon" "${name}" {\n  count = ${count}\n  cluster_name = "c"\n  addon_name = "vpc-cni"\n${more}}\n`;
const nodes = (name: string, count: number) =>
  `resource "aws_eks_node_group" "${name}" {\n  count = ${count}\n  cluster_name = "c"\n  ami_type = "AL2023_x86_64_STANDARD"\n  node_role_arn = "arn:aws:iam::111122223333:role/n"\n  subnet_ids = ["s"]\n}\n`;

describe('a few lines', () => {
  itWithAll('with many add-ons of one cluster cost time that grows with their number', () => {
    const { findings, time } = check(times(5, (index) => addon(`a${index}`, 2000)));
    expect(
      new Set(findings.filter(({ rule }) => rule === 'addon-version').map(({ resource }) => resource.id)).size,
    ).toBe(10_000);
    expect(time).toBeLessThan(15_000);
  });

  itWithAll('with many add-ons and many node groups of one cluster end, and say what is not judged', () => {
    const { findings, beyond, time } = check(`${addon('a', 400)}${nodes('g', 400)}`, TENTH);
    expect(beyond).toEqual(['there are too many add-ons and node groups in one cluster']);
    expect(findings.filter(({ rule }) => rule === 'rule-crashed')).toEqual([]);
    expect(
      new Set(findings.filter(({ rule }) => rule === 'addon-version').map(({ resource }) => resource.id)).size,
    ).toBe(400);
    expect(time).toBeLessThan(15_000);
  });

  it('with more instances than are looked at say so where a value depends on which it is', () => {
    const group = (key: string) =>
      nodes('g', 1).replace(
        '}\n',
        `  launch_template {\n    id = aws_launch_template.t[${key}].id\n    version = aws_launch_template.t[${key}].latest_version\n  }\n}\n`,
      );
    const template = (count: string, hops: string, key = '7') =>
      `resource "aws_launch_template" "t" {\n  ${count}\n  metadata_options {\n    http_tokens = "required"\n    http_put_response_hop_limit = ${hops}\n  }\n}\n${group(key)}`;
    expect(check(template('count = 2500', 'count.index == 7 ? 1 : 2')).beyond).toEqual([
      'aws_launch_template.t has more than 2000 instances',
    ]);
    expect(
      check(
        template(
          'for_each = toset([for i in concat(range(1000), range(1000, 2000), range(2000, 2500)) : tostring(i)])',
          'each.key == "7" ? 1 : 2',
          '"7"',
        ),
      ).beyond,
    ).toEqual(['aws_launch_template.t has more than 2000 instances']);
    const same = check(template('count = 2500', '1'));
    expect(same.beyond).toEqual([]);
    expect(same.findings.some(({ rule, verdict }) => rule === 'imds-hop-limit' && verdict === 'fail')).toBe(true);
    expect(check('resource "aws_s3_object" "files" {\n  count = 2500\n  key = "k${count.index}"\n}\n').beyond).toEqual(
      [],
    );
  });

  it('that decode long texts of YAML over and over end, and say what is not judged', () => {
    const { beyond, time } = check(
      `locals {
  s0 = join("\\n", [for i in range(1000) : "k\${i}: [a,b]"])
  s = join("\\n", [for i in range(20) : replace(local.s0, "k", "k\${i}x")])
${times(40, (index) => `  r${index} = length(yamldecode("a${index}: 1\\n\${local.s}"))`)}
}
resource "aws_eks_addon" "a" {
  cluster_name = "c"
  addon_name = "coredns"
  addon_version = join(",", [${times(40, (index) => `local.r${index},`)}])
}`,
      TENTH,
    );
    expect(beyond).toContain('the texts of this input hold more data than anything that is deployed');
    expect(time).toBeLessThan(15_000);
  });

  it('that give one long text to many resources parse it once', () => {
    const configuration = '  configuration_values = local.s\n';
    const { beyond, time } = check(
      `locals {\n  s = join("\\n", [for i in range(5000) : "k\${i}: [a,b]"])\n}\n${addon('a', 200, configuration)}`,
    );
    expect(beyond).toEqual([]);
    expect(time).toBeLessThan(15_000);
  });

  itWithAll('with regular expressions that take long end, and say what is not judged', () => {
    const { beyond, time } = check(
      `locals {
  s = join("", [for i in range(1000) : "aaaaaaaaaa"])
${times(200, (index) => `  r${index} = can(regex("(a?){60}b${index}", local.s))`)}
}
resource "aws_eks_addon" "a" {
  cluster_name = "c"
  addon_name = "coredns"
  addon_version = join(",", [${times(200, (index) => `local.r${index},`)}])
}`,
      TENTH,
    );
    expect(beyond).not.toEqual([]);
    expect(time).toBeLessThan(15_000);
  });
});

it('many names that are nearly right are told, and only some with what was meant', () => {
  const name = (index: number, letter: string) => `aaaaaaaaaaa${letter}aaaaaaaaa${letter}aaa${index}`;
  const { problems, time } = check(
    `${times(400, (index) => `variable "${name(index, 'a')}" {}`)}\nlocals {\n${times(400, (index) => `  l${index} = var.${name(index, 'b')}`)}\n}\n`,
  );
  expect(problems).toHaveLength(400);
  expect(problems[0]).toContain(`there is "${name(0, 'a')}"`);
  expect(time).toBeLessThan(15_000);
});
