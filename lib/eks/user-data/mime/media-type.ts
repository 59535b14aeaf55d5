/** A media type with parameters, such as `multipart/mixed; boundary="B"`. */
export interface MediaType {
  /** In lower case. */
  readonly mediaType: string;
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Reads a Content-Type as Go does (`mime.ParseMediaType`), which nodeadm uses; `error` is Go's message.
 * Source: golang/go: src/mime/mediatype.go.
 */
export function parseMediaType(value: string): MediaType | { readonly error: string } {
  const semicolon = value.indexOf(';');
  const mediaType = (semicolon < 0 ? value : value.slice(0, semicolon)).trim().toLowerCase();
  const error = mediaTypeError(mediaType);
  if (error !== undefined) return { error };
  const parameters = new Map<string, string>();
  let rest = semicolon < 0 ? '' : value.slice(semicolon).trimStart();
  while (rest !== '') {
    const parameter = takeParameter(rest);
    if (parameter === undefined)
      return rest.trim() === ';' ? { mediaType, parameters } : { error: 'mime: invalid media parameter' };
    const known = parameters.get(parameter.name);
    if (known !== undefined && known !== parameter.value) return { error: 'mime: duplicate parameter name' };
    parameters.set(parameter.name, parameter.value);
    rest = parameter.rest.trimStart();
  }
  return { mediaType, parameters };
}

function mediaTypeError(mediaType: string): string | undefined {
  const type = tokenLength(mediaType, 0);
  if (type === 0) return 'mime: no media type';
  if (type === mediaType.length) return undefined;
  if (mediaType[type] !== '/') return 'mime: expected slash after first token';
  const subtype = tokenLength(mediaType, type + 1);
  if (subtype === 0) return 'mime: expected token after slash';
  return type + 1 + subtype === mediaType.length ? undefined : 'mime: unexpected content after media subtype';
}

/** One `; name=value`; undefined if there is none. */
function takeParameter(
  text: string,
): { readonly name: string; readonly value: string; readonly rest: string } | undefined {
  if (!text.startsWith(';')) return undefined;
  const inner = text.slice(1).trimStart();
  const length = tokenLength(inner, 0);
  const behind = inner.slice(length).trimStart();
  if (length === 0 || !behind.startsWith('=')) return undefined;
  const value = takeValue(behind.slice(1).trimStart());
  return value === undefined ? undefined : { name: inner.slice(0, length).toLowerCase(), ...value };
}

function takeValue(text: string): { readonly value: string; readonly rest: string } | undefined {
  if (!text.startsWith('"')) {
    const length = tokenLength(text, 0);
    return length === 0 ? undefined : { value: text.slice(0, length), rest: text.slice(length) };
  }
  let value = '';
  for (let i = 1; i < text.length; i++) {
    const character = text[i] ?? '';
    const escaped = text[i + 1];
    if (character === '"') return { value, rest: text.slice(i + 1) };
    if (character === '\\' && escaped !== undefined && SPECIAL.includes(escaped)) {
      value += escaped;
      i++;
    } else if (character === '\r' || character === '\n') {
      return undefined;
    } else {
      value += character;
    }
  }
  return undefined;
}

const SPECIAL = '()<>@,;:\\"/[]?=';

function tokenLength(text: string, start: number): number {
  let end = start;
  while (end < text.length && isTokenCharacter(text, end)) end++;
  return end - start;
}

function isTokenCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x20 && code < 0x7f && !SPECIAL.includes(text[at] ?? '');
}

/**
 * A parameter of a header as Python's `email` reads it, which cloud-init uses: it needs no quotes.
 * Source: python/cpython: Lib/email/message.py.
 */
export function looseParameter(value: string, name: string): string | undefined {
  for (const item of splitAtSemicolons(value).slice(1)) {
    const equals = item.indexOf('=');
    const key = (equals < 0 ? item : item.slice(0, equals)).trim().toLowerCase();
    if (key === name) return equals < 0 ? '' : unquoted(item.slice(equals + 1).trim());
  }
  return undefined;
}

/** The media type as Python's `email` reads it: text/plain for whatever isn't one. */
export function looseMediaType(value: string | undefined): string {
  const type = (value?.split(';', 1)[0] ?? '').trim().toLowerCase();
  return type.split('/').length === 2 ? type : 'text/plain';
}

function splitAtSemicolons(value: string): readonly string[] {
  const items: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i <= value.length; i++) {
    const character = value[i];
    if (character === '"' && value[i - 1] !== '\\') quoted = !quoted;
    if (character === undefined || (character === ';' && !quoted)) {
      items.push(value.slice(start, i));
      start = i + 1;
    }
  }
  return items;
}

function unquoted(value: string): string {
  if (value.length > 1 && value.startsWith('"') && value.endsWith('"'))
    return value.slice(1, -1).replace(/\\\\/g, '\\').replace(/\\"/g, '"');
  if (value.length > 1 && value.startsWith('<') && value.endsWith('>')) return value.slice(1, -1);
  return value;
}
