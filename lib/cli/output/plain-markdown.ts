import { wrap } from '../../reports/prose';
import type { Paint, Style } from '../../reports/style';

/** Shows the Markdown of a rule's page on a terminal: headings, paragraphs, lists, quotes and code blocks. */
export function plainMarkdown(markdown: string, width: number, style: Style): string {
  const lines: string[] = [];
  let inCode = false;
  let paint = style.green;
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) lines.push(...block(paragraph.join(' '), width, style));
    paragraph = [];
  };
  for (const line of markdown.split('\n')) {
    if (/^\s*```/.test(line)) {
      flush();
      inCode = !inCode;
      const isDiff = line.trim() === '```diff';
      paint = (code) => (isDiff ? paintOfDifference(code, style) : style.green)(code);
    } else if (inCode) {
      lines.push(line === '' ? '' : `    ${paint(line)}`);
    } else if (line.trim() === '' || line.startsWith('|')) {
      flush();
      lines.push(line);
    } else {
      // Each of these begins a block of its own; every other line goes on with the paragraph before it.
      if (/^\s*([-*>]|\d+\.|#+) /.test(line)) flush();
      paragraph.push(paragraph.length === 0 ? line.trimEnd() : line.trim());
    }
  }
  flush();
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function paintOfDifference(line: string, style: Style): Paint {
  return line.startsWith('+') ? style.green : line.startsWith('-') ? style.red : style.dim;
}

function block(text: string, width: number, style: Style): string[] {
  const heading = /^#+ (.*)$/.exec(text);
  if (heading !== null) return [style.bold(inline(heading[1] ?? ''))];
  const [marker = ''] = /^\s*(?:[-*>]|\d+\.) /.exec(text) ?? [];
  const [first = '', ...rest] = wrap(inline(text.slice(marker.length)), width - marker.length);
  const hanging = marker.includes('>') ? marker : ' '.repeat(marker.length);
  return [marker + first, ...rest.map((line) => hanging + line)];
}

/** Emphasis and links as plain text; code keeps its backticks. */
function inline(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part
            .replaceAll(/\[([^\][]*)\]\(([^)]*)\)/g, (_, title: string, url: string) =>
              title === url ? url : `${title}: ${url}`,
            )
            .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
            .replaceAll(/(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])/g, '$1')
            .replaceAll('\\<', '<'),
    )
    .join('');
}
