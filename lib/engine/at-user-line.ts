import type { SourceLocation } from '../value';
import type { Finding } from './finding';

/** What is said of the place that the app wrote. */
export const AS_WRITTEN = 'as the app writes it';

/**
 * The finding at the line of the app that creates the resource, if the input tells it: people change that, and commit it. What the app wrote is the
 * first of the other places.
 */
export function atUserLine(finding: Finding): Finding {
  const { resource, source, related } = finding;
  const { createdAt } = resource;
  if (createdAt === undefined) return finding;
  const locate = (): SourceLocation => {
    const { property } = source.locate();
    return { ...createdAt, ...(property === undefined ? {} : { property }) };
  };
  return {
    ...finding,
    source: { ...source, locate },
    related: [{ message: AS_WRITTEN, source }, ...related],
  };
}
