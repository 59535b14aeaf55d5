import { memberOffsets, skipBlank, skipValue } from '../languages/json/json-scanner';
import { entriesWhenAsked, type Tree, type TreeEntry, type TreeNode } from './tree';

/** A JSON text as a tree; undefined if it isn't JSON. */
export function jsonTree(text: string): Tree | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return treeOfJson(text);
}

/** A text that is known to be JSON as a tree. */
export function treeOfJson(text: string): Tree {
  return { text, root: nodeAt(text, skipBlank(text, 0)), language: 'json' };
}

function nodeAt(text: string, start: number): TreeNode {
  const end = skipValue(text, start);
  const first = text[start];
  if (first !== '{' && first !== '[') {
    return {
      kind: 'scalar',
      start,
      end,
      value: JSON.parse(text.slice(start, end)),
      style: first === '"' ? 'double' : 'plain',
    };
  }
  const entries = entriesWhenAsked(() =>
    [...memberOffsets(text, start)].map(([key, { key: at, value }]): TreeEntry => {
      const node = nodeAt(text, value);
      return { key, start: at, end: node.end, value: node };
    }),
  );
  return { kind: first === '{' ? 'map' : 'list', style: 'flow', start, end, entries };
}
