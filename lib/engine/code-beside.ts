import type { ChangeBeside } from './rule';

/*
 * What has to change with a fix in other resources, printed below its code: each with the place that it goes to.
 */

/**
 * @param codeOf the code of a change, below the place that it goes to
 * @returns the code with what else changes; each change once, however many resources have it from one place
 */
export function withBesides(
  code: string | undefined,
  besides: readonly ChangeBeside[],
  codeOf: (beside: ChangeBeside) => string | undefined,
): string | undefined {
  if (besides.length === 0) return code;
  const parts = besides.flatMap((beside) => codeOf(beside) ?? []);
  const all = [...new Set([...(code === undefined ? [] : [code]), ...parts])];
  return all.length === 0 ? undefined : all.join('\n');
}

/** Code for another resource below the place that it goes to; undefined where nobody can tell that. */
export function placedBeside(code: string, { resource, source }: ChangeBeside): string | undefined {
  return resource.dialect.fixes.codeBeside?.(code, resource, source) ?? (SAYS_WHERE.test(code) ? code : undefined);
}

/** What begins with the place that it goes to. */
const SAYS_WHERE = /^(?:#|\/\/) .*:\n|^In .*:\n/;
