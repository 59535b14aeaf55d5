import type { AST } from 'toml-eslint-parser';
import { toml } from '../../../text/lazy-parsers';
import { Unknown, type Data } from '../../../value';
import type { SourceText, UnknownPart } from '../source-text';

/**
 * TOML as a tree that knows where everything stands and what of it is unknown. The parser gives syntax and ranges; what
 * dotted keys and headers amount to is worked out here, because unknown keys have to be kept apart from known ones.
 */

interface Placed {
  readonly start: number;
  readonly end: number;
}

export interface TomlTable extends Placed {
  readonly kind: 'table';
  readonly entries: Map<string, TomlEntry>;
  /** An unknown part in one of the keys: which keys the table has isn't known then. */
  unknownKey?: Unknown;
}

interface TomlArray extends Placed {
  readonly kind: 'array';
  readonly items: TomlNode[];
}

interface TomlValue extends Placed {
  readonly kind: 'value';
  readonly type: 'string' | 'integer' | 'float' | 'boolean' | 'date';
  readonly value: string | number | boolean;
}

interface TomlUnknown extends Placed {
  readonly kind: 'unknown';
  readonly unknown: Unknown;
  /** Whether it stands in quotes; else nobody knows what type it will be. */
  readonly quoted: boolean;
}

export type TomlNode = TomlTable | TomlArray | TomlValue | TomlUnknown;

export interface TomlEntry {
  /** Where the key stands that first names it. */
  readonly offset: number;
  /** Whether all of the key is known. */
  readonly known: boolean;
  node: TomlNode;
}

/** A key with all its steps, as written, and the table that it counts from. */
interface WrittenKey {
  readonly role: 'header' | 'key';
  /** The steps of the bracketed header above; empty for a header and before the first one. */
  readonly under: readonly string[];
  readonly steps: readonly { readonly name: string; readonly raw: string; readonly quoted: boolean }[];
  readonly offset: number;
}

/** A value as the parser gives it. Not by the parser's own types: their declarations need those of a linter, which users of ours don't have. */
type WrittenValue =
  | {
      readonly type: 'TOMLValue';
      readonly kind: string;
      readonly style?: string;
      readonly range: readonly [number, number];
    }
  | WrittenArray
  | { readonly type: 'TOMLInlineTable'; readonly range: readonly [number, number] };

export interface WrittenArray {
  readonly type: 'TOMLArray';
  readonly elements: readonly WrittenValue[];
  readonly range: readonly [number, number];
}

export interface TomlDocument {
  readonly root: TomlTable;
  /** All keys, headers included, in order. */
  readonly keys: readonly WrittenKey[];
  readonly values: readonly WrittenValue[];
}

export interface TomlFault {
  readonly offset: number;
  readonly message: string;
  /** A key or table that is defined twice, rather than bad syntax. */
  readonly duplicate: boolean;
  /** TOML 1.1 allows it; what Bottlerocket reads is TOML 1.0. */
  readonly newer: boolean;
}

/** At least one of the two. */
export type TomlResult =
  | { readonly document: TomlDocument; readonly fault?: TomlFault }
  | { readonly document?: undefined; readonly fault: TomlFault };

const DUPLICATE = /multiple times/;

/** Parses TOML 1.0; what only TOML 1.1 allows is read and reported too. */
export function parseToml(text: SourceText): TomlResult {
  const first = parse(text, '1.0');
  if ('document' in first) return first;
  const fault = { ...first, duplicate: DUPLICATE.test(first.message), newer: false };
  const second = fault.duplicate ? first : parse(text, '1.1');
  return 'document' in second ? { ...second, fault: { ...fault, newer: true } } : { fault };
}

function parse(
  text: SourceText,
  tomlVersion: '1.0' | '1.1',
): { document: TomlDocument } | { offset: number; message: string } {
  const { ParseError, parseTOML } = toml();
  try {
    // Bottlerocket's reader passes over a byte order mark, this parser doesn't.
    return { document: new Builder(text).document(parseTOML(text.text.replace(/^\ufeff/, ' '), { tomlVersion })) };
  } catch (error) {
    if (error instanceof ParseError) return { offset: Math.min(error.index, text.text.length), message: error.message };
    // Either of the two: the parser recurses, and thousands of nested brackets exhaust its stack.
    return { offset: error instanceof TooDeep ? error.offset : 0, message: 'Nested too deeply' };
  }
}

/** More than any setting needs; the reader that Bottlerocket uses stops at 80. */
const MAX_DEPTH = 100;

class TooDeep extends Error {
  constructor(readonly offset: number) {
    super();
  }
}

class Builder {
  private readonly keys: WrittenKey[] = [];
  private readonly values: AST.TOMLContentNode[] = [];
  private readonly parts: UnknownParts;

  constructor(private readonly text: SourceText) {
    this.parts = new UnknownParts(text);
  }

  document(ast: AST.TOMLProgram): TomlDocument {
    const root = newTable(0, this.text.text.length);
    for (const statement of ast.body[0].body) {
      if (statement.type === 'TOMLKeyValue') {
        this.put(root, statement, [], 0);
        continue;
      }
      this.note(statement.key, 'header', []);
      const table = this.open(root, statement);
      const under = statement.key.keys.map((key) => this.nameOf(key).name);
      for (const pair of statement.body) this.put(table, pair, under, under.length);
    }
    return { root, keys: this.keys, values: this.values };
  }

  private open(root: TomlTable, statement: AST.TOMLTable): TomlTable {
    const { keys } = statement.key;
    const last = keys.at(-1);
    let table = root;
    for (const key of keys) {
      if (key === last && statement.kind === 'array') {
        const entry = this.entry(table, key, () => ({
          kind: 'array',
          items: [],
          start: statement.range[0],
          end: statement.range[1],
        }));
        const item = newTable(...statement.range);
        if (entry.node.kind === 'array') entry.node.items.push(item);
        return item;
      }
      table = this.step(table, key);
    }
    return table;
  }

  private put(table: TomlTable, pair: AST.TOMLKeyValue, under: readonly string[], depth: number): void {
    this.note(pair.key, 'key', under);
    const { keys } = pair.key;
    const last = keys.at(-1);
    let current = table;
    for (const key of keys) {
      if (key === last) this.entry(current, key, () => this.node(pair.value, depth + keys.length));
      else current = this.step(current, key);
    }
  }

  private step(table: TomlTable, key: AST.TOMLBare | AST.TOMLQuoted): TomlTable {
    const { node } = this.entry(table, key, () => newTable(...key.range));
    const target = node.kind === 'array' ? node.items.at(-1) : node;
    // The parser refuses a key below a value; a table of its own keeps the tree sound whatever it lets through.
    return target?.kind === 'table' ? target : newTable(...key.range);
  }

  private entry(table: TomlTable, key: AST.TOMLBare | AST.TOMLQuoted, make: () => TomlNode): TomlEntry {
    const { name, unknown } = this.nameOf(key);
    if (unknown !== undefined) table.unknownKey ??= unknown;
    const found = table.entries.get(name);
    if (found !== undefined) return found;
    const entry: TomlEntry = { offset: key.range[0], known: unknown === undefined, node: make() };
    table.entries.set(name, entry);
    return entry;
  }

  private node(content: AST.TOMLContentNode, depth: number): TomlNode {
    this.values.push(content);
    const [start, end] = content.range;
    if (depth > MAX_DEPTH) throw new TooDeep(start);
    switch (content.type) {
      case 'TOMLArray':
        return { kind: 'array', items: content.elements.map((element) => this.node(element, depth + 1)), start, end };
      case 'TOMLInlineTable': {
        const table = newTable(start, end);
        for (const pair of content.body) this.put(table, pair, [], depth + 1);
        return table;
      }
      case 'TOMLValue': {
        const unknown = this.parts.valueOf(start, end, content.kind === 'string' ? (content.multiline ? 3 : 1) : 0);
        if (unknown !== undefined) return { kind: 'unknown', unknown, quoted: content.kind === 'string', start, end };
        switch (content.kind) {
          case 'string':
            return { kind: 'value', type: 'string', value: content.value, start, end };
          case 'integer':
          case 'float':
            return { kind: 'value', type: content.kind, value: content.value, start, end };
          case 'boolean':
            return { kind: 'value', type: 'boolean', value: content.value, start, end };
          case 'offset-date-time':
          case 'local-date-time':
          case 'local-date':
          case 'local-time':
            return { kind: 'value', type: 'date', value: content.datetime, start, end };
        }
      }
    }
  }

  private note(key: AST.TOMLKey, role: WrittenKey['role'], under: readonly string[]): void {
    if (key.keys.length > MAX_DEPTH) throw new TooDeep(key.range[0]);
    const steps = key.keys.map((step) => ({
      name: this.nameOf(step).name,
      raw: this.text.text.slice(...step.range),
      quoted: step.type === 'TOMLQuoted',
    }));
    this.keys.push({ role, under, steps, offset: key.range[0] });
  }

  private nameOf(key: AST.TOMLBare | AST.TOMLQuoted): { name: string; unknown?: Unknown } {
    const unknown = this.parts.valueOf(...key.range, key.type === 'TOMLQuoted' ? 1 : 0);
    if (unknown === undefined) return { name: key.type === 'TOMLBare' ? key.name : key.value };
    return { name: unknown.text ?? '${?}', unknown };
  }
}

function newTable(start: number, end: number): TomlTable {
  return { kind: 'table', entries: new Map(), start, end };
}

/** The unknown parts of a text, found without going through all of them each time. */
class UnknownParts {
  constructor(private readonly text: SourceText) {}

  /** What a stretch is, if some of it is unknown. @param quotes how many quotation marks stand at each end of it */
  valueOf(start: number, end: number, quotes: number): Unknown | undefined {
    const parts = this.text.unknownParts;
    let low = 0;
    let high = parts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((parts[middle]?.end ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    const first = parts[low];
    if (first === undefined || first.start >= end) return undefined;
    const [from, to] = [start + quotes, end - quotes];
    if (first.start === from && first.end === to) return first.unknown;
    return new Unknown(first.unknown.reason, this.text.sourceAt(start), this.show(low, from, to));
  }

  private show(index: number, start: number, end: number): string {
    let shown = '';
    let from = start;
    for (let i = index; ; i++) {
      const part: UnknownPart | undefined = this.text.unknownParts[i];
      if (part === undefined || part.start >= end) return shown + this.text.text.slice(from, end);
      shown += this.text.text.slice(from, Math.max(from, part.start)) + (part.unknown.text ?? '${?}');
      from = part.end;
    }
  }
}

/** Plain data of a node. */
export function toData(node: TomlNode): Data {
  switch (node.kind) {
    case 'value':
      return node.value;
    case 'unknown':
      return node.unknown;
    case 'array':
      return node.items.map(toData);
    case 'table':
      return Object.fromEntries(Array.from(node.entries, ([key, entry]) => [key, toData(entry.node)]));
  }
}
