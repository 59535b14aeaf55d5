import type { PolicyStatement } from '../model/resources';
import { alternativesOf } from '../../value';
import {
  allOf,
  anyMatch,
  anyOf,
  matchAction,
  matchAllResources,
  matchSomeResource,
  matchValue,
  not,
  type Match,
  type Request,
} from './matching';

/** What a statement does to a request. */
export interface StatementEffect {
  /** Whether it lets the request pass on some of the resources. A condition counts as fulfilled. */
  readonly allows: Match;
  /** Whether it forbids the request on all of the resources; `maybe` when only on some, or under a condition. */
  readonly denies: Match;
  /** Why it is `maybe`, as the end of "… because". */
  readonly reason: string | undefined;
}

const NO_EFFECT: StatementEffect = { allows: 'no', denies: 'no', reason: undefined };

/** Evaluates one statement of an identity policy. */
export function effectOf(statement: PolicyStatement, request: Request): StatementEffect {
  const action = actionMatch(statement, request.action);
  if (action === 'no') return NO_EFFECT;
  const isAllow = matchValue(statement.effect, (plain) =>
    plain.kind === 'unknown' ? 'maybe' : plain.value === 'Allow' ? 'yes' : 'no',
  );
  const isDeny = matchValue(statement.effect, (plain) =>
    plain.kind === 'unknown' ? 'maybe' : plain.value === 'Deny' ? 'yes' : 'no',
  );
  const allows = isAllow === 'no' ? 'no' : allOf([isAllow, action, someResource(statement, request)]);
  let denies: Match = isDeny === 'no' ? 'no' : allOf([isDeny, action, allResources(statement, request)]);
  const conditional = isConditional(statement);
  if (denies === 'yes' && conditional) denies = 'maybe';
  const reason =
    allows === 'maybe' || denies === 'maybe' ? reasonOf(statement, denies === 'maybe' && conditional) : undefined;
  return { allows, denies, reason };
}

/** Whether a condition restricts the statement, be it one that can't be read. */
export function isConditional(statement: PolicyStatement): boolean {
  return 'kind' in statement.conditions || statement.conditions.length > 0;
}

/** Whether a statement names an action, in `Action` or by not excluding it in `NotAction`. `action` in lower case. */
export function actionMatch(statement: PolicyStatement, action: string): Match {
  if (statement.notActions.length > 0)
    return not(anyMatch(statement.notActions, (pattern) => matchAction(pattern, action)));
  return anyMatch(statement.actions, (pattern) => matchAction(pattern, action));
}

function someResource(statement: PolicyStatement, { resource }: Request): Match {
  if (statement.notResources.length > 0) {
    // Some are left unless one pattern takes in all.
    const excluded = anyOf(statement.notResources.map((pattern) => matchAllResources(pattern, resource)));
    if (excluded !== 'maybe') return not(excluded);
    return statement.notResources.every(isKnownText) ? 'yes' : 'maybe';
  }
  // A statement without resources is refused by IAM: what it was meant to grant can't be known.
  if (statement.resources.length === 0) return 'maybe';
  return anyMatch(statement.resources, (pattern) => matchSomeResource(pattern, resource));
}

function allResources(statement: PolicyStatement, { resource }: Request): Match {
  if (statement.notResources.length > 0) {
    const excluded = statement.notResources.map((pattern) => matchAllResources(pattern, resource));
    return not(anyOf(excluded));
  }
  if (statement.resources.length === 0) return 'maybe';
  return anyMatch(statement.resources, (pattern) => matchAllResources(pattern, resource));
}

function isKnownText(pattern: PolicyStatement['resources'][number]): boolean {
  return pattern.kind === 'known';
}

function reasonOf(statement: PolicyStatement, conditionalDeny: boolean): string {
  if (conditionalDeny) return 'a Deny statement depends on a condition';
  const parts = [
    statement.effect,
    ...statement.actions,
    ...statement.notActions,
    ...statement.resources,
    ...statement.notResources,
  ];
  for (const part of parts) {
    if (part.kind === 'choice') return 'a statement depends on a condition of the template';
    for (const { value } of alternativesOf(part)) if (value.kind === 'unknown') return value.reason;
  }
  if (statement.resources.length === 0 && statement.notResources.length === 0)
    return 'a statement has neither Resource nor NotResource';
  return 'a Deny statement takes in some of the resources';
}
