import { Fn, Token, type IResolvable, type IResolveContext } from 'cdktf';
import { TokenTools } from '../engine-neutral/tokens';
import { isToken } from './tokens';

/** Text that Terraform would evaluate, unless the sign is doubled. */
const INTERPOLATION = /(?<![$%])[$%]\{/;

/**
 * Tokens in JSON: CDKTF's, and what the user has written as `${…}`. Numbers become text by `tostring`, because a text that is nothing but a
 * number of Terraform is a number in JSON.
 */
export const jsonTokens = new TokenTools({
  isToken: (value) => isToken(value) || (typeof value === 'string' && INTERPOLATION.test(value)),
  tokenText: (token) => (typeof token === 'number' ? Token.asString(Fn.tostring(token)) : Token.asString(token)),
});

/**
 * JSON of a value for a resource's argument. What is decided at deployment is written by Terraform's `jsonencode`, which quotes it as JSON
 * needs it; the argument is plain text where nothing is. (`Fn.jsonencode` loses the quotes and backslashes of texts, and tokens in keys.)
 */
export function jsonText(value: unknown): string {
  return textOf(value, (resolved) => `\${jsonencode(${expression(resolved, ENCODED)})}`);
}

/** The same for documents of IAM: in place, as texts that need no quoting, such as ARNs, so that the document can be read without Terraform. */
export function documentText(value: object): string {
  return textOf(value, (resolved) => expression(resolved, PLAIN));
}

function textOf(value: unknown, write: (resolved: unknown) => string): string {
  return hasToken(value) ? Token.asString(new JsonExpression(value, write)) : JSON.stringify(value);
}

function hasToken(value: unknown): boolean {
  if (jsonTokens.isToken(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasToken);
  return Object.entries(value).some(
    ([key, item]: [string, unknown]) => item !== undefined && (jsonTokens.isToken(key) || hasToken(item)),
  );
}

/** A token, because CDKTF leaves out the `${}` of tokens between braces that others have written. */
class JsonExpression implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(
    private readonly value: unknown,
    private readonly write: (resolved: unknown) => string,
  ) {}

  resolve(context: IResolveContext): string {
    const resolved: unknown = context.resolve(this.value);
    return hasToken(resolved) ? this.write(resolved) : JSON.stringify(resolved);
  }

  toString(): string {
    return Token.asString(this);
  }
}

/** What stands between entries, and between a key and its value. */
interface Notation {
  readonly comma: string;
  readonly colon: string;
}

const ENCODED: Notation = { comma: ', ', colon: ' = ' };
const PLAIN: Notation = { comma: ',', colon: ':' };

/** A value in Terraform's own syntax, or as JSON. In the former a text that is one interpolation alone keeps the type of what it stands for. */
function expression(value: unknown, notation: Notation): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => expression(item, notation)).join(notation.comma)}]`;
  const entries = Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
    item === undefined ? [] : [`${quoted(key)}${notation.colon}${expression(item, notation)}`],
  );
  return `{${entries.join(notation.comma)}}`;
}

/** A quoted text of Terraform; interpolations stay as they are. */
export function quoted(text: string): string {
  let rest = text;
  let written = '';
  for (let start = rest.search(INTERPOLATION); start >= 0; start = rest.search(INTERPOLATION)) {
    const end = interpolationEnd(rest, start + 2);
    written += escaped(rest.slice(0, start)) + rest.slice(start, end);
    rest = rest.slice(end);
  }
  return `"${written}${escaped(rest)}"`;
}

/** The expression of a text that is one interpolation alone. */
export function soleExpression(text: string): string | undefined {
  return text.startsWith('${') && interpolationEnd(text, 2) === text.length && text.endsWith('}')
    ? text.slice(2, -1)
    : undefined;
}

/** The offset behind the brace that closes an interpolation. */
function interpolationEnd(text: string, start: number): number {
  let depth = 1;
  let inText = false;
  for (let index = start; index < text.length; index++) {
    const char = text[index];
    if (inText && char === '\\') index++;
    else if (char === '"') inText = !inText;
    else if (!inText && char === '{') depth++;
    else if (!inText && char === '}' && --depth === 0) return index + 1;
  }
  return text.length;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string): string {
  return text.replaceAll(
    /["\\\p{Cc}]/gu,
    (char) => ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
