/**
 * The keys at the top level of a JSON object, in their order, for a look at a text that may be large or cut off; nothing for anything else.
 * Takes no more of the text than is asked for.
 */
export function* topLevelKeys(text: string): Generator<string> {
  const start = /^\s*\{/.exec(text)?.[0].length;
  if (start === undefined) return;
  const mark = /["{}[\]]/g;
  const colon = /\s*:/y;
  mark.lastIndex = start;
  let depth = 1;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [character] = found;
    if (character === '"') {
      const end = endOfString(text, found.index + 1);
      if (end < 0) return;
      colon.lastIndex = mark.lastIndex = end + 1;
      if (depth === 1 && colon.test(text)) yield text.slice(found.index + 1, end);
    } else if (character === '{' || character === '[') depth++;
    else if (--depth === 0) return;
  }
}

/** Where the quote stands that ends a string; -1 if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charAt(end - 1 - backslashes) === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}
