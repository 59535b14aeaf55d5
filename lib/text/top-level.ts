import { withoutEscapes } from './escapes';

/*
 * What stands at the top level of a text in YAML or JSON, guessed before it is parsed: a folder may hold thousands of files. A guess may only err
 * towards reading.
 */

/** A text without marks of its byte order, which each document may have, with one kind of line breaks, and with escaped characters as they are. */
export function plainText(text: string): string {
  const unmarked = text.includes('\uFEFF') ? text.replaceAll('\uFEFF', '') : text;
  return withoutEscapes(unmarked.replaceAll(OTHER_BREAK, '\n'));
}

const OTHER_BREAK = /\r(?!\n)|[\u0085\u2028\u2029]/g;

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

/** A plain text of which the top level of each document begins with the line, however far it is indented, and the values of its head follow their keys. */
export function topLevelOf(text: string): string {
  const plain = withNearValues(plainText(text));
  if (!/^---/m.test(plain)) return dedented(plain);
  return plain
    .split(/^(?=---(?:\s|$))/m)
    .map(dedented)
    .join('\n');
}

function dedented(document: string): string {
  const start = contentStart(document);
  const indent = columnOf(document, start);
  return indent === 0 || isBracket(document, start)
    ? document
    : document.replaceAll(`\n${' '.repeat(indent)}`, '\n').trimStart();
}

/** Keys of an object's head. */
const HEAD = /\b(apiVersion|kind|name)(["']?)\s*:/g;

/** A plain text in which what patterns for a head look for stands next to its key: between them may be blanks, comments, anchors, tags and the sign of a block, as many as one likes. */
export function withNearValues(plain: string): string {
  const between = /[ \t\r]+|\n(?=[\s#])|(?<=\s)#[^\n]*|[&!]\S*(?=\s|$)|[|>][-+\d]*(?=\s|$)/y;
  let [near, done] = ['', 0];
  for (const { 0: head, 1: key = '', 2: quote = '', index } of plain.matchAll(HEAD)) {
    if (index < done) continue;
    near += `${plain.slice(done, index)}${key}${quote}: `;
    done = index + head.length;
    between.lastIndex = done;
    while (between.test(plain)) done = between.lastIndex;
  }
  return near + plain.slice(done);
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

/** Whether keys of the top level may be those of something else in the text, merged or named by an alias, or explicit ones (`? kind`), or if what is written is encoded. */
export function hasBorrowedKeys(text: string): boolean {
  return (
    /^(?:<<|\*[^\s,[\]{}]{1,200})[ \t]{0,200}:/m.test(text) ||
    /(?:^|[{,])[ \t]{0,200}\?\s/m.test(text) ||
    ENCODED.test(text)
  );
}

/** What is written in base64. */
export const ENCODED = /!!binary\b|!<tag:yaml\.org,2002:binary>|^%TAG\b/m;
