import { cardsOf, type Card, type Drawing, type Row } from './card';
import {
  BOX_WIDTH,
  BOX_X,
  CARD_PADDING,
  layoutOf,
  LEFT_X,
  LINE_HEIGHT,
  RIGHT_X,
  TITLE_HEIGHT,
  TYPE_HEIGHT,
  WIDTH,
  type PlacedBox,
  type PlacedCard,
  type PlacedEdge,
} from './layout';
import { html, Markup } from './markup';
import type { Mark } from './marks';
import { fit } from './measure';
import { count } from '../prose';

/** More cards than these don't light up the lines that lead to them: the browser would have much to do. */
const MOST_WITH_LIGHT = 150;

/** Drawings that are so many times higher than wide don't go to paper: to fit a page, they'd be smaller than anybody can read. The text does instead. */
const TALL = 1.35;

const INSET = 14;

/** On the wide side, as the type is bold. */
const TYPE_SIZE = 12;
const PILL_HEIGHT = 18;

/** What stands in the page for a drawing. */
export interface DrawnPage {
  readonly body: Markup;
  /** Rules of the style sheet that only this drawing needs. */
  readonly css: string;
}

/** A drawing as SVG, and once more as text. */
export function drawn(drawing: Drawing): DrawnPage | undefined {
  const cards = cardsOf(drawing);
  if (cards.length === 0) return undefined;
  const { height, cards: placed, boxes, edges } = layoutOf(drawing);
  const ids = new Map(cards.map((card, index) => [card, `c${index}`]));
  const idOf = (card: Card) => ids.get(card) ?? '';
  const heads = new Set(drawing.boxes.map(({ head }) => head));
  const columns = [
    ...(drawing.left.length > 0
      ? [html`<text class="column" x="${LEFT_X}" y="26">Launch templates and network</text>`]
      : []),
    ...(drawing.boxes.length > 0
      ? [html`<text class="column" x="${BOX_X}" y="26">Clusters and what runs in them</text>`]
      : []),
    ...(drawing.right.length > 0
      ? [html`<text class="column" x="${RIGHT_X}" y="26">Roles and their policies</text>`]
      : []),
  ];
  const svg = html`<div class="canvas${height > TALL * WIDTH ? ' tall' : ''}" tabindex="0" role="region" aria-label="Drawing, may be scrolled">
<svg class="drawing" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="group" aria-labelledby="drawing-title drawing-description">
<title id="drawing-title">What the input declares</title>
<desc id="drawing-description">${descriptionOf(drawing)}</desc>
${columns}
<g class="boxes">${boxes.map(boxMarkup)}</g>
<g class="edges">${edges.map((edge) => edgeMarkup(edge, idOf))}</g>
<g class="cards">
${placed.map((card) => cardMarkup(card, idOf(card.card), heads.has(card.card)))}</g>
</svg>
</div>
${asText(drawing)}`;
  return { body: svg, css: cards.length > MOST_WITH_LIGHT ? '' : lights(drawing, idOf) };
}

function descriptionOf({ left, boxes, right, edges }: Drawing): string {
  const clusters = boxes.reduce((sum, { head }) => sum + head.count, 0);
  return `${count(clusters, 'cluster')} in the middle; to the left ${count(left.length, 'card')} with launch templates and subnets, to the right ${count(right.length, 'card')} with roles; ${count(edges.length, 'line')} from what uses to what is used. The same follows as text.`;
}

function boxMarkup({ box, y, height, headings }: PlacedBox): Markup {
  return html`<rect class="box${box.head.isOutside ? ' outside' : ''}" x="${BOX_X}" y="${y}" width="${BOX_WIDTH}" height="${height}" rx="10"/>${headings.map(
    (heading) => html`<text class="heading" x="${BOX_X + INSET}" y="${heading.y}">${heading.text}</text>`,
  )}\n`;
}

function edgeMarkup({ edge, from, to }: PlacedEdge, idOf: (card: Card) => string): Markup {
  const bend = (to.x - from.x) / 2;
  return html`<path class="edge e${idOf(edge.from)} e${idOf(edge.to)}" d="M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}"/><circle class="end e${idOf(edge.to)}" cx="${to.x}" cy="${to.y}" r="3"/>\n`;
}

function cardMarkup({ card, x, y, width, height }: PlacedCard, id: string, isHead: boolean): Markup {
  const { kind, type, title, lines, rows, mark, isOutside } = card;
  const left = x + INSET;
  const room = width - 2 * INSET;
  const typeY = y + CARD_PADDING + 10;
  const titleY = y + CARD_PADDING + TYPE_HEIGHT + 14;
  const below = (index: number) => y + CARD_PADDING + TYPE_HEIGHT + TITLE_HEIGHT + (index + 1) * LINE_HEIGHT - 4;
  const titleText = html`<text class="title" x="${left}" y="${titleY}">${fit(title, room, isHead ? 17 : 15.5)}</text>`;
  return html`<g id="${id}" class="card ${kind}${isHead ? ' head' : ''}${isOutside ? ' outside' : ''}${mark === undefined ? '' : ` ${mark.label}`}"><title>${fullText(card)}</title>
<rect class="body" x="${x}" y="${y}" width="${width}" height="${height}" rx="${isHead ? 10 : 7}"/><rect class="stripe" x="${x}" y="${y + 9}" width="4" height="${height - 18}" rx="2"/>
<text class="type" x="${left}" y="${typeY}">${fit(type, room - (mark === undefined ? 0 : pillWidth(mark)), TYPE_SIZE)}</text>${mark === undefined ? titleText : marked(mark, `${type} ${title}`, x + width - 8, y + 6, titleText)}
${lines.map((text, index) => html`<text class="line" x="${left}" y="${below(index)}">${fit(text, room, 12)}</text>`)}${rows.map((row, index) => rowMarkup(row, left, x + width - 8, below(lines.length + index), room))}</g>
`;
}

function rowMarkup({ text, mark }: Row, x: number, right: number, y: number, room: number): Markup {
  const content = html`<circle class="dot" cx="${x + 2}" cy="${y - 4}" r="2"/><text class="line" x="${x + 10}" y="${y}">${fit(text, room - 10 - (mark === undefined ? 0 : pillWidth(mark) - 4), 12)}</text>`;
  return mark === undefined ? content : marked(mark, text, right, y - 13, content);
}

/** A badge that links to the findings, together with what it belongs to. */
function marked({ label, text, anchor }: Mark, name: string, right: number, top: number, content: Markup): Markup {
  const width = pillWidth({ text });
  return html`<a class="mark ${label}" href="#${anchor}" aria-label="${name}: ${text}">${content}<rect class="pill" x="${right - width}" y="${top}" width="${width}" height="${PILL_HEIGHT}" rx="9"/><text class="pill-text" x="${right - width / 2}" y="${top + 13}" text-anchor="middle">${text}</text></a>`;
}

function pillWidth({ text }: Pick<Mark, 'text'>): number {
  return 16 + Math.ceil(text.length * 6.3);
}

function fullText({ type, title, name = title, lines, notes, rows, mark }: Card): string {
  return [
    `${type} ${title}`,
    ...(name === title ? [] : [name]),
    ...lines,
    ...rows.map((row) => `- ${rowText(row)}`),
    ...notes,
    ...(mark === undefined ? [] : [mark.text]),
  ].join('\n');
}

function rowText({ text, name }: Row): string {
  return name === undefined || text.includes(name) ? text : `${text} (${name})`;
}

/** The lines of the card below the pointer, or of the one whose link has the focus, stand out. */
function lights({ edges }: Drawing, idOf: (card: Card) => string): string {
  const tied = new Set(edges.flatMap(({ from, to }) => [idOf(from), idOf(to)]));
  return [...tied]
    .map(
      (id) => `.drawing:has(#${id}:is(:hover,:focus-within)) .e${id}{stroke:var(--accent);stroke-width:2.2;opacity:1}`,
    )
    .join('\n');
}

/** The drawing for those who don't see it, and for searching. */
function asText({ left, boxes, right, edges }: Drawing): Markup {
  const uses = new Map<Card, Card[]>();
  for (const { from, to } of edges) {
    const known = uses.get(from);
    if (known === undefined) uses.set(from, [to]);
    else known.push(to);
  }
  const item = (card: Card, inner?: Markup): Markup => {
    const used = uses.get(card) ?? [];
    return html`<li>${nameMarkup(card)}${used.length === 0 ? undefined : `; uses ${used.map(usedText).join('; ')}`}${inner}</li>
`;
  };
  const list = (cards: readonly Card[]) =>
    cards.length === 0
      ? undefined
      : html`<ul>
${cards.map((card) => item(card))}</ul>`;
  const beside = (heading: string, cards: readonly Card[]) =>
    cards.length === 0
      ? undefined
      : html`<li>${heading}${list(cards)}</li>
`;
  return html`<details class="as-text"><summary>The drawing as text</summary>
<ul>
${boxes.map(({ head, sections }) => item(head, list(sections.flatMap(({ cards }) => cards))))}${beside('Launch templates and network', left)}${beside('Roles and their policies', right)}</ul>
</details>`;
}

function usedText({ type, title, kind, rows }: Card): string {
  if (kind === 'subnets' && rows.length > 0) return `subnets ${rows.map(({ text }) => text).join(', ')}`;
  return kind === 'more' ? title.replace(/^and /, '') : `${lowerFirst(type)} ${title}`;
}

function nameMarkup({ type, title, name = title, lines, notes, rows, mark }: Card): Markup {
  const details = [...(name === title ? [] : [name]), ...lines, ...rows.map(rowText), ...notes];
  return html`${type} <strong>${title}</strong>${details.length === 0 ? undefined : ` (${details.join('; ')})`}${mark === undefined ? undefined : html`: <a href="#${mark.anchor}">${mark.text}</a>`}`;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
