import { configurationSyntax, looksLikeVariables } from '../../../lib/front-ends/terraform/configuration-text';

describe('the syntax of a text', () => {
  it.each([
    ['resource "aws_vpc" "a" {}', 'hcl'],
    ['# first\n/* and\n*/ locals {\n}', 'hcl'],
    ['{"resource": {"aws_vpc": {}}, "//": "by hand"}', 'json'],
    ['{"locals": {}}', 'json'],
    ['module m {', 'hcl'],
    ['resource "aws_x" y\t{}', 'hcl'],
    ['// first\n  # second\n\nmoved {', 'hcl'],
    ['/* first */ check "a" {}', 'hcl'],
    ['/**/removed {}', 'hcl'],
    ['# nothing else', undefined],
    ['/* not closed\nlocals {}', undefined],
    ['a locals {}', undefined],
    ['locals', undefined],
    ['locals = {}', undefined],
    ['resources "a" {}', undefined],
    [`#${' '.repeat(2000)}\nlocals {}`, 'hcl'],
    ['{"locals": {}, "Resources": {}}', undefined],
    [
      '{"format_version": "1.2", "variables": {"data": {"value": 1}}, "planned_values": {}, "configuration": {"root_module": {"resource": {}}}}',
      undefined,
    ],
    ['{"Resources": {"data": {}}, "output": {}}', undefined],
    ['{"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}}', undefined],
    ['{"//": "nothing else"}', undefined],
    ['{"a": "\\"}{resource\\": {", "b": {"resource": {}}}', undefined],
    ['["resource"]', undefined],
    ['', undefined],
  ])('%j: %s', (text, expected) => {
    expect(configurationSyntax(text)).toBe(expected);
  });

  it.each([
    ['# sizes\nnode-size = 1', true],
    ['tags = {', true],
    ['/* sizes */ a=1', true],
    ['a\t= 1', true],
    ['= 1', false],
    ['a b = 1', false],
    ['', false],
    ['Resources: {}', false],
    ['a == b', false],
    ['resource "a" "b" {', false],
  ])('values of variables: %j, %s', (text, expected) => {
    expect(looksLikeVariables(text)).toBe(expected);
  });
});
