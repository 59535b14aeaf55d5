import fc from 'fast-check';
import { configurationSyntax, looksLikeVariables } from '../../lib/readers/configuration-text';
import { topLevelKeys } from '../../lib/text/json-keys';
import { cpuTime } from '../cpu-time';

describe('the syntax of a text', () => {
  it.each([
    ['resource "aws_vpc" "a" {}', 'hcl'],
    ['# first\n/* and\n*/ locals {\n}', 'hcl'],
    ['{"resource": {"aws_vpc": {}}, "//": "by hand"}', 'json'],
    ['{"locals": {}}', 'json'],
    ['{"format_version": "1.2", "variables": {"data": {"value": 1}}, "planned_values": {}, "configuration": {"root_module": {"resource": {}}}}', undefined],
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

describe('keys of a JSON text', () => {
  it('are those of its object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: fc.constantFrom('a', 'b', '{', ']', ':', ' ') }), fc.jsonValue()), (object) => {
        // Names such as `__proto__` are no own keys of what is written.
        const text = JSON.stringify(object);
        expect([...topLevelKeys(`\uFEFF ${text}`)]).toEqual(Object.keys(JSON.parse(text) as object));
      }),
      { numRuns: 200 },
    );
  });

  it.each(['{"a": "never ended', '{"a"', '{', '}', '{]', '{"a\\', '{"a": 1}}{"b": 2}'])('of a broken one end somewhere: %s', (text) => {
    expect([...topLevelKeys(text)].filter((key) => key !== 'a')).toEqual([]);
  });

  it('are found in time', () => {
    const elapsed = cpuTime();
    expect([...topLevelKeys(`{"a": "${'\\\\\\"'.repeat(300_000)}", "b": ${'['.repeat(300_000)}`)]).toEqual(['a', 'b']);
    expect(elapsed()).toBeLessThan(2000);
  });
});
