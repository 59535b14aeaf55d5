import { createHash } from 'node:crypto';
import type { Finding } from './finding';

/** Length of a fingerprint in hexadecimal digits: 128 bits. */
const DIGITS = 32;

/**
 * What stays the same about a finding from run to run: it survives lines that move, resources that change places and texts that are
 * reworded. Hexadecimal digits of a SHA-256.
 * @param ordinal which one of several findings that are equal in all of that, from 0
 */
export function fingerprintOf(finding: Finding, ordinal: number): string {
  return fingerprint(identityOf(finding), ordinal);
}

/** The fingerprints of all findings of a run; no two are equal. */
export function fingerprints(findings: readonly Finding[]): Map<Finding, string> {
  const met = new Map<string, number>();
  const result = new Map<Finding, string>();
  for (const finding of findings) {
    const identity = identityOf(finding);
    const ordinal = met.get(identity) ?? 0;
    met.set(identity, ordinal + 1);
    result.set(finding, fingerprint(identity, ordinal));
  }
  return result;
}

function fingerprint(identity: string, ordinal: number): string {
  return createHash('sha256').update(`${identity}\n${ordinal}`).digest('hex').slice(0, DIGITS);
}

/** As JSON, so that no two lists of parts read the same. */
function identityOf({ rule, messageId, verdict, resource, source }: Finding): string {
  const { property = '' } = source.locate();
  return JSON.stringify([rule, messageId ?? verdict, normalStack(resource.stack), resource.path ?? resource.id, property]);
}

/** The name of a stack may be a path as the user typed it. */
function normalStack(stack: string): string {
  return stack.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');
}
