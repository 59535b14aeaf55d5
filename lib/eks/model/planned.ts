import type { EksResource } from './resources';

/** A resource as it is now, if that is known. See {@link PlannedChange.before}. */
export function beforeOf<R extends EksResource>(resource: R): R | undefined {
  const before = resource.planned?.before as EksResource | undefined;
  return before?.kind === resource.kind ? (before as R) : undefined;
}
