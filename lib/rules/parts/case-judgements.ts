import type { Judgement } from '../../engine';
import { casesOf, type Case, type Resource, type Source, type Value, type When } from '../../eks';

/** What a rule makes of one case of a resource. */
export type Outcome<M extends string> = Omit<Judgement<M>, 'resource'>;

/**
 * Judges the cases in which a resource exists. What a rule says of one holds under the assumption of the case, unless it says itself under which.
 * @param values the settings that decide together
 */
export function* judgeCases<S extends Record<string, Value<unknown>>, M extends string>(
  resource: Resource,
  values: S,
  judge: (values: Case<S>, when: When) => readonly Outcome<M>[],
): Generator<Judgement<M>> {
  for (const { when, values: plain } of casesOf(resource, values))
    for (const outcome of judge(plain, when)) yield { when, ...outcome, resource };
}

/** What can't be told before the deployment. */
export interface Unverifiable {
  readonly verdict: 'unverifiable';
  readonly reason: string;
  readonly source?: Source;
}

export function unverifiable(reason: string, source?: Source): Unverifiable {
  return source === undefined ? { verdict: 'unverifiable', reason } : { verdict: 'unverifiable', reason, source };
}

/** What can't be told because of a value: `undecided("its AMI type isn't known", amiType)`. */
export function undecided(
  what: string,
  { reason, source }: { readonly reason: string; readonly source: Source },
): Required<Unverifiable> {
  return { verdict: 'unverifiable', reason: `${what}: ${reason}`, source };
}
