import type { Judgement } from '../../engine';
import { always, type Resource, conditionsOf } from '../../eks';

/**
 * Judgements of single cases with those that say the same of a resource put together, and without conditions that don't matter: what
 * holds wherever there is the resource depends on none.
 */
export function settled<M extends string>(judgements: readonly Judgement<M>[]): readonly Judgement<M>[] {
  const [only] = judgements;
  if (only !== undefined && judgements.length === 1) return withoutIdle([only]);
  const groups = new Map<Resource, Map<string, [Judgement<M>, ...Judgement<M>[]]>>();
  for (const judgement of judgements) {
    const byKey = groups.get(judgement.resource) ?? new Map<string, [Judgement<M>, ...Judgement<M>[]]>();
    groups.set(judgement.resource, byKey);
    const key = keyOf(judgement);
    const alike = byKey.get(key);
    if (alike === undefined) byKey.set(key, [judgement]);
    else alike.push(judgement);
  }
  return [...groups.values()].flatMap((byKey) => [...byKey.values()].flatMap(withoutIdle));
}

/** Of judgements that say the same one for each condition that matters. */
function withoutIdle<M extends string>(alike: readonly [Judgement<M>, ...Judgement<M>[]]): readonly Judgement<M>[] {
  const [first] = alike;
  const conditions = conditionsOf(
    first.resource.exists,
    alike.map(({ when = always }) => when),
  );
  return conditions.map((when) => ({ ...(alike.find((one) => one.when === when) ?? first), when }));
}

function keyOf({ verdict, message, severity, reason, data }: Judgement): string {
  return JSON.stringify([verdict, message, severity, reason, data]);
}
