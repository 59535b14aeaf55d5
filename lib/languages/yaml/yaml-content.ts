import type { Node, Pair } from 'yaml';
import type { Comment } from '../comments/placement';

/** A document as its text has it. */
export interface YamlContent {
  readonly text: string;
  readonly contents: Node | null;
  readonly value: unknown;
  /** All comments, where some of them are about eks-guardrails. */
  readonly comments: readonly Comment[] | undefined;
  /** What the offsets in an entry count from, and in all that it holds, where that isn't the begin of the text. */
  readonly bases: ReadonlyMap<Entry, number>;
  /** Whether all of it means the same wherever it stands: no anchors, and nothing to complain about. */
  readonly isPlain: boolean;
  /** Whether maps are merged where `<<` stands, over what is written in front of it. @default false */
  readonly mergesInPlace?: boolean;
}

/** An entry of a map, or an item of a list. */
export type Entry = Pair | Node;
