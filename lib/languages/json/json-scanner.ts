/** Where a member of an object (or an item of an array) and its value start; for items both are the same. */
export interface MemberOffset {
  readonly key: number;
  readonly value: number;
  /** Behind the value. */
  readonly end: number;
}

/** Offset of the first character at or after `offset` that isn't white space. */
export function skipBlank(text: string, offset: number): number {
  let i = offset;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return i;
}

/** Offset behind the string that starts at `offset`. The search for quotes is native, and so are most of its steps. */
export function skipString(text: string, offset: number): number {
  let end = text.indexOf('"', offset + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

/** Whether an odd number of backslashes stands before an offset. */
function isEscaped(text: string, offset: number): boolean {
  let first = offset;
  while (text.charCodeAt(first - 1) === 0x5c) first--;
  return (offset - first) % 2 === 1;
}

/** Offset behind the value that starts at `offset`, in valid JSON. */
export function skipValue(text: string, offset: number): number {
  let depth = 0;
  let i = offset;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = skipString(text, i);
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      i++;
      continue;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
      i++;
    } else if (depth === 0) {
      while (i < text.length && !/[\s,\]}]/.test(text.charAt(i))) i++;
    } else {
      i++;
      continue;
    }
    if (depth === 0) return i;
  }
  return i;
}

/**
 * Members of the object or array at `offset`, in valid JSON. Of equal keys the last one counts, as for JSON.parse.
 * @param only stop looking for values of other keys; the map then holds this member alone
 */
export function memberOffsets(text: string, offset: number, only?: string): ReadonlyMap<string, MemberOffset> {
  const members = new Map<string, MemberOffset>();
  const open = text[offset];
  if (open !== '{' && open !== '[') return members;
  let i = skipBlank(text, offset + 1);
  for (let index = 0; i < text.length && text[i] !== '}' && text[i] !== ']'; index++) {
    const key = i;
    let name = String(index);
    if (open === '{') {
      const end = skipString(text, i);
      name = stringAt(text, i, end);
      i = skipBlank(text, skipBlank(text, end) + 1);
    }
    const end = skipValue(text, i);
    if (only === undefined || only === name) members.set(name, { key, value: i, end });
    i = skipBlank(text, end);
    if (text[i] === ',') i = skipBlank(text, i + 1);
  }
  return members;
}

/** The string between two offsets that include its quotes. */
export function stringAt(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    // Places are asked for in broken texts too.
    return raw;
  }
}

/**
 * Where a character of a string stands in its escaped form.
 * @param start offset behind the opening quote
 * @param offset index of the character in the string's value
 */
export function escapedOffset(text: string, start: number, offset: number): number {
  let i = start;
  for (let left = offset; left > 0 && text[i] !== '"' && i < text.length; left--) {
    if (text[i] !== '\\') i++;
    else i += text[i + 1] === 'u' ? 6 : 2;
  }
  return i;
}
