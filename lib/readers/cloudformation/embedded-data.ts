import { parseDocument as parseYamlText } from 'yaml';
import { Known, Unknown, type Data, type DataMap, type Plain, type Source, type Value } from '../../model';
import { compose, ComposedText, placeholder, type TextPart } from './unknown-values';
import { Cursor } from './cursor';
import type { Evaluator } from './evaluator';
import { DecodedText, ItemList, type Item } from './item';

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
  if (text.kind === 'unknown' && !(text instanceof ComposedText)) return { kind: 'unknown', unknown: text };
  const pieces: readonly TextPart[] = text.kind === 'known' ? [text] : text.pieces;
  const tokens: Unknown[] = [];
  const isJson = /^\s*[{[]/.test(pieces[0]?.kind === 'known' ? pieces[0].value : '');
  const source = withPlaceholders(pieces, tokens, isJson);
  const parsed = isJson ? parseJson(source) : undefined;
  const outcome = parsed?.ok === true ? parsed : parseYaml(source, parsed?.reason);
  if (outcome.ok) return { kind: 'parsed', data: restore(outcome.value, tokens, text.source) };
  if (text.kind === 'unknown') return { kind: 'unknown', unknown: text };
  return { kind: 'malformed', reason: outcome.reason };
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

function parseJson(text: string): Outcome {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'not valid JSON' };
  }
}

/** Small texts only: a string of a template is at most some hundred kilobytes. */
function parseYaml(text: string, jsonReason: string | undefined): Outcome {
  try {
    const document = parseYamlText(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: true });
    const [error] = document.errors;
    if (error !== undefined) return { ok: false, reason: jsonReason ?? error.message };
    const value = document.toJS({ maxAliasCount: 100 }) as unknown;
    return { ok: true, value: value ?? {} };
  } catch (error) {
    return { ok: false, reason: jsonReason ?? (error instanceof Error ? error.message : 'not readable') };
  }
}

function restore(value: unknown, tokens: readonly Unknown[], source: Source): Data {
  if (typeof value === 'string') return restoreText(value, tokens, source);
  if (Array.isArray(value)) return value.map((item) => restore(item, tokens, source));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [tokens.length === 0 ? key : keyText(key, tokens), restore(item, tokens, source)]));
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'bigint' ? Number(value) : null;
}

function keyText(key: string, tokens: readonly Unknown[]): string {
  return key.replaceAll(TOKEN, (_, index: string) => placeholderOf(tokens[Number(index)]));
}

function placeholderOf(unknown: Unknown | undefined): string {
  return unknown === undefined ? '' : placeholder(unknown);
}

function restoreText(text: string, tokens: readonly Unknown[], source: Source): string | Unknown {
  if (tokens.length === 0) return text;
  const parts: Plain<string>[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    parts.push(new Known(text.slice(end, match.index), source));
    const token = tokens[Number(match[1])];
    if (token !== undefined) parts.push(token);
    end = match.index + match[0].length;
  }
  if (end === 0) return text;
  parts.push(new Known(text.slice(end), source));
  const composed = compose(parts, source);
  return composed.kind === 'unknown' ? composed : text;
}

/** A structure of the template as data; what depends on conditions is unknown in it. */
export function dataOf(evaluator: Evaluator, cursor: Cursor): Data {
  return itemData(evaluator, evaluator.evaluate(cursor), cursor);
}

export function itemData(evaluator: Evaluator, value: Value<Item>, source: Source): Data {
  switch (value.kind) {
    case 'choice':
      return new Unknown('it depends on conditions', source);
    case 'unknown':
      return value;
    case 'absent':
      return null;
    case 'known':
      break;
  }
  const item = value.value;
  if (item instanceof DecodedText) {
    const encoded = item.encoded();
    return encoded.kind === 'known' ? encoded.value : encoded;
  }
  if (item instanceof ItemList) return item.items.map((one) => itemData(evaluator, one, source));
  if (!(item instanceof Cursor)) return item;
  if (item.isData) return item.raw as Data;
  const { raw } = item;
  if (Array.isArray(raw)) {
    return raw.map((_, index) => evaluator.evaluate(item.child(index))).flatMap((one) => (one.kind === 'absent' ? [] : [itemData(evaluator, one, source)]));
  }
  const result: Record<string, Data> = {};
  for (const key of Object.keys(raw as object)) {
    const entry = evaluator.evaluate(item.child(key));
    if (entry.kind !== 'absent' && key !== '__proto__') result[key] = itemData(evaluator, entry, item.child(key));
  }
  return result satisfies DataMap;
}

/** Data as JSON text, with unknown leaves as unknown pieces. */
export function toText(data: Data, source: Source): Plain<string> {
  const parts: Plain<string>[] = [];
  const literal = (text: string) => parts.push(new Known(text, source));
  const write = (value: Data): void => {
    if (value instanceof ComposedText) {
      literal('"');
      for (const piece of value.pieces) {
        if (piece.kind === 'known') literal(JSON.stringify(piece.value).slice(1, -1));
        else parts.push(piece);
      }
      literal('"');
    } else if (value instanceof Unknown) {
      literal('"');
      parts.push(value);
      literal('"');
    } else if (Array.isArray(value)) {
      literal('[');
      (value as readonly Data[]).forEach((item, index) => {
        if (index > 0) literal(',');
        write(item);
      });
      literal(']');
    } else if (typeof value === 'object' && value !== null) {
      literal('{');
      Object.entries(value).forEach(([key, item], index) => {
        literal(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`);
        write(item);
      });
      literal('}');
    } else literal(JSON.stringify(value));
  };
  write(data);
  return compose(parts, source);
}
