import { columnOf, contentStart, plainText } from '../text/top-level';

/*
 * Whether a text that nobody named is a template, before it is parsed: a folder may hold thousands of other files in JSON and YAML.
 */

/**
 * False only if the text can't have a key `Resources` at its top level. Keys may be escaped (`"Reso\u0075rces"`), anchored, or written as `? Resources`.
 */
export function mayBeTemplate(text: string): boolean {
  return hasKey(plainText(text));
}

/**
 * Whether a key `Resources` seems to stand at the top level of the first document, which is all that a template has. Of such a text it is told why it
 * can't be parsed.
 */
export function looksLikeTemplate(text: string): boolean {
  const plain = plainText(text);
  if (!hasKey(plain)) return false;
  const start = contentStart(plain);
  if (/[{[]/.test(plain.charAt(start))) return true;
  const others = plain.slice(start).search(/^---(?=\s)/m);
  return new RegExp(`^ {${columnOf(plain, start)}}(?:[?&!]\\S*[ \\t]+)*["']?Resources["']?\\s*(?::|$)`, 'm').test(
    others < 0 ? plain : plain.slice(0, start + others),
  );
}

function hasKey(plain: string): boolean {
  if (!plain.includes('Resources')) return false;
  // In a flow mapping, a comment may stand before the colon.
  if (/(?<![\w-])Resources["']?\s*(?:#[^\n]{0,999}\n\s*)?:/.test(plain)) return true;
  // Behind "? " comments and more may stand before the colon, and an alias may stand for the key.
  return /(?:^|[\s{,])(?:\?\s|\*[^\s,[\]{}]+[ \t]{0,99}:)/.test(plain);
}
