import {
  Composer,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Parser,
  type Alias,
  type CST,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import {
  MAX_DEPTH,
  toDiagnostics,
  TOO_DEEP,
  type DocumentPath,
  type ParsedDocument,
  type TextProblem,
} from '../document';
import type { FileComments } from '../comments/ignores';
import { yamlComments } from './yaml-comments';
import { duplicateKey, type RepeatedKeys } from '../json/json-problems';
import { LineIndex, type Position } from '../positions';
import { offsetInScalar } from './yaml-scalar';

/** Short forms of CloudFormation's intrinsic functions, by tag. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['!Ref', 'Ref'],
  ['!Condition', 'Condition'],
  ...[
    'And',
    'Base64',
    'Cidr',
    'Equals',
    'FindInMap',
    'GetAtt',
    'GetAZs',
    'If',
    'ImportValue',
    'Join',
    'Length',
    'Not',
    'Or',
    'Select',
    'Split',
    'Sub',
    'ToJsonString',
    'Transform',
    'Contains',
    'EachMemberEquals',
    'EachMemberIn',
    'RefAll',
    'ValueOf',
    'ValueOfAll',
    'GetStackOutput',
  ].map((name): [string, string] => [`!${name}`, `Fn::${name}`]),
]);

/** A document may stand for so many values at most once all aliases are written out. */
const MAX_EXPANDED_SIZE = 2_000_000;

/** Parses YAML and keeps its nodes for positions. Dates stay strings, and aliases share what they name. */
export function parseYamlDocument(
  text: string,
  file: string,
  isTemplate: boolean,
  repeated: RepeatedKeys = 'error',
): ParsedDocument {
  try {
    return parse(text, file, { isTemplate, repeated });
  } catch (error) {
    return unreadable(text, file, [unreadableBecauseOf(error)]);
  }
}

/** The parser's own recursion, or a defect of it: the text is unreadable either way. */
function unreadableBecauseOf(error: unknown): TextProblem {
  const message =
    error instanceof RangeError
      ? 'nested too deeply to be read'
      : `not readable as YAML (${error instanceof Error ? error.message : String(error)})`;
  return { offset: 0, message };
}

/**
 * Parses all documents of a YAML text as the tools of Kubernetes do, which take the words of YAML 1.1 for booleans (`yes`, `off`, `n`). A text with
 * a mistake anywhere is one document that could not be read.
 */
export function parseYamlDocuments(
  text: string,
  file: string,
  repeated: RepeatedKeys,
  firstLine: number,
): readonly ParsedDocument[] {
  const lines = new LineIndex(text, firstLine);
  try {
    return parseAll(text, file, repeated, lines);
  } catch (error) {
    return [unreadable(text, file, [unreadableBecauseOf(error)], lines)];
  }
}

function parseAll(text: string, file: string, repeated: RepeatedKeys, lines: LineIndex): readonly ParsedDocument[] {
  const read = compose(text, { schema: 'yaml-1.1', customTags: (tags) => tags.filter((tag) => !isNoJson(tag)) }, lines);
  if ('problems' in read) return [unreadable(text, file, read.problems, lines)];
  const { documents, tokens } = read;
  return documents.map((document) => {
    const conversion = new Conversion(text, lines, { isTemplate: false, repeated, mergesOften: true });
    const root = conversion.run(document);
    return new YamlDocument(
      text,
      file,
      document,
      conversion,
      conversion.problems,
      root ?? undefined,
      yamlComments(text, file, tokens, document.contents, lines),
      lines,
    );
  });
}

/** What YAML 1.1 has and JSON doesn't: dates and the like stay text. */
function isNoJson(tag: unknown): boolean {
  return (
    typeof tag === 'object' &&
    tag !== null &&
    'tag' in tag &&
    /:(?:timestamp|binary|omap|pairs|set|merge)$/.test(String(tag.tag))
  );
}

/** What the text is read for. */
interface Purpose {
  readonly isTemplate: boolean;
  readonly repeated: RepeatedKeys;
  /** Whether a map may merge others more than once, as for the tools of Kubernetes. Source: go-yaml v2, decode.go (mapping). */
  readonly mergesOften?: boolean;
}

interface Composed {
  readonly documents: readonly Document.Parsed[];
  readonly tokens: readonly CST.Token[];
}

/** Takes a text apart into documents, or tells what is wrong with it. */
function compose(
  text: string,
  schema: Pick<ComposerOptions, 'schema' | 'customTags'>,
  lines: LineIndex,
): Composed | { readonly problems: readonly TextProblem[] } {
  const tokens = [...new Parser().parse(text)];
  const tooDeep = offsetOfTooDeep(tokens);
  if (tooDeep !== undefined) return { problems: [{ offset: tooDeep, message: TOO_DEEP }] };
  const composer = new Composer({
    version: '1.2',
    ...schema,
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents = [...composer.compose(tokens, true, text.length)];
  if (documents.length === 0) return { problems: [{ offset: 0, message: 'the file is empty' }] };
  const errors = onePerLine(documents.flatMap(syntaxErrors), lines);
  return errors.length > 0 ? { problems: errors } : { documents, tokens };
}

type ComposerOptions = NonNullable<ConstructorParameters<typeof Composer>[0]>;

function parse(text: string, file: string, purpose: Purpose): ParsedDocument {
  const { isTemplate } = purpose;
  const lines = new LineIndex(text);
  const read = compose(text, { schema: 'core' }, lines);
  if ('problems' in read) return unreadable(text, file, read.problems);
  const { documents, tokens } = read;
  const [first, second] = documents;
  if (first === undefined) return unreadable(text, file, [{ offset: 0, message: 'the file is empty' }]);
  const conversion = new Conversion(text, lines, purpose);
  const root = conversion.run(first);
  if (second !== undefined) {
    conversion.problems.push({
      offset: second.range[0],
      message: `a ${isTemplate ? 'template' : 'configuration'} is one YAML document; this second one is not read`,
    });
  }
  if (root === null && conversion.problems.length === 0)
    conversion.problems.push({ offset: 0, message: 'the file is empty' });
  return new YamlDocument(
    text,
    file,
    first,
    conversion,
    conversion.problems,
    root ?? undefined,
    yamlComments(text, file, tokens, first.contents, lines),
  );
}

function unreadable(text: string, file: string, problems: readonly TextProblem[], lines?: LineIndex): ParsedDocument {
  return new YamlDocument(text, file, undefined, undefined, problems, undefined, undefined, lines);
}

function syntaxErrors(document: Document.Parsed): TextProblem[] {
  return document.errors.map((error) => ({
    offset: error.pos[0],
    message: error.message.charAt(0).toLowerCase() + error.message.slice(1),
  }));
}

/** One mistake often makes the parser stumble several times on a line. */
function onePerLine(problems: readonly TextProblem[], lines: LineIndex): TextProblem[] {
  const seen = new Set<number>();
  return problems.filter(({ offset }) => {
    const { line } = lines.at(offset);
    if (seen.has(line)) return false;
    seen.add(line);
    return true;
  });
}

/** Looks through the unparsed tokens without recursion; the composer recurses and must not meet what is too deep. */
function offsetOfTooDeep(tokens: readonly CST.Token[]): number | undefined {
  let level: CST.Token[] = [...tokens];
  for (let depth = 0; level.length > 0; depth++) {
    // Documents, sequences and maps: each level of YAML is one level of tokens.
    const [first] = level;
    if (depth > MAX_DEPTH && first !== undefined) return 'offset' in first ? first.offset : 0;
    const next: CST.Token[] = [];
    for (const token of level) {
      if (token.type === 'document') {
        if (token.value !== undefined) next.push(token.value);
      } else if ('items' in token) {
        for (const item of token.items) {
          if (item.key !== undefined && item.key !== null) next.push(item.key);
          if (item.value !== undefined) next.push(item.value);
        }
      }
    }
    level = next;
  }
  return undefined;
}

/** Turns YAML nodes into plain values. */
class Conversion {
  readonly problems: TextProblem[] = [];
  readonly targets = new Map<Alias, Node>();
  private readonly anchors = new Map<string, Node>();
  private readonly values = new Map<Node, unknown>();
  private readonly sizes = new Map<Node, number>();
  private size = 0;
  private exploded = false;

  private readonly isTemplate: boolean;

  constructor(
    private readonly text: string,
    private readonly lines: LineIndex,
    private readonly purpose: Purpose,
  ) {
    this.isTemplate = purpose.isTemplate;
  }

  run(document: Document.Parsed): unknown {
    const root = this.convert(document.contents);
    return this.exploded ? undefined : root;
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
    if (isMap(node)) return this.map(node);
    if (isSeq(node)) return this.sequence(node);
    if (!isScalar(node)) return null;
    const { value, source } = node;
    // `1.30` is a version more often than a number: what a number can't give back stays text.
    if (typeof value === 'number' && source !== undefined && String(value) !== source) return source;
    return value;
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
        if (other !== undefined && this.purpose.mergesOften !== true)
          this.problems.push(
            duplicateKey(key, this.purpose.repeated, {
              offset,
              firstLine: this.lines.at(offsetOfKey(other.key) ?? 0).line,
            }),
          );
        merges.push(pair);
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
    const value = this.convert(pair.value as Node | null);
    for (const source of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) {
        this.problem(isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0, 'a merge key ("<<") needs a map');
        continue;
      }
      for (const [key, inherited] of Object.entries(source)) {
        if (!Object.hasOwn(result, key)) setOwn(result, key, inherited);
      }
    }
  }
}

function offsetOfKey(key: unknown): number | undefined {
  return isScalar(key) || isAlias(key) ? (key.range?.[0] ?? undefined) : undefined;
}

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

function scalarSource(node: Scalar): string {
  return node.source ?? String(node.value);
}

function splitAttribute(text: string): string[] {
  const dot = text.indexOf('.');
  return dot < 0 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
}

/** Where a node starts, its tag and anchor included. */
function startOf(node: Node | null, text: string): number {
  const offset = node?.range?.[0] ?? 0;
  // eslint-disable-next-line regexp/no-super-linear-move -- of 200 characters at most
  const properties = /(?:[!&]\S*[ \t]+)+$/.exec(text.slice(Math.max(0, offset - 200), offset));
  return offset - (properties?.[0].length ?? 0);
}

/** A key as text, with the function in front if it is one (`!Sub ${X}:sub`); `undefined` for a key that is itself a collection. */
function keyText(key: unknown): string | undefined {
  if (key === null) return '';
  if (!isScalar(key)) return undefined;
  const text = typeof key.value === 'string' ? key.value : scalarSource(key);
  const call = functionOf(key);
  return call === undefined ? text : `${call} ${text}`;
}

/** The short form of an intrinsic function that a key has as its tag. */
function functionOf(key: unknown): string | undefined {
  const tag = isScalar(key) ? key.tag : undefined;
  return tag !== undefined && SHORT_FORMS.has(tag) ? tag : undefined;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}

class YamlDocument implements ParsedDocument {
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
