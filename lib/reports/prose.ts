import { columnsOf } from '../text/columns';

/** Breaks text into lines of at most `width` columns at spaces; a longer word gets a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    let used = 0;
    for (const word of paragraph.split(' ')) {
      if (word === '') continue;
      const columns = columnsOf(word);
      if (line === '' || used + 1 + columns > width) {
        if (line !== '') lines.push(line);
        line = word;
        used = columns;
      } else {
        line += ` ${word}`;
        used += 1 + columns;
      }
    }
    lines.push(line);
  }
  return lines;
}

/**
 * Text as it may go to a terminal. Templates come from anywhere: an escape sequence or a change of writing
 * direction in a name must not rewrite what the user sees. Tabs become two spaces.
 */
export function printable(text: string): string {
  return wellFormed(text)
    .replaceAll('\t', '  ')
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '?');
}

/** The same for text that must stay on one line. */
export function printableLine(text: string): string {
  return printable(text.replaceAll(/(?<!\s)\s*\n\s*/g, ' '));
}

/** `1 error`, `2 errors`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

/** Text without halves of surrogate pairs, which no encoding of files has. */
export function wellFormed(text: string): string {
  return text.replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

/** `a`, `a and b`, `a, b and c`. */
export function listText(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}
