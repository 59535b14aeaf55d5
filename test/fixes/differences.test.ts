import { dataDiffers, hclDiffers } from '../../lib/fixes/differences';
import type { Change } from '../../lib/fixes/edited-text';
import { HclText } from '../../lib/fixes/hcl-text';
import { HclFile } from '../../lib/fixes/terraform';

it('knows data that changed elsewhere than it should', () => {
  const before = { R: { Type: 'A', Properties: null }, S: { list: [1, { a: 2, b: 3 }] } };
  expect(
    dataDiffers(before, { ...before, R: { Type: 'A', Properties: { Keep: true } } }, [['R', 'Properties', 'Keep']]),
  ).toBe(false);
  expect(
    dataDiffers(before, { ...before, R: { Type: 'B', Properties: { Keep: true } } }, [['R', 'Properties', 'Keep']]),
  ).toBe(true);
  expect(dataDiffers(before, { ...before, S: { list: [1, { b: 3 }] } }, [['S', 'list', '1', 'a']])).toBe(false);
  expect(dataDiffers(before, { ...before, S: { list: [1, { b: 4 }] } }, [['S', 'list', '1', 'a']])).toBe(true);
  expect(dataDiffers(before, { R: before.R }, [['S', 'list', '1', 'a']])).toBe(true);
  expect(dataDiffers(before, { ...before, S: 1 }, [['S'], ['R', 'Type']])).toBe(false);
});

it('knows configuration that changed elsewhere than it should', () => {
  const before = [
    'resource "a" "r" {',
    '  x = 1 # c',
    '}',
    'resource "a" "s" {',
    '  b {',
    '    y = 2',
    '  }',
    '}',
    'data "a" "r" {',
    '  z = 1',
    '}',
    '',
  ].join('\n');
  const differs = (change: (text: string) => string, path: readonly string[], mayLoseComments = false) => {
    const [one, other] = [HclText.read(before), HclText.read(change(before))];
    return one === undefined || other === undefined
      ? 'unreadable'
      : hclDiffers(one, other, [['resource', ...path]], mayLoseComments);
  };
  expect(
    differs((text) => text.replace('  x = 1', '  x     = 1').replace('# c', '# c\n  other = 3'), ['a', 'r', 'other']),
  ).toBe(false);
  expect(differs((text) => text.replace('# c', '# c /* other = 3 */'), ['a', 'r', 'other'])).toBe(true);
  expect(differs((text) => text.replace('1 # c', '2 # c'), ['a', 'r', 'other'])).toBe(true);
  expect(differs((text) => text.replace('z = 1', 'z = 2'), ['a', 'r', 'z'])).toBe(true);
  expect(differs((text) => text.replace('y = 2', 'y = 3'), ['a', 's', 'b'])).toBe(false);
  expect(differs((text) => text.replace('y = 2', 'y = 3'), ['a', 'r', 'b'])).toBe(true);
  expect(differs((text) => text.replace('x = 1 # c', 'x = 2'), ['a', 'r', 'x'])).toBe(true);
  expect(differs((text) => text.replace('  x = 1 # c\n', ''), ['a', 'r', 'x'], true)).toBe(false);
});

it('knows repairs of a file by the argument or block that they are in', () => {
  const text = (options: string, more = '') =>
    `resource "aws_launch_template" "r" {\n  name = "a"\n  metadata_options {\n    ${options}\n  }\n${more}}\n`;
  const tokens: Change = {
    type: 'aws_launch_template',
    id: 'aws_launch_template.r',
    repair: { kind: 'set', field: 'metadata.httpTokens', to: 'required' },
    item: undefined,
  };
  const differs = (one: string, other: string, ...changes: Change[]) => {
    const [before, after] = [HclFile.read(one), HclFile.read(other)];
    return before === undefined || after === undefined ? 'unreadable' : before.differsBeyond(after, changes);
  };
  expect(differs(text('http_endpoint = "enabled"'), text('http_tokens = "required"'), tokens)).toBe(false);
  expect(differs(text('http_endpoint = "enabled"'), text('http_tokens = "required"'))).toBe(true);
  expect(differs(text('a = 1'), text('a = 2', '  key_name = "k"\n'), tokens)).toBe(true);
  expect(differs(text('a = 1'), text('a = 2'), { ...tokens, id: 'aws_launch_template.s' })).toBe(true);
  const remove = (kind: 'remove' | 'moveData'): Change => ({
    ...tokens,
    repair: { kind, field: 'metadata.httpTokens', at: '', to: '' },
  });
  expect(differs(text('a = 1 # c'), text('a = 1'), tokens)).toBe(true);
  for (const kind of ['remove', 'moveData'] as const)
    expect(differs(text('a = 1 # c'), text('a = 1'), remove(kind), tokens)).toBe(false);
});

it('looks only into resources, as deep as arguments stand', () => {
  const text = (value: number) =>
    `locals {\n  a = ${value}\n}\nmodule "a" "r" {\n  x = ${value}\n}\nresource "a" "r" {\n  b {\n    x = ${value}\n  }\n}\n`;
  const [one, other] = [HclText.read(text(1)), HclText.read(text(2))] as [HclText, HclText];
  expect(hclDiffers(one, other, [['resource', 'a', 'r', 'b']], false)).toBe(true);
  expect(hclDiffers(one, other, [['resource', 'a', 'r', 'x']], false)).toBe(true);
  const inResource = (value: number) => HclText.read(text(0).replace('    x = 0', `    x = ${value}`)) as HclText;
  expect(hclDiffers(inResource(1), inResource(2), [['resource', 'a', 'r', 'b']], false)).toBe(false);
  expect(hclDiffers(inResource(1), inResource(2), [['resource', 'a', 'r', 'x']], false)).toBe(true);
});
