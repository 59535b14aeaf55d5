/** What is needed of a YAML scalar to find its characters in the text. */
interface ScalarText {
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly value: unknown;
}

/**
 * Where a character of a scalar's value stands in the scalar as written: behind indentation, folds and quotes.
 * @param raw the scalar as written, from its indicator or quote on
 * @param offset index of the character in the value
 */
export function offsetInScalar(raw: string, scalar: ScalarText, offset: number): number {
  const value = scalar.source ?? String(scalar.value);
  if (scalar.type === 'BLOCK_LITERAL') return offsetInLiteral(raw, value, offset);
  if (scalar.type === 'BLOCK_FOLDED') return offsetOfVisible(raw, bodyStart(raw), visibleBefore(value, offset));
  if (scalar.type === 'QUOTE_DOUBLE') return offsetInDoubleQuotes(raw, offset);
  const isQuoted = scalar.type === 'QUOTE_SINGLE';
  return offsetOfVisible(raw, isQuoted ? 1 : 0, visibleBefore(value, offset), isQuoted);
}

/** Offset behind the line of a block scalar's indicator. */
function bodyStart(raw: string): number {
  return raw.indexOf('\n') + 1;
}

/** A literal keeps its lines; what is missing in front of each is the indentation. */
function offsetInLiteral(raw: string, value: string, offset: number): number {
  const before = value.slice(0, offset);
  const line = before.split('\n').length - 1;
  const column = offset - (before.lastIndexOf('\n') + 1);
  let start = bodyStart(raw);
  for (let i = 0; i < line; i++) {
    const next = raw.indexOf('\n', start);
    if (next < 0) return start;
    start = next + 1;
  }
  return start + indentation(raw, value) + column;
}

function indentation(raw: string, value: string): number {
  const written = raw.slice(bodyStart(raw)).split('\n');
  const index = value.split('\n').findIndex((line) => line.trim() !== '');
  return index < 0
    ? 0
    : Math.max(0, (written[index] ?? '').replace(/\r$/, '').length - (value.split('\n')[index] ?? '').length);
}

function visibleBefore(value: string, offset: number): number {
  return value.slice(0, offset).replace(/\s+/g, '').length;
}

/** Folds change white space only: the other characters of a value stand in the text in the same order. */
function offsetOfVisible(raw: string, start: number, count: number, doublesQuotes = false): number {
  let left = count;
  let i = start;
  for (; i < raw.length; i++) {
    if (/\s/.test(raw[i] ?? '')) continue;
    if (left === 0) break;
    left--;
    if (doublesQuotes && raw[i] === "'") i++;
  }
  return Math.min(i, raw.length);
}

/** Lengths of the escapes that are longer than two characters. */
const ESCAPES: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

function offsetInDoubleQuotes(raw: string, offset: number): number {
  let i = 1;
  for (let left = offset; i < raw.length; ) {
    const fold = /^[ \t]*(?:\r?\n[ \t]*)+/.exec(raw.slice(i, i + FOLD_WINDOW))?.[0];
    const continued = raw[i] === '\\' ? /^\\\r?\n[ \t]*/.exec(raw.slice(i, i + FOLD_WINDOW))?.[0] : undefined;
    if (continued !== undefined) {
      i += continued.length;
      continue;
    }
    if (left <= 0) break;
    if (fold !== undefined) {
      // One line break is a space; of several, all but the first are kept.
      left -= Math.max(1, fold.split('\n').length - 2);
      i += fold.length;
      continue;
    }
    i += raw[i] === '\\' ? (ESCAPES[raw[i + 1] ?? ''] ?? 2) : 1;
    left--;
  }
  return i;
}

/** Indentation and empty lines longer than this are nobody's. */
const FOLD_WINDOW = 4096;
