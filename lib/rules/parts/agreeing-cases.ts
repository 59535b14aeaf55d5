import type { Judgement } from '../../engine';
import { always } from '../../eks';

/**
 * Judgements of one resource, one per case of its alternatives. If all cases say the same, the conditions that tell them
 * apart don't matter, and one judgement without them is left.
 */
export function agreeing<M extends string>(judgements: readonly Judgement<M>[]): readonly Judgement<M>[] {
  const [first] = judgements;
  if (first === undefined || judgements.length === 1 || new Set(judgements.map(keyOf)).size > 1) return judgements;
  const conditions = new Set(judgements.map(({ when }) => when?.text ?? ''));
  return [conditions.size === 1 ? first : { ...first, when: always }];
}

function keyOf({ verdict, message, severity, reason, data }: Judgement): string {
  return JSON.stringify([verdict, message, severity, reason, data]);
}
