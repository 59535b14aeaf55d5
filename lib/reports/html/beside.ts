import type { EksResource } from '../../eks';
import { count } from '../prose';
import { cardOf, type Card, type Edge } from './card';
import { withoutArn } from './describe';
import type { Marks } from './marks';

/** Cards beside the clusters, on each side. */
const MOST_BESIDE = 60;

/** Lines of a card that list its parts. */
const MOST_ROWS = 8;

export const OUTSIDE = 'not part of this input';

/** Something that is drawn beside the clusters: resources of the input, or what only has a name. */
export interface Beside {
  readonly key: object | string;
  readonly resources: readonly EksResource[];
  readonly card: () => Card;
}

/** Cards beside the clusters, each once, with the edges that lead to them. */
export class Column {
  readonly cards: Card[] = [];
  /** Also of what is counted on a card that stands for many. */
  private readonly byKey = new Map<object | string, Card>();
  private readonly users = new Map<Card, Set<object | string>>();

  constructor(private readonly marks: Marks) {}

  use(from: Card, beside: Beside, onlyDrawn: boolean): void {
    const known = this.users.get(from) ?? new Set();
    this.users.set(from, known.add(beside.key));
    if (!onlyDrawn && !this.byKey.has(beside.key) && this.cards.length < MOST_BESIDE) this.add(beside);
  }

  /** To be asked when all cards are there. */
  get edges(): readonly Edge[] {
    return [...this.users].flatMap(([from, keys]) =>
      [...new Set([...keys].flatMap((key) => this.byKey.get(key) ?? []))].map((to) => ({ from, to })),
    );
  }

  rest(all: readonly Beside[], type: string, types: string, mostUnused: number): void {
    const left = all.filter(
      ({ key, resources }) => !this.byKey.has(key) && resources.some(({ isImplied }) => isImplied !== true),
    );
    const marked = left.filter(({ resources }) => this.marks.of(resources) !== undefined);
    const drawn = new Set(
      left.length <= mostUnused ? left : marked.slice(0, Math.max(0, MOST_BESIDE - this.cards.length)),
    );
    for (const beside of drawn) this.add(beside);
    const counted = left.filter((beside) => !drawn.has(beside));
    const others = counted.flatMap(({ resources }) => resources);
    if (others.length === 0) return;
    const isAlone = others.length === all.reduce((sum, { resources }) => sum + resources.length, 0);
    const title = `${isAlone ? '' : 'and '}${count(others.length, `${isAlone ? '' : 'more '}${lowerFirst(type)}`, `${isAlone ? '' : 'more '}${types}`)}`;
    const card = cardOf({
      kind: 'more',
      type: upperFirst(types),
      title,
      mark: this.marks.of(others),
      count: others.length,
    });
    this.cards.push(card);
    for (const { key } of counted) this.byKey.set(key, card);
  }

  private add({ key, card: make }: Beside): Card {
    const card = make();
    this.byKey.set(key, card);
    this.cards.push(card);
    return card;
  }
}

/** What the input names, but doesn't declare. */
export function outside(kind: Card['kind'], type: string, text: string): Beside {
  return {
    key: `${type} ${text}`,
    resources: [],
    card: () => cardOf({ kind, type, title: withoutArn(text), lines: [OUTSIDE], isOutside: true }),
  };
}

/** What has findings comes first, where there isn't room for all. */
export function rowsOf(rows: readonly Card['rows'][number][]): Card['rows'] {
  if (rows.length <= MOST_ROWS) return rows;
  const ordered = [...rows.filter(({ mark }) => mark !== undefined), ...rows.filter(({ mark }) => mark === undefined)];
  return [...ordered.slice(0, MOST_ROWS - 1), { text: `and ${rows.length - MOST_ROWS + 1} more`, mark: undefined }];
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) && !text.startsWith('Fargate') ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
