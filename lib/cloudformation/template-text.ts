import { withoutEscapes } from '../text/escapes';

/*
 * Whether a text that nobody named is a template, before it is parsed: a folder may hold thousands of other files in JSON and YAML.
 */

/**
 * False only if the text can't have a key `Resources` at its top level. Keys may be escaped (`"Reso\u0075rces"`), anchored, or written as `? Resources`.
 */
export function mayBeTemplate(text: string): boolean {
  return hasKey(plainText(text));
}

/** Whether a key `Resources` seems to stand at the top level. Of such a text it is told why it can't be parsed. */
export function looksLikeTemplate(text: string): boolean {
  const plain = plainText(text);
  if (!hasKey(plain)) return false;
  const start = contentStart(plain);
  if (/[{[]/.test(plain.charAt(start))) return true;
  const indent = start - 1 - plain.lastIndexOf('\n', start - 1);
  return new RegExp(`^ {${indent}}(?:[?&!]\\S*[ \\t]+)*["']?Resources["']?\\s*(?::|$)`, 'm').test(plain);
}

function hasKey(plain: string): boolean {
  if (!plain.includes('Resources')) return false;
  // In a flow mapping, a comment may stand before the colon.
  if (/(?<![\w-])Resources["']?\s*(?:#[^\n]{0,999}\n\s*)?:/.test(plain)) return true;
  // Behind "? " comments and more may stand before the colon, and an alias may stand for the key.
  return /(?:^|[\s{,])(?:\?\s|\*[^\s,[\]{}]+[ \t]{0,99}:)/.test(plain);
}

/** Where the first key of YAML or the first bracket stands: behind comments, directives, the mark of a document, tags, anchors, and lines of Helm or Jinja. */
function contentStart(text: string): number {
  const before = /\s+|#[^\n]*|%[^\n]*|\{[{%][^\n]*|---(?=\s)|[!&]\S*(?=\s*[{[\n])/y;
  let at = 0;
  while (before.test(text)) at = before.lastIndex;
  return at;
}

function plainText(text: string): string {
  return withoutEscapes(text.startsWith('\uFEFF') ? text.slice(1) : text);
}
