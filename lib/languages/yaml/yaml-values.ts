import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Alias,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { TextProblem } from '../document';
import { duplicateKey, type RepeatedKeys } from '../json/json-problems';
import type { LineIndex } from '../positions';
import { functionOf, isMergeKey, keyText, offsetOfKey, scalarSource, setOwn, SHORT_FORMS, startOf } from './yaml-nodes';

/** A document may stand for so many values at most once all aliases are written out. */
const MAX_EXPANDED_SIZE = 2_000_000;

/** What the text is read for. */
export interface Purpose {
  readonly isTemplate: boolean;
  readonly repeated: RepeatedKeys;
  /**
   * Whether a map may merge others more than once, each where it stands, over what is written in front of it, as for kubectl and eksctl.
   * Source: go-yaml v2, decode.go (mapping, merge), which sigs.k8s.io/yaml reads with.
   */
  readonly mergesOften?: boolean;
}

/** Turns YAML nodes into plain values. */
export class Conversion {
  readonly problems: TextProblem[] = [];
  readonly targets = new Map<Alias, Node>();
  private readonly anchors = new Map<string, Node>();
  private readonly values = new Map<Node, unknown>();
  private readonly sizes = new Map<Node, number>();
  private size = 0;
  private exploded = false;
  /** Whether what a map holds depends on the order of what it merges. */
  private hasMerges = false;

  private readonly isTemplate: boolean;

  constructor(
    private readonly text: string,
    private readonly lines: LineIndex,
    private readonly purpose: Purpose,
  ) {
    this.isTemplate = purpose.isTemplate;
  }

  run(contents: Node | null): unknown {
    const root = this.convert(contents);
    return this.exploded ? undefined : root;
  }

  /** Whether nothing refers to something else in the text, and there is nothing to complain about. */
  get isPlain(): boolean {
    return this.problems.length === 0 && this.anchors.size === 0 && !this.hasMerges;
  }

  private convert(node: Node | null): unknown {
    if (node === null || this.exploded) return null;
    if (isAlias(node)) return this.alias(node);
    const anchor = 'anchor' in node ? node.anchor : undefined;
    if (anchor !== undefined) this.anchors.set(anchor, node);
    const before = this.size++;
    const value = this.withTag(node);
    if (anchor !== undefined) {
      this.values.set(node, value);
      this.sizes.set(node, this.size - before);
    }
    return value;
  }

  private alias(alias: Alias): unknown {
    const node = this.anchors.get(alias.source);
    const offset = alias.range?.[0] ?? 0;
    if (node === undefined) return this.problem(offset, `no anchor "${alias.source}" stands before this alias`);
    const size = this.sizes.get(node);
    if (size === undefined) return this.problem(offset, `the alias "${alias.source}" names a value that contains it`);
    this.targets.set(alias, node);
    this.size += size;
    if (this.size > MAX_EXPANDED_SIZE) {
      this.exploded = true;
      return this.problem(offset, `the aliases up to here stand for more than ${MAX_EXPANDED_SIZE} values`);
    }
    return this.values.get(node);
  }

  private problem(offset: number, message: string): null {
    this.problems.push({ offset, message });
    return null;
  }

  private withTag(node: Node): unknown {
    const { tag } = node;
    if (tag === undefined || tag.startsWith('tag:yaml.org,2002:') || tag === '!') return this.untagged(node);
    const name = this.isTemplate ? SHORT_FORMS.get(tag) : undefined;
    if (name === undefined) {
      this.problem(
        startOf(node, this.text),
        this.isTemplate ? `"${tag}" is no short form of an intrinsic function` : `the tag "${tag}" means nothing here`,
      );
      return this.untagged(node);
    }
    const argument = isScalar(node) ? scalarSource(node) : this.untagged(node);
    if (name === 'Fn::GetAtt' && typeof argument === 'string') return { [name]: splitAttribute(argument) };
    return { [name]: argument };
  }

  private untagged(node: Node): unknown {
    if (isMap(node)) return this.placeToFillIn(node) ?? this.map(node);
    if (isSeq(node)) return this.sequence(node);
    if (!isScalar(node)) return null;
    const { value, source } = node;
    // `1.30` is a version more often than a number: what a number can't give back stays text.
    if (typeof value === 'number' && source !== undefined && String(value) !== source) return source;
    return value;
  }

  /** `{{X}}` without quotes, which YAML takes for a map with a map as its key: a text that something fills in first. */
  private placeToFillIn(node: YAMLMap): string | undefined {
    const [pair, ...others] = node.items;
    if (this.isTemplate || node.flow !== true || pair === undefined || others.length > 0) return undefined;
    if (!isMap(pair.key) || pair.key.flow !== true || pair.value !== null || !node.range) return undefined;
    const [start, end] = node.range;
    const text = this.text.slice(start, end);
    if (!/^\{\{[^{}]+\}\}$/.test(text)) return undefined;
    this.problem(start, `${text} is to be filled in before this is read`);
    return text;
  }

  private sequence(node: YAMLSeq): unknown[] {
    return node.items.map((item) => (isPair(item) ? null : this.convert(item as Node | null)));
  }

  private map(node: YAMLMap): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    const keys = new Map<string, number>();
    const merges: Pair[] = [];
    for (const pair of node.items) {
      const offset = offsetOfKey(pair.key) ?? node.range?.[0] ?? 0;
      const key = keyText(this.keyNode(pair.key));
      if (key === undefined) {
        this.problem(offset, 'a key must be a plain string');
        continue;
      }
      const call = this.isTemplate ? functionOf(pair.key) : undefined;
      // Those of trust policies are told with the role.
      if (call !== undefined && !/:(?:aud|sub)$/i.test(key))
        this.problem(
          offset,
          `the key is built with ${call}: CloudFormation takes no functions in keys and refuses the template`,
        );
      if (isMergeKey(pair.key)) {
        const [other] = merges;
        if (other !== undefined)
          this.problems.push(
            duplicateKey(key, this.purpose.repeated, {
              offset,
              firstLine: this.lines.at(offsetOfKey(other.key) ?? 0).line,
            }),
          );
        if (this.purpose.mergesOften === true) this.mergeInPlace(result, pair, keys);
        else merges.push(pair);
        continue;
      }
      const first = keys.get(key);
      if (first === undefined) keys.set(key, offset);
      else
        this.problems.push(duplicateKey(key, this.purpose.repeated, { offset, firstLine: this.lines.at(first).line }));
      setOwn(result, key, this.convert(pair.value as Node | null));
    }
    for (const pair of merges) this.merge(result, pair);
    return result;
  }

  /** A key may be an alias of another key or text, and have an anchor. */
  private keyNode(key: unknown): unknown {
    if (isScalar(key) && key.anchor !== undefined) {
      const node = key as Node;
      this.anchors.set(key.anchor, node);
      this.values.set(node, this.untagged(node));
      this.sizes.set(node, 1);
    }
    const target = isAlias(key) ? this.anchors.get(key.source) : undefined;
    if (target === undefined) return key;
    this.targets.set(key as Alias, target);
    return target;
  }

  private merge(result: Record<string, unknown>, pair: Pair): void {
    for (const source of this.mergedBy(pair))
      for (const [key, inherited] of Object.entries(source))
        if (!Object.hasOwn(result, key)) setOwn(result, key, inherited);
  }

  /** @param written where the keys stand that are written in front of it */
  private mergeInPlace(result: Record<string, unknown>, pair: Pair, written: ReadonlyMap<string, number>): void {
    this.hasMerges = true;
    // What the merge takes the place of, by key.
    const before = new Map<string, unknown>();
    // Of several in a list, earlier ones win.
    for (const source of this.mergedBy(pair).toReversed())
      for (const [key, inherited] of Object.entries(source)) {
        if (written.has(key) && !before.has(key)) before.set(key, result[key]);
        setOwn(result, key, inherited);
      }
    if (this.purpose.repeated !== 'last for kubectl') return;
    for (const [key, value] of before)
      if (result[key] !== value)
        this.problems.push({
          offset: offsetOfKey(pair.key) ?? 0,
          message: `"${key}" of line ${this.lines.at(written.get(key) ?? 0).line} is overridden by what this "<<" merges: kubectl merges where "<<" stands; write it in front of "${key}"`,
          isDoubt: true,
        });
  }

  private mergedBy(pair: Pair): readonly object[] {
    const value = this.convert(pair.value as Node | null);
    return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((source) => {
      if (typeof source === 'object' && source !== null && !Array.isArray(source)) return [source];
      this.problem(isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0, 'a merge key ("<<") needs a map');
      return [];
    });
  }
}

function splitAttribute(text: string): string[] {
  const dot = text.indexOf('.');
  return dot < 0 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
}
