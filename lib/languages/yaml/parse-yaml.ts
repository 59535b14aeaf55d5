import { Composer, Lexer, Parser, type CST, type Document, type Node, type ScalarTag } from 'yaml';
import { MAX_DEPTH, TOO_DEEP, type ParsedDocument, type TextProblem } from '../document';
import { tooDeepAt } from '../../value/yaml-depth';
import type { RepeatedKeys } from '../json/json-problems';
import { LineIndex } from '../positions';
import { isAboutUs } from '../comments/directive';
import type { Comment } from '../comments/placement';
import { changedContent } from './yaml-change';
import { commentsInYaml, yamlComments } from './yaml-comments';
import type { YamlContent } from './yaml-content';
import { YamlDocument } from './yaml-document';
import { otherLineBreaks } from './line-breaks';
import { Conversion, type Purpose } from './yaml-values';

/**
 * Parses YAML and keeps its nodes for positions. Dates stay strings, and aliases share what they name.
 * @param last what the file was before, of which is taken over what stays
 */
export function parseYamlDocument(
  text: string,
  file: string,
  isTemplate: boolean,
  repeated: RepeatedKeys = 'error',
  last?: ParsedDocument,
): ParsedDocument {
  const reader: Reader = { schema: { schema: 'core' }, purpose: { isTemplate, repeated } };
  try {
    return changed(text, file, reader, last, new LineIndex(text)) ?? parse(text, file, reader);
  } catch (error) {
    return unreadable(text, file, [unreadableBecauseOf(error)]);
  }
}

/** The same for a template that is edited: its nodes keep the tokens that they are made of, which take more memory than all else. */
export function parseYamlForEdits(text: string, file: string): ParsedDocument {
  const purpose: Purpose = { isTemplate: true, repeated: 'error' };
  try {
    return parse(text, file, { schema: { schema: 'core', keepSourceTokens: true }, purpose });
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
 * @param last what the file was before, of which is taken over what stays
 */
export function parseYamlDocuments(
  text: string,
  file: string,
  repeated: RepeatedKeys,
  firstLine: number,
  last: readonly ParsedDocument[] = [],
): readonly ParsedDocument[] {
  const lines = new LineIndex(text, firstLine);
  const reader: Reader = { schema: SCHEMA_OF_KUBERNETES, purpose: { isTemplate: false, repeated, mergesOften: true } };
  try {
    const same = last.length === 1 ? changed(text, file, reader, last[0], lines) : undefined;
    return same === undefined ? parseAll(text, file, reader, lines) : [same];
  } catch (error) {
    return [unreadable(text, file, [unreadableBecauseOf(error)], lines)];
  }
}

/** How texts of a kind are read. */
interface Reader {
  readonly schema: Pick<ComposerOptions, 'schema' | 'customTags' | 'keepSourceTokens'>;
  readonly purpose: Purpose;
}

const SCHEMA_OF_KUBERNETES: Reader['schema'] = {
  schema: 'yaml-1.1',
  customTags: (tags) => [...tags.filter((tag) => !isNoJson(tag)), DECODED],
};

/** What is written in base64 is text for the tools of Kubernetes. Source: go-yaml v2 and v3, resolve.go. */
const DECODED: ScalarTag = {
  tag: 'tag:yaml.org,2002:binary',
  resolve: (text) => Buffer.from(text, 'base64').toString(),
};

function parseAll(text: string, file: string, reader: Reader, lines: LineIndex): readonly ParsedDocument[] {
  const read = compose(text, reader.schema, lines);
  if ('problems' in read) return [unreadable(text, file, read.problems, lines)];
  return read.documents.map((document) => converted(text, file, document.contents, read, reader, lines));
}

function converted(
  text: string,
  file: string,
  contents: Node | null,
  { documents, comments: all }: Composed,
  { purpose }: Reader,
  lines: LineIndex,
): YamlDocument {
  const conversion = new Conversion(text, lines, purpose);
  const value = conversion.run(contents);
  const [, second] = documents;
  if (purpose.mergesOften !== true && second !== undefined)
    conversion.problems.push({
      offset: second.range[0],
      message: `a ${purpose.isTemplate ? 'template' : 'configuration'} is one YAML document; this second one is not read`,
    });
  if (purpose.mergesOften !== true && value === null && conversion.problems.length === 0)
    conversion.problems.push({ offset: 0, message: 'the file is empty' });
  const content: YamlContent = {
    text,
    contents,
    value,
    comments: all,
    bases: new Map(),
    isPlain: conversion.isPlain && documents.length === 1,
    mergesInPlace: purpose.mergesOften === true,
  };
  const comments = yamlComments(content, file, lines);
  return new YamlDocument(text, file, content, conversion.problems, conversion.targets, comments, lines);
}

/** What is read of a text that is another by one entry only; undefined if it is more. */
function changed(
  text: string,
  file: string,
  { schema, purpose }: Reader,
  last: ParsedDocument | undefined,
  lines: LineIndex,
): ParsedDocument | undefined {
  if (!(last instanceof YamlDocument) || last.content === undefined) return undefined;
  const content = changedContent(last.content, text, (entry) => {
    const own = new LineIndex(entry);
    const read = compose(entry, schema, own, MAX_DEPTH - LEVELS_AROUND);
    if ('problems' in read || read.documents.length !== 1) return undefined;
    const contents = read.documents[0]?.contents ?? null;
    const conversion = new Conversion(entry, own, purpose);
    return {
      text: entry,
      contents,
      value: conversion.run(contents),
      comments: commentsInYaml(read.tokens),
      bases: new Map(),
      isPlain: conversion.isPlain,
    };
  });
  return content === undefined
    ? undefined
    : new YamlDocument(text, file, content, [], undefined, yamlComments(content, file, lines), lines);
}

/** More levels than there can be around an entry that is read by itself. */
const LEVELS_AROUND = 8;

/** What YAML 1.1 has and JSON doesn't: dates and the like stay text. */
function isNoJson(tag: unknown): boolean {
  return (
    typeof tag === 'object' &&
    tag !== null &&
    'tag' in tag &&
    /:(?:timestamp|binary|omap|pairs|set|merge)$/.test(String(tag.tag))
  );
}

interface Composed {
  readonly documents: readonly Document.Parsed[];
  readonly tokens: readonly CST.Token[];
  /** Undefined if none can be about us. */
  readonly comments: readonly Comment[] | undefined;
}

/** Takes a text apart into documents, or tells what is wrong with it. */
function compose(
  text: string,
  schema: Reader['schema'],
  lines: LineIndex,
  maxDepth = MAX_DEPTH,
): Composed | { readonly problems: readonly TextProblem[] } {
  const tokens = tokensOf(text);
  const tooDeep = tooDeepAt(tokens, maxDepth);
  if (tooDeep !== undefined) return { problems: [{ offset: tooDeep, message: TOO_DEEP }] };
  const broken = otherLineBreaks(text, tokens);
  if (broken.length > 0) return { problems: broken };
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
  const comments = isAboutUs(text) ? commentsInYaml(tokens) : undefined;
  return errors.length > 0 ? { problems: errors } : { documents, tokens, comments };
}

/** What the lexer keeps of where it is. */
interface LexerState {
  indentNext: number;
  readonly flowLevel: number;
}

/** Of the text that was read last: who checks a template mostly asks next how it could be edited, and to find the tokens takes most of the time. */
let lastRead: { readonly text: string; readonly tokens: readonly CST.Token[] } | undefined;

/** Tokens take many times the memory of their text. */
const LONGEST_KEPT = 1_000_000;

function tokensOf(text: string): readonly CST.Token[] {
  if (lastRead?.text === text) return lastRead.tokens;
  const tokens = tokensIn(text);
  if (text.length <= LONGEST_KEPT) lastRead = { text, tokens };
  return tokens;
}

/**
 * The unparsed tokens. Inside of `[…]` and `{…}`, lines may be indented less than what holds the collection, which YAML forbids and the parsers of
 * CloudFormation, Kubernetes and eksctl take: while a collection is open, the lexer asks for no indentation.
 */
function tokensIn(text: string): readonly CST.Token[] {
  const lexer = new Lexer();
  const state = lexer as unknown as LexerState;
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let outside: number | undefined;
  for (const lexeme of lexer.lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (state.flowLevel > 0) {
      outside ??= state.indentNext;
      state.indentNext = 0;
    } else if (outside !== undefined) {
      state.indentNext = outside;
      outside = undefined;
    }
  }
  tokens.push(...parser.end());
  return tokens;
}

type ComposerOptions = NonNullable<ConstructorParameters<typeof Composer>[0]>;

function parse(text: string, file: string, reader: Reader): ParsedDocument {
  const lines = new LineIndex(text);
  const read = compose(text, reader.schema, lines);
  if ('problems' in read) return unreadable(text, file, read.problems);
  const [first] = read.documents;
  if (first === undefined) return unreadable(text, file, [{ offset: 0, message: 'the file is empty' }]);
  return converted(text, file, first.contents, read, reader, lines);
}

function unreadable(text: string, file: string, problems: readonly TextProblem[], lines?: LineIndex): ParsedDocument {
  return new YamlDocument(text, file, undefined, problems, undefined, undefined, lines);
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
