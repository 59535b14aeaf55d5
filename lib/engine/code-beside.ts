import { inWords } from '../text/in-words';
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
  const all = [...(code === undefined ? [] : [code]), ...together(new Set(parts))];
  return all.length === 0 ? undefined : all.join('\n');
}

/** The place of a change that a name ends: `# in the Properties of Workers:`. */
const NAMED = /^((?:#|\/\/|In) (?:.* )?)([^\s:]+):\n([^]*)$/;

/** Changes with one code for places that differ by their names are one, below all of them. */
function together(parts: Iterable<string>): readonly string[] {
  const alike = new Map<string, { readonly names: string[]; readonly of: (names: string) => string }>();
  for (const part of parts) {
    const [, where = '', name = '', code = ''] = NAMED.exec(part) ?? [];
    const isNamed = name !== '' && !where.includes(':');
    const key = isNamed ? JSON.stringify([where, code]) : part;
    const known = alike.get(key);
    if (known === undefined)
      alike.set(key, { names: [name], of: (names) => (isNamed ? `${where}${names}:\n${code}` : part) });
    else known.names.push(name);
  }
  return [...alike.values()].map(({ names, of }) => of(inWords(names, names.length)));
}

/** Code for another resource below the place that it goes to; undefined where nobody can tell that. */
export function placedBeside(code: string, { resource, source }: ChangeBeside): string | undefined {
  return resource.dialect.fixes.codeBeside?.(code, resource, source) ?? (SAYS_WHERE.test(code) ? code : undefined);
}

/** What begins with the place that it goes to. */
const SAYS_WHERE = /^(?:#|\/\/) .*:\n|^In .*:\n/;
