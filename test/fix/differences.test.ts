import { dataDiffers, hclDiffers } from '../../lib/fix/differences';
import { HclText } from '../../lib/fix/hcl-text';

it('knows data that changed elsewhere than it should', () => {
  const before = { R: { Type: 'A', Properties: null }, S: { list: [1, { a: 2, b: 3 }] } };
  expect(dataDiffers(before, { ...before, R: { Type: 'A', Properties: { Keep: true } } }, [['R', 'Properties', 'Keep']])).toBe(false);
  expect(dataDiffers(before, { ...before, R: { Type: 'B', Properties: { Keep: true } } }, [['R', 'Properties', 'Keep']])).toBe(true);
  expect(dataDiffers(before, { ...before, S: { list: [1, { b: 3 }] } }, [['S', 'list', '1', 'a']])).toBe(false);
  expect(dataDiffers(before, { ...before, S: { list: [1, { b: 4 }] } }, [['S', 'list', '1', 'a']])).toBe(true);
  expect(dataDiffers(before, { R: before.R }, [['S', 'list', '1', 'a']])).toBe(true);
});

it('knows configuration that changed elsewhere than it should', () => {
  const before = ['resource "a" "r" {', '  x = 1 # c', '}', 'resource "a" "s" {', '  b {', '    y = 2', '  }', '}', ''].join('\n');
  const differs = (change: (text: string) => string, path: readonly string[], mayLoseComments = false) => {
    const [one, other] = [HclText.read(before), HclText.read(change(before))];
    return one === undefined || other === undefined ? 'unreadable' : hclDiffers(one, other, [path], mayLoseComments);
  };
  expect(differs((text) => text.replace('  x = 1', '  x     = 1').replace('# c', '# c\n  other = 3'), ['a', 'r', 'other'])).toBe(false);
  expect(differs((text) => text.replace('# c', '# c /* other = 3 */'), ['a', 'r', 'other'])).toBe(true);
  expect(differs((text) => text.replace('1 # c', '2 # c'), ['a', 'r', 'other'])).toBe(true);
  expect(differs((text) => text.replace('y = 2', 'y = 3'), ['a', 's', 'b'])).toBe(false);
  expect(differs((text) => text.replace('y = 2', 'y = 3'), ['a', 'r', 'b'])).toBe(true);
  expect(differs((text) => text.replace('x = 1 # c', 'x = 2'), ['a', 'r', 'x'])).toBe(true);
  expect(differs((text) => text.replace('  x = 1 # c\n', ''), ['a', 'r', 'x'], true)).toBe(false);
});
