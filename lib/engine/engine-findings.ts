import type { Resource } from '../model';
import type { Finding } from './finding';
import { docsUrl, type Severity } from './rule';

/** Rules that the engine itself reports; they can't be switched off, because they say that something was not checked. */
export const ENGINE_RULES = {
  crashed: 'rule-crashed',
  suppressionWithoutReason: 'suppression-without-reason',
  suppressionExpired: 'suppression-expired',
  suppressionUnused: 'suppression-unused',
  suppressionUnknownRule: 'suppression-unknown-rule',
} as const;

/** A finding about the check itself. */
export function engineFinding(rule: string, severity: Severity, resource: Resource, texts: { message: string; fix: string }, source = resource.source): Finding {
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
