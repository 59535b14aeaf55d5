import { isAlias, isMap, isScalar, isSeq, parseDocument, visit, type Node, type Pair, type Scalar } from 'yaml';
import type { Tree, TreeEntry, TreeNode, TreeScalar } from './tree';

/** A YAML text as a tree; undefined if it isn't one document of YAML. */
export function yamlTree(text: string): Tree | undefined {
  let document;
  try {
    document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  } catch {
    return undefined;
  }
  // Unknown tags are warnings only; a second document is an error.
  if (document.errors.length > 0) return undefined;
  const used = new Set<string>();
  visit(document, { Alias: (_, { source }) => void used.add(source) });
  return { text, root: nodeOf(document.contents, used, 0), language: 'yaml' };
}

/** @param at where the value would stand if there is none */
function nodeOf(node: Node | null, used: ReadonlySet<string>, at: number): TreeNode {
  if (node === null || !node.range) return { kind: 'scalar', start: at, end: at, value: null, style: 'none' };
  const [start, end] = node.range;
  const refusal = refusalOf(node, used);
  if (isMap(node)) {
    const entries = () => node.items.map((pair): TreeEntry => pairEntry(pair, used));
    return { kind: 'map', style: node.flow === true ? 'flow' : 'block', start, end, refusal, entries };
  }
  if (isSeq(node)) {
    const entries = () =>
      node.items.map((item, index): TreeEntry => {
        const value = nodeOf(item as Node | null, used, end);
        return { key: String(index), start: value.start, end: value.end, value };
      });
    return { kind: 'list', style: node.flow === true ? 'flow' : 'block', start, end, refusal, entries };
  }
  if (!isScalar(node)) return { kind: 'scalar', start, end, refusal, value: null, style: 'plain' };
  return { kind: 'scalar', start, end, refusal, value: node.value, style: scalarStyle(node, start, end) };
}

function pairEntry(pair: Pair, used: ReadonlySet<string>): TreeEntry {
  const key = pair.key as Node | null;
  const start = key?.range?.[0] ?? 0;
  const afterKey = key?.range?.[1] ?? start;
  const value = nodeOf(pair.value as Node | null, used, afterKey);
  return { key: isScalar(key) ? String(key.value) : '', start, end: Math.max(value.end, afterKey), value };
}

function refusalOf(node: Node, used: ReadonlySet<string>): string | undefined {
  if (isAlias(node)) return `it is an alias (\`*${node.source}\`)`;
  if (node.anchor !== undefined && used.has(node.anchor)) return `it is used in several places (\`&${node.anchor}\`)`;
  const { tag } = node;
  if (tag === undefined || tag.startsWith('tag:yaml.org,2002:') || tag === '!') return undefined;
  if (tag === '!If') return 'it is decided by a condition (`!If`)';
  return tag === '!Ref' ? `it is decided by a reference (\`!Ref ${isScalar(node) ? String(node.value) : ''}\`)` : `it is made by the function \`${tag}\``;
}

const STYLES: Readonly<Record<string, TreeScalar['style']>> = { QUOTE_SINGLE: 'single', QUOTE_DOUBLE: 'double', BLOCK_LITERAL: 'literal', BLOCK_FOLDED: 'folded' };

function scalarStyle({ type }: Scalar, start: number, end: number): TreeScalar['style'] {
  return STYLES[String(type)] ?? (start === end ? 'none' : 'plain');
}
