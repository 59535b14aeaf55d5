import type { ChangeBeside } from './rule';

/*
 * What has to change with a fix in other resources, printed below its code: each with the place that it goes to.
 */

/**
 * @param codeOf the code of a fix as it goes to a resource
 * @returns the code with what else changes; each change once, however many resources have it from one place
 */
export function withBesides(
  code: string | undefined,
  besides: readonly ChangeBeside[],
  codeOf: (beside: ChangeBeside) => string | undefined,
): string | undefined {
  if (besides.length === 0) return code;
  const parts = besides.flatMap((beside) => {
    const own = codeOf(beside);
    return own === undefined ? [] : (placed(own, beside) ?? []);
  });
  const all = [...new Set([...(code === undefined ? [] : [code]), ...parts])];
  return all.length === 0 ? undefined : all.join('\n');
}

function placed(code: string, { resource, source }: ChangeBeside): string | undefined {
  return SAYS_WHERE.test(code) ? code : resource.dialect.fixes.codeBeside?.(code, resource, source);
}

/** What begins with the place that it goes to. */
const SAYS_WHERE = /^(?:#|\/\/) .*:\n|^In .*:\n/;
