import type { CST } from 'yaml';
import type { TextProblem } from '../document';

/** The characters that end a line in YAML 1.1, and not for the parser here. */
const BREAK = /\r(?!\n)|[\u0085\u2028\u2029]/;

/**
 * Where a character stands that ends a line for some parsers and not for this one: those of kubectl, eksctl, Terraform and CloudFormation go by YAML 1.1, where
 * what follows in a comment counts. In quotes it is no more than a character for both.
 * Source: YAML 1.1, 5.4 Line Break Characters; yaml/go-yaml, yamlprivateh.go (is_break).
 */
export function otherLineBreaks(text: string, tokens: readonly CST.Token[]): readonly TextProblem[] {
  if (!BREAK.test(text) && !text.includes(MARK, 1)) return [];
  const found: TextProblem[] = [];
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('source' in part && 'offset' in part && typeof part.source === 'string' && typeof part.offset === 'number') {
      const at = 'type' in part && QUOTED.has(part.type) ? -1 : part.source.search(BREAK);
      // A block has the place of its sign, and the source of its lines.
      if (at >= 0)
        found.push({
          offset: text.indexOf(part.source, part.offset) + at,
          message: messageFor(part.source.charAt(at)),
        });
      if (part.offset > 0 && part.source.startsWith(MARK)) found.push({ offset: part.offset, message: MARKED });
    }
    for (const inner of Object.values(part)) if (typeof inner === 'object') look(inner);
  };
  look(tokens);
  return found;
}

/** Parsers of YAML 1.1 take it away at the beginning of any line. */
const MARK = '\uFEFF';
const MARKED =
  'the mark of the byte order (U+FEFF) stands within the file, where some parsers skip it and others take it for part of a key: take it out';

const QUOTED: ReadonlySet<unknown> = new Set(['single-quoted-scalar', 'double-quoted-scalar']);

function messageFor(character: string): string {
  const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return `the invisible character ${code} ends the line for parsers of YAML 1.1 such as those of kubectl, eksctl and Terraform, and for others it doesn't: take it out, or put what it stands in into quotes`;
}
