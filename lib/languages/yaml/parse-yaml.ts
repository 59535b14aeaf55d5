import { Composer, Lexer, Parser, type CST, type Document } from 'yaml';
import { MAX_DEPTH, TOO_DEEP, type ParsedDocument, type TextProblem } from '../document';
import { tooDeepAt } from '../../value/yaml-depth';
import type { RepeatedKeys } from '../json/json-problems';
import { LineIndex } from '../positions';
import { yamlComments } from './yaml-comments';
import { YamlDocument } from './yaml-document';
import { Conversion, type Purpose } from './yaml-values';

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
  const tokens = tokensOf(text);
  const tooDeep = tooDeepAt(tokens, MAX_DEPTH);
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

/** What the lexer keeps of where it is. */
interface LexerState {
  indentNext: number;
  readonly flowLevel: number;
}

/**
 * The unparsed tokens. Inside of `[…]` and `{…}`, lines may be indented less than what holds the collection, which YAML forbids and the parsers of
 * CloudFormation, Kubernetes and eksctl take: while a collection is open, the lexer asks for no indentation.
 */
function tokensOf(text: string): readonly CST.Token[] {
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
