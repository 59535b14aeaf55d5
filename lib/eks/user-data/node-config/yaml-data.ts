import type { Pair, Scalar } from 'yaml';
import { yaml } from '../../../text/lazy-parsers';
import { isDataMap, Unknown, type Data, type DataMap } from '../../../value';
import type { SourceText } from '../source-text';

/** Thrown for content that nodeadm's reader refuses although its syntax is right. */
export class ContentError extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

/** Thrown for content that can't be judged. */
export class TooComplex extends Error {}

/** Deeper nesting than any configuration has; the stack must hold it. */
const DEEPEST = 200;
/** go-yaml refuses "excessive aliasing" too. */
const MOST_VALUES_THROUGH_ALIASES = 400_000;

/** Offsets of the first character and behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An entry of a map, or an item of a list, which has no key. */
export interface EntrySpan {
  readonly key: Span | undefined;
  readonly value: Span | undefined;
}

interface Converted {
  readonly data: Data;
  /** How many values it has, repeated ones counted each time. */
  readonly size: number;
}

/** Makes plain data of YAML nodes and remembers where each value stands. Values that overlap an unknown part of the text are unknown. */
export class YamlData {
  /** Offsets of the entries of each list and map. */
  private readonly offsets = new Map<object, ReadonlyMap<string, number>>();
  /** The same for what stands there in whole, but for what `<<` brings along. */
  private readonly spans = new Map<object, ReadonlyMap<string, EntrySpan>>();
  /** Anchors so far; undefined while the anchored value is being read. */
  private readonly anchors = new Map<string, Converted | undefined>();

  constructor(private readonly body: SourceText) {}

  /** @throws ContentError, TooComplex */
  convert(node: unknown): Data {
    return this.node(node, 0).data;
  }

  /** Offset of the key (or the list item) at the end of a way through `data`; undefined if there is none. */
  offsetOf(data: Data, keys: readonly string[]): number | undefined {
    let current: Data | undefined = data;
    let offset: number | undefined;
    for (const key of keys) {
      if (typeof current !== 'object' || current === null) return undefined;
      offset = this.offsets.get(current)?.get(key);
      if (offset === undefined) return undefined;
      current = entryOf(current, key);
    }
    return offset;
  }

  /** Where the entry at the end of a way is written; undefined if there is none, or it comes from elsewhere. */
  spanOf(data: Data, keys: readonly string[]): EntrySpan | undefined {
    let current: Data | undefined = data;
    let span: EntrySpan | undefined;
    for (const key of keys) {
      if (typeof current !== 'object' || current === null) return undefined;
      span = this.spans.get(current)?.get(key);
      if (span === undefined) return undefined;
      current = entryOf(current, key);
    }
    return span;
  }

  private node(node: unknown, depth: number): Converted {
    if (depth > DEEPEST) throw new TooComplex('it is nested too deeply');
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (isAlias(node)) return this.alias(node.source, node.range?.[0] ?? 0);
    const anchor = isScalar(node) || isSeq(node) || isMap(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.anchors.set(anchor, undefined);
    const converted = this.content(node, depth);
    if (anchor !== undefined) this.anchors.set(anchor, converted);
    return converted;
  }

  private content(node: unknown, depth: number): Converted {
    const { isMap, isScalar, isSeq } = yaml();
    if (isMap(node)) return this.map(node.items, depth);
    if (isSeq(node)) return this.list(node.items, depth);
    return { data: isScalar(node) ? this.scalar(node) : null, size: 1 };
  }

  private alias(name: string, offset: number): Converted {
    const target = this.anchors.get(name);
    if (target === undefined)
      throw new ContentError(
        offset,
        this.anchors.has(name) ? `the value of anchor "${name}" contains itself` : `there is no anchor "${name}"`,
      );
    return target;
  }

  private scalar(node: Scalar): Data {
    const [start, end] = node.range ?? [0, 0, 0];
    const unknown = this.body.isKnown ? undefined : this.body.unknownIn(start, end);
    if (unknown !== undefined) {
      const quotes = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
      if (unknown.start === start + quotes && unknown.end === end - quotes) return unknown.unknown;
      return new Unknown(
        unknown.unknown.reason,
        this.body.sourceAt(start),
        this.body.show(start + quotes, end - quotes),
      );
    }
    const { value } = node;
    // The package takes a lone dot for a number; go-yaml doesn't.
    if (Number.isNaN(value) && !/^\.nan$/i.test(node.source ?? '')) return node.source ?? '';
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return value;
    return node.source ?? '';
  }

  private list(items: readonly unknown[], depth: number): Converted {
    const data: Data[] = [];
    const offsets = new Map<string, number>();
    const spans = new Map<string, EntrySpan>();
    let size = 1;
    for (const [index, item] of items.entries()) {
      const converted = this.node(item, depth + 1);
      data.push(converted.data);
      offsets.set(String(index), startOf(item));
      spans.set(String(index), { key: undefined, value: this.writtenSpan(item) });
      size = this.grown(size, converted);
    }
    this.offsets.set(data, offsets);
    this.spans.set(data, spans);
    return { data, size };
  }

  private map(items: readonly Pair[], depth: number): Converted {
    const entries = new Map<string, Data>();
    const offsets = new Map<string, number>();
    const spans = new Map<string, EntrySpan>();
    const merged: { readonly data: Data; readonly offset: number }[] = [];
    let unknownKey: Unknown | undefined;
    let size = 1;
    for (const { key, value } of items) {
      const name = this.key(key);
      const converted = this.node(value, depth + 1);
      size = this.grown(size, converted);
      if (name instanceof Unknown) unknownKey ??= name;
      else if (name === MERGE) merged.push({ data: converted.data, offset: startOf(key) });
      else {
        entries.set(name, converted.data);
        offsets.set(name, startOf(key));
        spans.set(name, { key: this.writtenSpan(key), value: this.writtenSpan(value) });
      }
    }
    for (const { data, offset } of merged) unknownKey ??= this.merge(data, offset, entries, offsets);
    // Any field may be the one whose name isn't known.
    if (unknownKey !== undefined) return { data: unknownKey, size: 1 };
    const data: DataMap = Object.fromEntries(entries);
    this.offsets.set(data, offsets);
    this.spans.set(data, spans);
    return { data, size };
  }

  /** What `<<` brings along: it never overrides what stands in the map itself. */
  private merge(
    data: Data,
    offset: number,
    entries: Map<string, Data>,
    offsets: Map<string, number>,
  ): Unknown | undefined {
    if (data instanceof Unknown) return data;
    if (Array.isArray(data)) {
      const unknown = data.map((item: Data) => this.merge(Array.isArray(item) ? null : item, offset, entries, offsets));
      return unknown.find((item) => item !== undefined);
    }
    if (!isDataMap(data)) throw new ContentError(offset, 'only maps can be merged with "<<"');
    for (const [name, value] of Object.entries(data)) {
      if (entries.has(name)) continue;
      entries.set(name, value);
      offsets.set(name, this.offsets.get(data)?.get(name) ?? 0);
    }
    return undefined;
  }

  private key(node: unknown): string | Unknown | typeof MERGE {
    const { isAlias, isScalar } = yaml();
    const data = isScalar(node) || isAlias(node) ? this.node(node, 0).data : undefined;
    if (
      isScalar(node) &&
      (typeof node.value === 'symbol' || (node.value === '<<' && node.type === 'PLAIN')) &&
      !(data instanceof Unknown)
    )
      return MERGE;
    if (data instanceof Unknown) return data;
    if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean') return String(data);
    throw new ContentError(startOf(node), "a key that is no text can't be turned into JSON");
  }

  private writtenSpan(node: unknown): Span | undefined {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (!isScalar(node) && !isAlias(node) && !isMap(node) && !isSeq(node)) return undefined;
    const [start, end] = node.range ?? [0, 0];
    return { start, end: start + this.body.text.slice(start, end).trimEnd().length };
  }

  private grown(size: number, { size: added }: Converted): number {
    if (size + added > MOST_VALUES_THROUGH_ALIASES && size + added > this.body.text.length)
      throw new TooComplex('its aliases multiply');
    return size + added;
  }
}

const MERGE = Symbol('merge key');

function startOf(node: unknown): number {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  return isScalar(node) || isAlias(node) || isMap(node) || isSeq(node) ? (node.range?.[0] ?? 0) : 0;
}

/** The entry of a list or map by key or index. */
export function entryOf(data: Data | undefined, key: string): Data | undefined {
  if (Array.isArray(data)) return /^(?:0|[1-9]\d*)$/.test(key) ? (data as readonly Data[])[Number(key)] : undefined;
  return isDataMap(data) && Object.hasOwn(data, key) ? data[key] : undefined;
}
