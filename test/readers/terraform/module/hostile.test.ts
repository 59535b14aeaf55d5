import fc from 'fast-check';
import { EksModel } from '../../../../lib/model';
import { readInstances } from '../../../../lib/readers/terraform/resources';
import { cpuTime } from '../../../cpu-time';
import { configurations } from './configurations';

const EXPRESSIONS = ['1', 'null', '"a-${each.key}"', 'var.a', 'var.b', 'local.a', 'local.b', 'local.c', 'aws_eks_cluster.a.id', 'aws_eks_cluster.a[0].id', 'aws_eks_cluster.b["x"].name', 'aws_eks_node_group.a[*].id', 'module.m.out', 'module.m["x"].out', 'module.m', 'module.gone.x', 'data.aws_ami.a.id', 'data.aws_ami', 'each.value', 'count.index', 'self.id', 'path.module', 'toset(["x", var.b])', '{ x = var.a, (var.b) = 1 }', '[for k, v in local.a : v]', 'var.b ? 1 : 0', 'var.b == "x" ? local.b : []', 'aws_eks_cluster.a', 'file("x")', 'one(aws_eks_cluster.a)', '-1', '1e9', 'each', 'var', '[[var.a]]'];

const expression = fc.constantFrom(...EXPRESSIONS);
const repeated = fc.oneof(fc.constant(''), expression.map((one) => `count = ${one}`), expression.map((one) => `for_each = ${one}`));
const resource = fc
  .tuple(fc.constantFrom('resource "aws_eks_cluster" "a"', 'resource "aws_eks_cluster" "b"', 'resource "aws_eks_node_group" "a"', 'data "aws_ami" "a"', 'resource "aws_launch_template" "a"'), repeated, expression, expression, expression)
  .map(([head, meta, name, version, content]) => `${head} {\n  ${meta}\n  name = ${name}\n  cluster_name = ${version}\n  launch_template {\n    id = ${content}\n  }\n  dynamic "metadata_options" {\n    for_each = ${content}\n    content {\n      http_tokens = metadata_options.value\n    }\n  }\n}`);
const other = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b'), expression).map(([name, one]) => `variable "${name}" {\n  default = ${one}\n}`),
  fc.tuple(fc.constantFrom('a', 'b', 'c'), expression).map(([name, one]) => `locals {\n  ${name} = ${one}\n}`),
  expression.map((one) => `output "out" {\n  value = ${one}\n}`),
  fc.tuple(fc.constantFrom('./m', '.', '../gone', 'a/b/aws', '${var.a}'), repeated, expression).map(([source, meta, one]) => `module "m" {\n  source = "${source}"\n  ${meta}\n  a = ${one}\n}`),
  fc.constantFrom('{', '}', 'resource {}', 'resource "a" {}', 'module "m" {}', 'locals', 'provider "aws" {\n  region = var.a\n}'),
);

it('whatever is written, something is read', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(resource, other), { maxLength: 8 }), fc.array(fc.oneof(resource, other), { maxLength: 4 }), (main, module) => {
      const read = configurations({ 'main.tf': main.join('\n'), 'm/main.tf': module.join('\n'), 'terraform.tfvars': 'b = "x"' }, { named: ['.'] });
      for (const instance of read.instances) {
        expect(['known', 'unknown', 'choice']).toContain(instance.attributes.kind);
        expect(instance.region).not.toBe('');
      }
      for (const group of new EksModel(readInstances(read.instances)).nodeGroups) expect(group.version).toBeDefined();
    }),
    { numRuns: 150 },
  );
});

it('modules that call ever more modules end', () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}/main.tf`, `module "a" {\n  source = "../m${index + 1}"\n}\nmodule "b" {\n  source = "../m${index + 1}"\n}\n`]));
  const elapsed = cpuTime();
  const read = configurations({ ...files, 'm30/main.tf': 'resource "aws_x" "y" {}' });
  expect(read.problems.join('\n')).toContain('there are more than 50000 instances in this root module');
  expect(elapsed()).toBeLessThan(20_000);
});
