/** A piece of a text that is known in parts: known text, or a `${…}` that stands for what isn't known. */
export interface Stretch {
  readonly text: string;
  readonly isHole: boolean;
}

/**
 * Takes a text apart at its `${…}`. An expression in there may have braces and quotation marks of its own, as in
 * `${merge(var.a, { b = "}" }).c}`; one that isn't closed reaches to the end of the text.
 */
export function splitAtHoles(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', end)) {
    if (start > end) stretches.push({ text: text.slice(end, start), isHole: false });
    end = endOfHole(text, start);
    stretches.push({ text: text.slice(start, end), isHole: true });
  }
  if (end < text.length) stretches.push({ text: text.slice(end), isHole: false });
  return stretches;
}

/** The text with something else in the place of each `${…}`. */
export function fillHoles(text: string, filling: string): string {
  return splitAtHoles(text)
    .map((stretch) => (stretch.isHole ? filling : stretch.text))
    .join('');
}

/** The index after the brace that closes the hole which begins at `start`. */
function endOfHole(text: string, start: number): number {
  // Where each open brace or quotation mark stands for what closes it: within quotes only `${` opens another level.
  const open: ('}' | '"')[] = ['}'];
  let index = start + 2;
  while (index < text.length && open.length > 0) {
    const char = text.charAt(index);
    const isQuoted = open.at(-1) === '"';
    if (isQuoted && char === '\\') index++;
    else if (char === open.at(-1)) open.pop();
    else if (text.startsWith('${', index)) {
      open.push('}');
      index++;
    } else if (!isQuoted && (char === '{' || char === '"')) open.push(char === '"' ? '"' : '}');
    index++;
  }
  return Math.min(index, text.length);
}
