import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { entriesWhenAsked, NOT_CLEAR, type Tree, type TreeEntry, type TreeNode, type TreeScalar } from './tree';

/** A YAML text as a tree; undefined if it isn't one document of YAML. */
export function yamlTree(text: string): Tree | undefined {
  let document;
  try {
    document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: false,
      keepSourceTokens: true,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch {
    return undefined;
  }
  // Unknown tags are warnings only; a second document is an error.
  return document.errors.length > 0 ? undefined : treeOfYaml(text, document.contents);
}

/** What a YAML text was read into as a tree; the nodes must have their tokens. */
export function treeOfYaml(text: string, contents: Node | null): Tree {
  const used = new Set<string>();
  visit(contents, { Alias: (_, { source }) => void used.add(source) });
  return { text, root: new YamlNodes(text, used).nodeOf(contents, { start: 0 }), language: 'yaml' };
}

/** Where a value that is left out could stand, or why it can't. */
type Gap = Pick<TreeScalar, 'start' | 'refusal'>;

class YamlNodes {
  /** @param used anchors that there are aliases of */
  constructor(
    private readonly text: string,
    private readonly used: ReadonlySet<string>,
  ) {}

  nodeOf(node: Node | null, gap: Gap): TreeNode {
    if (node === null || !node.range) return { kind: 'scalar', ...gap, end: gap.start, value: null, style: 'none' };
    const [start, end] = node.range;
    const shared =
      node.anchor !== undefined && this.used.has(node.anchor)
        ? `it is used in several places (\`&${node.anchor}\`)`
        : undefined;
    const refusal = shared ?? refusalOf(node);
    if (isMap(node)) {
      const entries = entriesWhenAsked(() => node.items.map((pair): TreeEntry => this.entryOf(pair)));
      return {
        kind: 'map',
        style: node.flow === true ? 'flow' : 'block',
        start,
        end,
        refusal: refusal ?? this.whyUnclear(node),
        shared,
        entries,
      };
    }
    if (isSeq(node)) {
      const entries = entriesWhenAsked(() =>
        node.items.map((item, index): TreeEntry => {
          const value = this.nodeOf(item as Node | null, { start: end, refusal: NOT_CLEAR });
          return { key: String(index), start: value.start, end: value.end, value };
        }),
      );
      return { kind: 'list', style: node.flow === true ? 'flow' : 'block', start, end, refusal, shared, entries };
    }
    if (!isScalar(node)) return { kind: 'scalar', start, end, refusal, shared, value: null, style: 'plain' };
    const style = scalarStyle(node, start, end);
    return style === 'none'
      ? { kind: 'scalar', refusal, shared, ...gap, end: gap.start, value: null, style }
      : { kind: 'scalar', start, end, refusal, shared, value: node.value, style };
  }

  private entryOf(pair: Pair): TreeEntry {
    const key = pair.key as Node | null;
    const start = key?.range?.[0] ?? 0;
    const afterKey = key?.range?.[1] ?? start;
    const value = this.nodeOf(pair.value as Node | null, gapOf(pair, afterKey));
    return { key: isScalar(key) ? String(key.value) : '', start, end: Math.max(value.end, afterKey), value };
  }

  /** Keys behind `?`, and a pair without braces in a list of brackets. */
  private whyUnclear({ items, flow, range }: YAMLMap): string | undefined {
    const isBare = flow === true && this.text[range?.[0] ?? 0] !== '{';
    return isBare || items.some(({ srcToken }) => srcToken?.start.some(({ type }) => type === 'explicit-key-ind'))
      ? NOT_CLEAR
      : undefined;
  }
}

/** Directly behind the colon: the library says "behind the blanks", where a comment may stand. */
function gapOf({ srcToken }: Pair, afterKey: number): Gap {
  const sep = srcToken?.sep ?? [];
  const colon = sep.find(({ type }) => type === 'map-value-ind');
  const isEmpty = sep.every(({ type }) => GAPS.has(type));
  return colon === undefined || !isEmpty ? { start: afterKey, refusal: NOT_CLEAR } : { start: colon.offset + 1 };
}

const GAPS: ReadonlySet<string> = new Set(['map-value-ind', 'space', 'newline', 'comment']);

function refusalOf(node: Node): string | undefined {
  if (isAlias(node)) return `it is an alias (\`*${node.source}\`)`;
  const { tag } = node;
  if (tag === undefined || tag.startsWith('tag:yaml.org,2002:') || tag === '!') return undefined;
  if (tag === '!If') return 'it is decided by a condition (`!If`)';
  return tag === '!Ref'
    ? `it is decided by a reference (\`!Ref ${isScalar(node) ? String(node.value) : ''}\`)`
    : `it is made by the function \`${tag}\``;
}

const STYLES: Readonly<Record<string, TreeScalar['style']>> = {
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

function scalarStyle({ type }: Scalar, start: number, end: number): TreeScalar['style'] {
  return STYLES[String(type)] ?? (start === end ? 'none' : 'plain');
}
