/**
 * Where a character of a text stands in the text as it is written: behind quotes, escapes, the first line of a heredoc and its
 * indentation. The end of what could be followed, if what is written doesn't read as the text.
 * @param raw as it is written
 * @param offset index of the character in the value
 */
export function offsetInWritten(raw: string, value: string, offset: number): number {
  const starts = [0];
  if (raw.startsWith('"')) starts.unshift(1);
  if (raw.startsWith('<<')) starts.unshift(raw.indexOf('\n') + 1);
  for (const start of starts) {
    for (const hasEscapes of [true, false]) {
      const found = follow(raw, start, value, offset, hasEscapes);
      if (found !== undefined) return found;
    }
  }
  return 0;
}

/** Goes through both texts side by side to the end of the value; undefined if they differ. */
function follow(raw: string, start: number, value: string, offset: number, hasEscapes: boolean): number | undefined {
  let at = start;
  let found: number | undefined;
  for (let i = 0; i < value.length; ) {
    const written = raw.charAt(at);
    const escape = hasEscapes && written === '\\' ? escapeAt(raw, at) : undefined;
    const characters = escape?.text ?? written;
    if (written === '' || !value.startsWith(characters, i)) {
      // Indentation that was taken away, blanks that a `~` ate, and the first half of `$${`.
      if (!/[\s$%]/.test(written)) return undefined;
      at++;
      continue;
    }
    if (offset >= i && offset < i + characters.length) found = at;
    // `$${` is `${`: the first of the two is the one to skip.
    if (/^(?:\$\$\{|%%\{)/.test(raw.slice(at, at + 3)) && value.charAt(i + 1) === '{') at++;
    at += escape?.length ?? 1;
    i += characters.length;
  }
  return found ?? at;
}

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

function escapeAt(raw: string, at: number): { readonly text: string; readonly length: number } | undefined {
  const selector = raw.charAt(at + 1);
  const simple = SIMPLE[selector];
  if (simple !== undefined) return { text: simple, length: 2 };
  const digits = selector === 'u' ? 4 : selector === 'U' ? 8 : 0;
  const code = parseInt(raw.slice(at + 2, at + 2 + digits), 16);
  return digits > 0 && code <= 0x10ffff ? { text: String.fromCodePoint(code), length: 2 + digits } : undefined;
}
