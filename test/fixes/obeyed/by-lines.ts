const WITHOUT = /^# .* without lines? (\d+)(?: to (\d+))?$/;

/** Whether a fix takes lines out and puts nothing in their place. */
export function takesLinesOut(code: string): boolean {
  return WITHOUT.test(code);
}

/** Where code for another place begins. */
const NEXT =
  /\n(?=# in (?:the \w+ of \w+|the add-on "[^"\n]*"(?:, without [^\n]*)?|(?:\S+\.(?:tf|tofu), )?aws_\w+\.[\w-]+(?:(?:, | and )aws_\w+\.[\w-]+)*|parameter \w+, \S+|place of lines? .*):\n)/;

/** The parts of a fix that say which lines of a file become what, from below, so that the others stay where they are; and the rest. */
export function partsByLines(code: string): { readonly lines: readonly string[]; readonly rest: string | undefined } {
  const parts = code.split(NEXT);
  const isLines = (part: string): boolean => withLines('', part) !== undefined;
  const firstOf = (part: string): number => Number(/ lines? (\d+)/.exec(part)?.[1]);
  return {
    lines: parts.filter(isLines).toSorted((one, other) => firstOf(other) - firstOf(one)),
    rest: parts.filter((part) => !isLines(part)).join('\n') || undefined,
  };
}

/** A text after a fix that says which of its lines become what; undefined for other fixes. */
export function withLines(text: string, code: string): string | undefined {
  const [head = '', ...rest] = code.split('\n');
  const [, first, last = first] =
    /^# in place of lines? (\d+)(?: to (\d+))? of .*:$/.exec(head) ?? WITHOUT.exec(head) ?? [];
  if (first === undefined) return undefined;
  const lines = text.split('\n');
  lines.splice(Number(first) - 1, Number(last) - Number(first) + 1, ...rest);
  return lines.join('\n');
}
