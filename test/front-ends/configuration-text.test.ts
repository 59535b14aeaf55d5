import { configurationSyntax, looksLikeVariables } from '../../lib/front-ends/configuration-text';

describe('the syntax of a text', () => {
  it.each([
    ['resource "aws_vpc" "a" {}', 'hcl'],
    ['# first\n/* and\n*/ locals {\n}', 'hcl'],
    ['{"resource": {"aws_vpc": {}}, "//": "by hand"}', 'json'],
    ['{"locals": {}}', 'json'],
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
    ['Resources: {}', false],
    ['a == b', false],
    ['resource "a" "b" {', false],
  ])('values of variables: %j, %s', (text, expected) => {
    expect(looksLikeVariables(text)).toBe(expected);
  });
});
