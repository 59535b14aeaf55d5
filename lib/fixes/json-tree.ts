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
  const start = skipBlank(text, 0);
  return { text, root: nodeAt(text, start, skipValue(text, start)), language: 'json' };
}

function nodeAt(text: string, start: number, end: number): TreeNode {
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
    [...memberOffsets(text, start)].map(([key, { key: at, value, end }]): TreeEntry => {
      return { key, start: at, end, value: nodeAt(text, value, end) };
    }),
  );
  return { kind: first === '{' ? 'map' : 'list', style: 'flow', start, end, entries };
}
