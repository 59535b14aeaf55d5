import type { Resource } from './resources';

/**
 * How messages call a resource: by construct path if there is one, else by id. CDK calls the resource that a construct
 * generates `Resource` or `Default`, which says nothing and is left out.
 */
export function resourceName(resource: Resource): string {
  return resource.path?.replace(/\/(?:Resource|Default)$/, '') ?? resource.id;
}

/** What belongs to resources, in an order that doesn't depend on that of the input: where one of them speaks for several, it is always the same one. */
export function inNameOrder<T>(items: readonly T[], resourceOf: (item: T) => Resource): readonly T[] {
  return items.toSorted((a, b) => compare(resourceOf(a).id, resourceOf(b).id) || compare(resourceOf(a).stack, resourceOf(b).stack));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
