import type { LaunchJudgement } from '../../engine';
import { always, type AnyNodeGroup, type Launch, type LaunchUser, type Unknown, type When } from '../../eks';
import { undecided } from './case-judgements';

/** What a rule makes of one case of one launch. */
export interface LaunchOutcome<M extends string> extends Omit<LaunchJudgement<M>, 'resource' | 'launch' | 'when'> {
  /** The assumption of the case, the launch's own included. */
  readonly when: When;
}

/** What a rule says of each launch: the engine takes together what it says of several. */
export function* judgeLaunches<L extends Launch<AnyNodeGroup>, M extends string>(
  users: readonly LaunchUser<L>[],
  judge: (launch: L) => readonly LaunchOutcome<M>[],
): Generator<LaunchJudgement<M>> {
  for (const { resource, launches } of users)
    for (const launch of launches) for (const outcome of judge(launch)) yield { ...outcome, resource, launch };
}

/** Nothing to object to. */
export function passing(when: When): readonly LaunchOutcome<never>[] {
  return when === always ? PASSED : [{ verdict: 'pass', when }];
}

/** What most launches come to. */
const PASSED: readonly LaunchOutcome<never>[] = [{ verdict: 'pass', when: always }];

/** A group whose launch template can't be seen, so that nothing about it can be told. */
export function unseenTemplate(template: Unknown, when: When): LaunchOutcome<never> {
  return { ...undecided("its launch template can't be judged", template), when };
}
