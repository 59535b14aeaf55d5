import type { Unknown } from '../../../value';
import type { SourceText } from '../source-text';

/**
 * The unknown part that may be to blame for a syntax error: one that stands outside of quotes and comments, in the line of
 * the error or in the last one before it that isn't blank. Inside of quotes a part stays one value, whatever it holds.
 */
export function unknownBehind(text: SourceText, offset: number): Unknown | undefined {
  const { start, end } = linesAround(text.text, offset);
  const parts = text.unknownParts.filter((part) => part.start < end && part.end > start);
  if (parts.length === 0) return undefined;
  const quoted = quotedStretches(text.text, end);
  let next = 0;
  return parts.find((part) => {
    while ((quoted[next]?.end ?? Infinity) <= part.start) next++;
    return !((quoted[next]?.start ?? Infinity) < part.start);
  })?.unknown;
}

function linesAround(text: string, offset: number): { start: number; end: number } {
  const newline = text.indexOf('\n', offset);
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  let before = lineStart;
  while (before > 0 && /\s/.test(text.charAt(before - 1))) before--;
  return { start: before === 0 ? 0 : text.lastIndexOf('\n', before - 1) + 1, end: newline < 0 ? text.length : newline };
}

/** Strings and comments, as far as they reach before `end`. */
function quotedStretches(text: string, end: number): { start: number; end: number }[] {
  const stretches: { start: number; end: number }[] = [];
  let at = 0;
  while (at < end) {
    const char = text.charAt(at);
    if (char !== '"' && char !== "'" && char !== '#') {
      at++;
      continue;
    }
    const start = at;
    const triple = char !== '#' && text.startsWith(char.repeat(3), at);
    at = char === '#' ? lineEnd(text, at) : closing(text, at + (triple ? 3 : 1), triple ? char.repeat(3) : char);
    stretches.push({ start, end: at });
  }
  return stretches;
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline;
}

/** Behind the mark that closes a string; a string of one line ends with it at the latest. */
function closing(text: string, from: number, mark: string): number {
  let at = from;
  while (at < text.length) {
    if (text.startsWith(mark, at)) return at + mark.length;
    if (mark.length === 1 && text.charAt(at) === '\n') return at;
    at += mark.startsWith('"') && text.charAt(at) === '\\' ? 2 : 1;
  }
  return text.length;
}

/** What to write instead of a line that isn't TOML, judged by how it looks. */
export function faultFix(text: SourceText, offset: number): string {
  const start = text.text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.text.slice(start, lineEnd(text.text, offset)).trim();
  const equals = line.indexOf('=');
  const key = line.slice(0, Math.max(0, equals)).trim();
  const value = line.slice(equals + 1).trim();
  if (equals < 0 && /^[\w.-]+\s*:/.test(line)) return 'Write `key = value`; `key: value` is YAML.';
  if (equals > 0 && /^[^"'\s/:@*]*[/:@*][^"'\s]*$/.test(key))
    return `Quote the key: everything but letters, digits, "_" and "-" needs quotes.`;
  if (equals > 0 && /^(?:yes|no|on|off|True|False|TRUE|FALSE)$/.test(value)) return 'Write true or false.';
  if (equals > 0 && /^[A-Za-z./:][^"'[\]{}]*$/.test(value) && value !== 'true' && value !== 'false')
    return 'Put the value in quotes.';
  return 'Correct the line.';
}
