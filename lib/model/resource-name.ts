import type { Resource } from './resources';

/**
 * How messages call a resource: by construct path if there is one, else by id. CDK calls the resource that a construct
 * generates `Resource` or `Default`, which says nothing and is left out.
 */
export function resourceName(resource: Resource): string {
  return resource.path?.replace(/\/(?:Resource|Default)$/, '') ?? resource.id;
}
