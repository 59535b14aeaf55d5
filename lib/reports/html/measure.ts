/**
 * Room that text takes in a drawing. Nobody tells which font a browser has, so widths are estimates on the wide side, in units of the font's size.
 */

/** Characters that are looked at. */
const LONGEST = 2000;

const ELLIPSIS = '…';

/** What of a text fits into a width; the middle is left out, because the names of AWS differ at their ends. */
export function fit(text: string, width: number, size: number): string {
  // Longer texts don't fit in any case; names may be megabytes long.
  const characters = Array.from(text.slice(0, LONGEST));
  const room = width / size;
  if (text.length <= LONGEST && characters.reduce((sum, character) => sum + widthOf(character), 0) <= room) return text;
  const half = (room - widthOf(ELLIPSIS)) / 2;
  const start = asManyAsFit(characters, half);
  const end = asManyAsFit(Array.from(text.slice(-LONGEST)).reverse(), half).reverse();
  return `${start.join('')}${ELLIPSIS}${end.join('')}`;
}

function asManyAsFit(characters: readonly string[], room: number): string[] {
  const fitting: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += widthOf(character);
    if (used > room) break;
    fitting.push(character);
  }
  return fitting;
}

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  // From U+1100 on come the wide characters: Chinese, Japanese, Korean and emoji.
  if (code >= 0x1100) return code >= 0x2000 && code < 0x2e80 ? 0.9 : 1.1;
  if (/[iIjlt.,:;'|!()[\]/ ·]/.test(character)) return 0.36;
  if (/[mwMW@%]/.test(character)) return 0.92;
  if (/[A-Z_]/.test(character)) return 0.7;
  return 0.58;
}
