import { withoutCommandsInMarkup } from '../../text/workflow-commands';
import { printable } from '../prose';
import { webAddress } from '../web-address';

/** Text that may stand in a page as it is. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** What may be filled into {@link html}: all but markup is escaped. */
export type Filling = string | number | Markup | undefined | readonly Markup[];

/**
 * Markup with values filled in. Names come from files that anybody wrote, so texts are escaped, and neither control characters nor those that
 * change the direction of writing get through. Undefined is nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Filling[]): Markup {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += filled(value) + (strings[index + 1] ?? '');
  });
  return new Markup(text);
}

function filled(value: Filling): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  return value instanceof Markup ? value.text : value.join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Good for text and for values of attributes in quotes, in HTML as in XML. */
function escaped(text: string): string {
  return withoutCommandsInMarkup(visible(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? ''));
}

/** The text as it shows in the page, where what isn't visible or isn't a character of XML is replaced. */
function visible(text: string): string {
  return printable(text).replaceAll(/[\u200b\u2028\u2029\ufeff\ufffe\uffff]/g, '?');
}

/** A message in which backticks mark code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`]+)`/);
  return new Markup(
    parts.map((part, index) => (index % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part))).join(''),
  );
}

/** A link to a page of documentation. Rules of users may name anything: what is no address of the web stays text. */
export function docsLink(docs: string, label: Filling): Markup {
  const address = webAddress(docs);
  if (address === undefined) return html`${label}`;
  return html`<a href="${address}" rel="noopener noreferrer" target="_blank">${label}</a>`;
}
