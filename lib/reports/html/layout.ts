import type { Box, Card, Drawing, Edge, Section } from './card';

/*
 * Three columns: what nodes are started with to the left, clusters in the middle, roles to the right. All edges go from the middle to one of the sides,
 * so that none passes behind a card. Lengths are in pixels of the drawing.
 */

const MARGIN = 16;
const TOP = 44;
const SIDE_WIDTH = 300;
export const BOX_WIDTH = 350;
const GUTTER = 76;
const PADDING = 14;
const GAP = 12;
const BOX_GAP = 28;
const HEADING = 26;

export const LEFT_X = MARGIN;
export const BOX_X = LEFT_X + SIDE_WIDTH + GUTTER;
export const RIGHT_X = BOX_X + BOX_WIDTH + GUTTER;
export const WIDTH = RIGHT_X + SIDE_WIDTH + MARGIN;

/** Heights of the parts of a card. */
export const TYPE_HEIGHT = 15;
export const TITLE_HEIGHT = 19;
export const LINE_HEIGHT = 16;
export const CARD_PADDING = 8;

export interface PlacedCard {
  readonly card: Card;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedBox {
  readonly box: Box;
  readonly y: number;
  readonly height: number;
  readonly headings: readonly { readonly text: string; readonly y: number }[];
}

export interface PlacedEdge {
  readonly edge: Edge;
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
}

export interface Layout {
  readonly height: number;
  readonly cards: readonly PlacedCard[];
  readonly boxes: readonly PlacedBox[];
  readonly edges: readonly PlacedEdge[];
}

export function layoutOf({ left, boxes, right, edges }: Drawing): Layout {
  const placed = new Map<Card, PlacedCard>();
  const place = (card: Card, x: number, y: number, width: number): number => {
    const height = heightOf(card);
    placed.set(card, { card, x, y, width, height });
    return height;
  };
  let y = TOP;
  const placedBoxes: PlacedBox[] = [];
  for (const box of boxes) {
    const start = y;
    const headings: { text: string; y: number }[] = [];
    y += place(box.head, BOX_X, y, BOX_WIDTH);
    for (const section of box.sections) y = placeSection(section, y, headings, place);
    if (box.sections.length > 0) y += PADDING;
    placedBoxes.push({ box, y: start, height: y - start, headings });
    y += BOX_GAP;
  }
  let bottom = Math.max(TOP, y - BOX_GAP);
  for (const [cards, x] of [
    [left, LEFT_X],
    [right, RIGHT_X],
  ] as const) {
    for (const { card, top } of besideUsers(cards, edges, placed))
      bottom = Math.max(bottom, top + place(card, x, top, SIDE_WIDTH));
  }
  return {
    height: bottom + MARGIN,
    cards: [...placed.values()],
    boxes: placedBoxes,
    edges: edges.flatMap((edge) => placedEdge(edge, placed.get(edge.from), placed.get(edge.to))),
  };
}

function placeSection(
  { heading, cards }: Section,
  top: number,
  headings: { text: string; y: number }[],
  place: (card: Card, x: number, y: number, width: number) => number,
): number {
  headings.push({ text: heading, y: top + HEADING - 7 });
  let y = top + HEADING;
  cards.forEach((card, index) => {
    y += place(card, BOX_X + PADDING, y, BOX_WIDTH - 2 * PADDING) + (index === cards.length - 1 ? 0 : GAP);
  });
  return y;
}

function heightOf({ lines, rows }: Card): number {
  return 2 * CARD_PADDING + TYPE_HEIGHT + TITLE_HEIGHT + (lines.length + rows.length) * LINE_HEIGHT;
}

/** Where an edge touches a card: at the height of its title. */
function anchorOf({ y }: PlacedCard): number {
  return y + CARD_PADDING + TYPE_HEIGHT + TITLE_HEIGHT / 2 - 3;
}

function placedEdge(edge: Edge, from: PlacedCard | undefined, to: PlacedCard | undefined): PlacedEdge[] {
  if (from === undefined || to === undefined) return [];
  const isLeft = to.x < from.x;
  return [
    {
      edge,
      from: { x: isLeft ? from.x : from.x + from.width, y: anchorOf(from) },
      to: { x: isLeft ? to.x + to.width : to.x, y: anchorOf(to) },
    },
  ];
}

/** A run of cards that touch, and the place where each of them would like the run to begin. */
interface Run {
  readonly cards: readonly Card[];
  readonly wishes: number;
  readonly height: number;
}

/** Cards beside the middle of those that use them, in that order; where they'd overlap they are moved apart as little as can be. Those that nothing uses come last. */
function besideUsers(
  cards: readonly Card[],
  edges: readonly Edge[],
  placed: ReadonlyMap<Card, PlacedCard>,
): { card: Card; top: number }[] {
  const users = new Map<Card, number[]>();
  for (const { from, to } of edges) {
    const user = placed.get(from);
    if (user === undefined) continue;
    const known = users.get(to);
    if (known === undefined) users.set(to, [user.y]);
    else known.push(user.y);
  }
  const used = cards.flatMap((card) => {
    const tops = users.get(card);
    return tops === undefined ? [] : [{ card, wish: tops.reduce((sum, top) => sum + top, 0) / tops.length }];
  });
  used.sort((a, b) => a.wish - b.wish);
  const runs: Run[] = [];
  for (const { card, wish } of used) {
    let run: Run = { cards: [card], wishes: Math.max(wish, TOP), height: heightOf(card) + GAP };
    // The mean of wishes is where a run lies best; two runs that overlap become one.
    for (
      let above = runs.at(-1);
      above !== undefined && startOf(above) + above.height > startOf(run);
      above = runs.at(-1)
    ) {
      runs.pop();
      run = {
        cards: [...above.cards, ...run.cards],
        wishes: above.wishes + run.wishes - run.cards.length * above.height,
        height: above.height + run.height,
      };
    }
    runs.push(run);
  }
  const result: { card: Card; top: number }[] = [];
  let y = TOP;
  for (const run of runs) {
    y = Math.max(y, Math.round(startOf(run)));
    for (const card of run.cards) {
      result.push({ card, top: y });
      y += heightOf(card) + GAP;
    }
  }
  if (runs.length > 0) y += GAP;
  for (const card of cards) {
    if (users.has(card)) continue;
    result.push({ card, top: y });
    y += heightOf(card) + GAP;
  }
  return result;
}

function startOf({ wishes, cards }: Run): number {
  return wishes / cards.length;
}
