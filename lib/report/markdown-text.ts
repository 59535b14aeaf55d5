import { printable, printableLine } from './prose';

/**
 * A message as one line of Markdown: what stands in backticks stays code, all else shows as it is. Names in messages come from templates,
 * so neither HTML nor links, nor mentions of people, may come out of them.
 */
export function inline(text: string): string {
  return printableLine(text)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join('');
}

/** Any text as a code span. */
export function code(text: string): string {
  const content = printableLine(text);
  if (content === '') return '';
  const fence = '`'.repeat(longestRun(content) + 1);
  const pad = /^`|`$/.test(content) ? ' ' : '';
  return `${fence}${pad}${content}${pad}${fence}`;
}

/** Markdown that stands in a cell of a table. */
export function cell(markdown: string): string {
  return markdown.replaceAll('|', '\\|');
}

export function codeBlock(language: string, text: string): string {
  const content = printable(text.trimEnd());
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language}\n${content}\n${fence}`;
}

function escaped(text: string): string {
  return (
    text
      .replaceAll(/[\\`*_~<>&[\]#|$]/g, '\\$&')
      // A space without width: `@` and a name would notify somebody.
      .replaceAll(/@(?=[\w-])/g, '@\u200b')
  );
}

/** Length of the longest run of backticks. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
