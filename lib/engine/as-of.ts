import { isDay } from '../text/day';
import { ConfigurationError } from './configuration-error';

/** The variable of the environment that gives the day of a check. */
const VARIABLE = 'EKS_GUARDRAILS_AS_OF';

/**
 * The day that was given for a check; undefined if it is the day on which it runs. The command line and code win over the environment.
 * @throws ConfigurationError if it is no day
 */
export function givenDay({ asOf }: { readonly asOf?: string }): string | undefined {
  if (asOf === undefined) return dayOfEnvironment();
  refuseOthers(asOf, 'asOf');
  return asOf;
}

/**
 * The day that the environment gives: it wins over a configuration file. An empty variable is none.
 * @throws ConfigurationError if it is no day
 */
export function dayOfEnvironment(): string | undefined {
  const day = process.env[VARIABLE] ?? '';
  if (day === '') return undefined;
  refuseOthers(day, VARIABLE);
  return day;
}

function refuseOthers(day: string, name: string): void {
  if (!isDay(day)) throw new ConfigurationError(`${name} is "${day}", which is no day; write it as in 2027-01-31`);
}
