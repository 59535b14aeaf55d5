import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type YAMLMap } from 'yaml';
import type { FileComments } from '../comments/ignores';
import { toDiagnostics, type DocumentPath, type OwnLines, type ParsedDocument, type TextProblem } from '../document';
import { LineIndex, type Position } from '../positions';
import { isMergeKey, keyText, offsetOfKey, scalarSource, SHORT_FORMS, startOf } from './yaml-nodes';
import { offsetInScalar } from './yaml-scalar';
import type { Entry, YamlContent } from './yaml-content';

/** A value, and where it stands. */
interface Found {
  /** Offset of its key in the text. */
  readonly key: number;
  readonly node: Node | null;
  /** What the offsets of the node count from. */
  readonly base: number;
}

/** A document of a YAML text, which finds the places of its values. */
export class YamlDocument implements ParsedDocument {
  readonly diagnostics;
  private readonly pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  /**
   * @param content undefined of a text that can't be read
   * @param targets what aliases stand for
   */
  constructor(
    private readonly text: string,
    file: string,
    readonly content: YamlContent | undefined,
    problems: readonly TextProblem[],
    private readonly targets: ReadonlyMap<Alias, Node> = new Map(),
    readonly comments?: FileComments,
    private readonly lines = new LineIndex(text),
  ) {
    this.diagnostics = toDiagnostics(problems, text, file, lines);
  }

  get root(): unknown {
    return this.content?.value ?? undefined;
  }

  locate(path: DocumentPath): Position {
    return this.lines.at(this.find(path).key);
  }

  locateInText(path: DocumentPath, offset: number): Position | undefined {
    const { node, base, found } = this.find(path);
    if (!found || !isScalar(node) || !node.range) return undefined;
    const [start, end] = node.range;
    return this.lines.at(offsetInScalar(this.text.slice(base + start, base + end), node, offset) + base + start);
  }

  scalarText(path: DocumentPath): string | undefined {
    const { node, found } = this.find(path);
    return found && isScalar(node) && typeof node.value !== 'string' ? scalarSource(node) : undefined;
  }

  anchorOf(path: DocumentPath): string | undefined {
    const { node, base } = this.find(path.slice(0, -1));
    const written = this.step({ node, base }, String(path.at(-1)))?.node;
    return written === null || isAlias(written) ? undefined : written?.anchor;
  }

  linesOf(path: DocumentPath): OwnLines | undefined {
    if (path.length === 0) return this.allLines();
    const { key, node, base, found } = this.find(path);
    if (!found || !node?.range) return undefined;
    const end = base + node.range[1];
    // What an alias stands for is written before it, for others, too.
    if (end < key) return undefined;
    const [from, to] = [this.text.lastIndexOf('\n', key - 1) + 1, this.text.indexOf('\n', end)];
    // Of a block, the range ends with its last line, of a value on the line of its key, within that.
    const isBlock = this.text[end - 1] === '\n';
    const last = isBlock ? end - 1 : to < 0 ? this.text.length : to;
    // Of an item of a list, the dash goes with it.
    const isItem = /^\d+$/.test(String(path.at(-1)));
    const isAlone =
      (isItem ? /^ *- +$/ : /^\s*$/).test(this.text.slice(from, key)) &&
      (isBlock || /^\s*(?:#.*)?$/.test(this.text.slice(end, last)));
    if (!isAlone) return undefined;
    const lines = this.text.slice(from, last).split('\n');
    while (lines.at(-1)?.trim() === '') lines.pop();
    // An alias elsewhere would stand for nothing any more.
    if (lines.some((line) => /(?:^|\s)&\S/.test(line))) return undefined;
    return { first: this.lines.at(from).line, lines };
  }

  /** Those of all keys, without comments above and below. */
  private allLines(): OwnLines | undefined {
    const { node, base } = this.find([]);
    if (!isMap(node) || node.flow === true || !node.range) return undefined;
    const [start, end] = [base + node.range[0], base + node.range[1]];
    const from = this.text.lastIndexOf('\n', start - 1) + 1;
    const lines = this.text.slice(from, end).split('\n');
    while (/^\s*(?:#.*)?$/.test(lines.at(-1) ?? '-')) lines.pop();
    return from === start && lines.length > 0 ? { first: this.lines.at(from).line, lines } : undefined;
  }

  private find(path: DocumentPath): Found & { readonly found: boolean } {
    const root = this.content?.contents ?? null;
    let at: Found = { key: root?.range?.[0] ?? 0, node: root, base: 0 };
    let inShortForm = false;
    for (const step of path) {
      at = { ...at, node: this.dereference(at.node) };
      if (!inShortForm && at.node?.tag !== undefined && SHORT_FORMS.get(at.node.tag) === step) {
        // `!Sub text` reads as {"Fn::Sub": text}: the step into the function stays at the same node.
        inShortForm = true;
        continue;
      }
      inShortForm = false;
      const next = this.step(at, String(step));
      if (next === undefined) return { ...at, found: false };
      at = next;
    }
    return { ...at, node: this.dereference(at.node), found: true };
  }

  private step({ node, base }: Pick<Found, 'node' | 'base'>, step: string): Found | undefined {
    if (isMap(node) && this.content?.mergesInPlace === true) return this.inOrder(node, base, step);
    if (isMap(node)) {
      const pair = this.pairsOf(node).get(step);
      if (pair === undefined) return this.inMerged(node, base, step);
      return this.valueOf(pair, base);
    }
    if (isSeq(node)) {
      const item = node.items[Number(step)] as Node | null | undefined;
      if (item === undefined) return undefined;
      const own = item === null ? base : this.baseOf(item, base);
      return { key: startOf(item, this.text, own), node: item, base: own };
    }
    return undefined;
  }

  private valueOf(pair: Pair, base: number): Found {
    const own = this.baseOf(pair, base);
    return { key: (offsetOfKey(pair.key) ?? 0) + own, node: pair.value as Node | null, base: own };
  }

  /** What is written or merged last. */
  private inOrder(node: YAMLMap, base: number, step: string): Found | undefined {
    const written = this.pairsOf(node).get(step);
    for (const pair of node.items.toReversed()) {
      if (pair === written) return this.valueOf(pair, base);
      const found = isMergeKey(pair.key) ? this.inMerge(pair, base, step) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private inMerged(node: YAMLMap, base: number, step: string): Found | undefined {
    for (const pair of node.items) {
      const found = isMergeKey(pair.key) ? this.inMerge(pair, base, step) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private inMerge({ value }: Pair, base: number, step: string): Found | undefined {
    const source = this.dereference(value as Node | null);
    for (const item of isSeq(source) ? (source.items as Node[]) : [source]) {
      const found = this.step({ node: this.dereference(item), base }, step);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private baseOf(entry: Entry, around: number): number {
    return this.content?.bases.get(entry) ?? around;
  }

  private pairsOf(node: YAMLMap): ReadonlyMap<string, Pair> {
    let pairs = this.pairs.get(node);
    if (pairs === undefined) {
      pairs = new Map(node.items.map((pair) => [keyText(this.dereference(pair.key as Node | null)) ?? '', pair]));
      this.pairs.set(node, pairs);
    }
    return pairs;
  }

  private dereference(node: Node | null): Node | null {
    return isAlias(node) ? (this.targets.get(node) ?? null) : node;
  }
}
