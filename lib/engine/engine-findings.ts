import type { Resource } from '../eks';
import { CRASHED } from './fail-on';
import type { Finding } from './finding';
import { docsUrl, type RuleLevel, type Severity } from './rule';

/** Rules that the engine itself reports. */
export const ENGINE_RULES = {
  crashed: CRASHED,
  suppressionWithoutReason: 'suppression-without-reason',
  suppressionExpired: 'suppression-expired',
  suppressionUnused: 'suppression-unused',
  suppressionUnknownRule: 'suppression-unknown-rule',
} as const;

/**
 * Those about decisions to live with a finding. They are warnings where the user sets no other level, `off` included. A rule that crashed is always
 * an error, and nobody can accept it: what the rule would have found isn't known.
 */
export const SUPPRESSION_RULES: readonly string[] = Object.values(ENGINE_RULES).filter(
  (id) => id !== ENGINE_RULES.crashed,
);

/** Why nobody can live with a rule that stopped, nor give it a level. */
export const CRASH_IS_FINAL = `${ENGINE_RULES.crashed} says that something was not checked, which can be neither accepted nor given a level; switch off the rule that stopped`;

export { isCrash } from './fail-on';

/** A finding about the check itself. */
export function engineFinding(
  rule: string,
  severity: Severity,
  resource: Resource,
  texts: { message: string; fix: string; about?: string },
  source = resource.source,
): Finding {
  return {
    rule,
    severity,
    verdict: 'fail',
    messageId: undefined,
    ...texts,
    fixCode: undefined,
    docs: docsUrl(rule),
    resource,
    source,
    related: [],
  };
}

/** The severity of a rule about suppressions; undefined if it is off. */
export function suppressionSeverity(
  rule: string,
  settings: ReadonlyMap<string, { readonly level: RuleLevel | undefined }>,
): Severity | undefined {
  const level = settings.get(rule)?.level ?? 'warning';
  return level === 'off' ? undefined : level;
}
