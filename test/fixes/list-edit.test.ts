import { jsonTree } from '../../lib/fixes/json-tree';
import { appendTo, setItems } from '../../lib/fixes/list-edit';
import { applyEdits } from '../../lib/fixes/text-edit';
import type { Tree } from '../../lib/fixes/tree';
import type { TreeValue } from '../../lib/fixes/tree-values';
import { yamlTree } from '../../lib/fixes/yaml-tree';

function appended(text: string, ...items: readonly TreeValue[]): string {
  const plan = appendTo((jsonTree(text) ?? yamlTree(text)) as Tree, ['a'], items);
  return 'refusal' in plan ? `! ${plan.refusal}` : applyEdits(text, plan.edits);
}

describe('items that are added to a list', () => {
  it.each<[string, string, readonly TreeValue[], string]>([
    [
      'have lines where the others do',
      '{\n  "a": [\n    1,\n    2\n  ]\n}',
      [3],
      '{\n  "a": [\n    1,\n    2,\n    3\n  ]\n}',
    ],
    ['are written as the others of JSON', '{"a":[{"b":1}]}', [{ b: 2, c: 'd' }], '{"a":[{"b":1},{"b":2,"c":"d"}]}'],
    ['have dashes below the others', 'a:\n  - x\n  - y\nb: 1\n', ['z'], 'a:\n  - x\n  - y\n  - z\nb: 1\n'],
    ['have dashes in the column of the key', 'a:\r\n- x\r\nb: 1\r\n', ['z'], 'a:\r\n- x\r\n- z\r\nb: 1\r\n'],
    ['stand behind a comment of the last', 'a:\n  - x # why\n', ['z'], 'a:\n  - x # why\n  - z\n'],
    ['end a text without a line break', 'a:\n  - x', ['z'], 'a:\n  - x\n  - z'],
    ['are maps in lines', 'a:\n  - b: 1\n    c: 2\n', [{ b: 3, c: 4 }], 'a:\n  - b: 1\n    c: 2\n  - b: 3\n    c: 4\n'],
  ])('%s', (_, text, items, expected) => {
    expect(appended(text, ...items)).toBe(expected);
  });

  it.each([
    ['what is no list', 'a: {b: 1}\n'],
    ['an alias of a list', 'b: &b [1]\na: *b\n'],
    ['what is not there', 'b: []\n'],
  ])('are refused by %s', (_, text) => {
    expect(appended(text, 'x')).toMatch(/^! ./);
  });
});

describe('items that become others', () => {
  it.each([
    ['are written in the quotes that they have', '{"a": ["x", "y"]}', '{"a": ["x", "z"]}'],
    ['stay where they stand', "a:\n  - 'x' # why\n  - y\n", "a:\n  - 'x' # why\n  - z\n"],
  ])('%s', (_, text, expected) => {
    const plan = setItems((jsonTree(text) ?? yamlTree(text)) as Tree, ['a'], ['x', 'z']);
    expect('refusal' in plan ? plan.refusal : applyEdits(text, plan.edits)).toBe(expected);
  });

  it.each([
    ['as many', 'a: [x]\n'],
    ['texts', 'a: [x, 1]\n'],
    ['a list', 'a: x\n'],
    ['there', 'b: [x, y]\n'],
  ])('are refused unless they are %s', (_, text) => {
    expect(setItems((jsonTree(text) ?? yamlTree(text)) as Tree, ['a'], ['x', 'z'])).toHaveProperty('refusal');
  });
});
