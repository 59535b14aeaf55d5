import { createHash } from 'node:crypto';
import type { Resource } from '../eks';
import type { Finding } from './finding';

/** Length of a fingerprint in hexadecimal digits: 128 bits. */
const DIGITS = 32;

/** What an input is called by its path, the same wherever and however the check runs. */
export type PlaceOf = (path: string) => string;

/**
 * The fingerprints of all findings of a run; no two are equal. A fingerprint is what stays the same about a finding from run to run: it survives
 * lines that move, resources and items of lists that change places, and texts that are reworded. Hexadecimal digits of a SHA-256.
 */
export function fingerprints(findings: readonly Finding[], placeOf: PlaceOf): Map<Finding, string> {
  const met = new Map<string, number>();
  const result = new Map<Finding, string>();
  for (const finding of findings) {
    const identity = identityOf(finding, placeOf);
    const ordinal = met.get(identity) ?? 0;
    met.set(identity, ordinal + 1);
    result.set(finding, createHash('sha256').update(`${identity}\n${ordinal}`).digest('hex').slice(0, DIGITS));
  }
  return result;
}

/** As JSON, so that no two lists of parts read the same. */
function identityOf({ rule, messageId, verdict, resource, source, about = '' }: Finding, placeOf: PlaceOf): string {
  const { property = '' } = source.locate();
  return JSON.stringify([
    rule,
    messageId ?? verdict,
    placeOf(inputOf(resource)),
    stackOf(resource),
    resource.path ?? resource.id,
    withoutIndices(property),
    about,
  ]);
}

/** The path of what a resource is declared in: the folder of a root module of Terraform, with all its modules; else the file. */
export function inputOf(resource: Resource): string {
  return resource.dialect.inputOf?.(resource) ?? resource.source.locate().file;
}

/** Where that is a path as the user typed it, it says nothing more. */
function stackOf({ dialect, stack }: Resource): string {
  return dialect.hasPathsForStacks === true ? '' : stack;
}

/**
 * A path, with items of a list told by what they say, not by where they stand: `Properties.InstanceTypes.1`, `volume[0].size`. What follows on
 * `Fn::If` is no place in a list.
 */
export function withoutIndices(property: string): string {
  return property.replaceAll(/\[\d+\]|(?<=^|\.)(?<!\bFn::If\.)\d+(?=\.|$)/g, '*');
}
