import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import type { FileComments } from '../comments/ignores';
import { toDiagnostics, type DocumentPath, type ParsedDocument, type TextProblem } from '../document';
import { LineIndex, type Position } from '../positions';
import { isMergeKey, keyText, offsetOfKey, scalarSource, SHORT_FORMS, startOf } from './yaml-nodes';
import { offsetInScalar } from './yaml-scalar';
import type { Conversion } from './yaml-values';

/** A document of a YAML text, which finds the places of its values. */
export class YamlDocument implements ParsedDocument {
  readonly diagnostics;
  private readonly pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(
    private readonly text: string,
    file: string,
    private readonly document: Document.Parsed | undefined,
    private readonly conversion: Conversion | undefined,
    problems: readonly TextProblem[],
    readonly root: unknown,
    readonly comments?: FileComments,
    private readonly lines = new LineIndex(text),
  ) {
    this.diagnostics = toDiagnostics(problems, text, file, lines);
  }

  locate(path: DocumentPath): Position {
    return this.lines.at(this.find(path).key);
  }

  locateInText(path: DocumentPath, offset: number): Position | undefined {
    const { node, found } = this.find(path);
    if (!found || !isScalar(node) || !node.range) return undefined;
    const [start, end] = node.range;
    return this.lines.at(offsetInScalar(this.text.slice(start, end), node, offset) + start);
  }

  scalarText(path: DocumentPath): string | undefined {
    const { node, found } = this.find(path);
    return found && isScalar(node) && typeof node.value !== 'string' ? scalarSource(node) : undefined;
  }

  private find(path: DocumentPath): { key: number; node: Node | null; found: boolean } {
    let node: Node | null = this.document?.contents ?? null;
    let key = node?.range?.[0] ?? 0;
    let inShortForm = false;
    for (const step of path) {
      node = this.dereference(node);
      if (!inShortForm && node?.tag !== undefined && SHORT_FORMS.get(node.tag) === step) {
        // `!Sub text` reads as {"Fn::Sub": text}: the step into the function stays at the same node.
        inShortForm = true;
        continue;
      }
      inShortForm = false;
      const next = this.step(node, String(step));
      if (next === undefined) return { key, node, found: false };
      ({ key, node } = next);
    }
    return { key, node: this.dereference(node), found: true };
  }

  private step(node: Node | null, step: string): { key: number; node: Node | null } | undefined {
    if (isMap(node)) {
      const pair = this.pairsOf(node).get(step);
      if (pair === undefined) return this.inMerged(node, step);
      return { key: offsetOfKey(pair.key) ?? 0, node: pair.value as Node | null };
    }
    if (isSeq(node)) {
      const item = node.items[Number(step)] as Node | null | undefined;
      return item === undefined ? undefined : { key: startOf(item, this.text), node: item };
    }
    return undefined;
  }

  private inMerged(node: YAMLMap, step: string): { key: number; node: Node | null } | undefined {
    for (const { key, value } of node.items) {
      if (!isMergeKey(key)) continue;
      const source = this.dereference(value as Node | null);
      for (const item of isSeq(source) ? (source.items as Node[]) : [source]) {
        const found = this.step(this.dereference(item), step);
        if (found !== undefined) return found;
      }
    }
    return undefined;
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
    return isAlias(node) ? (this.conversion?.targets.get(node) ?? null) : node;
  }
}
