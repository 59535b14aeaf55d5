/*
 * How much room text takes on a terminal: Chinese, Japanese and Korean characters and pictures take two columns, marks on other characters none
 * (Unicode Standard Annex 11, East Asian Width). Terminals differ about pictures that are put together from several; here, these are one.
 */

/** Printable ASCII: each character takes one column. */
const PLAIN = /^[\x20-\x7e]*$/;

const WIDE =
  /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|(?!\p{Regional_Indicator})\p{Emoji_Presentation})$/u;

/** What is part of the character before it: marks, what nobody sees, colours of skin, and the later parts of Korean syllables. */
const ATTACHED = /^[\p{M}\p{Cf}\p{Emoji_Modifier}\u1160-\u11ff]$/u;

const JOINER = '\u200d';

/** Columns that a line takes. Control characters count as one, because `printable` replaces each by one character. */
export function columnsOf(line: string): number {
  if (PLAIN.test(line)) return line.length;
  let columns = 0;
  for (const character of charactersOf(line)) columns += character.columns;
  return columns;
}

/** As much of the beginning of a line as fits; what is one character to people stays whole. */
export function firstColumns(line: string, room: number): string {
  if (PLAIN.test(line)) return line.slice(0, Math.max(0, room));
  let used = 0;
  for (const { start, columns } of charactersOf(line)) {
    used += columns;
    if (used > room) return line.slice(0, start);
  }
  return line;
}

/** As much of the end of a line as fits. */
export function lastColumns(line: string, room: number): string {
  if (PLAIN.test(line)) return line.slice(Math.max(0, line.length - Math.max(0, room)));
  let left = columnsOf(line);
  for (const { start, columns } of charactersOf(line)) {
    if (left <= room && columns > 0) return line.slice(start);
    left -= columns;
  }
  return '';
}

function* charactersOf(line: string): Iterable<{ readonly start: number; readonly columns: number }> {
  let start = 0;
  let isJoined = false;
  for (const character of line) {
    yield { start, columns: isJoined ? 0 : columnsOfCharacter(character) };
    isJoined = character === JOINER;
    start += character.length;
  }
}

function columnsOfCharacter(character: string): number {
  if (character < '\u0300') return character === '\u00ad' ? 0 : 1;
  if (ATTACHED.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
