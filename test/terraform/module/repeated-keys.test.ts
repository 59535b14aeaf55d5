import { configurations } from './configurations';

describe('keys that are written twice in one object', () => {
  it('are told at the one that is lost, which the last one replaces', () => {
    const read = configurations(`resource "aws_iam_role" "r" {
  assume_role_policy = jsonencode({
    Condition = {
      StringEquals = { (var.sub) = "a", "\${var.issuer}:sub" = "b" }
      "StringEquals" = { (var.sub) = "c", (var.sub) = "d" }
    }
  })
  map = { a = 1, a = 2, a = 3 }
  inner {
    list = [for k in var.list : { id = k, id = 1 }]
  }
}
variable "sub" {}
variable "issuer" {}
variable "list" {}
locals {
  nested = { "x" : { y = 1 }, "x" : { y = 2 } }
}
`);
    expect([...read.problems].sort()).toEqual([
      'warning main.tf:10:35 key "id" is written again in line 10, in the same object: only what stands there counts',
      'warning main.tf:17:14 key "x" is written again in line 17, in the same object: only what stands there counts',
      'warning main.tf:4:7 key "StringEquals" is written again in line 5, in the same object: only what stands there counts',
      'warning main.tf:8:11 key "a" is written again in line 8, in the same object: only what stands there counts',
      'warning main.tf:8:18 key "a" is written again in line 8, in the same object: only what stands there counts',
    ]);
    expect(read.show('aws_iam_role.r', 'map')).toEqual({ a: 3 });
  });

  it('are no matter of other objects, of keys that are evaluated, of equal values, or of what Terraform reads as it is written', () => {
    const read = configurations(`resource "aws_x" "y" {
  maps  = [{ a = 1 }, { a = 2 }, { a = { a = 1 } }]
  keys  = { (var.a) = 1, (var.a) = 2, "\${var.a}" = 3, "\${var.a}" = 4, a = 5 }
  equal = { Name = "x", Name = "x" }
  chain = { a = 1 } == { a = 2 }
  if    = var.a ? { a = 1 } : { a = 2 }
}
variable "a" {
  type = object({ b = string, b = number })
}
`);
    expect(read.problems).toEqual([]);
  });

  it('are an error in JSON, as for Terraform', () => {
    const read = configurations({ 'main.tf.json': '{"resource":{"aws_x":{"y":{"map":{"a":1,"a":2}}}}}' });
    expect(read.problems).toEqual(['error main.tf.json:1:41 "a" is set twice in one block; only the first counts']);
  });
});
