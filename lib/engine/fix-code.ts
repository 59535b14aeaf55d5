import type { Resource } from '../eks';

/*
 * The code of a fix as the place has it where it goes: the call of a module, the release of a chart, or whatever the dialect makes of it.
 */

/**
 * @param code of the front end, with its placeholders filled; undefined where the place has something else in its stead
 * @param inTemplate the code for a template, if there is one
 */
export function codeAt(
  code: string,
  resource: Resource,
  inTemplate: () => string | undefined = () => undefined,
): string | undefined {
  const own = isRelease(resource) ? codeOfRelease(code) : code;
  if (resource.moduleInputs !== undefined) return codeOfCall(own, resource.moduleInputs);
  return resource.dialect.fixes.codeAt?.(own, resource, inTemplate) ?? own;
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

/** Code of a resource as the call of its module has it; undefined where the call has something else in its place. */
function codeOfCall(code: string, inputs: ReadonlyMap<string, string>): string | undefined {
  const lines = code.split('\n').map((line) => {
    const [, name, rest = ''] = /^(\w+)(?!\w)(.*)$/.exec(line) ?? [];
    // A key alone is for the middle of something that the call doesn't have.
    if (name === undefined) return line.startsWith('"') ? undefined : line;
    const input = /^\s*=/.test(rest) ? inputs.get(name) : undefined;
    return input === undefined ? undefined : input + rest;
  });
  return lines.includes(undefined) ? undefined : lines.join('\n');
}
