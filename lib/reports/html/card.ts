import type { Mark } from './marks';

/** What a card stands for; decides on its colour. */
type CardKind = 'cluster' | 'nodes' | 'template' | 'addon' | 'role' | 'subnets' | 'other' | 'more';

/** One box of a drawing. */
export interface Card {
  readonly kind: CardKind;
  /** What it is, for people: `Node group`. */
  readonly type: string;
  readonly title: string;
  /** The whole name, where the title is a part of it. @default - the title says it all */
  readonly name?: string | undefined;
  readonly lines: readonly string[];
  /** Why something isn't known; told with the card's name, where there is room. */
  readonly notes: readonly string[];
  /** Its parts that have findings of their own, or are many. */
  readonly rows: readonly Row[];
  readonly mark: Mark | undefined;
  /** It is named by the input, but not declared by it. */
  readonly isOutside: boolean;
  /** How many resources it stands for. */
  readonly count: number;
}

export interface Row {
  readonly text: string;
  /** The whole name, where the text has a part of it. */
  readonly name?: string | undefined;
  readonly mark: Mark | undefined;
}

/** What a cluster holds, drawn as a group around its cards. */
export interface Box {
  readonly head: Card;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly heading: string;
  readonly cards: readonly Card[];
}

/** One card uses another: from what stands in a cluster to what stands beside it. */
export interface Edge {
  readonly from: Card;
  readonly to: Card;
}

/** What is drawn, without places: launch templates and subnets to the left of the clusters that use them, roles to the right. */
export interface Drawing {
  readonly left: readonly Card[];
  readonly boxes: readonly Box[];
  readonly right: readonly Card[];
  readonly edges: readonly Edge[];
}

export function cardOf(values: Pick<Card, 'kind' | 'type' | 'title'> & Partial<Card>): Card {
  return { lines: [], notes: [], rows: [], mark: undefined, isOutside: false, count: 1, ...values };
}

export function cardsOf({ left, boxes, right }: Drawing): readonly Card[] {
  return [
    ...left,
    ...boxes.flatMap(({ head, sections }) => [head, ...sections.flatMap(({ cards }) => cards)]),
    ...right,
  ];
}
