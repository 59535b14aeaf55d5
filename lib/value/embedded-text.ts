import { parseDocument as parseYamlText } from 'yaml';
import { isNestedDeeper } from './yaml-depth';
import {
  beyondLimit,
  entriesOf,
  isDataMap,
  Known,
  LIMITS,
  parseWithin,
  TOO_MUCH_DATA,
  Unknown,
  type Data,
  type Plain,
  type Source,
} from '.';
import { compose, ComposedText, JoinedText, placeholder, UnorderedText, type TextPart } from './composed-text';
import { isLookupPlaceholder, lookupPlaceholder } from './lookup-placeholder';

/** Data read out of a text; `unknown` if the parts that aren't known decide whether it can be read. */
export type EmbeddedText =
  | { readonly kind: 'parsed'; readonly data: Data }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly unknown: Unknown };

// Private-use characters: they need no escape in JSON or YAML, and nobody writes them.
const OPEN = '\uE0E0';
const CLOSE = '\uE0E1';
const TOKEN = /\uE0E0(\d+)\uE0E1/g;

/**
 * Parses JSON or YAML that stands in a string. Unknown parts get placeholders first, so that only the leaves
 * that hold one become unknown.
 */
export function parseEmbedded(text: Known<string> | Unknown): EmbeddedText {
  if (text instanceof UnorderedText) return parseEmbedded(text.ordered);
  if (text.kind === 'unknown' && !(text instanceof ComposedText)) return { kind: 'unknown', unknown: text };
  const pieces: readonly TextPart[] = text.kind === 'known' ? [text] : text.pieces;
  const tokens: Unknown[] = [];
  const isJson = /^\s*[{[]/.test(pieces[0]?.kind === 'known' ? pieces[0].value : '');
  const source = withPlaceholders(pieces, tokens, isJson);
  try {
    const outcome = parseText(source, isJson);
    if (outcome.ok)
      return { kind: 'parsed', data: new Restoration(tokens, text.source, source.length).restore(outcome.value) };
    return text.kind === 'unknown' ? { kind: 'unknown', unknown: text } : { kind: 'malformed', reason: outcome.reason };
  } catch (error) {
    if (error instanceof Circle) return { kind: 'malformed', reason: error.message };
    if (error instanceof TooComplex) return { kind: 'unknown', unknown: beyondLimit(error.message, text.source) };
    throw error;
  }
}

/** Symbol of what stands for a known value that is written as a reference. */
const WRITTEN = 'written as a reference';

/** The references that values of JSON are written as, by the paths of those values: `env.X`. */
export function expressionsIn(text: Known<string> | Unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (text instanceof UnorderedText) return expressionsIn(text.ordered);
  if (!(text instanceof JoinedText || text instanceof ComposedText)) return found;
  const pieces = (text.pieces as readonly TextPart[]).map((piece) =>
    piece.kind === 'known' && piece.source.expression !== undefined
      ? new Unknown('', text.source, piece.source.expression, WRITTEN)
      : piece,
  );
  const parsed = parseEmbedded(new ComposedText(pieces, text.source));
  if (parsed.kind === 'parsed') collectWritten(parsed.data, '', found);
  return found;
}

function collectWritten(data: Data, path: string, found: Map<string, string>): void {
  if (data instanceof Unknown) {
    if (data.symbol === WRITTEN && data.text !== undefined) found.set(path, data.text);
  } else if (Array.isArray(data)) {
    for (const [index, item] of (data as readonly Data[]).entries()) collectWritten(item, `${path}[${index}]`, found);
  } else if (isDataMap(data)) {
    for (const [key, item] of entriesOf(data)) collectWritten(item, path === '' ? key : `${path}.${key}`, found);
  }
}

/** Thrown for a value that contains itself, which no reader of YAML makes JSON of. */
class Circle extends Error {
  override readonly message = 'an alias stands within the value that it names';
}

/** Thrown for data that nobody writes by hand, nor any program. */
class TooComplex extends Error {}

function tooDeep(): TooComplex {
  return new TooComplex(`its data is nested more than ${LIMITS.depth} levels deep`);
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

function withPlaceholders(pieces: readonly TextPart[], tokens: Unknown[], isJson: boolean): string {
  let result = '';
  let inString = false;
  for (const piece of pieces) {
    if (piece.kind === 'known') {
      if (isJson) inString = endsInString(piece.value, inString);
      result += piece.value;
      continue;
    }
    const token = `${OPEN}${tokens.length}${CLOSE}`;
    tokens.push(piece);
    // A token outside of quotes stands for a number, a boolean or a whole block.
    result += isJson && !inString ? `"${token}"` : token;
  }
  return result;
}

function endsInString(text: string, startsInString: boolean): boolean {
  let inString = startsInString;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') inString = !inString;
    else if (character === '\\' && inString) i++;
  }
  return inString;
}

function parseText(text: string, isJson: boolean): Outcome {
  const json = isJson ? parseWithin(text, 'json', parseJson) : undefined;
  if (json?.data.ok === true) return json.data;
  const yaml = parseWithin(text, 'yaml', parseYaml);
  if (yaml === undefined) throw new TooComplex(TOO_MUCH_DATA);
  return yaml.data.ok || json?.data.ok !== false ? yaml.data : json.data;
}

function parseJson(text: string): Outcome {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'not valid JSON' };
  }
}

/** Small texts only: a string of a template is at most some hundred kilobytes. */
function parseYaml(text: string): Outcome {
  if (isNestedDeeper(text, LIMITS.depth)) throw tooDeep();
  try {
    const document = parseYamlText(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: true });
    const [error] = document.errors;
    if (error?.code === 'RESOURCE_EXHAUSTION') throw tooDeep();
    if (error !== undefined) return { ok: false, reason: error.message };
    // Aliases share what they name, so that any number of them takes no room; what they stand for is counted below.
    const value = document.toJS({ maxAliasCount: -1 }) as unknown;
    return { ok: true, value: value ?? {} };
  } catch (error) {
    // What aliases and merged keys nest overflows the stack of the yaml package, which is a RangeError.
    if (error instanceof RangeError || error instanceof TooComplex) throw tooDeep();
    return { ok: false, reason: error instanceof Error ? error.message : 'not readable' };
  }
}

/** Makes data of what was parsed, with the values that aren't known in place of their placeholders. */
class Restoration {
  private readonly open = new Set<object>();
  private left: number;

  constructor(
    private readonly tokens: readonly Unknown[],
    private readonly source: Source,
    length: number,
  ) {
    this.left = Math.max(LIMITS.values, length);
  }

  /** @throws Circle, TooComplex */
  restore(value: unknown): Data {
    if (--this.left < 0) throw new TooComplex(`its aliases stand for more than ${LIMITS.values} values`);
    if (typeof value === 'string') return restoreText(value, this.tokens, this.source);
    if (typeof value === 'object' && value !== null) return this.collection(value);
    return typeof value === 'number' || typeof value === 'boolean' ? value : null;
  }

  private collection(value: object): Data {
    if (this.open.has(value)) throw new Circle();
    if (this.open.size >= LIMITS.depth) throw tooDeep();
    this.open.add(value);
    const data = Array.isArray(value)
      ? value.map((item) => this.restore(item))
      : Object.fromEntries(Object.entries(value).map(([key, item]) => [keyText(key, this.tokens), this.restore(item)]));
    this.open.delete(value);
    return data;
  }
}

/** Keys that aren't known show so. */
function keyText(key: string, tokens: readonly Unknown[]): string {
  if (isLookupPlaceholder(key)) return `\${${key}}`;
  return tokens.length === 0 ? key : key.replaceAll(TOKEN, (_, index: string) => placeholderOf(tokens[Number(index)]));
}

function placeholderOf(unknown: Unknown | undefined): string {
  return unknown === undefined ? '' : placeholder(unknown);
}

function restoreText(text: string, tokens: readonly Unknown[], source: Source): string | Unknown {
  if (tokens.length === 0) return lookupPlaceholder(text, source) ?? text;
  const parts: Plain<string>[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    parts.push(new Known(text.slice(end, match.index), source));
    const token = tokens[Number(match[1])];
    if (token !== undefined) parts.push(token);
    end = match.index + match[0].length;
  }
  if (end === 0) return lookupPlaceholder(text, source) ?? text;
  parts.push(new Known(text.slice(end), source));
  const composed = compose(parts, source);
  return composed.kind === 'unknown' ? composed : text;
}
