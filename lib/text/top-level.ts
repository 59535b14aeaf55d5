import { withoutEscapes } from './escapes';

/*
 * What stands at the top level of a text in YAML or JSON, guessed before it is parsed: a folder may hold thousands of files. A guess may only err
 * towards reading.
 */

/** A text without the mark of its byte order, and with escaped characters as they are. */
export function plainText(text: string): string {
  return withoutEscapes(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** Where the first key of YAML or the first bracket stands: behind comments, directives, the mark of a document, tags, anchors, and lines of Helm or Jinja. */
export function contentStart(text: string): number {
  const before = /\s+|#[^\n]*|%[^\n]*|\{[{%][^\n]*|---(?=\s)|[!&]\S*(?=\s*[{[\n])/y;
  let at = 0;
  while (before.test(text)) at = before.lastIndex;
  return at;
}

/** The column at which something stands in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - 1 - text.lastIndexOf('\n', offset - 1);
}

/** A plain text whose top level begins with the line, however far it is indented. */
export function topLevelOf(text: string): string {
  const plain = plainText(text);
  const indent = columnOf(plain, contentStart(plain));
  const blank = ' '.repeat(indent);
  return indent === 0 || isBracket(plain, contentStart(plain))
    ? plain
    : plain.replaceAll(`\n${blank}`, '\n').trimStart();
}

/** Whether the top level is in brackets, as that of JSON is, in the first document or in another. */
export function isInBrackets(plain: string): boolean {
  return isBracket(plain, contentStart(plain)) || /^(?:---[ \t]{1,99})?(?:\{(?![{%])|\[)/m.test(plain);
}

function isBracket(text: string, offset: number): boolean {
  return /[{[]/.test(text.charAt(offset));
}

/** Anchors and tags. */
const MARKS = String.raw`(?:[&!]\S{0,200}\s{1,200}){0,4}`;

/** Between a colon and its value: nothing, blanks, or a comment and the next line. */
const GAP = String.raw`\s{0,200}(?:#[^\n]{0,400}\n\s{0,200})?`;

/** The source of a pattern for a key up to its value, whose quote may be part of it. Values may be anchored, tagged and folded. */
export function keyPattern(key: string): string {
  return String.raw`\b${key}["']?\s{0,200}:${GAP}${MARKS}(?:[|>][-+\d]{0,3}\s{1,200})?["']?`;
}

/** What may stand before a key of the top level: it may be anchored, tagged, quoted and an explicit one (`? kind`). */
export const LINE_START = String.raw`^(?:\?[ \t]{1,200})?${MARKS}["']?`;

/** Whether keys of the top level may be those of something else in the text: merged, or named by an alias. */
export function hasBorrowedKeys(text: string): boolean {
  return /^(?:<<|\*[^\s,[\]{}]{1,200})[ \t]{0,200}:/m.test(text);
}
