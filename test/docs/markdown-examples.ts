import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * A code block of a guide that a reader can copy and run, and what the guide says comes out.
 *
 * A comment before the block says more, which a reader of the page doesn't see:
 * `<!-- example: NAME after: OTHER; fails: RULE; warns: RULE, RULE; unverifiable: RULE; accepts: RULE -->`. `after` puts the code of a block with that name
 * before this one. `strict` means that the strict preset has nothing to say either. `throws: TEXT`, alone, means that running it throws an error with that text. What is not said must not happen: a
 * block without comment has no errors, warnings and accepted findings.
 */
export interface MarkdownExample {
  /** Unique, and good as a file name. */
  readonly id: string;
  /** `docs/guides/constructs.md:42`, for messages. */
  readonly place: string;
  /** With the code of the blocks that come before it. */
  readonly code: string;
  readonly claims: ExampleClaims;
  /** Holds tests that Jest runs. */
  readonly isJest: boolean;
}

interface ExampleClaims {
  readonly throws: string | undefined;
  readonly fails: readonly string[];
  readonly warns: readonly string[];
  /** At least these. */
  readonly unverifiable: readonly string[];
  readonly accepts: readonly string[];
  /** Whether the strict preset finds nothing either. */
  readonly strict: boolean;
}

/** All TypeScript blocks of a Markdown file. */
export function readExamples(file: string, shownAs: string): MarkdownExample[] {
  const text = readFileSync(file, 'utf8');
  const named = new Map<string, string>();
  return [...text.matchAll(/(?:^<!-- example(?<header>.*) -->\n\n?)?^```ts\n(?<code>[^]*?)^```$/gm)].map((match) => {
    const { header = '', code: own = '' } = match.groups ?? {};
    const line = text.slice(0, match.index).split('\n').length;
    const place = `${shownAs}:${line}`;
    const parts = /^(?:: (?<name>[\w-]+))?(?: after: (?<after>[\w-]+))?(?:; (?<claims>.+))?$/.exec(header)?.groups;
    if (parts === undefined) throw new Error(`${place}: can't read the comment "example${header}"`);
    const { name, after, claims } = parts;
    const before = after === undefined ? '' : named.get(after);
    if (before === undefined) throw new Error(`${place}: there is no example "${String(after)}" before it`);
    const code = before + own;
    if (name !== undefined) named.set(name, code);
    return {
      id: `${basename(shownAs, '.md')}-${line}`,
      place,
      code,
      claims: readClaims(claims ?? '', place),
      isJest: code.includes('eks-guardrails/jest'),
    };
  });
}

function readClaims(text: string, place: string): ExampleClaims {
  const [, thrown] = /^throws: (.+)$/.exec(text) ?? [];
  const claims = {
    throws: thrown,
    fails: [] as string[],
    warns: [] as string[],
    unverifiable: [] as string[],
    accepts: [] as string[],
    strict: false,
  };
  if (thrown !== undefined || text === '') return claims;
  for (const claim of text.split('; ')) {
    const [key = '', rules = ''] = claim.split(': ');
    if (claim === 'strict') {
      claims.strict = true;
      continue;
    }
    if (key !== 'fails' && key !== 'warns' && key !== 'unverifiable' && key !== 'accepts')
      throw new Error(`${place}: can't read the claim "${claim}"`);
    claims[key].push(...rules.split(', ').sort());
  }
  return claims;
}
