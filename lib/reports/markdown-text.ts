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

/** Any text as code, in cells of tables, too: readers don't agree on how a code span writes `|` there. */
export function code(text: string): string {
  const content = printableLine(text);
  if (content === '') return '';
  if (content.includes('|'))
    return `<code>${content.replaceAll(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
  const fence = '`'.repeat(longestRun(content) + 1);
  const pad = /^`|`$/.test(content) ? ' ' : '';
  return `${fence}${pad}${content}${pad}${fence}`;
}

export function codeBlock(language: string, text: string): string {
  const content = printable(text.trimEnd());
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language}\n${content}\n${fence}`;
}

/** What sites make links of in plain text, wherever that came from: names of people (who are notified), addresses, numbers of issues. */
const LINKS = /@(?=[\w-])|:(?=\/\/\S)|\bwww(?=\.)|#(?=\d)|\bGH-(?=\d)/gi;

function escaped(text: string): string {
  // A space without width comes between; `\|` isn't for all a sign that stands in a cell of a table.
  return text
    .replaceAll(LINKS, '$&\u200b')
    .replaceAll(/[\\`*_~<>&[\]#$]/g, '\\$&')
    .replaceAll('|', '&#124;');
}

/** Length of the longest run of backticks. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
