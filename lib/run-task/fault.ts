/** Why a plan could not be checked, in words that may be shown to whoever sees the run: no address and no token is among them. */
export class Fault extends Error {}

/** What to say of an error. Those of the network name addresses, so only their codes are told. */
export function faultText(error: unknown): string {
  if (error instanceof Fault) return error.message;
  if (!(error instanceof Error)) return 'something went wrong';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'it took too long';
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string'
    ? `the connection failed (${cause.code})`
    : `an error in eks-guardrails (${error.name})`;
}
