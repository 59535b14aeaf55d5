import type { IConstruct } from 'constructs';
import { refuse } from './construction-error';
import type { TokenTools } from './tokens';

/** Refuses a number that is none, or that AWS doesn't take. Nothing is said of values that are decided at deployment. */
export function inRange(
  scope: IConstruct,
  tokens: TokenTools,
  name: string,
  value: number | undefined,
  least: number,
  most = Number.POSITIVE_INFINITY,
): void {
  if (value === undefined || tokens.isToken(value)) return;
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`;
  refuse(scope, `${name} is ${value}; a whole number ${range} is needed`);
}

/** Refuses a text that isn't one of those that AWS knows. */
export function oneOf(
  scope: IConstruct,
  tokens: TokenTools,
  name: string,
  value: string | undefined,
  allowed: readonly string[],
): void {
  if (value !== undefined && !tokens.isToken(value) && !allowed.includes(value))
    refuse(scope, `${name} is "${value}"; it is one of ${allowed.join(', ')}`);
}
