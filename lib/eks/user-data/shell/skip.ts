/**
 * Finds the ends of `$(…)`, `$((…))`, `${…}`, backticks and array values. What is in them isn't read; but quotes, nested
 * substitutions, comments and here-documents decide where they end. Nothing here is recursive: scripts may nest deeply.
 */

/** `arithmetic` is `((…))`, in which `<<` and `#` are operators. */
type Mode = 'paren' | 'arithmetic' | 'brace' | 'double' | 'backtick';

/** Offset behind the end of a construct of which `start` is the first character inside; the end of the text if it never ends. */
export function skipNested(text: string, start: number, outermost: Mode): number {
  const modes: Mode[] = [outermost === 'paren' ? parenthesis(text, start) : outermost];
  let at = start;
  while (at < text.length) {
    const mode = modes[modes.length - 1];
    if (mode === undefined) return at;
    const character = text[at];
    const next = text[at + 1];
    if (character === '\\') at += 2;
    else if (character === CLOSERS[mode]) {
      modes.pop();
      at++;
    } else if (character === '$' && (next === '(' || next === '{')) {
      modes.push(next === '(' ? parenthesis(text, at + 2) : 'brace');
      at += 2;
    } else if (character === '`') {
      modes.push('backtick');
      at++;
    } else if (character === '"') {
      modes.push('double');
      at++;
    } else if (character === "'" && mode !== 'double') at = afterSingleQuotes(text, at, text[at - 1] === '$');
    else if ((mode === 'paren' || mode === 'arithmetic') && character === '(') {
      modes.push(mode);
      at++;
    } else if (mode === 'paren' && character === '#' && /[\s;(]/.test(text[at - 1] ?? ' ')) at = endOfLine(text, at);
    else if (mode === 'paren' && character === '<' && next === '<') at = afterHereDocument(text, at);
    else at++;
  }
  return text.length;
}

/** What a parenthesis opens of which `start` is the first character inside. */
function parenthesis(text: string, start: number): Mode {
  return text[start] === '(' ? 'arithmetic' : 'paren';
}

const CLOSERS: Readonly<Record<Mode, string>> = { paren: ')', arithmetic: ')', brace: '}', double: '"', backtick: '`' };

/** Offset behind a `'…'` (or `$'…'`, in which a backslash escapes) that begins at `start`. */
export function afterSingleQuotes(text: string, start: number, escapes: boolean): number {
  let at = start + 1;
  if (escapes) {
    while (at < text.length && text[at] !== "'") at += text[at] === '\\' ? 2 : 1;
    return Math.min(text.length, at + 1);
  }
  const end = text.indexOf("'", at);
  return end < 0 ? text.length : end + 1;
}

/** Offset of the line feed that ends the line, or of the end of the text. */
export function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

const HERE_DOCUMENT = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([\w.-]+))/y;

/** Behind a here-document inside of a substitution; only behind `<<` if it is none. */
function afterHereDocument(text: string, start: number): number {
  HERE_DOCUMENT.lastIndex = start;
  const match = HERE_DOCUMENT.exec(text);
  if (match === null || text[start + 2] === '<') return start + (text[start + 2] === '<' ? 3 : 2);
  const delimiter = match[2] ?? match[3] ?? match[4] ?? '';
  return hereDocument(text, endOfLine(text, start) + 1, delimiter, match[1] === '-').next;
}

/** Where the text of a here-document ends that begins at `start`, and where the script goes on. */
export function hereDocument(
  text: string,
  start: number,
  delimiter: string,
  stripsTabs: boolean,
): { readonly end: number; readonly next: number; readonly closed: boolean } {
  let line = start;
  while (line < text.length) {
    const end = endOfLine(text, line);
    let shown = text.slice(line, Math.min(end, line + delimiter.length + 64)).replace(/\r$/, '');
    if (stripsTabs) shown = shown.replace(/^\t+/, '');
    if (shown === delimiter) return { end: line, next: Math.min(text.length, end + 1), closed: true };
    line = end + 1;
  }
  return { end: text.length, next: text.length, closed: false };
}
