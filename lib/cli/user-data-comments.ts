import { decidingComments, ignoresIn, type Ignores } from '../languages/comments/ignores';
import type { Comment } from '../languages/comments/placement';
import { LineIndex } from '../languages/positions';

/** A line that is a comment in scripts, YAML, TOML and PowerShell alike. */
const COMMENT = /^[\t ]*(#[^\n]*)/gm;

/** The decisions in the comments of a lone file of user data. Each holds for all of the file: most findings are about how its parts go together. */
export function decisionsIn(text: string, file: string): Ignores {
  const comments = [...text.matchAll(COMMENT)].map((found): Comment => {
    const [line, comment = ''] = found;
    const end = found.index + line.length;
    return { text: comment.replace(/^#+/, ''), start: end - comment.length, end };
  });
  const own = decidingComments(text, comments);
  const whole = { name: 'the file', start: 0, end: text.length + 1, parent: undefined, isBracketed: true };
  const placed = own.map((comment) => ({ comment, item: whole }));
  return ignoresIn({ file, lines: new LineIndex(text), placed }, () => ({ item: whole, holder: whole }));
}
