const WITHOUT = /^# .* without lines? (\d+)(?: to (\d+))?$/;

/** Whether a fix takes lines out and puts nothing in their place. */
export function takesLinesOut(code: string): boolean {
  return WITHOUT.test(code);
}

/** Where lines end, and code for another place begins. */
const NEXT = /\n(?=# in (?:the \w+ of \w+|aws_\w+\.[\w-]+|parameter \w+, \S+):\n)/;

/** What a fix says behind the lines of a text that it changes; undefined where it says nothing more. */
export function behindLines(code: string): string | undefined {
  return code.split(NEXT).slice(1).join('\n') || undefined;
}

/** A text after a fix that says which of its lines become what; undefined for other fixes. */
export function withLines(text: string, code: string): string | undefined {
  const [head = '', ...rest] = (code.split(NEXT, 1)[0] ?? '').split('\n');
  const [, first, last = first] =
    /^# in place of lines? (\d+)(?: to (\d+))? of .*:$/.exec(head) ?? WITHOUT.exec(head) ?? [];
  if (first === undefined) return undefined;
  const lines = text.split('\n');
  lines.splice(Number(first) - 1, Number(last) - Number(first) + 1, ...rest);
  return lines.join('\n');
}
