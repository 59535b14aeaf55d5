import { nearestName } from '../../text/nearest';

/**
 * What is wrong with the keys of a decision that is written as a map; undefined if nothing is. One with a key that nobody reads says more than is
 * heeded, such as when it ends, so it must not count.
 */
export function oddKey(
  map: object,
  known: readonly string[],
): { readonly key: string; readonly problem: string } | undefined {
  const key = Object.keys(map).find((name) => !known.includes(name));
  if (key === undefined) return undefined;
  const nearest = nearestName(key, known);
  return {
    key,
    problem: `there is no key "${key.slice(0, 60)}" here; ${nearest === undefined ? `the keys are ${known.join(', ')}` : `did you mean "${nearest}"?`}`,
  };
}

/** The end of a decision as a text, whatever it is, so that the engine can say that it is no day. */
export function untilOf(raw: unknown): { readonly until?: string } {
  if (raw === undefined) return {};
  return { until: typeof raw === 'string' ? raw : JSON.stringify(raw) };
}
