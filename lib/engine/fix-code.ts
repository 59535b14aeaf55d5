import type { ClusterPlace, Resource } from '../eks';

/*
 * The code of a fix as the place has it where it goes: the release of a chart, or whatever the dialect makes of it.
 */

/**
 * @param code of the front end, with its placeholders filled; undefined where the place has something else in its stead
 * @param inTemplate the code for a template, if there is one
 */
export function codeAt(
  code: string,
  resource: Resource,
  inTemplate: () => string | undefined = () => undefined,
  cluster: () => ClusterPlace = () => ({ cluster: undefined, name: undefined, has: () => true }),
): string | undefined {
  const own = isRelease(resource) ? codeOfRelease(code) : code;
  const { fixes } = resource.dialect;
  return fixes.codeAt === undefined ? own : fixes.codeAt(own, resource, inTemplate, cluster);
}

export function isRelease(resource: Resource): boolean {
  return 'kind' in resource && resource.kind === 'helm-release';
}

/** The configuration values of an add-on as the values of a chart. */
function codeOfRelease(code: string): string {
  return code
    .replace(/^configuration_values\s*= jsonencode\(([\s\S]*)\)$/, 'values = [yamlencode($1)]')
    .replace(/^ConfigurationValues:/m, 'Values:')
    .replace(/^configurationValues:/m, 'values:');
}
